//! The views used as a person uses them: what they give back for a click or a key.

use crate::testing::prelude::*;
use crate::testing::{session, tools};
use crate::waves::Waves;
use crate::{NoWaves, install, show};
use deskhand_protocol::desk::{Viewer, Window};
use deskhand_protocol::{Event, Read, Snapshot};
use deskhand_session::Author;
use egui::vec2;

/// Frames until a window has its fonts and its layout.
const OPENED: usize = 5;

#[derive(Default)]
pub(crate) struct Desk {
    pub(crate) model: Model,
    pub(crate) actions: Vec<Action>,
    pub(crate) is_installed: bool,
}

pub(crate) fn event(number: u64, call: Option<CallId>, news: News) -> Event {
    Event { number, author: Author::Agent, call, news }
}

/// A model that heard a session of two tracks.
pub(crate) fn open_model() -> Model {
    let mut model = Model::new();
    model.tools = tools();
    let snapshot = Snapshot {
        folder: "/music/harbour.deskhand".into(),
        is_attended: true,
        ..Snapshot::of(session(), RevisionId(1))
    };
    let result = ToolResult {
        answer: Some(serde_json::to_value(&snapshot).unwrap()),
        ..ToolResult::new(Status::Ok, "read", RevisionId(1))
    };
    model.sent(CallId(1), &Op::Read { what: Read::Snapshot });
    let done = News::Done { result: Box::new(result) };
    assert_eq!(model.hear(&event(1, Some(CallId(1)), done)), []);
    model
}

pub(crate) fn with_two_windows() -> Model {
    let mut model = open_model();
    for number in [1, 2] {
        let window = Window {
            window_id: format!("window_{number}"),
            viewer: Viewer::Auto,
            resource: "deskhand://session".into(),
            title: format!("Window {number}"),
        };
        drop(model.hear(&event(number + 1, None, News::Window { window })));
    }
    model
}

pub(crate) fn with_plan() -> Model {
    let mut model = open_model();
    let review = News::Review { plan: Box::new(gain_plan()) };
    assert_eq!(model.hear(&event(2, None, review)), []);
    model
}

pub(crate) fn harness(model: Model) -> Harness<'static, Desk> {
    sized(model, vec2(1440.0, 900.0))
}

/// The same in a window of another size.
pub(crate) fn sized(model: Model, size: egui::Vec2) -> Harness<'static, Desk> {
    drawn(model, size, &NoWaves)
}

pub(crate) fn drawn(
    model: Model,
    size: egui::Vec2,
    waves: &'static dyn Waves,
) -> Harness<'static, Desk> {
    let desk = Desk { model, ..Desk::default() };
    let mut harness = Harness::builder().with_size(size).build_ui_state(
        |ui, desk| {
            if !desk.is_installed {
                install(ui.ctx());
                desk.is_installed = true;
                return;
            }
            desk.actions.extend(show(ui, &mut desk.model, waves));
        },
        desk,
    );
    harness.run_steps(OPENED);
    harness
}

fn plan_id() -> deskhand_session::PlanId {
    gain_plan().id
}

#[test]
fn a_click_anywhere_in_the_composer_is_for_its_words() {
    let mut harness = harness(open_model());
    let below = harness.get_by_label("Ask").rect().left_bottom() + vec2(20.0, 16.0);
    harness.click_at(below);
    assert!(harness.get_by_label("Ask").is_focused());
}

#[test]
fn what_is_typed_is_said() {
    let mut harness = harness(open_model());
    harness.focus_on("Ask");
    harness.type_into("Ask", "make it louder");
    harness.press(Key::Enter);
    assert_eq!(harness.state().actions, [Action::Say("make it louder".into())]);
}

#[test]
fn keys_that_come_and_go_between_two_frames_count_with_what_was_held() {
    let mut harness = harness(open_model());
    let tap = |key, modifiers| {
        [true, false].map(|pressed| egui::Event::Key {
            key,
            physical_key: None,
            pressed,
            repeat: false,
            modifiers,
        })
    };
    harness.input_mut().events.extend(tap(Key::K, Modifiers::COMMAND));
    harness.run_steps(2);
    assert!(harness.get_by_label("Ask").is_focused());
    harness.type_into("Ask", "make it louder");
    harness.input_mut().events.extend(tap(Key::Enter, Modifiers::SHIFT));
    harness.run_steps(2);
    assert_eq!(harness.state().actions, [], "a new line");
}

#[test]
fn a_part_is_applied_by_tick_and_click() {
    let mut harness = harness(with_plan());
    let name = "Change 2: Guitar take, clip gain, from 0.0 to −3.0 dB";
    harness.click_on(name);
    harness.click_on("Apply 1 change");
    let decision = Decision::ApplyPart { only: Some(vec!["c1".into()]), set: Vec::new() };
    assert_eq!(harness.state().actions, [Action::Decide { plan: plan_id(), decision }]);
}

#[test]
fn a_plan_is_sent_once() {
    let mut harness = harness(with_plan());
    harness.click_on("Apply 2 changes");
    harness.click_on("Apply 2 changes");
    let decision = Decision::Apply;
    assert_eq!(harness.state().actions, [Action::Decide { plan: plan_id(), decision }]);
}

#[test]
fn a_plan_is_rejected_with_a_reason_or_without() {
    for reason in ["", "too loud"] {
        let mut harness = harness(with_plan());
        harness.click_on("Reject…");
        assert_eq!(harness.state().actions, [], "it is asked why first");
        harness.focus_on("Reason");
        harness.type_into("Reason", reason);
        harness.click_on("Reject");
        let decision = Decision::Reject { reason: reason.into() };
        assert_eq!(harness.state().actions, [Action::Decide { plan: plan_id(), decision }]);
    }
}

#[test]
fn the_key_applies_only_in_a_card_that_was_seen() {
    let mut harness = harness(with_plan());
    harness.press_with(Modifiers::COMMAND, Key::Enter);
    assert_eq!(harness.state().actions, [], "nothing has the keyboard");
    harness.get_by_label("Change 1: Vocal take, clip gain, from 0.0 to +4.5 dB").focus();
    harness.run_steps(60);
    harness.press_with(Modifiers::COMMAND, Key::Enter);
    let decision = Decision::Apply;
    assert_eq!(harness.state().actions, [Action::Decide { plan: plan_id(), decision }]);
}

#[test]
fn the_menu_of_the_session_opens_makes_and_lists_the_last_ones() {
    let mut model = open_model();
    let recent = vec!["/music/harbour.deskhand".into(), "/music/quay.deskhand".into()];
    model.settings = Some(crate::Settings { recent, ..crate::Settings::default() });
    let mut harness = harness(model);
    for (item, action) in [
        ("New session…", Action::NewSession),
        ("quay", Action::OpenRecent("/music/quay.deskhand".into())),
    ] {
        harness.run_steps(3);
        harness.click_on("Session: open, new, recent");
        assert!(harness.query_by_label("harbour").is_none(), "that one is open");
        harness.get_by_label_contains(item).click();
        harness.run_steps(3);
        assert_eq!(harness.state().actions.last(), Some(&action));
    }
}

#[test]
fn mute_and_fader_are_calls_of_the_person() {
    let mut harness = harness(open_model());
    harness.get_all_by_label("Mute Guitar").next().unwrap().click();
    harness.run_steps(2);
    let params = json!({"targets": TrackId::new(2), "mute": true});
    assert_eq!(harness.state().actions, [Action::Call { gesture: Gesture::MuteTrack, params }]);
    let fader = harness.get_by_label("Fader Vocal").rect();
    harness.drag_at(fader.center());
    harness.run_steps(2);
    harness.hover_at(fader.center() + vec2(0.0, 20.0));
    harness.run_steps(2);
    harness.drop_at(fader.center() + vec2(0.0, 20.0));
    harness.run_steps(2);
    let Some(Action::Call { gesture: Gesture::SetTrackGain, params }) =
        harness.state().actions.last()
    else {
        panic!("{:?}", harness.state().actions);
    };
    assert_eq!(params["targets"], json!(TrackId::new(1)));
    assert!(params["gain_db"].as_f64().unwrap() < 0.0, "{params}");
    let calls = |action: &&Action| matches!(action, Action::Call { .. });
    let count = harness.state().actions.iter().filter(calls).count();
    assert_eq!(count, 2, "a drag is one step");
}

#[test]
fn an_empty_window_has_the_ways_in() {
    let mut harness = harness(Model::new());
    harness.click_on("New session… Ctrl N");
    assert_eq!(harness.state().actions, [Action::NewSession]);
}
