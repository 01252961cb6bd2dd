//! Hearing a plan in every instance at once, before anything of it is applied.

use crate::desk::{Desk, field, turn, until};
use crate::rig::{Rig, level, sine};
use crate::{RATE, instance, joined, play_until};
use deskhand_protocol::{Apply, Decision, Link, Op};
use deskhand_session::PlanId;
use serde_json::json;

const BLOCK: usize = 480;
/// Amplitudes of the input.
const IN: f32 = 0.5;

/// A host with instances that plays a constant, in all of them the same.
struct Host {
    rigs: Vec<Rig>,
    at: i64,
    outs: Vec<Vec<f32>>,
}

impl Host {
    fn new(desk: &Desk, count: usize) -> Self {
        let mut rigs: Vec<Rig> = (0..count).map(|_| instance(desk)).collect();
        until(|| {
            rigs.iter_mut().for_each(|rig| drop(rig.run(&[0.0; BLOCK], BLOCK)));
            rigs.iter_mut().all(|rig| field(rig, "snapshot") != json!(null))
                && desk.instances().len() == count
        });
        let mut host = Self { rigs, at: 48_000, outs: vec![Vec::new(); count] };
        host.until(|_| desk.instances().iter().all(|it| it.clock.is_some_and(|it| it.moves)));
        host
    }

    /// Rolls on until `done` sees that it is so in the last samples of all outputs, and a little longer.
    fn until(&mut self, mut done: impl FnMut(&[f32]) -> bool) {
        self.outs.iter_mut().for_each(Vec::clear);
        let mut behind = 0;
        until(|| {
            for (rig, out) in self.rigs.iter_mut().zip(&mut self.outs) {
                out.extend(rig.roll(&[IN; BLOCK], self.at, RATE, BLOCK).swap_remove(0));
            }
            self.at += BLOCK as i64;
            let last: Vec<f32> = self.outs.iter().filter_map(|out| out.last().copied()).collect();
            behind = if done(&last) { behind + 1 } else { 0 };
            behind > 3
        });
    }

    /// The place in the last rolled audio where each output began to move.
    fn moves(&self) -> Vec<Option<usize>> {
        let begin = |out: &Vec<f32>| out.iter().position(|it| it.to_bits() != out[0].to_bits());
        self.outs.iter().map(begin).collect()
    }

    fn roughest(&self) -> f32 {
        let steps = self.outs.iter().flat_map(|out| out.windows(2).map(|it| (it[1] - it[0]).abs()));
        steps.fold(0.0, f32::max)
    }
}

fn near(value: f32, decibels: f64) -> bool {
    (f64::from(value / IN).log10() * 20.0 - decibels).abs() < 0.01
}

fn names(desk: &Desk) -> Vec<String> {
    let session = desk.session();
    session.track_order.iter().map(|id| session.tracks[id].name.clone()).collect()
}

fn hear(desk: &Desk, plan: PlanId, which: &str) -> String {
    desk.say("cmd_hear", json!({"plan_id": plan, "which": which}))
}

/// Three instances, and a plan that takes the first two down by 6 dB.
fn three() -> (Desk, Host, PlanId) {
    let desk = Desk::new();
    let host = Host::new(&desk, 3);
    let order = names(&desk);
    let plan = desk.plan("cmd_set_track_gain", json!({"targets": &order[..2], "change_db": -6.0}));
    (desk, host, plan)
}

/// How many of the last samples are 6 dB down.
fn down(last: &[f32]) -> usize {
    last.iter().filter(|value| near(**value, -6.0)).count()
}

#[test]
fn every_instance_goes_to_the_plan_and_back_at_one_frame_and_nothing_is_kept() {
    let _turn = turn();
    let (desk, mut host, plan) = three();
    let before = desk.session();
    assert_eq!(hear(&desk, plan, "plan"), "playing the session with the plan");
    host.until(|last| down(last) == 2);
    let moves: Vec<usize> = host.moves().into_iter().flatten().collect();
    assert_eq!(moves.len(), 2, "the third is not in the plan");
    assert_eq!(moves[0], moves[1], "one frame for all");
    assert!(host.roughest() < IN / 400.0, "10 ms: {}", host.roughest());
    assert_eq!(desk.session(), before);
    for rig in &mut host.rigs {
        assert!(rig.trim().abs() < 1e-4, "what is only heard turns no knob");
        assert!(rig.trims_told().is_empty());
    }
    hear(&desk, plan, "current");
    host.until(|last| down(last) == 0);
    let moves: Vec<usize> = host.moves().into_iter().flatten().collect();
    assert_eq!((moves.len(), moves[0]), (2, moves[1]));
    assert_eq!(desk.session(), before, "no host told a gain that was only heard");
}

#[test]
fn what_is_heard_is_applied_without_a_move() {
    let _turn = turn();
    let (desk, mut host, plan) = three();
    hear(&desk, plan, "plan");
    host.until(|last| down(last) == 2);
    desk.decide(plan, Decision::Apply);
    host.until(|_| desk.hearing().is_none());
    let mut rounds = 0;
    let mut heard = vec![Vec::new(); 3];
    host.until(|last| {
        heard.iter_mut().zip(last).for_each(|(heard, last)| heard.push(*last));
        rounds += 1;
        rounds > 80
    });
    assert_eq!(host.moves(), [None, None, None], "nothing moved behind the decision");
    let gains: Vec<f64> = host.rigs.iter_mut().map(Rig::trim).collect();
    assert_eq!(gains.iter().filter(|gain| (**gain + 6.0).abs() < 0.01).count(), 2, "{gains:?}");
    assert!(heard.iter().all(|it| it.windows(2).all(|two| two[0].to_bits() == two[1].to_bits())));
}

#[test]
fn rejecting_ends_it_and_so_does_leaving() {
    let _turn = turn();
    let (desk, mut host, plan) = three();
    hear(&desk, plan, "plan");
    host.until(|last| down(last) == 2);
    desk.decide(plan, Decision::Reject { reason: "too much".into() });
    host.until(|last| down(last) == 0);
    assert_eq!(desk.hearing(), None);

    let order = names(&desk);
    let plan = desk.plan("cmd_set_track_gain", json!({"targets": order, "change_db": -6.0}));
    let window = desk.visitor();
    let params = json!({"plan_id": plan, "which": "plan"});
    window.submit(Op::Call { tool: "cmd_hear".into(), params, apply: Apply::ByPolicy });
    host.until(|last| down(last) == 3);
    drop(window);
    host.until(|last| down(last) == 0);
    assert_eq!(desk.hearing(), None);
}

#[test]
fn a_hub_that_goes_takes_what_is_heard_along() {
    let _turn = turn();
    let (mut desk, mut host, plan) = three();
    hear(&desk, plan, "plan");
    host.until(|last| down(last) == 2);
    desk.stop();
    host.until(|last| down(last) == 0);
    desk.start();
}

#[test]
fn one_tick_less_is_heard_so() {
    let _turn = turn();
    let (desk, mut host, plan) = three();
    hear(&desk, plan, "plan");
    host.until(|last| down(last) == 2);
    desk.say("cmd_hear", json!({"plan_id": plan, "which": "plan", "only": ["c1"]}));
    host.until(|last| down(last) == 1);
    let set = json!({"plan_id": plan, "which": "plan", "set": {"c1": -12.0}});
    desk.say("cmd_hear", set);
    host.until(|last| down(last) == 1 && last.iter().any(|it| near(*it, -12.0)));
}

/// A captured sine, 2 s long at 3 s, on the track of the only instance.
pub(crate) fn captured(desk: &Desk) -> (Rig, Vec<f32>) {
    let mut rig = joined(desk);
    let input = sine(997.0, RATE, 96_000);
    rig.roll(&input, 144_000, RATE, BLOCK);
    rig.halt(240_000, RATE);
    play_until(&mut [&mut rig], |_| !desk.session().clips.is_empty());
    // The instance hears of it a little later.
    play_until(&mut [&mut rig], |rigs| field(rigs[0], "revision") == json!(desk.head().0));
    (rig, input)
}

#[test]
fn level_match_makes_plan_and_session_equally_loud() {
    let _turn = turn();
    let desk = Desk::new();
    let (rig, _) = captured(&desk);
    let mut host = Host { rigs: vec![rig], at: 48_000, outs: vec![Vec::new()] };
    host.until(|_| desk.instances()[0].clock.is_some_and(|clock| clock.moves));
    let plan = desk.plan("cmd_set_track_gain", json!({"targets": names(&desk), "change_db": -6.0}));
    hear(&desk, plan, "level_matched");
    host.until(|_| desk.hearing().is_some_and(|it| it.match_gain.is_some()));
    let gain = desk.hearing().unwrap().match_gain.unwrap();
    assert!((gain.0 - 6.0).abs() < 0.05, "{gain:?}");
    hear(&desk, plan, "plan");
    host.until(|last| down(last) == 1);
    hear(&desk, plan, "level_matched");
    host.until(|last| near(last[0], 0.0) || (f64::from(last[0] / IN).log10() * 20.0).abs() < 0.06);
}

#[test]
fn a_cut_is_heard_where_the_output_is_the_session_and_refused_in_words_elsewhere() {
    let _turn = turn();
    let desk = Desk::new();
    let (mut rig, input) = captured(&desk);
    let session = desk.session();
    let clip = session.clips.keys().next().unwrap();
    let plan = desk.plan("cmd_remove_clip", json!({"targets": [clip]}));
    let said = hear(&desk, plan, "plan");
    assert!(said.contains("set its output to session"), "{said}");
    assert_eq!(desk.hearing(), None);

    rig.set("Output", 1.0);
    let mut at = 170_000;
    // About as fast as a host plays; after the clip it starts again.
    let mut play = |rig: &mut Rig, silent: bool| {
        until(|| {
            let out = rig.roll(&[0.0; BLOCK], at, RATE, BLOCK).swap_remove(0);
            let from = usize::try_from(at - 144_000).unwrap();
            at = if at > 230_000 { 170_000 } else { at + BLOCK as i64 };
            let heard = level(&out) - level(&input[from..from + BLOCK]);
            if silent { heard < -100.0 } else { heard.abs() < 0.01 }
        });
    };
    play(&mut rig, false);
    until(|| {
        rig.run(&[0.0; BLOCK], BLOCK);
        desk.instances()[0].plays
    });
    assert_eq!(hear(&desk, plan, "plan"), "playing the session with the plan");
    play(&mut rig, true);
    hear(&desk, plan, "current");
    play(&mut rig, false);
    hear(&desk, plan, "plan");
    play(&mut rig, true);
    desk.decide(plan, Decision::Reject { reason: "no".into() });
    play(&mut rig, false);
}
