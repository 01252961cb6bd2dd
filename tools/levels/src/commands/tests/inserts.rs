//! Tests of the commands for processors.

use super::{desk, run};
use deskhand_dsp::Decibels;
use deskhand_dsp::effects::Effect;
use deskhand_session::{InsertOwner, PlacedInsert, Switch};
use deskhand_toolkit::testing::Desk;
use serde_json::{Value, json};

fn on_master(desk: &Desk) -> Vec<PlacedInsert> {
    let inserts = desk.session.inserts_on(InsertOwner::Master).into_iter();
    inserts.map(|(_, placed)| placed.clone()).collect()
}

#[test]
fn a_processor_is_put_in_set_switched_and_taken_out() {
    let mut desk = desk();
    let limiter = json!({"on": "master", "effect": {"kind": "limiter", "ceiling": -2}});
    let draft = desk.plan("cmd_set_insert", limiter);
    assert_eq!(draft.summary, "Put a limiter on the mix");
    desk.apply(&draft);
    let bands = json!([{"shape": "low_cut", "frequency_hz": 30}]);
    let equalizer =
        json!({"on": "master", "index": 0, "effect": {"kind": "equalizer", "bands": bands}});
    run(&mut desk, "cmd_set_insert", equalizer);
    run(
        &mut desk,
        "cmd_set_insert",
        json!({"insert": "limiter", "index": 5, "effect": {"release_ms": 10}}),
    );
    let placed = on_master(&desk);
    let Effect::Limiter(limiter) = &placed[1].effect else { panic!("{placed:?}") };
    assert_eq!((limiter.ceiling, limiter.release_ms, placed[1].index), (Decibels(-2.0), 10.0, 5));
    run(
        &mut desk,
        "cmd_switch_insert",
        json!({"insert": "limiter", "on": "master", "switch": "off"}),
    );
    assert_eq!(on_master(&desk)[1].switch, Switch::Off);
    run(&mut desk, "cmd_remove_insert", json!({"insert": "equalizer"}));
    assert_eq!(on_master(&desk).len(), 1);
}

#[test]
fn a_processor_moves_to_its_position_and_the_others_make_room() {
    let mut desk = desk();
    for kind in ["equalizer", "compressor", "limiter"] {
        run(&mut desk, "cmd_set_insert", json!({"on": "master", "effect": {"kind": kind}}));
    }
    let order = |desk: &Desk| -> Vec<&str> {
        on_master(desk).iter().map(|placed| placed.effect.title()).collect()
    };
    let first = desk.plan("cmd_set_insert", json!({"insert": "limiter", "index": 0}));
    assert_eq!((first.summary.as_str(), first.changes.len()), ("Set the limiter of the mix", 3));
    desk.apply(&first);
    assert_eq!(order(&desk), ["limiter", "equalizer", "compressor"]);
    run(&mut desk, "cmd_set_insert", json!({"insert": "limiter", "index": 1}));
    assert_eq!(order(&desk), ["equalizer", "limiter", "compressor"]);
}

#[test]
fn a_band_of_the_same_shape_is_set_or_kept_as_it_is() {
    let mut desk = desk();
    let low_cut = |hz: f64, existing: &str| {
        let band = json!({"shape": "low_cut", "frequency_hz": hz});
        let effect = json!({"kind": "equalizer", "bands": [band]});
        json!({"on": "master", "effect": effect, "existing": existing})
    };
    run(&mut desk, "cmd_set_insert", low_cut(30.0, "refuse"));
    let told = desk.refusal("cmd_set_insert", low_cut(80.0, "refuse"));
    assert!(told.contains("has such a band already, at 30 Hz"), "{told}");
    run(&mut desk, "cmd_set_insert", low_cut(80.0, "set"));
    let placed = on_master(&desk);
    let [PlacedInsert { effect: Effect::Equalizer(equalizer), .. }] = &placed[..] else {
        panic!("{placed:?}")
    };
    let cuts: Vec<f64> = equalizer.bands.iter().map(|band| band.frequency_hz).collect();
    assert_eq!(cuts, [80.0]);
    run(&mut desk, "cmd_set_insert", low_cut(40.0, "keep"));
    assert_eq!(on_master(&desk).len(), 2);
}

#[test]
fn all_processors_of_a_track_are_taken_out_in_one_step() {
    let mut desk = desk();
    for kind in ["gate", "compressor"] {
        run(&mut desk, "cmd_set_insert", json!({"on": "Voice", "effect": {"kind": kind}}));
    }
    let draft = desk.plan("cmd_remove_insert", json!({"on": "Voice"}));
    assert_eq!(draft.summary, "Take out all processors of Voice");
    desk.apply(&draft);
    assert!(desk.session.inserts.is_empty());
    let told = desk.refusal("cmd_remove_insert", json!({"on": "Voice"}));
    assert!(told.contains("no processor is on Voice"), "{told}");
}

#[test]
fn what_cannot_be_set_is_told_with_the_way_out() {
    let mut desk = desk();
    let refused = |desk: &Desk, params: Value| desk.refusal("cmd_set_insert", params);
    assert!(refused(&desk, json!({"effect": {"kind": "gate"}})).contains("let `on` be a track"));
    assert!(refused(&desk, json!({"on": "Voice"})).contains("let `kind` be equalizer, compressor"));
    let steep = json!({"on": "Voice", "effect": {"kind": "compressor", "ratio": 0.5}});
    let told = refused(&desk, steep);
    assert!(told.contains("effect.ratio is at least 1.0, not 0.5"), "{told}");
    let strange = json!({"on": "Voice", "effect": {"kind": "limiter", "ratio": 2}});
    assert!(refused(&desk, strange).contains("unknown field `ratio`"));
    assert!(
        desk.refusal("cmd_remove_insert", json!({"insert": "gate"})).contains("session has none")
    );
    for on in ["Voice", "Guitar"] {
        run(&mut desk, "cmd_set_insert", json!({"on": on, "effect": {"kind": "gate"}}));
    }
    let which = desk.refusal("cmd_remove_insert", json!({"insert": "gate"}));
    assert!(which.contains("2 processors are called \"gate\"") && which.contains("gate of Voice"));
}
