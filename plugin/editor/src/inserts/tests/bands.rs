//! The bands of an equalizer in its graph.

use super::*;
use crate::testing::gain_plan;
use crate::ui_tests::event;
use deskhand_protocol::News;
use deskhand_session::{Change, Edit, Plan, PlannedChange};
use egui::{Event, Pos2};
use egui_kittest::kittest::NodeT as _;

const BAND: &str = "Band 1 at 1000 Hz, 6.0 dB";

fn two() -> Effect {
    let band = |frequency_hz| {
        let gain = Decibels(6.0);
        Band { shape: BandShape::Bell, frequency_hz, gain, q: 1.0 }
    };
    Effect::Equalizer(Equalizer { bands: [1000.0, 4000.0].map(band).into() })
}

fn middle(harness: &Harness<'static, Desk>, label: &str) -> Pos2 {
    harness.get_by_label(label).rect().center()
}

fn previews(harness: &Harness<'static, Desk>) -> Vec<Equalizer> {
    let heard = harness.state().actions.iter().filter_map(|action| match action {
        Action::PreviewInsert { effect: Effect::Equalizer(it), .. } => Some(it.clone()),
        _ => None,
    });
    heard.collect()
}

fn turn(harness: &mut Harness<'static, Desk>, notches: f32) {
    harness.input_mut().events.push(egui::Event::MouseWheel {
        unit: egui::MouseWheelUnit::Line,
        delta: egui::vec2(0.0, notches),
        phase: egui::TouchPhase::Move,
        modifiers: Modifiers::NONE,
        source: egui::MouseWheelSource::Wheel,
    });
    harness.run_steps(2);
}

#[test]
fn a_band_is_dragged_and_set_once_when_it_is_let_go() {
    let mut harness = opened(equalizer());
    let from = middle(&harness, BAND);
    harness.hold(from, from + egui::vec2(60.0, 60.0));
    assert_eq!(calls(&harness), [], "nothing is sent while it is held");
    assert!((1..=4).contains(&previews(&harness).len()), "each place is heard once");
    harness.drop_at(from + egui::vec2(60.0, 60.0));
    harness.run_steps(4);
    let sent = calls(&harness);
    let [(gesture, params)] = sent.as_slice() else { panic!("{sent:?}") };
    assert_eq!(*gesture, Gesture::SetInsert);
    let band = &params["effect"]["bands"][0];
    let (hertz, gain) = (band["frequency_hz"].as_f64().unwrap(), band["gain"].as_f64().unwrap());
    assert!(hertz > 1300.0 && hertz < 5000.0, "{band}");
    assert!(gain < 4.5 && gain > -6.0, "{band}");
}

#[test]
fn a_double_click_adds_a_band_where_it_is() {
    let mut harness = opened(Effect::Equalizer(Equalizer { bands: Vec::new() }));
    let graph = harness.get_by_label("Response of the equalizer").rect();
    let at = graph.lerp_inside(egui::vec2(0.5, 0.25));
    harness.hover_at(at);
    harness.run_steps(2);
    let modifiers = Modifiers::NONE;
    let button = egui::PointerButton::Primary;
    for _ in 0..2 {
        let click = [true, false];
        let click =
            click.map(|pressed| Event::PointerButton { pos: at, button, pressed, modifiers });
        harness.input_mut().events.extend(click);
        harness.run_steps(1);
    }
    harness.run_steps(4);
    let calls = calls(&harness);
    assert_eq!(calls.len(), 1, "{calls:?}");
    let band = &calls[0].1["effect"]["bands"][0];
    let (hertz, gain) = (band["frequency_hz"].as_f64().unwrap(), band["gain"].as_f64().unwrap());
    assert!((hertz - 632.0).abs() < 8.0 && (gain - 7.5).abs() < 0.2, "{band}");
}

#[test]
fn a_band_goes_by_its_menu_or_by_a_key_and_not_by_a_right_click_alone() {
    let mut harness = opened(equalizer());
    harness.get_by_label(BAND).click_secondary();
    harness.run_steps(4);
    assert_eq!(calls(&harness), []);
    harness.get_by_label("Remove band 1 Del").click();
    harness.run_steps(4);
    harness.focus_on(BAND);
    harness.press(Key::Delete);
    let calls = calls(&harness);
    assert_eq!(calls.len(), 2, "{calls:?}");
    for (gesture, params) in calls {
        assert_eq!((gesture, &params["effect"]["bands"]), (Gesture::SetInsert, &json!([])));
    }
}

#[test]
fn once_the_last_band_is_removed_the_numbers_are_those_of_the_one_before() {
    let mut harness = opened(two());
    harness.click_on("2 Bell");
    harness.click_on("Remove band 2");
    let calls = calls(&harness);
    assert_eq!(calls[0].1["effect"]["bands"].as_array().map(Vec::len), Some(1));
    let frequency = harness.get_by_role_and_label(Role::SpinButton, "Frequency");
    assert_eq!(frequency.accesskit_node().numeric_value(), Some(1000.0));
}

#[test]
fn arrow_keys_move_a_band_and_the_wheel_turns_its_q_once_it_rests() {
    let mut harness = opened(equalizer());
    harness.focus_on(BAND);
    harness.press(Key::ArrowUp);
    let first = calls(&harness);
    assert_eq!(first[0].1["effect"]["bands"][0]["gain"], json!(6.5));
    let mut harness = opened(equalizer());
    harness.focus_on(BAND);
    harness.press_with(Modifiers::ALT, Key::ArrowUp);
    let turned = calls(&harness);
    let band = &turned[0].1["effect"]["bands"][0];
    assert_eq!((&band["q"], &band["gain"]), (&json!(1.12), &json!(6.0)));
    let mut harness = opened(equalizer());
    let at = middle(&harness, BAND);
    harness.hover_at(at);
    harness.run_steps(2);
    turn(&mut harness, 1.0);
    assert_eq!(calls(&harness), [], "it may turn on");
    harness.run_steps(60);
    let calls = calls(&harness);
    assert_eq!(calls.len(), 1, "{calls:?}");
    assert_eq!(calls[0].1["effect"]["bands"][0]["q"], json!(1.12));
}

#[test]
fn alt_lets_a_dragged_band_be_heard_alone_and_then_all_of_them_again() {
    let mut harness = opened(equalizer());
    let from = middle(&harness, BAND);
    harness.hold(from, from + egui::vec2(30.0, 0.0));
    harness.event(egui::Event::ModifiersChanged(Modifiers::ALT));
    harness.run_steps(2);
    let alone = previews(&harness);
    let last = alone.last().unwrap();
    let shapes: Vec<BandShape> = last.bands.iter().map(|band| band.shape).collect();
    assert_eq!(
        shapes,
        [BandShape::LowCut, BandShape::LowCut, BandShape::HighCut, BandShape::HighCut]
    );
    harness.drop_at(from + egui::vec2(30.0, 0.0));
    harness.run_steps(4);
    let calls = calls(&harness);
    assert_eq!(calls.len(), 1, "{calls:?}");
    assert_eq!(calls[0].1["effect"]["bands"].as_array().map(Vec::len), Some(1), "not the solo");
}

/// With a player of our own, which plays what is previewed.
fn heard() -> Harness<'static, Desk> {
    opened_with(vec![equalizer()], |model| {
        model.live.output = SoundOutput::Device { name: "Speakers".into() };
    })
}

#[test]
fn a_button_lets_the_chosen_band_be_heard_alone_until_it_is_pressed_again() {
    let mut harness = heard();
    harness.click_on("Solo");
    assert_eq!(previews(&harness).last().map(|heard| heard.bands.len()), Some(4));
    harness.run_steps(4);
    let count = previews(&harness).len();
    assert_eq!(count, 1, "once, not each frame");
    let snapshot = &mut harness.state_mut().model.mirror.as_mut().unwrap().snapshot;
    snapshot.head = RevisionId(90);
    harness.run_steps(3);
    assert_eq!(previews(&harness).len(), 2, "a revision is played as it is set");
    harness.focus_on(BAND);
    harness.press(Key::ArrowUp);
    assert_eq!(calls(&harness).len(), 1, "settings can be set meanwhile");
    harness.click_on("Solo");
    assert_eq!(previews(&harness).last().map(|heard| heard.bands.len()), Some(1));
    harness.state_mut().actions.clear();
    harness.run_steps(4);
    assert_eq!(previews(&harness), []);
}

#[test]
fn a_band_is_heard_alone_only_while_its_equalizer_is_shown() {
    let mut harness = heard();
    harness.click_on("Solo");
    harness.click_on("Close the processors");
    harness.run_steps(2);
    let Effect::Equalizer(whole) = equalizer() else { panic!() };
    assert_eq!(previews(&harness).last(), Some(&whole));
    harness.click_on("Processors of Vocal");
    let is_on = harness.get_by_label("Solo").accesskit_node().toggled();
    assert_ne!(is_on, Some(egui::accesskit::Toggled::True));
    let silent = opened(equalizer());
    assert!(silent.query_by_label("Solo").is_none(), "nothing would be heard of it");
}

/// The equalizer, and a plan that gives its band and a new one these gains.
fn planned(gains: [f64; 2]) -> Harness<'static, Desk> {
    opened_with(vec![equalizer()], |model| {
        let Effect::Equalizer(mut after) = two() else { panic!() };
        for (band, gain) in after.bands.iter_mut().zip(gains) {
            band.gain = Decibels(gain);
        }
        let edit =
            Edit::new(FIRST, Some(placed(equalizer())), Some(placed(Effect::Equalizer(after))));
        let change = Change::SetInsert(edit);
        let plan = Plan {
            changes: vec![PlannedChange::new(1, change, "Vocal".into(), "it is boomy".into())],
            ..gain_plan()
        };
        assert_eq!(model.hear(&event(2, None, News::Review { plan: Box::new(plan) })), []);
    })
}

#[test]
fn a_plan_that_waits_is_named_with_the_bands_that_it_changes() {
    let harness = planned([8.5, -3.0]);
    assert!(has_text(&harness, "Plan 1") && has_text(&harness, "+8.5 dB"));
    for change in ["band 1, +8.5 dB", "band 2, −3.0 dB"] {
        let label = format!("Change 1 of plan 1: {change}");
        assert!(harness.query_by_label(&label).is_some(), "{label}");
    }
    let [first, second] = [1, 2].map(|band| {
        let label = format!("Change 1 of plan 1: band {band}");
        harness.get_by_label_contains(&label).rect()
    });
    assert!(first.center().x < second.center().x && first.center().y < second.center().y);
    let same = planned([6.0, -3.0]);
    assert!(same.query_by_label_contains("plan 1: band 1").is_none(), "it stays as it is");
}

/// A plan that puts this processor on the vocal, which has none.
fn adding(effect: Effect) -> Harness<'static, Desk> {
    opened_with(Vec::new(), |model| {
        let change = Change::SetInsert(Edit::create(FIRST, placed(effect)));
        let plan = Plan {
            changes: vec![PlannedChange::new(1, change, "Vocal".into(), "it is boomy".into())],
            ..gain_plan()
        };
        assert_eq!(model.hear(&event(2, None, News::Review { plan: Box::new(plan) })), []);
    })
}

#[test]
fn a_planned_equalizer_is_in_the_chain_with_its_curve_before_it_is_there() {
    let mut harness = adding(equalizer());
    assert!(harness.query_by_label("Equalizer, added by plan 1").is_some());
    assert!(harness.query_by_label("Change 1 of plan 1: band 1, +6.0 dB").is_some());
    assert!(harness.query_by_label("Equalizer, planned by change 1").is_some());
    assert!(harness.query_by_label("Bypass").is_none(), "it cannot be used yet");
    let card = harness.state_mut().model.cards.get_mut(&gain_plan().id).unwrap();
    card.view.ticks.off.insert("c1".into());
    harness.run_steps(2);
    assert!(harness.query_by_label_contains("planned by change").is_none());
    assert!(harness.query_by_label_contains("No processors yet").is_some());
}

#[test]
fn a_planned_compressor_says_when_it_can_be_set() {
    let harness = adding(compressor());
    assert!(harness.query_by_label("Compressor, added by plan 1").is_some());
    assert!(has_text(&harness, "You can change its settings once the plan is applied."));
}

#[test]
fn what_has_no_tick_is_not_drawn_as_planned() {
    let mut harness = planned([8.5, -3.0]);
    let card = harness.state_mut().model.cards.get_mut(&gain_plan().id).unwrap();
    card.view.ticks.off.insert("c1".into());
    harness.run_steps(2);
    assert!(harness.query_by_label_contains("Change 1 of plan 1").is_none());
    assert!(harness.query_by_label("Plan 1").is_none(), "its line is gone too");
}

#[test]
fn spectra_are_drawn_while_something_is_measured() {
    let silent = opened(equalizer());
    assert!(has_text(&silent, "Play to see the spectrum"));
    let plays = opened_with(vec![equalizer()], |model| {
        model.live.motion = Motion::Playing;
        model.live.watched = Some(measured(&equalizer(), 0.5));
    });
    assert!(!has_text(&plays, "Play to see the spectrum"));
    assert!(plays.query_by_label_contains("In −9.").is_some(), "a sine of 0.5 has −9 dBFS RMS");
    assert!(plays.query_by_label_contains("Out −").is_some());
    let hosted = opened_with(vec![equalizer()], |model| {
        model.live.output = SoundOutput::Host { name: "Ardour".into() };
    });
    assert!(!has_text(&hosted, "Play to see the spectrum"), "nothing is measured there");
}

fn has_text(harness: &Harness<'static, Desk>, words: &str) -> bool {
    let is_it = |shape: &egui::Shape| match shape {
        egui::Shape::Text(text) => text.galley.text() == words,
        _ => false,
    };
    harness.output().shapes.iter().any(|it| is_it(&it.shape))
}
