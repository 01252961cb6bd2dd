//! The requests that actions make.

use crate::action::Action;
use crate::tools::Tools;
use deskhand_protocol::{Apply, Op};

/// The name of the provider that answers without a model.
const OFFLINE: &str = "offline";

impl Action {
    /// The request to submit; `None` if the application handles it itself, or no tool does it.
    // tidy: table
    pub(super) fn op(self, tools: &Tools) -> Option<Op> {
        let name = |gesture| tools.of(gesture).map(str::to_owned);
        Some(match self {
            Self::Say(text) => Op::Say { text, provider: None, attended: true },
            Self::SayOffline(text) => {
                Op::Say { text, provider: Some(OFFLINE.into()), attended: true }
            }
            Self::StopTurn => Op::StopTurn,
            Self::Decide { plan, decision } => Op::Decide { plan, decision },
            Self::Call { gesture, params } => {
                Op::Call { tool: name(gesture)?, params, apply: Apply::Now }
            }
            Self::Plan { gesture, params } => {
                Op::Call { tool: name(gesture)?, params, apply: Apply::Never }
            }
            Self::Offered { tool, params } => Op::Call { tool, params, apply: Apply::Now },
            Self::Measure { tool, params } => Op::Call { tool, params, apply: Apply::Never },
            Self::Cancel(call) => Op::Cancel { call },
            Self::Settings(change) => return change.op(),
            Self::AnswerNotice { notice_id, answer } => Op::AnswerNotice { notice_id, answer },
            Self::Undo => Op::Undo,
            Self::Redo => Op::Redo,
            Self::GoTo(revision) => Op::GoTo { revision },
            Self::Read(what) => Op::Read { what },
            Self::Play(_)
            | Self::Audition(_)
            | Self::Preview { .. }
            | Self::PreviewInsert { .. }
            | Self::Arm(_)
            | Self::Disarm(_)
            | Self::TakeInput { .. }
            | Self::Record(_)
            | Self::Learn(_)
            | Self::ResetMeters
            | Self::Inform { .. }
            | Self::Import
            | Self::File(_)
            | Self::ShowInFolder(_)
            | Self::OpenFile(_)
            | Self::OpenSession
            | Self::OpenRecent(_)
            | Self::NewSession
            | Self::OpenProject
            | Self::OpenExample { .. } => return None,
        })
    }
}
