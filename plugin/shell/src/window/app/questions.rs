//! What the window asks the person: where a session is, and where to go on.
//!
//! Thread: window

use super::App;
use crate::shared::Shared;
use deskhand_editor::{PathAnswer, PathQuestion, PathWords, proposed_session};
use deskhand_protocol::Op;
use deskhand_protocol::helper::music_folder;

/// The path of a session, as the person types it.
pub(super) struct Question {
    pub(super) makes: bool,
    asks: PathQuestion,
}

impl Question {
    /// Asks for a session to open, or for the place of a new one.
    pub(super) fn new(makes: bool) -> Self {
        let music = music_folder().filter(|_| makes);
        let path = music.map(|music| proposed_session(&music));
        Self { makes, asks: PathQuestion::new(path.unwrap_or_default(), Vec::new()) }
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

    /// The session stands in for one that was not found: the person opens that one, or stays.
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
        let Some(Question { makes, asks }) = &mut self.question else { return };
        let makes = *makes;
        let (title, takes): (_, &[&str]) = if makes {
            ("New session", &["Make it"])
        } else {
            ("Open a session", &["Open", "Make a new one there"])
        };
        match asks.show(context, PathWords { title, hint: "a folder", takes }) {
            PathAnswer::NotYet => return,
            PathAnswer::Never => {}
            PathAnswer::Recent(path) => self.chair.use_session(path, false),
            PathAnswer::Path { path, by } => self.chair.use_session(path, makes || by > 0),
        }
        self.question = None;
    }
}

/// The first letter large.
fn capitalized(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests;
