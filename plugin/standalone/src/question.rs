//! Asking for a folder or for files, by their path.

use deskhand_editor::{FileCall, PathAnswer, PathQuestion, PathWords, at_window, proposed_session};
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
    /// A file for a call.
    File(FileCall),
}

/// A question that is on the screen.
pub(crate) struct Question {
    pub(crate) wanted: Wanted,
    asks: PathQuestion,
}

impl Question {
    /// Asks; sessions of `recent` can be chosen as well.
    pub(crate) fn new(wanted: Wanted, recent: &[PathBuf]) -> Self {
        let recent = match wanted {
            Wanted::Open | Wanted::New => recent,
            Wanted::Import | Wanted::File(_) => &[],
        };
        let music = music_folder().filter(|_| wanted == Wanted::New);
        let path = match wanted {
            Wanted::File(call) => call.offered().to_owned(),
            Wanted::Open | Wanted::New | Wanted::Import => {
                music.map(|music| proposed_session(&music)).unwrap_or_default()
            }
        };
        Self { wanted, asks: PathQuestion::new(path, recent.to_vec()) }
    }

    /// The same again, and why the path would not do.
    pub(crate) fn again(self, path: &Path, failed: &str) -> Self {
        Self { asks: self.asks.again(path, at_window(failed)), ..self }
    }

    pub(crate) fn show(&mut self, context: &Context) -> PathAnswer {
        let (title, takes, hint) = match self.wanted {
            Wanted::Open => ("Open a session", "Open", "the folder of a session"),
            Wanted::New => ("New session", "Make it", "a folder that is not there yet"),
            Wanted::Import => ("Import audio", "Import", "an audio file"),
            Wanted::File(call) => (call.title(), call.label(), call.hint()),
        };
        self.asks.show(context, PathWords { title, hint, takes: &[takes] })
    }
}
