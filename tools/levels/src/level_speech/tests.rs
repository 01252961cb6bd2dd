//! Phrases of different loudness with breaths between them.

use deskhand_dsp::volume::gain_at;
use deskhand_dsp::{Decibels, Frames};
use deskhand_session::{Measure, Track};
use deskhand_toolkit::testing::{Desk, joined, noise, real_speech, tone};
use serde_json::json;

/// Three phrases at -20, -30 and -14 dBFS, with pauses of noise, and a breath in the second pause.
fn speech() -> Vec<f32> {
    let pause = || noise(-75.0, 0.6);
    let phrase = |dbfs| tone(300.0, dbfs, 1.5);
    let breath = joined(&[noise(-75.0, 0.5), noise(-48.0, 0.3), noise(-75.0, 0.5)]);
    joined(&[pause(), phrase(-20.0), pause(), phrase(-30.0), breath, phrase(-14.0), pause()])
}

#[test]
fn phrases_come_within_the_range_and_breaths_are_not_raised() {
    let mut desk = Desk::new(crate::all());
    let track = desk.track(Track::audio("Host"));
    let id = desk.clip(track, "take", 4800, speech());
    let draft = desk.settle("tool_level_speech", &json!({"targets": "Host", "within_lu": 2}));
    assert_eq!(draft.summary, "Level 3 phrases of take to within 2 LU");
    let spread = draft.findings[0].clone();
    assert_eq!(spread.measure, Measure::PhraseSpread);
    assert!((spread.value.unwrap() - 16.0).abs() < 0.5, "{spread:?}");
    let envelope = &desk.session.clips[&id].envelope;
    let gain = |seconds: f64| gain_at(envelope, Frames((seconds * 48_000.0) as i64)).0;
    // The middle phrase in loudness stays, the soft one comes up to 1 LU below it, the loud one down.
    assert!(gain(1.5).abs() < 1e-9, "{}", gain(1.5));
    assert!((gain(3.5) - 9.0).abs() < 0.3, "{}", gain(3.5));
    assert!((gain(6.2) + 5.0).abs() < 0.3, "{}", gain(6.2));
    assert_eq!(gain(4.85), gain(6.2), "the breath goes down with the phrase behind it");
    assert_eq!(gain(2.4), 0.0, "the pause");
}

#[test]
fn voices_that_are_even_by_themselves_are_evened_out_among_each_other() {
    let mut desk = Desk::new(crate::all());
    let voice = |dbfs| joined(&[noise(-75.0, 0.6), tone(300.0, dbfs, 3.0), noise(-75.0, 0.6)]);
    for (name, dbfs) in [("Host", -16.0), ("Guest", -25.0)] {
        let track = desk.track(Track::audio(name));
        desk.clip(track, name, 0, voice(dbfs));
    }
    let draft = desk.settle("tool_level_speech", &json!({"targets": ["Host", "Guest"]}));
    assert_eq!(draft.changes.len(), 1, "the other one is the target");
    let levels: Vec<f64> = (desk.session.clips.keys())
        .map(|id| desk.context("tool_level_speech", &json!({})).levels((*id).into()).unwrap())
        .map(|levels| levels.integrated.unwrap().0)
        .collect();
    assert!((levels[0] - levels[1]).abs() <= 2.1, "{levels:?}");
}

#[test]
fn a_target_is_reached_within_the_most_that_is_allowed() {
    let mut desk = Desk::new(crate::all());
    let track = desk.track(Track::audio("Host"));
    desk.clip(track, "take", 0, speech());
    let params = json!({"targets": "Host", "within_lu": 1, "target_lufs": -20, "max_db": 6});
    let draft = desk.plan("tool_level_speech", params);
    assert_eq!(draft.warnings, ["\"take\": 1 phrase would need more than 6 dB"]);
}

#[test]
fn even_speech_and_silence_are_left_alone() {
    let mut desk = Desk::new(crate::all());
    let track = desk.track(Track::audio("Host"));
    desk.clip(
        track,
        "even",
        0,
        joined(&[noise(-75.0, 1.0), tone(300.0, -20.0, 2.0), noise(-75.0, 1.0)]),
    );
    desk.clip(track, "silent", 480_000, vec![0.0; 96_000]);
    let draft = desk.plan("tool_level_speech", json!({"targets": "Host"}));
    assert_eq!(draft.changes, []);
    assert_eq!(draft.warnings, ["\"silent\": no speech found; passed over"]);
}

#[test]
fn sentences_of_unlike_loudness_are_leveled() {
    let mut uneven = real_speech();
    let third = uneven.len() / 3;
    for (part, gain) in [(0, -10.0), (1, 0.0), (2, 6.0)] {
        let amplitude = Decibels(gain).amplitude() as f32;
        let end = if part == 2 { uneven.len() } else { (part + 1) * third };
        uneven[part * third..end].iter_mut().for_each(|sample| *sample *= amplitude);
    }
    let mut desk = Desk::new(crate::all());
    let track = desk.track(Track::audio("Reader"));
    desk.clip(track, "take", 0, uneven);
    let draft = desk.settle("tool_level_speech", &json!({"targets": "Reader", "within_lu": 2}));
    let before = draft.findings[0].value.unwrap();
    let again = desk.plan("tool_level_speech", json!({"targets": "Reader", "within_lu": 2}));
    let after = again.findings[0].value.unwrap();
    assert!(before > 8.0 && after <= 4.01, "{before} {after}: {}", draft.changes[0].reason);
}

#[test]
fn channels_out_of_phase_are_named_by_every_tool_that_follows_levels() {
    let voice = joined(&[tone(220.0, -15.0, 2.0), noise(-75.0, 2.0), tone(220.0, -15.0, 2.0)]);
    for (by, is_opposed) in [(-1.0, true), (-0.7, true), (1.0, false), (0.0, false)] {
        let mut desk = Desk::new(crate::all());
        let talk = desk.track(Track::audio("Voice"));
        let id = desk.clip(talk, "take", 0, voice.clone());
        let other = voice.iter().map(|sample| sample * by + 0.02).collect();
        let source = desk.source("wide.wav", vec![voice.clone(), other]);
        desk.session.clips.get_mut(&id).unwrap().source = source;
        let music = desk.track(Track::audio("Music"));
        desk.clip(music, "song", 0, noise(-30.0, 6.0));
        for (tool, params) in [
            ("tool_level_speech", json!({"targets": "Voice"})),
            ("tool_duck", json!({"targets": "Music", "under": "Voice"})),
            ("tool_reduce_bleed", json!({"targets": "all"})),
        ] {
            let told = desk.plan(tool, params).warnings.join("\n");
            let is_named = told.contains("are out of phase and cancel in mono");
            assert_eq!(is_named, is_opposed, "{tool}, {by}: {told}");
        }
    }
}
