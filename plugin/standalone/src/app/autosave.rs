//! Saves the state of the window while it is open, so that a window that is killed loses little.

use super::App;
use crate::saved_state::Kept;
use egui::Context;
use std::time::{Duration, Instant};

/// The topic of the message that settings cannot be stored.
const KEPT: &str = "kept";
/// How often it is kept where window and playhead are, for a window that is killed.
const PLACES: Duration = Duration::from_secs(5);

impl App {
    /// Stores what the next start begins with: the settings made here since the last time, merged with
    /// those of another window. A window that cannot store them works all the same.
    pub(super) fn keep(&mut self) {
        self.note_seen();
        self.kept_at = (Instant::now(), self.kept.frame());
        let Some(file) = &self.file else { return };
        let there = Some(file).filter(|file| file.is_file());
        let there = there.map_or_else(|| self.kept.clone(), |file| Kept::load(file));
        let session = self.open.as_ref().map(|open| open.desk().dir());
        let merged = self.kept.merged(&self.known, there, session);
        match merged.save(file) {
            Ok(()) => {
                self.model.untell(KEPT);
                let Kept { recent, inputs, seen, .. } = merged;
                self.kept = Kept { recent, inputs, seen, ..self.kept.clone() };
                self.known = self.kept.clone();
            }
            Err(error) => {
                let why = format!("{} cannot be written ({error})", file.display());
                let words = "What is set here and was opened is known until this window closes";
                self.model.inform(KEPT, format!("{words}: {why}."));
            }
        }
    }

    /// Keeps where the window and the playhead are, once one is elsewhere than it is known to be.
    pub(super) fn keep_place(&mut self, context: &Context) {
        let open = self.open.as_ref().filter(|_| self.model.session().is_some());
        let live = &self.model.live;
        let is_known = open.is_none_or(|open| {
            let dir = open.desk().dir();
            self.kept.has_place(dir, live) && self.kept.has_draft(dir, self.model.draft())
        });
        let (written, frame) = self.kept_at;
        if is_known && frame == self.kept.frame() {
            return;
        }
        match PLACES.checked_sub(written.elapsed()) {
            Some(rest) if !rest.is_zero() => context.request_repaint_after(rest),
            Some(_) | None => self.keep(),
        }
    }

    /// Notes the view of the open session. If it has not arrived yet, the stored view stays.
    pub(super) fn note_seen(&mut self) {
        if let Some(open) = self.open.as_ref().filter(|_| self.model.session().is_some()) {
            self.kept.see(open.desk().dir(), self.model.seen());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::Start;
    use deskhand_editor::SettingsChange;
    use std::path::Path;

    fn window(file: &Path) -> App {
        let (kept, file) = (Kept::load(file), Some(file.to_owned()));
        App::new(&Context::default(), Start { kept, file, ..Start::default() })
    }

    #[test]
    fn a_window_that_only_moved_leaves_what_another_one_set() {
        let tmp = tempfile::tempdir().unwrap();
        let file = tmp.path().join("window.toml");
        let mut app = window(&file);
        let other = Kept { is_light: true, recent: vec!["song".into()], ..Kept::default() };
        other.save(&file).unwrap();
        app.kept.is_maximized = true;
        app.keep();
        assert_eq!(Kept::load(&file), Kept { is_maximized: true, ..other });
    }

    #[test]
    fn what_two_windows_set_in_turn_is_kept_as_it_was_set_last() {
        let tmp = tempfile::tempdir().unwrap();
        let file = tmp.path().join("window.toml");
        let (mut one, mut other) = (window(&file), window(&file));
        one.set(SettingsChange::Light(true));
        other.set(SettingsChange::Zoom(1.25));
        one.set(SettingsChange::ReduceMotion(true));
        let kept = Kept::load(&file);
        assert_eq!((kept.is_light, kept.zoom, kept.reduces_motion), (true, Some(1.25), true));
        one.set(SettingsChange::Light(false));
        other.set(SettingsChange::Zoom(1.5));
        let kept = Kept::load(&file);
        assert_eq!((kept.is_light, kept.zoom, kept.reduces_motion), (false, Some(1.5), true));
    }

    #[test]
    fn where_a_window_stands_is_written_while_it_is_open_and_not_with_every_frame() {
        let tmp = tempfile::tempdir().unwrap();
        let (file, context) = (tmp.path().join("window.toml"), Context::default());
        let mut app = window(&file);
        app.kept_at = (Instant::now(), app.kept.frame());
        app.kept.size = Some([1_000.0, 700.0]);
        app.keep_place(&context);
        assert!(!file.exists(), "it was written a moment ago");
        let long_ago = Instant::now().checked_sub(PLACES).unwrap();
        app.kept_at.0 = long_ago;
        app.keep_place(&context);
        assert_eq!(Kept::load(&file).size, Some([1_000.0, 700.0]), "nothing closed the window");
        std::fs::remove_file(&file).unwrap();
        app.kept_at.0 = long_ago;
        app.keep_place(&context);
        assert!(!file.exists(), "it stands where it stood");
        app.kept.is_maximized = true;
        app.keep_place(&context);
        let kept = Kept::load(&file);
        assert_eq!(kept.frame(), (true, Some([1_000.0, 700.0]), None));
    }
}
