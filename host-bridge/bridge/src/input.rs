//! Everything that can wake the bridge, in one closed enum.

use crate::front::Line;
use crate::ids::{Asker, CommitId, ConnectionId, JobId};
use crate::passes::{Room, Sizes};
use crate::policy::Authority;
use crossbeam_channel::Sender;
use deskhand_dsp::Decibels;
use deskhand_hosts::landing::{Landing, Stamp};
use deskhand_protocol::peaks::PeakColumns;
use deskhand_protocol::{CallId, Submission};
use deskhand_session::tool_error::ToolError;
use deskhand_session::{Measured, Plan, Played, Provisional, Source, SourceId};
use deskhand_store::StoreError;
use deskhand_toolkit::Draft;
use std::path::PathBuf;

/// One input of the message loop.
#[derive(Debug)]
#[expect(private_interfaces, reason = "only the hub makes connections")]
pub enum Input {
    /// A front end asks for something.
    Submitted { connection: ConnectionId, submission: Submission },
    /// A front end comes.
    Connecting {
        authority: Authority,
        /// Where its end of the connection goes.
        reply: Sender<Line>,
    },
    /// A front end is gone.
    Disconnected { connection: ConnectionId },
    /// A front end sent a line that is no submission.
    Malformed {
        connection: ConnectionId,
        /// The number of the submission, as far as it could be read; 0 otherwise.
        call: CallId,
        why: String,
    },
    /// Ends the hub.
    Stop,
    /// A worker tells how far it is.
    Progress {
        job: JobId,
        /// 0 to 1.
        fraction: f64,
        what: String,
    },
    /// A worker found something before its plan is done.
    Provisional { job: JobId, found: Vec<Provisional> },
    /// A worker has planned, or failed to.
    Planned { job: JobId, outcome: Result<Draft, ToolError> },
    /// A worker predicted a part of a plan again.
    Derived {
        job: JobId,
        /// The part as a plan, not yet sealed.
        outcome: Result<Box<Plan>, ToolError>,
    },
    /// A worker measured the predicted values.
    Measured { job: JobId, outcome: Result<Vec<Measured>, ToolError> },
    /// The storage thread has stored a commit, or not.
    Stored {
        commit: CommitId,
        /// The number of its last event.
        outcome: Result<u64, StoreError>,
    },
    /// A source was conformed, or could not be.
    Conformed {
        job: JobId,
        source: SourceId,
        /// What had to be read as silence, or why it could not be conformed.
        outcome: Result<Vec<String>, String>,
    },
    /// The search for unreported recordings is done.
    Swept { files: Vec<PathBuf> },
    /// A worker has read the sizes of takes that were undone.
    TakesSized { room: Room, held: Sizes },
    /// A worker has looked at a pass that was recorded.
    Captured { job: JobId, outcome: Result<Box<Source>, ToolError> },
    /// A worker has compared a pass with what a plan promised.
    Compared {
        job: JobId,
        /// How it played; empty where it cannot be compared.
        outcome: Result<Vec<Played>, ToolError>,
    },
    /// A worker measured the gain for level match; `None` if there is nothing to measure.
    Matched { job: JobId, outcome: Result<Option<Decibels>, ToolError> },
    /// A worker read a piece of a waveform; `None` while it is not built.
    Waveform { asker: Asker, outcome: Result<Option<PeakColumns>, ToolError> },
    /// The project that the session is linked to has a step, or not.
    Landed { job: JobId, outcome: Result<Landing, ToolError> },
    /// A worker has looked at the project that the session is linked to.
    ProjectLookedAt {
        stamp: Option<Stamp>,
        /// Whether it is another file than when it was last read.
        is_other: bool,
    },
    /// A rule of the person's was kept, or not.
    RuleKept { outcome: Result<(), String> },
    /// Time passed; jobs that hang are given up.
    Tick,
}
