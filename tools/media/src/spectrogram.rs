//! Frequency over time, as a picture of levels.

use crate::measure::{MeasureError, Progress};
use deskhand_dsp::spectrum::{Forward, periodic_hann};
use deskhand_dsp::{FrameReader, Frames, ReadError};
use std::ops::Range;

/// The lowest frequency, Hz.
const LOWEST: f32 = 40.0;
/// The highest frequency, Hz, where the audio reaches so far.
const HIGHEST: f32 = 20_000.0;
/// From the loudest level down, dB.
const DEPTH: f32 = 80.0;
/// The most windows that one column looks at; a column of many minutes is a sample of them.
const WINDOWS: usize = 8;

/// Levels over time and frequency. Rows go up in equal steps of the logarithm of frequency.
#[derive(Clone, Debug, PartialEq)]
pub struct Spectrogram {
    /// Number of columns in time.
    pub columns: usize,
    /// Number of rows in frequency.
    pub rows: usize,
    /// Column after column, from the lowest frequency up: 0 is 80 dB below the loudest, 255 the loudest.
    pub levels: Vec<u8>,
    /// Frequency at the lower edge of the first row and at the upper edge of the last, Hz.
    pub hertz: (f32, f32),
    /// The loudest level, dB below a full-scale sine; `None` for silence.
    pub top: Option<f32>,
}

impl Spectrogram {
    /// The place of a frequency, from 0 (lower edge) to 1 (upper edge).
    #[must_use]
    pub fn place(&self, hertz: f32) -> f32 {
        (hertz / self.hertz.0).ln() / (self.hertz.1 / self.hertz.0).ln()
    }
}

/// The spectrogram of `range` (clamped to the audio), all channels together, with windows of about 43 ms (Hann).
/// A column shows the loudest of up to eight windows in its time.
///
/// # Errors
/// When there is nothing to look at, the audio cannot be read, or on a stop.
pub fn build_spectrogram(
    reader: &mut dyn FrameReader,
    range: Range<Frames>,
    columns: usize,
    rows: usize,
    progress: &mut Progress<'_>,
) -> Result<Spectrogram, MeasureError> {
    let start = range.start.max(Frames::ZERO);
    let length = (range.end.min(reader.frames()) - start).0;
    if length <= 0 || columns == 0 || rows == 0 {
        return Err(ReadError("there is no audio in this range; choose another".into()).into());
    }
    let rate = reader.rate().0 as f32;
    let mut spectrum = Spectrum::new(rate, reader.channels());
    let hertz = (LOWEST, HIGHEST.min(rate * 0.5).max(LOWEST * 2.0));
    let bands = spectrum.bands(rate, hertz, rows);
    let mut power = vec![0f32; columns * rows];
    for (index, column) in power.chunks_mut(rows).enumerate() {
        let at = |part: usize| start + Frames(length * part as i64 / columns as i64);
        for center in spectrum.centers(at(index)..at(index + 1)) {
            spectrum.look(reader, center)?;
            for (loudest, band) in column.iter_mut().zip(&bands) {
                *loudest = loudest.max(spectrum.loudest(band));
            }
        }
        if progress((index + 1) as f64 / columns as f64).is_break() {
            return Err(MeasureError::Cancelled);
        }
    }
    let (levels, top) = levels(&power);
    Ok(Spectrogram { columns, rows, levels, hertz, top })
}

/// One window after another.
struct Spectrum {
    transform: Forward<f32>,
    planes: Vec<Vec<f32>>,
    power: Vec<f32>,
}

impl Spectrum {
    fn new(rate: f32, channels: usize) -> Self {
        let length = ((rate * 0.043) as usize).next_power_of_two();
        let transform = Forward::windowed(periodic_hann(length, 1.0));
        let power = vec![0.0; transform.bins()];
        Self { planes: vec![vec![0.0; length]; channels], power, transform }
    }

    /// The centers of windows in a stretch of time: side by side, or evenly spaced if there is no room for
    /// all.
    fn centers(&self, part: Range<Frames>) -> impl Iterator<Item = Frames> + use<> {
        let length = (part.end - part.start).0.max(1);
        let count = (length as usize).div_ceil(self.transform.size() / 2).clamp(1, WINDOWS) as i64;
        (0..count).map(move |n| part.start + Frames(length * (2 * n + 1) / (2 * count)))
    }

    /// The power around `center`, the channels added: a full-scale sine in one channel is 1.
    fn look(&mut self, reader: &mut dyn FrameReader, center: Frames) -> Result<(), MeasureError> {
        let length = self.transform.size();
        let first = center - Frames::from_index(length / 2);
        self.fill(reader, first)?;
        self.power.fill(0.0);
        // A sine of amplitude 1 has half of the window's sum in its bin.
        let scale = 4.0 / (length as f32 * 0.5).powi(2);
        for plane in &self.planes {
            let bins = self.transform.of(plane.iter().copied());
            for (power, bin) in self.power.iter_mut().zip(bins) {
                *power += bin.norm_sqr() * scale;
            }
        }
        Ok(())
    }

    /// Reads a window; outside of the audio is silence.
    fn fill(&mut self, reader: &mut dyn FrameReader, first: Frames) -> Result<(), MeasureError> {
        for plane in &mut self.planes {
            plane.fill(0.0);
        }
        let length = self.transform.size();
        let mut done = (-first.0).clamp(0, length as i64) as usize;
        let end = (reader.frames() - first).0.clamp(0, length as i64) as usize;
        while done < end {
            let mut part: Vec<&mut [f32]> =
                self.planes.iter_mut().filter_map(|plane| plane.get_mut(done..end)).collect();
            match reader.read(first + Frames::from_index(done), &mut part)? {
                0 => return Ok(()),
                read => done += read,
            }
        }
        Ok(())
    }

    /// The bins of each row; a row between two bins looks at the nearest.
    fn bands(&self, rate: f32, hertz: (f32, f32), rows: usize) -> Vec<Range<usize>> {
        let bin = rate / self.transform.size() as f32;
        let edge = |row: usize| hertz.0 * (hertz.1 / hertz.0).powf(row as f32 / rows as f32);
        let last = self.power.len() - 1;
        let band = |row: usize| {
            let (low, high) = (edge(row) / bin, edge(row + 1) / bin);
            let first = (low.ceil() as usize).min(last);
            let behind = (high.ceil() as usize).min(last + 1);
            if behind > first { first..behind } else { near(low.midpoint(high), last) }
        };
        (0..rows).map(band).collect()
    }

    fn loudest(&self, band: &Range<usize>) -> f32 {
        let bins = self.power.get(band.clone()).unwrap_or_default();
        bins.iter().copied().fold(0.0, f32::max)
    }
}

fn near(bin: f32, last: usize) -> Range<usize> {
    let bin = (bin.round() as usize).min(last);
    bin..bin + 1
}

/// Powers as levels below the loudest.
fn levels(power: &[f32]) -> (Vec<u8>, Option<f32>) {
    let decibels = |power: f32| 10.0 * power.max(1e-20).log10();
    let loudest = power.iter().copied().fold(0.0, f32::max);
    if decibels(loudest) < -120.0 {
        return (vec![0; power.len()], None);
    }
    let top = decibels(loudest);
    let level = |power: &f32| {
        let below = (decibels(*power) - top + DEPTH) / DEPTH;
        (below * 255.0).round().clamp(0.0, 255.0) as u8
    };
    (power.iter().map(level).collect(), Some(top))
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_dsp::SampleRate;
    use std::f32::consts::TAU;
    use std::ops::ControlFlow;

    /// A sine that changes its frequency in the middle.
    struct Sines([f32; 2]);

    impl FrameReader for Sines {
        fn channels(&self) -> usize {
            2
        }
        fn frames(&self) -> Frames {
            Frames(96_000)
        }
        fn rate(&self) -> SampleRate {
            SampleRate(48_000)
        }
        fn read(&mut self, at: Frames, out: &mut [&mut [f32]]) -> Result<usize, ReadError> {
            let [left, right] = out else { return Err(ReadError("stereo".into())) };
            let hertz = |n: i64| self.0[usize::from(n >= 48_000)];
            for (n, sample) in (at.0..).zip(left.iter_mut()) {
                *sample = 0.5 * (TAU * hertz(n) * (n % 48_000) as f32 / 48_000.0).sin();
            }
            right.fill(0.0);
            Ok(left.len())
        }
    }

    fn go(_: f64) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    #[test]
    fn a_sine_stands_in_its_row_at_its_level() {
        let range = Frames::ZERO..Frames(i64::MAX);
        let it = build_spectrogram(&mut Sines([440.0, 5000.0]), range, 20, 96, &mut go).unwrap();
        for (column, hertz) in [(4, 440.0), (15, 5000.0)] {
            let levels = &it.levels[column * 96..(column + 1) * 96];
            let loudest = (0..96).max_by_key(|row| levels[*row]).unwrap();
            let expected = (it.place(hertz) * 96.0) as usize;
            assert!(loudest.abs_diff(expected) <= 1, "{hertz} Hz in row {loudest}, not {expected}");
            assert!(levels.iter().filter(|level| **level > 128).count() < 12);
        }
        // Amplitude 0.5 is 6.02 dB below full scale; between two bins a Hann window loses up to 1.5 dB.
        assert!((it.top.unwrap() + 6.02).abs() < 1.5, "{:?}", it.top);
    }

    #[test]
    fn silence_and_nothing_are_told_apart() {
        let mut quiet = Sines([0.0, 0.0]);
        let part = Frames::ZERO..Frames(48_000);
        let it = build_spectrogram(&mut quiet, part, 3, 4, &mut go).unwrap();
        assert_eq!((it.levels, it.top), (vec![0; 12], None));
        let behind = Frames(96_000)..Frames(97_000);
        assert!(build_spectrogram(&mut quiet, behind, 3, 4, &mut go).is_err());
        let mut stop = |_| ControlFlow::Break(());
        let all = Frames::ZERO..Frames(96_000);
        let stopped = build_spectrogram(&mut quiet, all, 3, 4, &mut stop);
        assert_eq!(stopped, Err(MeasureError::Cancelled));
    }
}
