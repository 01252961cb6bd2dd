//! The window of processors used as a person uses it.

use crate::Action;
use crate::action::Gesture;
use crate::testing::UserInput as _;
use crate::ui_tests::{Desk, harness, open_model};
use deskhand_dsp::Decibels;
use deskhand_dsp::effects::{Band, BandShape, Compressor, Detector, Effect, Equalizer};
use deskhand_session::{InsertId, InsertOwner, PlacedInsert, Switch, TrackId};
use egui::Shape;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use serde_json::{Value, json};

const VOCAL: InsertOwner = InsertOwner::Track(TrackId::new(1));

fn placed(effect: Effect) -> PlacedInsert {
    PlacedInsert { on: VOCAL, index: 0, switch: Switch::On, effect }
}

fn opened(effect: Effect) -> Harness<'static, Desk> {
    let mut model = open_model();
    let session = &mut model.mirror.as_mut().unwrap().snapshot.session;
    session.inserts.insert(InsertId::new(1), placed(effect));
    model.live.reductions.insert(InsertId::new(1), 4.5);
    let mut harness = harness(model);
    harness.click_on("Processors of Vocal");
    harness
}

fn equalizer() -> Effect {
    let band = Band { shape: BandShape::Bell, frequency_hz: 1000.0, gain: Decibels(6.0), q: 1.0 };
    Effect::Equalizer(Equalizer { bands: vec![band] })
}

pub(crate) fn compressor() -> Effect {
    Effect::Compressor(Compressor {
        threshold: Decibels(-20.0),
        ratio: 4.0,
        knee_db: 6.0,
        attack_ms: 10.0,
        release_ms: 100.0,
        makeup: Decibels(0.0),
        detector: Detector::Rms,
    })
}

fn calls(harness: &Harness<'static, Desk>) -> Vec<(Gesture, Value)> {
    let calls = harness.state().actions.iter().filter_map(|action| match action {
        Action::Call { gesture, params } => Some((*gesture, params.clone())),
        _ => None,
    });
    calls.collect()
}

#[test]
fn nothing_stands_below_the_buttons_where_there_is_no_processor() {
    let below = |harness: &Harness<'static, Desk>| {
        let whole = harness.ctx.memory(|memory| memory.area_rect(super::id())).unwrap();
        whole.bottom() - harness.get_by_label("Put in Limiter").rect().bottom()
    };
    let mut empty = harness(open_model());
    empty.click_on("Processors of Vocal");
    assert!(below(&empty) < 24.0, "{}", below(&empty));
    assert!(below(&opened(compressor())) > 60.0);
}

#[test]
fn what_was_put_in_is_set_next_and_an_equalizer_tells_no_reduction() {
    let mut harness = opened(compressor());
    let session = &mut harness.state_mut().model.mirror.as_mut().unwrap().snapshot.session;
    let second = PlacedInsert { index: 1, ..placed(equalizer()) };
    session.inserts.insert(InsertId::new(2), second);
    harness.run_steps(3);
    assert!(harness.query_by_label("Response of the equalizer").is_some());
    assert!(harness.query_by_label("Threshold of the compressor").is_none());
    assert!(harness.query_by_label_contains("equalizer takes away").is_none());
    assert!(harness.query_by_label("compressor takes away 4.5 dB").is_some());
}

#[test]
fn the_ways_out_of_processors_stand_below_each_other() {
    let mut harness = opened(compressor());
    let session = &mut harness.state_mut().model.mirror.as_mut().unwrap().snapshot.session;
    let second = PlacedInsert { index: 1, ..placed(equalizer()) };
    session.inserts.insert(InsertId::new(2), second);
    harness.run_steps(3);
    let left = |name: &str| harness.get_by_label(name).rect().left();
    assert_eq!(left("Take out compressor"), left("Take out equalizer"));
}

#[test]
fn a_processor_is_put_in_switched_and_taken_out() {
    let mut harness = opened(compressor());
    assert!(harness.query_by_label("compressor takes away 4.5 dB").is_some());
    assert!(harness.query_by_label("Threshold of the compressor").is_some());
    harness.click_on("Put in Limiter");
    harness.click_on("compressor works");
    harness.click_on("Take out compressor");
    let id = InsertId::new(1);
    let on = TrackId::new(1).to_string();
    assert_eq!(
        calls(&harness),
        [
            (Gesture::SetInsert, json!({"on": on, "effect": {"kind": "limiter"}})),
            (Gesture::SwitchInsert, json!({"insert": id, "switch": "off"})),
            (Gesture::RemoveInsert, json!({"insert": id})),
        ]
    );
}

#[test]
fn a_number_is_set_once_when_it_is_left_and_not_where_it_is_left_as_it_was() {
    let mut harness = opened(compressor());
    let leave = |harness: &mut Harness<'static, Desk>| {
        harness.press(egui::Key::Tab);
    };
    harness.focus_on("Threshold of the compressor");
    leave(&mut harness);
    assert_eq!(calls(&harness), []);
    harness.focus_on("Threshold of the compressor");
    harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
    harness.run_steps(1);
    harness.type_into("Threshold of the compressor", "-30");
    leave(&mut harness);
    let calls = calls(&harness);
    assert_eq!(calls.len(), 1, "{calls:?}");
    assert_eq!(calls[0].1["effect"]["threshold"], json!(-30.0));
}

#[test]
fn a_number_beyond_its_range_is_told_until_another_is_typed() {
    let told = "Threshold: −100 to 0 dBFS is allowed, 999 became 0.";
    let mut harness = opened(compressor());
    let field = "Threshold of the compressor";
    for (text, is_told) in [("999", true), ("-30 dBFS", false)] {
        harness.focus_on(field);
        harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
        harness.run_steps(1);
        harness.type_into(field, text);
        harness.press(egui::Key::Tab);
        assert_eq!(harness.query_by_label(told).is_some(), is_told, "{text}");
    }
    let calls = calls(&harness);
    assert_eq!(calls[calls.len() - 1].1["effect"]["threshold"], json!(-30.0), "{calls:?}");
}

#[test]
fn the_curve_of_a_compressor_has_levels_at_its_lines() {
    let harness = opened(compressor());
    let name = "Level that comes out over the level that goes in, both from −60 to 0 dBFS";
    let field = harness.get_by_label(name).rect();
    let written = |words: &str| {
        let is_it = |shape: &Shape| match shape {
            Shape::Text(it) => it.galley.text() == words && field.contains(it.pos),
            _ => false,
        };
        harness.output().shapes.iter().filter(|it| is_it(&it.shape)).count()
    };
    let counts = ["−45", "−30", "−15", "in, dBFS", "out, dBFS"].map(written);
    assert_eq!(counts, [2, 2, 2, 1, 1]);
}

#[test]
fn what_a_hand_does_in_the_field_of_an_equalizer_is_told_with_and_without_bands() {
    let bands = opened(equalizer());
    assert!(bands.query_by_label_contains("taken out by its menu or by Del").is_some());
    assert!(bands.query_by_label("Frequency of band 1").is_some());
    let none = opened(Effect::Equalizer(Equalizer { bands: Vec::new() }));
    assert!(none.query_by_label_contains("Double-click in the field to add a band").is_some());
}

#[test]
fn a_band_goes_by_its_menu_or_by_a_key_and_not_by_a_right_click_alone() {
    let mut harness = opened(equalizer());
    let band = "Band 1 at 1000 Hz, +6.0 dB";
    harness.get_by_label(band).click_secondary();
    harness.run_steps(4);
    assert_eq!(calls(&harness), []);
    harness.get_by_label_contains("Take out band 1").click();
    harness.run_steps(4);
    harness.focus_on(band);
    harness.press(egui::Key::Delete);
    let calls = calls(&harness);
    assert_eq!(calls.len(), 2, "{calls:?}");
    for (gesture, params) in calls {
        assert_eq!((gesture, &params["effect"]["bands"]), (Gesture::SetInsert, &json!([])));
    }
}

#[test]
fn once_the_last_band_is_taken_out_the_numbers_are_those_of_the_one_ahead_of_it() {
    let band = |frequency_hz| {
        let gain = Decibels(6.0);
        Band { shape: BandShape::Bell, frequency_hz, gain, q: 1.0 }
    };
    let bands = [1000.0, 4000.0].map(band).into();
    let mut harness = opened(Effect::Equalizer(Equalizer { bands }));
    harness.get_by_label("Band 2 at 4000 Hz, +6.0 dB").click_secondary();
    harness.run_steps(4);
    assert!(harness.query_by_label("Frequency of band 2").is_some());
    harness.get_by_label_contains("Take out band 2").click();
    harness.run_steps(4);
    assert!(harness.query_by_label("Frequency of band 1").is_some());
}

#[test]
fn a_band_is_dragged_and_set_once_when_it_is_let_go() {
    let mut harness = opened(equalizer());
    let label = "Band 1 at 1000 Hz, +6.0 dB";
    let from = harness.get_by_label(label).rect().center();
    let to = from + egui::vec2(60.0, 30.0);
    for at in [from, from + (to - from) * 0.5, to] {
        harness.hover_at(at);
        harness.run_steps(1);
        if at == from {
            harness.drag_at(from);
        }
        harness.run_steps(2);
    }
    assert_eq!(calls(&harness), [], "nothing is sent while it is held");
    let heard = harness.state().actions.iter().filter(|action| {
        matches!(action, Action::PreviewInsert { insert, .. } if *insert == InsertId::new(1))
    });
    assert!(
        (2..=4).contains(&heard.count()),
        "each place is heard once: {:?}",
        harness.state().actions
    );
    harness.drop_at(to);
    harness.run_steps(2);
    let sent = calls(&harness);
    let [(gesture, params)] = sent.as_slice() else { panic!("{sent:?}") };
    assert_eq!(*gesture, Gesture::SetInsert);
    let band = &params["effect"]["bands"][0];
    let (hertz, gain) = (band["frequency_hz"].as_f64().unwrap(), band["gain"].as_f64().unwrap());
    assert!(hertz > 1500.0 && hertz < 5000.0, "{band}");
    assert!(gain < 3.0 && gain > -6.0, "{band}");
}
