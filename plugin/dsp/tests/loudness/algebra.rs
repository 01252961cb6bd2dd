//! Properties that must hold for all audio: gains, block splits, chunks, bad samples.

use crate::signals::{RATE, profile, programme, slices};
use deskhand_dsp::loudness::{LoudnessMeter, LoudnessProfile};
use deskhand_dsp::{Decibels, SampleRate};
use proptest::prelude::*;

/// Measures `audio` in chunks of `length` frames, each warmed with the audio before it.
fn in_chunks(audio: &[Vec<f32>], rate: SampleRate, length: usize) -> LoudnessProfile {
    let frames = audio[0].len();
    let warm = rate.0 as usize / 5;
    let mut chunks = (0..frames).step_by(length).map(|start| {
        let mut meter = LoudnessMeter::new(rate, audio.len()).unwrap();
        let cut = |from: usize, to: usize| {
            audio.iter().map(|channel| channel[from..to].to_vec()).collect::<Vec<_>>()
        };
        meter.warm(&slices(&cut(start.saturating_sub(warm), start)));
        meter.process(&slices(&cut(start, (start + length).min(frames))));
        meter.profile()
    });
    let mut whole = chunks.next().unwrap();
    for chunk in chunks {
        whole.join(chunk).unwrap();
    }
    whole
}

#[test]
fn chunks_measured_apart_join_to_the_whole() {
    for (rate, length) in [(44_100, 44_100 * 3), (48_000, 4_800), (22_050, 22_050)] {
        let rate = SampleRate(rate);
        let audio = programme(11, rate, 2, 9.7);
        let whole = profile(&audio, rate);
        let joined = in_chunks(&audio, rate, length);
        assert_eq!(whole.frames(), joined.frames());
        assert_eq!(whole.rms_energies(), joined.rms_energies());
        assert!((whole.phase().all - joined.phase().all).abs() <= whole.phase().all * 1e-12);
        for (a, b) in whole.k_energies().iter().zip(joined.k_energies()) {
            // In 0.2 s the filter decays by 400 dB, not completely.
            assert!((a - b).abs() <= a * 1e-6, "{a} {b}");
        }
        let (a, b) = (whole.levels(Decibels::UNITY), joined.levels(Decibels::UNITY));
        assert_eq!((a.true_peak, a.sample_peak), (b.true_peak, b.sample_peak));
        for (a, b) in [(a.integrated, b.integrated), (a.max_short_term, b.max_short_term)] {
            assert!((a.unwrap() - b.unwrap()).0.abs() < 1e-6);
        }
        assert!((a.range_lu.unwrap() - b.range_lu.unwrap()).abs() < 1e-6);
    }
}

#[test]
fn an_offset_changes_nothing_of_what_gates_compare() {
    let audio = programme(5, RATE, 2, 12.0);
    let plain = profile(&audio, RATE).sound_energies();
    for offsets in [[0.05, 0.05], [0.3, -0.2], [-0.1, 0.0]] {
        let moved: Vec<Vec<f32>> = audio
            .iter()
            .zip(offsets)
            .map(|(channel, offset)| channel.iter().map(|sample| sample + offset).collect())
            .collect();
        let heard = profile(&moved, RATE);
        let expected = ((offsets[0] * offsets[0] + offsets[1] * offsets[1]) / 2.0f32).sqrt();
        assert!((heard.offset() - f64::from(expected)).abs() < 0.002, "{}", heard.offset());
        for (one, other) in plain.iter().zip(heard.sound_energies()) {
            let decibels = 10.0 * ((other + 1e-9) / (one + 1e-9)).log10();
            assert!(decibels.abs() < 0.5, "{offsets:?}: {one} {other}");
        }
    }
}

#[test]
fn channels_that_cancel_are_opposed_and_others_are_not() {
    let audio = programme(3, RATE, 2, 4.0);
    for (by, is_opposed) in [(-1.0, true), (-0.6, true), (0.0, false), (0.4, false), (1.0, false)] {
        let other: Vec<f32> = audio[0].iter().map(|sample| sample * by + 0.1).collect();
        let heard = profile(&[audio[0].clone(), other], RATE);
        assert_eq!(heard.phase().is_opposed(), is_opposed, "{by}");
    }
    assert!(!profile(&audio[..1], RATE).phase().is_opposed(), "one channel");
}

#[test]
fn a_chunk_boundary_adds_no_true_peak() {
    // A loud steady sine cut anywhere would ring at the cut.
    let wave = |n: u32| (f64::from(n) * std::f64::consts::TAU / 7.3).sin() as f32 * 0.9;
    let audio = vec![(0..48_000).map(wave).collect::<Vec<f32>>()];
    let whole = profile(&audio, RATE).levels(Decibels::UNITY).true_peak;
    assert_eq!(in_chunks(&audio, RATE, 480).levels(Decibels::UNITY).true_peak, whole);
}

#[test]
fn unlike_profiles_do_not_join() {
    let mut profile_48 = profile(&programme(1, RATE, 2, 1.0), RATE);
    let before = profile_48.clone();
    let other = profile(&programme(1, SampleRate(44_100), 2, 1.0), SampleRate(44_100));
    let message = profile_48.join(other).unwrap_err().to_string();
    assert!(message.contains("48000 Hz") && message.contains("44100 Hz"), "{message}");
    assert_eq!(profile_48, before);
    let mut uneven = profile(&programme(1, RATE, 2, 1.003), RATE);
    assert!(uneven.join(before).unwrap_err().to_string().contains("48144 frames"));
}

#[test]
fn a_meter_refuses_what_it_cannot_measure() {
    let refused =
        |rate, channels| LoudnessMeter::new(SampleRate(rate), channels).unwrap_err().to_string();
    assert!(refused(4_000, 2).contains("4000 Hz"));
    assert!(refused(800_000, 2).contains("800000 Hz"));
    assert!(refused(48_000, 0).contains("0 channels"));
    assert!(refused(48_000, 33).contains("33 channels"));
}

#[test]
fn bad_samples_count_as_silence_and_are_counted() {
    let mut audio = programme(5, RATE, 2, 2.0);
    for n in [100, 5_000, 48_000] {
        audio[1][n] = 0.0;
    }
    let clean = profile(&audio, RATE);
    audio[1][100] = f32::NAN;
    audio[1][5_000] = f32::INFINITY;
    audio[1][48_000] = f32::NEG_INFINITY;
    let dirty = profile(&audio, RATE);
    assert_eq!((clean.non_finite(), dirty.non_finite()), (0, 3));
    assert_eq!(clean.levels(Decibels::UNITY), dirty.levels(Decibels::UNITY));
}

#[test]
fn silence_and_a_single_sample_have_no_loudness() {
    let silent = profile(&[vec![0.0; 96_000]], RATE).levels(Decibels(20.0));
    assert_eq!(silent, deskhand_dsp::loudness::Levels::default());
    let nothing = profile(&[vec![]], RATE).levels(Decibels::UNITY);
    assert_eq!(nothing, deskhand_dsp::loudness::Levels::default());
    let click = profile(&[vec![0.5]], RATE).levels(Decibels::UNITY);
    assert!((click.sample_peak.unwrap().0 + 6.0206).abs() < 1e-4);
    assert_eq!(click.integrated, None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn blocks_change_no_bit(
        seed in 1u64..1000, rate in prop::sample::select(vec![8_000u32, 11_025, 44_100, 48_000]),
        sizes in prop::collection::vec(1usize..3000, 1..6), channels in 1usize..4,
    ) {
        let rate = SampleRate(rate);
        let audio = programme(seed, rate, channels, 1.3);
        let mut meter = LoudnessMeter::new(rate, channels).unwrap();
        let mut at = 0;
        for size in sizes.iter().cycle() {
            let end = (at + size).min(audio[0].len());
            meter.process(&audio.iter().map(|channel| &channel[at..end]).collect::<Vec<_>>());
            at = end;
            if at == audio[0].len() {
                break;
            }
        }
        prop_assert_eq!(meter.profile(), profile(&audio, rate));
    }

    #[test]
    fn a_gain_after_the_fact_equals_a_gain_in_the_audio(seed in 1u64..1000, gain in -40f64..20.0) {
        let gain = Decibels(gain);
        let audio = programme(seed, RATE, 2, 6.0);
        let louder: Vec<Vec<f32>> = audio
            .iter()
            .map(|channel| channel.iter().map(|x| x * gain.amplitude() as f32).collect())
            .collect();
        let computed = profile(&audio, RATE).levels(gain);
        let measured = profile(&louder, RATE).levels(Decibels::UNITY);
        let same = |a: Option<f64>, b: Option<f64>| match (a, b) {
            (Some(a), Some(b)) => (a - b).abs() < 1e-3,
            (a, b) => a == b,
        };
        prop_assert!(same(computed.integrated.map(|l| l.0), measured.integrated.map(|l| l.0)));
        prop_assert!(same(computed.max_momentary.map(|l| l.0), measured.max_momentary.map(|l| l.0)));
        prop_assert!(same(computed.range_lu, measured.range_lu));
        prop_assert!(same(computed.true_peak.map(|l| l.0), measured.true_peak.map(|l| l.0)));
        prop_assert!(same(computed.rms.map(|l| l.0), measured.rms.map(|l| l.0)));
        prop_assert!(same(computed.active_rms.map(|l| l.0), measured.active_rms.map(|l| l.0)));
    }
}
