//! Scaling and summing blocks of samples: the loops that every strip of a mix goes through.
//!
//! Nothing here fuses a product with a sum, so all instruction sets give the same bits, and so do
//! one pass that scales and adds and two passes that do it one after the other.

use crate::simd::{Lanes, dispatch};

/// Multiplies every sample by `gain`; unity leaves the block untouched.
#[inline]
pub fn apply_gain(block: &mut [f32], gain: f32) {
    if !is_unity(gain) {
        scale(block, gain);
    }
}

/// Adds `gain` times `input` to `output`, over the shorter of the two.
#[inline]
pub fn mix_into(output: &mut [f32], input: &[f32], gain: f32) {
    if is_unity(gain) {
        add(output, input);
    } else {
        add_scaled(output, input, gain);
    }
}

/// Multiplies every sample of `block` by `gain` and adds the result to `sum`, over the shorter of
/// the two: [`apply_gain`], then [`mix_into`] with unity, in one pass.
#[inline]
pub fn apply_gain_into(block: &mut [f32], gain: f32, sum: &mut [f32]) {
    if is_unity(gain) {
        add(sum, block);
    } else {
        scale_and_add(block, gain, sum);
    }
}

fn is_unity(gain: f32) -> bool {
    gain.to_bits() == 1f32.to_bits()
}

dispatch! {
    fn scale(block: &mut [f32], gain: f32) = scale_kernel
}

#[inline(always)]
fn scale_kernel<L: Lanes>(_: L, block: &mut [f32], gain: f32) {
    for sample in block {
        *sample *= gain;
    }
}

dispatch! {
    fn add(sum: &mut [f32], input: &[f32]) = add_kernel
}

#[inline(always)]
fn add_kernel<L: Lanes>(_: L, sum: &mut [f32], input: &[f32]) {
    for (sum, sample) in sum.iter_mut().zip(input) {
        *sum += *sample;
    }
}

dispatch! {
    fn add_scaled(sum: &mut [f32], input: &[f32], gain: f32) = add_scaled_kernel
}

#[inline(always)]
fn add_scaled_kernel<L: Lanes>(_: L, sum: &mut [f32], input: &[f32], gain: f32) {
    for (sum, sample) in sum.iter_mut().zip(input) {
        *sum += *sample * gain;
    }
}

dispatch! {
    fn scale_and_add(block: &mut [f32], gain: f32, sum: &mut [f32]) = scale_and_add_kernel
}

#[inline(always)]
fn scale_and_add_kernel<L: Lanes>(_: L, block: &mut [f32], gain: f32, sum: &mut [f32]) {
    for (sample, sum) in block.iter_mut().zip(sum) {
        *sample *= gain;
        *sum += *sample;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Portable;
    use proptest::prelude::*;

    fn bits(samples: &[f32]) -> Vec<u32> {
        samples.iter().map(|sample| sample.to_bits()).collect()
    }

    proptest! {
        #[test]
        fn every_path_gives_the_same_bits(
            block in prop::collection::vec(-2f32..2.0, 0..100),
            sum in prop::collection::vec(-2f32..2.0, 0..100),
            gain in -2f32..2.0,
        ) {
            let (mut wide, mut plain) = (block.clone(), block.clone());
            let (mut wide_sum, mut plain_sum) = (sum.clone(), sum.clone());
            scale_and_add(&mut wide, gain, &mut wide_sum);
            scale_and_add_kernel(Portable, &mut plain, gain, &mut plain_sum);
            prop_assert_eq!(bits(&wide), bits(&plain));
            prop_assert_eq!(bits(&wide_sum), bits(&plain_sum));
            add_scaled(&mut wide_sum, &block, gain);
            add_scaled_kernel(Portable, &mut plain_sum, &block, gain);
            prop_assert_eq!(bits(&wide_sum), bits(&plain_sum));
            add(&mut wide_sum, &block);
            add_kernel(Portable, &mut plain_sum, &block);
            prop_assert_eq!(bits(&wide_sum), bits(&plain_sum));
            scale(&mut wide, gain);
            scale_kernel(Portable, &mut plain, gain);
            prop_assert_eq!(bits(&wide), bits(&plain));
        }

        #[test]
        fn one_pass_equals_two(
            block in prop::collection::vec(-2f32..2.0, 50),
            sum in prop::collection::vec(-2f32..2.0, 50),
            gain in prop_oneof![Just(1f32), -2f32..2.0],
        ) {
            let (mut once, mut twice) = (block.clone(), block);
            let (mut once_sum, mut twice_sum) = (sum.clone(), sum);
            apply_gain_into(&mut once, gain, &mut once_sum);
            apply_gain(&mut twice, gain);
            mix_into(&mut twice_sum, &twice, 1.0);
            prop_assert_eq!(bits(&once), bits(&twice));
            prop_assert_eq!(bits(&once_sum), bits(&twice_sum));
        }
    }

    #[test]
    fn the_shorter_side_decides_how_much_is_summed() {
        let mut sum = [1f32; 3];
        mix_into(&mut sum, &[1.0, 2.0], 0.5);
        assert_eq!(sum, [1.5, 2.0, 1.0]);
        mix_into(&mut sum, &[1.0; 5], 1.0);
        assert_eq!(sum, [2.5, 3.0, 2.0]);
    }
}
