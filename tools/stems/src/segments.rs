//! Networks that see a stretch of spectra at a time: overlapped segments whose estimates cross-fade.

use crate::stft::{Analysis, Bin, Spectrum, Stft, Synthesis};
use crate::stream::{Step, drop_lead};
use deskhand_dsp::{FrameReader, Frames, ReadError, SampleRate};
use std::sync::Arc;

/// Estimates the spectra of stems from the mix's.
pub(crate) trait Estimator: Send + Sync {
    fn stft(&self) -> Arc<Stft>;
    /// How many frames it sees at a time.
    fn frames(&self) -> usize;
    /// How many stems it gives.
    fn stems(&self) -> usize;
    /// The spectra of each stem for frames of the mix, at most [`Estimator::frames`] of them.
    ///
    /// # Errors
    /// When the network fails.
    fn estimate(&self, mix: &[Spectrum]) -> Estimate;
}

/// The part of a segment that it shares with the next one.
const OVERLAP: usize = 8;
/// Segments that are estimated at once. A network keeps one core busy better than it does two.
const AT_ONCE: usize = 2;

/// The spectra of each stem, a list a stem, or why there are none.
type Estimate = Result<Vec<Vec<Spectrum>>, ReadError>;

/// A split by an estimator: two channels a stem.
pub(crate) struct Segments<E> {
    estimator: E,
    analysis: Analysis,
    synthesis: Vec<Synthesis>,
    /// Frames of the mix from the segment's first on.
    mix: Vec<Spectrum>,
    /// What the segment before made of the first of them, a list a stem.
    before: Vec<Vec<Spectrum>>,
    /// Frames that were read, and how many there are.
    read: usize,
    all: usize,
    lead: usize,
    length: Frames,
    rate: SampleRate,
}

impl<E: Estimator> Segments<E> {
    /// Splits `mix`, which is stereo at the estimator's rate.
    pub(crate) fn new(mix: Box<dyn FrameReader>, estimator: E) -> Self {
        let (length, rate, stft) = (mix.frames(), mix.rate(), estimator.stft());
        let stems = estimator.stems();
        let new_synthesis = || Synthesis::new(Arc::clone(&stft), 2);
        Self {
            synthesis: std::iter::repeat_with(new_synthesis).take(stems).collect(),
            before: vec![Vec::new(); stems],
            all: stft.frames(length.index()),
            lead: stft.lead,
            analysis: Analysis::new(mix, stft),
            estimator,
            mix: Vec::new(),
            read: 0,
            length,
            rate,
        }
    }

    /// Reads up to a whole segment: its frames, and how many of them the next one does not change any more.
    fn read(&mut self) -> Result<(Vec<Spectrum>, usize), ReadError> {
        while self.mix.len() < self.estimator.frames() && self.read < self.all {
            self.mix.push(self.analysis.next()?);
            self.read += 1;
        }
        let overlap = self.estimator.frames() / OVERLAP;
        let segment = self.mix.clone();
        let ready = if self.read == self.all { segment.len() } else { segment.len() - overlap };
        self.mix.drain(..ready);
        Ok((segment, ready))
    }

    /// The next segments, as many as are estimated at once or as there are.
    fn read_some(&mut self) -> Result<Vec<(Vec<Spectrum>, usize)>, ReadError> {
        let mut segments = vec![self.read()?];
        while segments.len() < AT_ONCE && self.read < self.all {
            segments.push(self.read()?);
        }
        Ok(segments)
    }

    /// Appends what the next segment adds.
    fn append(
        &mut self,
        mut stems: Vec<Vec<Spectrum>>,
        ready: usize,
        out: &mut [Vec<f32>],
    ) -> Result<(), ReadError> {
        let planes = out.chunks_mut(2).zip(&mut self.synthesis);
        for ((stem, before), (out, synthesis)) in stems.iter_mut().zip(&mut self.before).zip(planes)
        {
            cross_fade(before, stem);
            let rest = stem.split_off(ready.min(stem.len()));
            for spectrum in stem.iter() {
                synthesis.push(spectrum, out);
            }
            *before = rest;
        }
        Ok(())
    }
}

/// Estimates segments side by side, each on a thread of its own.
fn estimates<E: Estimator>(estimator: &E, segments: &[(Vec<Spectrum>, usize)]) -> Vec<Estimate> {
    std::thread::scope(|scope| {
        let work = |(mix, _): &'_ (Vec<Spectrum>, usize)| estimator.estimate(mix);
        let begun: Vec<_> =
            segments.iter().map(|segment| scope.spawn(move || work(segment))).collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, Estimate>| {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        begun.into_iter().map(join).collect()
    })
}

impl<E: Estimator> Step for Segments<E> {
    fn channels(&self) -> usize {
        2 * self.estimator.stems()
    }

    fn frames(&self) -> Frames {
        self.length
    }

    fn rate(&self) -> SampleRate {
        self.rate
    }

    fn step(&mut self, out: &mut [Vec<f32>]) -> Result<(), ReadError> {
        let segments = self.read_some()?;
        let old = out.first().map_or(0, Vec::len);
        for (stems, (_, ready)) in estimates(&self.estimator, &segments).into_iter().zip(&segments)
        {
            self.append(stems?, *ready, out)?;
        }
        drop_lead(out, old, &mut self.lead);
        Ok(())
    }
}

/// Goes over from what the segment before made of the first frames to what this one did.
fn cross_fade(before: &[Spectrum], stem: &mut [Spectrum]) {
    let steps = before.len() as f32;
    for (index, (from, to)) in before.iter().zip(stem).enumerate() {
        let share = (index as f32 + 0.5) / steps;
        for (from, to) in from.iter().zip(to) {
            for (from, to) in from.iter().zip(to.iter_mut()) {
                *to = *from * (1.0 - share) + *to * share;
            }
        }
    }
}

/// `mix` with each of the lowest `bins` bins times its gain by channel, frame and bin; nothing above.
pub(crate) fn masked(
    mix: &[Spectrum],
    bins: usize,
    gain: impl Fn(usize, usize, usize) -> f32,
) -> Vec<Spectrum> {
    let frame = |(time, spectrum): (usize, &Spectrum)| {
        let channel = |(channel, from): (usize, &Vec<Bin>)| {
            let mut to = vec![Bin::default(); from.len()];
            for (bin, (to, from)) in to.iter_mut().zip(from).take(bins).enumerate() {
                *to = *from * gain(channel, time, bin);
            }
            to
        };
        spectrum.iter().enumerate().map(channel).collect()
    };
    mix.iter().enumerate().map(frame).collect()
}
