//! An instance that plays its track from the session: what it does not record, what a bypass goes around, and how it
//! ends.

use super::{RATE, instance, play_until};
use crate::desk::{Desk, turn, until};
use crate::rig::{self, Rig, level, sine};
use deskhand_plugin::guard::Entry;
use deskhand_plugin::planted_faults;

const BLOCK: usize = 480;

/// An instance that recorded two seconds of a tone at 3 s, and plays the session from then on.
pub fn playing(desk: &Desk) -> (Rig, Vec<f32>) {
    let mut rig = instance(desk);
    play_until(&mut [&mut rig], |rigs| {
        super::field(rigs[0], "snapshot") != serde_json::json!(null)
    });
    let input = sine(440.0, RATE, 96_000);
    rig.roll(&input, 144_000, RATE, BLOCK);
    rig.halt(240_000, RATE);
    play_until(&mut [&mut rig], |_| !desk.session().clips.is_empty());
    rig.set("Output", 1.0);
    (rig, input)
}

/// Plays the clip over and over, with silence coming in, until `is_so`.
fn loop_until(rig: &mut Rig, mut is_so: impl FnMut(&[f32]) -> bool) {
    let mut at = 170_000;
    until(|| {
        let out = rig.roll(&[0.0; BLOCK], at, RATE, BLOCK).swap_remove(0);
        at = if at > 230_000 { 170_000 } else { at + BLOCK as i64 };
        is_so(&out)
    });
}

#[test]
fn what_an_instance_plays_is_not_recorded_over() {
    let _turn = turn();
    let mut desk = Desk::new();
    let (mut rig, input) = playing(&desk);
    let clip = *desk.session().clips.keys().next().unwrap();
    desk.call("cmd_set_clip_gain", serde_json::json!({"targets": [clip], "gain_db": -20.0}));
    loop_until(&mut rig, |out| (level(out) - level(&input) + 20.0).abs() < 0.1);
    // Longer than any pass that counts.
    rig.roll(&[0.0; 96_000], 144_000, RATE, BLOCK);
    rig.halt(240_000, RATE);
    rig.set("Output", 0.0);
    rig.roll(&input, 480_000, RATE, BLOCK);
    rig.halt(576_000, RATE);
    play_until(&mut [&mut rig], |_| desk.session().clips.len() > 1);
    let session = desk.session();
    let places: Vec<i64> = session.clips.values().map(|clip| clip.position.0).collect();
    assert_eq!(session.clips.len(), 2, "{places:?}");
    assert!((session.clips[&clip].gain.0 + 20.0).abs() < 0.01, "the edit stands");
    assert!(places.contains(&480_000), "{places:?}");
}

#[test]
fn a_bypass_goes_around_the_session_too() {
    let _turn = turn();
    let desk = Desk::new();
    let (mut rig, input) = playing(&desk);
    loop_until(&mut rig, |out| (level(out) - level(&input)).abs() < 0.1);
    rig.set("Bypass", 1.0);
    loop_until(&mut rig, |out| out.iter().all(|sample| *sample == 0.0));
    rig.set("Bypass", 0.0);
    loop_until(&mut rig, |out| (level(out) - level(&input)).abs() < 0.1);
}

#[test]
fn a_panic_while_the_session_plays_makes_no_click_and_a_reset_tries_again() {
    let _turn = turn();
    let desk = Desk::new();
    let (mut rig, input) = playing(&desk);
    loop_until(&mut rig, |out| (level(out) - level(&input)).abs() < 0.1);
    // Continues from where it is heard: if it rolls faster than the disk reads, it hears nothing.
    let (mut at, mut out) = (170_000, Vec::new());
    until(|| {
        let block = rig.roll(&[0.0; BLOCK], at, RATE, BLOCK).swap_remove(0);
        at = if at > 220_000 { 170_000 } else { at + BLOCK as i64 };
        let is_heard = (level(&block) - level(&input)).abs() < 0.5;
        out = block;
        is_heard
    });
    planted_faults::arm(Entry::Process);
    out.extend(rig.roll(&[0.0; 9_600], at, RATE, BLOCK).swap_remove(0));
    assert!(!planted_faults::is_armed(Entry::Process));
    assert_eq!(out[BLOCK + 960..], [0.0; 8_640], "what comes in passes");
    let step = |samples: &[f32]| {
        samples.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f32::max)
    };
    let ratio = step(&out) / step(&input);
    assert!(ratio < 1.1, "no step: {ratio}");
    // A reset tries again.
    rig.reset();
    loop_until(&mut rig, |out| (level(out) - level(&input)).abs() < 0.1);
}

/// A host's rate, Hz, that is not the session's.
const OTHER: f64 = 44_100.0;

/// Two seconds of a host at that rate from 2.5 s on: it starts half a second before the clip.
fn heard_at_other_rate(rig: &mut Rig) -> Vec<f32> {
    let (mut at, mut out) = (110_250, Vec::new());
    // About as fast as a host plays: the disk reads along.
    until(|| {
        out.extend(rig.roll(&[0.0; 441], at, OTHER, 441).swap_remove(0));
        at += 441;
        out.len() >= 88_200
    });
    out
}

#[test]
fn at_another_rate_of_the_host_s_the_session_keeps_its_pitch_and_its_place() {
    let _turn = turn();
    let desk = Desk::new();
    let (mut rig, _) = playing(&desk);
    rig.stop();
    rig.start(OTHER, 441);
    let mut out = Vec::new();
    // The first time the session may come to it in the middle of the clip.
    for _ in 0..4 {
        let is_known = out.len() > 44_100 && level(&out[44_100..]) > -20.0;
        out = heard_at_other_rate(&mut rig);
        if is_known {
            break;
        }
    }
    // After a jump back of the host, the earlier sound ends within 10 ms.
    let begins = 882 + out[882..].iter().position(|sample| sample.abs() > 0.02).unwrap();
    assert!(begins.abs_diff(22_050) <= 44, "within a millisecond of 3 s: {begins}");
    // A second of it, from 0.2 s after its start.
    let (tone, second) = (sine(440.0, OTHER, 52_920), &out[30_870..74_970]);
    let rises = second.windows(2).filter(|two| two[0] < 0.0 && two[1] >= 0.0).count();
    assert!(rises.abs_diff(440) <= 1, "{rises} Hz");
    let off: Vec<f32> = second.iter().zip(&tone[8_820..]).map(|(is, tone)| is - tone).collect();
    let off = level(&off) - level(&tone[8_820..]);
    // Half a frame off would leave -30 dB.
    assert!(off < -30.0, "{off} dB");
    rig::row("the session at 44.1 kHz: pitch, beside the tone", format!("{rises} Hz, {off:.1} dB"));
}

#[test]
fn what_comes_in_live_passes_no_processor_that_looks_ahead_and_the_session_does() {
    let _turn = turn();
    let mut desk = Desk::new();
    let (mut rig, input) = playing(&desk);
    let name = desk.tracks()[0].1.name.clone();
    let effect = serde_json::json!({"kind": "limiter", "ceiling": -20.0});
    desk.call("cmd_set_insert", serde_json::json!({"on": name, "effect": effect}));
    // By now the session that is played has it: peaks at -6 dB come out below -20 dB.
    loop_until(&mut rig, |out| {
        let peak = out.iter().fold(0.0_f32, |peak, it| peak.max(it.abs()));
        peak > 0.05 && peak < 0.11
    });
    rig.set("Output", 0.0);
    rig.run(&[0.0; 4_800], BLOCK);
    let live = rig.roll(&input[..48_000], 170_000, RATE, BLOCK).swap_remove(0);
    assert_eq!(live, input[..48_000], "at once, and every bit: no limiter, and no latency");
}
