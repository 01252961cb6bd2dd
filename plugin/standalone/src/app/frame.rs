//! The frame of the window: its title, its place, and whether another window shows the same session.

use super::App;
use egui::{Context, ViewportCommand};
use std::fs::{File, TryLockError};
use std::path::Path;

/// Under this name a window says that another one has the same session open.
const TWICE: &str = "twice";

impl App {
    /// Notes the current size and place of the window. A window that fills the screen has none of its own.
    pub(super) fn note_frame(&mut self, context: &Context) {
        let zoom = context.zoom_factor();
        let viewport = context.input(|input| input.viewport().clone());
        if viewport.minimized == Some(true) || viewport.fullscreen == Some(true) {
            return;
        }
        self.kept.is_maximized = viewport.maximized == Some(true);
        if self.kept.is_maximized {
            return;
        }
        // Not every system says where a window is.
        let size = viewport.inner_rect.unwrap_or(context.content_rect()).size();
        self.kept.size = Some([size.x * zoom, size.y * zoom]);
        if let Some(rect) = viewport.outer_rect {
            self.kept.place = Some([rect.left() * zoom, rect.top() * zoom]);
        }
    }

    /// Has the title say which session is open.
    pub(super) fn name_window(&mut self, context: &Context) {
        let title = title(self.open.as_ref().map(|open| open.desk().dir()));
        if self.title != title {
            context.send_viewport_cmd(ViewportCommand::Title(title.clone()));
            self.title = title;
        }
    }

    /// Says so where another window has the session in `dir` open. It can be worked in all the same.
    pub(super) fn look_for_others(&mut self, dir: &Path) {
        // The lock of the previous session, which may be the same.
        self.only = None;
        match only_window(dir) {
            Ok(file) => self.only = file,
            Err(Taken) => self.model.inform(
                TWICE,
                "This session is open in another window too. Both show and change the same session, and \
                 each plays by itself: stop one before you play in the other.",
            ),
        }
    }
}

/// "song - Deskhand".
fn title(dir: Option<&Path>) -> String {
    let Some(name) = dir.and_then(Path::file_name) else { return "Deskhand".into() };
    let name = name.to_string_lossy();
    format!("{} - Deskhand", name.strip_suffix(".deskhand").unwrap_or(&name))
}

/// Another window has it.
struct Taken;

/// The lock that the first window of a session holds as long as it is open; `None` if it cannot be known.
fn only_window(dir: &Path) -> Result<Option<File>, Taken> {
    let Ok(file) = File::create(dir.join("cache/window.lock")) else { return Ok(None) };
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Err(Taken),
        Err(TryLockError::Error(_)) => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_title_names_the_session_without_the_ending_of_its_folder() {
        assert_eq!(title(Some(Path::new("/music/Waltz No. 2.deskhand"))), "Waltz No. 2 - Deskhand");
        assert_eq!(title(Some(Path::new("/music/No. 2"))), "No. 2 - Deskhand");
        assert_eq!(title(None), "Deskhand");
    }
}
