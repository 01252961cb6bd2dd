//! Everything that can wake the bridge, in one closed enum.

use crate::commit::CommitId;
use crate::front::ConnectionId;
use crate::jobs::JobId;
use deskhand_protocol::Submission;
use deskhand_session::tool_error::ToolError;
use deskhand_session::{Measured, Plan, SourceId};
use deskhand_store::StoreError;
use deskhand_toolkit::Draft;

/// One input of the message loop.
#[derive(Debug)]
pub enum Input {
    /// A front end asks for something.
    Submitted {
        /// Who asks.
        connection: ConnectionId,
        /// What for.
        submission: Submission,
    },
    /// A worker tells how far it is.
    Progress {
        /// The job.
        job: JobId,
        /// 0 to 1.
        fraction: f64,
        /// What is being worked on.
        what: String,
    },
    /// A worker has planned, or failed to.
    Planned {
        /// The job.
        job: JobId,
        /// The draft.
        outcome: Result<Draft, ToolError>,
    },
    /// A worker has predicted a part of a plan anew.
    Derived {
        /// The job.
        job: JobId,
        /// The part as a plan, not yet sealed.
        outcome: Result<Box<Plan>, ToolError>,
    },
    /// A worker has measured what was promised.
    Measured {
        /// The job.
        job: JobId,
        /// Predictions against measurements.
        outcome: Result<Vec<Measured>, ToolError>,
    },
    /// The storage thread has stored a commit, or not.
    Stored {
        /// The commit.
        commit: CommitId,
        /// The number of its last event.
        outcome: Result<u64, StoreError>,
    },
    /// A source was conformed, or could not be.
    Conformed {
        /// The job.
        job: JobId,
        /// The source.
        source: SourceId,
        /// Why not.
        outcome: Result<(), String>,
    },
    /// Time passed; jobs that hang are given up.
    Tick,
}
