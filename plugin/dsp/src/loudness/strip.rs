//! The meter of one strip of a mixer: of fixed size, without a heap of its own, for the audio
//! thread. Silence costs nothing, and neither does true peak where a block cannot raise it.

use super::true_peak::{HISTORY, Interpolator};
use super::weighting::{KWeighting, State, energy_of_two};
use super::{HOPS_PER_SECOND, LoudnessError, hop_start};
use crate::SampleRate;
use crate::subnormal::to_sample;

/// Hops in 400 ms and in 3 s.
const MOMENTARY: usize = 40;
const SHORT_TERM: usize = 300;

/// Samples interpolated in one go, a multiple of the interpolator's group size.
const PIECE: usize = 128;

/// Silence for filters that still ring; longer than the history of the interpolator.
static ZEROS: [f32; 64] = [0.0; 64];

/// The filters for one sample rate, which all strips share.
#[derive(Clone, Debug)]
pub struct StripFilter {
    rate: SampleRate,
    weighting: KWeighting,
    interpolator: Interpolator,
}

impl StripFilter {
    /// The K-weighting of BS.1770-5 and its true-peak interpolator at `rate`.
    ///
    /// # Errors
    /// When the rate is not 8 to 768 kHz.
    pub fn new(rate: SampleRate) -> Result<Self, LoudnessError> {
        if !(8_000..=768_000).contains(&rate.0) {
            return Err(LoudnessError::Rate(rate));
        }
        let (weighting, interpolator) = (KWeighting::new(rate), Interpolator::new(rate));
        Ok(Self { rate, weighting, interpolator })
    }

    /// Frames of hop `index` of a second.
    fn hop_length(&self, index: u64) -> usize {
        (hop_start(index + 1, self.rate) - hop_start(index, self.rate)) as usize
    }

    fn hop_energy(&self, squares: f64) -> f32 {
        to_sample(squares * f64::from(HOPS_PER_SECOND) / f64::from(self.rate.0))
    }
}

/// Momentary and short-term loudness and true peak of one stereo strip. Every 10 ms hop ends at its own
/// frame, whatever the block sizes of the audio.
#[derive(Clone, Debug)]
pub struct StripLoudness {
    states: [State; 2],
    /// K-weighted energies of the last 3 s, a ring: hop `n` is at `n % SHORT_TERM`.
    recent: [f32; SHORT_TERM],
    /// Complete hops so far.
    hops: u64,
    /// Complete hops since the last one that was not silent.
    quiet: u64,
    /// Frames of the current hop, and their K-weighted squares.
    filled: usize,
    squares: f64,
    /// The last samples of each side, and their peak or a little more.
    tails: [[f32; HISTORY]; 2],
    tail_peaks: [f32; 2],
    true_peaks: [f32; 2],
}

impl Default for StripLoudness {
    fn default() -> Self {
        Self {
            states: [State::default(); 2],
            recent: [0.0; SHORT_TERM],
            hops: 0,
            quiet: SHORT_TERM as u64,
            filled: 0,
            squares: 0.0,
            tails: [[0.0; HISTORY]; 2],
            tail_peaks: [0.0; 2],
            true_peaks: [0.0; 2],
        }
    }
}

impl StripLoudness {
    /// Takes in left and right, of one length, without NaN or infinities; `peaks` are their largest
    /// magnitudes.
    pub fn process(&mut self, filter: &StripFilter, sides: [&[f32]; 2], peaks: [f32; 2]) {
        let [left, right] = sides;
        let frames = left.len().min(right.len());
        self.raise_true_peaks(filter, sides, peaks);
        let mut at = 0;
        while at < frames {
            let length = (filter.hop_length(self.hops % 100) - self.filled).min(frames - at);
            let part = [&left[at..at + length], &right[at..at + length]];
            self.squares +=
                energy_of_two(&filter.weighting, &mut self.states, part).iter().sum::<f64>();
            self.advance(filter, length);
            at += length;
        }
    }

    /// Takes in `frames` frames of silence.
    pub fn rest(&mut self, filter: &StripFilter, frames: usize) {
        let mut rest = frames;
        while rest > 0 && !self.is_at_rest() {
            let length = rest.min(ZEROS.len());
            self.process(filter, [&ZEROS[..length]; 2], [0.0; 2]);
            rest -= length;
        }
        while rest > 0 {
            let length = (filter.hop_length(self.hops % 100) - self.filled).min(rest);
            self.advance(filter, length);
            rest -= length;
        }
    }

    /// Whether no filter rings any more.
    fn is_at_rest(&self) -> bool {
        self.states == [State::default(); 2] && self.tail_peaks == [0.0; 2]
    }

    /// Counts frames, and closes the hop when it is complete.
    fn advance(&mut self, filter: &StripFilter, frames: usize) {
        self.filled += frames;
        if self.filled < filter.hop_length(self.hops % 100) {
            return;
        }
        let energy = filter.hop_energy(self.squares);
        self.recent[(self.hops % SHORT_TERM as u64) as usize] = energy;
        self.quiet = if energy > 0.0 { 0 } else { self.quiet + 1 };
        self.hops += 1;
        (self.filled, self.squares) = (0, 0.0);
    }

    fn raise_true_peaks(&mut self, filter: &StripFilter, sides: [&[f32]; 2], peaks: [f32; 2]) {
        for (index, (side, peak)) in sides.into_iter().zip(peaks).enumerate() {
            let (tail, tail_peak) = (&mut self.tails[index], &mut self.tail_peaks[index]);
            let highest = &mut self.true_peaks[index];
            *highest = highest.max(peak);
            if filter.interpolator.can_exceed(peak.max(*tail_peak), *highest) {
                *highest = between(&filter.interpolator, tail, side, *highest);
            }
            *tail_peak = if side.len() < HISTORY { tail_peak.max(peak) } else { peak };
            keep(tail, side);
            if peak <= 0.0 && tail.iter().all(|sample| *sample == 0.0) {
                *tail_peak = 0.0;
            }
        }
    }

    /// The largest magnitude of each side since they were last forgotten, between the samples as
    /// well.
    #[must_use]
    pub fn true_peaks(&self) -> [f32; 2] {
        self.true_peaks
    }

    /// Resets the true peaks.
    pub fn forget_true_peaks(&mut self) {
        self.true_peaks = [0.0; 2];
    }

    /// K-weighted energy of the last 400 ms, for [`Lufs::from_energy`](crate::Lufs::from_energy).
    #[must_use]
    pub fn momentary(&self) -> f32 {
        if self.quiet >= MOMENTARY as u64 {
            return 0.0;
        }
        let end = (self.hops % SHORT_TERM as u64) as usize;
        let newer = &self.recent[end.saturating_sub(MOMENTARY)..end];
        let older = &self.recent[SHORT_TERM - (MOMENTARY - newer.len())..];
        ((total(newer) + total(older)) / MOMENTARY as f64) as f32
    }

    /// K-weighted energy of the last 3 s.
    #[must_use]
    pub fn short_term(&self) -> f32 {
        if self.quiet >= SHORT_TERM as u64 {
            return 0.0;
        }
        (total(&self.recent) / SHORT_TERM as f64) as f32
    }

    /// Complete hops of 10 ms so far.
    #[must_use]
    pub fn hops(&self) -> u64 {
        self.hops
    }

    /// K-weighted energy of hop `index`, one of the last 300.
    #[must_use]
    pub fn hop(&self, index: u64) -> f32 {
        self.recent[(index % SHORT_TERM as u64) as usize]
    }
}

/// The larger of `above` and the peak between the samples from `tail` on to the end of `side`.
fn between(interpolator: &Interpolator, tail: &[f32; HISTORY], side: &[f32], above: f32) -> f32 {
    let mut window = [0.0; HISTORY + PIECE];
    window[..HISTORY].copy_from_slice(tail);
    let mut peak = above;
    for piece in side.chunks(PIECE) {
        let end = HISTORY + piece.len();
        window[HISTORY..end].copy_from_slice(piece);
        peak = interpolator.peak(&window[..end], peak);
        window.copy_within(piece.len()..end, 0);
    }
    peak
}

/// Keeps the last samples of `tail` and `side`, one after the other.
fn keep(tail: &mut [f32; HISTORY], side: &[f32]) {
    if let Some(end) = side.last_chunk() {
        *tail = *end;
        return;
    }
    tail.copy_within(side.len().., 0);
    tail[HISTORY - side.len()..].copy_from_slice(side);
}

/// The sum, four lanes side by side.
fn total(energies: &[f32]) -> f64 {
    let (groups, rest) = energies.as_chunks::<4>();
    let mut sums = [0f64; 4];
    for group in groups {
        for (sum, energy) in sums.iter_mut().zip(group) {
            *sum += f64::from(*energy);
        }
    }
    sums.iter().sum::<f64>() + rest.iter().map(|energy| f64::from(*energy)).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loudness::LiveLoudness;
    use crate::{Lufs, level::sample_peak};
    use proptest::prelude::*;

    fn feed(meter: &mut StripLoudness, filter: &StripFilter, left: &[f32], right: &[f32]) {
        meter.process(filter, [left, right], [sample_peak(left), sample_peak(right)]);
    }

    fn near(energy: f32, expected: Option<Lufs>) -> bool {
        match (Lufs::from_energy(f64::from(energy)), expected) {
            (Some(Lufs(a)), Some(Lufs(b))) => (a - b).abs() < 1e-4,
            (a, b) => a == b,
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn it_reads_like_the_meter_of_the_tools_in_blocks_of_any_size(
            blocks in prop::collection::vec((1usize..700, 0f32..1.0, 0.01f32..3.0), 1..80),
            rate in prop::sample::select(&[22_050u32, 44_100, 48_000, 96_000, 192_000][..]),
        ) {
            let filter = StripFilter::new(SampleRate(rate)).unwrap();
            let mut meter = StripLoudness::default();
            let mut tools = LiveLoudness::new(SampleRate(rate), 2).unwrap();
            let mut highest = 0f32;
            for (length, level, step) in blocks {
                let level = if level < 0.3 { 0.0 } else { level };
                let left: Vec<f32> = (0..length).map(|n| level * (n as f32 * step).sin()).collect();
                let right: Vec<f32> = left.iter().map(|sample| sample * -0.25).collect();
                if level > 0.0 {
                    feed(&mut meter, &filter, &left, &right);
                } else {
                    meter.rest(&filter, length);
                }
                tools.process(&[&left, &right]);
                prop_assert!(near(meter.momentary(), tools.momentary()));
                prop_assert!(near(meter.short_term(), tools.short_term()));
                highest = meter.true_peaks().into_iter().fold(highest, f32::max);
                meter.forget_true_peaks();
            }
            // The meter of the tools looks at whole hops: what hangs over may be higher.
            let tail = vec![0f32; 2000];
            meter.rest(&filter, tail.len());
            tools.process(&[&tail, &tail]);
            highest = meter.true_peaks().into_iter().fold(highest, f32::max);
            let expected = tools.true_peak().map_or(0.0, crate::Decibels::amplitude);
            prop_assert!((f64::from(highest) - expected).abs() < 1e-5, "{} {}", highest, expected);
        }
    }

    #[test]
    fn silence_comes_to_rest_and_reads_as_nothing() {
        let filter = StripFilter::new(SampleRate(48_000)).unwrap();
        let mut meter = StripLoudness::default();
        let tone: Vec<f32> = (0..48_000).map(|n| (n as f32 * 0.13).sin()).collect();
        feed(&mut meter, &filter, &tone, &tone);
        assert!(meter.momentary() > 0.5);
        meter.rest(&filter, 48_000);
        assert!(meter.is_at_rest());
        assert!(meter.momentary() <= 0.0 && meter.short_term() > 0.1);
        meter.rest(&filter, 5 * 48_000);
        assert!(meter.short_term() <= 0.0);
        assert_eq!(meter.hops(), 700);
    }

    #[test]
    fn a_sound_that_fades_away_leaves_no_subnormal_energy() {
        let filter = StripFilter::new(SampleRate(48_000)).unwrap();
        let mut meter = StripLoudness::default();
        for hop in 0..300 {
            let level = 0.7f32.powi(hop);
            let tone: Vec<f32> = (0..480).map(|n| level * (n as f32 * 0.13).sin()).collect();
            feed(&mut meter, &filter, &tone, &tone);
            assert!(!meter.hop(u64::try_from(hop).unwrap()).is_subnormal());
            assert!(meter.states.iter().flatten().all(|it| !it.is_subnormal()));
        }
    }
}
