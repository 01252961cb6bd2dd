//! A state that the host loads into an instance which is a track already: its trim is a move of the host's, and the instance
//! stays the track that it is.

use crate::desk::{Desk, field, turn, until};
use crate::rig::{Rig, sine};
use crate::{gain, instance, joined, play_until};
use deskhand_session::TrackId;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// A state as the host stores it, with parts of Deskhand's own state replaced.
fn altered(state: &[u8], trim: f64, parts: Value) -> Vec<u8> {
    let mut whole: Value = serde_json::from_slice(&state[8..]).unwrap();
    let own = whole["fields"]["deskhand"].as_str().unwrap();
    let mut own: Value = serde_json::from_str(own).unwrap();
    for (key, value) in parts.as_object().unwrap() {
        own[key] = value.clone();
    }
    whole["fields"]["deskhand"] = json!(own.to_string());
    whole["params"]["trim"] = json!({"f32": trim});
    let bytes = whole.to_string().into_bytes();
    [&(bytes.len() as u64).to_le_bytes(), bytes.as_slice()].concat()
}

/// Plays longer than the report of a host's gain takes.
fn play_on(rig: &mut Rig) {
    let start = Instant::now();
    play_until(&mut [rig], |_| start.elapsed() > Duration::from_millis(1_500));
}

#[test]
fn a_state_of_another_session_leaves_the_instance_its_own() {
    let _turn = turn();
    let (desk, other) = (Desk::new(), Desk::new());
    let mut rig = joined(&desk);
    let own = ["session", "track"].map(|key| field(&mut rig, key));
    let steps = desk.steps();
    let foreign = json!({
        "session": other.session().id, "track": TrackId::new(99), "revision": 77,
        "snapshot": null, "armed": true,
    });
    let state = altered(&rig.save(), -5.0, foreign);
    assert!(rig.load(&state));
    play_on(&mut rig);
    assert_eq!(desk.steps(), steps + 1, "{}", desk.last_label());
    assert_eq!(
        (desk.last_author(), desk.last_label().as_str()),
        ("host".into(), "Track 1 to -5.00 dB by a state that the host loaded")
    );
    assert_eq!(other.steps(), 0);
    let now = ["session", "track"].map(|key| field(&mut rig, key));
    assert_eq!(now, own);
    assert_eq!(field(&mut rig, "armed"), json!(true), "what is the instance's own is taken");
    assert!((gain(&mut rig) + 5.0).abs() < 0.01, "what the knob says is what is heard");
    rig.set_trim(-2.0);
    play_until(&mut [&mut rig], |_| (desk.tracks()[0].1.gain.0 + 2.0).abs() < 0.01);
    assert_eq!(desk.last_author(), "host", "what the host moves after it is the host's");
}

#[test]
fn an_older_state_of_the_same_track_is_a_move_of_the_host_s() {
    let _turn = turn();
    let mut desk = Desk::new();
    let mut rig = joined(&desk);
    let state = rig.save();
    let name = desk.tracks()[0].1.name.clone();
    desk.call("cmd_set_track_gain", json!({"targets": [name], "change_db": -6.0}));
    play_until(&mut [&mut rig], |rigs| rigs[0].trim() < -5.9);
    assert!(rig.load(&state));
    play_until(&mut [&mut rig], |_| desk.tracks()[0].1.gain.0.abs() < 0.01);
    assert!(gain(&mut rig).abs() < 0.01, "{}", gain(&mut rig));
    assert_eq!(desk.last_author(), "host");
    // It is undone here as any move of the host's.
    desk.undo();
    play_until(&mut [&mut rig], |rigs| (rigs[0].trim() + 6.0).abs() < 0.01);
}

#[test]
fn a_host_that_starts_an_instance_before_it_loads_its_state_finds_its_track() {
    let _turn = turn();
    let desk = Desk::new();
    let mut first = instance(&desk);
    let mut second = instance(&desk);
    play_until(&mut [&mut first, &mut second], |rigs| {
        rigs.iter_mut().all(|rig| field(rig, "track") != json!(null))
    });
    let (state, track) = (second.save(), field(&mut second, "track"));
    drop(second);
    let mut again = Rig::idle();
    again.start(super::RATE, 480);
    let start = Instant::now();
    // As long as a large project may take between the two.
    play_until(&mut [&mut again], |_| start.elapsed() > Duration::from_millis(300));
    assert!(again.load(&state));
    play_until(&mut [&mut again], |rigs| {
        field(rigs[0], "track") == track && desk.instances().len() == 2
    });
    // If the machine paused meanwhile, a session was made, which goes away again.
    until(|| desk.tracks().len() == 2);
}

/// An instance that the host uses for so long without a state that it became a track, in the session where the host went
/// last.
fn used_without_a_state(before: &mut Rig) -> Rig {
    let mut rig = Rig::idle();
    rig.start(super::RATE, 480);
    play_until(&mut [&mut rig, before], |rigs| field(rigs[0], "snapshot") != json!(null));
    rig
}

#[test]
fn a_state_that_comes_late_brings_the_instance_to_its_own_track() {
    let _turn = turn();
    let desk = Desk::new();
    let (mut first, mut second) = (instance(&desk), instance(&desk));
    play_until(&mut [&mut first, &mut second], |rigs| {
        rigs.iter_mut().all(|rig| field(rig, "snapshot") != json!(null))
    });
    let (state, track) = (second.save(), field(&mut second, "track"));
    drop(second);
    until(|| desk.instances().len() == 1);
    let mut again = used_without_a_state(&mut first);
    assert_ne!(field(&mut again, "track"), track);
    assert!(again.load(&state));
    play_until(&mut [&mut again, &mut first], |rigs| {
        field(rigs[0], "track") == track && desk.instances().len() == 2
    });
    until(|| desk.tracks().len() == 2);
    assert_eq!(desk.last_author(), "host", "the track that it was for want of its own is gone");
}

#[test]
fn states_that_come_late_bring_their_instances_to_the_session_of_the_project_in_any_order() {
    let _turn = turn();
    let (mut desk, other) = (Desk::new(), Desk::new());
    let (mut first, mut second) = (instance(&desk), instance(&desk));
    play_until(&mut [&mut first, &mut second], |rigs| {
        rigs.iter_mut().all(|rig| field(rig, "snapshot") != json!(null))
    });
    let name = desk.tracks()[0].1.name.clone();
    desk.call("cmd_set_track_gain", json!({"targets": [name], "change_db": -6.0}));
    play_until(&mut [&mut first, &mut second], |rigs| rigs.iter_mut().any(|rig| rig.trim() < -5.9));
    let kept = [&mut first, &mut second].map(|rig| (rig.save(), field(rig, "track"), gain(rig)));
    drop((first, second));
    until(|| desk.instances().is_empty());
    // The host has another project open, and loads this one into instances that it uses already.
    let mut stays = instance(&other);
    until(|| other.instances().len() == 1);
    let mut late = [used_without_a_state(&mut stays), used_without_a_state(&mut stays)];
    assert_eq!(other.instances().len(), 3);
    for (rig, (state, _, _)) in late.iter_mut().zip(&kept).rev() {
        assert!(rig.load(state));
    }
    let [one, two] = &mut late;
    play_until(&mut [one, two], |rigs| {
        let tracks = rigs.iter_mut().map(|rig| field(rig, "track"));
        tracks.eq(kept.iter().map(|(_, track, _)| track.clone())) && desk.instances().len() == 2
    });
    until(|| other.instances().len() == 1 && other.tracks().len() == 1);
    assert_eq!(desk.tracks().len(), 2, "no third one was made");
    let [one, two] = &mut late;
    play_until(&mut [one, two], |rigs| {
        rigs.iter_mut().zip(&kept).all(|(rig, (_, _, heard))| (gain(rig) - heard).abs() < 0.01)
    });
}

#[test]
fn an_instance_that_recorded_something_stays_where_that_is() {
    let _turn = turn();
    let (desk, other) = (Desk::new(), Desk::new());
    let mut first = joined(&desk);
    let state = first.save();
    drop(first);
    until(|| desk.instances().is_empty());
    let mut stays = instance(&other);
    until(|| other.instances().len() == 1);
    let mut late = used_without_a_state(&mut stays);
    let track = field(&mut late, "track");
    late.roll(&sine(440.0, super::RATE, 48_000), 0, super::RATE, 480);
    late.halt(48_000, super::RATE);
    play_until(&mut [&mut late], |_| !other.session().clips.is_empty());
    play_until(&mut [&mut late], |rigs| field(rigs[0], "revision") == json!(other.head().0));
    assert!(late.load(&state));
    play_on(&mut late);
    assert_eq!(field(&mut late, "track"), track);
    assert_eq!((other.instances().len(), desk.instances().len()), (2, 0));
}
