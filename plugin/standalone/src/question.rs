//! Asking for a folder or for files, by their path.

use deskhand_editor::{FileCall, PathField, at_window, proposed_session};
use deskhand_protocol::helper::music_folder;
use egui::{Align2, Context, Key, Order, Window};
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
    path: PathField,
    failed: String,
    /// Sessions to choose from.
    recent: Vec<PathBuf>,
}

/// What came of it in a frame.
pub(crate) enum Answer {
    /// It stays.
    NotYet,
    /// It was put away.
    Never,
    /// This is the path.
    Path(PathBuf),
}

impl Question {
    /// Asks; `recent` is offered for opening.
    pub(crate) fn new(wanted: Wanted, recent: &[PathBuf]) -> Self {
        let recent = if wanted == Wanted::Open { recent } else { &[] };
        let music = music_folder().filter(|_| wanted == Wanted::New);
        let path = match wanted {
            Wanted::File(call) => call.offered().to_owned(),
            Wanted::Open | Wanted::New | Wanted::Import => {
                music.map(|music| proposed_session(&music)).unwrap_or_default()
            }
        };
        let path = PathField::new(path);
        Self { wanted, path, failed: String::new(), recent: recent.to_vec() }
    }

    /// The same again, and why the path would not do.
    pub(crate) fn again(self, path: &Path, failed: &str) -> Self {
        let path = PathField::new(path.display().to_string());
        Self { path, failed: at_window(failed), ..self }
    }

    pub(crate) fn show(&mut self, context: &Context) -> Answer {
        let (title, label, hint) = match self.wanted {
            Wanted::Open => ("Open a session", "Open", "the folder of a session"),
            Wanted::New => ("New session", "Make it", "a folder that is not there yet"),
            Wanted::Import => ("Import audio", "Import", "an audio file"),
            Wanted::File(call) => (call.title(), call.label(), call.hint()),
        };
        let mut answer = Answer::NotYet;
        // The windows of the views may lie where it comes.
        let window = Window::new(title).order(Order::Foreground);
        let window = window.collapsible(false).resizable(false);
        window.anchor(Align2::CENTER_CENTER, [0.0, 0.0]).show(context, |ui| {
            let field = self.path.show(ui, hint);
            if !self.failed.is_empty() {
                ui.colored_label(ui.visuals().error_fg_color, &self.failed);
            }
            let enter = field.lost_focus() && ui.input(|it| it.key_pressed(Key::Enter));
            let path = PathBuf::from(self.path.path.trim());
            ui.horizontal(|ui| {
                if (ui.button(label).clicked() || enter) && !path.as_os_str().is_empty() {
                    answer = Answer::Path(path);
                } else if ui.button("Cancel").clicked()
                    || ui.input(|it| it.key_pressed(Key::Escape))
                {
                    answer = Answer::Never;
                }
            });
            for session in &self.recent {
                if ui.link(session.display().to_string()).clicked() {
                    answer = Answer::Path(session.clone());
                }
            }
        });
        answer
    }
}
