//! A question for a path, where the system has no dialog for it: a field, its buttons, and sessions of earlier.

use crate::dialog::{Dialog, Leaving, buttons};
use crate::kit::controls::{Kind, Urgency, announce};
use crate::kit::{Cx, rows};
use crate::path_field::PathField;
use crate::theme::{Theme, Type};
use crate::toasts::notices::sentence;
use crate::{icons, session_menu};
use egui::{Context, Key, Ui};
use std::path::{Path, PathBuf};

#[derive(Clone, Copy, Debug)]
pub struct PathWords<'a> {
    pub title: &'a str,
    /// The hint in the empty field.
    pub hint: &'a str,
    /// What the buttons say that take the path; Enter is the first.
    pub takes: &'a [&'a str],
}

#[derive(Clone, Debug, Default)]
pub struct PathQuestion {
    field: PathField,
    failed: String,
    recent: Vec<PathBuf>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathAnswer {
    NotYet,
    /// It was put away.
    Never,
    /// A session of earlier was chosen.
    Recent(PathBuf),
    Path {
        /// The path, without space around it; never empty.
        path: PathBuf,
        /// Which of the buttons took it.
        by: usize,
    },
}

impl PathQuestion {
    /// Asks with `path` in the field; a click on one of `recent` answers as well.
    #[must_use]
    pub fn new(path: String, recent: Vec<PathBuf>) -> Self {
        Self { field: PathField::new(path), failed: String::new(), recent }
    }

    /// The same again, and why the path would not do.
    #[must_use]
    pub fn again(self, path: &Path, failed: String) -> Self {
        Self { field: PathField::new(path.display().to_string()), failed, ..self }
    }

    /// Draws it over the views of the frame.
    pub fn show(&mut self, context: &Context, words: PathWords<'_>) -> PathAnswer {
        let PathWords { title, .. } = words;
        let (icon, leaving) = (icons::FOLDER_OPEN, Leaving::ByEsc);
        let dialog = Dialog { title, icon, read: title, leaving };
        let drawn = dialog.show(context, |ui| self.content(ui, words));
        let answer = match drawn.inner {
            None if drawn.is_left => PathAnswer::Never,
            None => PathAnswer::NotYet,
            Some(answer) => answer,
        };
        if answer != PathAnswer::NotYet {
            // The control that had the keyboard gets it back two frames later.
            context.request_repaint();
        }
        answer
    }

    fn content(&mut self, ui: &mut Ui, words: PathWords<'_>) -> Option<PathAnswer> {
        let theme = Theme::of(ui.visuals());
        let field = self.field.show(ui, words.hint);
        if !self.failed.is_empty() {
            ui.add_space(8.0);
            let said = rows::para(ui, &sentence(&self.failed), (Type::BODY, theme.danger));
            announce(&said, Urgency::Urgently);
        }
        ui.add_space(16.0);
        let kind = |place: usize| if place == 0 { Kind::Primary } else { Kind::Secondary };
        let takes = words.takes.iter().enumerate().map(|(place, words)| (kind(place), *words));
        let all: Vec<_> = takes.chain([(Kind::Quiet, "Cancel")]).collect();
        let clicked = buttons(ui, &all).iter().position(egui::Response::clicked);
        let enter = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        let by = clicked.or(enter.then_some(0));
        let recent = self.recent(ui);
        if by == Some(words.takes.len()) {
            return Some(PathAnswer::Never);
        }
        let path = PathBuf::from(self.field.path.trim());
        let typed = by.filter(|_| !path.as_os_str().is_empty());
        let typed = typed.map(|by| PathAnswer::Path { path, by });
        typed.or(recent.map(PathAnswer::Recent))
    }

    /// The one of the sessions of earlier that was clicked.
    fn recent(&self, ui: &mut Ui) -> Option<PathBuf> {
        if self.recent.is_empty() {
            return None;
        }
        ui.add_space(16.0);
        let size = egui::vec2(ui.available_width(), session_menu::height_of(self.recent.len()));
        let (rect, _) = ui.allocate_exact_size(size, egui::Sense::hover());
        session_menu::rows(&Cx::new(ui), &self.recent, rect, "Use").cloned()
    }
}

#[cfg(test)]
mod tests;
