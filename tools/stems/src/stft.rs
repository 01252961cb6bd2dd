//! Short-time spectra of a reader, one after another, and audio from spectra by overlapping.
//!
//! Frame `t` covers the samples from `hop t - lead` on, zeros before the start and after the end. Both ways
//! use a periodic Hann window; the output equals the input.

use deskhand_dsp::spectrum::{Complex, Forward, Inverse, overlap_add, periodic_hann};
use deskhand_dsp::{FrameReader, Frames, ReadError};
use std::sync::Arc;

pub(crate) type Bin = Complex<f32>;

/// The bins of one frame, a list a channel.
pub(crate) type Spectrum = Vec<Vec<Bin>>;

/// Sizes and tables of a transform.
pub(crate) struct Stft {
    /// Samples of a frame.
    pub(crate) size: usize,
    /// Samples from one frame to the next; at most a quarter of `size`, so that the windows sum evenly.
    pub(crate) hop: usize,
    /// How far frame 0 begins before the start, at least `size - hop`, so that the start is covered.
    pub(crate) lead: usize,
    window: Vec<f32>,
    forward: Forward<f32>,
    inverse: Inverse<f32>,
}

impl Stft {
    pub(crate) fn new(size: usize, hop: usize, lead: usize) -> Arc<Self> {
        let window = periodic_hann(size, 1.0);
        let (forward, inverse) = (Forward::windowed(window.clone()), Inverse::new(size));
        Arc::new(Self { size, hop, lead, window, forward, inverse })
    }

    pub(crate) fn bins(&self) -> usize {
        self.size / 2 + 1
    }

    pub(crate) fn silence(&self, channels: usize) -> Spectrum {
        vec![vec![Bin::default(); self.bins()]; channels]
    }

    /// How many frames cover `samples`.
    pub(crate) fn frames(&self, samples: usize) -> usize {
        match samples.checked_sub(1) {
            Some(last) => (last + self.lead) / self.hop + 1,
            None => 0,
        }
    }

    /// What overlapped and windowed twice is multiplied by to be what it was.
    fn scale(&self) -> f32 {
        let energy: f64 = self.window.iter().map(|w| f64::from(*w).powi(2)).sum();
        (self.hop as f64 / energy / self.size as f64) as f32
    }
}

/// Reads audio as spectra.
pub(crate) struct Analysis {
    reader: Box<dyn FrameReader>,
    stft: Arc<Stft>,
    /// The samples of the frame, a list a channel.
    frame: Vec<Vec<f32>>,
    forward: Forward<f32>,
    /// The sample that is read next; negative before the start.
    next: i64,
    first: bool,
}

impl Analysis {
    pub(crate) fn new(reader: Box<dyn FrameReader>, stft: Arc<Stft>) -> Self {
        let frame = vec![vec![0.0; stft.size]; reader.channels()];
        let (forward, next) = (stft.forward.clone(), -(Frames::from_index(stft.lead).0));
        Self { reader, stft, frame, forward, next, first: true }
    }

    /// The next frame; silence after the end.
    pub(crate) fn next(&mut self) -> Result<Spectrum, ReadError> {
        let new = if self.first { self.stft.size } else { self.stft.hop };
        self.first = false;
        self.advance(new)?;
        let spectrum = |samples: &Vec<f32>| self.forward.of(samples.iter().copied()).to_vec();
        Ok(self.frame.iter().map(spectrum).collect())
    }

    /// Moves the frame on by `new` samples.
    fn advance(&mut self, new: usize) -> Result<(), ReadError> {
        let keep = self.stft.size - new;
        for samples in &mut self.frame {
            samples.copy_within(new.., 0);
            samples.get_mut(keep..).unwrap_or_default().fill(0.0);
        }
        let ahead = Frames((-self.next).max(0)).index().min(new);
        let at = Frames(self.next.max(0));
        self.next += Frames::from_index(new).0;
        if ahead == new || at >= self.reader.frames() {
            return Ok(());
        }
        let mut out: Vec<&mut [f32]> =
            self.frame.iter_mut().filter_map(|samples| samples.get_mut(keep + ahead..)).collect();
        self.reader.read(at, &mut out).map(drop)
    }
}

/// Makes audio of spectra, `hop` samples a frame.
pub(crate) struct Synthesis {
    stft: Arc<Stft>,
    /// Sums that later frames add to, a list a channel.
    sums: Vec<Vec<f32>>,
    inverse: Inverse<f32>,
    scale: f32,
}

impl Synthesis {
    pub(crate) fn new(stft: Arc<Stft>, channels: usize) -> Self {
        let sums = vec![vec![0.0; stft.size]; channels];
        Self { scale: stft.scale(), inverse: stft.inverse.clone(), stft, sums }
    }

    /// Adds frame `t` and appends the samples from `hop t - lead` on that are then complete, to `out`, a
    /// list a channel.
    pub(crate) fn push(&mut self, spectrum: &Spectrum, out: &mut [Vec<f32>]) {
        let hop = self.stft.hop;
        for ((sums, from), out) in self.sums.iter_mut().zip(spectrum).zip(out) {
            let frame = self.inverse.of(from.iter().copied());
            overlap_add(sums, frame, &self.stft.window, self.scale);
            out.extend(sums.iter().take(hop));
            sums.copy_within(hop.., 0);
            let rest = sums.len() - hop;
            sums.get_mut(rest..).unwrap_or_default().fill(0.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Memory, noise};

    #[test]
    fn what_is_overlapped_is_what_was_read() {
        for (size, hop, lead) in [(4096, 1024, 4096), (2048, 512, 2048), (6144, 1024, 6144)] {
            for length in [1, 500, 1024, 5000, 20_001] {
                let audio = vec![noise(length, 1), noise(length, 2)];
                let stft = Stft::new(size, hop, lead);
                let mut analysis = Analysis::new(Memory::boxed(&audio, 44_100), Arc::clone(&stft));
                let mut synthesis = Synthesis::new(Arc::clone(&stft), 2);
                let mut out = vec![Vec::new(); 2];
                // Samples are complete a frame at a time, so the last need frames after the end.
                for _ in 0..stft.frames(length) {
                    synthesis.push(&analysis.next().unwrap(), &mut out);
                }
                for (out, audio) in out.iter().zip(&audio) {
                    let out = &out[lead..lead + length];
                    let worst = out.iter().zip(audio).map(|(a, b)| (a - b).abs());
                    assert!(worst.fold(0.0, f32::max) < 1e-5, "{size} {hop} {length}");
                }
            }
        }
    }
}
