//! Quantizing to 16 and 24 bit with TPDF dither.
//!
//! Triangular dither of two quantizing steps in width, the sum of two uniform values: the error has
//! no mean and no variance that depends on the signal (Lipshitz, Wannamaker and Vanderkooy 1992).
//! The generator is seeded, so the same render gives the same file.

/// Makes dither and quantizes one channel; make one per channel, each with its own seed.
///
/// Each sample takes one step of the generator, so the result is the same for any block split.
#[derive(Clone, Debug)]
pub struct Dither {
    state: u64,
}

impl Dither {
    /// A generator; the same seed gives the same noise.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// Triangular noise in -1.0..1.0 (steps of the target).
    #[inline]
    fn next(&mut self) -> f64 {
        // SplitMix64 (Steele, Lea and Flood 2014): every seed is good, and the halves are independent.
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        let (high, low) = ((z >> 32) as i64, i64::from(z as u32));
        (high - low) as f64 * (1.0 / 4_294_967_296.0)
    }

    /// Scales by `full`, adds dither, rounds and clips; a NaN becomes 0.
    #[inline]
    fn quantize(&mut self, sample: f32, full: f64, clipped: &mut u64) -> i32 {
        // Adding 1.5 * 2^52 leaves the nearest integer in the low bits: several times faster than
        // `round`, which is a library call where SSE4.1 cannot be taken for granted.
        const ROUND: f64 = 6_755_399_441_055_744.0;
        let scaled = f64::from(sample) * full;
        // Clipping is judged without the noise: a peak at full scale is not the mixer's mistake.
        *clipped += u64::from(scaled.abs() > full);
        let noisy = scaled + self.next();
        let level = if noisy.is_nan() { 0.0 } else { noisy.clamp(-full, full - 1.0) };
        (level + ROUND).to_bits() as i32
    }

    /// Quantizes to 16 bit, full scale 1.0 = 32768, over the shorter of the two slices.
    ///
    /// Returns how many samples were beyond full scale.
    pub fn to_i16(&mut self, input: &[f32], output: &mut [i16]) -> u64 {
        let mut clipped = 0;
        for (sample, out) in input.iter().zip(output) {
            *out = self.quantize(*sample, 32_768.0, &mut clipped) as i16;
        }
        clipped
    }

    /// Quantizes to 24 bit in the low bits of `i32`, full scale 1.0 = 8388608, over the shorter of
    /// the two slices.
    ///
    /// Returns how many samples were beyond full scale.
    pub fn to_i24(&mut self, input: &[f32], output: &mut [i32]) -> u64 {
        let mut clipped = 0;
        for (sample, out) in input.iter().zip(output) {
            *out = self.quantize(*sample, 8_388_608.0, &mut clipped);
        }
        clipped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_of_dithered_samples_is_the_sample() {
        // A quarter of a step: without dither it would be lost.
        let input = vec![10.25f32 / 32_768.0; 200_000];
        let mut output = vec![0i16; input.len()];
        assert_eq!(Dither::new(1).to_i16(&input, &mut output), 0);
        let mean = output.iter().map(|x| f64::from(*x)).sum::<f64>() / 200_000.0;
        assert!((mean - 10.25).abs() < 0.01, "{mean}");
        let variance = output.iter().map(|x| (f64::from(*x) - mean).powi(2)).sum::<f64>() / 2e5;
        // TPDF: a quarter of a step squared for any signal.
        assert!((variance - 0.25).abs() < 0.01, "{variance}");
    }

    #[test]
    fn it_clips_and_counts_and_survives_bad_samples() {
        let input = [1.5, -1.5, f32::NAN, f32::INFINITY, 1.0];
        let mut output = [0i16; 5];
        assert_eq!(Dither::new(7).to_i16(&input, &mut output), 3);
        assert_eq!([output[0], output[1], output[2], output[3]], [32_767, -32_768, 0, 32_767]);
        let mut wide = [0i32; 5];
        assert_eq!(Dither::new(7).to_i24(&input, &mut wide), 3);
        assert_eq!([wide[0], wide[1]], [8_388_607, -8_388_608]);
    }

    #[test]
    fn blocks_change_nothing_and_seeds_do() {
        let input = [0.1f32; 100];
        let (mut whole, mut split, mut other) = ([0i32; 100], [0i32; 100], [0i32; 100]);
        Dither::new(3).to_i24(&input, &mut whole);
        Dither::new(4).to_i24(&input, &mut other);
        let mut dither = Dither::new(3);
        for (input, output) in input.chunks(7).zip(split.chunks_mut(7)) {
            dither.to_i24(input, output);
        }
        assert_eq!(whole, split);
        assert_ne!(whole, other);
    }
}
