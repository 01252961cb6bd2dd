//! Pan law and down-mix to stereo.
//!
//! Channel orders are those of WAV and FLAC: mono; L R; L R C; L R Ls Rs; L R C Ls Rs;
//! L R C LFE Ls Rs; L R C LFE Cs Ls Rs; L R C LFE and two pairs of surrounds.

use crate::sum::mix_into;
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_4, SQRT_2};

/// Amplitude factors of the left and right side of a strip at `pan`, -1.0 (left) to 1.0 (right).
///
/// Equal power, unity at the center: `√2 cos θ`, `√2 sin θ` with `θ = (pan + 1) π / 4`. A side that
/// is panned to gains 3 dB. Outside the range the nearest end holds; NaN is the center.
#[must_use]
pub fn pan_gains(pan: f64) -> (f32, f32) {
    let pan = if pan.is_nan() { 0.0 } else { pan.clamp(-1.0, 1.0) };
    if pan.abs() < f64::EPSILON {
        // √2 cos(π/4) is not exactly 1 in floating point, and a centered strip must change no bit.
        return (1.0, 1.0);
    }
    let angle = (pan + 1.0) * FRAC_PI_4;
    // cos(π/2) is not exactly 0 either.
    let left = (SQRT_2 * angle.cos()).max(0.0);
    let left = if pan >= 1.0 { 0.0 } else { left };
    (left as f32, (SQRT_2 * angle.sin()) as f32)
}

/// The share of one channel of a file in each side of a stereo mix, as amplitude factors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StereoShare {
    /// Into the left side.
    pub left: f32,
    /// Into the right side.
    pub right: f32,
}

const HALF: f32 = FRAC_1_SQRT_2 as f32;
const LEFT: StereoShare = StereoShare { left: 1.0, right: 0.0 };
const RIGHT: StereoShare = StereoShare { left: 0.0, right: 1.0 };
const CENTER: StereoShare = StereoShare { left: HALF, right: HALF };
const BEHIND: StereoShare = StereoShare { left: 0.5, right: 0.5 };
const SURROUND_LEFT: StereoShare = StereoShare { left: HALF, right: 0.0 };
const SURROUND_RIGHT: StereoShare = StereoShare { left: 0.0, right: HALF };
const NOTHING: StereoShare = StereoShare { left: 0.0, right: 0.0 };

/// The down-mix to stereo for a file of `channels` channels, one share per channel.
///
/// ITU-R BS.775: center and surrounds at -3 dB, LFE left out, not normalized. A mono file goes to
/// both sides at -3 dB, so a centered mono clip has the loudness of its file. More than 8 channels
/// have no agreed layout: odd ones (first, third, …) go left, even ones right.
#[must_use]
pub fn downmix(channels: usize) -> Vec<StereoShare> {
    (0..channels).map(|channel| share(channel, channels)).collect()
}

/// The share of one channel; see [`downmix`]. Does not allocate.
#[must_use]
pub fn share(channel: usize, channels: usize) -> StereoShare {
    let known: &[StereoShare] = match channels {
        0 | 1 => &[CENTER],
        2 | 3 => &[LEFT, RIGHT, CENTER],
        4 => &[LEFT, RIGHT, SURROUND_LEFT, SURROUND_RIGHT],
        5 => &[LEFT, RIGHT, CENTER, SURROUND_LEFT, SURROUND_RIGHT],
        7 => &[LEFT, RIGHT, CENTER, NOTHING, BEHIND, SURROUND_LEFT, SURROUND_RIGHT],
        6 | 8 => &[
            LEFT,
            RIGHT,
            CENTER,
            NOTHING,
            SURROUND_LEFT,
            SURROUND_RIGHT,
            SURROUND_LEFT,
            SURROUND_RIGHT,
        ],
        _ => &[],
    };
    let beyond = if channel.is_multiple_of(2) { LEFT } else { RIGHT };
    known.get(channel).copied().unwrap_or(beyond)
}

/// Mixes `input` (planar) down into `left` and `right`, which are overwritten over the length of
/// the shortest slice; nothing is allocated.
pub fn mix_to_stereo(input: &[&[f32]], left: &mut [f32], right: &mut [f32]) {
    left.fill(0.0);
    right.fill(0.0);
    for (index, channel) in input.iter().enumerate() {
        let share = share(index, input.len());
        for (side, gain) in [(&mut *left, share.left), (&mut *right, share.right)] {
            if gain > 0.0 {
                mix_into(side, channel, gain);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn center_is_unity_and_power_is_constant() {
        assert_eq!(pan_gains(0.0), (1.0, 1.0));
        assert_eq!(pan_gains(f64::NAN), (1.0, 1.0));
        assert_eq!(pan_gains(7.0).0, 0.0);
        for step in -10..=10 {
            let (left, right) = pan_gains(f64::from(step) / 10.0);
            assert!((left * left + right * right - 2.0).abs() < 1e-6);
        }
    }

    #[test]
    fn a_mono_file_keeps_its_power_and_stereo_its_bits() {
        let (mut left, mut right) = ([0f32; 1], [0f32; 1]);
        mix_to_stereo(&[&[0.8]], &mut left, &mut right);
        assert!((left[0] * left[0] + right[0] * right[0] - 0.64).abs() < 1e-6);
        mix_to_stereo(&[&[0.3], &[-0.7]], &mut left, &mut right);
        assert_eq!((left, right), ([0.3], [-0.7]));
    }

    #[test]
    fn every_layout_names_each_channel_once_and_drops_the_lfe() {
        for channels in 1..=32 {
            assert_eq!(downmix(channels).len(), channels);
        }
        for channels in 6..=8 {
            assert_eq!(downmix(channels)[3], NOTHING);
        }
        assert_eq!(downmix(3)[2], CENTER);
        assert_eq!(downmix(8)[7], SURROUND_RIGHT);
    }
}
