//! What strips are measured for: peak, mean square, loudness and true peak.
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

use crate::insert_tap::InsertTap;
use crate::schedule::StripKey;
use crate::slots::Slot;
use crate::stereo::{Sound, Stereo};
use deskhand_dsp::loudness::{StripFilter, StripLoudness};
use deskhand_dsp::subnormal::square;

/// What a strip's meter shows, after fader and pan; left and right.
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
    /// Loudness of the last 400 ms in LUFS (BS.1770-5); minus infinity for silence.
    pub momentary: f32,
    /// Loudness of the last 3 s in LUFS; minus infinity for silence.
    pub short_term: f32,
    /// True peak since the reading before, as an amplitude; at least `peak`.
    pub true_peak: [f32; 2],
    /// Of the master: integrated loudness in LUFS since
    /// [`Controller::reset_meters`](crate::Controller::reset_meters). Minus infinity for silence, and for
    /// every other strip.
    pub integrated: f32,
}

/// Collects until it is taken; the windows of loudness go on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Meter {
    /// Which use of its place it belongs to.
    serial: u64,
    peak: [f32; 2],
    square: [f64; 2],
    frames: u32,
    pub(crate) loudness: StripLoudness,
}

/// A reading on its way, by strip slot; loudness as K-weighted energy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measured {
    pub(crate) slot: usize,
    pub(crate) peak: [f32; 2],
    pub(crate) mean_square: [f32; 2],
    pub(crate) frames: u32,
    pub(crate) momentary: f32,
    pub(crate) short_term: f32,
    pub(crate) true_peak: [f32; 2],
}

/// Where a mix is measured.
pub(crate) enum Meters<'a> {
    /// Nobody looks: a bounce, or a program that is not heard.
    Nowhere,
    /// In the meter of each strip's slot; a watched processor in the tap.
    In { filter: &'a StripFilter, places: &'a mut [Meter], tap: Option<&'a mut InsertTap> },
}

impl Meters<'_> {
    /// Takes in a block of the strip in `slot`.
    pub(crate) fn measure(&mut self, slot: Slot, buffer: &Stereo, frames: usize) {
        if let Self::In { filter, places, .. } = self
            && let Some(meter) = places.get_mut(slot.index)
        {
            meter.measure(filter, slot.serial, buffer, frames);
        }
    }

    /// Where a watched processor is heard.
    pub(crate) fn tap(&mut self) -> Option<&mut InsertTap> {
        match self {
            Self::Nowhere => None,
            Self::In { tap, .. } => tap.as_deref_mut(),
        }
    }
}

impl Meter {
    /// Takes in a block.
    fn measure(&mut self, filter: &StripFilter, serial: u64, buffer: &Stereo, frames: usize) {
        if self.serial != serial {
            *self = Self { serial, ..Self::default() };
        }
        if buffer.sound() == Sound::Silent {
            return self.rest(filter, frames);
        }
        self.pass(frames);
        let sides = buffer.read(frames);
        let found = sides.map(peak_and_square);
        let is_audio = found.iter().all(|(_, square)| square.is_finite());
        for ((peak, square), (largest, sum)) in
            self.peak.iter_mut().zip(&mut self.square).zip(found)
        {
            *peak = peak.max(largest);
            *square += f64::from(if sum.is_finite() { sum } else { 0.0 });
        }
        // A filter never forgets a NaN.
        match is_audio {
            true => self.loudness.process(filter, sides, found.map(|(largest, _)| largest)),
            false => self.loudness.rest(filter, frames),
        }
    }

    /// Takes in silence.
    pub(crate) fn rest(&mut self, filter: &StripFilter, frames: usize) {
        self.pass(frames);
        self.loudness.rest(filter, frames);
    }

    fn pass(&mut self, frames: usize) {
        self.frames = self.frames.saturating_add(u32::try_from(frames).unwrap_or(u32::MAX));
    }

    /// The reading of the strip in `slot`; `None` if there was no sound since the last.
    #[expect(clippy::cast_possible_truncation, reason = "a meter needs no double precision")]
    pub(crate) fn reading(&self, slot: usize) -> Option<Measured> {
        if self.frames == 0 {
            return None;
        }
        let mean_square = self.square.map(|sum| (sum / f64::from(self.frames)) as f32);
        let loudness = &self.loudness;
        Some(Measured {
            slot,
            peak: self.peak,
            mean_square,
            frames: self.frames,
            momentary: loudness.momentary(),
            short_term: loudness.short_term(),
            true_peak: loudness.true_peaks(),
        })
    }

    /// Resets the collected values after a reading was taken.
    pub(crate) fn begin(&mut self) {
        (self.peak, self.square, self.frames) = ([0.0; 2], [0.0; 2], 0);
        self.loudness.forget_true_peaks();
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
            *sum += square(*sample);
        }
    }
    for sample in rest {
        peaks = peaks.map(|peak| peak.max(sample.abs()));
    }
    let tail: f32 = rest.iter().copied().map(square).sum();
    (peaks.into_iter().fold(0.0, f32::max), sums.iter().sum::<f32>() + tail)
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_dsp::SampleRate;

    const SLOT: Slot = Slot { index: 0, serial: 1 };

    fn measure(meter: &mut [Meter], buffer: &Stereo, frames: usize) {
        let filter = StripFilter::new(SampleRate(48_000)).unwrap();
        Meters::In { filter: &filter, places: meter, tap: None }.measure(SLOT, buffer, frames);
    }

    #[test]
    fn a_meter_shows_peak_and_mean_square_since_the_last_reading() {
        let mut buffer = Stereo::new(100);
        let [left, right] = buffer.write(0, 100);
        left.fill(0.5);
        right[99] = -1.0;
        let mut meter = [Meter::default()];
        assert!(meter[0].reading(0).is_none());
        measure(&mut meter, &buffer, 100);
        measure(&mut meter, &Stereo::new(100), 100);
        let reading = meter[0].reading(3).unwrap();
        assert_eq!((reading.slot, reading.frames), (3, 200));
        assert_eq!(reading.peak, [0.5, 1.0]);
        assert!((reading.mean_square[0] - 0.125).abs() < 1e-6);
        assert!((reading.mean_square[1] - 0.005).abs() < 1e-6);
        assert!(reading.true_peak[0] > 0.5 && reading.true_peak[1] >= 1.0);
        meter[0].begin();
        measure(&mut meter, &Stereo::new(100), 100);
        assert_eq!(meter[0].reading(3).map(|reading| reading.true_peak), Some([0.0; 2]));
    }

    #[test]
    fn a_sample_that_is_no_number_does_not_spoil_the_meter() {
        let mut buffer = Stereo::new(960);
        let [left, right] = buffer.write(0, 960);
        left.fill(0.5);
        left[1] = f32::NAN;
        right.fill(0.5);
        let mut meter = [Meter::default()];
        measure(&mut meter, &buffer, 960);
        let reading = meter[0].reading(0).unwrap();
        assert_eq!(reading.peak[0], 0.5);
        assert!(reading.mean_square[0].is_finite() && reading.momentary.is_finite());
        buffer.write(0, 960)[0].fill(0.5);
        measure(&mut meter, &buffer, 960);
        assert!(meter[0].reading(0).unwrap().momentary > 1e-6);
    }

    #[test]
    fn a_place_that_changed_hands_begins_anew() {
        let mut buffer = Stereo::new(960);
        buffer.write(0, 960)[0].fill(0.5);
        let mut meter = [Meter::default()];
        measure(&mut meter, &buffer, 960);
        let filter = StripFilter::new(SampleRate(48_000)).unwrap();
        let next = Slot { index: 0, serial: 2 };
        let places = &mut meter;
        Meters::In { filter: &filter, places, tap: None }.measure(next, &Stereo::new(960), 960);
        let reading = meter[0].reading(0).unwrap();
        assert_eq!((reading.peak, reading.momentary), ([0.0; 2], 0.0));
    }
}
