//! Two microphones, two people who take turns and once speak together.

use deskhand_dsp::volume::gain_at;
use deskhand_dsp::{Decibels, Frames};
use deskhand_session::{Track, TrackId};
use deskhand_toolkit::testing::{Desk, joined, noise, tone};
use serde_json::json;

fn sum(a: &[f32], b: &[f32], gain: f64) -> Vec<f32> {
    a.iter().zip(b).map(|(a, b)| a + b * Decibels(gain).amplitude() as f32).collect()
}

/// The host speaks from 1 to 4 and 8 to 11 s, the guest, softer, from 5 to 10 s.
fn desk() -> (Desk, TrackId, TrackId) {
    let quiet = |seconds| noise(-75.0, seconds);
    let host = joined(&[
        quiet(1.0),
        tone(210.0, -16.0, 3.0),
        quiet(4.0),
        tone(210.0, -16.0, 3.0),
        quiet(1.0),
    ]);
    let guest = joined(&[quiet(5.0), tone(330.0, -26.0, 5.0), quiet(2.0)]);
    let mut desk = Desk::new(crate::all());
    let first = desk.track(Track::audio("Host"));
    let second = desk.track(Track::audio("Guest"));
    desk.clip(first, "host", 0, sum(&host, &guest, -20.0));
    desk.clip(second, "guest", 0, sum(&guest, &host, -20.0));
    (desk, first, second)
}

#[test]
fn each_microphone_is_lowered_while_its_owner_is_silent() {
    let (mut desk, host, guest) = desk();
    let draft = desk.settle("tool_reduce_bleed", &json!({"targets": "all", "depth_db": 12}));
    assert_eq!(draft.summary, "Lower Host and Guest by 12 dB while the owner is silent");
    let gain = |track: TrackId, seconds: f64| {
        gain_at(&desk.session.tracks[&track].envelope, Frames((seconds * 48_000.0) as i64)).0
    };
    let gains = |track| [2.5, 6.5, 9.0, 10.8].map(|at| gain(track, at));
    assert_eq!(gains(host), [0.0, -12.0, 0.0, 0.0]);
    assert_eq!(gains(guest), [-12.0, 0.0, 0.0, -12.0]);
    assert_eq!(gain(host, 0.99), 0.0, "open ahead of the first word");
}

#[test]
fn one_microphone_alone_is_refused() {
    let (desk, ..) = desk();
    let told = desk.refusal("tool_reduce_bleed", json!({"targets": "Host"}));
    assert!(told.contains("comparing microphones, and there is only one"), "{told}");
}
