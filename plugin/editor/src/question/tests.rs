//! A question above the windows of the plugin and the app, used as a person uses it.

use super::Question;
use crate::live::SoundOutput;
use crate::testing::prelude::*;
use crate::view_tests::{spoken_line, with_window};
use crate::{NoWaves, install, show, show_plugin};
use deskhand_protocol::desk::{Viewer, Window};
use egui::{Pos2, Vec2, vec2};

const CHOICES: [&str; 2] = ["Continue here", "Branch from the saved revision"];

#[derive(Default)]
struct Asked {
    model: Model,
    actions: Vec<Action>,
    answer: Option<usize>,
    /// Not asked yet.
    waits: bool,
    /// The choice of Esc.
    escape: Option<usize>,
}

fn asked(size: Vec2, mut model: Model, waits: bool) -> Harness<'static, Asked> {
    let view = if size.x < 1000.0 { show_plugin } else { show };
    if size.x < 1000.0 {
        model.live.output = SoundOutput::Host { name: "Ardour".into() };
    }
    let state = Asked { model, waits, ..Asked::default() };
    let mut harness =
        Harness::builder().with_size(size).with_context_setup(install).build_ui_state(
            move |ui, asked: &mut Asked| {
                asked.actions.extend(view(ui, &mut asked.model, &NoWaves));
                if asked.waits || asked.answer.is_some() {
                    return;
                }
                let words = "The host saved this project at revision 4.";
                let title = "The session went on without this project";
                asked.answer = Question { title, words, choices: &CHOICES, escape: asked.escape }
                    .show(ui.ctx());
            },
            state,
        );
    harness.run_steps(4);
    harness
}

#[test]
fn nothing_behind_a_question_is_clicked_in_either_window() {
    for size in [vec2(720.0, 480.0), vec2(900.0, 600.0), vec2(1440.0, 900.0)] {
        let mut harness = asked(size, with_plan(), false);
        let tab = harness.state().model.tab;
        // All over the window, but for the middle, where the choices are.
        let middle = harness.ctx.content_rect().center();
        for (column, row) in (0..15).flat_map(|column| (0..10).map(move |row| (column, row))) {
            let at = Pos2::new(column as f32 + 0.5, row as f32 + 0.5);
            let at = Pos2::new(at.x * size.x / 15.0, at.y * size.y / 10.0);
            if (at - middle).abs().x > 240.0 || (at - middle).abs().y > 100.0 {
                harness.click_at(at);
            }
        }
        let asked = harness.state();
        assert_eq!((asked.actions.as_slice(), asked.answer), (&[][..], None), "at {size}");
        assert!(asked.model.tab == tab && !asked.model.shows_history, "at {size}");
        harness.click_on(CHOICES[1]);
        assert_eq!(harness.state().answer, Some(1));
        harness.run_steps(2);
        harness.click_on("History");
        assert!(harness.state().model.shows_history, "it is answered");
    }
}

#[test]
fn no_window_lies_above_a_question_not_even_one_that_stays_on_top_and_comes_later() {
    let mut harness = asked(vec2(900.0, 600.0), with_window(with_plan(), spoken_line()), true);
    harness.get_by_label("Keep Loudness on top").click();
    harness.click_on("Keyboard");
    harness.state_mut().waits = false;
    harness.run_steps(3);
    let window = Window {
        window_id: "window_2".into(),
        viewer: Viewer::Auto,
        resource: "deskhand://session".into(),
        title: "Later".into(),
    };
    drop(harness.state_mut().model.hear(&event(9, None, News::Window { window })));
    harness.run_steps(3);
    for name in ["Close Loudness", "Keep Later on top", "Close Later"] {
        let at = harness.get_by_label(name).rect().center();
        harness.click_at(at);
    }
    assert_eq!(harness.state().actions, []);
    assert_eq!(harness.state().model.windows.open.len(), 2);
    let middle = harness.get_by_label(CHOICES[0]).rect().center();
    let top = harness.ctx.layer_id_at(middle).unwrap();
    assert_eq!(top.order, egui::Order::Tooltip);
    harness.click_at(middle);
    assert_eq!(harness.state().answer, Some(0));
}

#[test]
fn the_keyboard_comes_to_a_question_and_what_was_meant_for_the_desk_answers_nothing() {
    let mut harness = asked(vec2(900.0, 600.0), with_plan(), true);
    harness.focus_on("Ask");
    harness.state_mut().waits = false;
    harness.run_steps(3);
    for (modifiers, key) in [
        (Modifiers::NONE, Key::Enter),
        (Modifiers::NONE, Key::Space),
        (Modifiers::NONE, Key::Escape),
        (Modifiers::COMMAND, Key::Z),
        (Modifiers::COMMAND, Key::K),
        (Modifiers::NONE, Key::F6),
        (Modifiers::NONE, Key::Delete),
        (Modifiers::NONE, Key::Questionmark),
    ] {
        harness.press_with(modifiers, key);
    }
    assert_eq!((harness.state().actions.as_slice(), harness.state().answer), (&[][..], None));
    assert_eq!(harness.state().model.draft, "");
    assert_eq!(harness.state().model.preferences.page, None);
    // Round and round within the question.
    for name in [CHOICES[0], CHOICES[1]] {
        harness.press(Key::Tab);
        assert!(harness.get_by_label(name).is_focused(), "{name}");
    }
    harness.press(Key::Tab);
    let focused = harness.ctx.memory(egui::Memory::focused).unwrap();
    let layer = harness.ctx.read_response(focused).unwrap().layer_id;
    assert_eq!(layer.order, egui::Order::Tooltip);
    harness.focus_on(CHOICES[0]);
    harness.press(Key::Enter);
    assert_eq!(harness.state().answer, Some(0));
}

#[test]
fn esc_takes_the_choice_that_it_stands_for() {
    let mut harness = asked(vec2(900.0, 600.0), with_plan(), false);
    harness.state_mut().escape = Some(0);
    harness.run_steps(2);
    harness.press(Key::Escape);
    assert_eq!(harness.state().answer, Some(0));
}

#[test]
fn a_key_that_is_typed_as_a_question_comes_stays_where_it_was_typed_and_the_keyboard_comes_back() {
    let mut harness = asked(vec2(900.0, 600.0), with_plan(), true);
    harness.focus_on("Ask");
    harness.get_by_label("Ask").type_text("loud");
    harness.run_steps(1);
    harness.get_by_label("Ask").type_text("er");
    harness.state_mut().waits = false;
    harness.run_steps(8);
    harness.press(Key::Enter);
    let seen = harness.state();
    assert_eq!((seen.model.draft.as_str(), seen.answer), ("louder", None), "nobody chose");
    assert_eq!(seen.actions, []);
    harness.click_on(CHOICES[1]);
    assert_eq!(harness.state().answer, Some(1));
    assert!(harness.get_by_label("Ask").is_focused(), "it goes on where it was");
}

#[test]
fn who_does_not_type_answers_by_enter_with_what_changes_nothing_once_it_was_seen() {
    let mut harness = asked(vec2(900.0, 600.0), with_plan(), true);
    harness.focus_on("History");
    harness.state_mut().waits = false;
    harness.run_steps(1);
    let focused = |harness: &Harness<'_, Asked>| {
        harness.query_by_label(CHOICES[0]).is_some_and(|it| it.is_focused())
    };
    assert!(!focused(&harness), "nobody saw it yet");
    harness.run_steps(6);
    assert!(harness.get_by_label(CHOICES[0]).is_focused());
    harness.press(Key::Enter);
    assert_eq!(harness.state().answer, Some(0));
    assert!(harness.get_by_label("History").is_focused(), "it has the keyboard again");
}

#[test]
fn tab_comes_to_every_choice_and_to_the_cross_of_a_question_that_esc_leaves() {
    let mut harness = asked(vec2(900.0, 600.0), with_plan(), true);
    harness.state_mut().escape = Some(0);
    harness.state_mut().waits = false;
    harness.run_steps(8);
    assert!(harness.get_by_label(CHOICES[0]).is_focused());
    harness.press(Key::Tab);
    assert!(harness.get_by_label(CHOICES[1]).is_focused());
    let cross = "Close The session went on without this project";
    let mut shown = Vec::new();
    for _ in 0..4 {
        harness.press(Key::Tab);
        shown.push(harness.get_by_label(cross).is_focused());
    }
    assert!(shown.contains(&true), "the cross is among what Tab comes to");
    harness.focus_on(CHOICES[1]);
    harness.press(Key::Enter);
    assert_eq!(harness.state().answer, Some(1), "the other choice is taken by the keyboard");
}
