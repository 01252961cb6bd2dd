//! What a person's desk has apart from the session: windows, notices, the player, the model's turn.

use deskhand_dsp::Frames;
use deskhand_session::PlanId;
use serde::{Deserialize, Serialize};

/// How a window shows its resource.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Viewer {
    /// Chosen by the type of the resource.
    #[default]
    Auto,
    /// Level over time.
    Waveform,
    /// Frequency over time.
    Spectrogram,
    /// A picture.
    Image,
    /// Plain text; everything that is not known otherwise.
    Text,
    /// Timed words.
    Transcript,
    /// Rows and columns.
    Table,
    /// A list of files or objects.
    Directory,
}

/// A window on a resource.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Window {
    /// Stays the same when the content is replaced.
    pub window_id: String,
    /// How it shows it.
    pub viewer: Viewer,
    /// The `deskhand://` handle of what it shows.
    pub resource: String,
    /// For its title bar.
    pub title: String,
}

/// What kind of notice it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoticeKind {
    /// To know.
    #[default]
    Info,
    /// Something went well.
    Success,
    /// Something went wrong.
    Error,
    /// Something goes on.
    Progress,
    /// A question that waits for words.
    Query,
}

/// Words for the person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notice {
    /// Names it.
    pub notice_id: String,
    /// The words.
    pub message: String,
    /// What kind.
    #[serde(rename = "type")]
    pub kind: NoticeKind,
    /// How long it is shown; 0 stays until it is put away.
    pub duration_ms: u64,
    /// Answers to a query that the person can choose unchanged; other words answer it as well.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
}

impl Notice {
    /// Words without choices, shown for `duration_ms`; 0 stays.
    #[must_use]
    pub fn new(notice_id: String, kind: NoticeKind, message: String, duration_ms: u64) -> Self {
        Self { notice_id, message, kind, duration_ms, choices: Vec::new() }
    }
}

/// A command for a player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "play", rename_all = "snake_case")]
pub enum Play {
    /// Start.
    Start,
    /// Stop.
    Stop,
    /// Go to a position.
    Seek {
        /// Where, frames at the session rate.
        at: Frames,
    },
    /// Repeat a range; `None` plays on.
    Loop {
        /// First frame and the frame after the last.
        range: Option<(Frames, Frames)>,
    },
    /// Play what a plan would make.
    Hear {
        /// The plan.
        plan: PlanId,
        /// Which side of it.
        which: Which,
    },
}

/// Which side of a plan is heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Which {
    /// The current session.
    Current,
    /// The session as the plan would make it.
    Plan,
    /// As the plan would make it, at the loudness of now.
    LevelMatched,
}

/// Why a turn of the model ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TurnReason {
    /// The model finished its message.
    Finished,
    /// The person stopped it.
    Stopped,
    /// Its budget of tokens or rounds was used up.
    Budget,
    /// The provider refused to answer.
    Refused,
    /// It failed.
    Failed,
}

/// How a turn of the model ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnEnd {
    /// Why.
    pub reason: TurnReason,
    /// The error or the reason of the stop, with the fix; empty when it finished.
    pub message: String,
    /// The model's text, without its calls.
    pub reply: String,
    /// Answers of the model in this turn.
    pub turns: u32,
    /// Tokens it read.
    pub input_tokens: u64,
    /// Tokens it wrote.
    pub output_tokens: u64,
    /// Plans of this turn that wait for a person.
    pub pending: Vec<PlanId>,
}
