//! What the window says of what failed, read as a person meets it.

use super::*;
use crate::state::Saved;
use crate::test_probes::read;
use deskhand_editor::Learning;
use egui::{Context, RawInput, Rect, vec2};
use nice_plug::params::persist::PersistentField;
use std::time::Instant;

fn instance() -> Arc<Shared> {
    Arc::new(Shared::new(Arc::default()))
}

fn window(shared: &Arc<Shared>) -> (Context, App) {
    let context = Context::default();
    deskhand_editor::install(&context);
    (context, App::new(Arc::clone(shared), Arc::default()))
}

/// The words on the screen.
fn shown((context, app): &mut (Context, App)) -> String {
    let mut words = String::new();
    // The first frame only measures.
    for _ in 0..3 {
        let screen_rect = Some(Rect::from_min_size(egui::Pos2::ZERO, vec2(900.0, 600.0)));
        let input = RawInput { screen_rect, ..RawInput::default() };
        let mut output = context.run_ui(input, |ui| app.show(ui));
        // Nobody paints here.
        output.textures_delta.clear();
        words.clear();
        output.shapes.iter().for_each(|clipped| read(&clipped.shape, &mut words));
    }
    words
}

#[test]
fn what_failed_is_said_in_the_window_until_it_is_tried_again() {
    for entry in Entry::ALL {
        let shared = instance();
        let mut window = window(&shared);
        shared.faults.note(entry);
        let words = shown(&mut window);
        assert!(words.contains(entry.message()), "{entry:?}: {words}");
        shared.faults.clear();
        let words = shown(&mut window);
        assert!(!words.contains(entry.message()), "{entry:?} is over: {words}");
        assert!(words.contains("Coming to the session"), "{words}");
    }
}

#[test]
fn a_state_that_broke_off_on_any_thread_is_said_in_the_window() {
    let shared = instance();
    let mut window = window(&shared);
    crate::planted_faults::arm(Entry::Load);
    shared.saved.set(Saved::default());
    let words = shown(&mut window);
    assert!(words.contains(Entry::State.message()), "{words}");
}

#[test]
fn a_link_that_stopped_is_why_there_is_no_session_to_show() {
    let shared = instance();
    let mut window = window(&shared);
    shared.lost_link();
    let words = shown(&mut window);
    assert!(words.contains("Deskhand has no session yet"), "{words}");
    assert_eq!(words.matches(Entry::Hub.message()).count(), 2, "as the reason too: {words}");
}

#[test]
fn a_window_that_broke_says_so_and_shows_nothing_else() {
    let shared = instance();
    let mut window = window(&shared);
    window.1.broke();
    let words = shown(&mut window);
    let said = format!("Deskhand's window stopped\n{}\n", Entry::Window.message());
    assert_eq!(words, said);
}

#[test]
fn to_learn_is_to_be_armed_for_fifteen_seconds_of_playback() {
    let shared = instance();
    let (_, mut app) = window(&shared);
    let start = Instant::now() + Duration::from_secs(1);
    let at = |seconds: u64| start + Duration::from_secs(seconds);
    assert_eq!(app.follow_learning(false, start), Some(Learning::Offered));
    assert!(!shared.is_armed());
    app.learn(true);
    // While the host is stopped nothing is counted.
    let listening = |left| Some(Learning::Listening { left });
    assert_eq!(app.follow_learning(false, at(0)), listening(15));
    assert_eq!(app.follow_learning(false, at(60)), listening(15));
    assert_eq!(app.follow_learning(true, at(64)), listening(11));
    assert!(shared.is_armed());
    assert_eq!(app.follow_learning(true, at(76)), None);
    assert!(!shared.is_armed(), "the passage ends, and with that it is kept");
    app.learn(true);
    app.closed();
    assert!(!shared.is_armed(), "nobody learns without a window");
}
