//! The `ebur128` crate (a port of libebur128) as an independent opinion.

use crate::signals::{assert_near, levels, programme, slices};
use deskhand_dsp::SampleRate;
use ebur128::{EbuR128, Mode};

/// Feeds the oracle in 10 ms blocks, for its maxima of M and S.
fn oracle(planar: &[Vec<f32>], rate: SampleRate) -> (EbuR128, f64, f64) {
    // Not `all`: its histogram rounds every block to 0.1 LU.
    let mode = Mode::all() & !Mode::HISTOGRAM;
    let mut meter = EbuR128::new(planar.len() as u32, rate.0, mode).unwrap();
    let (mut momentary, mut short_term) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
    let slices = slices(planar);
    let hop = rate.0 as usize / 100;
    for at in (0..slices[0].len()).step_by(hop) {
        let end = (at + hop).min(slices[0].len());
        let block: Vec<&[f32]> = slices.iter().map(|channel| &channel[at..end]).collect();
        meter.add_frames_planar_f32(&block).unwrap();
        momentary = momentary.max(meter.loudness_momentary().unwrap());
        short_term = short_term.max(meter.loudness_shortterm().unwrap());
    }
    (meter, momentary, short_term)
}

fn compare(seed: u64, rate: u32, channels: usize) {
    let rate = SampleRate(rate);
    let audio = programme(seed, rate, channels, 7.0);
    let (oracle, momentary, short_term) = oracle(&audio, rate);
    let ours = levels(&audio, rate);
    let name = |what: &str| format!("{what} of {channels} channels at {rate}, seed {seed}");
    let integrated = oracle.loudness_global().unwrap();
    assert_near(ours.integrated.map(|l| l.0), integrated, 0.01, &name("I"));
    assert_near(ours.max_momentary.map(|l| l.0), momentary, 0.01, &name("max M"));
    assert_near(ours.max_short_term.map(|l| l.0), short_term, 0.01, &name("max S"));
    let loudest = |peak: &dyn Fn(u32) -> f64| (0..channels as u32).map(peak).fold(0.0, f64::max);
    let sample_peak = 20.0 * loudest(&|c| oracle.sample_peak(c).unwrap()).log10();
    assert_near(ours.sample_peak.map(|l| l.0), sample_peak, 1e-6, &name("sample peak"));
    // Its interpolator has 12 taps per phase and falls off above 16 kHz; ours has 20.
    let true_peak = 20.0 * loudest(&|c| oracle.true_peak(c).unwrap()).log10();
    assert_near(ours.true_peak.map(|l| l.0), true_peak, 0.3, &name("true peak"));
}

#[test]
fn programmes_at_usual_rates_and_layouts_read_as_the_oracle_reads_them() {
    for (seed, rate) in [(1, 44_100), (2, 48_000), (3, 96_000)] {
        for channels in [1, 2, 3, 4, 5, 6] {
            compare(seed, rate, channels);
        }
    }
}

#[test]
fn unusual_rates_read_as_the_oracle_reads_them() {
    for rate in [8_000, 16_000, 32_000, 88_200, 192_000] {
        compare(4, rate, 2);
    }
}

#[test]
fn the_range_of_a_programme_is_that_of_the_oracle() {
    for seed in [6, 7, 8] {
        // A low rate keeps four minutes cheap.
        let rate = SampleRate(8_000);
        let audio = programme(seed, rate, 1, 240.0);
        let mut oracle = EbuR128::new(1, rate.0, Mode::LRA).unwrap();
        oracle.add_frames_planar_f32(&slices(&audio)).unwrap();
        // The oracle takes a window each second, we each 100 ms: percentiles of other samples.
        let expected = oracle.loudness_range().unwrap();
        assert_near(levels(&audio, rate).range_lu, expected, 0.3, &format!("LRA, seed {seed}"));
    }
}
