//! Instances of the VST3 at a hub: it ends and comes back, they go while they work, and all move at one frame.

use crate::desk::{Desk, turn, until};
use crate::rig::{FAREWELL, level, sine};
use crate::sound::row;
use crate::vst::Vst;
use deskhand_plugin::test_probes;
use serde_json::json;
use std::time::{Duration, Instant};

pub const RATE: f64 = 48_000.0;
pub const BLOCK: usize = 480;

/// This many instances at the session of `desk`.
pub fn at(desk: &Desk, count: usize) -> Vec<Vst> {
    let mut all = Vec::new();
    for _ in 0..count {
        let mut vst = Vst::new();
        vst.start(false, RATE, 480);
        // Later instances go where the first one goes.
        if all.is_empty() {
            test_probes::use_session(&desk.dir);
        }
        all.push(vst);
        until(|| desk.instances().len() == all.len());
    }
    assert!(desk.instances().iter().all(|it| it.format == "VST3"));
    all
}

/// Ends them all; all are gone for the hub too.
pub fn go(desk: &Desk, vsts: Vec<Vst>) -> Duration {
    let start = Instant::now();
    drop(vsts);
    let took = start.elapsed();
    assert!(took < FAREWELL, "{took:?}");
    until(|| desk.instances().is_empty());
    took
}

pub fn gain(vst: &Vst) -> f64 {
    let input = sine(1_000.0, RATE, 4_800);
    let out = vst.run(&input, BLOCK);
    level(&out[0][960..]) - level(&input[960..])
}

/// Plays silence until it is so.
fn run_until(vst: &Vst, mut is_so: impl FnMut() -> bool) {
    until(|| {
        vst.run(&[0.0; BLOCK], BLOCK);
        is_so()
    });
}

#[test]
fn a_hub_that_is_killed_takes_no_sound_with_it_and_the_next_finds_its_instance() {
    let _turn = turn();
    let mut desk = Desk::new();
    let vsts = at(&desk, 1);
    let vst = &vsts[0];
    let name = desk.tracks()[0].1.name.clone();
    desk.call("cmd_set_track_gain", json!({"targets": [&name], "change_db": -6.0}));
    run_until(vst, || (gain(vst) + 6.0).abs() < 0.01);
    desk.stop();
    run_until(vst, || !test_probes::is_joined());
    let mut hub = desk.serve();
    run_until(vst, test_probes::is_joined);
    hub.kill().unwrap();
    hub.wait().unwrap();
    assert!((gain(vst) + 6.0).abs() < 0.01, "sound passes");
    run_until(vst, || !test_probes::is_joined());
    assert!((gain(vst) + 6.0).abs() < 0.01, "the gain stands without a hub");
    desk.start();
    run_until(vst, || desk.instances().len() == 1);
    assert_eq!(desk.tracks().len(), 1, "it is the track it was");
    desk.call("cmd_set_track_gain", json!({"targets": [&name], "change_db": -3.0}));
    run_until(vst, || (gain(vst) + 9.0).abs() < 0.01);
    row("hub killed, its instance found again: gain off by", format!("{:.6} dB", gain(vst) + 9.0));
    go(&desk, vsts);
}

#[test]
fn instances_that_go_while_they_record_go_in_time_and_leave_what_they_recorded() {
    let _turn = turn();
    let mut longest = Duration::ZERO;
    for count in [1, 8] {
        let desk = Desk::new();
        let vsts = at(&desk, count);
        let mut frame = 0;
        until(|| {
            for vst in &vsts {
                vst.roll(&sine(440.0, RATE, BLOCK), frame, RATE, BLOCK);
            }
            frame += BLOCK as i64;
            frame >= 48_000 && desk.instances().iter().all(|it| it.captures)
        });
        longest = longest.max(go(&desk, vsts));
        until(|| desk.session().clips.len() == count);
        assert!(desk.session().clips.values().all(|clip| clip.length.0 >= 24_000));
    }
    row("8 instances destroyed while they record", format!("{longest:.0?} at most"));
}

#[test]
fn a_plan_is_taken_at_one_timeline_frame_by_all() {
    let _turn = turn();
    let mut desk = Desk::new();
    let vsts = at(&desk, 2);
    let names: Vec<String> = desk.tracks().into_iter().map(|(_, track)| track.name).collect();
    let (mut frame, mut outs) = (48_000, [Vec::new(), Vec::new()]);
    let mut called = false;
    // The clock must be known before the plan; then both hear it while the host plays on.
    until(|| {
        for (vst, out) in vsts.iter().zip(&mut outs) {
            let [left, _] = vst.roll(&[0.5; BLOCK], frame, RATE, BLOCK);
            out.extend(left);
        }
        frame += BLOCK as i64;
        if !called && desk.instances().iter().all(|it| it.clock.is_some_and(|clock| clock.moves)) {
            desk.call("cmd_set_track_gain", json!({"targets": names, "change_db": -6.0}));
            called = true;
        }
        called && outs.iter().all(|out| out.last().is_some_and(|last| *last < 0.3))
    });
    let begins = outs.map(|out| out.iter().position(|sample| *sample != 0.5).unwrap());
    assert_eq!(begins[0], begins[1]);
    row("a plan in two instances: frames between their moves", begins[0].abs_diff(begins[1]));
    go(&desk, vsts);
}
