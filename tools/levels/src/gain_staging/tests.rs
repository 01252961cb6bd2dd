//! Tests of `tool_gain_stage`.

use deskhand_session::{Measure, Output, Track};
use deskhand_toolkit::testing::{Desk, SECOND, joined, noise, tone};
use serde_json::json;

/// A loud and a soft track on a bus, a vocal with long pauses and bleed, an empty track.
fn desk() -> Desk {
    let mut desk = Desk::new(crate::all());
    let bus = desk.track(Track::bus("Band"));
    let loud = desk.track(Track::audio("Loud"));
    let soft = desk.track(Track::audio("Soft"));
    let vocal = desk.track(Track::audio("Vocal"));
    desk.track(Track::audio("Empty"));
    for id in [loud, soft] {
        desk.session.tracks.get_mut(&id).unwrap().output = Output::Bus(bus);
    }
    desk.clip(loud, "Loud", 0, noise(-6.0, 4.0));
    desk.clip(soft, "Soft", SECOND, tone(300.0, -40.0, 4.0));
    let pauses =
        joined(&[noise(-24.0, 1.0), vec![0.0; 96_000], noise(-50.0, 3.0), noise(-24.0, 1.0)]);
    desk.clip(vocal, "Vocal", 0, pauses);
    desk
}

#[test]
fn tracks_reach_the_working_level_of_their_active_parts() {
    let mut desk = desk();
    let params = json!({"targets": ["Loud", "Soft", "Vocal", "Empty"]});
    let draft = desk.settle("tool_gain_stage", &params);
    let gain = |name: &str| {
        let track = desk.session.tracks.values().find(|track| track.name == name).unwrap();
        track.gain.0
    };
    assert!((gain("Loud") + 12.0).abs() < 0.1, "{}", gain("Loud"));
    assert!((gain("Soft") - 25.0).abs() < 0.1, "{}", gain("Soft"));
    assert!((gain("Vocal") - 6.0).abs() < 0.1, "pauses and bleed do not count: {}", gain("Vocal"));
    assert_eq!(draft.warnings, ["\"Empty\": no active parts; passed over"]);
    assert!(
        draft.summary.starts_with("Bring 3 tracks to -18 dBFS active RMS; the mix will peak at ")
    );
    assert!(desk.session.clips.values().all(|clip| clip.gain.0 == 0.0), "clip gains stay");
}

#[test]
fn headroom_of_buses_and_the_mix_is_promised() {
    let desk = desk();
    let draft = desk.plan("tool_gain_stage", json!({"targets": ["Loud", "Soft", "Vocal"]}));
    let of = |name: &str, measure| {
        let found = draft.predicted.iter().filter(|p| p.measure == measure);
        found.filter(|p| desk.session.name_of(p.target) == name).count()
    };
    assert_eq!((of("Band", Measure::TruePeak), of("the mix", Measure::TruePeak)), (1, 1));
}

#[test]
fn buses_are_set_after_what_plays_into_them() {
    let mut desk = desk();
    let draft = desk.settle("tool_gain_stage", &json!({"targets": "all", "target_lufs": -23.0}));
    let order: Vec<_> = draft.changes.iter().map(|change| change.name.as_str()).collect();
    assert_eq!(order, ["Loud", "Soft", "Vocal", "Band"]);
    assert!(draft.changes[0].reason.starts_with("measured "), "{}", draft.changes[0].reason);
    let of_bus = &draft.changes[3].reason;
    assert!(of_bus.starts_with("with its tracks as planned "), "{of_bus}");
    let band = draft.predicted.iter().find(|p| p.from.last().is_some_and(|id| id == "c4")).unwrap();
    assert_eq!(band.from, ["c1", "c2", "c4"]);
}

#[test]
fn headroom_is_a_sample_peak() {
    let mut desk = desk();
    let draft = desk.settle("tool_gain_stage", &json!({"targets": "Soft", "target_peak_dbfs": -6}));
    assert_eq!(draft.predicted[0].measure, Measure::SamplePeak);
    assert!((draft.predicted[0].value + 6.0).abs() < 0.02);
}

#[test]
fn a_mix_over_full_scale_is_told() {
    let mut desk = desk();
    let draft = desk.plan("tool_gain_stage", json!({"targets": "Soft", "target_peak_dbfs": 0}));
    let told = &draft.warnings[0];
    assert!(told.starts_with("the mix would peak at +") && told.contains(" (now "), "{told}");
    assert!(told.ends_with("over full scale, which clips"), "{told}");
    assert_eq!(draft.offers.len(), 2, "{:?}", draft.offers);
    desk.apply(&draft);
    let two = desk.refusal(
        "tool_gain_stage",
        json!({"targets": "all", "target_lufs": -20, "target_rms_dbfs": -18}),
    );
    assert!(two.contains("more than one"), "{two}");
}
