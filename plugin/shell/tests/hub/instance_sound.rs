//! The sound that an instance plays by itself: single takes, and the gain reduction of its processors. The
//! host's callback runs under the allocation guard.

use crate::desk::{Desk, turn, until};
use crate::hearing::captured;
use crate::rig::{Rig, level, roughness};
use crate::{RATE, play_until};
use deskhand_dsp::Frames;
use deskhand_plugin::test_probes;
use deskhand_session::SourceId;
use serde_json::json;

const BLOCK: usize = 480;
/// A quiet hum of the host, in whose place the take is heard.
const HUM: f32 = 0.01;

fn source(desk: &Desk) -> SourceId {
    *desk.session().sources.keys().next().unwrap()
}

/// Runs the stopped host until `done` accepts the output so far.
fn stand_until(rig: &mut Rig, mut done: impl FnMut(&[f32]) -> bool) -> Vec<f32> {
    let mut out = Vec::new();
    until(|| {
        // A host runs about as fast as its blocks are long.
        out.extend(rig.run(&[HUM; BLOCK], BLOCK).swap_remove(0));
        done(&out)
    });
    out
}

fn is_hum(out: &[f32]) -> bool {
    out.iter().rev().take(BLOCK).all(|sample| (sample.abs() - HUM).abs() < 1e-6)
}

fn is_tone(out: &[f32]) -> bool {
    level(&out[out.len() - BLOCK..]) > -10.0
}

#[test]
fn a_take_is_heard_by_itself_as_it_was_recorded_while_the_host_stands() {
    let _turn = turn();
    let desk = Desk::new();
    let (mut rig, input) = captured(&desk);
    // What the instance does to its track is not done to the take.
    rig.set("Polarity", 1.0);
    let before = desk.session();
    stand_until(&mut rig, is_hum);
    let (from, to) = (Frames(24_000), Frames(48_000));
    test_probes::hear_alone(Some((source(&desk), from, to)));
    let mut out = stand_until(&mut rig, is_tone);
    assert!(test_probes::heard_alone().0.is_some_and(|at| at >= from && at < to));
    out.extend(stand_until(&mut rig, |_| test_probes::heard_alone().0.is_none()));
    out.extend(stand_until(&mut rig, is_hum));
    assert_eq!(test_probes::heard_alone(), (None, None), "it ended by itself, without trouble");
    let piece = &input[24_480..46_000];
    let near = |a: &[f32], b: &[f32]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-5);
    let found = out.windows(piece.len()).any(|window| near(window, piece));
    assert!(found, "every frame of the stretch, at the level of the recording");
    assert!(roughness(&out) < 1.2 * roughness(&input), "{}", roughness(&out));
    assert_eq!(desk.session().clips, before.clips, "nothing of it is captured");
}

#[test]
fn a_second_click_ends_it_another_take_follows_at_once_and_so_does_the_song() {
    let _turn = turn();
    let desk = Desk::new();
    let (mut rig, input) = captured(&desk);
    let source = source(&desk);
    let whole = Some((source, Frames(0), Frames(96_000)));
    test_probes::hear_alone(whole);
    let mut out = stand_until(&mut rig, is_tone);
    test_probes::hear_alone(None);
    out.extend(stand_until(&mut rig, is_hum));
    test_probes::hear_alone(whole);
    out.extend(stand_until(&mut rig, is_tone));
    test_probes::hear_alone(Some((source, Frames(60_000), Frames(90_000))));
    let there = |at: Option<Frames>| at.is_some_and(|at| at > Frames(62_000));
    out.extend(stand_until(&mut rig, |out| there(test_probes::heard_alone().0) && is_tone(out)));
    assert!(roughness(&out) < 1.2 * roughness(&input), "{}", roughness(&out));
    // The host just started, so the person wants to hear the song.
    let mut at = 0;
    until(|| {
        let out = rig.roll(&[HUM; BLOCK], at, RATE, BLOCK).swap_remove(0);
        at += BLOCK as i64;
        is_hum(&out)
    });
    assert_eq!(test_probes::heard_alone(), (None, None));
}

#[test]
fn a_take_that_cannot_be_heard_says_why() {
    let _turn = turn();
    let desk = Desk::new();
    let (mut rig, _) = captured(&desk);
    let source = source(&desk);
    test_probes::hear_alone(Some((SourceId::new(77), Frames(0), Frames(48_000))));
    stand_until(&mut rig, |_| test_probes::heard_alone().1.is_some());
    let (at, why) = test_probes::heard_alone();
    assert!(at.is_none() && why.unwrap().contains("not in this session"));
    let path = desk.session().sources[&source].path.clone();
    let away = format!("{path}.away");
    std::fs::rename(&path, &away).unwrap();
    test_probes::hear_alone(Some((source, Frames(48_000), Frames(96_000))));
    stand_until(&mut rig, |_| test_probes::heard_alone().1.is_some());
    let (_, why) = test_probes::heard_alone();
    assert!(why.as_ref().unwrap().contains(".wav"), "{why:?}");
    stand_until(&mut rig, is_hum);
    std::fs::rename(&away, &path).unwrap();
    test_probes::hear_alone(Some((source, Frames(0), Frames(48_000))));
    // A host that runs no audio while it is stopped.
    until(|| test_probes::heard_alone().1.is_some());
    let (_, why) = test_probes::heard_alone();
    assert!(why.unwrap().contains("runs no sound"));
    stand_until(&mut rig, is_hum);
}

#[test]
fn what_a_compressor_takes_away_in_the_session_that_is_played_reaches_the_window() {
    let _turn = turn();
    let mut desk = Desk::new();
    let (mut rig, input) = captured(&desk);
    assert!(test_probes::reductions().is_empty());
    let name = desk.tracks()[0].1.name.clone();
    let effect = json!({"kind": "compressor", "threshold": -30, "ratio": 4});
    desk.call("cmd_set_insert", json!({"on": name, "effect": effect}));
    let insert = *desk.session().inserts.keys().next().unwrap();
    rig.set("Output", 1.0);
    let (mut at, mut heard) = (170_000, 0.0);
    until(|| {
        let out = rig.roll(&[0.0; BLOCK], at, RATE, BLOCK).swap_remove(0);
        at = if at > 230_000 { 170_000 } else { at + BLOCK as i64 };
        heard = level(&out) - level(&input);
        test_probes::reductions().get(&insert).is_some_and(|taken| *taken > 6.0)
    });
    rig.set("Output", 0.0);
    play_until(&mut [&mut rig], |_| test_probes::reductions().is_empty());
}
