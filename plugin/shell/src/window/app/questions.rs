//! What the window asks the person: where a session is, and where to go on.
//!
//! Thread: window

use super::App;
use crate::shared::Shared;
use deskhand_editor::{FileCall, PathField, proposed_session};
use deskhand_protocol::Op;
use deskhand_protocol::helper::music_folder;
use std::path::PathBuf;

/// The path of a session, or of a file for a call, as the person types it.
pub(super) struct Question {
    pub(super) makes: bool,
    call: Option<FileCall>,
    pub(super) path: PathField,
}

impl Question {
    /// Asks for a session to open, or for the place of a new one.
    pub(super) fn new(makes: bool) -> Self {
        let music = music_folder().filter(|_| makes);
        let path = music.map(|music| proposed_session(&music));
        Self { makes, call: None, path: PathField::new(path.unwrap_or_default()) }
    }

    /// Asks for a file.
    pub(super) fn file(call: FileCall) -> Self {
        Self { makes: false, call: Some(call), path: PathField::new(call.offered().to_owned()) }
    }

    /// Its title, what its button says, and what stands in the empty field.
    fn words(&self) -> [&'static str; 3] {
        match (self.call, self.makes) {
            (Some(call), _) => [call.title(), call.label(), call.hint()],
            (None, true) => ["New session", "Make it", "a folder"],
            (None, false) => ["Open a session", "Open", "a folder"],
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
        let question = deskhand_editor::Question { title, words: &words, choices: &choices };
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
        match (deskhand_editor::Question { title, words: &words, choices }).show(context) {
            Some(0) => self.shared.peers().iter().for_each(|(_, one)| one.set_made_anew(None)),
            Some(_) => self.question = Some(Question::new(false)),
            None => {}
        }
    }

    pub(super) fn ask(&mut self, context: &egui::Context) {
        let Some(question) = &mut self.question else { return };
        let [title, label, hint] = question.words();
        let (mut goes, mut stays) = (false, true);
        let window = egui::Window::new(title).order(egui::Order::Foreground);
        window.collapsible(false).resizable(false).show(context, |ui| {
            let field = question.path.show(ui, hint);
            ui.horizontal(|ui| {
                let enter = field.lost_focus() && ui.input(|it| it.key_pressed(egui::Key::Enter));
                goes = ui.button(label).clicked() || enter;
                let opens = !question.makes && question.call.is_none();
                if opens && ui.button("Make a new one there").clicked() {
                    (goes, question.makes) = (true, true);
                }
                let escaped = ui.input(|it| it.key_pressed(egui::Key::Escape));
                stays = !ui.button("Cancel").clicked() && !escaped;
            });
        });
        let path = question.path.path.trim().to_owned();
        let (makes, call) = (question.makes, question.call);
        if goes && !path.is_empty() {
            let path = PathBuf::from(path);
            match call {
                Some(call) => self.submit(call.op(&path)),
                None => self.chair.use_session(path, makes),
            }
        }
        if !stays || goes {
            self.question = None;
        }
    }
}

/// The first letter large.
fn capitalized(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests;
