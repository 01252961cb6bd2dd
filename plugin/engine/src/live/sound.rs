//! The live sound: the same as offline, without clicks, and silence where data is missing.
//!
//! Thread: any

use super::Rig;
use crate::clicks::click_score;
use crate::fixture::{RATE, schedule, sine, sines, strip, voice};
use crate::schedule::{
    Audible, Level, Output, Schedule, SourceKey, Strip, StripKey, Voice, VoiceKey,
};
use crate::shared::Motion;
use crate::{Bounce, BounceSettings, EngineConfig, engine};
use deskhand_dsp::{Decibels, Fade, Frames, ReadError};
use std::ops::ControlFlow;

/// Frames of the fade-in of a start.
pub(super) const START: usize = 240;
/// The source whose tone is at rate / 16: the probe for clicks.
pub(super) const PROBE: u64 = 29;

pub(super) fn song() -> Schedule {
    let strips = (0..4u64).map(|key| {
        let mut first = voice(2 * key, 500 * key.cast_signed(), 4000);
        first.envelope.fade_in = Fade { length: Frames(300), ..Fade::default() };
        first.envelope.gain = Decibels(-3.0);
        let mut second = voice(2 * key + 1, 3000, 2000);
        second.envelope.fade_out = Fade { length: Frames(900), ..Fade::default() };
        let mut strip = strip(key, vec![first, second]);
        strip.level.pan = 0.4 * key as f64 - 0.5;
        strip
    });
    let mut strips: Vec<Strip> = strips.collect();
    strips[2].output = Output::Strip(StripKey(9));
    strips.push(strip(9, Vec::new()));
    schedule(strips)
}

pub(super) fn offline(schedule: &Schedule, frames: i64) -> [Vec<f32>; 2] {
    let mut out = [Vec::new(), Vec::new()];
    let bounce = Bounce::new(schedule.clone(), sines);
    let range = Frames::ZERO..Frames(frames);
    let done = bounce.render(range, BounceSettings::PLAIN, &mut |block| {
        for (side, samples) in out.iter_mut().zip(block.master()) {
            side.extend_from_slice(samples);
        }
        ControlFlow::Continue(())
    });
    assert_eq!(done.map(|done| done.frames), Ok(Frames(frames)));
    out
}

/// One clip of the probe tone.
pub(super) fn probe() -> Strip {
    let mut clip = voice(PROBE, 0, 480_000);
    clip.source = SourceKey(PROBE);
    strip(1, vec![clip])
}

fn probe_tone() -> Vec<f32> {
    (0..4800).map(|n| sine(SourceKey(PROBE), n)).collect()
}

#[track_caller]
pub(super) fn assert_no_click(rig: &Rig) {
    for side in [&rig.left, &rig.right] {
        let score = click_score(side, &probe_tone());
        assert!(score < 1.1, "a click of {score}");
    }
}

#[test]
fn live_sounds_like_a_bounce_in_blocks_of_any_size() {
    let song = song();
    let expected = offline(&song, 6000);
    for block in [1, 17, 64, 512, 4096] {
        let mut rig = Rig::playing(song.clone());
        rig.run(6000, block);
        assert!(rig.left[START..] == expected[0][START..], "left in {block}");
        assert!(rig.right[START..] == expected[1][START..], "right in {block}");
        assert_eq!(rig.controller.trouble(), crate::Trouble::default());
    }
}

#[test]
fn a_host_that_renders_offline_waits_for_the_disk_thread_and_misses_nothing() {
    let song = song();
    let expected = offline(&song, 6000);
    let Rig { controller, mut processor, disk, .. } = Rig::playing(song);
    let thread = disk.spawn().unwrap();
    let (mut left, mut right) = (vec![0f32; 6000], vec![0f32; 6000]);
    for (left, right) in left.chunks_mut(500).zip(right.chunks_mut(500)) {
        assert_eq!(processor.wait_for_disk(500), Ok(()));
        processor.process([left, right]);
    }
    drop(thread);
    assert!(left[START..] == expected[0][START..] && right[START..] == expected[1][START..]);
    assert_eq!(controller.trouble(), crate::Trouble::default());
}

#[test]
fn starting_stopping_and_seeking_do_not_click() {
    let mut rig = Rig::playing(schedule(vec![probe()]));
    rig.run(3001, 64);
    rig.controller.stop().unwrap();
    rig.run(1000, 64);
    assert_eq!(rig.controller.position().motion, Motion::Stopped);
    assert!(rig.left[rig.left.len() - 500..].iter().all(|sample| *sample == 0.0));
    let stopped_at = rig.controller.position().at;
    rig.controller.play().unwrap();
    rig.run(2000, 64);
    assert!(rig.controller.position().at > stopped_at);
    rig.controller.seek(Frames(100_003)).unwrap();
    rig.run(2000, 64);
    let at = rig.controller.position().at;
    assert!(at > Frames(101_000) && at < Frames(102_100), "{at:?}");
    assert_no_click(&rig);
    assert_eq!(rig.controller.trouble().missing_frames, 0);
}

#[test]
fn faders_mutes_and_pans_do_not_click_and_arrive() {
    let mut rig = Rig::playing(schedule(vec![probe()]));
    rig.run(2000, 64);
    let levels = [
        Level { audible: Audible::No, ..Level::UNITY },
        Level::UNITY,
        Level { gain: Decibels(-20.0), ..Level::UNITY },
        Level { pan: -1.0, gain: Decibels(-3.1), ..Level::UNITY },
    ];
    for level in levels {
        rig.controller.set_level(StripKey(1), level).unwrap();
        rig.run(3011, 61);
        let [left, _] = level.amplitudes();
        let peak = rig.left[rig.left.len() - 500..].iter().fold(0f32, |a, b| a.max(b.abs()));
        assert!((peak - 0.25 * left).abs() < 1e-3, "{peak} at {level:?}");
    }
    assert_no_click(&rig);
    assert_eq!(rig.controller.trouble().missing_frames, 0, "a muted stream keeps up");
}

#[test]
fn moving_trimming_and_removing_a_clip_does_not_click() {
    let mut rig = Rig::playing(schedule(vec![probe()]));
    rig.run(2000, 64);
    let mut moved = probe();
    moved.voices[0].position = Frames(5);
    rig.apply(schedule(vec![moved]));
    rig.run(2000, 64);
    let mut louder = probe();
    louder.voices[0].envelope.gain = Decibels(-4.0);
    rig.apply(schedule(vec![louder]));
    rig.run(2000, 64);
    let mut trimmed = probe();
    trimmed.voices[0].envelope.length = Frames(3000);
    rig.apply(schedule(vec![trimmed]));
    rig.run(2000, 64);
    assert!(rig.left[rig.left.len() - 500..].iter().all(|sample| *sample == 0.0));
    rig.apply(schedule(vec![probe()]));
    rig.run(2000, 64);
    rig.apply(schedule(Vec::new()));
    rig.run(2000, 64);
    assert_no_click(&rig);
    assert_eq!(rig.controller.trouble(), crate::Trouble::default());
}

#[test]
fn a_swap_leaves_what_it_does_not_change_untouched_to_the_bit() {
    let song = song();
    let mut other = Rig::playing(song.clone());
    let mut rig = Rig::playing(song.clone());
    let mut strips = song.strips().to_vec();
    strips.push(strip(20, vec![voice(77, 90_000, 100)]));
    strips.rotate_left(0);
    rig.run(1003, 59);
    other.run(1003, 59);
    rig.apply(Schedule::new(RATE, Level::UNITY, strips).unwrap());
    rig.run(3000, 59);
    other.run(3000, 59);
    assert!(rig.left == other.left && rig.right == other.right);
    assert_eq!(rig.controller.away(), 1, "the old program is home");
}

#[test]
fn missing_data_fades_to_silence_and_is_counted() {
    let mut rig = Rig::playing(schedule(vec![probe()]));
    rig.run(1000, 50);
    // Two seconds were read early; now the disk pauses for longer.
    for _ in 0..200 {
        rig.block(500);
    }
    let missing = rig.controller.trouble().missing_frames;
    assert!(missing > 1000, "{missing}");
    assert!(rig.left[rig.left.len() - 1000..].iter().all(|sample| *sample == 0.0));
    rig.run(10_000, 64);
    let peak = rig.left[rig.left.len() - 1000..].iter().fold(0f32, |a, b| a.max(b.abs()));
    assert!(peak > 0.24, "it came back at {peak}");
    assert_no_click(&rig);
    let after = rig.controller.trouble().missing_frames;
    rig.run(1000, 64);
    assert_eq!(rig.controller.trouble().missing_frames, after);
}

#[test]
fn a_loop_repeats_without_gaps_and_without_clicks() {
    let mut long = probe();
    long.voices[0].envelope.length = Frames(9000);
    long.voices[0].envelope.fade_out.length = Frames(240);
    let short = strip(2, vec![voice(0, 5000, 1000)]);
    let mut rig = Rig::new();
    rig.apply(schedule(vec![long.clone(), short]));
    rig.controller.set_loop(Some(Frames(4000)..Frames(7000))).unwrap();
    rig.controller.seek(Frames(3000)).unwrap();
    rig.controller.play().unwrap();
    rig.run(512, 512);
    rig.forget();
    rig.run(20_000, 512);
    for (n, sample) in rig.left.iter().enumerate().skip(START) {
        let ran = n as i64;
        let at = if ran < 4000 { 3000 + ran } else { 4000 + (ran - 4000) % 3000 };
        let near_jump = (at - 4000).min(7000 - at) < 240;
        let second = if (5000..6000).contains(&at) { sine(SourceKey(0), at) } else { 0.0 };
        let expected = sine(SourceKey(PROBE), at) + second;
        assert!(near_jump || *sample == expected, "frame {n}");
    }
    assert_eq!(rig.controller.trouble(), crate::Trouble::default());
    rig.apply(schedule(vec![long]));
    rig.run(2000, 512);
    rig.forget();
    rig.run(20_000, 512);
    assert_no_click(&rig);
    rig.controller.set_loop(None).unwrap();
    rig.run(8000, 512);
    assert!(rig.controller.position().at > Frames(8000));
    assert_no_click(&rig);
}

#[test]
fn a_loop_longer_than_the_read_ahead_finds_its_clips_again() {
    let clips = vec![voice(1, 1000, 500), voice(2, 150_000, 500)];
    let mut rig = Rig::new();
    rig.apply(schedule(vec![strip(1, clips)]));
    rig.controller.set_loop(Some(Frames(0)..Frames(200_000))).unwrap();
    rig.controller.play().unwrap();
    rig.run(600_000, 1024);
    assert_eq!(rig.controller.trouble(), crate::Trouble::default());
    let heard = rig.left.iter().filter(|sample| **sample != 0.0).count();
    assert!((5 * 499 - 20..=6 * 500).contains(&heard), "{heard}");
}

#[test]
fn a_source_that_fails_is_silent_and_told_once() {
    let open = |key| match key {
        SourceKey(1) => Err(ReadError("take 1.wav is gone; relink it".into())),
        _ => sines(key),
    };
    let (controller, processor, disk) = engine(EngineConfig::at(RATE), open).unwrap();
    let mut rig = Rig { controller, processor, disk, left: Vec::new(), right: Vec::new() };
    let clips = vec![voice(1, 0, 4000), voice(PROBE, 0, 4000)];
    rig.apply(schedule(vec![strip(1, clips)]));
    rig.controller.play().unwrap();
    rig.run(2000, 64);
    let faults = rig.controller.faults();
    assert_eq!(faults.len(), 1);
    assert_eq!(faults[0].to_string(), "take 1.wav is gone; relink it");
    assert!(rig.left[1500..].iter().any(|sample| *sample > 0.2));
    assert_eq!(rig.controller.trouble().missing_frames, 0);
}

#[test]
fn meters_report_every_strip_behind_its_fader() {
    let mut quiet = probe();
    quiet.level.gain = Decibels(-20.0);
    let mut rig = Rig::playing(schedule(vec![quiet]));
    rig.run(9600, 64);
    let mut readings = Vec::new();
    rig.controller.meters(&mut |reading| readings.push(reading));
    for key in [StripKey(1), StripKey::MASTER] {
        let of_strip: Vec<_> = readings.iter().filter(|reading| reading.strip == key).collect();
        assert!((5..=6).contains(&of_strip.len()), "30 a second, not {}", of_strip.len());
        let last = of_strip.last().unwrap();
        assert!((last.peak[0] - 0.025).abs() < 1e-4, "{last:?}");
        assert!((last.mean_square[1] - 0.025f32.powi(2) / 2.0).abs() < 1e-6, "{last:?}");
    }
}

/// A cut between two clips that are new to the disk thread.
#[test]
fn a_cut_that_is_passed_while_programs_change_does_not_click() {
    let of = |key: u64, from: i64, to: i64| Voice {
        key: VoiceKey(key),
        source: SourceKey(PROBE),
        ..voice(PROBE, from, to - from)
    };
    for cut in (1_008..2_400).step_by(16) {
        let mut rig = Rig::playing(schedule(vec![strip(1, vec![of(1, 0, 48_000)])]));
        rig.run(1_000, 64);
        rig.apply(schedule(vec![strip(1, vec![of(2, 0, cut), of(3, cut, 48_000)])]));
        rig.run(2_400, 64);
        let score = click_score(&rig.left, &probe_tone());
        assert!(score < 1.1, "a click of {score}, the cut at {cut}");
    }
}
