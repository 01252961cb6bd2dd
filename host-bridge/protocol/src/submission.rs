//! The messages that front ends send.

use crate::approval_settings::{Asking, Rule};
use crate::desk::TurnEnd;
use crate::event::CallId;
use crate::instance::{CaptureKind, Instance, Switches, TempoStretch};
use deskhand_dsp::{Decibels, Frames};
use deskhand_session::plan::ValueEdit;
use deskhand_session::{Color, Plan, PlanId, RevisionId, SourceId, TrackId};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::PathBuf;

/// One thing that a front end asks for. Every submission is answered by events with its id.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Submission {
    /// Chosen by the front end, unique on its connection.
    pub id: CallId,
    /// What it asks for.
    pub op: Op,
}

/// What a front end can ask for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case", deny_unknown_fields)]
pub enum Op {
    /// Call a tool or a command.
    Call {
        /// Its name.
        tool: String,
        /// Its parameters.
        params: Value,
        /// Whether the policy may apply the plan at once.
        apply: Apply,
    },
    /// Read something; changes nothing. The answer is in the result's `answer`.
    Read {
        /// What.
        what: Read,
    },
    /// Decide on a waiting plan. Only a person can.
    Decide {
        /// The plan.
        plan: PlanId,
        /// The decision.
        decision: Decision,
    },
    /// Bring in a plan from a file, to be decided like any other. Only a person can.
    AddPlan {
        /// The plan.
        plan: Box<Plan>,
    },
    /// Take back the last step. A model's request becomes a plan that waits.
    Undo,
    /// Do the last undone step again. A model's request becomes a plan that waits.
    Redo,
    /// Go to a revision, wherever it is in the tree; the next edit there grows a branch. Only a person can.
    GoTo {
        /// Which; 0 is the empty session.
        revision: RevisionId,
    },
    /// Stop a running call of this connection.
    Cancel {
        /// The id of its submission.
        call: CallId,
    },
    /// Say something to the model. Only a person can.
    Say {
        /// The words.
        text: String,
        /// The provider that should answer; the default if absent.
        provider: Option<String>,
        /// Whether the person stays to decide: then the model waits for each decision.
        attended: bool,
    },
    /// Stop the model's turn. Only a person can.
    StopTurn,
    /// Answer a query, or put a notice away. Only a person can.
    AnswerNotice {
        /// The notice.
        notice_id: String,
        /// The answer; `None` closes it.
        answer: Option<String>,
    },
    /// This front end plays sound from now on, or does not any more. An instance of the plugin plays while its
    /// output is the session. Only a person's can.
    Player {
        /// Whether it follows [`crate::News::Play`], or an instance [`crate::News::Hearing`] with all it changes.
        ready: bool,
    },
    /// This connection is an instance of the plugin from now on. The answer is a [`crate::Joined`]. Only a
    /// person's connection can join. It does not count as somebody who can decide: a window that the
    /// instance opens has a connection of its own.
    Join {
        /// What it is.
        instance: Instance,
    },
    /// The instance leaves for the session that its project names, which arrived late. The track that was
    /// made for it here is removed too, if nobody used it.
    Leave {
        /// Whether this session was made for want of the project's: its folder goes once the hub ends, if nothing else
        /// ever was in it.
        is_made: bool,
    },
    /// The host moved trim: the gain of the instance's track follows, and waits for no decision.
    HostGain {
        /// Its trim.
        gain: Decibels,
        /// Whether it came with a state that the host loaded.
        #[serde(default)]
        is_loaded: bool,
    },
    /// The host names its track; absent fields stay as they are.
    HostName {
        /// The name.
        name: Option<String>,
        /// The color.
        color: Option<Color>,
    },
    /// Tempo and meter of the host, which are the session's while that has no map of its own.
    HostTempo {
        /// Where the host is stopped, or what it played, in that order.
        stretches: Vec<TempoStretch>,
    },
    /// Where the transport of the instance's host is, a few times a second.
    Clock {
        /// Position, frames at the session rate.
        at: Frames,
        /// Whether it moves.
        moves: bool,
    },
    /// The instance has recorded its input.
    Captured {
        /// The file: WAV, 32-bit float, in the folder of [`crate::Joined::captures`].
        file: PathBuf,
        /// Where it begins on the timeline, frames at the session rate.
        at: Frames,
        /// How it came to be.
        kind: CaptureKind,
        /// The most bytes that the captured files of a session may take. Beyond that, undone rolling takes
        /// are removed, then those that no clip plays, the oldest first. Without a value none is removed.
        #[serde(default)]
        most_bytes: Option<u64>,
    },
    /// The instance captures nothing, because captured files take more than the person wants: rolling takes that no
    /// clip plays go now, as far as it needs.
    MakeRoom {
        /// How many bytes the captured files of a session may take.
        most_bytes: u64,
        /// How many there are in the folder, as far as the instance looked: files that the session does not know count
        /// there too.
        #[serde(default)]
        held_bytes: u64,
    },
    /// The instance records its input, or stops. The recording is in the session once the host stops.
    Capturing {
        /// Whether.
        on: bool,
        /// Whether capture is switched off, so that it records nothing when the host plays.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        is_off: bool,
    },
    /// A change of what the instance does to its output, apart from gain.
    Switches {
        /// All of it.
        switches: Switches,
    },
    /// Something went wrong in the instance that everybody at the session should know.
    Trouble {
        /// The message and the fix, for a person.
        message: String,
    },
    /// Nothing may be sent off this machine from now on, or may again. Only a person can.
    LocalOnly {
        /// Whether.
        on: bool,
    },
    /// Which plans of a model wait from now on, in this session. Only a person can.
    Asking {
        /// Which.
        asking: Asking,
    },
    /// A rule for a tool in this session; without one, the rule made here is removed. Only a person can.
    SetRule {
        /// The tool.
        tool: String,
        /// The rule.
        rule: Option<Rule>,
    },
    /// A front end has recorded its input to a track. Only a person's can.
    Recorded {
        /// The track.
        track: TrackId,
        /// The file: WAV, 32-bit float, in the folder for captures of the session folder.
        file: PathBuf,
        /// Where it begins on the timeline, frames at the session rate.
        at: Frames,
        /// The number of tracks recorded at once. Passes that begin at the same frame on the others belong
        /// to the same step.
        #[serde(default)]
        tracks: u32,
    },
    /// The model's side of the conversation. Only a model's connection can.
    Speak {
        /// What.
        speech: Speech,
    },
}

/// What can be read. Shapes of the answers:
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "read", rename_all = "snake_case")]
pub enum Read {
    /// [`crate::Snapshot`]: what a mirror starts from.
    Snapshot,
    /// A list of [`crate::ToolInfo`], by name.
    Tools,
    /// A [`deskhand_session::StoredPlan`].
    Plan {
        /// Which.
        plan: PlanId,
    },
    /// A list of [`deskhand_session::StoredPlan`], oldest first.
    Plans,
    /// `{head, revisions, undo, redo}`: a list of [`deskhand_session::Revision`], oldest first, and the
    /// numbers of the revisions that undo and redo would take in turn, the next one first.
    History,
    /// A list of [`deskhand_session::Said`], oldest first.
    Conversation,
    /// A [`crate::peaks::PeakColumns`]; no answer while the source is still looked through.
    Peaks {
        /// The source.
        source: SourceId,
        /// How wide the columns are: [`crate::peaks::frames_per_column`].
        level: u32,
        /// The first column.
        first: u64,
        /// How many; at most [`crate::peaks::MOST_COLUMNS`] are given.
        count: u32,
    },
}

/// What a model's connection adds to the conversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "speech", rename_all = "snake_case")]
pub enum Speech {
    /// A piece of text as it streams; not stored.
    Piece {
        /// The text.
        text: String,
    },
    /// A whole message, `{"role", "parts"}`; stored with the session.
    Message {
        /// The message.
        message: Value,
    },
    /// The person's words are turned into calls without a model in this turn: its codings belong to the
    /// person.
    Unaided,
    /// The turn is over.
    End {
        /// How.
        end: TurnEnd,
    },
}

/// Whether a plan may be applied without asking.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Apply {
    /// As trust and policy say.
    #[default]
    ByPolicy,
    /// Never: the plan waits, whatever it is.
    Never,
    /// At once: the person decides with the call itself. On any other connection it is `by_policy`.
    Now,
}

/// A person's decision on a plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "decision", rename_all = "snake_case")]
pub enum Decision {
    /// Apply all of it.
    Apply,
    /// Apply a part, or with edited values; the taken part becomes a plan of its own.
    ApplyPart {
        /// The changes to take, with what they need; all when absent.
        only: Option<Vec<String>>,
        /// Values to apply instead of the planned ones.
        set: Vec<ValueEdit>,
    },
    /// Apply all of it, and from now on every plan of this tool in this session.
    ApplyAlways,
    /// Do not apply it.
    Reject {
        /// Why, for the model and for later; empty where the person gives no reason.
        reason: String,
    },
}
