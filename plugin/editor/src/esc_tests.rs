//! Esc: leaves a field without setting it, and closes the topmost window.

use crate::desk_tests::{Desk, call, desk, session};
use crate::testing::prelude::*;
use crate::ui_tests::with_two_windows;

#[test]
fn esc_leaves_a_field_and_sets_nothing_and_what_is_typed_first_replaces_all() {
    let mut desk = desk(open_model());
    let clip = *session(&mut desk.state_mut().model).clips.keys().next().unwrap();
    for (key, sent) in [(Key::Escape, 0), (Key::Enter, 1)] {
        desk.focus_on("Fader Guitar");
        desk.press(Key::Enter);
        desk.type_into("Fader Guitar value", "-5");
        desk.press(key);
        assert_eq!(desk.state().actions.len(), sent, "{:?}", desk.state().actions);
    }
    assert_eq!(call(&desk).1["gain_db"], json!(-5.0));
    desk.state_mut().actions.clear();
    session(&mut desk.state_mut().model).selection.clips = [clip].into();
    desk.run_steps(2);
    desk.press(Key::F2);
    desk.type_into("Name", "ZZ");
    desk.press(Key::Escape);
    assert_eq!(desk.state().actions, []);
}

#[test]
fn esc_closes_what_lies_on_top_and_then_chooses_no_clip() {
    let mut model = open_model();
    model.shows_history = true;
    let clip = *session(&mut model).clips.keys().next().unwrap();
    session(&mut model).selection.clips = [clip].into();
    let mut desk = desk(model);
    desk.press(Key::Escape);
    assert!(!desk.state().model.shows_history);
    assert_eq!(desk.state().actions, [], "one thing at a time");
    desk.press(Key::Escape);
    assert_eq!(call(&desk), (Gesture::Select, json!({"targets": []})));
}

#[test]
fn esc_closes_the_window_that_lies_on_top() {
    let mut model = with_two_windows();
    model.desk.words.is_open = true;
    let mut desk = desk(model);
    let head = desk.get_by_role_and_label(egui::Role::Label, "Window 1").rect().center();
    desk.click_at(head);
    let is_open = |desk: &mut Desk, key: Option<Key>| {
        key.into_iter().for_each(|key| desk.key_press(key));
        desk.run_steps(3);
        let shown = |name: &str| desk.query_by_label(name).is_some();
        ["Close Window 1", "Close Window 2", "Close the words"].map(shown)
    };
    assert_eq!(is_open(&mut desk, None), [true; 3]);
    assert_eq!(is_open(&mut desk, Some(Key::Escape)), [false, true, true]);
    assert_eq!(call(&desk), (Gesture::CloseWindow, json!({"window_id": "window_1"})));
    let words = [false, false, true];
    assert_eq!(is_open(&mut desk, Some(Key::Escape)), words);
    assert_eq!(is_open(&mut desk, Some(Key::Escape)), words, "they are no window");
}
