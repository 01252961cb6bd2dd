//! Where someone speaks: probabilities from a small network, and the stretches they make.
//!
//! Detects speech. Silero's network hears 32 ms at a time, each with 4 ms before it, and remembers earlier
//! audio. If it is not installed, earshot's network hears 16 ms at a time; its weights are part of its
//! crate.

use crate::mel::RATE;
use deskhand_inference::{Network, RunError, Tensor};
use earshot::Detector;
use std::ops::Range;
use std::sync::Arc;

/// Samples of one probability.
pub const FRAME: usize = 512;
/// Samples before the frame that the network also hears.
const CONTEXT: usize = 64;
/// Values of the network's memory.
const MEMORY: usize = 128;
/// Samples that earshot hears at a time.
const EARSHOT: usize = 256;

/// Tells speech from everything else.
pub enum Voice {
    /// Silero's network and its memory.
    Silero(Box<Silero>),
    Earshot(Box<Detector>),
}

/// Silero's network in the form that takes many frames at once.
pub struct Silero {
    network: Arc<dyn Network>,
    context: Vec<f32>,
    memory: [Tensor; 2],
}

impl Voice {
    /// With `network`, the installed Silero, or without.
    #[must_use]
    pub fn new(network: Option<Arc<dyn Network>>) -> Self {
        match network {
            Some(network) => {
                let memory = || Tensor::zeros(&[1, 1, MEMORY]);
                let (context, memory) = (vec![0.0; CONTEXT], [memory(), memory()]);
                Self::Silero(Box::new(Silero { network, context, memory }))
            }
            None => Self::Earshot(Box::default()),
        }
    }

    /// What it is called, with its threshold: at and above it someone speaks.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Silero(_) => "Silero VAD",
            Self::Earshot(_) => "earshot",
        }
    }

    /// The probability of speech in each [`FRAME`] of `audio`, which continues the audio heard before. A
    /// last partial frame is filled with silence.
    ///
    /// # Errors
    /// When the network fails.
    pub fn hear(&mut self, audio: &[f32]) -> Result<Vec<f32>, RunError> {
        match self {
            Self::Silero(silero) => silero.hear(audio),
            Self::Earshot(detector) => {
                Ok(audio.chunks(FRAME).map(|f| earshot(detector, f)).collect())
            }
        }
    }
}

fn earshot(detector: &mut Detector, frame: &[f32]) -> f32 {
    let mut padded = [0.0; FRAME];
    for (to, from) in padded.iter_mut().zip(frame) {
        *to = from.clamp(-1.0, 1.0);
    }
    let parts = padded.chunks_exact(EARSHOT);
    parts.map(|part| detector.predict_f32(part)).fold(0.0, f32::max)
}

impl Silero {
    fn hear(&mut self, audio: &[f32]) -> Result<Vec<f32>, RunError> {
        let frames = audio.len().div_ceil(FRAME);
        if frames == 0 {
            return Ok(Vec::new());
        }
        let mut input = Tensor::zeros(&[frames, CONTEXT + FRAME]);
        for (row, frame) in input.data.chunks_exact_mut(CONTEXT + FRAME).zip(audio.chunks(FRAME)) {
            let (ahead, own) = row.split_at_mut(CONTEXT);
            ahead.copy_from_slice(&self.context);
            for (to, from) in own.iter_mut().zip(frame) {
                *to = *from;
            }
            self.context.copy_from_slice(own.get(FRAME - CONTEXT..).unwrap_or(&[0.0; CONTEXT]));
        }
        let [h, c] = self.memory.clone();
        let mut given = self.network.run(&[input, h, c], &[0, 1, 2])?.into_iter();
        let odd =
            || RunError::Run { cause: "the voice model gave other values than it should".into() };
        match (given.next(), given.next(), given.next()) {
            (Some(shares), Some(h), Some(c)) if shares.data.len() == frames => {
                self.memory = [h, c];
                Ok(shares.data)
            }
            _ => Err(odd()),
        }
    }
}

/// At and above it speech begins.
const THRESHOLD: f32 = 0.5;
/// Below it speech may end.
const RELEASE: f32 = 0.35;
/// A silence of this many frames ends a stretch: 0.4 s.
const SILENCE: usize = 13;
/// Speech shorter than this many frames does not count: 0.16 s.
const SHORTEST: usize = 5;
/// Samples that are kept around a stretch: 0.4 s, but not more than half a gap.
const MARGIN: usize = RATE as usize * 2 / 5;

/// Makes stretches of probabilities as they come.
#[derive(Debug, Default)]
pub struct Stretches {
    /// How many frames were seen.
    seen: usize,
    /// Where the open stretch began.
    open: Option<usize>,
    /// Frames of silence at its end.
    quiet: usize,
    /// The end of the last stretch, with its margin, in samples.
    last: usize,
}

impl Stretches {
    /// Takes the next probability, and gives the stretch that it ends, in samples.
    pub fn push(&mut self, share: f32) -> Option<Range<usize>> {
        let frame = self.seen;
        self.seen += 1;
        match self.open {
            None if share >= THRESHOLD => {
                (self.open, self.quiet) = (Some(frame), 0);
                None
            }
            None => None,
            Some(_) if share >= RELEASE => {
                self.quiet = 0;
                None
            }
            Some(first) => {
                self.quiet += 1;
                if self.quiet < SILENCE {
                    return None;
                }
                self.open = None;
                self.stretch(first, frame + 1 - self.quiet)
            }
        }
    }

    /// The stretch that is open at the end.
    pub fn finish(&mut self) -> Option<Range<usize>> {
        let first = self.open.take()?;
        self.stretch(first, self.seen - self.quiet)
    }

    /// The end of what is known, in samples: before a stretch that is still open.
    pub(crate) fn upto(&self) -> usize {
        match self.open {
            Some(first) => (first * FRAME).saturating_sub(MARGIN).max(self.last),
            None => self.seen * FRAME,
        }
    }

    fn stretch(&mut self, first: usize, end: usize) -> Option<Range<usize>> {
        if end - first < SHORTEST {
            return None;
        }
        let start = (first * FRAME).saturating_sub(MARGIN).max(self.last);
        // The gap after it is at least as long as the silence that ends a stretch.
        let end = end * FRAME + (SILENCE * FRAME / 2).min(MARGIN);
        self.last = end;
        Some(start..end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn stretches(shares: &[f32]) -> Vec<Range<usize>> {
        let mut stretches = Stretches::default();
        let mut found: Vec<_> = shares.iter().filter_map(|share| stretches.push(*share)).collect();
        found.extend(stretches.finish());
        found
    }

    #[test]
    fn a_short_pause_is_bridged_and_a_click_is_no_speech() {
        let mut shares = vec![0.0; 40];
        shares.extend(
            [vec![0.9; 20], vec![0.1; 12], vec![0.9; 20], vec![0.1; 40], vec![0.9; 2]].concat(),
        );
        shares.extend(vec![0.0; 30]);
        let found = stretches(&shares);
        assert_eq!(found.len(), 1);
        let mut open = Stretches::default();
        assert!(shares[..60].iter().all(|share| open.push(*share).is_none()));
        assert_eq!(open.upto(), 40 * FRAME - MARGIN, "the stretch goes on");
        assert_eq!(found[0].start, 40 * FRAME - MARGIN);
        assert!((92 * FRAME..105 * FRAME).contains(&found[0].end), "{found:?}");
    }

    #[test]
    fn noise_and_silence_are_no_speech_to_earshot() {
        let mut seed = 1u32;
        let mut noise = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) as f32 / 16_777_216.0 * 0.02 - 0.01
        };
        let audio: Vec<f32> = (0..FRAME * 60).map(|_| noise()).collect();
        let shares = Voice::new(None).hear(&audio).unwrap();
        assert_eq!(shares.len(), 60);
        assert!(stretches(&shares).is_empty());
    }

    proptest! {
        #[test]
        fn stretches_are_in_order_and_apart(shares in prop::collection::vec(0f32..1.0, 0..400)) {
            let found = stretches(&shares);
            prop_assert!(found.iter().all(|stretch| stretch.start < stretch.end));
            prop_assert!(found.windows(2).all(|two| two[0].end <= two[1].start));
        }
    }
}
