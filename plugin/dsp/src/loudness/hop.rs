//! Cuts audio into hops of 10 ms and measures each.
//!
//! A hop is measured only when it is complete, from its own buffer. So the result has the same bits,
//! whatever the block sizes of the audio.

use super::true_peak::{HISTORY, Interpolator};
use super::weighting::{KWeighting, State, energy_of_one, energy_of_two};
use super::{LoudnessError, channel_weights, hop_start};
use crate::SampleRate;
use crate::downmix::Phase;
use crate::level::{remove_non_finite, scan, squares_without_mean};

/// The sums of one hop, over all channels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hop {
    /// K-weighted and channel-weighted power: sum of squares over the nominal length of a hop.
    pub(super) k_energy: f32,
    /// Mean square over time and channels.
    pub(super) mean_square: f32,
    /// The same for the rest when each channel's mean over the hop is removed.
    pub(super) variance: f32,
}

/// Totals over everything measured.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Totals {
    pub(super) frames: u64,
    pub(super) squares: f64,
    pub(super) sample_peak: f32,
    /// At least `sample_peak`.
    pub(super) true_peak: f32,
    pub(super) non_finite: u64,
    pub(super) phase: Phase,
}

/// The filters, buffers and totals of one stream of audio.
#[derive(Clone, Debug)]
pub(super) struct HopMeter {
    rate: SampleRate,
    weights: Vec<f64>,
    filter: KWeighting,
    interpolator: Interpolator,
    states: Vec<State>,
    /// Per channel: [`HISTORY`] samples of the hop before, then the hop.
    buffers: Vec<Vec<f32>>,
    /// The mean of each channel over the last complete hop.
    means: Vec<f32>,
    /// The sum of the channels over a hop.
    sum: Vec<f32>,
    /// Samples of the current hop in each buffer.
    filled: usize,
    hops: u64,
    totals: Totals,
    /// Peak of all channels of the hop before, whose end is in the history.
    last_peak: f32,
}

impl HopMeter {
    pub(super) fn new(rate: SampleRate, channels: usize) -> Result<Self, LoudnessError> {
        if !(8_000..=768_000).contains(&rate.0) {
            return Err(LoudnessError::Rate(rate));
        }
        if !(1..=32).contains(&channels) {
            return Err(LoudnessError::Channels(channels));
        }
        let longest = hop_start(1, rate) as usize + 1;
        Ok(Self {
            rate,
            weights: channel_weights(channels),
            filter: KWeighting::new(rate),
            interpolator: Interpolator::new(rate),
            states: vec![State::default(); channels],
            buffers: vec![vec![0.0; HISTORY + longest]; channels],
            means: vec![0.0; channels],
            sum: vec![0.0; longest],
            filled: 0,
            hops: 0,
            totals: Totals::default(),
            last_peak: 0.0,
        })
    }

    pub(super) fn rate(&self) -> SampleRate {
        self.rate
    }

    pub(super) fn channels(&self) -> usize {
        self.buffers.len()
    }

    /// The largest true peak in the complete hops.
    pub(super) fn true_peak(&self) -> f32 {
        self.totals.true_peak
    }

    /// Whether anything was counted yet.
    pub(super) fn started(&self) -> bool {
        self.totals.frames > 0 || self.filled > 0
    }

    /// Frames of the current hop.
    fn hop_length(&self) -> usize {
        (hop_start(self.hops + 1, self.rate) - hop_start(self.hops, self.rate)) as usize
    }

    /// Takes audio and reports each hop that it completes, with the mean of each channel. Does not allocate.
    pub(super) fn process(&mut self, planar: &[&[f32]], mut on_hop: impl FnMut(Hop, &[f32])) {
        let frames = planar.iter().map(|channel| channel.len()).min().unwrap_or(0);
        let mut at = 0;
        while at < frames {
            let length = (self.hop_length() - self.filled).min(frames - at);
            self.fill(planar, at, length);
            at += length;
            if self.filled == self.hop_length() {
                let hop = self.finish_hop();
                on_hop(hop, &self.means);
            }
        }
    }

    /// Runs the filters over audio that is not counted, up to where `process` will begin.
    pub(super) fn warm(&mut self, planar: &[&[f32]]) {
        let frames = planar.iter().map(|channel| channel.len()).min().unwrap_or(0);
        let longest = hop_start(1, self.rate) as usize;
        for at in (0..frames).step_by(longest) {
            self.fill(planar, at, longest.min(frames - at));
            self.last_peak = 0.0;
            for channel in &mut self.buffers {
                let hop = &mut channel[HISTORY..HISTORY + self.filled];
                remove_non_finite(hop);
                self.last_peak = self.last_peak.max(f32::from_bits(scan(hop).peak_bits));
            }
            self.weighted_energy();
            self.keep_history();
        }
    }

    /// Appends to the current hop; a channel that is not given is silent.
    fn fill(&mut self, planar: &[&[f32]], at: usize, length: usize) {
        let start = HISTORY + self.filled;
        for (index, buffer) in self.buffers.iter_mut().enumerate() {
            let target = &mut buffer[start..start + length];
            match planar.get(index) {
                Some(channel) => target.copy_from_slice(&channel[at..at + length]),
                None => target.fill(0.0),
            }
        }
        self.filled += length;
    }

    /// Measures the complete hop in the buffers.
    fn finish_hop(&mut self) -> Hop {
        let squares = self.count();
        let moving = self.squares_without_means();
        self.count_phase(moving);
        for (mean, buffer) in self.means.iter_mut().zip(&self.buffers) {
            let hop = &buffer[HISTORY..HISTORY + self.filled];
            *mean = (hop.iter().map(|x| f64::from(*x)).sum::<f64>() / self.filled as f64) as f32;
        }
        let nominal = f64::from(self.rate.0) / 100.0;
        let hop = Hop {
            k_energy: (self.weighted_energy() / nominal) as f32,
            mean_square: (squares / (self.filled * self.channels()) as f64) as f32,
            variance: (moving / (self.filled * self.channels()) as f64) as f32,
        };
        self.hops += 1;
        self.keep_history();
        hop
    }

    /// Adds the hop in the buffers to the totals and returns its sum of squares.
    fn count(&mut self) -> f64 {
        let (mut squares, mut hop_peak) = (0.0, 0f32);
        for buffer in &mut self.buffers {
            let hop = &mut buffer[HISTORY..HISTORY + self.filled];
            let mut found = scan(hop);
            if found.peak().is_none() {
                self.totals.non_finite += remove_non_finite(hop);
                found = scan(hop);
            }
            squares += found.squares;
            hop_peak = hop_peak.max(f32::from_bits(found.peak_bits));
        }
        self.totals.frames += self.filled as u64;
        self.totals.squares += squares;
        self.totals.sample_peak = self.totals.sample_peak.max(hop_peak);
        self.totals.true_peak = self.totals.true_peak.max(hop_peak);
        self.raise_true_peak(hop_peak);
        squares
    }

    /// The sum of the squares of the hop in the buffers, without each channel's mean.
    fn squares_without_means(&self) -> f64 {
        let hops = self.buffers.iter().map(|buffer| &buffer[HISTORY..HISTORY + self.filled]);
        hops.map(squares_without_mean).sum()
    }

    /// Compares the power of the channels with the power of their sum.
    fn count_phase(&mut self, power: f64) {
        if self.buffers.len() < 2 || power <= 0.0 {
            return;
        }
        let sum = &mut self.sum[..self.filled];
        sum.fill(0.0);
        for buffer in &self.buffers {
            let channel = &buffer[HISTORY..HISTORY + self.filled];
            sum.iter_mut().zip(channel).for_each(|(sum, sample)| *sum += sample);
        }
        self.totals.phase += Phase::of(power, squares_without_mean(sum));
    }

    fn raise_true_peak(&mut self, hop_peak: f32) {
        let reach = hop_peak.max(self.last_peak);
        self.last_peak = hop_peak;
        if !self.interpolator.can_exceed(reach, self.totals.true_peak) {
            return;
        }
        for buffer in &self.buffers {
            let input = &buffer[..HISTORY + self.filled];
            self.totals.true_peak = self.interpolator.peak(input, self.totals.true_peak);
        }
    }

    /// Runs the K-weighting over the hop and sums its energy with the channel weights.
    fn weighted_energy(&mut self) -> f64 {
        let hop = HISTORY..HISTORY + self.filled;
        let mut sum = 0.0;
        let channels = self.states.chunks_mut(2).zip(self.buffers.chunks(2));
        for ((states, buffers), weights) in channels.zip(self.weights.chunks(2)) {
            sum += match (states, buffers) {
                ([left, right], [a, b]) if weights.iter().all(|weight| *weight > 0.0) => {
                    let mut pair = [*left, *right];
                    let energy =
                        energy_of_two(&self.filter, &mut pair, [&a[hop.clone()], &b[hop.clone()]]);
                    [*left, *right] = pair;
                    energy[0] * weights[0] + energy[1] * weights[1]
                }
                (states, buffers) => {
                    let heard = states.iter_mut().zip(buffers).zip(weights);
                    let heard = heard.filter(|(_, weight)| **weight > 0.0);
                    heard
                        .map(|((state, buffer), weight)| {
                            energy_of_one(&self.filter, state, &buffer[hop.clone()]) * weight
                        })
                        .sum()
                }
            };
        }
        sum
    }

    /// Moves the end of the hop to the front and empties it.
    fn keep_history(&mut self) {
        for buffer in &mut self.buffers {
            buffer.copy_within(self.filled..self.filled + HISTORY, 0);
        }
        self.filled = 0;
    }

    /// Counts what does not fill a hop; returns the totals, and the true peak when the audio ends
    /// here and silence follows.
    pub(super) fn finish(mut self) -> (Totals, f32) {
        if self.filled > 0 {
            self.count();
            self.keep_history();
        }
        for buffer in &mut self.buffers {
            buffer.resize(2 * HISTORY, 0.0);
            buffer[HISTORY..].fill(0.0);
        }
        let tail = |peak, buffer: &Vec<f32>| self.interpolator.peak(buffer, peak);
        (self.totals, self.buffers.iter().fold(self.totals.true_peak, tail))
    }
}
