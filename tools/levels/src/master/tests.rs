//! A mix that is too soft or too loud for where it goes.

use deskhand_dsp::effects::Effect;
use deskhand_session::Track;
use deskhand_toolkit::testing::{Desk, joined, tone};
use serde_json::json;

/// A tone with a louder moment every half second.
fn music(dbfs: f64) -> Vec<f32> {
    let bar = || joined(&[tone(500.0, dbfs + 8.0, 0.05), tone(500.0, dbfs, 0.45)]);
    joined(&(0..16).map(|_| bar()).collect::<Vec<_>>())
}

#[test]
fn a_soft_mix_is_driven_into_the_limiter_up_to_its_target() {
    let mut desk = Desk::new(crate::all());
    let track = desk.track(Track::audio("Song"));
    desk.clip(track, "song", 0, music(-26.0));
    let draft = desk.settle("tool_master", &json!({"for": "streaming"}));
    assert_eq!(draft.summary, "Master the mix for streaming: -14 LUFS, true peak at most -1 dBTP");
    let loudness = draft.predicted[0].value;
    assert!((loudness + 14.0).abs() < 0.1, "{loudness}");
    assert!(draft.predicted[1].value <= -0.9, "{:?}", draft.predicted[1]);
    let limiter = desk.session.inserts.values().next().unwrap();
    let Effect::Limiter(limiter) = &limiter.effect else { panic!("{limiter:?}") };
    assert!((8.0..14.0).contains(&limiter.gain.0), "{limiter:?}");
    let again = desk.settle("tool_master", &json!({"for": "podcast"}));
    assert_eq!(
        desk.session.inserts.len(),
        1,
        "the limiter that is there is used: {}",
        again.summary
    );
}

#[test]
fn silence_and_an_empty_session_are_told() {
    let mut desk = Desk::new(crate::all());
    let told = desk.refusal("tool_master", json!({"for": "cd"}));
    assert!(told.contains("the session has no clips"), "{told}");
    let track = desk.track(Track::audio("Song"));
    desk.clip(track, "song", 0, vec![0.0; 96_000]);
    let told = desk.refusal("tool_master", json!({"for": "cd"}));
    assert!(told.contains("the mix has no loudness"), "{told}");
}
