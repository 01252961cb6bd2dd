//! Asking for a folder or for files, by their path.

use deskhand_editor::{PathAnswer, PathQuestion, PathWords, proposed_session};
use deskhand_protocol::helper::music_folder;
use egui::Context;
use std::path::{Path, PathBuf};

/// What the path is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// A session to open.
    Open,
    /// A place for a new session.
    New,
    /// Audio files to import.
    Import,
}

/// A question that is on the screen.
pub(crate) struct Question {
    pub(crate) wanted: Wanted,
    asks: PathQuestion,
}

impl Question {
    /// Asks; sessions of `recent` can be chosen as well.
    pub(crate) fn new(wanted: Wanted, recent: &[PathBuf]) -> Self {
        let recent = if wanted == Wanted::Import { &[] } else { recent };
        let music = music_folder().filter(|_| wanted == Wanted::New);
        let path = music.map(|music| proposed_session(&music)).unwrap_or_default();
        Self { wanted, asks: PathQuestion::new(path, recent.to_vec()) }
    }

    /// The same again, and why the path would not do.
    pub(crate) fn again(self, path: &Path, failed: String) -> Self {
        Self { asks: self.asks.again(path, failed), ..self }
    }

    pub(crate) fn show(&mut self, context: &Context) -> PathAnswer {
        let (title, takes, hint) = match self.wanted {
            Wanted::Open => ("Open a session", "Open", "the folder of a session"),
            Wanted::New => ("New session", "Make it", "a folder that is not there yet"),
            Wanted::Import => ("Import audio", "Import", "an audio file"),
        };
        self.asks.show(context, PathWords { title, hint, takes: &[takes] })
    }
}
