//! The transcript by the keyboard and by clicks, as in any text.

use super::tests::{Bench, bench, calls, word};
use crate::action::{Action, Gesture};
use crate::testing::UserInput as _;
use deskhand_dsp::Frames;
use deskhand_protocol::desk::Play;
use egui::{Event, Key, Modifiers, OutputCommand};
use egui_kittest::kittest::Queryable as _;

fn picked(bench: &Bench) -> Option<std::ops::Range<usize>> {
    bench.state().model.desk.words.transcript.picked.map(super::Picked::words)
}

/// The word of this number picked.
fn at(number: usize) -> Bench {
    let mut bench = bench();
    let at = word(&bench, number).center();
    bench.click_at(at);
    bench.state_mut().actions.clear();
    bench
}

#[test]
fn a_double_click_writes_a_word_anew_and_esc_leaves_it_as_it_was() {
    let mut bench = bench();
    // A step of the test is a quarter of a second.
    bench.ctx.options_mut(|options| options.input_options.max_double_click_delay = 5.0);
    let at = word(&bench, 3).center();
    bench.click_at(at);
    bench.click_at(at);
    bench.run_steps(2);
    assert!(bench.get_by_label("Word").is_focused());
    bench.type_into("Word", "x");
    bench.press(Key::Escape);
    assert!(bench.query_by_label("Word").is_none());
    assert!(calls(&bench).iter().all(|(gesture, _)| *gesture != Gesture::SetWords));
    assert!(bench.state().model.desk.words.is_open);
}

#[test]
fn a_click_with_shift_picks_up_to_there_and_esc_picks_nothing() {
    let mut bench = at(1);
    let to = word(&bench, 4).center();
    bench.event(Event::ModifiersChanged(Modifiers::SHIFT));
    let press = |pressed| Event::PointerButton {
        pos: to,
        button: egui::PointerButton::Primary,
        pressed,
        modifiers: Modifiers::SHIFT,
    };
    bench.hover_at(to);
    bench.event(press(true));
    bench.event(press(false));
    bench.event(Event::ModifiersChanged(Modifiers::NONE));
    bench.run_steps(2);
    assert_eq!(picked(&bench), Some(1..5));
    assert_eq!(calls(&bench).pop().unwrap().0, Gesture::Select);
    assert!(bench.state().actions.len() == 1, "it is not heard");
    bench.press(Key::Escape);
    assert_eq!(picked(&bench), None);
    assert!(bench.state().model.desk.words.is_open, "the window stays");
}

#[test]
fn enter_hears_the_word_that_the_arrows_came_to() {
    let mut bench = at(2);
    bench.press(Key::ArrowRight);
    bench.press(Key::Enter);
    let heard = [Play::Seek { at: Frames(72_000) }, Play::Start].map(Action::Play);
    assert_eq!(bench.state().actions, heard);
}

#[test]
fn the_keys_go_to_the_ends_of_a_line_and_pick_all() {
    let mut bench = at(2);
    bench.press(Key::End);
    assert_eq!(picked(&bench), Some(7..8), "the last word of the phrase");
    bench.press_with(Modifiers::SHIFT, Key::Home);
    assert_eq!(picked(&bench), Some(0..8));
    bench.press_with(Modifiers::COMMAND, Key::A);
    let all = bench.state().model.desk.words.transcript.made.as_ref().unwrap().script.count;
    assert_eq!(picked(&bench), Some(0..all));
}

#[test]
fn what_is_picked_is_copied_as_text_a_line_for_each_phrase() {
    let mut bench = at(6);
    for _ in 0..3 {
        bench.press_with(Modifiers::SHIFT, Key::ArrowRight);
    }
    bench.event(Event::Copy);
    bench.step();
    let copied = bench.output().platform_output.commands.iter().find_map(|command| match command {
        OutputCommand::CopyText(text) => Some(text.as_str()),
        _ => None,
    });
    assert_eq!(copied, Some("the harbour,\nAnd every"));
}

#[test]
fn a_key_goes_from_the_words_to_the_field_that_searches_them() {
    let mut bench = at(2);
    bench.press_with(Modifiers::COMMAND, Key::F);
    bench.run_steps(2);
    assert!(bench.get_by_label("Search the transcript").is_focused());
}
