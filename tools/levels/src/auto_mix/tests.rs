//! Small mixes by name.

use deskhand_dsp::Decibels;
use deskhand_session::{Change, Output, Track, TrackId, TrackKind};
use deskhand_toolkit::testing::{Desk, noise, tone};
use serde_json::json;

fn band() -> (Desk, Vec<TrackId>) {
    let mut desk = Desk::new(crate::all());
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
    let mut desk = Desk::new(crate::all());
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
    let mut desk = Desk::new(crate::all());
    let host = desk.track(Track::audio("Host"));
    desk.clip(host, "talk", 0, noise(-24.0, 1.0));
    let told = desk.refusal("tool_auto_mix", json!({"targets": "all"}));
    assert!(told.contains("a balance needs two tracks with clips or more"), "{told}");
}

/// The name of the bus that a track goes to.
fn bus_of(desk: &Desk, id: TrackId) -> String {
    match desk.session.tracks[&id].output {
        Output::Bus(bus) => desk.session.tracks[&bus].name.clone(),
        Output::Master => String::new(),
    }
}

#[test]
fn buses_that_are_there_are_used_and_heard_through() {
    let (mut desk, tracks) = band();
    let bus = |gain: f64, name: &str| Track { gain: Decibels(gain), ..Track::bus(name) };
    let drums = desk.track(bus(-9.0, "DRUM GRP"));
    let guitars = desk.track(bus(3.0, "Gtr bus"));
    desk.session.tracks.get_mut(&tracks[1]).unwrap().output = Output::Bus(drums);
    let params = json!({"targets": "all", "eq": false, "pan": false, "max_db": 24});
    let draft = desk.settle("tool_auto_mix", &params);
    let buses = desk.session.tracks.values().filter(|track| track.kind == TrackKind::Bus);
    assert_eq!(buses.count(), 2, "none is made beside them");
    let on: Vec<String> = tracks.iter().map(|id| bus_of(&desk, *id)).collect();
    assert_eq!(on, ["", "DRUM GRP", "DRUM GRP", "", "Gtr bus", "Gtr bus"]);
    assert_eq!(desk.session.tracks[&drums].gain, Decibels(-9.0), "their faders stay");
    assert_eq!(desk.session.tracks[&guitars].gain, Decibels(3.0));
    let gain = |n: usize| desk.session.tracks[&tracks[n]].gain.0;
    // The kick came in 7 dB too loud; the bus takes 9 dB of that.
    assert!((gain(1) - 2.0).abs() < 0.6, "{}", gain(1));
    let kick = draft.changes.iter().find(|c| c.name == "Kick" && c.reason.contains("LUFS"));
    assert!(kick.unwrap().reason.contains("LUFS after \"DRUM GRP\", for a song"), "{kick:?}");
    let behind = draft.findings.iter().filter(|finding| finding.method.contains(" after "));
    assert_eq!(behind.count(), 4);
}

#[test]
fn a_bus_through_which_the_lead_goes_moves_what_all_are_measured_against() {
    let (mut desk, tracks) = band();
    let vocals = desk.track(Track { gain: Decibels(-6.0), ..Track::bus("Vox bus") });
    desk.session.tracks.get_mut(&tracks[0]).unwrap().output = Output::Bus(vocals);
    let params = json!({"targets": "all", "eq": false, "buses": false, "max_db": 24});
    desk.settle("tool_auto_mix", &params);
    let gain = |n: usize| desk.session.tracks[&tracks[n]].gain.0;
    assert_eq!(gain(0), 0.0, "what leads stays");
    assert!((gain(1) + 13.0).abs() < 0.6, "{}", gain(1));
    assert!((gain(2) - 0.0).abs() < 0.8, "{}", gain(2));
}

#[test]
fn what_somebody_routed_otherwise_stays() {
    let (mut desk, tracks) = band();
    let close = desk.track(Track::bus("Close"));
    let room = desk.track(Track::bus("Parallel"));
    let route = |desk: &mut Desk, n: usize, bus| {
        desk.session.tracks.get_mut(&tracks[n]).unwrap().output = Output::Bus(bus);
    };
    // Kick and bass share a bus, so it is no drum bus; the one guitar's bus takes the other.
    route(&mut desk, 1, close);
    route(&mut desk, 3, close);
    route(&mut desk, 4, room);
    let draft = desk.settle("tool_auto_mix", &json!({"targets": "all", "eq": false, "pan": false}));
    let on: Vec<String> = tracks.iter().map(|id| bus_of(&desk, *id)).collect();
    assert_eq!(on, ["", "Close", "", "Close", "Parallel", "Parallel"], "{}", draft.summary);
}
