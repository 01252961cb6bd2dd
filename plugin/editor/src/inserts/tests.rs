//! The window of processors used as a person uses it.

mod bands;
mod dynamics;

use crate::action::Gesture;
use crate::settings::{Preset, Settings, SettingsChange};
use crate::testing::UserInput as _;
use crate::ui_tests::{Desk, harness, open_model};
use crate::{Action, Model, Motion, SoundOutput, Watched};
use deskhand_dsp::effects::{
    Band, BandShape, Compressor, Detector, Effect, EffectMeter, Equalizer, Limiter, Pace, Power,
    Unit,
};
use deskhand_dsp::{Decibels, SampleRate};
use deskhand_session::{InsertId, InsertOwner, PlacedInsert, RevisionId, Switch, TrackId};
use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use serde_json::{Value, json};

const VOCAL: InsertOwner = InsertOwner::Track(TrackId::new(1));
const FIRST: InsertId = InsertId::new(1);

fn placed(effect: Effect) -> PlacedInsert {
    PlacedInsert { on: VOCAL, index: 0, switch: Switch::On, effect }
}

/// The window with these processors on the vocal.
fn opened_with(effects: Vec<Effect>, prepare: impl FnOnce(&mut Model)) -> Harness<'static, Desk> {
    let mut model = open_model();
    let session = &mut model.mirror.as_mut().unwrap().snapshot.session;
    for (index, effect) in (0..).zip(effects) {
        let id = InsertId::new(u64::from(index) + 1);
        session.inserts.insert(id, PlacedInsert { index, ..placed(effect) });
    }
    prepare(&mut model);
    let mut harness = harness(model);
    harness.click_on("Processors of Vocal");
    harness
}

fn opened(effect: Effect) -> Harness<'static, Desk> {
    opened_with(vec![effect], |model| {
        model.live.reductions.insert(FIRST, 4.5);
    })
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

fn limiter() -> Effect {
    let (gain, ceiling) = (Decibels(6.0), Decibels(-1.0));
    Effect::Limiter(Limiter { gain, ceiling, release_ms: 80.0 })
}

/// What a player measures of `effect` in a second of a tone at `amplitude`.
fn measured(effect: &Effect, amplitude: f32) -> Watched {
    let rate = SampleRate(48_000);
    let mut unit = Unit::new(effect, Power::On, rate);
    let mut meter = EffectMeter::new(rate);
    assert!(unit.set(&deskhand_dsp::effects::Settings::of(effect), Power::On, Pace::AtOnce));
    for block in 0..100 {
        let sample = |n: usize| amplitude * (0.13 * (block * 480 + n) as f32).sin();
        let mut left: [f32; 480] = std::array::from_fn(sample);
        let (before, mut right) = (left, left);
        unit.process(&mut left, &mut right);
        meter.reduce(unit.take_reduction());
        for (before, after) in before.into_iter().zip(left) {
            meter.push([before; 2], [after; 2]);
        }
    }
    Watched { insert: FIRST, reading: meter.reading().clone() }
}

fn calls(harness: &Harness<'static, Desk>) -> Vec<(Gesture, Value)> {
    let calls = harness.state().actions.iter().filter_map(|action| match action {
        Action::Call { gesture, params } => Some((*gesture, params.clone())),
        _ => None,
    });
    calls.collect()
}

#[test]
fn without_a_processor_the_page_says_how_to_begin() {
    let mut empty = harness(open_model());
    empty.click_on("Processors of Vocal");
    assert!(empty.query_by_label_contains("No processors yet. Add one at the left").is_some());
    assert!(empty.query_by_label("Bypass").is_none());
}

#[test]
fn processors_are_in_the_place_of_the_mixer_or_in_a_window_as_the_person_chose() {
    let mut harness = opened_with(vec![compressor()], |model| {
        model.settings = Some(Settings::default());
    });
    let has = |harness: &Harness<'static, Desk>, name: &str| harness.query_by_label(name).is_some();
    assert!(has(&harness, "Processors area") && !has(&harness, "Mixer area"));
    harness.click_on("Show the processors in a window");
    assert!(!has(&harness, "Processors area") && has(&harness, "Mixer area"));
    assert!(has(&harness, "Compressor"), "its page is shown");
    let kept = |harness: &Harness<'static, Desk>| {
        let layouts = harness.state().actions.iter().filter_map(|action| match action {
            Action::Settings(SettingsChange::Layout(layout)) => Some(layout.floats_processors),
            _ => None,
        });
        layouts.collect::<Vec<bool>>()
    };
    assert_eq!(kept(&harness), [true]);
    harness.click_on("Show the processors below the timeline");
    assert_eq!(kept(&harness), [true, false]);
    assert!(has(&harness, "Processors area"));
    // The tabs lead back to the mixer.
    harness.get_by_role_and_label(Role::RadioButton, "Mixer").click();
    harness.run_steps(2);
    assert!(has(&harness, "Mixer area") && !has(&harness, "Processors area"));
}

#[test]
fn a_processor_is_added_switched_and_removed() {
    let mut harness = opened(compressor());
    assert!(harness.query_by_label("Compressor, −4.5 dB").is_some());
    harness.click_on("Add processor");
    harness.click_on("Limiter");
    harness.click_on("Compressor works");
    harness.click_on("Bypass");
    harness.focus_on("Compressor, −4.5 dB");
    harness.press(Key::Delete);
    let on = TrackId::new(1).to_string();
    let off = (Gesture::SwitchInsert, json!({"insert": FIRST, "switch": "off"}));
    assert_eq!(
        calls(&harness),
        [
            (Gesture::SetInsert, json!({"on": on, "effect": {"kind": "limiter"}})),
            off.clone(),
            off,
            (Gesture::RemoveInsert, json!({"insert": FIRST})),
        ]
    );
}

#[test]
fn a_removed_processor_comes_back_by_undo_until_something_else_is_done() {
    let mut harness = opened(compressor());
    harness.focus_on("Compressor, −4.5 dB");
    harness.press(Key::Backspace);
    assert!(harness.query_by_label("Compressor removed").is_none(), "it is there still");
    let snapshot = |harness: &mut Harness<'static, Desk>, head| {
        let snapshot = &mut harness.state_mut().model.mirror.as_mut().unwrap().snapshot;
        snapshot.session.inserts.clear();
        snapshot.head = RevisionId(head);
    };
    snapshot(&mut harness, 90);
    harness.run_steps(3);
    assert!(harness.query_by_label("Compressor removed").is_some());
    harness.click_on("Restore");
    assert!(harness.state().actions.contains(&Action::Undo));
    assert!(harness.query_by_label("Compressor removed").is_none());
}

#[test]
fn a_row_moves_by_keys_and_by_its_handle() {
    let mut harness = opened_with(vec![compressor(), equalizer(), limiter()], |_| {});
    let rows = ["Compressor, 4.0:1 over −20.0 dBFS", "Equalizer, 1 band", "Limiter, At −1.0 dBTP"];
    harness.focus_on(rows[0]);
    harness.press_with(Modifiers::ALT, Key::ArrowUp);
    harness.press_with(Modifiers::ALT, Key::ArrowDown);
    let [first, .., last] = rows.map(|row| harness.get_by_label(row).rect());
    let handle = egui::pos2(last.left() + 12.0, last.center().y);
    harness.drag(handle, egui::pos2(handle.x, first.top() + 4.0));
    let moved = |insert: u64, index| {
        (Gesture::SetInsert, json!({"insert": InsertId::new(insert), "index": index}))
    };
    assert_eq!(calls(&harness), [moved(1, 1), moved(3, 0)]);
}

#[test]
fn two_of_a_kind_are_told_apart() {
    let harness = opened_with(vec![compressor(), compressor()], |_| {});
    assert!(harness.query_by_label("Compressor 1 works").is_some());
    assert!(harness.query_by_label("Compressor 2 works").is_some());
}

#[test]
fn a_processor_that_is_added_is_shown_next() {
    let mut harness = opened(compressor());
    let session = &mut harness.state_mut().model.mirror.as_mut().unwrap().snapshot.session;
    session.inserts.insert(InsertId::new(2), PlacedInsert { index: 1, ..placed(equalizer()) });
    harness.run_steps(3);
    assert_eq!(harness.state().model.watched_insert(), Some(InsertId::new(2)));
    assert!(harness.query_by_label("Response of the equalizer").is_some());
    harness.click_on("Compressor, −4.5 dB");
    assert!(harness.query_by_label("Response of the equalizer").is_none());
    harness.click_on("Close the processors");
    assert_eq!(harness.state().model.watched_insert(), None);
}

#[test]
fn two_sides_of_a_processor_are_compared() {
    let mut harness = opened(limiter());
    harness.click_on("B");
    assert_eq!(calls(&harness), [], "the other side begins as the first one is");
    let session = &mut harness.state_mut().model.mirror.as_mut().unwrap().snapshot.session;
    let Effect::Limiter(limiter) = limiter() else { panic!() };
    let louder = Limiter { gain: Decibels(9.0), ..limiter };
    session.inserts.get_mut(&FIRST).unwrap().effect = Effect::Limiter(louder);
    harness.run_steps(2);
    harness.click_on("A");
    let calls = calls(&harness);
    assert_eq!(calls.len(), 1, "{calls:?}");
    assert_eq!(calls[0].1["effect"]["gain"], json!(6.0));
}

#[test]
fn settings_are_kept_under_a_name_and_taken_from_there() {
    let quiet = Preset { name: "Quiet".into(), effect: compressor() };
    let loud = Preset { name: "Loud".into(), effect: limiter() };
    let presets = Some(vec![quiet.clone(), loud.clone()]);
    let settings = Settings { presets, ..Settings::default() };
    let mut harness = opened_with(vec![equalizer(), limiter()], |model| {
        model.settings = Some(settings);
    });
    harness.get_by_role_and_label(Role::ComboBox, "Presets").click();
    harness.run_steps(4);
    assert!(harness.query_by_label("Loud").is_none(), "it is of another kind");
    harness.click_on("Save as…");
    harness.type_into("Name of the preset", "Voice");
    harness.press(Key::Enter);
    let voice = Preset { name: "Voice".into(), effect: equalizer() };
    let kept = Action::Settings(SettingsChange::KeepPreset(voice));
    assert!(harness.state().actions.contains(&kept), "{:?}", harness.state().actions);
    harness.click_on("Limiter, At −1.0 dBTP");
    harness.get_by_role_and_label(Role::ComboBox, "Presets").click();
    harness.run_steps(4);
    harness.click_on("Delete Loud");
    let gone = Action::Settings(SettingsChange::RemovePreset(loud));
    assert!(harness.state().actions.contains(&gone), "{:?}", harness.state().actions);
    assert_eq!(calls(&harness), []);
}
