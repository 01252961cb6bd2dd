//! True peak: EBU Tech 3341 cases 15 to 23, tolerance +0.2 / -0.4 dB, and the ends of a file.

use crate::signals::{RATE, levels};
use deskhand_dsp::SampleRate;
use std::f64::consts::TAU;

/// The true peak of `samples` on both channels.
fn true_peak(samples: Vec<f32>) -> f64 {
    let read = levels(&[samples.clone(), samples], RATE);
    let (true_peak, sample_peak) = (read.true_peak.unwrap(), read.sample_peak.unwrap());
    assert!(true_peak >= sample_peak);
    true_peak.0
}

fn assert_conforms(value: f64, expected: f64, what: &str) {
    let off = value - expected;
    assert!((-0.4..=0.2).contains(&off), "{what}: {value:.3} dBTP, expected {expected}");
}

/// A sine of `rate / divisor` at a phase in degrees, with 10 ms fades against the edges.
fn sine(divisor: f64, degrees: f64, amplitude: f64) -> Vec<f32> {
    let frames = 48_000;
    (0..frames)
        .map(|n| {
            let edge = (n.min(frames - 1 - n) as f64 / 480.0).min(1.0);
            let angle = TAU * f64::from(n) / divisor + degrees.to_radians();
            (amplitude * edge * angle.sin()) as f32
        })
        .collect()
}

#[test]
fn cases_15_to_19_peaks_between_the_samples() {
    let cases = [
        (15, 4.0, 0.0, 0.50, -6.0),
        (16, 4.0, 45.0, 0.50, -6.0),
        (17, 6.0, 60.0, 0.50, -6.0),
        (18, 8.0, 67.5, 0.50, -6.0),
        (19, 4.0, 45.0, 1.41, 3.0),
    ];
    for (case, divisor, degrees, amplitude, expected) in cases {
        let read = true_peak(sine(divisor, degrees, amplitude));
        assert_conforms(read, expected, &format!("case {case}"));
    }
}

/// fs/6 at 0.50 with one period of fs/4 at 1.00 in the middle, at four times the rate.
fn burst() -> Vec<f64> {
    let period = |length: usize, amplitude: f64| {
        (0..length).map(move |n| amplitude * (TAU * n as f64 / length as f64).sin())
    };
    let steady = || (0..2_000).flat_map(move |_| period(24, 0.5));
    steady().chain(period(16, 1.0)).chain(steady()).collect()
}

#[test]
fn cases_20_to_23_a_short_peak_at_any_offset() {
    for offset in 0..4 {
        let samples = burst().into_iter().skip(offset).step_by(4).map(|x| x as f32).collect();
        let read = true_peak(samples);
        assert_conforms(read, 0.0, &format!("case {}", 20 + offset));
    }
}

#[test]
fn a_peak_behind_the_last_sample_counts() {
    // The file is cut on the shoulder of a fs/4 sine: the peak comes after its last sample.
    let mut samples = vec![0f32; 1_000];
    samples[998] = 0.7;
    samples[999] = 0.7;
    let cut = true_peak(samples.clone());
    samples.extend([0.0; 1_000]);
    assert!((cut - true_peak(samples)).abs() < 1e-9);
    assert!(cut > -1.5, "{cut}");
}

#[test]
fn high_rates_are_oversampled_less_and_read_the_same() {
    for rate in [8_000, 44_100, 96_000, 176_400, 192_000] {
        let rate = SampleRate(rate);
        let wave = |n: u32| (0.5 * (TAU * 997.0 * f64::from(n) / f64::from(rate.0)).sin()) as f32;
        let read = levels(&[(0..rate.0).map(wave).collect()], rate).true_peak.unwrap();
        assert_conforms(read.0, -6.02, &rate.to_string());
    }
}
