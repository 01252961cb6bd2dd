//! Instances and a hub: every instance is a track of one desk.
//!
//! All tests run in one host process, so they take turns.

#![allow(
    unreachable_pub,
    unsafe_code,
    clippy::unwrap_used,
    clippy::disallowed_types,
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    reason = "tests, outside the audio thread; a host is made of pointers"
)]

mod bounce;
mod captures;
mod desk;
#[cfg(target_os = "linux")]
mod display;
mod hearing;
mod instance_reports;
mod instance_sound;
mod jumps;
mod knob;
mod loading;
mod moved;
mod played;
mod projects;
#[allow(dead_code, reason = "each test program uses a part of the rig")]
#[path = "../clap/rig.rs"]
mod rig;
mod session_out;
mod tempo;
mod trouble;
#[cfg(target_os = "linux")]
mod window;

use desk::{Desk, field, turn, until};
use rig::{Rig, level, sine};
use serde_json::json;
use std::process::Child;
use std::time::{Duration, Instant};

const RATE: f64 = 48_000.0;

/// An instance whose project names the session of `desk`.
fn instance(desk: &Desk) -> Rig {
    let mut rig = Rig::idle();
    assert!(rig.load(&desk.project()));
    rig.start(RATE, 480);
    rig
}

/// An instance that is a track of the session of `desk`.
fn joined(desk: &Desk) -> Rig {
    let mut rig = instance(desk);
    play_until(&mut [&mut rig], |rigs| field(rigs[0], "snapshot") != json!(null));
    rig
}

/// A desk whose hub is a process that can be killed, and an instance of it.
fn served() -> (Desk, Child, Rig) {
    let mut desk = Desk::new();
    desk.stop();
    let hub = desk.serve();
    let rig = joined(&desk);
    (desk, hub, rig)
}

/// Plays until `done`, about as fast as a host would.
fn play_until(rigs: &mut [&mut Rig], mut done: impl FnMut(&mut [&mut Rig]) -> bool) {
    let quiet = [0.0; 480];
    until(|| {
        rigs.iter_mut().for_each(|rig| drop(rig.run(&quiet, 480)));
        done(rigs)
    });
}

fn gain(rig: &mut Rig) -> f64 {
    let input = sine(1_000.0, RATE, 4_800);
    let out = rig.run(&input, 480);
    level(&out[0][960..]) - level(&input[960..])
}

#[test]
fn every_instance_is_a_track_and_one_plan_moves_all() {
    let _turn = turn();
    let mut desk = Desk::new();
    let (mut one, mut two) = (instance(&desk), instance(&desk));
    until(|| desk.instances().len() == 2);
    let tracks = desk.tracks();
    assert_eq!(tracks.len(), 2);
    let names: Vec<String> = tracks.iter().map(|(_, track)| track.name.clone()).collect();
    desk.call("cmd_set_track_gain", json!({"targets": names, "change_db": -6.0}));
    play_until(&mut [&mut one, &mut two], |rigs| rigs.iter_mut().all(|rig| rig.trim() < -5.9));
    for rig in [&mut one, &mut two] {
        assert!((gain(rig) + 6.0).abs() < 0.01, "{}", gain(rig));
        let trim = rig.value("Trim");
        assert_eq!(rig.text("Trim", trim), "-6.00 dB", "what the knob says is what is heard");
    }
    desk.undo();
    play_until(&mut [&mut one, &mut two], |rigs| {
        rigs.iter_mut().all(|rig| rig.trim().abs() < 0.01)
    });
    assert!(gain(&mut one).abs() < 0.01);
}

#[test]
fn the_host_s_trim_is_the_track_s_gain() {
    let _turn = turn();
    let desk = Desk::new();
    let mut rig = instance(&desk);
    until(|| desk.instances().len() == 1);
    play_until(&mut [&mut rig], |rigs| field(rigs[0], "snapshot") != json!(null));
    rig.set_trim(-4.5);
    play_until(&mut [&mut rig], |_| (desk.tracks()[0].1.gain.0 + 4.5).abs() < 0.01);
    assert!((rig.trim() + 4.5).abs() < 0.01 && rig.trims_told().is_empty());
    let author = desk.last_author();
    assert_eq!(author, "host");
}

#[test]
fn the_track_is_called_and_colored_as_the_host_s() {
    let _turn = turn();
    let desk = Desk::new();
    let mut rig = Rig::idle();
    assert!(rig.load(&desk.project()));
    rig.name_track("Lead vocal", [0xd0, 0x40, 0x20]);
    rig.start(RATE, 480);
    until(|| desk.instances().len() == 1);
    let told = || {
        let track = desk.tracks()[0].1.clone();
        (track.name, json!(track.color))
    };
    assert_eq!(told(), ("Lead vocal".into(), json!("#d04020")));
    rig.name_track("Double", [1, 2, 3]);
    play_until(&mut [&mut rig], |_| told() == ("Double".into(), json!("#010203")));
    assert_eq!(desk.tracks().len(), 1);
}

#[test]
fn an_instance_whose_track_was_removed_stays_as_a_new_one() {
    let _turn = turn();
    let mut desk = Desk::new();
    let mut rig = joined(&desk);
    let (own, name) = (field(&mut rig, "track"), desk.tracks()[0].1.name.clone());
    desk.call("cmd_remove_track", json!({"targets": [name]}));
    play_until(&mut [&mut rig], |rigs| field(rigs[0], "track") != own && desk.tracks().len() == 1);
    assert_eq!(json!(desk.tracks()[0].0), field(&mut rig, "track"));
    rig.set_trim(-3.0);
    play_until(&mut [&mut rig], |_| (desk.tracks()[0].1.gain.0 + 3.0).abs() < 0.01);
}

#[test]
fn a_plan_that_is_applied_while_an_instance_is_bypassed_holds_once_it_is_not() {
    let _turn = turn();
    let mut desk = Desk::new();
    let mut rig = joined(&desk);
    rig.set("Bypass", 1.0);
    let name = desk.tracks()[0].1.name.clone();
    desk.call("cmd_set_track_gain", json!({"targets": [name], "change_db": -6.0}));
    play_until(&mut [&mut rig], |rigs| rigs[0].trim() < -5.9);
    let input = sine(440.0, RATE, 4_800);
    assert_eq!(rig.run(&input, 480)[0], input, "every bit goes around it");
    rig.set("Bypass", 0.0);
    assert!((gain(&mut rig) + 6.0).abs() < 0.01, "{}", gain(&mut rig));
    assert_eq!(desk.last_author(), "user", "nobody took that for a move of the host's");
}

#[test]
fn a_copy_of_an_instance_becomes_a_track_of_its_own() {
    let _turn = turn();
    let desk = Desk::new();
    let mut first = instance(&desk);
    play_until(&mut [&mut first], |rigs| field(rigs[0], "track") != json!(null));
    let project = first.save();
    let mut copy = Rig::idle();
    assert!(copy.load(&project));
    copy.start(RATE, 480);
    until(|| desk.instances().len() == 2);
    play_until(&mut [&mut copy], |rigs| field(rigs[0], "track") != field(&mut first, "track"));
    drop(first);
    until(|| desk.instances().len() == 1);
    let mut again = Rig::idle();
    assert!(again.load(&project));
    again.start(RATE, 480);
    until(|| desk.instances().len() == 2);
    assert_eq!(desk.tracks().len(), 2, "the binding was free again");
}

#[test]
fn a_hub_that_ends_and_comes_back_finds_its_instances() {
    let _turn = turn();
    let mut desk = Desk::new();
    let mut rig = instance(&desk);
    play_until(&mut [&mut rig], |rigs| field(rigs[0], "track") != json!(null));
    let track = field(&mut rig, "track");
    desk.stop();
    assert!(gain(&mut rig).abs() < 0.01, "sound passes");
    desk.start();
    until(|| desk.instances().len() == 1);
    assert_eq!(field(&mut rig, "track"), track);
    assert_eq!(desk.tracks().len(), 1);
}

#[test]
fn a_hub_that_is_killed_takes_no_sound_with_it_and_the_next_finds_its_instances() {
    let _turn = turn();
    let (mut desk, mut hub, mut rig) = served();
    let track = field(&mut rig, "track");
    rig.set_trim(-6.0);
    // At any moment: while a gain of the host's is on its way too.
    rig.run(&[0.0; 4_800], 480);
    hub.kill().unwrap();
    hub.wait().unwrap();
    assert!((gain(&mut rig) + 6.0).abs() < 0.01, "sound passes");
    desk.start();
    until(|| desk.instances().len() == 1);
    assert_eq!(field(&mut rig, "track"), track);
    assert_eq!(desk.tracks().len(), 1);
    let track = desk.tracks()[0].0;
    until(|| {
        let off = (gain(&mut rig) + 6.0).abs();
        assert!(off < 0.01, "what the host set stands");
        // By now it was reported and applied.
        (desk.session().tracks[&track].gain.0 + 6.0).abs() < 0.01
    });
    let off = (gain(&mut rig) + 6.0).abs();
    rig::row("hub killed, its instance found again: gain off by", format!("{off:.6} dB"));
}

#[test]
fn without_a_helper_sound_passes_and_parameters_work() {
    let _turn = turn();
    rig::home();
    let mut rigs: Vec<Rig> = (0..8).map(|_| Rig::stereo(RATE, 480)).collect();
    rigs[0].set_trim(-3.0);
    let start = Instant::now();
    // Long enough for the link's thread to look for a helper, and to fail.
    while start.elapsed() < Duration::from_millis(900) {
        rigs.iter_mut().for_each(|rig| drop(rig.run(&[0.0; 480], 480)));
    }
    assert!((gain(&mut rigs[0]) + 3.0).abs() < 0.01);
    let start = Instant::now();
    rigs.clear();
    assert!(start.elapsed() < rig::FAREWELL, "{:?}", start.elapsed());
}

#[test]
fn instances_go_while_they_come_to_the_session() {
    let _turn = turn();
    let desk = Desk::new();
    let mut longest = Duration::ZERO;
    for round in 0..6 {
        let mut rigs: Vec<Rig> = (0..4).map(|_| instance(&desk)).collect();
        let start = Instant::now();
        while start.elapsed() < Duration::from_millis(300 * round) {
            rigs.iter_mut().for_each(|rig| drop(rig.run(&[0.0; 480], 480)));
        }
        let start = Instant::now();
        rigs.clear();
        longest = longest.max(start.elapsed());
        assert!(longest < rig::FAREWELL, "{longest:?}");
    }
    until(|| desk.instances().is_empty());
    rig::row(
        "4 instances destroyed while they come to the session",
        format!("{longest:.0?} at most"),
    );
}

#[test]
fn a_plan_is_taken_at_one_timeline_frame_by_all() {
    let _turn = turn();
    let mut desk = Desk::new();
    let (mut one, mut two) = (instance(&desk), instance(&desk));
    until(|| desk.instances().len() == 2);
    play_until(&mut [&mut one, &mut two], |rigs| {
        rigs.iter_mut().all(|rig| field(rig, "snapshot") != json!(null))
    });
    let names: Vec<String> = desk.tracks().into_iter().map(|(_, track)| track.name).collect();
    let level = [0.5; 480];
    let (mut at, mut outs) = (48_000, [Vec::new(), Vec::new()]);
    let mut called = false;
    // The clock must be known before the plan; then both hear it while the host plays on.
    until(|| {
        for (rig, out) in [&mut one, &mut two].into_iter().zip(&mut outs) {
            out.extend(rig.roll(&level, at, RATE, 480).swap_remove(0));
        }
        at += 480;
        if !called && desk.instances().iter().all(|it| it.clock.is_some_and(|clock| clock.moves)) {
            desk.call("cmd_set_track_gain", json!({"targets": names, "change_db": -6.0}));
            called = true;
        }
        called && outs.iter().all(|out| out.last().is_some_and(|last| *last < 0.3))
    });
    let begins = outs.map(|out| out.iter().position(|sample| *sample != 0.5).unwrap());
    assert_eq!(begins[0], begins[1]);
}

#[test]
fn what_plays_is_captured_ahead_of_trim_and_the_session_plays_it() {
    let _turn = turn();
    let desk = Desk::new();
    let mut rig = joined(&desk);
    rig.set_trim(-12.0);
    let input = sine(440.0, RATE, 96_000);
    rig.roll(&input, 144_000, RATE, 480);
    rig.halt(240_000, RATE);
    play_until(&mut [&mut rig], |_| !desk.session().clips.is_empty());
    let session = desk.session();
    let clip = session.clips.values().next().unwrap();
    assert_eq!((clip.position.0, clip.length.0), (144_000, 96_000));
    assert_eq!(desk.audio(clip.source), input, "every bit, ahead of trim");
    assert_eq!(desk.last_author(), "capture");

    rig.set("Output", 1.0);
    let (mut at, mut heard) = (170_000, f64::NEG_INFINITY);
    // About as fast as a host plays, so the disk keeps up. After the clip it starts again.
    until(|| {
        let out = rig.roll(&[0.0; 480], at, RATE, 480).swap_remove(0);
        let from = usize::try_from(at - 144_000).unwrap();
        heard = level(&out) - level(&input[from..from + 480]);
        at = if at > 230_000 { 170_000 } else { at + 480 };
        (heard + 12.0).abs() < 0.01
    });
}

#[test]
fn an_offline_render_is_captured_whole() {
    let _turn = turn();
    let desk = Desk::new();
    let mut rig = Rig::idle();
    assert!(rig.load(&desk.project()));
    rig.render(clack_extensions::render::RenderMode::Offline);
    rig.start(RATE, 4_096);
    play_until(&mut [&mut rig], |rigs| field(rigs[0], "snapshot") != json!(null));
    let input = sine(440.0, RATE, 48_000 * 30);
    rig.roll(&input, 0, RATE, 4_096);
    rig.halt(48_000 * 30, RATE);
    drop(rig);
    until(|| !desk.session().clips.is_empty());
    let session = desk.session();
    assert_eq!(session.clips.len(), 1, "one pass, nothing lost");
    let clip = session.clips.values().next().unwrap();
    assert_eq!((clip.position.0, clip.length.0), (0, 48_000 * 30));
    assert_eq!(desk.audio(clip.source), input);
}

#[test]
fn what_is_armed_is_recorded_as_that() {
    let _turn = turn();
    let desk = Desk::new();
    let mut rig = Rig::idle();
    assert!(rig.load(&desk.project_with("armed", json!(true))));
    rig.start(RATE, 480);
    play_until(&mut [&mut rig], |rigs| field(rigs[0], "snapshot") != json!(null));
    let input = sine(440.0, RATE, 48_000);
    rig.roll(&input, 0, RATE, 480);
    rig.halt(48_000, RATE);
    play_until(&mut [&mut rig], |_| !desk.session().clips.is_empty());
    assert!(desk.last_label().starts_with("Recorded Track 1 take 1"), "{}", desk.last_label());
    let session = desk.session();
    let source = session.sources.values().next().unwrap();
    let file = std::path::Path::new(&source.path).file_name().unwrap();
    assert!(file.to_str().unwrap().starts_with("armed-"), "no room is made of it: {file:?}");
    assert_eq!(field(&mut rig, "armed"), json!(true), "it stays with the project");
}

#[test]
fn a_ride_of_trim_is_one_step_and_nothing_fights_it() {
    let _turn = turn();
    let desk = Desk::new();
    let mut rig = joined(&desk);
    // If the machine pauses longer than a gesture does, the ride becomes two, and is done again.
    let is_one_step = (0..3).any(|_| {
        let before = desk.steps();
        let trim = ride(&mut rig);
        until(|| (desk.tracks()[0].1.gain.0 - trim).abs() < 0.01);
        desk.steps() == before + 1
    });
    assert!(is_one_step, "one gesture");
    assert!(rig.trims_told().is_empty(), "no echo of the ride turned the knob");
}

/// Two seconds of automation, about as fast as a host plays it; gives where trim is then, in dB.
fn ride(rig: &mut Rig) -> f64 {
    let (start, mut trim) = (Instant::now(), 0.0);
    while start.elapsed() < Duration::from_secs(2) {
        trim = -6.0 * start.elapsed().as_secs_f64() / 2.0;
        rig.set_trim(trim);
        rig.run(&[0.0; 480], 480);
        std::thread::park_timeout(Duration::from_millis(8));
    }
    // Reading the session ends the gesture: nobody looks until it has ended by itself.
    let end = Instant::now();
    while end.elapsed() < Duration::from_millis(1_800) {
        rig.run(&[0.0; 480], 480);
        std::thread::park_timeout(Duration::from_millis(8));
    }
    trim
}

#[test]
fn what_was_not_recorded_yet_is_said_with_the_way_to_it() {
    let _turn = turn();
    let desk = Desk::new();
    let mut one = instance(&desk);
    until(|| desk.instances().len() == 1);
    let way = "\"Track 1\" has recorded nothing yet: play it once in ";
    for tool in ["tool_gain_stage", "tool_strip_silence", "tool_measure"] {
        let said = desk.refusal_or_summary(tool, json!({"targets": "all"}));
        assert!(said.contains(way) && said.contains("render the song once"), "{tool}: {said}");
    }
    play_until(&mut [&mut one], |rigs| field(rigs[0], "snapshot") != json!(null));
    one.roll(&sine(440.0, RATE, 48_000), 0, RATE, 480);
    one.halt(48_000, RATE);
    play_until(&mut [&mut one], |_| !desk.session().clips.is_empty());
    let _two = instance(&desk);
    until(|| desk.instances().len() == 2);
    let plan = desk.planned("tool_gain_stage", json!({"targets": "all"}));
    let warned = |it: &&String| it.contains("\"Track 2\" has recorded nothing yet");
    assert_eq!(plan.warnings.iter().filter(warned).count(), 1, "{:?}", plan.warnings);
    assert!(!plan.warnings.iter().any(|it| it.contains("\"Track 1\" has")), "{:?}", plan.warnings);
}
