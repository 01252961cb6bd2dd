//! Meter readings of known signals (EBU Tech 3341) that the real Processor plays.
//!
//! Thread: any

use super::Rig;
use crate::fixture::{schedule, strip, voice};
use crate::schedule::{Level, SourceKey, Strip, StripKey, Voice};
use crate::{MeterReading, Schedule};
use deskhand_dsp::Decibels;

/// The source that is a tone of 1 kHz, and its peak in dBFS.
const TONE: u64 = 9;
const TONE_PEAK: f64 = -12.0412;

/// Steps of (peak level in dBFS, frames) one after the other, each a clip with its gain.
fn tone(steps: &[(f64, i64)]) -> Vec<Voice> {
    let mut at = 0;
    let clips = steps.iter().enumerate().map(|(key, (level, frames))| {
        let mut clip = voice(key as u64, at, *frames);
        clip.source = SourceKey(TONE);
        clip.envelope.gain = Decibels(level - TONE_PEAK);
        at += frames;
        clip
    });
    clips.collect()
}

/// Plays `frames` frames in blocks of `block`, and hands over each reading with its end in frames.
fn readings(rig: &mut Rig, frames: usize, block: usize, show: &mut dyn FnMut(usize, MeterReading)) {
    let mut played = 0;
    while played < frames {
        rig.run(block, block);
        played += block;
        rig.controller.meters(&mut |reading| show(played, reading));
        rig.forget();
    }
}

#[track_caller]
fn assert_near(value: f32, expected: f32, what: &str) {
    assert!((value - expected).abs() < 0.1, "{what} reads {value}, not {expected}");
}

#[test]
fn cases_1_and_2_a_steady_tone_reads_the_same_on_every_scale() {
    for level in [-23.0, -33.0] {
        let mut rig = Rig::playing(schedule(vec![strip(1, tone(&[(level, 240_000)]))]));
        let mut seen = 0;
        readings(&mut rig, 220_000, 100, &mut |played, reading| {
            let level = level as f32;
            if played > 30_000 {
                assert_near(reading.momentary, level, "M");
            }
            if played > 150_000 {
                assert_near(reading.short_term, level, "S");
                let integrated = reading.integrated;
                match reading.strip {
                    StripKey::MASTER => assert_near(integrated, level, "I"),
                    _ => assert_eq!(integrated, f32::NEG_INFINITY),
                }
                seen += 1;
            }
        });
        assert!((80..95).contains(&seen), "two strips, thirty times a second, not {seen}");
    }
}

#[test]
fn cases_9_and_12_windows_of_a_period_read_a_constant() {
    let short: Vec<(f64, i64)> = [(-20.0, 8_640), (-30.0, 10_560)].repeat(8);
    let mut rig = Rig::playing(schedule(vec![strip(1, tone(&short))]));
    readings(&mut rig, 140_000, 64, &mut |played, reading| {
        if played > 48_000 {
            assert_near(reading.momentary, -23.0, "M");
        }
    });
    let long: Vec<(f64, i64)> = [(-20.0, 64_320), (-30.0, 79_680)].repeat(2);
    let mut rig = Rig::playing(schedule(vec![strip(1, tone(&long))]));
    readings(&mut rig, 280_000, 512, &mut |played, reading| {
        if played > 150_000 {
            assert_near(reading.short_term, -23.0, "S");
        }
    });
}

/// A tone of 8 kHz whose samples never hit its peaks.
fn between_the_samples() -> Strip {
    let mut clip = voice(1, 0, 480_000);
    clip.source = SourceKey(79);
    strip(1, vec![clip])
}

#[test]
fn a_peak_between_the_samples_is_a_true_peak() {
    for block in [1, 17, 64, 2027] {
        let mut rig = Rig::playing(schedule(vec![between_the_samples()]));
        readings(&mut rig, 9600, block, &mut |played, reading| {
            let [peak, true_peak] = [reading.peak[1], reading.true_peak[1]];
            // The first reading holds the start, whose edge rings.
            if played > 4100 {
                assert!((peak - 0.2165).abs() < 1e-3, "{reading:?}");
                let decibels = 20.0 * (true_peak / 0.25).log10();
                assert!((-0.4..0.2).contains(&decibels), "{decibels} dB in blocks of {block}");
            }
        });
    }
}

#[test]
fn a_reset_forgets_what_was_integrated_and_a_stop_does_not_count() {
    let loud_then_quiet = tone(&[(-13.0, 96_000), (-33.0, 400_000)]);
    let mut rig = Rig::playing(schedule(vec![strip(1, loud_then_quiet)]));
    let mut last = 0.0;
    let master = |reading: MeterReading| (reading.strip == StripKey::MASTER).then_some(reading);
    readings(&mut rig, 100_000, 480, &mut |_, reading| {
        last = master(reading).map_or(last, |reading| reading.integrated);
    });
    assert_near(last, -13.0, "before");
    rig.controller.reset_meters().unwrap();
    readings(&mut rig, 96_000, 480, &mut |_, reading| {
        last = master(reading).map_or(last, |reading| reading.integrated);
    });
    assert_near(last, -33.0, "after the reset");
    rig.controller.stop().unwrap();
    let mut windows = (0.0, 0.0);
    readings(&mut rig, 200_000, 480, &mut |_, reading| {
        if let Some(reading) = master(reading) {
            last = reading.integrated;
            windows = (reading.momentary, reading.short_term);
        }
    });
    assert_near(last, -33.0, "after the stop");
    assert_eq!(windows, (f32::NEG_INFINITY, f32::NEG_INFINITY));
    assert_eq!(rig.controller.trouble(), crate::Trouble::default());
}

#[test]
fn a_strip_is_measured_behind_its_fader_and_more_strips_than_places_are_all_measured() {
    let strips: Vec<Strip> = (0..200)
        .map(|key| {
            let mut clip = voice(key, 0, 480_000);
            clip.source = SourceKey(TONE);
            let mut strip = strip(key, vec![clip]);
            strip.level = Level { gain: Decibels(-0.1 * key as f64), ..Level::UNITY };
            strip
        })
        .collect();
    let song: Schedule = schedule(strips);
    let mut rig = Rig::playing(song);
    let mut read = std::collections::BTreeMap::new();
    readings(&mut rig, 30_000, 500, &mut |_, reading| {
        read.insert(reading.strip, reading);
    });
    assert_eq!(read.len(), 201);
    for key in 0..200u64 {
        let expected = TONE_PEAK - 0.1 * key as f64;
        assert_near(read[&StripKey(key)].momentary, expected as f32, "M");
    }
}
