//! A session that is linked to a project, under random edits here, in the DAW, and undo.

use crate::format::{self, Format};
use crate::in_session_units::is_unnamed;
use crate::landing::{self, Landing, Step};
use crate::project::Project;
use crate::session_edits::{edit, markers, seen};
use crate::session_tests::PROJECT;
use crate::test_changes::{self, Abilities, changed, changes};
use deskhand_dsp::{Decibels, Frames, SampleRate};
use deskhand_media::{BitDepth, WavWriter};
use deskhand_session::{RevisionId, Session};
use deskhand_toolkit::testing::{Desk, tone};
use deskhand_toolkit::{PlanContext, ToolError};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{Cursor, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;

/// How far a level may be off.
const NEAR: f64 = 3e-3;

/// The projects, and what their formats can hold.
const PROJECTS: [(&str, &str, Abilities); 4] = [
    ("talk.RPP", PROJECT, Abilities::ALL),
    ("talk.ardour", include_str!("../fixtures/ardour7.ardour"), Abilities::ARDOUR),
    ("talk.dawproject", include_str!("../fixtures/bitwig.xml"), Abilities::DAWPROJECT),
    ("seconds.dawproject", include_str!("../fixtures/seconds.xml"), Abilities::DAWPROJECT),
];

fn zipped(xml: &str) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    zip.start_file("project.xml", zip::write::SimpleFileOptions::default()).unwrap();
    zip.write_all(xml.as_bytes()).unwrap();
    zip.finish().unwrap().into_inner()
}

fn format_of(path: &Path) -> Format {
    Format::of(path, b"").unwrap()
}

fn project_of(path: &Path) -> Project {
    format::read(format_of(path), &std::fs::read(path).unwrap()).unwrap()
}

/// The project as a file, with audio for all of its clips.
fn placed(number: usize) -> (TempDir, PathBuf) {
    let (name, text, _) = PROJECTS[number];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    let bytes = match format_of(&path) {
        Format::DawProject => zipped(text),
        Format::Reaper | Format::Ardour => text.as_bytes().to_vec(),
    };
    std::fs::write(&path, bytes).unwrap();
    // What new clips of the DAW play.
    let mut long = BTreeMap::from([(test_changes::NEW_FILE.to_owned(), (1, 30.0_f64))]);
    for clip in project_of(&path).tracks.iter().flat_map(|track| &track.clips) {
        let entry = long.entry(clip.file.clone()).or_insert((clip.channels.unwrap_or(1), 0.0));
        entry.1 = entry.1.max(clip.start + clip.length);
    }
    for (file, (channels, long)) in long {
        let file = folder.path().join(file.rsplit('/').next().unwrap());
        let rate = SampleRate(48_000);
        let mut wav = WavWriter::create(&file, rate, usize::from(channels), BitDepth::S16).unwrap();
        let sound = tone(220.0, -20.0, long + 1.0);
        wav.write(&vec![sound.as_slice(); usize::from(channels)]).unwrap();
        wav.finish().unwrap();
    }
    (folder, path)
}

fn opened(path: &Path) -> Desk {
    let mut desk = Desk::new(crate::all());
    let draft = desk.plan("tool_open_project", json!({"path": path}));
    assert_eq!(draft.warnings, Vec::<String>::new());
    desk.apply(&draft);
    desk
}

/// A linked session with its history: the sessions before each step that nothing of the DAW came after, with the bytes
/// of the project then.
struct Linked {
    desk: Desk,
    path: PathBuf,
    base: u64,
    back: Vec<(Session, u64, Vec<u8>)>,
    next: u64,
    refused: Vec<String>,
}

impl Linked {
    fn new(path: &Path) -> Self {
        let desk = opened(path);
        std::fs::create_dir_all(desk.context("", &Value::Null).folder).unwrap();
        let (back, refused) = (Vec::new(), Vec::new());
        let (base, next) = (1, 2);
        let mut linked = Self { desk, path: path.to_owned(), base, back, next, refused };
        let draft = linked.desk.plan("tool_link_project", json!({}));
        let after = linked.desk.session.with([&draft.changes[0].change]).unwrap();
        linked.step(after).unwrap();
        linked.back.clear();
        linked
    }

    fn context(&self) -> PlanContext {
        let base = RevisionId(self.base);
        PlanContext { base, ..self.desk.context("", &Value::Null) }
    }

    fn bytes(&self) -> Vec<u8> {
        std::fs::read(&self.path).unwrap()
    }

    /// A step of the session to `after`, which follows the project first.
    fn step(&mut self, after: Session) -> Result<(), ToolError> {
        let (before, base, bytes) = (self.desk.session.clone(), self.base, self.bytes());
        let head = self.next;
        self.go(after, head)?;
        self.back.push((before, base, bytes));
        Ok(())
    }

    fn go(&mut self, after: Session, head: u64) -> Result<(), ToolError> {
        let step = Step {
            after: Arc::new(after),
            head: RevisionId(head),
            next: RevisionId(self.next),
            title: "an edit".into(),
        };
        match landing::land(&step, &self.context())? {
            Landing::Landed(_) => {
                self.desk.session = Session::clone(&step.after);
                self.base = head;
                self.next = self.next.max(head + 1);
            }
            Landing::Moved { .. } => panic!("the session had followed"),
        }
        Ok(())
    }

    /// The session follows what the DAW saved.
    fn follow(&mut self) {
        let step = Step {
            after: Arc::new(self.desk.session.clone()),
            head: RevisionId(self.base),
            next: RevisionId(self.next),
            title: String::new(),
        };
        match landing::land(&step, &self.context()).unwrap() {
            Landing::Landed(landed) => assert_eq!(landed, None),
            Landing::Moved { changes, label } => {
                assert!(label.contains(" changed "), "{label}");
                self.desk.session = self.desk.session.with(&changes).unwrap();
                self.base = self.next;
                self.next += 1;
            }
        }
        self.back.clear();
    }

    fn edit(&mut self, numbers: [usize; 3]) {
        let Some(change) = edit(&self.desk.session, numbers) else { return };
        let Ok(after) = self.desk.session.with([&change]) else { return };
        let bytes = self.bytes();
        if let Err(refused) = self.step(after) {
            assert_eq!(self.bytes(), bytes, "{refused}");
            self.refused.push(format!("{}: {refused}", change.op()));
        }
    }

    fn save_in_daw(&mut self, changes: &[test_changes::Change], can: Abilities) {
        self.save(&changed(&project_of(&self.path), changes, can));
    }

    fn save(&mut self, wanted: &Project) {
        // A step that this format does not know is no step of its DAW.
        if let Ok(saved) = format::write(format_of(&self.path), &self.bytes(), wanted) {
            std::fs::write(&self.path, saved).unwrap();
        }
        self.follow();
    }

    fn undo(&mut self) {
        let Some((before, base, bytes)) = self.back.pop() else { return };
        self.go(before, base).unwrap();
        assert!(self.bytes() == bytes, "undo brings back each byte");
    }

    /// The project opens as the session is.
    fn holds(&self) {
        let again = opened(&self.path).session;
        let seen = |session: &Session| {
            let all = sorted(session);
            match format_of(&self.path) {
                // It has no shapes of fades.
                Format::DawProject => all.replace("EqualPower", "Linear"),
                Format::Reaper | Format::Ardour => all,
            }
        };
        assert_eq!(seen(&again), seen(&self.desk.session), "{:?}", self.refused);
        assert_eq!(markers(&again), markers(&self.desk.session));
        let (here, there) = (levels(&self.desk.session), levels(&again));
        let far = here.iter().zip(&there).map(|(one, other)| (one - other).abs());
        assert!(
            here.len() == there.len() && far.fold(0.0, f64::max) < NEAR,
            "{here:?}, but {there:?}"
        );
    }
}

fn sorted(session: &Session) -> String {
    // A track without a name keeps the number that it had when it came.
    let unnamed = |name: String| if is_unnamed(&name) { "Track".to_owned() } else { name };
    let mut session = session.clone();
    for track in session.tracks.values_mut() {
        track.name = unnamed(std::mem::take(&mut track.name));
        // Numbers are compared by themselves: here they may be a little off.
        (track.gain, track.pan) = (Decibels::UNITY, 0.0);
    }
    session.clips.values_mut().for_each(|clip| clip.gain = Decibels::UNITY);
    let mut all: Vec<String> = seen(&session).iter().map(|track| format!("{track:#?}")).collect();
    all.sort();
    all.join("\n")
}

/// Gains and pans that are not 0, the lowest first.
fn levels(session: &Session) -> Vec<f64> {
    let tracks = session.tracks.values().flat_map(|track| [track.gain.0, track.pan]);
    let mut all: Vec<f64> = tracks.chain(session.clips.values().map(|it| it.gain.0)).collect();
    all.push(session.master_gain.0);
    all.retain(|level| level.abs() > NEAR);
    all.sort_by(f64::total_cmp);
    all
}

/// What happens.
#[derive(Clone, Debug)]
enum Deed {
    Edit([usize; 3]),
    Daw(Vec<test_changes::Change>),
    Undo,
}

fn deeds() -> impl Strategy<Value = Vec<Deed>> {
    let edit = [0..21_usize, 0..10_000_usize, 0..10_000_usize].prop_map(Deed::Edit);
    let deed = prop_oneof![6 => edit, 2 => changes().prop_map(Deed::Daw), 2 => Just(Deed::Undo)];
    prop::collection::vec(deed, 1..12)
}

/// The same ones each time, or many others.
fn cases() -> ProptestConfig {
    match std::env::var_os("DESKHAND_LONG") {
        Some(_) => ProptestConfig::with_cases(4_000),
        None => ProptestConfig { cases: 60, rng_seed: RngSeed::Fixed(7), ..Default::default() },
    }
}

proptest! {
    #![proptest_config(cases())]

    /// Whatever is done here and in the DAW, the project opens as the session is, and undo brings back each byte.
    #[test]
    fn session_and_project_stay_the_same(number in 0..PROJECTS.len(), deeds in deeds()) {
        let (_folder, path) = placed(number);
        let mut linked = Linked::new(&path);
        for deed in deeds {
            match deed {
                Deed::Edit(numbers) => linked.edit(numbers),
                Deed::Daw(changes) => linked.save_in_daw(&changes, PROJECTS[number].2),
                Deed::Undo => linked.undo(),
            }
        }
        linked.holds();
        // What one format cannot hold is known; nothing else is refused.
        for refused in &linked.refused {
            let is_known = ["add_track", "rename_track", "set_clip_polarity", "add_marker", "set_track_pan"]
                .iter().any(|op| refused.starts_with(op));
            prop_assert!(is_known || refused.contains("locked") || refused.contains("automat"), "{refused}");
        }
    }
}

#[test]
fn a_clip_that_is_one_frame_long_stays_in_sync() {
    let (_folder, path) = placed(0);
    let mut linked = Linked::new(&path);
    let (id, clip) =
        linked.desk.session.clips.iter().next().map(|(id, it)| (*id, it.clone())).unwrap();
    let window = deskhand_session::clip::ClipWindow { length: Frames(1), ..clip.window() };
    let fades = deskhand_session::Fades::default();
    let edits = [
        deskhand_session::Change::SetClipFades(deskhand_session::Edit::new(
            id,
            clip.fades(),
            fades,
        )),
        deskhand_session::Change::TrimClip(deskhand_session::Edit::new(id, clip.window(), window)),
    ];
    let after = linked.desk.session.with(&edits).unwrap();
    linked.step(after).unwrap();
    linked.holds();
    linked.undo();
    linked.holds();
}

#[test]
fn fades_that_are_longer_than_their_clip_grow_back_with_it() {
    let (_folder, path) = placed(2);
    let mut linked = Linked::new(&path);
    let on = project_of(&path).tracks.iter().position(|track| !track.clips.is_empty()).unwrap();
    let long = project_of(&path).tracks[on].clips[0].length;
    let mut resized = |length: f64, fade: f64| {
        let mut wanted = project_of(&path);
        let clip = &mut wanted.tracks[on].clips[0];
        (clip.length, clip.fade_in.length, clip.fade_out.length) = (length, fade, fade);
        linked.save(&wanted);
        linked.holds();
    };
    resized(long, long * 0.3);
    resized(long * 0.4, long * 0.3);
    resized(long, long * 0.3);
}
