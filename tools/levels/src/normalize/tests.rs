//! Tests of `tool_normalize`.

use deskhand_dsp::{Decibels, Frames};
use deskhand_session::{Change, ClipId, Edit, Measure, Output, Prediction, SplitState, Track};
use deskhand_toolkit::testing::{Desk, SECOND, joined, noise, tone};
use proptest::prelude::*;
use serde_json::json;

fn two_clips() -> Desk {
    let mut desk = Desk::new(crate::all());
    let track = desk.track(Track::audio("Voice"));
    desk.clip(track, "Quiet", 0, tone(1000.0, -30.0, 5.0));
    desk.clip(track, "Loud", 10 * SECOND, tone(1000.0, -10.0, 5.0));
    desk
}

#[test]
fn each_clip_reaches_the_loudness_and_the_plan_says_why() {
    let mut desk = two_clips();
    let draft = desk.settle("tool_normalize", &json!({"targets": "all", "target_lufs": -16.0}));
    assert_eq!(draft.summary, "Bring Quiet and Loud to -16 LUFS");
    // A mono sine of 1 kHz reads 3.0 LU below its peak: half of its power, in one channel.
    let gains: Vec<_> =
        draft.changes.iter().map(|c| (c.name.as_str(), c.reason.as_str())).collect();
    assert_eq!(gains, [("Quiet", "measured -33.0 LUFS"), ("Loud", "measured -13.0 LUFS")]);
    assert_eq!(draft.reads.len(), 2);
    assert_eq!(draft.findings.len(), 2);
    assert_eq!(draft.predicted[0].from, ["c1"]);
    assert!((draft.predicted[0].value + 16.0).abs() < 0.02);
    assert_eq!(desk.measurements(), 2, "the second plan measured nothing");
}

#[test]
fn pieces_of_one_recording_get_one_gain() {
    let mut desk = Desk::new(crate::all());
    let (guest, host) = (desk.track(Track::audio("Guest")), desk.track(Track::audio("Host")));
    let take = joined(&[tone(1000.0, -30.0, 4.0), noise(-70.0, 1.0), tone(1000.0, -20.0, 4.0)]);
    let first = desk.clip(guest, "guest", 0, take.clone());
    desk.clip(host, "host", 0, take);
    let rest = ClipId::new(99);
    let whole = desk.session.clips[&first].clone();
    let parts = SplitState::parts(&whole, rest, Frames(5 * SECOND));
    let split = Edit::new(first, SplitState::Whole { clip: whole, right_id: rest }, parts);
    desk.session = desk.session.with([&Change::SplitClip(split)]).unwrap();
    let params = json!({"targets": "all", "target_lufs": -16.0});
    let draft = desk.settle("tool_normalize", &params);
    let gains: Vec<_> =
        draft.changes.iter().map(|c| (c.name.as_str(), c.reason.as_str())).collect();
    let of_guest = ("guest", "measured -25.7 LUFS in 2 pieces");
    assert_eq!(gains, [of_guest, of_guest, ("host", "measured -25.7 LUFS")]);
    let gain = |id| desk.session.clips[&id].gain;
    assert_eq!(gain(first), gain(rest), "the balance of what was said stays");
}

#[test]
fn a_clip_behind_a_moved_fader_is_said_to_be_brought_to_a_level_ahead_of_it() {
    let mut desk = two_clips();
    let track = desk.session.track_order[0];
    desk.session.tracks.get_mut(&track).unwrap().gain = Decibels(-10.0);
    let by = |per: &str| {
        let params = json!({"targets": "Voice", "target_lufs": -20.0, "per": per});
        desk.plan("tool_normalize", params).summary
    };
    assert_eq!(by("clip"), "Bring Quiet and Loud to -20 LUFS, before the fader at -10 dB");
    assert_eq!(by("track"), "Bring Voice to -20 LUFS");
}

#[test]
fn every_measure_is_reached_per_clip_per_track_and_for_the_mix() {
    for target in ["target_lufs", "target_dbtp", "target_dbfs", "target_rms_dbfs"] {
        for per in ["clip", "track", "mix"] {
            let mut desk = two_clips();
            let params = json!({"targets": "all", target: -20.0, "per": per});
            let draft = desk.settle("tool_normalize", &params);
            assert!(!draft.changes.is_empty() && !draft.predicted.is_empty());
            assert!(draft.predicted.iter().all(|p| (p.value + 20.0).abs() < 0.02), "{draft:?}");
        }
    }
}

#[test]
fn a_ceiling_lowers_the_gain_and_says_by_how_much_the_target_is_missed() {
    let mut desk = Desk::new(crate::all());
    let track = desk.track(Track::audio("Drums"));
    let hits = joined(&[tone(1000.0, -3.0, 0.005), noise(-40.0, 5.0)]);
    desk.clip(track, "Hits", 0, hits);
    let params = json!({"targets": "Hits", "target_lufs": -14.0, "ceiling_dbtp": -1.0});
    let draft = desk.settle("tool_normalize", &params);
    assert!(draft.warnings[0].starts_with("\"Hits\": the ceiling of -1 dBTP holds it at "));
    assert!(draft.warnings[0].ends_with(" LU below -14 LUFS"), "{}", draft.warnings[0]);
    let peak = draft.predicted.iter().find(|p| p.measure == Measure::TruePeak).unwrap();
    assert!(peak.value <= -1.0);
    assert!(draft.changes[0].reason.contains("true peak -3.0 dBTP"), "{}", draft.changes[0].reason);
}

/// A clip with peaks far above its loudness, and one without, before a fader that lowers them.
fn hits_and_a_tone() -> Desk {
    let mut desk = Desk::new(crate::all());
    let track = desk.track(Track::audio("Drums"));
    desk.session.tracks.get_mut(&track).unwrap().gain = Decibels(-20.0);
    desk.clip(track, "Hits", 0, joined(&[tone(1000.0, -3.0, 0.005), noise(-40.0, 5.0)]));
    desk.clip(track, "Pad", 10 * SECOND, tone(1000.0, -30.0, 5.0));
    desk
}

#[test]
fn a_true_peak_over_full_scale_is_predicted_and_told_with_the_way_out() {
    let mut desk = hits_and_a_tone();
    let draft = desk.settle("tool_normalize", &json!({"targets": "all", "target_lufs": -16.0}));
    let told = &draft.warnings[0];
    assert!(told.starts_with("\"Hits\": peaks would reach +"), "{told}");
    let way = " dBTP: over 0, which clips unless a fader or limiter after it takes it down; \
               a ceiling of -1 dBTP brings \"Hits\" to -";
    assert!(told.contains(way) && told.ends_with(" LUFS"), "{told}");
    let [hold] = &draft.offers[..] else { panic!("{:?}", draft.offers) };
    assert_eq!((hold.label.as_str(), &hold.warning), ("Hold at -1 dBTP", told));
    assert_eq!(hold.params, json!({"ceiling_dbtp": -1.0}));
    let peaks = draft.predicted.iter().filter(|p| p.measure == Measure::TruePeak);
    let peaks: Vec<_> = peaks.map(|p| (p.target, p.value > 0.0)).collect();
    assert_eq!(peaks, [(draft.changes[0].change.target(), true)], "the other one stays below");
    let found = draft.findings.iter().find(|it| it.measure == Measure::TruePeak).unwrap();
    assert!((found.value.unwrap() + 3.0).abs() < 0.3, "{found:?}");
    let reasons = draft.changes.iter().map(|it| it.reason.contains("; peaks come to +"));
    assert_eq!(reasons.collect::<Vec<_>>(), [true, false]);
}

#[test]
fn of_many_over_full_scale_the_highest_is_told_and_what_was_asked_is_not() {
    let mut desk = hits_and_a_tone();
    let track = desk.session.track_order[0];
    desk.clip(track, "More", 20 * SECOND, joined(&[tone(1000.0, -6.0, 0.005), noise(-40.0, 5.0)]));
    let params = json!({"targets": ["More", "Hits"], "target_lufs": -16.0});
    let told = &desk.plan("tool_normalize", params.clone()).warnings[0];
    assert!(told.starts_with("\"Hits\", \"More\": peaks would reach up to +"), "{told}");
    let mut together = params;
    together["together"] = true.into();
    let told = &desk.plan("tool_normalize", together).warnings[0];
    assert!(told.ends_with(" unless faders or limiters after them take them down"), "{told}");
    let one = json!({"targets": ["Hits", "Pad"], "target_lufs": -16.0, "together": true});
    let told = &desk.plan("tool_normalize", one).warnings[0];
    assert!(told.starts_with("\"Hits\": peaks ") && told.ends_with(" takes it down"), "{told}");
    let mix = json!({"targets": "mix", "target_lufs": -10.0});
    let told = &desk.plan("tool_normalize", mix).warnings[0];
    assert!(told.contains("over 0, which clips; ") && told.ends_with("for both: tool_master"));
    let asked = json!({"targets": "Hits", "target_dbtp": 2.0});
    let warnings = desk.plan("tool_normalize", asked).warnings;
    assert!(warnings.is_empty(), "{warnings:?}");
}

#[test]
fn together_keeps_the_balance() {
    let mut desk = two_clips();
    let params = json!({"targets": "all", "target_lufs": -16.0, "together": true});
    let draft = desk.settle("tool_normalize", &params);
    let gains: Vec<f64> = desk.session.clips.values().map(|clip| clip.gain.0).collect();
    assert_eq!(gains[0], gains[1]);
    assert_eq!(draft.summary, "Bring Quiet and Loud together to -16 LUFS");
    let promised: Vec<f64> = draft.predicted.iter().map(|p| p.value).collect();
    assert!((promised[1] - promised[0] - 20.0).abs() < 0.1);
}

#[test]
fn silence_is_passed_over_and_named() {
    let mut desk = two_clips();
    let track = desk.session.track_order[0];
    desk.clip(track, "Nothing", 20 * SECOND, vec![0.0; 48_000]);
    desk.clip(track, "Tick", 30 * SECOND, vec![0.5; 100]);
    let draft = desk.plan("tool_normalize", json!({"targets": "all", "target_lufs": -16.0}));
    assert_eq!(draft.changes.len(), 2);
    let expected = "\"Nothing\", \"Tick\": silent, below the gate or too short; passed over";
    assert_eq!(draft.warnings, [expected]);
    let none = desk.plan("tool_normalize", json!({"targets": "Nothing", "target_lufs": -16.0}));
    assert_eq!(none.summary, "Nothing to change: no clip could be brought to -16 LUFS");
}

#[test]
fn a_gain_beyond_the_range_is_refused_with_its_number() {
    let mut desk = Desk::new(crate::all());
    let track = desk.track(Track::audio("Room"));
    desk.clip(track, "Room tone", 0, noise(-66.0, 3.0));
    let draft = desk.plan("tool_normalize", json!({"targets": "all", "target_dbfs": 0.0}));
    assert_eq!(draft.changes, []);
    assert!(draft.warnings[0].contains("would need a gain of 61."), "{}", draft.warnings[0]);
}

#[test]
fn a_clip_pulled_down_below_the_gate_is_still_found() {
    let mut desk = two_clips();
    let id = *desk.session.clips.keys().next().unwrap();
    desk.session.clips.get_mut(&id).unwrap().gain = Decibels(-70.0);
    let draft = desk.settle("tool_normalize", &json!({"targets": "Quiet", "target_lufs": -20.0}));
    assert_eq!(draft.changes[0].reason, "below the gate at -70 dB");
}

#[test]
fn the_mix_gets_the_master_gain() {
    let mut desk = two_clips();
    let draft = desk.settle("tool_normalize", &json!({"targets": "mix", "target_lufs": -23.0}));
    assert!(matches!(draft.changes[0].change, Change::SetMasterGain(_)));
    assert_eq!(draft.summary, "Bring the mix to -23 LUFS");
}

#[test]
fn contradictions_are_refused_with_the_way_out() {
    let desk = two_clips();
    let none = desk.refusal("tool_normalize", json!({"targets": "all"}));
    assert!(none.contains("no level") && none.contains("`target_lufs`"), "{none}");
    let two = json!({"targets": "all", "target_lufs": -16, "target_dbtp": -1});
    assert!(desk.refusal("tool_normalize", two).contains("exactly one"));
    let mix = json!({"targets": "mix", "target_lufs": -16, "per": "clip"});
    assert!(desk.refusal("tool_normalize", mix).contains("neither a clip nor a track"));
    let far = desk.refusal("tool_normalize", json!({"targets": "all", "target_lufs": 3}));
    assert!(far.contains("target_lufs is at most 0.0, not 3"), "{far}");
    let unknown = json!({"targets": "Voize", "target_lufs": -16});
    assert!(desk.refusal("tool_normalize", unknown).contains("\"Voice\""));
}

#[test]
fn a_bus_has_no_clips_and_is_normalized_per_track() {
    let mut desk = two_clips();
    let bus = desk.track(Track::bus("Drum bus"));
    for targets in ["Drum bus".to_owned(), bus.to_string()] {
        let params = json!({"targets": targets, "target_lufs": -16});
        let refusal = desk.refusal("tool_normalize", params);
        assert!(refusal.contains("\"Drum bus\" is a bus and has no clips"), "{refusal}");
        assert!(refusal.contains("per track (`per=track`)"), "{refusal}");
    }
    let empty = desk.track(Track::audio("Empty")).to_string();
    let params = json!({"targets": empty, "target_lufs": -16});
    let refusal = desk.refusal("tool_normalize", params);
    assert!(refusal.contains("\"Empty\" has no clips"), "{refusal}");
}

/// Two tracks that play into a bus, as the bus is heard through them.
fn two_tracks_on_a_bus() -> Desk {
    let mut desk = Desk::new(crate::all());
    let bus = desk.track(Track::bus("Band"));
    for (name, level) in [("Guitar", -30.0), ("Keys", -12.0)] {
        let id = desk.track(Track::audio(name));
        desk.session.tracks.get_mut(&id).unwrap().output = Output::Bus(bus);
        desk.clip(id, name, 0, noise(level, 4.0));
    }
    desk
}

#[test]
fn a_bus_is_measured_with_the_gains_of_what_plays_into_it() {
    let mut desk = two_tracks_on_a_bus();
    let params = json!({"targets": "all", "target_lufs": -23.0, "per": "track"});
    let draft = desk.settle("tool_normalize", &params);
    let order: Vec<_> = draft.changes.iter().map(|change| change.name.as_str()).collect();
    assert_eq!(order, ["Guitar", "Keys", "Band"]);
    assert_eq!(draft.predicted[2].from, ["c1", "c2", "c3"]);
    assert!(draft.predicted.iter().all(|p| (p.value + 23.0).abs() < 0.02), "{:?}", draft.predicted);
}

#[test]
fn one_gain_for_all_reaches_a_bus_through_its_tracks_alone() {
    let mut desk = two_tracks_on_a_bus();
    let params = json!({"targets": "all", "target_lufs": -23.0, "per": "track", "together": true});
    let draft = desk.settle("tool_normalize", &params);
    assert_eq!(draft.changes.len(), 2);
    let told = "\"Band\": gets the gain of what plays into it; its fader stays";
    assert_eq!(draft.warnings, [told]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_material_reaches_any_target(
        levels in prop::collection::vec(-55f64..-3.0, 1..5),
        own in -30f64..30.0,
        target in -40f64..-8.0,
    ) {
        let mut desk = Desk::new(crate::all());
        let track = desk.track(Track::audio("Any"));
        let parts: Vec<_> = levels.iter().map(|level| noise(*level, 0.7)).collect();
        let id = desk.clip(track, "Any", 0, joined(&parts));
        desk.session.clips.get_mut(&id).unwrap().gain = Decibels(own).rounded();
        let draft = desk.settle("tool_normalize", &json!({"targets": "all", "target_lufs": target}));
        let is_loudness = |p: &&Prediction| {
            p.measure == Measure::IntegratedLoudness && p.target == id.into()
        };
        let mut reached = draft.predicted.iter().filter(is_loudness);
        prop_assert!(reached.all(|p| (p.value - target).abs() <= 0.1));
    }
}
