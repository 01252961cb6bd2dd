//! What others did to the session since the model last looked.

use deskhand_protocol::{Event, News};
use deskhand_session::{Author, Change};
use serde_json::{Value, json};

/// Steps that are told by name; more are only counted.
const NAMED: usize = 20;

/// Steps of others, not told yet.
#[derive(Debug, Default)]
pub(super) struct Edits {
    steps: Vec<Value>,
    more: usize,
}

impl Edits {
    /// Notes a step that is not the model's own.
    pub(super) fn hear(&mut self, event: &Event) {
        let News::Moved { to, label, changes, .. } = &event.news else {
            return;
        };
        if event.author == Author::Agent {
            return;
        }
        if self.steps.len() == NAMED {
            self.more += 1;
            return;
        }
        let ops: Vec<_> = changes.iter().take(NAMED).map(Change::op).collect();
        self.steps.push(json!({"revision": to, "author": event.author, "what": label, "ops": ops}));
    }

    /// What there is to tell, and forgets it.
    pub(super) fn report(&mut self) -> Option<Value> {
        let Self { steps, more } = std::mem::take(self);
        if steps.is_empty() {
            return None;
        }
        let mut report = json!({"edits_since_you_last_looked": steps});
        if more > 0 {
            report["more"] = json!(more);
        }
        Some(report)
    }
}
