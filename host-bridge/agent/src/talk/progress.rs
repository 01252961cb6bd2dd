//! What a turn has come to, and how it ended.

use crate::provider::Usage;
use deskhand_protocol::desk::{TurnEnd, TurnReason};
use deskhand_session::PlanId;

/// How a turn ended.
pub(super) type Ended = (TurnReason, String);

/// What a turn has come to so far.
#[derive(Debug, Default)]
pub(super) struct Progress {
    pub(super) reply: String,
    pub(super) turns: u32,
    pub(super) usage: Usage,
    pub(super) pending: Vec<PlanId>,
}

impl Progress {
    /// The end of the turn, as front ends hear it.
    pub(super) fn end(self, reason: TurnReason, message: impl Into<String>) -> TurnEnd {
        TurnEnd {
            reason,
            message: message.into(),
            reply: self.reply,
            turns: self.turns,
            input_tokens: self.usage.input_tokens,
            output_tokens: self.usage.output_tokens,
            pending: self.pending,
        }
    }

    /// Adds what the model said.
    pub(super) fn said(&mut self, text: &str) {
        if !self.reply.is_empty() && !text.is_empty() {
            self.reply.push('\n');
        }
        self.reply.push_str(text);
    }
}
