//! Two microphones on one source: what one hears late, drifting or turned around comes back in line.

use super::warp::warp;
use deskhand_session::{Measure, Track, TrackId};
use deskhand_toolkit::Draft;
use deskhand_toolkit::testing::{Desk, noise, tone};
use serde_json::json;

/// Noise without its highest octave, so that reading between samples is exact.
fn sound(seconds: f64) -> Vec<f32> {
    let mut state = (0.0f32, 0.0f32);
    let smooth = |x: f32| {
        state.0 += 0.4 * (x - state.0);
        state.1 += 0.4 * (state.0 - state.1);
        state.1
    };
    noise(-20.0, seconds).into_iter().map(smooth).collect()
}

fn late(samples: &[f32], delay: f64, ppm: f64, gain: f32) -> Vec<f32> {
    let mut padded = vec![0.0; 4096];
    padded.extend_from_slice(samples);
    padded.extend(vec![0.0; 4096]);
    let step = 1.0 / (1.0 + ppm * 1e-6);
    let out = warp(&padded, 4096.0 - delay * step, step, samples.len());
    out.into_iter().map(|sample| sample * gain).collect()
}

fn two(first: Vec<f32>, second: Vec<f32>) -> (Desk, TrackId, TrackId) {
    let mut desk = Desk::new(crate::all());
    let close = desk.track(Track::audio("Close"));
    let room = desk.track(Track::audio("Room"));
    desk.clip(close, "close", 48_000, first);
    desk.clip(room, "room", 48_000, second);
    (desk, close, room)
}

fn aligned(desk: &mut Desk) -> Draft {
    desk.settle("tool_align_clips", &json!({"targets": "Room", "reference": "Close"}))
}

/// The largest difference of the two clips on the timeline, in the middle of both.
fn difference(desk: &Desk) -> f32 {
    let length = desk.heard("close").remove(0).len();
    difference_within(desk, 48_000 + 10_000..48_000 + length - 10_000)
}

fn difference_within(desk: &Desk, range: std::ops::Range<usize>) -> f32 {
    let start = |name: &str| {
        let clip = desk.session.clips.values().find(|clip| clip.name == name).unwrap();
        clip.position.index()
    };
    let (close, room) = (desk.heard("close").remove(0), desk.heard("room").remove(0));
    let at = |n: usize| (close[n - start("close")] - room[n - start("room")]).abs();
    range.map(at).fold(0.0, f32::max)
}

fn measured(draft: &Draft, measure: Measure) -> Option<f64> {
    draft.findings.iter().find(|found| found.measure == measure)?.value
}

#[test]
fn whole_frames_move_the_clip() {
    let clean = sound(3.0);
    let (mut desk, ..) = two(clean.clone(), late(&clean, 480.0, 0.0, 1.0));
    let draft = aligned(&mut desk);
    assert_eq!((draft.changes.len(), draft.artifacts.len()), (1, 0));
    assert_eq!(draft.summary, "Line up room");
    assert!((measured(&draft, Measure::Delay).unwrap() - 480.0).abs() < 0.02);
    assert!(difference(&desk) < 1e-4, "{}", difference(&desk));
}

#[test]
fn a_fraction_of_a_frame_and_polarity_are_resampled() {
    let clean = sound(3.0);
    for delay in [0.25, 2000.0 - 0.4, -77.7] {
        let (mut desk, ..) = two(clean.clone(), late(&clean, delay, 0.0, -1.0));
        let draft = aligned(&mut desk);
        assert_eq!(draft.artifacts.len(), 1);
        assert!(measured(&draft, Measure::Correlation).unwrap() < -95.0);
        assert!(difference(&desk) < 4e-3, "{delay}: {}", difference(&desk));
    }
}

#[test]
fn drift_is_corrected_along_the_take() {
    let clean = sound(15.0);
    for ppm in [5.0, -200.0] {
        let (mut desk, ..) = two(clean.clone(), late(&clean, 100.3, ppm, 1.0));
        let draft = aligned(&mut desk);
        assert!((measured(&draft, Measure::ClockDrift).unwrap() - ppm).abs() < 0.2, "{ppm}");
        assert!(difference(&desk) < 1e-2, "{ppm}: {}", difference(&desk));
    }
}

#[test]
fn what_has_nothing_in_common_or_is_too_far_is_refused_with_its_correlation() {
    let clean = sound(3.0);
    let other: Vec<f32> = sound(7.0).split_off(4 * 48_000);
    let params = json!({"targets": "Room", "reference": "Close"});
    let (desk, ..) = two(clean.clone(), other);
    let told = desk.refusal("tool_align_clips", params.clone());
    assert!(told.contains("too little in common with \"close\": correlation"), "{told}");
    for (delay, off) in
        [(2900.0, "60.4 ms late"), (-2900.0, "60.4 ms early"), (48_000.0, "1000 ms late")]
    {
        let (desk, ..) = two(clean.clone(), far(&clean, delay as i64, -1.0));
        let params = json!({"targets": "Room", "reference": "Close", "max_shift_ms": 50});
        let told = desk.refusal("tool_align_clips", params);
        let expected = format!("is {off}, over the limit of 50 ms; correlation -");
        assert!(told.contains(&expected) && told.contains("polarity inverted"), "{told}");
    }
}

#[test]
fn different_sounds_are_lined_up_by_their_transients() {
    let hits = |hz: f64, late: usize| {
        let mut out = vec![0.0f32; 5 * 48_000];
        for start in [20_000, 65_000, 101_000, 170_000, 201_500] {
            let hit = tone(hz, -12.0, 0.2);
            for (n, sample) in hit.iter().enumerate() {
                out[start + late + n] = sample * (-(n as f32) / 2000.0).exp();
            }
        }
        out
    };
    let (mut desk, ..) = two(hits(300.0, 0), hits(1100.0, 960));
    let params = json!({"targets": "Room", "reference": "Close", "by": "transients"});
    let draft = desk.plan("tool_align_clips", params);
    desk.apply(&draft);
    assert!((measured(&draft, Measure::Delay).unwrap() - 960.0).abs() < 48.0);
    assert_eq!(draft.artifacts, []);
}

/// `samples` so many frames late, or early.
fn far(samples: &[f32], delay: i64, gain: f32) -> Vec<f32> {
    let at = |n: i64| usize::try_from(n).ok().and_then(|n| samples.get(n)).copied();
    (0..samples.len() as i64).map(|n| at(n - delay).unwrap_or(0.0) * gain).collect()
}

#[test]
fn recorders_that_began_at_other_times_are_lined_up_and_that_is_told() {
    let clean = sound(40.0);
    for (delay, off) in
        [(15_442, "321.7 ms late"), (-1_200_000, "25 s early"), (720_000, "15 s late")]
    {
        let (mut desk, ..) = two(clean.clone(), far(&clean, delay, -0.3));
        let draft = desk.plan("tool_align_clips", json!({"targets": "Room", "reference": "Close"}));
        assert!((measured(&draft, Measure::Delay).unwrap() - delay as f64).abs() < 0.05, "{delay}");
        let told = draft.warnings.join("; ");
        let expected = format!("\"room\" is {off} and its polarity is inverted: check");
        assert!(told.contains(&expected), "{told}");
        desk.apply(&draft);
        let shift =
            |name: &str| desk.session.clips.values().find(|clip| clip.name == name).unwrap();
        let (close, room) = (shift("close"), shift("room"));
        // What was cut off at the start of the timeline is behind the start of the window.
        let moved = (room.position - room.start) - (close.position - close.start);
        assert!((moved.0 + delay).abs() <= 1, "{delay}: {moved:?}");
    }
}

#[test]
fn a_clock_that_is_off_is_corrected_however_far_the_clip_is_away() {
    let clean = sound(40.0);
    let drifting = far(&late(&clean, 0.0, 60.0, 1.0), 480_000, 1.0);
    let (mut desk, ..) = two(clean, drifting);
    let draft = aligned(&mut desk);
    assert!((measured(&draft, Measure::ClockDrift).unwrap() - 60.0).abs() < 0.5);
    assert!(difference_within(&desk, 60_000..1_300_000) < 2e-2);
}

#[test]
fn clips_that_do_not_overlap_are_looked_for_too() {
    let mut desk = Desk::new(crate::all());
    let (one, two) = (desk.track(Track::audio("One")), desk.track(Track::audio("Two")));
    desk.clip(one, "one", 0, sound(4.0));
    desk.clip(two, "two", 960_000, sound(4.0));
    let draft = desk.plan("tool_align_clips", json!({"targets": "Two", "reference": "One"}));
    desk.apply(&draft);
    assert!(desk.session.clips.values().all(|clip| clip.position.0 == 0));
    assert!(draft.warnings[0].contains("\"two\" is 20 s late"), "{:?}", draft.warnings);
}
