//! Onsets, beats, key and parts of sounds that were made to have them.

use super::super::{beats, key, onsets, segments};
use super::sounds::{both, chord, clicks, f_measure, frames, heard, note};
use deskhand_toolkit::testing::{joined, noise, tone};

#[test]
fn clicks_are_onsets_loud_or_soft_and_nothing_else_is() {
    let truth = [0.003, 0.5, 0.9, 1.013, 1.5, 1.56, 2.25, 3.7, 4.0];
    for amplitude in [0.7, 0.01] {
        let audio = both(clicks(&truth, amplitude, 5.0), &noise(-100.0, 5.0));
        let heard = heard(&audio);
        let found: Vec<f64> =
            onsets::onsets(&heard, 3.0).iter().map(|at| at * heard.step_s()).collect();
        assert!(f_measure(&truth, &found, 0.01) > 0.99, "{amplitude}: {found:.3?}");
    }
    assert!(onsets::onsets(&heard(&noise(-30.0, 5.0)[..]), 5.0).len() <= 1);
    assert_eq!(onsets::onsets(&heard(&vec![0.0; 96_000]), 1.0).len(), 0);
}

#[test]
fn a_vibrato_has_one_onset() {
    let mut phase = 0.0f64;
    let sample = |n: usize| {
        let time = n as f64 / 48_000.0;
        let hz = 440.0 * (0.5 / 12.0 * (std::f64::consts::TAU * 6.0 * time).sin()).exp2();
        phase += std::f64::consts::TAU * hz / 48_000.0;
        ((time - 0.5) / 0.01).clamp(0.0, 1.0) as f32
            * 0.3
            * (phase.sin() + 0.5 * (2.0 * phase).sin()) as f32
    };
    let heard = heard(&(0..frames(4.0)).map(sample).collect::<Vec<_>>());
    let found: Vec<f64> =
        onsets::onsets(&heard, 3.0).iter().map(|at| at * heard.step_s()).collect();
    assert_eq!(found.len(), 1, "{found:?}");
    assert!((found[0] - 0.5).abs() < 0.03, "{found:?}");
}

#[test]
fn tempi_and_beats_of_click_tracks() {
    for (bpm, offset) in [(61.0, 0.3), (84.0, 0.011), (97.3, 0.7), (120.0, 0.25), (143.0, 0.4)] {
        let period = 60.0 / bpm;
        let truth: Vec<f64> =
            (0..).map(|n| offset + f64::from(n) * period).take_while(|t| *t < 29.0).collect();
        let heard = heard(&both(clicks(&truth, 0.5, 30.0), &noise(-80.0, 30.0)));
        let beats = beats::beats(&heard, beats::usual(), 4);
        let found: Vec<f64> = beats.at.iter().map(|at| at * heard.step_s()).collect();
        let tempo = beats.bpm(heard.step_s()).unwrap();
        assert!((tempo / bpm - 1.0).abs() < 0.005, "{bpm}: {tempo}");
        assert!(f_measure(&truth, &found, 0.02) > 0.97, "{bpm}: {found:.3?}");
    }
}

/// Kicks of 60 Hz on every other beat, bursts of noise on the others, soft ticks half way between, from `offset` on.
fn drummed(bpm: f64, seconds: f64) -> Vec<f32> {
    let period = 60.0 / bpm;
    let every = |step: f64, first: f64| -> Vec<f64> {
        (0..).map(|n| first + f64::from(n) * step).take_while(|t| *t < seconds - 1.0).collect()
    };
    let snares = clicks(&every(2.0 * period, 0.3 + period), 0.4, seconds);
    let ticks = clicks(&every(period / 2.0, 0.3), 0.06, seconds);
    let mut audio = both(both(snares, &ticks), &noise(-80.0, seconds));
    for at in every(2.0 * period, 0.3) {
        for n in 0..frames(0.15) {
            let time = n as f64 / 48_000.0;
            let kick = 0.7 * (-time * 25.0).exp() * (std::f64::consts::TAU * 60.0 * time).sin();
            audio[frames(at) + n] += kick as f32;
        }
    }
    audio
}

#[test]
fn a_snare_that_answers_a_kick_is_a_beat_later_slow_or_fast() {
    for bpm in [68.0, 92.0, 126.0, 152.0, 174.0, 186.0] {
        let heard = heard(&drummed(bpm, 24.0));
        let beats = beats::beats(&heard, beats::usual(), 4);
        let tempo = beats.bpm(heard.step_s()).unwrap();
        assert!((tempo / bpm - 1.0).abs() < 0.01, "{bpm}: {tempo}");
    }
}

#[test]
fn equal_clicks_are_all_beats_however_fast() {
    for bpm in [160.0, 176.0, 188.0] {
        let truth: Vec<f64> =
            (0..).map(|n| 0.4 + f64::from(n) * 60.0 / bpm).take_while(|t| *t < 23.0).collect();
        let heard = heard(&both(clicks(&truth, 0.5, 24.0), &noise(-80.0, 24.0)));
        let beats = beats::beats(&heard, beats::usual(), 4);
        let tempo = beats.bpm(heard.step_s()).unwrap();
        assert!((tempo / bpm - 1.0).abs() < 0.01, "{bpm}: {tempo}");
    }
}

#[test]
fn a_range_chooses_between_a_tempo_and_its_half() {
    let heard = heard(&drummed(174.0, 24.0));
    let slow = beats::Range { low: 50.0, high: 145.0 };
    let beats = beats::beats(&heard, slow, 4);
    let tempo = beats.bpm(heard.step_s()).unwrap();
    assert!((tempo / 87.0 - 1.0).abs() < 0.01, "{tempo}");
}

/// Broken chords in even eighths, a chord and a bass note a bar, from 0.3 s on.
fn arpeggios(bpm: f64, seconds: f64) -> Vec<f32> {
    let half = 30.0 / bpm;
    let hz = |pitch: i32| 261.6 * (f64::from(pitch) / 12.0).exp2();
    let mut audio = noise(-80.0, seconds);
    let mut add = |at: f64, sound: &[f32]| {
        audio[frames(at)..].iter_mut().zip(sound).for_each(|(out, x)| *out += x);
    };
    for n in 0..((seconds - 1.0) / half) as usize {
        let (at, root) = (0.3 + n as f64 * half, [0, -3, 5, 7][n / 8 % 4]);
        add(at, &note(hz(root + [0, 4, 7, 12][n % 4]), half * 0.9, 0.15));
        if n.is_multiple_of(8) {
            add(at, &note(hz(root - 24), 2.0 * half, 0.2));
        }
    }
    audio
}

#[test]
fn even_notes_are_half_beats_where_a_chord_would_last_two_bars() {
    for bpm in [54.0, 60.0, 68.0, 84.0, 104.0] {
        let heard = heard(&arpeggios(bpm, 40.0));
        let found = beats::beats(&heard, beats::usual(), 4);
        let tempo = found.bpm(heard.step_s()).unwrap();
        assert!((tempo / bpm - 1.0).abs() < 0.01, "{bpm}: {tempo}");
        let down = found.at[found.first] * heard.step_s() - 0.3;
        let bar = 240.0 / bpm;
        assert!((down + 0.06).rem_euclid(bar) < 0.12, "{bpm}: the first downbeat is at {down}");
    }
    let heard = heard(&arpeggios(60.0, 40.0));
    let fast = beats::Range { low: 90.0, high: 215.0 };
    let tempo = beats::beats(&heard, fast, 4).bpm(heard.step_s()).unwrap();
    assert!((tempo / 120.0 - 1.0).abs() < 0.01, "told so, it counts all of them: {tempo}");
}

#[test]
fn the_first_beat_of_a_bar_is_where_the_bass_and_the_harmony_change() {
    for first in [0usize, 2] {
        let mut audio = vec![0.0; frames(32.5)];
        let mut add = |at: f64, sound: &[f32]| {
            for (n, x) in sound.iter().enumerate() {
                if let Some(out) = audio.get_mut(frames(at) + n) {
                    *out += x;
                }
            }
        };
        for beat in 0..64 {
            add(0.2 + beat as f64 * 0.5, &clicks(&[0.0], 0.3, 0.1));
            if beat % 4 == first {
                let root = [0, 5, 7, 9][beat / 4 % 4];
                add(0.2 + beat as f64 * 0.5, &chord(&[root, root + 4, root + 7], 1.9, 440.0));
                add(0.2 + beat as f64 * 0.5, &note(65.4, 0.5, 0.5));
            }
        }
        let beats = beats::beats(&heard(&audio), beats::usual(), 0);
        let heard = heard(&audio);
        assert_eq!(beats.meter, 4, "{beats:?}");
        let down = beats.at[beats.first] * heard.step_s();
        let into = (down - 0.2 - first as f64 * 0.5).rem_euclid(2.0);
        assert!(into.min(2.0 - into) < 0.05, "{first}: the first downbeat is at {down}");
    }
}

#[test]
fn sound_without_beats_has_no_beat() {
    assert!(beats::beats(&heard(&vec![0.0; 480_000]), beats::usual(), 0).at.is_empty());
}

#[test]
fn every_key_is_found_from_its_chords_in_any_tuning() {
    for tonic in 0..12 {
        let tuning = 440.0 + f64::from(tonic - 6);
        for (minor, mode) in [(false, "major"), (true, "minor")] {
            let third = if minor { 3 } else { 4 };
            let triad = |root: i32, third: i32| [root, root + third, root + 7].map(|p| tonic + p);
            let cadence = [triad(0, third), triad(5, third), triad(7, 4), triad(0, third)];
            let audio: Vec<Vec<f32>> = cadence.iter().map(|c| chord(c, 1.0, tuning)).collect();
            let found = key::key(&heard(&joined(&audio))).unwrap();
            assert_eq!(found.name, format!("{} {mode}", key::NAMES[tonic as usize]), "{found:?}");
            assert!((found.tuning - tuning).abs() < 2.0, "{tuning}: {found:?}");
        }
    }
    assert_eq!(key::key(&heard(&vec![0.0; 96_000])), None);
}

#[test]
fn parts_begin_where_the_sound_changes_and_alike_ones_share_a_letter() {
    let bars = || joined(&vec![chord(&[0, 4, 7], 1.0, 440.0); 20]);
    let quiet = || both(bars(), &tone(261.6, -30.0, 20.0));
    let loud = || both(noise(-20.0, 20.0), &tone(65.0, -14.0, 20.0));
    let audio = joined(&[quiet(), loud(), quiet()]);
    let heard = heard(&audio);
    let found = segments::parts(&heard, 3.0, &mut || true);
    let starts: Vec<f64> = found.iter().map(|part| part.start.0 as f64 / 48_000.0).collect();
    assert_eq!(starts.len(), 3, "{found:?}");
    assert!((starts[1] - 20.0).abs() < 0.3 && (starts[2] - 40.0).abs() < 0.55, "{starts:?}");
    let labels: Vec<&str> = found.iter().map(|part| part.label.as_str()).collect();
    assert_eq!(labels, ["A", "B", "A"]);
    let whole: i64 = found.iter().map(|part| part.length.0).sum();
    assert_eq!(whole as usize, audio.len(), "parts leave no gap");
}
