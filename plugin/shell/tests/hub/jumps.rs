//! What all instances take together, in a host that loops, jumps or stops before the named frame comes.

use crate::desk::{Desk, field, turn, until};
use crate::rig::Rig;
use crate::{RATE, instance, play_until};
use serde_json::json;
use std::time::{Duration, Instant};

const BLOCK: usize = 480;
/// Amplitudes of the input.
const IN: f32 = 0.5;

/// The frames that a host may lag and still catch up. If it lags more, its machine paused.
const BEHIND: usize = 4 * BLOCK;

/// Two instances in a host that plays in real time.
struct Host {
    rigs: [Rig; 2],
    start: Instant,
    /// Frames played, and where the timeline is.
    played: usize,
    at: i64,
    outs: [Vec<f32>; 2],
}

impl Host {
    fn new(desk: &Desk) -> Self {
        let (mut one, mut two) = (instance(desk), instance(desk));
        until(|| desk.instances().len() == 2);
        play_until(&mut [&mut one, &mut two], |rigs| {
            rigs.iter_mut().all(|rig| field(rig, "snapshot") != json!(null))
        });
        let (rigs, outs) = ([one, two], Default::default());
        Self { rigs, start: Instant::now(), played: 0, at: 48_000, outs }
    }

    /// Plays the blocks that are due; `jump` gives the timeline position after a block. If the machine
    /// paused, it paused for the host too. The host does not hurry then, because timely messages would be
    /// too late for it.
    fn play(&mut self, jump: &dyn Fn(i64) -> i64) {
        let mut due = (self.start.elapsed().as_secs_f64() * RATE) as usize;
        let missed = due.saturating_sub(self.played + BEHIND);
        self.start += Duration::from_secs_f64(missed as f64 / RATE);
        due -= missed;
        while self.played + BLOCK <= due {
            for (rig, out) in self.rigs.iter_mut().zip(&mut self.outs) {
                out.extend(rig.roll(&[IN; BLOCK], self.at, RATE, BLOCK).swap_remove(0));
            }
            self.played += BLOCK;
            self.at = jump(self.at + BLOCK as i64);
        }
    }

    fn play_until(&mut self, jump: &dyn Fn(i64) -> i64, mut is_so: impl FnMut(&Self) -> bool) {
        until(|| {
            self.play(jump);
            is_so(self)
        });
    }

    /// The number of frames after `from` until each output began to move.
    fn moved(&self, from: usize) -> [Option<usize>; 2] {
        self.outs.each_ref().map(|out| {
            let rest = &out[from..];
            rest.iter().position(|it| it.to_bits() != rest[0].to_bits())
        })
    }

    /// Whether both outputs moved after `from`, and are still again.
    fn settled(&self, from: usize) -> bool {
        let stands = |out: &Vec<f32>| {
            out.len() > from + 2 * BLOCK && out.last() == out.get(out.len() - BLOCK)
        };
        self.outs.iter().all(stands) && self.moved(from).iter().all(Option::is_some)
    }

    /// Lowers both tracks by 1 dB. Returns when each output moved, in frames after the decision.
    fn step(&mut self, desk: &mut Desk, jump: &dyn Fn(i64) -> i64) -> [usize; 2] {
        let from = self.played - 1;
        let names: Vec<String> = desk.tracks().into_iter().map(|(_, track)| track.name).collect();
        desk.call("cmd_set_track_gain", json!({"targets": names, "change_db": -1.0}));
        self.play_until(jump, |host| host.settled(from));
        self.moved(from).map(Option::unwrap)
    }
}

/// The frames after a decision that the hub's 200 ms take, and the calls of this test on a busy machine.
const SOON: usize = 96_000;

#[track_caller]
fn assert_together(moved: [usize; 2]) {
    assert_eq!(moved[0], moved[1], "one frame for all");
    assert!(moved[0] < SOON, "{} frames behind the decision", moved[0]);
}

/// Whether the hub knows that the host plays, and about where.
fn is_known(desk: &Desk, host: &Host) -> bool {
    let is_near = |at: i64| (at - host.at).abs() < 24_000;
    desk.instances().iter().all(|it| it.clock.is_some_and(|it| it.moves && is_near(it.at.0)))
}

#[test]
fn in_a_loop_that_ends_before_the_named_frame_all_take_it_together() {
    let _turn = turn();
    let mut desk = Desk::new();
    let mut host = Host::new(&desk);
    // 190 ms, and half a second.
    for length in [9_120, 24_000] {
        let jump = |at: i64| if at >= 48_000 + length { 48_000 } else { at };
        host.at = 48_000;
        host.play_until(&jump, |host| is_known(&desk, host));
        for _ in 0..3 {
            // Near its end, so that the frame comes after it.
            host.play_until(&jump, |host| host.at > 48_000 + length - 4_800);
            assert_together(host.step(&mut desk, &jump));
        }
    }
}

#[test]
fn a_host_that_jumps_back_or_past_the_named_frame_moves_all_together() {
    let _turn = turn();
    let mut desk = Desk::new();
    let mut host = Host::new(&desk);
    for by in [960_000, -480_000] {
        host.play_until(&|at| at, |host| is_known(&desk, host));
        let target = host.at + 4_800;
        let jump = move |at: i64| if at == target { at + by } else { at };
        assert_together(host.step(&mut desk, &jump));
    }
}

#[test]
fn a_host_that_stops_ahead_of_the_named_frame_moves_all_together() {
    let _turn = turn();
    let mut desk = Desk::new();
    let mut host = Host::new(&desk);
    host.play_until(&|at| at, |host| is_known(&desk, host));
    let from = host.played - 1;
    let names: Vec<String> = desk.tracks().into_iter().map(|(_, track)| track.name).collect();
    desk.call("cmd_set_track_gain", json!({"targets": names, "change_db": -1.0}));
    let head = json!(desk.head().0);
    // In this time both hear of it, as a rule; on a busy machine they are waited for.
    host.play_until(&|at| at, |host| host.played > from + 4_800);
    until(|| {
        host.play(&|at| at);
        host.rigs.iter_mut().all(|rig| field(rig, "revision") == head)
    });
    host.rigs.iter_mut().for_each(|rig| rig.halt(host.at, RATE));
    until(|| {
        let [one, two] =
            host.rigs.each_mut().map(|rig| rig.run(&[IN; BLOCK], BLOCK).swap_remove(0));
        assert!(one == two, "the same in both, while the host stands");
        let moved = f64::from(one[BLOCK - 1] / IN).log10() * 20.0;
        (moved + 1.0).abs() < 0.01
    });
}
