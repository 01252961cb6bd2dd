//! What was asked for in one message and is still to come: the person said something else, or stop, ahead of it.

use super::refusals::tries;
use crate::reading::Request;
use deskhand_session::{PlanId, Selection};

/// What has it done now.
const GO_ON: &str = "go on";
/// What gives it up.
const FORGET: &str = "forget it";

/// Requests of one message.
#[derive(Debug, Default)]
pub(super) struct Wish {
    /// The message.
    pub(super) words: String,
    /// In the order in which they were said, each with its number among the requests of the message.
    pub(super) requests: Vec<(usize, Request)>,
    /// Plans of what was said ahead of them that waited when they were put off, with the words of each.
    pub(super) waiting: Vec<(PlanId, String)>,
    /// What was selected when it was said.
    pub(super) selection: Selection,
}

impl Wish {
    pub(super) fn new(words: String, requests: Vec<Request>, selection: Selection) -> Self {
        let requests = requests.into_iter().enumerate().collect();
        Self { words, requests, waiting: Vec::new(), selection }
    }
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
            GO_ON | "continue" | "carry on" => Some(About::GoingOn),
            FORGET | "forget that" | "never mind" => Some(About::Forgetting),
            _ => None,
        }
    }

    /// The words of each, in quotes.
    pub(super) fn names(&self) -> String {
        let quoted = self.0.requests.iter().map(|(_, request)| format!("\"{}\"", request.text));
        quoted.collect::<Vec<_>>().join(", ")
    }

    /// What the person is told of it, and what can be said about it; none where nothing is left.
    pub(super) fn told(&self) -> Option<(String, Vec<String>)> {
        let offers = [GO_ON, FORGET].map(str::to_owned).to_vec();
        let words = format!("Still to come: {}.{}", self.names(), tries(&offers));
        (!self.0.requests.is_empty()).then_some((words, offers))
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
        still.keep(Wish::new(String::new(), requests, Selection::default()));
        let (told, offers) = still.told().unwrap();
        let now = "Still to come: \"undo\", \"undo that\".\n  try: go on\n  try: forget it";
        assert_eq!(
            (told.as_str(), &offers[..]),
            (now, &["go on".to_owned(), "forget it".into()][..])
        );
        assert!(offers.iter().all(|offer| still.asked_about(offer).is_some()));
        assert_eq!(still.asked_about("Go on."), Some(About::GoingOn));
        assert_eq!(still.asked_about("never mind"), Some(About::Forgetting));
        assert_eq!(still.asked_about("mute the drums"), None);
        assert_eq!((still.take().requests.len(), still.told()), (2, None));
    }
}
