//! An instance that plays its track from the session: what it does not record, what a bypass goes around, and how it
//! ends.

use super::{RATE, instance, play_until};
use crate::desk::{Desk, turn, until};
use crate::rig::{Rig, level, sine};
use deskhand_plugin::guard::Entry;
use deskhand_plugin::plant;

const BLOCK: usize = 480;

/// An instance that recorded two seconds of a tone at 3 s, and plays the session from then on.
fn playing(desk: &Desk) -> (Rig, Vec<f32>) {
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
    // On from where it is heard: who rolls faster than the disk reads hears nothing.
    let (mut at, mut out) = (170_000, Vec::new());
    until(|| {
        let block = rig.roll(&[0.0; BLOCK], at, RATE, BLOCK).swap_remove(0);
        at = if at > 220_000 { 170_000 } else { at + BLOCK as i64 };
        let is_heard = (level(&block) - level(&input)).abs() < 0.5;
        out = block;
        is_heard
    });
    plant::arm(Entry::Process);
    out.extend(rig.roll(&[0.0; 9_600], at, RATE, BLOCK).swap_remove(0));
    assert!(!plant::is_armed(Entry::Process));
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
