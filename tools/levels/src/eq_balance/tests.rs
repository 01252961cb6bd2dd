//! Tracks with planted resonances, rumble and covering.

use deskhand_dsp::effects::{BandShape, Effect};
use deskhand_session::{Change, InsertOwner, Measure, Output, Track};
use deskhand_toolkit::testing::{Desk, noise, tone};
use serde_json::json;

fn sum(parts: &[Vec<f32>]) -> Vec<f32> {
    (0..parts[0].len()).map(|n| parts.iter().map(|part| part[n]).sum()).collect()
}

/// Noise around `hz`, two octaves wide.
fn around(hz: f64, dbfs: f64, seconds: f64) -> Vec<f32> {
    let tones = (0..60).map(|n| {
        let hz = hz * 2f64.powf(f64::from(n) / 30.0 - 1.0 + 0.003 * f64::from(n * n % 7));
        tone(hz, dbfs - 18.0, seconds)
    });
    sum(&tones.collect::<Vec<_>>())
}

#[test]
fn a_resonance_and_rumble_are_lowered_and_spectra_are_findings() {
    let mut desk = Desk::new(crate::all());
    let vocal = desk.track(Track::audio("Lead Vocal"));
    let parts = [noise(-30.0, 4.0), tone(930.0, -30.0, 4.0), tone(30.0, -44.0, 4.0)];
    desk.clip(vocal, "take", 0, sum(&parts));
    let draft = desk.settle("tool_eq_balance", &json!({"targets": "Lead Vocal"}));
    assert_eq!(draft.summary, "Equalize \"Lead Vocal\"");
    let insert = desk.session.inserts.values().next().unwrap().clone();
    let Effect::Equalizer(equalizer) = insert.effect else { panic!("no equalizer") };
    let shapes: Vec<_> = equalizer.bands.iter().map(|band| band.shape).collect();
    assert_eq!(shapes, [BandShape::LowCut, BandShape::Bell]);
    assert!((equalizer.bands[1].frequency_hz - 930.0).abs() < 30.0, "{equalizer:?}");
    assert!((-6.0..-2.0).contains(&equalizer.bands[1].gain.0), "{equalizer:?}");
    let at = |when: &str| {
        let method = format!("third octave around 1000 Hz, {when}");
        draft
            .findings
            .iter()
            .find(|f| f.measure == Measure::BandLevel && f.method == method)
            .unwrap()
    };
    assert!(at("with the plan").value.unwrap() < at("now").value.unwrap() - 1.0);
}

#[test]
fn room_is_made_where_one_covers_the_other() {
    let mut desk = Desk::new(crate::all());
    let (vocal, guitar) = (desk.track(Track::audio("Vocal")), desk.track(Track::audio("Guitar")));
    desk.clip(vocal, "voice", 0, around(2000.0, -20.0, 3.0));
    desk.clip(guitar, "strum", 0, sum(&[around(2000.0, -16.0, 3.0), around(300.0, -12.0, 3.0)]));
    let params =
        json!({"targets": "Guitar", "room_for": "Vocal", "resonances": false, "low_cuts": false});
    let draft = desk.settle("tool_eq_balance", &params);
    assert_eq!(draft.summary, "Equalize Guitar, making room for Vocal");
    let insert = desk.session.inserts.values().next().unwrap().clone();
    let Effect::Equalizer(equalizer) = insert.effect else { panic!("no equalizer") };
    assert!(!equalizer.bands.is_empty());
    for band in &equalizer.bands {
        assert!((1000.0..4100.0).contains(&band.frequency_hz) && band.gain.0 < 0.0, "{band:?}");
    }
}

#[test]
fn what_is_cut_on_a_track_is_not_cut_again_on_its_bus() {
    let mut desk = Desk::new(crate::all());
    let bus = desk.track(Track::bus("Drums"));
    let kick = desk.track(Track::audio("Kick"));
    desk.session.tracks.get_mut(&kick).unwrap().output = Output::Bus(bus);
    desk.clip(kick, "kick", 0, sum(&[noise(-30.0, 4.0), tone(930.0, -30.0, 4.0)]));
    let owners = |targets: &str| {
        let draft = desk.plan("tool_eq_balance", json!({"targets": targets}));
        let inserts = draft.changes.iter().map(|planned| match &planned.change {
            Change::SetInsert(edit) => edit.after.as_ref().map(|insert| insert.on),
            other => panic!("{other:?}"),
        });
        (inserts.collect::<Vec<_>>(), draft.warnings)
    };
    let (on, told) = owners("all");
    assert_eq!(on, [Some(InsertOwner::Track(kick))]);
    assert!(told[0].starts_with("\"Drums\": heard through the equalizers of what"), "{told:?}");
    let (on, told) = owners("Drums");
    assert_eq!(on, [Some(InsertOwner::Track(bus))], "a bus that is asked for alone");
    assert!(told.is_empty(), "{told:?}");
}

#[test]
fn a_track_makes_no_room_for_itself() {
    let mut desk = Desk::new(crate::all());
    let vocal = desk.track(Track::audio("Vocal"));
    desk.clip(vocal, "voice", 0, noise(-30.0, 1.0));
    let told = desk.refusal("tool_eq_balance", json!({"targets": "Vocal", "room_for": "Vocal"}));
    assert!(told.contains("a track cannot make room for itself"), "{told}");
}
