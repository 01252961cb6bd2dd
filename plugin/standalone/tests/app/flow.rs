//! Import, ask, hear both sides, apply, undo: a person's actions, and the sound meanwhile.

use crate::device::Device;
use crate::user_session::Seat;
use deskhand_dsp::Frames;
use deskhand_editor::{Action, Motion, Seen};
use deskhand_protocol::Decision;
use deskhand_protocol::desk::{Play, Which};
use deskhand_session::PlanId;
use deskhand_standalone::sound::Choice;

/// A seat where the tone plays.
fn playing() -> (Seat, Device) {
    let mut seat = Seat::new();
    let mut device = Device::plug_into(&mut seat);
    seat.until("the session", || {}, |model| model.session().is_some());
    seat.import_tone();
    seat.until("the import", || {}, |model| model.session().unwrap().clips.len() == 1);
    // A window is open for a while before anybody presses play.
    device.run(240_000);
    seat.frame();
    act(&mut seat, Action::Play(Play::Start));
    device.run(9600);
    seat.frame();
    assert_eq!(seat.model.live.motion, Motion::Playing);
    assert!((device.level() - 1.0).abs() < 1e-3, "{}", device.level());
    (seat, device)
}

fn act(seat: &mut Seat, action: Action) {
    assert_eq!(seat.open.act(&mut seat.model, action), None);
}

/// Asks in words, and gives the plan that comes of it.
fn ask(seat: &mut Seat, device: &mut Device, words: &str) -> PlanId {
    act(seat, Action::Say(words.into()));
    seat.until("the plan", || device.run(128), |model| model.waiting().is_some());
    seat.model.waiting().unwrap()
}

#[track_caller]
fn hear(seat: &mut Seat, device: &mut Device, plan: PlanId, which: Which, level: f32) {
    act(seat, Action::Play(Play::Hear { plan, which }));
    let is_there = |model: &deskhand_editor::Model| {
        model.live.hearing == Some((plan, which))
            && (which != Which::LevelMatched || model.live.match_gain.is_some())
    };
    seat.until("hearing it", || device.run(128), is_there);
    device.run(4800);
    assert!((device.level() - level).abs() < 2e-3, "{} at {which:?}", device.level());
}

#[test]
fn a_playhead_that_was_left_behind_what_is_the_end_by_now_stands_at_the_end() {
    let mut seat = Seat::new();
    seat.until("the session", || {}, |model| model.session().is_some());
    seat.import_tone();
    seat.until("the import", || {}, |model| model.session().unwrap().clips.len() == 1);
    let (end, loops) = (Frames(480_000), Some((Frames(0), Frames(48_000))));
    for (left, stands) in [(Frames(2_400_000), end), (Frames(96_000), Frames(96_000))] {
        seat = seat.closed_and_opened();
        let seen = Seen { position: left, cycle: loops, ..Seen::default() };
        seat.open.begin_at(seen.position, seen.cycle);
        seat.model.look_again(seen);
        seat.until("the session", || {}, |model| model.session().is_some());
        assert_eq!((seat.model.live.position, seat.model.live.cycle), (stands, loops));
    }
}

fn missing(seat: &mut Seat) -> u64 {
    seat.open.output().unwrap().running().unwrap().player.trouble().missing_frames
}

#[test]
fn a_plan_is_asked_for_heard_applied_and_undone_while_the_music_plays() {
    let (mut seat, mut device) = playing();
    let plan = ask(&mut seat, &mut device, "turn the tone down by 6 dB");
    let quiet = 10f32.powf(-6.0 / 20.0);
    hear(&mut seat, &mut device, plan, Which::Plan, quiet);
    hear(&mut seat, &mut device, plan, Which::Current, 1.0);
    hear(&mut seat, &mut device, plan, Which::LevelMatched, 1.0);
    let matched = seat.model.live.match_gain.unwrap().0;
    assert!((matched - 6.0).abs() < 0.05, "{matched}");
    hear(&mut seat, &mut device, plan, Which::Plan, quiet);
    act(&mut seat, Action::Decide { plan, decision: Decision::Apply });
    seat.until("applying", || device.run(128), |model| model.live.hearing.is_none());
    device.run(4800);
    assert!((device.level() - quiet).abs() < 2e-3);
    let head = seat.model.head();
    act(&mut seat, Action::Undo);
    seat.until("undoing", || device.run(128), |model| model.head() != head);
    device.run(4800);
    assert!((device.level() - 1.0).abs() < 2e-3);
    device.run(48_000);
    seat.frame();
    let loudness = seat.model.live.master.integrated;
    assert!(loudness < 0.0 && loudness > -60.0, "{loudness}");
    device.assert_clean();
    assert_eq!(missing(&mut seat), 0);
    assert_eq!(assert_no_alloc::violation_count(), 0);
}

#[test]
fn a_plan_that_is_rejected_is_heard_no_longer() {
    let (mut seat, mut device) = playing();
    let plan = ask(&mut seat, &mut device, "turn the tone down by 20 dB");
    hear(&mut seat, &mut device, plan, Which::Plan, 0.1);
    let decision = Decision::Reject { reason: "too quiet".into() };
    act(&mut seat, Action::Decide { plan, decision });
    seat.until("rejecting", || device.run(128), |model| model.live.hearing.is_none());
    device.run(4800);
    assert!((device.level() - 1.0).abs() < 2e-3);
    device.assert_clean();
}

#[test]
fn transport_and_a_drag_are_heard_at_once() {
    let (mut seat, mut device) = playing();
    let track = *seat.model.session().unwrap().track_order.first().unwrap();
    let gain = deskhand_dsp::Decibels(-20.0);
    act(&mut seat, Action::Preview { track: Some(track), gain, pan: 0.0 });
    device.run(48_000);
    seat.frame();
    assert!((device.level() - 0.1).abs() < 2e-3);
    assert!((device.level() - 0.1).abs() < 2e-3);
    let master = seat.model.live.master;
    let shown = [master.momentary, master.short_term, master.integrated];
    assert!(shown.iter().all(|loudness| *loudness < 0.0 && *loudness > -60.0), "{shown:?}");
    act(&mut seat, Action::ResetMeters);
    act(&mut seat, Action::Play(Play::Stop));
    device.run(4800);
    let at = deskhand_dsp::Frames(96_000);
    act(&mut seat, Action::Play(Play::Seek { at }));
    device.run(128);
    seat.frame();
    let live = &seat.model.live;
    assert_eq!((live.motion, live.position, device.level()), (Motion::Stopped, at, 0.0));
    device.assert_clean();
}

#[test]
fn what_a_processor_takes_away_is_told_as_long_as_it_plays() {
    let (mut seat, mut device) = playing();
    let track = *seat.model.session().unwrap().track_order.first().unwrap();
    let effect = serde_json::json!({ "kind": "compressor" });
    seat.call("cmd_set_insert", serde_json::json!({ "on": track, "effect": effect }));
    let tells = |model: &deskhand_editor::Model| !model.live.reductions.is_empty();
    seat.until("the compressor", || device.run(128), tells);
    act(&mut seat, Action::Play(Play::Stop));
    let stands = |model: &deskhand_editor::Model| model.live.motion == Motion::Stopped;
    seat.until("the stop", || device.run(128), stands);
    assert!(seat.model.live.reductions.is_empty());
}

#[test]
fn playing_goes_back_at_the_end_to_where_it_began_and_a_loop_goes_on_over_the_end() {
    let (mut seat, mut device) = playing();
    let began = Frames(470_000);
    act(&mut seat, Action::Play(Play::Seek { at: began }));
    let mut latest = Frames::ZERO;
    for _ in 0..400 {
        device.run(128);
        seat.frame();
        latest = latest.max(seat.model.live.position);
    }
    let live = &seat.model.live;
    assert_eq!((live.motion, live.position), (Motion::Stopped, began));
    assert!((Frames(480_000)..Frames(490_000)).contains(&latest), "{latest:?}");
    let range = Some((Frames(460_000), Frames(500_000)));
    act(&mut seat, Action::Play(Play::Loop { range }));
    act(&mut seat, Action::Play(Play::Start));
    for _ in 0..80 {
        device.run(1024);
        seat.frame();
    }
    assert_eq!(seat.model.live.motion, Motion::Playing);
}

#[test]
fn who_plays_from_behind_the_end_hears_the_session_from_its_start() {
    let (mut seat, mut device) = playing();
    let plan = ask(&mut seat, &mut device, "turn the tone down by 6 dB");
    for play in [Play::Start, Play::Hear { plan, which: Which::Current }] {
        act(&mut seat, Action::Play(Play::Stop));
        device.run(4800);
        act(&mut seat, Action::Play(Play::Seek { at: Frames(600_000) }));
        device.run(1024);
        seat.frame();
        assert_eq!(seat.model.live.position, Frames(600_000));
        act(&mut seat, Action::Play(play));
        let plays = |model: &deskhand_editor::Model| {
            model.live.motion == Motion::Playing && model.live.position < Frames(480_000)
        };
        seat.until("the start", || device.run(128), plays);
        device.run(4800);
        assert!((device.level() - 1.0).abs() < 2e-3, "{}", device.level());
    }
}

#[test]
fn another_device_that_is_chosen_plays_on_where_the_one_before_it_was() {
    let (mut seat, _device) = playing();
    let at = seat.model.live.position;
    seat.open.choose(Choice::default());
    let mut other = Device::plug_into(&mut seat);
    let plays = |model: &deskhand_editor::Model| model.live.motion == Motion::Playing;
    seat.until("playing on", || other.run(1024), plays);
    assert!(seat.model.live.position >= at, "{:?}", seat.model.live.position);
    other.run(9600);
    assert!((other.level() - 1.0).abs() < 1e-3, "{}", other.level());
}

#[test]
fn playhead_and_loop_are_where_they_were_left() {
    let mut seat = Seat::new();
    let (at, cycle) = (Frames(60_000), (Frames(48_000), Frames(96_000)));
    seat.open.begin_at(at, Some(cycle));
    seat.until("the session", || {}, |model| model.session().is_some());
    seat.import_tone();
    seat.until("the import", || {}, |model| model.session().unwrap().clips.len() == 1);
    let mut device = Device::plug_into(&mut seat);
    seat.frame();
    let shown = |seat: &Seat| (seat.model.live.position, seat.model.live.cycle);
    assert_eq!(shown(&seat), (at, Some(cycle)), "before the player tells that it is there");
    device.run(1024);
    seat.frame();
    assert_eq!(shown(&seat), (at, Some(cycle)));
    device.run(48_000);
    act(&mut seat, Action::Play(Play::Start));
    device.run(96_000);
    seat.frame();
    let now = seat.model.live.position;
    assert!(cycle.0 <= now && now < cycle.1 && now != at, "{now:?}");
}

#[test]
fn a_session_opens_no_device_until_the_one_before_it_has_let_go_of_its_own() {
    let (first, mut second) = (Seat::new(), Seat::new());
    second.open.wait_for_sound_of(&first.open);
    second.until("the session", || {}, |model| model.session().is_some());
    second.frame();
    assert!(second.open.output().is_none(), "the other one may have the device still");
    first.open.leave().into_iter().for_each(|thread| thread.join().unwrap());
    second.frame();
    assert!(second.open.output().is_some());
}

#[test]
fn a_session_that_was_left_before_it_had_a_device_passes_its_wait_on() {
    let (first, mut second, mut third) = (Seat::new(), Seat::new(), Seat::new());
    second.open.wait_for_sound_of(&first.open);
    third.open.wait_for_sound_of(&second.open);
    second.open.leave().into_iter().for_each(|thread| thread.join().unwrap());
    third.until("the session", || {}, |model| model.session().is_some());
    third.frame();
    assert!(third.open.output().is_none(), "the first one may have the device still");
    first.open.leave().into_iter().for_each(|thread| thread.join().unwrap());
    third.frame();
    assert!(third.open.output().is_some());
}
