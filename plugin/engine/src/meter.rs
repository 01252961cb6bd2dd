//! Peak and mean square of a strip since it was last asked.
//!
//! Thread: audio (readings travel to the message side by value)

#![cfg_attr(
    not(test),
    deny(
        clippy::disallowed_types,
        clippy::disallowed_methods,
        clippy::disallowed_macros,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unreachable
    )
)]

use crate::schedule::StripKey;
use crate::stereo::{Sound, Stereo};

/// What a strip's meter shows, behind fader and pan; left and right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeterReading {
    /// Which strip; [`StripKey::MASTER`] for the master.
    pub strip: StripKey,
    /// Largest absolute sample since the reading before, as an amplitude.
    pub peak: [f32; 2],
    /// Mean of the squared samples since the reading before.
    pub mean_square: [f32; 2],
    /// How many frames that were.
    pub frames: u32,
}

/// Collects until it is taken.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Meter {
    peak: [f32; 2],
    square: [f64; 2],
    frames: u32,
}

/// A reading on its way, by strip slot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measured {
    pub(crate) slot: usize,
    pub(crate) peak: [f32; 2],
    pub(crate) mean_square: [f32; 2],
    pub(crate) frames: u32,
}

impl Meter {
    /// Takes in a block.
    pub(crate) fn measure(&mut self, buffer: &Stereo, frames: usize) {
        self.rest(frames);
        if buffer.sound() == Sound::Silent {
            return;
        }
        let sides = self.peak.iter_mut().zip(&mut self.square);
        for ((peak, square), side) in sides.zip(buffer.read(frames)) {
            let (largest, sum) = peak_and_square(side);
            *peak = peak.max(largest);
            *square += f64::from(if sum.is_finite() { sum } else { 0.0 });
        }
    }

    /// Takes in silence.
    pub(crate) fn rest(&mut self, frames: usize) {
        self.frames = self.frames.saturating_add(u32::try_from(frames).unwrap_or(u32::MAX));
    }

    /// The reading of the strip in `slot`; `None` when there was nothing since the last.
    #[expect(clippy::cast_possible_truncation, reason = "a meter needs no double precision")]
    pub(crate) fn reading(&self, slot: usize) -> Option<Measured> {
        if self.frames == 0 {
            return None;
        }
        let mean_square = self.square.map(|sum| (sum / f64::from(self.frames)) as f32);
        Some(Measured { slot, peak: self.peak, mean_square, frames: self.frames })
    }
}

/// Eight sums side by side, which the compiler turns into vector instructions.
fn peak_and_square(side: &[f32]) -> (f32, f32) {
    const LANES: usize = 8;
    let mut peaks = [0f32; LANES];
    let mut sums = [0f32; LANES];
    let (groups, rest) = side.as_chunks::<LANES>();
    for group in groups {
        for ((peak, sum), sample) in peaks.iter_mut().zip(&mut sums).zip(group) {
            *peak = peak.max(sample.abs());
            *sum += sample * sample;
        }
    }
    for sample in rest {
        peaks = peaks.map(|peak| peak.max(sample.abs()));
    }
    let tail: f32 = rest.iter().map(|sample| sample * sample).sum();
    (peaks.into_iter().fold(0.0, f32::max), sums.iter().sum::<f32>() + tail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_meter_shows_peak_and_mean_square_since_the_last_reading() {
        let mut buffer = Stereo::new(100);
        let [left, right] = buffer.write(0, 100);
        left.fill(0.5);
        right[99] = -1.0;
        let mut meter = Meter::default();
        assert!(meter.reading(0).is_none());
        meter.measure(&buffer, 100);
        meter.rest(100);
        let reading = meter.reading(3).unwrap();
        assert_eq!((reading.slot, reading.frames), (3, 200));
        assert_eq!(reading.peak, [0.5, 1.0]);
        assert!((reading.mean_square[0] - 0.125).abs() < 1e-6);
        assert!((reading.mean_square[1] - 0.005).abs() < 1e-6);
    }

    #[test]
    fn a_sample_that_is_no_number_does_not_spoil_the_meter() {
        let mut buffer = Stereo::new(4);
        buffer.write(0, 4)[0].copy_from_slice(&[0.5, f32::NAN, 0.5, 0.5]);
        let mut meter = Meter::default();
        meter.measure(&buffer, 4);
        let reading = meter.reading(0).unwrap();
        assert_eq!(reading.peak[0], 0.5);
        assert!(reading.mean_square[0].is_finite());
    }
}
