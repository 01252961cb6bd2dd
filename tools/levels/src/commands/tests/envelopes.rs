//! Tests of the commands for gain over time.

use super::{desk, run};
use deskhand_dsp::volume::gain_at;
use deskhand_dsp::{EnvelopePoint, Frames};
use deskhand_toolkit::testing::{Desk, SECOND};
use serde_json::{Value, json};

fn track_line(desk: &Desk, name: &str) -> Vec<EnvelopePoint> {
    let found = desk.session.tracks.values().find(|track| track.name == name);
    found.unwrap().envelope.clone()
}

fn clip_line(desk: &Desk, name: &str) -> Vec<EnvelopePoint> {
    desk.session.clips.values().find(|clip| clip.name == name).unwrap().envelope.clone()
}

fn spots(line: &[EnvelopePoint]) -> Vec<(i64, f64)> {
    line.iter().map(|point| (point.position.0, point.gain.0)).collect()
}

#[test]
fn a_range_gets_ramps_inside_and_adds_to_what_is_there() {
    let mut desk = desk();
    let dip = |change_db: f64| json!({"targets": "Guitar", "range": {"from_s": 2, "to_s": 4, "change_db": change_db, "ramp_ms": 500}});
    run(&mut desk, "cmd_set_track_envelope", dip(-6.0));
    let line = track_line(&desk, "Guitar");
    let (half, from) = (SECOND / 2, 2 * SECOND);
    assert_eq!(
        spots(&line),
        [(from, 0.0), (from + half, -6.0), (from + 3 * half, -6.0), (from + 4 * half, 0.0)]
    );
    run(&mut desk, "cmd_set_track_envelope", dip(2.0));
    assert_eq!(gain_at(&track_line(&desk, "Guitar"), Frames(3 * SECOND)).0, -4.0);
    assert_eq!(gain_at(&track_line(&desk, "Guitar"), Frames(SECOND)).0, 0.0);
    let gone = json!({"targets": "Guitar", "points": []});
    assert_eq!(run(&mut desk, "cmd_set_track_envelope", gone), ["set_track_envelope"]);
    assert_eq!(track_line(&desk, "Guitar"), []);
}

#[test]
fn a_line_of_a_clip_stands_at_frames_of_its_source() {
    let mut desk = desk();
    let points = json!({"targets": "Chorus", "points": [
        {"at_s": 6, "gain_db": -3, "curve": 0.5}, {"at_s": 8, "gain_db": 3}]});
    run(&mut desk, "cmd_set_clip_envelope", points);
    let drawn = [(0, -3.0), (2 * SECOND, 3.0)];
    assert_eq!(spots(&clip_line(&desk, "Chorus")), drawn);
}

#[test]
fn a_range_over_the_end_of_a_clip_does_not_ramp_there() {
    let mut desk = desk();
    let tail = json!({"targets": "Voice", "range": {"from_s": 3, "to_s": 5, "change_db": -12}});
    let ops = run(&mut desk, "cmd_set_clip_envelope", tail);
    assert_eq!(ops, ["set_clip_envelope"], "the chorus is not reached");
    let line = clip_line(&desk, "Verse");
    assert_eq!(gain_at(&line, Frames(4 * SECOND - 1)).0, -12.0);
    assert_eq!(gain_at(&line, Frames(3 * SECOND)).0, 0.0);
}

#[test]
fn a_bend_that_is_cut_keeps_its_course() {
    let mut desk = desk();
    let bend = json!({"targets": "Guitar", "points": [
        {"at_s": 0, "gain_db": -20, "curve": 1}, {"at_s": 10, "gain_db": 0}]});
    run(&mut desk, "cmd_set_track_envelope", bend);
    let before = track_line(&desk, "Guitar");
    let range = json!({"from_s": 4, "to_s": 6, "change_db": -1, "ramp_ms": 0});
    run(&mut desk, "cmd_set_track_envelope", json!({"targets": "Guitar", "range": range}));
    let after = track_line(&desk, "Guitar");
    for tenth in 0..100 {
        let at = Frames(tenth * SECOND / 10);
        let change = gain_at(&after, at).0 - gain_at(&before, at).0;
        let expected = if (40..60).contains(&tenth) { -1.0 } else { 0.0 };
        assert!((change - expected).abs() < 1.0, "{change} dB at {tenth} tenths");
    }
}

#[test]
fn a_line_is_points_or_a_range() {
    let desk = desk();
    let refused = |params: Value| desk.refusal("cmd_set_clip_envelope", params);
    assert!(refused(json!({"targets": "Verse"})).contains("exactly one of `points` and `range`"));
    let early = json!({"from_s": 30, "to_s": 31, "change_db": -3});
    assert!(refused(json!({"targets": "Verse", "range": early})).contains("none of the clips"));
    let back = json!({"from_s": 3, "to_s": 1, "change_db": -3});
    assert!(refused(json!({"targets": "Verse", "range": back})).contains("ends before it begins"));
    let disorder = json!([{"at_s": 3, "gain_db": 0}, {"at_s": 1, "gain_db": 0}]);
    let told = refused(json!({"targets": "Verse", "points": disorder}));
    assert!(told.contains("follow one another in time"), "{told}");
}
