//! Ids of tool calls that every provider accepts, each once in a conversation.
//!
//! Thread: any.

use super::message::Message;
use std::collections::HashSet;
use std::hash::{BuildHasher, Hasher, RandomState};

/// The longest id that chat completions take.
const LONGEST: usize = 40;

/// The ids that are in use in a conversation.
#[derive(Debug, Default)]
pub(super) struct Taken {
    ids: HashSet<String>,
    /// The number of the last id of our own. It begins at 0 to repair a whole history, always with the same
    /// ids, and anywhere for a reply, whose history may be trimmed.
    last: u64,
}

impl Taken {
    /// The ids in these messages.
    pub(super) fn of(messages: &[Message]) -> Self {
        let calls = messages.iter().flat_map(Message::calls);
        Self { ids: calls.map(|(id, _, _)| id.to_owned()).collect(), last: random() }
    }

    /// The id itself, when it is well formed and free, else one of our own; taken from now on.
    pub(super) fn claim(&mut self, id: &str) -> String {
        let mut id = id.to_owned();
        while !well_formed(&id) || self.ids.contains(&id) {
            self.last = self.last.wrapping_add(1);
            id = format!("call_{:016x}", self.last);
        }
        self.ids.insert(id.clone());
        id
    }
}

/// Both wire formats take it.
fn well_formed(id: &str) -> bool {
    (1..=LONGEST).contains(&id.len())
        && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}

/// A number that differs each time, also between processes: for jitter and ids, not for secrets.
pub(super) fn random() -> u64 {
    RandomState::new().build_hasher().finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_kept_while_it_is_free_and_well_formed() {
        let mut taken = Taken::default();
        assert_eq!(taken.claim("toolu_01-A"), "toolu_01-A");
        for id in ["toolu_01-A", "", "functions.get:0", &"x".repeat(41)] {
            let own = taken.claim(id);
            assert!(own.starts_with("call_") && well_formed(&own));
        }
    }
}
