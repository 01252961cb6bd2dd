//! What the next start begins with is kept while the window is open, so that one that is killed loses little.

use super::App;
use crate::kept::Kept;
use egui::Context;
use std::time::{Duration, Instant};

/// Under this name the window says that it cannot keep what is set.
const KEPT: &str = "kept";
/// How often it is kept where window and playhead are, for a window that is killed.
const PLACES: Duration = Duration::from_secs(5);

impl App {
    /// Keeps what the next start begins with. A window that cannot keep it works all the same.
    pub(super) fn keep(&mut self) {
        self.note_seen();
        self.write(&self.kept.clone());
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
            Some(_) | None => self.save_place(),
        }
    }

    /// Nobody set anything: what another window kept since stays.
    fn save_place(&mut self) {
        self.note_seen();
        let there = self.file.as_ref().filter(|file| file.is_file());
        let there = there.map_or_else(|| self.kept.clone(), |file| Kept::load(file));
        let session = self.open.as_ref().map(|open| open.desk().dir());
        self.write(&there.with_place_of(&self.kept, session));
    }

    fn write(&mut self, kept: &Kept) {
        self.kept_at = (Instant::now(), self.kept.frame());
        let Some(file) = &self.file else { return };
        match kept.save(file) {
            Ok(()) => self.model.untell(KEPT),
            Err(error) => {
                let why = format!("{} cannot be written ({error})", file.display());
                let words = "What is set here and was opened is known until this window closes";
                self.model.inform(KEPT, format!("{words}: {why}."));
            }
        }
    }

    /// Notes how the session that is open is looked at. One that has not come yet leaves what is known of it.
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

    #[test]
    fn a_window_that_only_moved_leaves_what_another_one_set() {
        let tmp = tempfile::tempdir().unwrap();
        let file = tmp.path().join("window.toml");
        let start = Start { file: Some(file.clone()), ..Start::default() };
        let mut app = App::new(&Context::default(), start);
        let other = Kept { is_light: true, recent: vec!["song".into()], ..Kept::default() };
        other.save(&file).unwrap();
        app.kept.is_maximized = true;
        app.save_place();
        assert_eq!(Kept::load(&file), Kept { is_maximized: true, ..other });
        app.keep();
        assert!(!Kept::load(&file).is_light, "what is set here is kept as a whole");
    }
}
