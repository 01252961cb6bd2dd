//! What front ends hear.

use crate::result::ToolResult;
use deskhand_session::{Author, PlanId, RevisionId, SourceId};
use serde::{Deserialize, Serialize};

/// The id of a submission, chosen by the front end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CallId(pub u64);

/// News from the bridge, the same for every front end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// Counts up by one; a gap means that events were missed.
    pub number: u64,
    /// Who caused it.
    pub author: Author,
    /// The submission it belongs to, on the connection that made it.
    pub call: Option<CallId>,
    /// What happened.
    pub news: News,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "news", rename_all = "snake_case")]
pub enum News {
    /// A call is being worked on.
    Planning {
        /// The tool.
        tool: String,
    },
    /// How far it is.
    Progress {
        /// 0 to 1.
        fraction: f64,
        /// What is being worked on.
        what: String,
    },
    /// A submission is answered: exactly one for each.
    Done {
        /// The result.
        result: Box<ToolResult>,
    },
    /// A plan waits for a decision.
    Review {
        /// The plan.
        plan: PlanId,
    },
    /// The session is at another revision, durably.
    Moved {
        /// Where it was.
        from: RevisionId,
        /// Where it is.
        to: RevisionId,
        /// What the step is called.
        label: String,
    },
    /// The audio of a source is conformed, or could not be.
    Media {
        /// The source.
        source: SourceId,
        /// Why not.
        failed: Option<String>,
    },
    /// The session cannot be stored any more and takes no more changes.
    ReadOnly {
        /// Why, and the way out.
        reason: String,
    },
}
