//! The whole way by the keyboard alone: import, ask, hear, apply, undo. No pointer is in the window.

use crate::testing::prelude::*;
use crate::testing::session;
use crate::{Motion, Settings, SoundOutput};
use deskhand_protocol::desk::{Play, Which};
use egui::{Event, PointerButton, vec2};
use egui_kittest::Node;
use egui_kittest::kittest::By;

/// Presses Tab until a control has the keyboard.
fn tab_to(harness: &mut Harness<'_, Desk>, label: &str) {
    for _ in 0..160 {
        harness.press(Key::Tab);
        if harness.query_all_by_label(label).any(|node| node.is_focused()) {
            return;
        }
    }
    panic!("Tab does not come to \"{label}\"");
}

fn press(harness: &mut Harness<'_, Desk>, modifiers: Modifiers, key: Key) -> Vec<Action> {
    harness.press_with(modifiers, key);
    std::mem::take(&mut harness.state_mut().actions)
}

#[test]
fn a_plan_is_asked_for_heard_applied_and_taken_back_without_a_pointer() {
    let mut model = open_model();
    model.live.output = SoundOutput::Device { name: "Speakers".into() };
    model.live.motion = Motion::Stopped;
    let empty = &mut model.mirror.as_mut().unwrap().snapshot.session;
    (empty.tracks, empty.clips, empty.sources) = Default::default();
    empty.track_order.clear();
    let mut harness = harness(model);
    tab_to(&mut harness, "Import audio…");
    assert_eq!(press(&mut harness, Modifiers::NONE, Key::Enter), [Action::Import]);
    harness.state_mut().model.mirror.as_mut().unwrap().snapshot.session = session();
    harness.run_steps(2);
    assert_eq!(press(&mut harness, Modifiers::COMMAND, Key::K), []);
    harness.type_into("Ask", "make it louder");
    let said = press(&mut harness, Modifiers::NONE, Key::Enter);
    assert_eq!(said, [Action::Say("make it louder".into())]);
    let review = News::Review { plan: Box::new(gain_plan()) };
    drop(harness.state_mut().model.hear(&event(2, None, review)));
    harness.run_steps(3);
    decide(&mut harness);
    // With no focus, as soon as it is shown.
    harness.state_mut().model.cards.clear();
    harness.run_steps(2);
    assert_eq!(press(&mut harness, Modifiers::COMMAND, Key::Z), [Action::Undo]);
    let redo = Modifiers::COMMAND | Modifiers::SHIFT;
    assert_eq!(press(&mut harness, redo, Key::Z), [Action::Redo]);
}

/// Unticks a change, hears both sides, and applies the rest.
fn decide(harness: &mut Harness<'_, Desk>) {
    let plan = gain_plan().id;
    tab_to(harness, "Change 2: Guitar take, clip gain, from 0.0 to −3.0 dB");
    assert_eq!(press(harness, Modifiers::NONE, Key::X), []);
    tab_to(harness, "Hear the plan");
    let heard = press(harness, Modifiers::NONE, Key::Enter);
    let hear = |which| Action::Play(Play::Hear { plan, which });
    assert_eq!(heard, [hear(Which::LevelMatched), Action::Play(Play::Start)]);
    tab_to(harness, "Apply 1 change");
    let only = Some(vec!["c1".to_owned()]);
    let decision = Decision::ApplyPart { only, set: Vec::new() };
    let applied = press(harness, Modifiers::NONE, Key::Enter);
    assert_eq!(applied, [Action::Decide { plan, decision }]);
}

#[test]
fn tab_goes_as_one_reads_through_the_card_and_then_to_the_composer() {
    let mut model = with_plan();
    model.live.output = SoundOutput::Device { name: "Speakers".into() };
    model.live.motion = Motion::Stopped;
    let mut harness = harness(model);
    harness.focus_on("Conversation area");
    let mut order: Vec<String> = Vec::new();
    while order.last().is_none_or(|name| name != "Ask") {
        assert!(order.len() < 60, "{order:?}");
        harness.press(Key::Tab);
        let focused = harness.query_all(By::new()).find(Node::is_focused);
        let name = focused.and_then(|node| node.accesskit_node().label());
        order.push(name.unwrap_or_default());
    }
    let change = "Change 2: Guitar take, clip gain, from 0.0 to −3.0 dB";
    for name in ["Card of plan 1", change, "Hear the plan", "Apply 2 changes", "Reject…"] {
        assert!(order.iter().any(|known| known == name), "{name} before the composer: {order:?}");
    }
}

#[test]
fn a_click_into_the_composer_and_the_key_behind_it_are_not_for_the_card_even_in_one_frame() {
    let mut harness = harness(with_plan());
    tab_to(&mut harness, "Change 2: Guitar take, clip gain, from 0.0 to −3.0 dB");
    let pos = harness.get_by_label("Ask").rect().left_top() + vec2(20.0, 10.0);
    harness.hover_at(pos);
    harness.run_steps(1);
    let (button, modifiers) = (PointerButton::Primary, Modifiers::NONE);
    let click = |pressed| Event::PointerButton { pos, button, pressed, modifiers };
    let (key, physical_key, repeat) = (Key::X, None, false);
    let tap = |pressed| Event::Key { key, physical_key, pressed, repeat, modifiers };
    harness.input_mut().events.extend([click(true), click(false), tap(true), tap(false)]);
    harness.run_steps(3);
    assert!(harness.get_by_label("Ask").is_focused());
    let view = &harness.state().model.cards[&gain_plan().id].view;
    assert!(view.ticks.off.is_empty(), "{:?}", view.ticks.off);
}

#[test]
fn the_keys_of_a_row_are_for_the_one_that_tab_comes_to() {
    let mut harness = harness(with_plan());
    let plan = gain_plan().id;
    harness.state_mut().model.cards.get_mut(&plan).unwrap().view.list.current = Some(0);
    tab_to(&mut harness, "Change 2: Guitar take, clip gain, from 0.0 to −3.0 dB");
    harness.press(Key::X);
    let view = &harness.state().model.cards[&plan].view;
    assert_eq!((view.list.current, &view.ticks.off), (Some(1), &["c2".to_owned()].into()));
}

#[test]
fn whatever_tab_comes_to_has_a_name() {
    let mut model = with_plan();
    model.settings = Some(Settings::default());
    model.desk.library.is_open = true;
    model.shows_history = true;
    let mut harness = harness(model);
    let (mut names, mut nameless) = (Vec::new(), Vec::new());
    for _ in 0..120 {
        harness.press(Key::Tab);
        let mut all = harness.query_all(By::new());
        let focused = all.find(Node::is_focused).expect("something has the keyboard");
        let name = focused.accesskit_node().label().unwrap_or_default();
        if name.is_empty() {
            nameless.push(format!("behind {:?}, at {}", names.last(), focused.rect()));
        }
        names.push(name);
    }
    assert!(nameless.is_empty(), "{nameless:?}");
    let again = names.iter().skip(1).position(|name| *name == names[0]);
    assert!(again.is_some(), "Tab goes through all of the window");
}
