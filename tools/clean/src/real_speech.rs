//! The tools that clean and line up, on the speech of `tests/audio`: read aloud, not synthesized.

use deskhand_session::{Measure, Track};
use deskhand_toolkit::testing::{Desk, noise, real_speech};
use serde_json::json;

fn sum(a: &[f32], b: &[f32]) -> Vec<f32> {
    a.iter().zip(b).map(|(a, b)| a + b).collect()
}

/// How far `heard` is from `clean`, as a signal-to-noise ratio in dB.
fn ratio(heard: &[f32], clean: &[f32]) -> f64 {
    let power = |x: &mut dyn Iterator<Item = f32>| x.map(|x| f64::from(x).powi(2)).sum::<f64>();
    let error = power(&mut heard.iter().zip(clean).map(|(a, b)| a - b));
    10.0 * (power(&mut clean.iter().copied()) / error).log10()
}

#[test]
fn noise_is_taken_out_of_real_speech() {
    let clean = real_speech();
    let dirty = sum(&clean, &noise(-30.0, 17.0));
    let mut desk = Desk::new(crate::all());
    let track = desk.track(Track::audio("Reader"));
    desk.clip(track, "take", 0, dirty.clone());
    let draft = desk.settle("tool_denoise", &json!({"targets": "Reader"}));
    let heard = desk.heard("take").remove(0);
    let (before, after) = (ratio(&dirty, &clean), ratio(&heard, &clean));
    assert!(after > before + 4.0, "{before} {after}");
    let floors: Vec<_> = draft.findings.iter().filter_map(|found| found.value).collect();
    assert!(floors[1] < floors[0] - 10.0, "{floors:?}");
}

#[test]
fn a_second_microphone_in_a_room_is_lined_up() {
    let close = real_speech();
    let mut room = noise(-60.0, 18.0);
    room.truncate(close.len());
    // The sound itself 10 ms late, and later and later reflections.
    let reflections = [(480, 0.5), (910, 0.3), (1733, -0.2), (2950, 0.15), (5120, 0.1)];
    for (late, gain) in reflections {
        for (out, sample) in room.iter_mut().skip(late).zip(&close) {
            *out += gain * sample;
        }
    }
    let mut desk = Desk::new(crate::all());
    let (first, second) = (desk.track(Track::audio("Close")), desk.track(Track::audio("Room")));
    desk.clip(first, "close", 0, close);
    desk.clip(second, "room", 48_000 / 50, room);
    let params = json!({"targets": "Room", "reference": "Close"});
    let draft = desk.plan("tool_align_clips", params);
    let found = |measure| draft.findings.iter().find(|f| f.measure == measure).unwrap().value;
    // Placed 20 ms late, and 10 ms late itself.
    assert!((found(Measure::Delay).unwrap() - 1440.0).abs() < 0.2, "{:?}", draft.findings);
    assert!(found(Measure::Correlation).unwrap() > 50.0, "{:?}", draft.findings);
}
