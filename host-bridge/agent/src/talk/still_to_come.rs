//! What was asked for in one message and is still to come: the person said something else, or stop, ahead of it.

use crate::reading::Request;
use deskhand_session::PlanId;

/// Requests of one message.
#[derive(Debug, Default)]
pub(super) struct Wish {
    /// The message.
    pub(super) words: String,
    /// What was said ahead of these in it, in requests.
    pub(super) from: usize,
    /// In the order in which they were said.
    pub(super) requests: Vec<Request>,
    /// Plans of what was said ahead of them that waited when they were put off.
    pub(super) waiting: Vec<PlanId>,
}

/// What is left of a wish.
#[derive(Debug, Default)]
pub(super) struct StillToCome(Wish);

/// What words say about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum About {
    /// It is to be done now.
    GoingOn,
    /// It is not wanted any more.
    Forgetting,
}

impl StillToCome {
    /// Keeps what is left.
    pub(super) fn keep(&mut self, wish: Wish) {
        self.0 = wish;
    }

    /// All of it; nothing is left.
    pub(super) fn take(&mut self) -> Wish {
        std::mem::take(&mut self.0)
    }

    /// Whether words are about it, while there is any.
    pub(super) fn asked_about(&self, words: &str) -> Option<About> {
        if self.0.requests.is_empty() {
            return None;
        }
        let words = words.trim().trim_end_matches(['.', '!']).to_lowercase();
        match words.as_str() {
            "go on" | "continue" | "carry on" => Some(About::GoingOn),
            "forget it" | "forget that" | "never mind" => Some(About::Forgetting),
            _ => None,
        }
    }

    /// The words of each, in quotes.
    pub(super) fn names(&self) -> String {
        let quoted = self.0.requests.iter().map(|request| format!("\"{}\"", request.text));
        quoted.collect::<Vec<_>>().join(", ")
    }

    /// What the person is told of it; none where nothing is left.
    pub(super) fn told(&self) -> Option<String> {
        let words = format!(
            "Still to come: {}. Say \"go on\" to have it done, or \"forget it\".",
            self.names()
        );
        (!self.0.requests.is_empty()).then_some(words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::RequestKind;

    fn request(text: &str) -> Request {
        Request { text: text.into(), kind: RequestKind::Undo, targets: Vec::new() }
    }

    #[test]
    fn what_is_left_is_told_until_it_is_done_or_forgotten() {
        let mut still = StillToCome::default();
        assert_eq!((still.told(), still.asked_about("go on")), (None, None), "nothing is left");
        let requests = vec![request("undo"), request("undo that")];
        still.keep(Wish { requests, ..Wish::default() });
        let told = still.told().unwrap();
        assert!(told.starts_with("Still to come: \"undo\", \"undo that\"."), "{told}");
        assert_eq!(still.asked_about("Go on."), Some(About::GoingOn));
        assert_eq!(still.asked_about("never mind"), Some(About::Forgetting));
        assert_eq!(still.asked_about("mute the drums"), None);
        assert_eq!((still.take().requests.len(), still.told()), (2, None));
    }
}
