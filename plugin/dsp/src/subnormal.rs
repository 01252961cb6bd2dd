//! Sound that decays ends at zero, before its numbers become subnormal: those take a processor a hundred
//! times longer than others.
//!
//! No code of ours sets the processor to flush them, and nice-plug does so only with its feature
//! `unsafe_flush_denormals`, which is off. To change the mode is undefined behavior in Rust
//! (`core::arch::x86_64::_mm_setcsr`): the compiler computes and moves floating-point operations as if the
//! default mode always held. A host may call us with the mode changed. An operation then has another result
//! only if it meets or makes a subnormal number, and the functions here keep those out.

use crate::simd::{Lanes, dispatch};

/// -360 dB of full scale: what leaves a processor below this is silence. After any number of faders the rest
/// is still far from subnormal.
pub(crate) const TINY: f32 = 1e-18;

/// -600 dB: a filter whose whole memory is below this is at rest, and a sample below this is silence.
const FORGOTTEN: f64 = 1e-30;

/// -300 dB: a smaller sample squared could be subnormal after a few more operations.
const SQUARED: f32 = 1e-15;

/// Magnitude and sign of an `f32`.
const MAGNITUDE: u32 = 0x7fff_ffff;

dispatch! {
    /// Makes samples below -600 dB of full scale zero: subnormal ones, and those that a fader could make so.
    /// All others keep their bits.
    pub fn flush(samples: &mut [f32]) = flush_kernel
}

/// By bits: an instruction for floats would be slow where it meets what is looked for.
#[inline(always)]
fn flush_kernel<L: Lanes>(_: L, samples: &mut [f32]) {
    const LEAST: u32 = (FORGOTTEN as f32).to_bits();
    for sample in samples {
        let bits = sample.to_bits();
        *sample = f32::from_bits(if bits & MAGNITUDE < LEAST { bits & !MAGNITUDE } else { bits });
    }
}

/// The square of a sample, 0 for one below -300 dB of full scale.
#[must_use]
#[inline(always)]
pub fn square(sample: f32) -> f32 {
    if sample.abs() < SQUARED { 0.0 } else { sample * sample }
}

/// The value of a one-pole filter, which ends at 0 after it has decayed to `1e-18`.
#[inline(always)]
pub(crate) fn decayed(value: f32) -> f32 {
    if value.abs() < TINY { 0.0 } else { value }
}

/// A sample in single precision, 0 below -360 dB of full scale.
#[inline(always)]
pub(crate) fn to_sample(value: f64) -> f32 {
    if value.abs() < f64::from(TINY) { 0.0 } else { value as f32 }
}

/// The memory of a filter, or zeros if all of it is below -600 dB. One number alone must stay: zero in its
/// place would be a step, and the filter would ring again.
#[inline(always)]
pub(crate) fn settled<const N: usize>(memory: [f64; N]) -> [f64; N] {
    if memory.iter().all(|it| it.abs() < FORGOTTEN) { [0.0; N] } else { memory }
}

/// Whether a processor can take the sample: neither subnormal nor tiny, and less than `most`. NaN is not.
#[inline(always)]
pub(crate) fn is_sound(sample: f32, most: f32) -> bool {
    let bits = sample.to_bits() & MAGNITUDE;
    bits == 0 || (TINY.to_bits()..most.to_bits()).contains(&bits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Portable;

    #[test]
    fn only_samples_below_600_db_become_zero_and_keep_their_sign() {
        let least = FORGOTTEN as f32;
        let input =
            [1.0, -0.0, least, -least, 9e-31, -1e-40, f32::NAN, f32::INFINITY, f32::from_bits(1)];
        let expected = [1.0, -0.0, least, -least, 0.0, -0.0, f32::NAN, f32::INFINITY, 0.0];
        let (mut wide, mut plain) = (input, input);
        flush(&mut wide);
        flush_kernel(Portable, &mut plain);
        assert_eq!(wide.map(f32::to_bits), expected.map(f32::to_bits));
        assert_eq!(plain.map(f32::to_bits), expected.map(f32::to_bits));
    }

    #[test]
    fn a_memory_is_forgotten_as_a_whole() {
        assert_eq!(settled([1e-31, -1e-310]), [0.0, 0.0]);
        assert_eq!(settled([1e-31, 1e-29]), [1e-31, 1e-29]);
        assert!(settled([f64::NAN]).iter().all(|it| it.is_nan()), "a NaN is not hidden");
    }
}
