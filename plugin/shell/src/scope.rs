//! The last samples that left an instance, for the spectrum in its window.
//!
//! Thread: audio (writing) and window (making and reading; only atomics)

use deskhand_dsp::{FrameReader, Frames, ReadError, SampleRate};
use deskhand_media::build_spectrogram;
use std::ops::ControlFlow;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

/// Frames kept of each side: more than a window of the spectrum at 192 kHz, so that frames being read are
/// not overwritten.
const KEPT: usize = 1 << 15;
const STEPS: usize = 96;

/// A scope that is made when a window first asks for it: most instances never show theirs.
#[derive(Default)]
pub(crate) struct LateScope(OnceLock<Scope>);

impl LateScope {
    /// The scope, if it was made. Never waits.
    pub(crate) fn get(&self) -> Option<&Scope> {
        self.0.get()
    }

    /// The scope. Not for the audio thread.
    pub(crate) fn make(&self) -> &Scope {
        self.0.get_or_init(Scope::default)
    }
}

/// A ring of the newest samples.
pub(crate) struct Scope {
    sides: [Box<[AtomicU32]>; 2],
    /// Frames written so far.
    written: AtomicUsize,
}

impl Default for Scope {
    fn default() -> Self {
        let side = || (0..KEPT).map(|_| AtomicU32::new(0)).collect();
        Self { sides: [side(), side()], written: AtomicUsize::new(0) }
    }
}

impl Scope {
    /// Takes the output samples of the instance. A mono instance passes its one side twice.
    pub(crate) fn write(&self, sides: [&[f32]; 2]) {
        let from = self.written.load(Ordering::Relaxed);
        for (ring, side) in self.sides.iter().zip(sides) {
            for (index, sample) in side.iter().enumerate() {
                if let Some(place) = ring.get((from + index) % KEPT) {
                    place.store(sample.to_bits(), Ordering::Relaxed);
                }
            }
        }
        let frames = sides.first().map_or(0, |side| side.len());
        self.written.store(from.wrapping_add(frames), Ordering::Release);
    }

    /// The spectrum of the newest samples in equal steps of the logarithm of frequency: dBFS of a sine in both sides; empty for silence.
    pub(crate) fn spectrum(&self, rate: u32) -> Vec<f32> {
        // The window of the spectrum: it is looked at no older samples.
        let length = ((rate as f32 * 0.043) as usize).next_power_of_two().min(KEPT / 2);
        let mut newest = self.newest(SampleRate(rate), length);
        let middle = Frames::from_index(length / 2);
        let go_on = &mut |_| ControlFlow::Continue(());
        let range = middle..middle + Frames(1);
        let made = build_spectrogram(&mut newest, range, 1, STEPS, go_on);
        let Ok(made) = made else { return Vec::new() };
        // Both sides are added: a sine in both is 3 dB above one of full scale.
        let Some(top) = made.top.map(|top| top - 3.01) else { return Vec::new() };
        made.levels.iter().map(|level| top - 80.0 * (1.0 - f32::from(*level) / 255.0)).collect()
    }

    fn newest(&self, rate: SampleRate, length: usize) -> Newest {
        let first = self.written.load(Ordering::Acquire).wrapping_sub(length);
        let read = |index| {
            let sample = |ring: &[AtomicU32]| {
                let place = ring.get(first.wrapping_add(index) % KEPT);
                place.map_or(0.0, |place| f32::from_bits(place.load(Ordering::Relaxed)))
            };
            self.sides.each_ref().map(|ring| sample(ring))
        };
        let finite = |sample: f32| if sample.is_finite() { sample } else { 0.0 };
        Newest { rate, frames: (0..length).map(|index| read(index).map(finite)).collect() }
    }
}

/// The newest content of the ring.
struct Newest {
    rate: SampleRate,
    frames: Vec<[f32; 2]>,
}

impl FrameReader for Newest {
    fn channels(&self) -> usize {
        2
    }

    fn frames(&self) -> Frames {
        Frames::from_index(self.frames.len())
    }

    fn rate(&self) -> SampleRate {
        self.rate
    }

    fn read(&mut self, at: Frames, out: &mut [&mut [f32]]) -> Result<usize, ReadError> {
        let from = self.frames.get(at.index()..).unwrap_or_default();
        let count = out.first().map_or(0, |side| side.len()).min(from.len());
        for (index, side) in out.iter_mut().enumerate() {
            for (place, frame) in side.iter_mut().zip(from) {
                *place = frame.get(index).copied().unwrap_or_default();
            }
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_editor::Instance;

    #[test]
    fn a_sine_is_a_peak_of_its_level_at_its_frequency() {
        for rate in [44_100_u32, 48_000, 192_000] {
            let scope = Scope::default();
            let turn = std::f32::consts::TAU * 1_000.0 / rate as f32;
            // A tenth of a second: more would be a picture that lags.
            let sine: Vec<f32> = (0..rate / 10).map(|n| 0.1 * (turn * n as f32).sin()).collect();
            for piece in sine.chunks(479) {
                scope.write([piece, piece]);
            }
            let spectrum = scope.spectrum(rate);
            let (step, level) =
                spectrum.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).unwrap();
            let (low, high) = Instance::HERTZ;
            let hertz = low * (high / low).powf((step as f32 + 0.5) / STEPS as f32);
            assert!((hertz / 1_000.0 - 1.0).abs() < 0.06, "{rate}: {hertz}");
            assert!((level + 20.0).abs() < 1.5, "{rate}: {level}");
        }
    }

    #[test]
    fn silence_has_no_spectrum_and_what_is_no_number_is_silence() {
        let scope = Scope::default();
        assert!(scope.spectrum(48_000).is_empty());
        scope.write([&[f32::NAN; 64], &[f32::INFINITY; 64]]);
        assert!(scope.spectrum(48_000).is_empty());
    }
}
