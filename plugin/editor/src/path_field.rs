//! A field for the path of a session, and the place that is offered for a new one.

use crate::kit::field;
use chrono::{Local, NaiveDate};
use egui::text::{CCursor, CCursorRange};
use egui::text_edit::TextEditState;
use egui::{Response, Sense, Ui, vec2};
use std::ops::Range;
use std::path::Path;

/// How folders of sessions end.
const ENDING: &str = ".deskhand";
/// Sessions of one day among which a name is looked for.
const MOST: usize = 1_000;

/// The field. It takes the keyboard once. The first typed text replaces the name and keeps the folder.
#[derive(Clone, Debug, Default)]
pub(crate) struct PathField {
    pub(crate) path: String,
    had_keyboard: bool,
}

impl PathField {
    #[must_use]
    pub(crate) fn new(path: String) -> Self {
        Self { path, had_keyboard: false }
    }

    /// Draws the field; `hint` is shown while it is empty.
    pub(crate) fn show(&mut self, ui: &mut Ui, hint: &str) -> Response {
        let size = vec2(ui.available_width(), 32.0);
        let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
        let field = field::line(ui, rect, &mut self.path, ("Path", hint));
        if !std::mem::replace(&mut self.had_keyboard, true) {
            select(ui, field.id, name_in(&self.path));
            field.request_focus();
        }
        field
    }
}

/// A new folder below `music`, named by the day; empty if no free name is found.
#[must_use]
pub fn proposed_session(music: &Path) -> String {
    proposed_on(Local::now().date_naive(), music)
}

fn proposed_on(day: NaiveDate, music: &Path) -> String {
    let folder = music.join("Deskhand");
    let name = |number: usize| match number {
        1 => format!("{day}{ENDING}"),
        _ => format!("{day} {number}{ENDING}"),
    };
    let free = (1..MOST).map(|number| folder.join(name(number))).find(|path| !path.exists());
    free.map(|path| path.display().to_string()).unwrap_or_default()
}

/// Where the name of the session is in its path, in characters: without the folder, without the ending.
fn name_in(path: &str) -> Range<usize> {
    let separators: &[char] = if cfg!(windows) { &['/', '\\'] } else { &['/'] };
    let from = path.rfind(separators).map_or(0, |at| at + 1);
    let to = path.strip_suffix(ENDING).map_or(path.len(), str::len).max(from);
    let chars = |end: usize| path[..end].chars().count();
    chars(from)..chars(to)
}

fn select(ui: &Ui, field: egui::Id, range: Range<usize>) {
    let chosen = CCursorRange::two(CCursor::new(range.start), CCursor::new(range.end));
    let mut state = TextEditState::load(ui.ctx(), field).unwrap_or_default();
    state.cursor.set_char_range(Some(chosen));
    state.store(ui.ctx(), field);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::prelude::*;

    #[test]
    fn what_is_typed_first_replaces_the_name() {
        let field = PathField::new("/ä/Music/Deskhand/2026-11-23.deskhand".into());
        let show = |ui: &mut Ui, (field, is_installed): &mut (PathField, bool)| {
            if std::mem::replace(is_installed, true) {
                field.show(ui, "a folder");
            } else {
                crate::install(ui.ctx());
            }
        };
        let mut harness = Harness::new_ui_state(show, (field, false));
        harness.run_steps(3);
        harness.type_into("Path", "Waltz");
        assert_eq!(harness.state().0.path, "/ä/Music/Deskhand/Waltz.deskhand");
    }

    #[test]
    fn a_place_that_is_taken_is_not_offered() {
        let music = tempfile::tempdir().unwrap();
        let day = NaiveDate::from_ymd_opt(2026, 11, 23).unwrap();
        let first = proposed_on(day, music.path());
        assert!(first.ends_with("2026-11-23.deskhand"), "{first}");
        std::fs::create_dir_all(&first).unwrap();
        let second = proposed_on(day, music.path());
        assert!(second.ends_with("2026-11-23 2.deskhand"), "{second}");
    }
}
