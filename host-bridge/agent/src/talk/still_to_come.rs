//! What was asked for in one message and is still to come: the person said something else, or stop, ahead of it.

use crate::reading::Request;

/// The requests, in the order in which they were said.
#[derive(Debug, Default)]
pub(super) struct StillToCome(Vec<Request>);

/// What words say about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum About {
    /// It is to be done now.
    GoingOn,
    /// It is not wanted any more.
    Forgetting,
}

impl StillToCome {
    /// Keeps a request and those behind it.
    pub(super) fn add(&mut self, first: Request, others: impl Iterator<Item = Request>) {
        self.0.push(first);
        self.0.extend(others);
    }

    /// All of it; nothing is left.
    pub(super) fn take(&mut self) -> Vec<Request> {
        std::mem::take(&mut self.0)
    }

    /// Whether words are about it, while there is any.
    pub(super) fn asked_about(&self, words: &str) -> Option<About> {
        if self.0.is_empty() {
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
        let quoted = self.0.iter().map(|request| format!("\"{}\"", request.text));
        quoted.collect::<Vec<_>>().join(", ")
    }

    /// What the person is told of it; none where nothing is left.
    pub(super) fn told(&self) -> Option<String> {
        let words = format!(
            "Still to come: {}. Say \"go on\" to have it done, or \"forget it\".",
            self.names()
        );
        (!self.0.is_empty()).then_some(words)
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
        still.add(request("undo"), [request("undo that")].into_iter());
        let told = still.told().unwrap();
        assert!(told.starts_with("Still to come: \"undo\", \"undo that\"."), "{told}");
        assert_eq!(still.asked_about("Go on."), Some(About::GoingOn));
        assert_eq!(still.asked_about("never mind"), Some(About::Forgetting));
        assert_eq!(still.asked_about("mute the drums"), None);
        assert_eq!((still.take().len(), still.told()), (2, None));
    }
}
