//! Hearing a plan: two programs side by side, without a click, and each bit for bit what it is.
//!
//! Thread: any

use super::Rig;
use super::sound::{PROBE, assert_no_click, offline, probe, song};
use crate::fixture::{Counted, RATE, Sine, schedule, sine, strip, voice};
use crate::schedule::{Level, Schedule, SourceKey, Strip, StripKey};
use crate::{ControlError, Delivery, EngineConfig, Motion, Side, Trouble, engine};
use deskhand_dsp::{Decibels, FrameReader, Frames};
use std::sync::atomic::{AtomicIsize, Ordering};

/// Frames of a crossfade.
const FADE: usize = 480;
const OTHER: Side = Side::Other { gain: Decibels::UNITY };

/// The song after a plan: a clip moved, one cut, one removed, one added, a fader moved.
fn plan() -> Schedule {
    let mut strips = song().strips().to_vec();
    strips[0].voices[0].position = Frames(100);
    strips[1].voices[0].envelope.length = Frames(2500);
    strips[2].voices.clear();
    strips[3].voices.push(voice(40, 1500, 3000));
    strips[1].level.gain = Decibels(-7.0);
    schedule(strips)
}

#[track_caller]
fn assert_sounds(rig: &Rig, from: usize, to: usize, wanted: &[Vec<f32>; 2]) {
    assert!(rig.left[from..to] == wanted[0][from..to], "left from {from} to {to}");
    assert!(rig.right[from..to] == wanted[1][from..to], "right from {from} to {to}");
}

#[test]
fn each_side_sounds_like_its_own_bounce_and_changes_at_the_named_frame() {
    let (current, planned) = (offline(&song(), 6000), offline(&plan(), 6000));
    for block in [1, 64, 333, 1024] {
        let mut rig = Rig::playing(song());
        rig.run(600, block.min(600));
        assert_eq!(rig.controller.audition(Some(plan())), Ok(Delivery::Sent));
        assert_eq!(rig.controller.listen(OTHER, Some(Frames(2000))), Ok(Delivery::Sent));
        rig.run(2400, block);
        rig.controller.listen(Side::Current, Some(Frames(4001))).unwrap();
        rig.run(3000, block);
        assert_sounds(&rig, 240, 2000, &current);
        assert_sounds(&rig, 2000 + FADE, 4001, &planned);
        assert_sounds(&rig, 4001 + FADE, 6000, &current);
        assert_ne!(rig.left[2000..2100], current[0][2000..2100]);
        assert_eq!(rig.controller.audition(None), Ok(Delivery::Sent));
        rig.run(600, block.min(600));
        assert_eq!(rig.controller.away(), 1, "the memory is home");
        assert_eq!(rig.controller.trouble(), Trouble::default());
    }
}

/// The probe with one thing changed.
fn plans() -> Vec<Schedule> {
    let changed = |change: fn(&mut Strip)| {
        let mut strip = probe();
        change(&mut strip);
        schedule(vec![strip])
    };
    let mut added = vec![probe()];
    let mut clip = voice(77, 0, 480_000);
    clip.source = SourceKey(PROBE);
    added[0].voices[0].envelope.gain = Decibels(-6.5);
    clip.envelope.gain = Decibels(-6.5);
    added.push(strip(2, vec![clip]));
    vec![
        changed(|strip| strip.voices[0].position = Frames(5)),
        changed(|strip| strip.voices[0].envelope.gain = Decibels(-9.0)),
        changed(|strip| {
            let mut right = strip.voices[0].clone();
            right.key = crate::VoiceKey(90);
            right.position = Frames(60_000);
            right.source_start = Frames(60_003);
            strip.voices[0].envelope.length = Frames(60_000);
            strip.voices.push(right);
        }),
        changed(|strip| {
            strip.level = Level { pan: -0.7, gain: Decibels(-3.1), ..Level::UNITY };
        }),
        schedule(added),
        schedule(Vec::new()),
    ]
}

#[test]
fn changing_sides_does_not_click_whatever_the_plan_does() {
    for (index, plan) in plans().into_iter().enumerate() {
        let mut rig = Rig::playing(schedule(vec![probe()]));
        rig.run(1500, 64);
        rig.controller.audition(Some(plan)).unwrap();
        for side in [OTHER, Side::Current, OTHER] {
            rig.controller.listen(side, None).unwrap();
            rig.run(1007, 61);
        }
        // In the middle of a crossfade back and forth, and closed while it is heard.
        for side in [Side::Current, OTHER] {
            rig.controller.listen(side, None).unwrap();
            rig.run(200, 50);
        }
        rig.controller.audition(None).unwrap();
        rig.run(2000, 64);
        assert_no_click(&rig);
        let at = rig.controller.position().at.0;
        let heard = rig.left[rig.left.len() - 1000..].iter().zip(at - 1000..);
        assert!(heard.into_iter().all(|(one, at)| *one == sine(SourceKey(PROBE), at)));
        assert_eq!((rig.controller.away(), index), (1, index));
        assert_eq!(rig.controller.trouble(), Trouble::default());
    }
}

#[test]
fn level_match_is_a_gain_that_moves_without_a_click() {
    let mut rig = Rig::playing(schedule(vec![probe()]));
    rig.run(1000, 64);
    rig.controller.audition(Some(plans().remove(1))).unwrap();
    for gain in [9.0, 0.0, -20.0, 9.0] {
        let gain = Decibels(gain);
        rig.controller.listen(Side::Other { gain }, None).unwrap();
        rig.run(2000, 64);
        let peak = rig.left[rig.left.len() - 500..].iter().fold(0f32, |a, b| a.max(b.abs()));
        let wanted = 0.25 * (gain + Decibels(-9.0)).amplitude();
        assert!((f64::from(peak) - wanted).abs() < 1e-3, "{peak} at {gain:?}");
    }
    assert_no_click(&rig);
    let bad = Side::Other { gain: Decibels(f64::NAN) };
    assert!(matches!(rig.controller.listen(bad, None), Err(ControlError::Gain(_))));
}

#[test]
fn edits_land_on_either_side_while_the_other_is_heard() {
    let mut rig = Rig::playing(song());
    rig.run(500, 64);
    rig.controller.audition(Some(plan())).unwrap();
    rig.controller.listen(OTHER, None).unwrap();
    rig.run(1500, 64);
    // The unheard session changes: not a bit of the heard output does.
    let mut strips = song().strips().to_vec();
    strips[0].voices.remove(0);
    let edited = schedule(strips);
    rig.apply(edited.clone());
    rig.run(500, 64);
    let quiet = Level { gain: Decibels(-30.0), ..Level::UNITY };
    rig.controller.set_level(StripKey(1), quiet).unwrap();
    rig.run(500, 64);
    assert_sounds(&rig, 1100, 3000, &offline(&plan(), 3000));
    // The plan changes: its fader at once, then its clips.
    let mut strips = plan().strips().to_vec();
    strips[3].level.gain = Decibels(-3.0);
    rig.controller.audition(Some(schedule(strips.clone()))).unwrap();
    assert_eq!(rig.controller.away(), 2, "a fader is no program");
    rig.run(600, 64);
    strips[0].voices.clear();
    let planned = schedule(strips);
    rig.controller.audition(Some(planned.clone())).unwrap();
    rig.run(1400, 64);
    assert_sounds(&rig, 4200, 5000, &offline(&planned, 5000));
    rig.apply(edited.clone());
    rig.controller.listen(Side::Current, None).unwrap();
    rig.run(1000, 64);
    assert_sounds(&rig, 5600, 6000, &offline(&edited, 6000));
    assert_eq!(rig.controller.trouble(), Trouble::default());
}

#[test]
fn the_transport_goes_on_while_a_plan_is_heard() {
    let mut rig = Rig::playing(schedule(vec![probe()]));
    let mut planned = probe();
    planned.voices[0].envelope.gain = Decibels(-6.0);
    rig.run(1000, 64);
    rig.controller.audition(Some(schedule(vec![planned]))).unwrap();
    rig.controller.listen(OTHER, None).unwrap();
    rig.run(1000, 64);
    let is_planned = |rig: &Rig| {
        let at = rig.controller.position().at.0;
        let factor = Decibels(-6.0).amplitude() as f32;
        let heard = rig.left[rig.left.len() - 300..].iter().zip(at - 300..);
        heard.into_iter().all(|(one, at)| (*one - factor * sine(SourceKey(PROBE), at)).abs() < 1e-6)
    };
    assert!(is_planned(&rig));
    rig.controller.stop().unwrap();
    rig.run(1000, 64);
    rig.controller.play().unwrap();
    rig.run(1000, 64);
    assert!(is_planned(&rig));
    rig.controller.seek(Frames(200_001)).unwrap();
    rig.run(2000, 64);
    assert!(is_planned(&rig));
    rig.controller.set_loop(Some(Frames(203_000)..Frames(206_000))).unwrap();
    rig.run(7000, 64);
    let at = rig.controller.position().at.0;
    assert!((203_000..206_000).contains(&at), "{at}");
    rig.run(3000, 64);
    assert_no_click(&rig);
    assert_eq!(rig.controller.trouble().missing_frames, 0);
}

#[test]
fn a_change_of_sides_to_come_follows_the_transport() {
    let mut rig = Rig::playing(schedule(vec![probe()]));
    rig.run(1000, 64);
    rig.controller.audition(Some(schedule(Vec::new()))).unwrap();
    let silent = |rig: &Rig| rig.left[rig.left.len() - 100..].iter().all(|one| *one == 0.0);
    // Already passed: at once.
    rig.controller.listen(OTHER, Some(Frames(3))).unwrap();
    rig.run(1000, 64);
    assert!(silent(&rig));
    // Far in the future: not yet; then the playhead jumps over it.
    rig.controller.listen(Side::Current, Some(Frames(100_000))).unwrap();
    rig.run(1000, 64);
    assert!(silent(&rig));
    rig.controller.seek(Frames(100_001)).unwrap();
    rig.run(2000, 64);
    assert!(!silent(&rig));
    // Nothing plays: at once.
    rig.controller.listen(OTHER, Some(Frames(400_000))).unwrap();
    rig.controller.stop().unwrap();
    rig.run(1000, 64);
    assert_eq!(rig.controller.position().motion, Motion::Stopped);
    rig.controller.play().unwrap();
    rig.run(2000, 64);
    assert!(silent(&rig));
    assert_no_click(&rig);
}

#[test]
fn the_meters_show_what_is_heard_without_its_level_match() {
    let mut planned = probe();
    planned.level.gain = Decibels(-20.0);
    let mut rig = Rig::playing(schedule(vec![probe()]));
    rig.controller.audition(Some(schedule(vec![planned, strip(5, Vec::new())]))).unwrap();
    rig.run(4800, 64);
    let last = |rig: &mut Rig| {
        rig.run(9600, 64);
        let mut strips = std::collections::BTreeMap::new();
        rig.controller.meters(&mut |reading| {
            strips.insert(reading.strip, reading.peak[0]);
        });
        strips
    };
    let current = last(&mut rig);
    assert!((current[&StripKey(1)] - 0.25).abs() < 1e-3 && !current.contains_key(&StripKey(5)));
    rig.controller.listen(Side::Other { gain: Decibels(20.0) }, None).unwrap();
    last(&mut rig);
    let other = last(&mut rig);
    assert!((other[&StripKey(1)] - 0.025).abs() < 1e-4 && other.contains_key(&StripKey(5)));
    assert!((other[&StripKey::MASTER] - 0.025).abs() < 1e-4);
}

#[test]
fn closing_gives_back_streams_and_memory_and_what_is_not_open_cannot_be_heard() {
    static OPEN: AtomicIsize = AtomicIsize::new(0);
    let open = |key| Ok(Box::new(Counted::new(Sine(key), &OPEN)) as Box<dyn FrameReader>);
    let (controller, processor, disk) = engine(EngineConfig::at(RATE), open).unwrap();
    let mut rig = Rig { controller, processor, disk, left: Vec::new(), right: Vec::new() };
    assert_eq!(rig.controller.listen(OTHER, None), Err(ControlError::NothingToHear));
    assert_eq!(rig.controller.audition(None), Ok(Delivery::Sent));
    let clips = |from: u64| (from..from + 20).map(|key| voice(key, 0, 400_000)).collect();
    rig.apply(schedule(vec![strip(1, clips(0))]));
    rig.controller.play().unwrap();
    rig.run(1000, 100);
    assert_eq!(OPEN.load(Ordering::Relaxed), 20);
    // Half of the plan's clips belong to the session too: they share their streams.
    rig.controller.audition(Some(schedule(vec![strip(1, clips(10))]))).unwrap();
    rig.controller.listen(OTHER, None).unwrap();
    rig.run(1000, 100);
    assert_eq!((OPEN.load(Ordering::Relaxed), rig.controller.away()), (30, 2));
    rig.controller.audition(None).unwrap();
    rig.run(2000, 100);
    assert_eq!((OPEN.load(Ordering::Relaxed), rig.controller.away()), (20, 1));
    assert_eq!(rig.controller.listen(OTHER, None), Err(ControlError::NothingToHear));
    // Opened, heard and closed before the engine ran: as if nothing had been.
    rig.controller.audition(Some(plan())).unwrap();
    rig.controller.listen(OTHER, None).unwrap();
    rig.controller.audition(None).unwrap();
    rig.run(2000, 100);
    assert_eq!((rig.controller.away(), rig.controller.trouble()), (1, Trouble::default()));
}

#[test]
fn with_a_full_queue_everything_arrives_later_and_in_order() {
    let mut rig = Rig::playing(schedule(vec![probe()]));
    rig.run(1000, 64);
    while rig.controller.play().is_ok() {}
    let mut planned = probe();
    planned.voices[0].envelope.gain = Decibels(-6.0);
    let planned = schedule(vec![planned]);
    assert_eq!(rig.controller.audition(Some(planned.clone())), Ok(Delivery::Waiting));
    assert_eq!(rig.controller.listen(OTHER, None), Ok(Delivery::Waiting));
    assert_eq!(rig.controller.audition(None), Ok(Delivery::Waiting));
    assert_eq!(rig.controller.audition(Some(planned)), Ok(Delivery::Waiting));
    assert_eq!(rig.controller.listen(OTHER, None), Ok(Delivery::Waiting));
    rig.run(2000, 64);
    let peak = rig.left[rig.left.len() - 500..].iter().fold(0f32, |a, b| a.max(b.abs()));
    assert!((peak - 0.1253).abs() < 1e-3, "{peak}");
    assert_no_click(&rig);
}
