//! A DAW's project as plain data, the same for every format. The tools that open and write
//! project files make a session from it, and a wanted `Project` from a session.
//!
//! Times are seconds, gains dB (negative infinity is silence), pan goes from -1 (left) to 1.

use serde::{Deserialize, Deserializer, Serialize};

/// What Deskhand models of a project file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Project {
    /// Sample rate in Hz. Cannot be written.
    pub rate: Option<u32>,
    /// The tempo from each position on. Cannot be written.
    pub tempo: Vec<TempoPoint>,
    /// The meter from each position on. Cannot be written.
    pub meter: Vec<MeterPoint>,
    /// Fader of the master, dB.
    #[serde(deserialize_with = "or_silence")]
    pub master_gain_db: f64,
    /// All tracks and buses, each bus before the tracks in it.
    pub tracks: Vec<ProjectTrack>,
    /// Markers and regions.
    pub markers: Vec<ProjectMarker>,
    /// What the file holds that Deskhand does not model, each kind once with its count.
    pub left: Vec<String>,
}

/// A tempo and where it begins.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TempoPoint {
    /// Seconds.
    pub position: f64,
    /// Beats (of the meter's denominator in REAPER, quarters elsewhere) in a minute.
    pub bpm: f64,
}

/// A meter and where it begins.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeterPoint {
    /// Seconds.
    pub position: f64,
    /// Beats in a bar.
    pub numerator: u32,
    /// The note that is a beat: 4 is a quarter.
    pub denominator: u32,
}

/// A track or bus.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ProjectTrack {
    /// Names the track inside this one file; `None`, or a name that begins with [`NEW`], is a new track.
    pub id: Option<String>,
    /// Name as the DAW shows it.
    pub name: String,
    /// Fader, dB.
    #[serde(deserialize_with = "or_silence")]
    pub gain_db: f64,
    /// Pan, -1 to 1.
    pub pan: f64,
    /// Not heard.
    pub mute: bool,
    /// Heard alone.
    pub solo: bool,
    /// Red, green, blue.
    pub color: Option<[u8; 3]>,
    /// Whether other tracks play through it.
    pub is_bus: bool,
    /// The bus it plays through: that track's `id`. `None` is the master.
    pub parent: Option<String>,
    /// Audio clips that Deskhand plays as the DAW does.
    pub clips: Vec<ProjectClip>,
    /// Which values automation overrides: they are not changed. Cannot be written.
    pub automated: Automated,
    /// Why a change of this track's values is refused. Cannot be written.
    pub locked: Option<String>,
}

/// Begins the id of an object that the file does not have yet.
pub const NEW: &str = "new:";

/// The id, if the file has the object already.
fn known(id: Option<&String>) -> Option<&str> {
    id.map(String::as_str).filter(|id| !id.starts_with(NEW))
}

impl ProjectTrack {
    /// The id, if the file has the track already.
    #[must_use]
    pub fn known_id(&self) -> Option<&str> {
        known(self.id.as_ref())
    }
}

impl ProjectClip {
    /// The id, if the file has the clip already.
    #[must_use]
    pub fn known_id(&self) -> Option<&str> {
        known(self.id.as_ref())
    }
}

impl ProjectMarker {
    /// The id, if the file has the marker already.
    #[must_use]
    pub fn known_id(&self) -> Option<&str> {
        known(self.id.as_ref())
    }
}

impl Project {
    /// The same as formats write it: what is new has no id, but for buses, which other tracks name.
    pub(crate) fn without_new_ids(mut self) -> Self {
        let drop = |id: &mut Option<String>| {
            if known(id.as_ref()).is_none() {
                *id = None;
            }
        };
        for track in &mut self.tracks {
            track.clips.iter_mut().for_each(|clip| drop(&mut clip.id));
            if !track.is_bus {
                drop(&mut track.id);
            }
        }
        self.markers.iter_mut().for_each(|marker| drop(&mut marker.id));
        self
    }
}

/// Which values of a track an automation overrides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Automated {
    /// The fader.
    pub gain: bool,
    /// The pan.
    pub pan: bool,
    /// The mute button.
    pub mute: bool,
}

/// A stretch of an audio file on a track.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ProjectClip {
    /// Names the clip inside this one file; `None`, or a name that begins with [`NEW`], is a new clip.
    pub id: Option<String>,
    /// For a new clip: the `id` of the clip whose other content it copies, as after a split.
    pub like: Option<String>,
    /// Name as the DAW shows it.
    pub name: String,
    /// The audio file, as written in the project.
    pub file: String,
    /// Channels of the file, where the project says so; a new clip in Ardour needs it. Cannot be
    /// written.
    pub channels: Option<u16>,
    /// Where it starts on the timeline, seconds.
    pub position: f64,
    /// Where it starts in the file, seconds.
    pub start: f64,
    /// Length, seconds.
    pub length: f64,
    /// Clip gain, dB.
    #[serde(deserialize_with = "or_silence")]
    pub gain_db: f64,
    /// Not heard.
    pub mute: bool,
    /// Plays with the other sign.
    pub is_inverted: bool,
    /// Begins the file again where the file ends before the clip does. Cannot be written.
    pub is_looped: bool,
    /// Fade at the start.
    pub fade_in: ProjectFade,
    /// Fade at the end.
    pub fade_out: ProjectFade,
    /// Why a change is refused. Cannot be written.
    pub locked: Option<String>,
}

/// A fade; a length of 0 is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ProjectFade {
    /// Seconds.
    pub length: f64,
    /// Shape.
    pub shape: FadeShape,
}

/// The shape of a fade.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum FadeShape {
    /// Amplitude in a straight line.
    #[default]
    Linear,
    /// Quarter of a sine, or the DAW's nearest.
    EqualPower,
    /// A shape of the DAW's own. It can stay, but no other fade can become it.
    Other,
}

/// A marker, or a region where `length` is above 0.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ProjectMarker {
    /// Names the marker inside this one file; `None`, or a name that begins with [`NEW`], is a new one.
    pub id: Option<String>,
    /// Name as the DAW shows it.
    pub name: String,
    /// Seconds.
    pub position: f64,
    /// Seconds; 0 is a marker.
    pub length: f64,
}

/// JSON writes negative infinity as null.
fn or_silence<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    Option::<f64>::deserialize(from).map(|gain| gain.unwrap_or(f64::NEG_INFINITY))
}

/// `10^(dB/20)`.
pub(crate) fn linear(gain_db: f64) -> f64 {
    10f64.powf(gain_db / 20.0)
}

/// dB of an amplitude; its sign does not count.
pub(crate) fn decibels(amplitude: f64) -> f64 {
    20.0 * amplitude.abs().log10()
}

/// How often each kind of thing that is not modeled occurs, in order of first sight.
#[derive(Default)]
pub(crate) struct Left(Vec<(String, String, usize)>);

impl Left {
    /// Counts one more of what is written `one` alone and `many` in numbers.
    pub(crate) fn count(&mut self, one: &str, many: &str) {
        match self.0.iter_mut().find(|(known, ..)| known == one) {
            Some((.., count)) => *count += 1,
            None => self.0.push((one.to_owned(), many.to_owned(), 1)),
        }
    }

    /// Says of which track automation overrides what.
    pub(crate) fn automation(&mut self, track: &str, automated: Automated) {
        let kinds = [
            (automated.gain, "volume", "fader"),
            (automated.pan, "pan", "pan"),
            (automated.mute, "mute", "mute button"),
        ];
        for (_, kind, control) in kinds.iter().filter(|(is_on, ..)| *is_on) {
            let line = format!("{kind} automation on {track:?}: its {control} is overridden");
            let lines = format!("{kind} automations on {track:?}: its {control} is overridden");
            self.count(&line, &lines);
        }
    }

    /// Lines like "2 plugins".
    pub(crate) fn lines(self) -> Vec<String> {
        let line = |(one, many, count)| match count {
            1 => format!("1 {one}"),
            _ => format!("{count} {many}"),
        };
        self.0.into_iter().map(line).collect()
    }
}
