//! Music under a voice that comes and goes.

use deskhand_dsp::Frames;
use deskhand_dsp::volume::gain_at;
use deskhand_session::{Track, TrackId};
use deskhand_toolkit::testing::{Desk, joined, noise, tone};
use serde_json::json;

/// Speech from 2 to 4, 4.4 to 6 and 10 to 12 s over 16 s of music.
fn desk() -> (Desk, TrackId) {
    let mut desk = Desk::new(crate::all());
    let host = desk.track(Track::audio("Host"));
    let music = desk.track(Track::audio("Music"));
    let quiet = |seconds| noise(-80.0, seconds);
    let speech = joined(&[
        tone(300.0, -20.0, 2.0),
        quiet(0.4),
        tone(300.0, -20.0, 1.6),
        quiet(4.0),
        tone(300.0, -20.0, 2.0),
        quiet(1.0),
    ]);
    desk.clip(host, "talk", 96_000, speech);
    desk.clip(music, "song", 0, tone(800.0, -18.0, 16.0));
    (desk, music)
}

#[test]
fn music_goes_down_ahead_of_speech_and_up_behind_it() {
    let (mut desk, music) = desk();
    let params = json!({"targets": "Music", "under": "Host", "depth_db": 12});
    let draft = desk.settle("tool_duck", &params);
    assert_eq!(draft.summary, "Lower Music by 12 dB under Host");
    let envelope = desk.session.tracks[&music].envelope.clone();
    let gain = |seconds: f64| gain_at(&envelope, Frames((seconds * 48_000.0) as i64)).0;
    assert_eq!((gain(1.7), gain(2.0), gain(5.9)), (0.0, -12.0, -12.0));
    assert_eq!(gain(4.2), -12.0, "a short pause");
    assert_eq!((gain(8.0), gain(11.0), gain(14.0)), (0.0, -12.0, 0.0));
}

#[test]
fn a_track_under_itself_and_music_without_speech_are_told() {
    let (mut desk, _) = desk();
    let told = desk.refusal("tool_duck", json!({"targets": "Host", "under": "Host"}));
    assert!(told.contains("\"Host\" cannot be lowered under itself"), "{told}");
    desk.track(Track::audio("Guest"));
    let draft = desk.plan("tool_duck", json!({"targets": "Music", "under": "Guest"}));
    assert_eq!(draft.summary, "Nothing to change: no speech found on \"Guest\"");
}

#[test]
fn how_far_apart_speech_and_music_are_is_told_with_its_side() {
    use super::how_far;
    assert_eq!(how_far(Some(2.0), Some(14.0)), "speech is 2 LU above it now, then 14 LU");
    let turned = "speech is 8.2 LU below it now, then 3.8 LU above";
    assert_eq!(how_far(Some(-8.2), Some(3.8)), turned);
}
