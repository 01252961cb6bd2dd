//! The questions of the window to the person: where a session is, and which revision to continue from.
//!
//! Thread: window

use super::App;
use crate::shared::Shared;
use deskhand_editor::{FileCall, PathAnswer, PathQuestion, PathWords, proposed_session};
use deskhand_protocol::Op;
use deskhand_protocol::helper::music_folder;
use std::path::Path;

/// The path of a session, or of a file for a call, as the person types it.
pub(super) struct Question {
    pub(super) makes: bool,
    call: Option<FileCall>,
    asks: PathQuestion,
}

impl Question {
    /// Asks for a session to open, or for the place of a new one.
    pub(super) fn new(makes: bool) -> Self {
        let music = music_folder().filter(|_| makes);
        let path = music.map(|music| proposed_session(&music));
        let asks = PathQuestion::new(path.unwrap_or_default(), Vec::new());
        Self { makes, call: None, asks }
    }

    /// Asks for a file, for which `path` is offered.
    pub(super) fn file(call: FileCall, path: &Path) -> Self {
        let asks = PathQuestion::new(path.display().to_string(), Vec::new());
        Self { makes: false, call: Some(call), asks }
    }

    /// The title, the hint in the empty field, and the labels of the buttons.
    fn words(&self) -> (&'static str, &'static str, Vec<&'static str>) {
        match (self.call, self.makes) {
            (Some(call), _) => (call.title(), call.hint(), vec![call.label()]),
            (None, true) => ("New session", "a folder", vec!["Make it"]),
            (None, false) => ("Open a session", "a folder", vec!["Open", "Make a new one there"]),
        }
    }
}

impl App {
    /// The project was saved at another revision than the session is at: what now is the person's choice. What it
    /// takes, once they chose.
    pub(super) fn ask_where_to_go(&self, context: &egui::Context) -> Option<Op> {
        let saved = self.shared.saved_elsewhere()?;
        let words = format!(
            "The host saved this project at revision {} of the session, which is at another now.",
            saved.revision
        );
        let choices = saved.choices.iter().map(|words| capitalized(words)).collect::<Vec<_>>();
        let choices: Vec<&str> = choices.iter().map(String::as_str).collect();
        let title = "The session went on without this project";
        let question =
            deskhand_editor::Question { title, words: &words, choices: &choices, escape: None };
        let goes = question.show(context)? > 0;
        // All instances of a project were saved at one moment.
        let same =
            |one: &Shared| one.saved_elsewhere().is_some_and(|it| it.revision == saved.revision);
        let peers = self.shared.peers().into_iter().filter(|(_, one)| same(one));
        peers.for_each(|(_, one)| one.set_saved_elsewhere(None));
        goes.then_some(Op::GoTo { revision: saved.revision })
    }

    /// Asks about a session that replaces a missing one: the person opens the missing one, or stays.
    pub(super) fn ask_for_missing(&mut self, context: &egui::Context) {
        // While the person says which session it is, that is the question.
        let Some(words) = self.shared.made_anew().filter(|_| self.question.is_none()) else {
            return;
        };
        let words = capitalized(&words);
        let title = "The session of this project was not found";
        let choices = &["Stay with the new one", "Open a session…"];
        let question = deskhand_editor::Question { title, words: &words, choices, escape: None };
        match question.show(context) {
            Some(0) => self.shared.peers().iter().for_each(|(_, one)| one.set_made_anew(None)),
            Some(_) => self.question = Some(Question::new(false)),
            None => {}
        }
    }

    pub(super) fn ask(&mut self, context: &egui::Context) {
        let Some(question) = &mut self.question else { return };
        let (makes, call) = (question.makes, question.call);
        let (title, hint, takes) = question.words();
        let words = PathWords { title, hint, takes: &takes };
        match (question.asks.show(context, words), call) {
            (PathAnswer::NotYet, _) => return,
            (PathAnswer::Never, _) => {}
            (PathAnswer::Recent(path), _) => self.chair.use_session(path, false),
            (PathAnswer::Path { path, .. }, Some(call)) => {
                if let Some((free, why)) = self.model.refused(call, &path) {
                    question.asks = std::mem::take(&mut question.asks).again(&free, why);
                    return;
                }
                if let Some(op) = self.model.chosen(call, &path) {
                    self.submit(op);
                }
            }
            (PathAnswer::Path { path, by }, None) => {
                self.chair.use_session(path, makes || by > 0);
            }
        }
        self.question = None;
    }
}

/// The first letter large.
fn capitalized(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(all(test, feature = "test-probes"))]
mod tests;
