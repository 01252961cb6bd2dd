//! Windows of different sessions store their state in one file. Each writes its own changes, and keeps the
//! changes that another window made since.

use super::Kept;
use std::path::{Path, PathBuf};

impl Kept {
    /// `there` with the changes of this window since it knew `before`. The window's place and its view of
    /// its `session` are its own, changed or not.
    #[must_use]
    pub(crate) fn merged(&self, before: &Self, there: Self, session: Option<&Path>) -> Self {
        let (is_maximized, size, place) = self.frame();
        let mut kept = Self { is_maximized, size, place, ..there };
        set(&mut kept.is_light, before.is_light, self.is_light);
        set(&mut kept.zoom, before.zoom, self.zoom);
        set(&mut kept.reduces_motion, before.reduces_motion, self.reduces_motion);
        kept.set_layout(before, self);
        kept.set_sound(before, self);
        kept.add_to_lists(before, self);
        let own = self.seen.iter().find(|known| Some(known.session.as_path()) == session);
        if let Some(known) = own {
            kept.see(&known.session, known.seen.clone());
        }
        kept
    }

    fn set_layout(&mut self, before: &Self, now: &Self) {
        let (layout, before, now) = (&mut self.layout, before.layout, now.layout);
        set(&mut layout.conversation, before.conversation, now.conversation);
        set(&mut layout.mixer, before.mixer, now.mixer);
        set(&mut layout.hides_mixer, before.hides_mixer, now.hides_mixer);
        set(&mut layout.words, before.words, now.words);
        set(&mut layout.track, before.track, now.track);
    }

    fn set_sound(&mut self, before: &Self, now: &Self) {
        let (sound, before, now) = (&mut self.sound, &before.sound, &now.sound);
        set(&mut sound.device, before.device.clone(), now.device.clone());
        set(&mut sound.rate, before.rate, now.rate);
        set(&mut sound.buffer, before.buffer, now.buffer);
    }

    /// Adds the new entries of the lists in `now` to these, the newest first.
    fn add_to_lists(&mut self, before: &Self, now: &Self) {
        let opened = now.recent.iter().take_while(|it| before.recent.first() != Some(*it));
        let opened: Vec<&PathBuf> = opened.collect();
        for session in opened.into_iter().rev() {
            self.remember(session);
        }
        for it in before.presets.iter().filter(|it| !now.presets.contains(it)) {
            self.remove_preset(it);
        }
        for it in now.presets.iter().filter(|it| !before.presets.contains(it)) {
            self.keep_preset(it.clone());
        }
        for it in now.inputs.iter().rev().filter(|it| !before.inputs.contains(it)) {
            self.take_input(&it.session, it.track, it.channels);
        }
        for it in now.seen.iter().rev().filter(|it| !before.seen.contains(it)) {
            self.see(&it.session, it.seen.clone());
        }
    }
}

/// Sets a value that changed.
fn set<T: PartialEq>(kept: &mut T, before: T, now: T) {
    if before != now {
        *kept = now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_dsp::Frames;
    use deskhand_editor::{InputChannels, Layout, Seen};
    use deskhand_session::TrackId;

    fn at(frame: i64) -> Seen {
        Seen { position: Frames(frame), ..Seen::default() }
    }

    /// Both windows began with a session that is called "first".
    fn before() -> Kept {
        let mut before = Kept::default();
        before.remember(Path::new("first"));
        before.see(Path::new("first"), at(1));
        before
    }

    #[test]
    fn what_two_windows_set_is_kept_of_both() {
        let (before, mut there, mut here) = (before(), before(), before());
        (there.is_light, there.layout.hides_mixer) = (true, true);
        there.sound.rate = Some(44_100);
        (here.zoom, here.reduces_motion, here.layout.mixer) = (Some(1.25), true, 200.0);
        here.sound.device = Some("a:2".into());
        let kept = here.merged(&before, there, None);
        assert_eq!((kept.is_light, kept.zoom, kept.reduces_motion), (true, Some(1.25), true));
        let layout = Layout { mixer: 200.0, hides_mixer: true, ..Layout::default() };
        assert_eq!(kept.layout, layout);
        assert_eq!((kept.sound.device.as_deref(), kept.sound.rate), (Some("a:2"), Some(44_100)));
    }

    #[test]
    fn sessions_that_two_windows_opened_are_kept_of_both() {
        let (before, mut there, mut here) = (before(), before(), before());
        let [first, second, third] = ["first", "second", "third"].map(Path::new);
        let track = TrackId::new(7);
        there.remember(third);
        there.see(third, at(3));
        there.see(first, at(9));
        there.take_input(third, track, InputChannels::One(3));
        here.remember(second);
        here.see(second, at(2));
        here.take_input(second, track, InputChannels::One(2));
        let kept = here.merged(&before, there, Some(second));
        let recent: Vec<&Path> = kept.recent.iter().map(PathBuf::as_path).collect();
        assert_eq!(recent, [second, third, first]);
        let seen = [first, second, third].map(|session| kept.seen_of(session).position.0);
        assert_eq!(seen, [9, 2, 3], "the other window looked at the first one since");
        assert_eq!((kept.inputs_of(second).len(), kept.inputs_of(third).len()), (1, 1));
    }

    #[test]
    fn where_a_window_stands_and_its_session_are_its_own() {
        let (before, mut there) = (before(), before());
        (there.size, there.is_maximized) = (Some([1_000.0, 700.0]), true);
        there.see(Path::new("first"), at(9));
        let kept = before.merged(&before, there, Some(Path::new("first")));
        assert_eq!(kept, before);
    }
}
