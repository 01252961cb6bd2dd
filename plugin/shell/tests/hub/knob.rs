//! The knob, the sound and the session agree, whoever moves the gain, in whatever order.

use crate::desk::{Desk, field, turn, until};
use crate::rig::{Rig, level, roughness, row, sine};
use crate::{RATE, gain, instance, play_until};
use serde_json::json;
use std::time::{Duration, Instant};

fn is_near(one: f64, other: f64) -> bool {
    (one - other).abs() < 0.01
}

/// The instance knows its session.
fn settled(rig: &mut Rig) {
    play_until(&mut [rig], |rigs| field(rigs[0], "snapshot") != json!(null));
}

fn session_gain(desk: &Desk) -> f64 {
    desk.tracks()[0].1.gain.0
}

/// Applies a plan that moves the gain of the only track by this much.
fn plan(desk: &mut Desk, decibels: f64) {
    let name = desk.tracks()[0].1.name.clone();
    desk.call("cmd_set_track_gain", json!({"targets": [name], "change_db": decibels}));
}

/// The knob comes to say so, and the session.
fn comes_to(desk: &Desk, rig: &mut Rig, wanted: f64) {
    play_until(&mut [rig], |rigs| {
        is_near(rigs[0].trim(), wanted) && is_near(session_gain(desk), wanted)
    });
    assert!(is_near(gain(rig), wanted), "heard: {}, the knob says {wanted}", gain(rig));
}

/// The host moves the knob.
fn set(desk: &Desk, rig: &mut Rig, wanted: f64) {
    rig.set_trim(wanted);
    comes_to(desk, rig, wanted);
}

#[test]
fn a_plan_turns_the_knob_without_a_click_and_the_host_is_told() {
    let _turn = turn();
    let mut desk = Desk::new();
    let mut rig = instance(&desk);
    settled(&mut rig);
    let input = sine(440.0, RATE, 480 * 40);
    plan(&mut desk, -6.0);
    let (mut out, mut round) = (Vec::new(), 0);
    until(|| {
        let at = (round % 40) * 480;
        round += 1;
        out.extend(rig.run(&input[at..at + 480], 480).swap_remove(0));
        is_near(rig.trim(), -6.0)
    });
    let quiet = roughness(&out) / roughness(&input);
    // The kinks of a ramp of 10 ms; a step of 6 dB would be over a hundred.
    assert!(quiet < 1.5, "no click on the way: {quiet}");
    let told = rig.trims_told();
    assert!(matches!(*told, [trim] if is_near(trim, -6.0)), "told once: {told:?}");
    let end = rig.run(&input, 480).swap_remove(0);
    assert!(is_near(level(&end) - level(&input), -6.0));
    assert_eq!(desk.last_author(), "user", "nobody took that for a move of the host's");
    desk.undo();
    comes_to(&desk, &mut rig, 0.0);
    assert_eq!(rig.trims_told().len(), 2);
}

#[test]
fn a_loaded_state_says_what_is_heard_and_the_session_follows() {
    let _turn = turn();
    let mut desk = Desk::new();
    let mut rig = instance(&desk);
    settled(&mut rig);
    set(&desk, &mut rig, -40.0);
    let kept = rig.save();
    set(&desk, &mut rig, 20.0);
    assert!(rig.load(&kept));
    comes_to(&desk, &mut rig, -40.0);
    // Undone here it is as before the state was loaded.
    desk.undo();
    comes_to(&desk, &mut rig, 20.0);
    assert!(rig.load(&kept));
    comes_to(&desk, &mut rig, -40.0);
    set(&desk, &mut rig, 0.0);
    set(&desk, &mut rig, 24.0);
    row("trim -40, kept; +20; loaded: knob and what is heard", "-40.00 dB");
}

#[test]
fn automation_is_heard_at_its_frame_while_the_session_follows() {
    let _turn = turn();
    let desk = Desk::new();
    let mut rig = instance(&desk);
    settled(&mut rig);
    let trim = rig.parameter("Trim").id;
    for (at, decibels) in [(100, -12.0), (333, 6.0), (0, 0.0)] {
        let before = rig.run(&[0.5; 480], 480).swap_remove(0)[479];
        rig.set_at(at, trim, (decibels + 60.0) / 84.0);
        let out = rig.run(&[0.5; 480], 480).swap_remove(0);
        let begins = out.iter().position(|sample| (sample - before).abs() > 1e-6);
        assert_eq!(begins, Some(at as usize));
        comes_to(&desk, &mut rig, decibels);
    }
    row("a step of trim inside a block, with a session: off its frame", "0 frames");
}

#[test]
fn a_project_that_was_closed_unsaved_sounds_as_it_was_saved() {
    let _turn = turn();
    let desk = Desk::new();
    let mut rig = instance(&desk);
    settled(&mut rig);
    set(&desk, &mut rig, -10.0);
    let project = rig.save();
    set(&desk, &mut rig, 10.0);
    drop(rig);
    until(|| desk.instances().is_empty());
    let mut again = Rig::idle();
    assert!(again.load(&project));
    again.start(RATE, 480);
    assert!(is_near(gain(&mut again), -10.0), "before the session comes, too");
    settled(&mut again);
    comes_to(&desk, &mut again, -10.0);
    assert_eq!(desk.last_author(), "host");
    row("trim -10, saved; +10; closed unsaved, reopened: what is heard", "-10.00 dB");
}

#[test]
fn a_plan_beyond_the_knob_s_range_ends_where_the_knob_does() {
    let _turn = turn();
    let mut desk = Desk::new();
    let mut rig = instance(&desk);
    settled(&mut rig);
    for (by, end) in [(40.0, 24.0), (-140.0, -60.0)] {
        plan(&mut desk, by);
        comes_to(&desk, &mut rig, end);
    }
}

/// What a host and a person do to one instance.
#[derive(Clone, Copy, Debug)]
enum Deed {
    Set(f64),
    Keep,
    Load,
    Reopen,
    Plan(f64),
    Undo,
}

/// A small generator: the same deeds in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    fn deed(&mut self) -> Deed {
        let trim = self.below(840) as f64 / 10.0 - 60.0;
        match self.below(8) {
            0..=2 => Deed::Set(trim),
            3 => Deed::Keep,
            4 => Deed::Load,
            5 => Deed::Reopen,
            6 => Deed::Plan(self.below(200) as f64 / 10.0 - 10.0),
            _ => Deed::Undo,
        }
    }
}

/// An instance, the state of it that its host kept last, and its hub, if there is one.
struct Scene {
    desk: Option<Desk>,
    rig: Rig,
    kept: Vec<u8>,
}

impl Scene {
    fn new(desk: Option<Desk>) -> Self {
        let mut rig = desk.as_ref().map_or_else(|| Rig::stereo(RATE, 480), instance);
        if desk.is_some() {
            settled(&mut rig);
        }
        let kept = rig.save();
        Self { desk, rig, kept }
    }

    fn reopen(&mut self) {
        let mut again = Rig::idle();
        let state = self.kept.clone();
        std::mem::swap(&mut self.rig, &mut again);
        drop(again);
        if let Some(desk) = &self.desk {
            until(|| desk.instances().is_empty());
        }
        assert!(self.rig.load(&state));
        self.rig.start(RATE, 480);
        if self.desk.is_some() {
            settled(&mut self.rig);
        }
    }

    fn does(&mut self, deed: Deed) {
        match (deed, &mut self.desk) {
            (Deed::Set(trim), _) => self.rig.set_trim(trim),
            (Deed::Keep, _) => self.kept = self.rig.save(),
            (Deed::Load, _) => assert!(self.rig.load(&self.kept)),
            (Deed::Reopen, _) => self.reopen(),
            (Deed::Plan(by), Some(desk)) => plan(desk, by),
            (Deed::Undo, Some(desk)) => drop(desk.say("cmd_undo", json!({}))),
            (Deed::Plan(_) | Deed::Undo, None) => {}
        }
        self.rig.run(&[0.0; 480], 480);
    }

    /// Knob, session and sound agree.
    fn agrees(&mut self, deed: Deed) {
        let rig = &mut self.rig;
        if let Some(desk) = &self.desk {
            play_until(&mut [&mut *rig], |rigs| is_near(rigs[0].trim(), session_gain(desk)));
        }
        let (knob, heard) = (rig.trim(), gain(rig));
        assert!(is_near(knob, heard), "{deed:?}: the knob says {knob}, heard is {heard}");
        assert!((-60.01..=24.01).contains(&knob), "{knob}");
    }
}

#[test]
fn knob_session_and_what_is_heard_agree_after_any_deed_with_a_hub_and_without() {
    let _turn = turn();
    let mut dice = Dice(27);
    let mut deeds = 0;
    for desk in [None, Some(Desk::new())] {
        let mut scene = Scene::new(desk);
        let start = Instant::now();
        // Two deeds in a row as well: what one begins the next may cut short.
        while start.elapsed() < Duration::from_secs(8) {
            for deed in [dice.deed(), dice.deed()] {
                scene.does(deed);
                deeds += 1;
                if dice.below(2) == 0 {
                    scene.agrees(deed);
                }
            }
            scene.agrees(Deed::Keep);
        }
    }
    assert!(deeds > 40, "{deeds}");
    row("deeds after which knob, session and sound agree", deeds);
}
