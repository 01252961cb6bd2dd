//! The desk gain moves into trim behind a window that was closed, and nowhere where none was.

use crate::desk::{Desk, desk_gain, field, turn, until};
use crate::rig::{Rig, level, roughness, sine};
use crate::{RATE, instance, play_until};
use serde_json::json;

/// All instances are tracks, and know the session.
fn settled(desk: &Desk, rigs: &mut [&mut Rig]) {
    until(|| desk.instances().len() == rigs.len());
    play_until(rigs, |rigs| rigs.iter_mut().all(|rig| field(rig, "snapshot") != json!(null)));
}

/// A plan over all tracks is applied.
fn change(desk: &mut Desk, decibels: f64) {
    let names: Vec<String> = desk.tracks().into_iter().map(|(_, track)| track.name).collect();
    desk.call("cmd_set_track_gain", json!({"targets": names, "change_db": decibels}));
}

/// A block in every instance, about as a host goes on: its main thread, then its audio thread.
fn go_on(rigs: &mut [&mut Rig], input: &[f32]) -> Vec<Vec<f32>> {
    let one = |rig: &mut &mut Rig| {
        rig.main_thread();
        rig.run(input, 480).swap_remove(0)
    };
    rigs.iter_mut().map(one).collect()
}

fn is_near(one: f64, other: f64) -> bool {
    (one - other).abs() < 0.01
}

/// What `rig` gave until its trim was `wanted` and its desk gain nothing, beside `other`; and its gain after
/// each block.
fn until_folded(
    rig: &mut Rig,
    other: &mut Rig,
    input: &[f32],
    wanted: f64,
) -> (Vec<f32>, Vec<f64>) {
    let (mut out, mut sums, mut round) = (Vec::new(), Vec::new(), 0);
    until(|| {
        let at = (round % 40) * 480;
        round += 1;
        out.extend(go_on(&mut [rig, other], &input[at..at + 480]).swap_remove(0));
        let (trim, desk) = (rig.trim(), desk_gain(rig));
        sums.push(trim + desk);
        is_near(trim, wanted) && is_near(desk, 0.0)
    });
    (out, sums)
}

#[test]
fn behind_a_closed_window_the_desk_gain_moves_into_trim_and_where_none_was_it_stays() {
    let _turn = turn();
    let mut desk = Desk::new();
    let (mut seen, mut never) = (instance(&desk), instance(&desk));
    seen.look();
    settled(&desk, &mut [&mut seen, &mut never]);
    change(&mut desk, -6.0);
    let input = sine(440.0, RATE, 480 * 40);
    let (out, sums) = until_folded(&mut seen, &mut never, &input, -6.0);
    let quiet = roughness(&out) / roughness(&input);
    // The kinks of a ramp of 10 ms; a step of 6 dB would be over a hundred.
    assert!(quiet < 1.5, "no click on the way: {quiet}");
    let moved = sums.iter().position(|sum| is_near(*sum, -6.0)).unwrap();
    let (before, after) = sums.split_at(moved);
    assert!(before.iter().all(|sum| is_near(*sum, 0.0)), "{before:?}");
    assert!(after.iter().all(|sum| is_near(*sum, -6.0)), "the sum never jumps: {after:?}");
    let told = seen.trims_told();
    assert!(matches!(*told, [trim] if is_near(trim, -6.0)), "one gesture: {told:?}");
    assert!(!seen.was_touched_elsewhere(), "on the host's main thread");

    // By now the other would have moved too.
    (0..40).for_each(|_| drop(go_on(&mut [&mut seen, &mut never], &[0.0; 480])));
    assert!(is_near(desk_gain(&mut never), -6.0) && is_near(never.trim(), 0.0));
    assert!(never.told.is_empty());
    for rig in [&mut seen, &mut never] {
        let out = rig.run(&input, 480).swap_remove(0);
        assert!(is_near(level(&out[960..]) - level(&input[960..]), -6.0));
    }
    assert_ne!(desk.last_author(), "host", "nothing moved for the session");
}

#[test]
fn what_is_undone_behind_a_closed_window_is_one_gesture_more() {
    let _turn = turn();
    let mut desk = Desk::new();
    let (mut seen, mut never) = (instance(&desk), instance(&desk));
    seen.look();
    settled(&desk, &mut [&mut seen, &mut never]);
    let input = [0.0; 480 * 40];
    change(&mut desk, -6.0);
    until_folded(&mut seen, &mut never, &input, -6.0);
    desk.undo();
    until_folded(&mut seen, &mut never, &input, 0.0);
    assert_eq!(seen.trims_told().len(), 2);
    assert!(desk.tracks().iter().all(|(_, track)| is_near(track.gain.0, 0.0)));
    assert!(is_near(desk_gain(&mut never), 0.0), "it was never in its trim");
    assert!(never.told.is_empty());
}

#[test]
fn a_host_that_never_gives_its_main_thread_plays_the_plan_and_its_project_keeps_it() {
    let _turn = turn();
    let mut desk = Desk::new();
    let mut rig = instance(&desk);
    rig.look();
    rig.main_thread();
    settled(&desk, &mut [&mut rig]);
    change(&mut desk, -6.0);
    play_until(&mut [&mut rig], |rigs| desk_gain(rigs[0]) < -5.9 && rigs[0].wants_main_thread());
    let is_heard = |rig: &mut Rig| {
        let input = sine(440.0, RATE, 480 * 40);
        let out = rig.run(&input, 480).swap_remove(0);
        is_near(level(&out[960..]) - level(&input[960..]), -6.0)
    };
    assert!(is_heard(&mut rig) && is_near(rig.trim(), 0.0) && rig.told.is_empty());
    let project = rig.save();
    drop(rig);
    until(|| desk.instances().is_empty());
    let mut again = Rig::idle();
    assert!(again.load(&project));
    again.start(RATE, 480);
    assert!(is_heard(&mut again), "ahead of the session too");
    settled(&desk, &mut [&mut again]);
    assert!(is_heard(&mut again));
    assert_ne!(desk.last_author(), "host", "nothing moved for the session");
}

#[test]
fn an_instance_goes_while_its_host_is_asked_for_the_main_thread() {
    let _turn = turn();
    let mut desk = Desk::new();
    let mut rigs: Vec<Rig> = (0..4).map(|_| instance(&desk)).collect();
    rigs.iter_mut().for_each(Rig::look);
    rigs.iter_mut().for_each(Rig::main_thread);
    let mut all: Vec<&mut Rig> = rigs.iter_mut().collect();
    settled(&desk, &mut all);
    change(&mut desk, 3.0);
    play_until(&mut all, |rigs| rigs.iter().any(|rig| rig.wants_main_thread()));
    // The first while the others are being asked; nobody's main thread ever comes.
    drop(rigs);
    until(|| desk.instances().is_empty());
}
