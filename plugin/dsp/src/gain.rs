//! Gain, ramps and the envelope of a clip.
//!
//! Every gain is a closed form of the absolute frame, never accumulated, so audio is bit-equal for any
//! split into blocks. The engine and the tools use this same code, so a tool measures exactly what is
//! heard.

use crate::simd::{Lanes, dispatch};
use crate::sum::{apply_gain, apply_gain_into, mix_into};
use crate::{Decibels, Fade, FadeCurve, Frames};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A straight line from one amplitude factor to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GainRamp {
    /// Amplitude factor up to `start`.
    pub from: f32,
    /// Amplitude factor from `start + length` on.
    pub to: f32,
    /// First frame of the ramp.
    pub start: Frames,
    /// Length of the ramp; 0 or less is a step at `start`.
    pub length: Frames,
}

impl GainRamp {
    /// No movement: `gain` at every frame.
    #[must_use]
    pub fn constant(gain: f32) -> Self {
        Self { from: gain, to: gain, start: Frames::ZERO, length: Frames::ZERO }
    }

    /// The first frame at which the ramp rests at `to`.
    #[must_use]
    pub fn end(&self) -> Frames {
        Frames(self.start.0.saturating_add(self.length.0.max(0)))
    }

    /// The amplitude factor at frame `n`: `from + (to - from) (n - start + 1/2) / length` inside.
    #[must_use]
    #[inline]
    pub fn value(&self, n: Frames) -> f32 {
        if n < self.start {
            self.from
        } else if n >= self.end() {
            self.to
        } else {
            self.inside(n.0 - self.start.0)
        }
    }

    /// The factor `offset` frames after the start, in double precision: exact for hours of ramp.
    #[inline(always)]
    fn inside(&self, offset: i64) -> f32 {
        let position = (offset as f64 + 0.5) / self.length.0 as f64;
        (f64::from(self.from) + f64::from(self.to - self.from) * position) as f32
    }

    /// Multiplies `block`, whose first sample is at frame `at`.
    pub fn apply(&self, at: Frames, block: &mut [f32]) {
        let (ramp, rest) = self.parts(at, block.len());
        let (moving, after) = block.split_at_mut(rest);
        let (before, moving) = moving.split_at_mut(ramp);
        apply_gain(before, self.from);
        self.move_over(at, ramp, moving);
        apply_gain(after, self.to);
    }

    /// As [`apply`](Self::apply), and adds the result to `sum`, which is as long as `block`.
    pub fn apply_into(&self, at: Frames, block: &mut [f32], sum: &mut [f32]) {
        let (ramp, rest) = self.parts(at, block.len().min(sum.len()));
        let (moving, after) = block.split_at_mut(rest);
        let (before, moving) = moving.split_at_mut(ramp);
        let (moving_sum, after_sum) = sum.split_at_mut(rest);
        let (before_sum, moving_sum) = moving_sum.split_at_mut(ramp);
        apply_gain_into(before, self.from, before_sum);
        self.move_over(at, ramp, moving);
        mix_into(moving_sum, moving, 1.0);
        apply_gain_into(after, self.to, after_sum);
    }

    /// Where in a block of `length` frames at `at` the ramp begins and where it rests.
    fn parts(&self, at: Frames, length: usize) -> (usize, usize) {
        let rest = part(at, self.end(), length);
        (part(at, self.start, length).min(rest), rest)
    }

    /// Multiplies `moving`, all inside the ramp, which begins `skip` frames after `at`.
    fn move_over(&self, at: Frames, skip: usize, moving: &mut [f32]) {
        let first = at.0.saturating_add(Frames::from_index(skip).0) - self.start.0;
        for (offset, sample) in (first..).zip(moving) {
            *sample *= self.inside(offset);
        }
    }
}

/// The number of frames before `boundary` in a block of `length` at `at`.
#[inline]
fn part(at: Frames, boundary: Frames, length: usize) -> usize {
    Frames(boundary.0.saturating_sub(at.0)).index().min(length)
}

/// The gain of `fade` at `n` frames from its silent end, 1.0 after it, 0.0 before it. Counting in doubles
/// is exact for 2^53 frames, and vectors of integers would first have to become doubles.
#[inline(always)]
fn fade_gain(fade: Fade, n: f64) -> f64 {
    let length = fade.length.0 as f64;
    if n < 0.0 {
        0.0
    } else if n >= length {
        1.0
    } else {
        fade.curve.gain((n + 0.5) / length)
    }
}

/// Whether samples are played as they are, or with the other sign.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Polarity {
    /// As recorded.
    #[default]
    Normal,
    /// Each sample is negated.
    Inverted,
}

impl Polarity {
    /// The factor of each sample: 1 or -1.
    #[must_use]
    pub fn sign(self) -> f64 {
        match self {
            Self::Normal => 1.0,
            Self::Inverted => -1.0,
        }
    }

    /// The other one.
    #[must_use]
    pub fn reversed(self) -> Self {
        match self {
            Self::Normal => Self::Inverted,
            Self::Inverted => Self::Normal,
        }
    }

    /// Whether it is the usual one; for serde.
    #[must_use]
    pub fn is_normal(&self) -> bool {
        *self == Self::Normal
    }
}

/// The gain of a clip over its length: a level, a polarity and a fade at each end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClipEnvelope {
    /// Level of the clip.
    pub gain: Decibels,
    /// Polarity of the clip.
    pub polarity: Polarity,
    /// Fade from the first frame on.
    pub fade_in: Fade,
    /// Fade that ends with the last frame.
    pub fade_out: Fade,
    /// Length of the clip; outside 0..length the envelope is silent.
    pub length: Frames,
}

impl ClipEnvelope {
    /// The amplitude factor at frame `at` of the clip; where fades overlap, their product.
    #[must_use]
    pub fn value(&self, at: Frames) -> f32 {
        self.factor(self.amplitude(), at.0 as f64)
    }

    fn amplitude(&self) -> f64 {
        self.gain.amplitude() * self.polarity.sign()
    }

    #[inline(always)]
    fn factor(&self, gain: f64, n: f64) -> f32 {
        let fade_in = fade_gain(self.fade_in, n);
        let fade_out = fade_gain(self.fade_out, self.last() - n);
        (gain * fade_in * fade_out) as f32
    }

    /// The last frame of the clip.
    #[inline(always)]
    fn last(&self) -> f64 {
        self.length.0.saturating_sub(1) as f64
    }

    /// Multiplies `out` (one slice per channel), whose first frame is `at` frames after the start of the
    /// clip. Bit-equal for any split into blocks.
    pub fn apply(&self, at: Frames, out: &mut [&mut [f32]]) {
        let gain = self.amplitude();
        let fade_out = Frames(self.length.0.saturating_sub(self.fade_out.length.0.max(0)));
        let length = out.iter().map(|channel| channel.len()).max().unwrap_or(0);
        let flat = part(at, fade_out, length);
        let fading = part(at, self.fade_in.length, flat);
        self.apply_faded(gain, at, 0..fading, out);
        for channel in out.iter_mut() {
            // Between the fades the product is exactly `gain`: the plain kernel gives the same bits.
            let (end, start) = (flat.min(channel.len()), fading.min(channel.len()));
            apply_gain(&mut channel[start..end], gain as f32);
        }
        self.apply_faded(gain, at, flat..length, out);
    }

    /// Computes the factors once for all channels; `range` counts from the start of `out`.
    fn apply_faded(&self, gain: f64, at: Frames, range: Range<usize>, out: &mut [&mut [f32]]) {
        let mut factors = [0f32; GROUP];
        for first in range.clone().step_by(GROUP) {
            let length = GROUP.min(range.end - first);
            let frame = at.0.saturating_add(Frames::from_index(first).0);
            fill_factors(self, gain, frame as f64, &mut factors);
            for channel in out.iter_mut() {
                let part = channel.get_mut(first..).unwrap_or_default();
                for (sample, factor) in part.iter_mut().zip(&factors[..length]) {
                    *sample *= factor;
                }
            }
        }
    }
}

/// How many factors of an envelope are computed at once.
const GROUP: usize = 64;

dispatch! {
    /// The factors from frame `first` of the clip on; bit-equal on every instruction set.
    fn fill_factors(envelope: &ClipEnvelope, gain: f64, first: f64, factors: &mut [f32; GROUP])
        = fill_factors_kernel
}

#[inline(always)]
fn fill_factors_kernel<L: Lanes>(
    _: L,
    envelope: &ClipEnvelope,
    gain: f64,
    first: f64,
    factors: &mut [f32; GROUP],
) {
    let mut gains = [gain; GROUP];
    fade_over(&mut gains, envelope.fade_in, first, 1.0);
    fade_over(&mut gains, envelope.fade_out, envelope.last() - first, -1.0);
    for (factor, gain) in factors.iter_mut().zip(gains) {
        *factor = gain as f32;
    }
}

/// Multiplies by the gain of `fade` at `first`, `first + step`, … frames from its silent end.
#[inline(always)]
fn fade_over(gains: &mut [f64; GROUP], fade: Fade, first: f64, step: f64) {
    let nearest = first.min(first + step * (GROUP - 1) as f64);
    if nearest >= 0.0 && nearest >= fade.length.0 as f64 {
        return;
    }
    // A loop for each curve, so that each becomes vectors.
    match fade.curve {
        FadeCurve::Linear => {
            let fade = Fade { curve: FadeCurve::Linear, ..fade };
            for (n, gain) in (0u8..).zip(gains) {
                *gain *= fade_gain(fade, first + step * f64::from(n));
            }
        }
        FadeCurve::EqualPower => {
            let fade = Fade { curve: FadeCurve::EqualPower, ..fade };
            for (n, gain) in (0u8..).zip(gains) {
                *gain *= fade_gain(fade, first + step * f64::from(n));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Portable;
    use proptest::prelude::*;

    impl ClipEnvelope {
        /// Unity without fades and without an end.
        fn open_ended() -> Self {
            let (fade_in, fade_out) = (Fade::default(), Fade::default());
            let (gain, polarity) = (Decibels::UNITY, Polarity::Normal);
            Self { gain, polarity, fade_in, fade_out, length: Frames(i64::MAX) }
        }
    }

    fn fade(length: i64, curve: FadeCurve) -> Fade {
        Fade { length: Frames(length), curve }
    }

    /// Applies in blocks of the given sizes, again and again.
    fn in_blocks(samples: &mut [f32], sizes: &[usize], apply: impl Fn(Frames, &mut [f32])) {
        let mut at = 0;
        for size in sizes.iter().cycle() {
            let end = (at + size).min(samples.len());
            apply(Frames::from_index(at), &mut samples[at..end]);
            at = end;
            if at == samples.len() {
                return;
            }
        }
    }

    proptest! {
        #[test]
        fn the_envelope_is_bit_equal_for_any_block_split(
            fade_in in 0i64..700, fade_out in 0i64..700, gain in -30f64..12.0,
            sizes in prop::collection::vec(1usize..200, 1..6),
        ) {
            let envelope = ClipEnvelope {
                gain: Decibels(gain),
                polarity: Polarity::Normal,
                fade_in: fade(fade_in, FadeCurve::EqualPower),
                fade_out: fade(fade_out, FadeCurve::Linear),
                length: Frames(1000),
            };
            let input: Vec<f32> = (0..1010u16).map(|n| f32::from(n % 37) / 37.0 - 0.4).collect();
            let (mut whole, mut split) = (input.clone(), input.clone());
            envelope.apply(Frames::ZERO, &mut [&mut whole]);
            in_blocks(&mut split, &sizes, |at, block| envelope.apply(at, &mut [block]));
            prop_assert_eq!(&whole, &split);
            for (n, (out, sample)) in whole.iter().zip(&input).enumerate() {
                prop_assert_eq!(*out, sample * envelope.value(Frames::from_index(n)));
            }
        }

        #[test]
        fn a_ramp_is_bit_equal_for_any_block_split(
            start in -100i64..900, length in 0i64..700,
            sizes in prop::collection::vec(1usize..200, 1..6),
        ) {
            let ramp = GainRamp { from: 0.2, to: 1.7, start: Frames(start), length: Frames(length) };
            let (mut whole, mut split) = (vec![0.7f32; 1000], vec![0.7f32; 1000]);
            ramp.apply(Frames::ZERO, &mut whole);
            in_blocks(&mut split, &sizes, |at, block| ramp.apply(at, block));
            prop_assert_eq!(&whole, &split);
            for (n, out) in whole.iter().enumerate() {
                prop_assert_eq!(*out, 0.7 * ramp.value(Frames::from_index(n)));
            }
            let (mut block, mut sum) = (vec![0.7f32; 1000], vec![0.3f32; 1000]);
            ramp.apply_into(Frames::ZERO, &mut block, &mut sum);
            prop_assert_eq!(&block, &whole);
            mix_into(&mut whole, &[0.3; 1000], 1.0);
            prop_assert_eq!(&sum, &whole);
        }
    }

    #[test]
    fn the_factors_of_an_envelope_have_the_same_bits_on_every_path() {
        let envelope = ClipEnvelope {
            gain: Decibels(-3.3),
            polarity: Polarity::Normal,
            fade_in: fade(90, FadeCurve::EqualPower),
            fade_out: fade(77, FadeCurve::Linear),
            length: Frames(130),
        };
        for first in -5..150 {
            let (mut wide, mut plain) = ([0f32; GROUP], [0f32; GROUP]);
            let gain = envelope.gain.amplitude();
            fill_factors(&envelope, gain, f64::from(first), &mut wide);
            fill_factors_kernel(Portable, &envelope, gain, f64::from(first), &mut plain);
            assert_eq!(wide.map(f32::to_bits), plain.map(f32::to_bits), "from {first} on");
        }
    }

    #[test]
    fn outside_its_length_a_clip_is_silent() {
        let mut block = [1f32; 8];
        let envelope = ClipEnvelope { length: Frames(4), ..ClipEnvelope::open_ended() };
        envelope.apply(Frames(-2), &mut [&mut block]);
        assert_eq!(block, [0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0]);
    }

    #[test]
    fn a_crossfade_keeps_amplitude_or_power() {
        for (curve, power) in [(FadeCurve::Linear, 1), (FadeCurve::EqualPower, 2)] {
            let faded = |fade_in, fade_out| {
                let mut block = [1f32; 100];
                let length = Frames(100);
                ClipEnvelope { fade_in, fade_out, length, ..ClipEnvelope::open_ended() }
                    .apply(Frames::ZERO, &mut [&mut block]);
                block
            };
            let fade_in = faded(fade(100, curve), Fade::default());
            let fade_out = faded(Fade::default(), fade(100, curve));
            for (a, b) in fade_in.iter().zip(&fade_out) {
                assert!((a.powi(power) + b.powi(power) - 1.0).abs() < 1e-6);
            }
        }
    }
}
