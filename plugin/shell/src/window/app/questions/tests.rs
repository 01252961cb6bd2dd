//! The questions of the window as a person meets them: read, and answered with the keyboard.

use super::*;
use crate::shared::{Seated, Standing};
use crate::test_probes::read;
use deskhand_protocol::Saved;
use deskhand_session::{RevisionId, TrackId};
use egui::{Context, Event, Key, Modifiers, RawInput, Rect, vec2};
use std::path::PathBuf;
use std::sync::Arc;

/// A window of an instance whose session is in `dir`, as tall as a host shows it.
struct Seen {
    context: Context,
    app: App,
    /// The requests to the session.
    asked: Vec<Op>,
}

fn instance(dir: &str) -> Arc<Shared> {
    let shared = Arc::new(Shared::new(Arc::default()));
    let dir = PathBuf::from(dir);
    let seated = Seated { track: TrackId::new(1), captures: dir.join("captures"), dir, rate: None };
    shared.set_standing(Standing::Joined(seated));
    shared.enlist();
    shared
}

impl Seen {
    fn of(shared: &Arc<Shared>) -> Self {
        let context = Context::default();
        deskhand_editor::install(&context);
        let app = App::new(Arc::clone(shared), Arc::default());
        let mut seen = Self { context, app, asked: Vec::new() };
        seen.frame(None);
        seen
    }

    /// Draws a frame in which a key is pressed; gives the words on the screen.
    fn frame(&mut self, key: Option<Key>) -> String {
        let modifiers = Modifiers::NONE;
        let press = |key, pressed| Event::Key {
            key,
            physical_key: None,
            pressed,
            repeat: false,
            modifiers,
        };
        let events = key.into_iter().flat_map(|key| [press(key, true), press(key, false)]);
        let screen_rect = Some(Rect::from_min_size(egui::Pos2::ZERO, vec2(900.0, 600.0)));
        let input = RawInput { events: events.collect(), screen_rect, ..RawInput::default() };
        let context = self.context.clone();
        let mut output = context.run_ui(input, |ui| {
            self.asked.extend(self.app.ask_where_to_go(ui.ctx()));
            self.app.ask_for_missing(ui.ctx());
            self.app.ask(ui.ctx());
        });
        // Nobody paints here.
        output.textures_delta.clear();
        let mut words = String::new();
        output.shapes.iter().for_each(|clipped| read(&clipped.shape, &mut words));
        words
    }

    /// Presses Tab until the choice with this number has the keyboard, then Enter.
    fn choose(&mut self, choice: usize) -> String {
        (0..=choice).for_each(|_| drop(self.frame(Some(Key::Tab))));
        self.frame(Some(Key::Enter));
        self.frame(None);
        self.frame(None)
    }
}

fn saved(revision: u64) -> Saved {
    let choices = ["continue here, at revision 9", "branch from the saved revision"];
    let choices = choices.map(String::from).to_vec();
    Saved { revision: RevisionId(revision), can_branch: true, choices }
}

#[test]
fn where_to_go_is_asked_in_every_window_of_the_project_and_answered_in_one() {
    let (one, two, other) = (instance("/went/on"), instance("/went/on"), instance("/went/on"));
    for (shared, revision) in [(&one, 4), (&two, 4), (&other, 5)] {
        shared.set_saved_elsewhere(Some(saved(revision)));
    }
    let mut seen = Seen::of(&one);
    let words = seen.frame(None);
    for part in ["went on without this project", "at revision 4", "Continue here", "Branch from"] {
        assert!(words.contains(part), "{part}: {words}");
    }
    assert_eq!((seen.asked.as_slice(), one.saved_elsewhere()), ([].as_slice(), Some(saved(4))));
    assert_eq!(seen.choose(1), "", "it is answered");
    assert_eq!(seen.asked, [Op::GoTo { revision: RevisionId(4) }]);
    assert_eq!((one.saved_elsewhere(), two.saved_elsewhere()), (None, None));
    assert_eq!(other.saved_elsewhere(), Some(saved(5)), "saved at another moment");
    let mut seen = Seen::of(&other);
    assert_eq!(seen.choose(0), "");
    assert_eq!((seen.asked.as_slice(), other.saved_elsewhere()), ([].as_slice(), None), "it stays");
}

#[test]
fn that_a_session_was_made_anew_is_read_and_opening_the_old_one_is_asked_in_its_place() {
    let (one, two) = (instance("/made/anew"), instance("/made/anew"));
    for shared in [&one, &two] {
        shared.set_made_anew(Some("the folder /was/here is gone".into()));
    }
    let mut seen = Seen::of(&one);
    let words = seen.frame(None);
    for part in ["was not found", "The folder /was/here is gone", "Stay with", "Open a session…"]
    {
        assert!(words.contains(part), "{part}: {words}");
    }
    let words = seen.choose(1);
    assert!(words.contains("Make a new one there"), "the folder is asked for: {words}");
    assert!(!words.contains("was not found"), "and nothing stands above that: {words}");
    seen.app.question = None;
    assert!(seen.frame(None).contains("was not found"), "until it is answered");
    assert_eq!(seen.choose(0), "");
    assert_eq!((one.made_anew(), two.made_anew()), (None, None));
}

#[test]
fn a_file_for_a_call_is_asked_for_by_its_path() {
    let shared = instance("/songs/a.deskhand");
    let mut seen = Seen::of(&shared);
    let path = seen.app.model.offer(FileCall::ExportCodebook);
    seen.app.question = Some(Question::file(FileCall::ExportCodebook, &path));
    // The first frame only measures.
    (0..2).for_each(|_| drop(seen.frame(None)));
    let words = seen.frame(None);
    for told in ["Export the codebook", "codebook.qdc", "Write it", "Cancel"] {
        assert!(words.contains(told), "{told} is missing in {words}");
    }
    assert!(!words.contains("Make a new one there"), "{words}");
}
