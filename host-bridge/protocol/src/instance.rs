//! Instances of the plugin in a host: each is a track of the session, on a connection of its own.

use deskhand_dsp::{Decibels, Frames};
use deskhand_session::{Color, Meter, RevisionId, TrackId};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

/// The data that an instance sends when it joins. It leaves when its connection closes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Instance {
    /// New for each instance that the host creates, and never saved: a copy has another.
    pub id: String,
    /// The track it was bound to when the host saved its project.
    #[serde(default)]
    pub binding: Option<TrackId>,
    /// What the host calls its track.
    #[serde(default)]
    pub name: Option<String>,
    /// The color of the host's track.
    #[serde(default)]
    pub color: Option<Color>,
    /// The host, for people: "Ardour 8.6".
    pub host: String,
    /// The plugin format: "CLAP", "VST3".
    pub format: String,
    /// The parameter `trim`: its gain. A new track has it.
    pub trim: Decibels,
    /// The revision of the session when the host saved its project.
    #[serde(default)]
    pub revision: Option<RevisionId>,
}

/// The answer to [`crate::Op::Join`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Joined {
    /// The track it is.
    pub track: TrackId,
    /// The gain of that track.
    pub gain: Decibels,
    /// The folder into which it writes what it captures.
    pub captures: PathBuf,
    /// Whether the track was made for it: it named no track, one that is not here, or one of another
    /// instance.
    pub is_new: bool,
    /// The revision the session is at.
    pub head: RevisionId,
    /// The person's choices, if the session is not at the revision that the host saved.
    #[serde(default)]
    pub saved: Option<Saved>,
}

/// A host's project that was saved at another revision than the session is at. Joining changed nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Saved {
    /// The revision that was saved.
    pub revision: RevisionId,
    /// Whether the session has it, so that [`crate::Op::GoTo`] goes there.
    pub can_branch: bool,
    /// The choices in words: to continue, which changes nothing; and to branch, if that is possible.
    pub choices: Vec<String>,
}

/// An instance that is there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InstanceState {
    /// [`Instance::id`].
    pub id: String,
    /// The track it is.
    pub track: TrackId,
    /// The host, for people.
    pub host: String,
    /// The plugin format.
    pub format: String,
    /// The last known position of its host's transport; `None` before the first report.
    pub clock: Option<Clock>,
    /// Whether it plays its track of the session in place of its input: then cuts are heard in it too.
    #[serde(default)]
    pub plays: bool,
    /// Whether it records its input now.
    #[serde(default)]
    pub captures: bool,
    /// Whether capture is switched off, so that it records nothing when the host plays.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_off: bool,
    /// What it does to its output, apart from gain.
    #[serde(default)]
    pub switches: Switches,
}

/// What an instance does to its output, apart from gain. It is not in recordings, nor in measurements of
/// them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Switches {
    /// Sound goes around all of it, and around the gain.
    #[serde(default)]
    pub bypass: bool,
    /// Low frequencies are taken away.
    #[serde(default)]
    pub low_cut: bool,
    /// Both sides become their mean.
    #[serde(default)]
    pub mono: bool,
}

/// What to do if capture is switched off, for people. It follows "capture is off: ".
pub const WAY_TO_CAPTURE: &str = "turn it on in the preferences of Deskhand's window under Capture (\"The last \
    minutes of what plays\"), or arm the track there (\"All of it, in this instance\"), which records it";

/// How far in the future of the transport a hub names the frame of a change for all instances: the change
/// must reach every one of them before.
pub const LEAD: Duration = Duration::from_millis(200);

/// Where a host's transport is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clock {
    /// Position, frames at the session rate.
    pub at: Frames,
    /// Whether it moves.
    pub moves: bool,
}

/// A piece of a host's timeline that was played at one tempo.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TempoStretch {
    /// Where it begins, frames at the session rate.
    pub from: Frames,
    /// Where it ends; the same frame while the host is stopped.
    pub to: Frames,
    /// Quarter notes a minute.
    pub bpm: f64,
    /// Its meter, where the host tells one.
    pub meter: Option<Meter>,
}

/// How a pass came to be recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CaptureKind {
    /// In passing: the last minutes of whatever played.
    Rolling,
    /// The person armed it.
    Armed,
}

impl CaptureKind {
    /// How the names of its files begin. Rolling takes that nothing plays go when there is no room; others never do.
    #[must_use]
    pub fn prefix(self) -> &'static str {
        match self {
            Self::Rolling => "",
            Self::Armed => "armed-",
        }
    }
}
