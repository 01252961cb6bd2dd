//! What a window keeps from one start to the next: recent sessions and their views, size, place and areas,
//! theme, zoom, the sound device. It is a file in this user's data folder. If it cannot be read, the window
//! starts with defaults.

mod merge;

use crate::sound::Choice;
use deskhand_editor::{InputChannels, Layout, Live, Motion, Preset, Seen};
use deskhand_protocol::helper::data_folder;
use deskhand_session::TrackId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Sessions that are remembered.
const RECENT: usize = 12;
/// Inputs of tracks that are remembered.
const INPUTS: usize = 200;
/// Presets that are kept.
const PRESETS: usize = 500;
/// Smallest and largest side of a window, points.
const SIDES: [f32; 2] = [600.0, 8_000.0];
/// Farthest that a window is from the corner of the first screen, points.
const FAR: f32 = 32_000.0;
/// Smallest and largest zoom.
const ZOOMS: [f32; 2] = [0.5, 3.0];

/// The stored settings.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Kept {
    /// Session folders, the newest first.
    pub recent: Vec<PathBuf>,
    /// Light instead of dark.
    pub is_light: bool,
    /// How much larger than usual everything is drawn where the window has room for it.
    pub zoom: Option<f32>,
    /// Width and height of the window, points.
    pub size: Option<[f32; 2]>,
    /// Left and top of the window on the screens, points; `None` if the system does not say.
    pub place: Option<[f32; 2]>,
    /// It fills its screen.
    pub is_maximized: bool,
    /// Nothing moves that does not have to.
    pub reduces_motion: bool,
    /// The inputs chosen for tracks, the newest first.
    pub inputs: Vec<KeptInput>,
    /// How sessions were looked at, the newest first.
    pub seen: Vec<KeptSeen>,
    /// How the areas of the window share it.
    pub layout: Layout,
    pub sound: Choice,
    /// Settings of processors that a person saved, by name.
    pub presets: Vec<Preset>,
}

/// The channels of the input that a person chose for a track.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptInput {
    pub session: PathBuf,
    pub track: TrackId,
    pub channels: InputChannels,
}

/// How a session was looked at when its window closed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeptSeen {
    pub session: PathBuf,
    /// Its timeline, playhead, library, the text being typed, the settings of cards, and why turns ended.
    pub seen: Seen,
}

/// Whether a window fills its screen, its size and its place.
pub(crate) type Frame = (bool, Option<[f32; 2]>, Option<[f32; 2]>);

impl Kept {
    /// The window's size and place on the screen.
    pub(crate) fn frame(&self) -> Frame {
        (self.is_maximized, self.size, self.place)
    }

    /// The file of this user; `None` without a home.
    #[must_use]
    pub fn file() -> Option<PathBuf> {
        data_folder().map(|folder| folder.join("window.toml"))
    }

    /// What `file` holds; numbers out of range are left out.
    #[must_use]
    pub fn load(file: &Path) -> Self {
        let text = fs::read_to_string(file).unwrap_or_default();
        let mut kept: Self = toml::from_str(&text).unwrap_or_default();
        let within = |value: f32, [least, most]: [f32; 2]| (least..=most).contains(&value);
        kept.zoom = kept.zoom.filter(|zoom| within(*zoom, ZOOMS));
        kept.size = kept.size.filter(|size| size.iter().all(|side| within(*side, SIDES)));
        kept.place = kept.place.filter(|place| place.iter().all(|at| within(*at, [-FAR, FAR])));
        kept.layout = kept.layout.checked();
        kept.presets.truncate(PRESETS);
        kept.presets.retain(|preset| preset.effect.check().is_ok());
        kept.recent.truncate(RECENT);
        kept.inputs.truncate(INPUTS);
        kept.seen.truncate(RECENT);
        kept
    }

    /// Writes it to `file`, whole or not at all.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn save(&self, file: &Path) -> std::io::Result<()> {
        let folder = file.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        let text = toml::to_string(self).map_err(std::io::Error::other)?;
        let mut new = tempfile::NamedTempFile::new_in(folder)?;
        new.write_all(text.as_bytes())?;
        new.persist(file).map_err(|failed| failed.error)?;
        Ok(())
    }

    /// Puts a session first.
    pub fn remember(&mut self, session: &Path) {
        self.recent.retain(|known| known != session);
        self.recent.insert(0, session.to_owned());
        self.recent.truncate(RECENT);
    }

    pub fn take_input(&mut self, session: &Path, track: TrackId, channels: InputChannels) {
        self.inputs.retain(|known| known.track != track || known.session != session);
        self.inputs.insert(0, KeptInput { session: session.to_owned(), track, channels });
        self.inputs.truncate(INPUTS);
    }

    /// Keeps a preset in place of the one of its kind and name.
    pub fn keep_preset(&mut self, preset: Preset) {
        self.remove_preset(&preset);
        self.presets.push(preset);
        self.presets.sort_by_key(|preset| preset.name.to_lowercase());
    }

    pub fn remove_preset(&mut self, preset: &Preset) {
        let kind = std::mem::discriminant(&preset.effect);
        let is_it =
            |it: &Preset| it.name == preset.name && std::mem::discriminant(&it.effect) == kind;
        self.presets.retain(|it| !is_it(it));
    }

    pub fn see(&mut self, session: &Path, seen: Seen) {
        self.seen.retain(|known| known.session != session);
        self.seen.insert(0, KeptSeen { session: session.to_owned(), seen });
        self.seen.truncate(RECENT);
    }

    /// Whether the playhead's position of a session is stored. A moving playhead counts as where it began
    /// until it stops.
    #[must_use]
    pub fn has_place(&self, session: &Path, live: &Live) -> bool {
        let is_there = |known: &KeptSeen| known.seen.position == live.position;
        let of_it = self.seen.iter().find(|known| known.session == session);
        live.motion != Motion::Stopped || of_it.is_some_and(is_there)
    }

    /// Whether the text being typed to a session's model is stored.
    #[must_use]
    pub fn has_draft(&self, session: &Path, draft: &str) -> bool {
        let of_it = self.seen.iter().find(|known| known.session == session);
        of_it.map_or("", |known| known.seen.draft.as_str()) == draft
    }

    /// How a session was looked at; as at first where that is not known.
    #[must_use]
    pub fn seen_of(&self, session: &Path) -> Seen {
        let known = self.seen.iter().find(|known| known.session == session);
        known.map(|known| known.seen.clone()).unwrap_or_default().checked()
    }

    /// Which channels the tracks of a session take, where they were chosen.
    #[must_use]
    pub fn inputs_of(&self, session: &Path) -> BTreeMap<TrackId, InputChannels> {
        let of_session = self.inputs.iter().filter(|known| known.session == session);
        of_session.map(|it| (it.track, it.channels)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_dsp::effects::{Band, BandShape, Effect, Equalizer};
    use deskhand_dsp::{Decibels, Frames};
    use deskhand_editor::{EndedTurn, SeenCard};
    use deskhand_session::PlanId;
    use serde_json::json;

    #[test]
    fn what_is_kept_comes_back() {
        let tmp = tempfile::tempdir().unwrap();
        let file = tmp.path().join("data/window.toml");
        assert_eq!(Kept::load(&file), Kept::default());
        let mut kept = Kept { zoom: Some(1.25), size: Some([1_000.0, 700.0]), ..Kept::default() };
        (kept.place, kept.is_maximized) = (Some([-1_200.0, 40.0]), true);
        kept.sound.rate = Some(44_100);
        kept.layout = Layout { conversation: 480.0, hides_mixer: true, ..Layout::default() };
        for number in 0..20 {
            kept.remember(&PathBuf::from(format!("song {number}")));
        }
        kept.remember(Path::new("song 15"));
        let (song, other, track) = (Path::new("song"), Path::new("other"), TrackId::new(7));
        kept.take_input(song, track, InputChannels::One(5));
        kept.take_input(other, track, InputChannels::One(1));
        kept.take_input(song, track, InputChannels::Pair(2));
        let turn = EndedTurn { asked: 2, words: "The key was refused.".into() };
        let cycle = Some((Frames(48_000), Frames(96_000)));
        let seen = Seen { zoom: Some(40.5), left: 2.5, cycle, ..Seen::default() };
        let (plan, off) = (PlanId::new(3), ["c2".to_owned()].into());
        let cards = vec![SeenCard { plan, off, values: [("c1".to_owned(), -9.0)].into() }];
        let numbers = [(plan, 14)].into();
        let seen = Seen { has_library: true, ended: vec![turn], cards, numbers, ..seen };
        kept.see(song, Seen::default());
        kept.see(other, Seen { position: Frames(7), ..Seen::default() });
        kept.see(song, seen.clone());
        kept.save(&file).unwrap();
        let again = Kept::load(&file);
        assert_eq!(again, kept);
        assert_eq!((again.seen_of(song), again.seen.len()), (seen, 2));
        assert_eq!(again.seen_of(Path::new("third")), Seen::default());
        assert_eq!(again.frame(), (true, Some([1_000.0, 700.0]), Some([-1_200.0, 40.0])));
        let places = [(other, 7), (other, 8), (song, 7)];
        let [stands, moves] = [Motion::Stopped, Motion::Playing].map(|motion| {
            let live = |at| Live { position: Frames(at), motion, ..Live::default() };
            places.map(|(session, at)| again.has_place(session, &live(at)))
        });
        assert_eq!((stands, moves), ([true, false, false], [true; 3]));
        assert_eq!(again.inputs_of(song), BTreeMap::from([(track, InputChannels::Pair(2))]));
        assert_eq!(again.inputs_of(other), BTreeMap::from([(track, InputChannels::One(1))]));
        assert_eq!((again.recent.len(), again.recent[0].as_path()), (12, Path::new("song 15")));
    }

    #[test]
    fn what_is_being_typed_is_known_once_it_is_kept() {
        let (mut kept, song) = (Kept::default(), Path::new("song"));
        assert!(kept.has_draft(song, "") && !kept.has_draft(song, "make the gui"));
        kept.see(song, Seen { draft: "make the gui".into(), ..Seen::default() });
        assert!(kept.has_draft(song, "make the gui") && !kept.has_draft(song, ""));
    }

    fn gain(name: &str, gain: f64) -> Preset {
        let band =
            Band { shape: BandShape::Bell, frequency_hz: 1000.0, gain: Decibels(gain), q: 1.0 };
        let effect = Effect::Equalizer(Equalizer { bands: vec![band] });
        Preset { name: name.into(), effect }
    }

    #[test]
    fn a_preset_replaces_the_one_of_its_kind_and_name_and_comes_back_from_the_file() {
        let file = tempfile::tempdir().unwrap();
        let file = file.path().join("window.toml");
        let mut kept = Kept::default();
        let limiter = json!({"kind": "limiter", "gain": 0.0, "ceiling": -1.0, "release_ms": 80.0});
        let limiter = serde_json::from_value(limiter).unwrap();
        let other = Preset { name: "voice".into(), effect: limiter };
        for preset in [gain("voice", 3.0), other.clone(), gain("Air", 1.0), gain("voice", 6.0)] {
            kept.keep_preset(preset);
        }
        kept.remove_preset(&gain("Air", 2.0));
        kept.save(&file).unwrap();
        assert_eq!(Kept::load(&file).presets, [other, gain("voice", 6.0)]);
        // No processor has this gain.
        kept.keep_preset(gain("loud", 300.0));
        kept.save(&file).unwrap();
        assert_eq!(Kept::load(&file).presets.len(), 2);
    }

    #[test]
    fn nonsense_in_the_file_is_left_out() {
        let tmp = tempfile::tempdir().unwrap();
        let file = tmp.path().join("window.toml");
        let nonsense = "zoom = 90.0\nsize = [1.0, 2.0]\nplace = [inf, 0.0]\nis_light = true";
        fs::write(&file, nonsense).unwrap();
        let kept = Kept::load(&file);
        assert_eq!((kept.zoom, kept.size, kept.place, kept.is_light), (None, None, None, true));
        fs::write(&file, "[layout]\nmixer = nan\nhides_mixer = true").unwrap();
        let layout = Layout { hides_mixer: true, ..Layout::default() };
        assert_eq!(Kept::load(&file), Kept { layout, ..Kept::default() });
        fs::write(&file, "no toml").unwrap();
        assert_eq!(Kept::load(&file), Kept::default());
    }
}
