//! Small mixes by name.

use crate::testing::{Desk, noise, tone};
use deskhand_session::{Change, Output, Track, TrackId, TrackKind};
use serde_json::json;

fn band() -> (Desk, Vec<TrackId>) {
    let mut desk = Desk::new();
    let names = ["Lead Vox", "Kick", "Snare", "Bass", "Gtr L", "Gtr R"];
    let levels = [-20.0, -18.0, -30.0, -22.0, -21.0, -29.0];
    let mut tracks = Vec::new();
    for (n, (name, level)) in names.into_iter().zip(levels).enumerate() {
        let track = desk.track(Track::audio(name));
        desk.clip(track, name, 0, tone(300.0 + 100.0 * n as f64, level, 4.0));
        tracks.push(track);
    }
    (desk, tracks)
}

#[test]
fn a_song_is_balanced_around_its_lead_on_buses() {
    let (mut desk, tracks) = band();
    let draft = desk.settle("tool_auto_mix", &json!({"targets": "all", "eq": false}));
    assert_eq!(draft.summary, "Mix as a song around Lead Vox: 5 faders, 2 pans, 4 outputs");
    let gain = |n: usize| desk.session.tracks[&tracks[n]].gain.0;
    assert_eq!(gain(0), 0.0);
    // Kick: 2 dB over the lead, and 5 LU below it is where it belongs.
    assert!((gain(1) + 7.0).abs() < 0.6, "{}", gain(1));
    assert!((gain(2) - 6.0).abs() < 0.8, "{}", gain(2));
    let pans: Vec<f64> = tracks.iter().map(|id| desk.session.tracks[id].pan).collect();
    assert_eq!(pans, [0.0, 0.0, 0.0, 0.0, -0.6, 0.6]);
    let bus = |n: usize| match desk.session.tracks[&tracks[n]].output {
        Output::Bus(id) => desk.session.tracks[&id].name.clone(),
        Output::Master => String::new(),
    };
    assert_eq!([bus(0), bus(1), bus(2), bus(3), bus(4)], ["", "Drums", "Drums", "", "Guitars"]);
    assert!(draft.changes.iter().all(|change| !change.reason.is_empty()));
    let buses = desk.session.tracks.values().filter(|track| track.kind == TrackKind::Bus);
    assert_eq!(buses.count(), 2);
}

#[test]
fn words_bring_the_lead_up_front_and_no_move_is_too_large() {
    let (desk, _) = band();
    let params = json!({
        "targets": "all", "describe": "lead up front", "max_db": 4, "eq": false, "pan": false,
        "buses": false
    });
    let draft = desk.plan("tool_auto_mix", params);
    for planned in &draft.changes {
        let Change::SetTrackGain(edit) = &planned.change else { panic!("{planned:?}") };
        assert!((edit.after - edit.before).0.abs() <= 4.0);
    }
    assert!(draft.warnings.iter().any(|warning| warning.contains("dB more than 4 dB")));
}

#[test]
fn a_podcast_has_its_music_under_speech() {
    let mut desk = Desk::new();
    let host = desk.track(Track::audio("Host"));
    let music = desk.track(Track::audio("Theme music"));
    desk.clip(host, "talk", 0, noise(-24.0, 4.0));
    desk.clip(music, "song", 0, noise(-20.0, 4.0));
    let params = json!({"targets": "all", "describe": "podcast with music under", "max_db": 24, "eq": false});
    let draft = desk.settle("tool_auto_mix", &params);
    assert_eq!(draft.summary, "Mix as a podcast around Host: 1 fader");
    assert!((desk.session.tracks[&music].gain.0 + 20.0).abs() < 0.3);
}

#[test]
fn one_track_is_no_mix() {
    let mut desk = Desk::new();
    let host = desk.track(Track::audio("Host"));
    desk.clip(host, "talk", 0, noise(-24.0, 1.0));
    let told = desk.refusal("tool_auto_mix", json!({"targets": "all"}));
    assert!(told.contains("a balance needs two tracks with clips or more"), "{told}");
}
