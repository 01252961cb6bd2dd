//! What tells a voice from another: speech through Resemblyzer's network.
//!
//! Source: Resemblyzer `audio.py` and `voice_encoder.py`: power in 40 mel bands, quiet speech raised to
//! -30 dBFS, 160 frames of 10 ms at a time, results of length 1.

use crate::mel::{HOP, Mel};
use deskhand_inference::{Network, RunError, Tensor};
use std::ops::Range;
use std::sync::Arc;

const BANDS: usize = 40;
/// Frames that the network hears at once: 1.6 s.
const FRAMES: usize = 160;
/// Frames from one time to the next: 0.4 s.
const STEP: usize = 40;
/// Quiet speech is raised to this RMS: -30 dBFS.
const LEVEL: f32 = 0.031_622_776;
/// Times that are heard together.
const TOGETHER: usize = 16;

/// A piece of speech and what its voice is like.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sample {
    pub(super) recording: usize,
    pub(super) range: Range<usize>,
    /// Of length 1.
    pub(super) voice: Vec<f32>,
}

impl Sample {
    /// Whether `other` is this one, or follows it or goes before it without a pause.
    pub(super) fn touches(&self, other: &Self) -> bool {
        let (own, others) = (&self.range, &other.range);
        let meet = own.start == others.start || own.end == others.start || others.end == own.start;
        self.recording == other.recording && meet
    }
}

/// A range of samples, and what the voice in it is like.
type Heard = (Range<usize>, Vec<f32>);

/// Hears voices.
pub(super) struct Voices {
    network: Arc<dyn Network>,
    mel: Mel,
}

impl Voices {
    pub(super) fn new(network: Arc<dyn Network>) -> Self {
        Self { network, mel: Mel::new(BANDS) }
    }

    /// The voices in a stretch of speech, each with the samples that it represents. Together these cover
    /// the stretch.
    pub(super) fn hear(&self, speech: &[f32]) -> Result<Vec<Heard>, RunError> {
        let length = speech.len();
        let speech = raised(filled(speech));
        let frames = speech.len() / HOP;
        let power = self.mel.power(&speech, frames);
        let starts: Vec<usize> = (0..=frames.saturating_sub(FRAMES)).step_by(STEP).collect();
        let mut heard = Vec::new();
        for together in starts.chunks(TOGETHER) {
            let input = input(&power, frames, together);
            let voices = self.network.run(&[input], &[0])?;
            let voices = voices.first().map(|tensor| tensor.data.as_slice()).unwrap_or_default();
            if voices.is_empty() || !voices.len().is_multiple_of(together.len()) {
                let cause = "the voice encoder gave other values than it should".into();
                return Err(RunError::Run { cause });
            }
            heard.extend(voices.chunks(voices.len() / together.len()).map(unit));
        }
        let borders = borders(&starts, length);
        Ok(borders.into_iter().zip(heard).collect())
    }
}

/// Speech that is too short, again and again until it is long enough.
fn filled(speech: &[f32]) -> Vec<f32> {
    let length = speech.len().max(FRAMES * HOP);
    speech.iter().copied().cycle().take(length).collect()
}

fn raised(mut speech: Vec<f32>) -> Vec<f32> {
    let squares: f32 = speech.iter().map(|value| value * value).sum();
    let level = (squares / speech.len().max(1) as f32).sqrt();
    if level > 0.0 && level < LEVEL {
        speech.iter_mut().for_each(|value| *value *= LEVEL / level);
    }
    speech
}

/// `[frames, times, bands]` of rows of bands.
fn input(power: &[f32], frames: usize, starts: &[usize]) -> Tensor {
    let mut input = Tensor::zeros(&[FRAMES, starts.len(), BANDS]);
    for (index, value) in input.data.iter_mut().enumerate() {
        let (place, band) = (index / BANDS, index % BANDS);
        let (frame, time) = (place / starts.len(), place % starts.len());
        let at = starts.get(time).map(|start| band * frames + start + frame);
        *value = at.and_then(|at| power.get(at)).copied().unwrap_or(0.0);
    }
    input
}

fn unit(voice: &[f32]) -> Vec<f32> {
    let length = voice.iter().map(|value| value * value).sum::<f32>().sqrt().max(1e-9);
    voice.iter().map(|value| value / length).collect()
}

/// The borders between the times: each time covers the samples nearest to its middle.
fn borders(starts: &[usize], length: usize) -> Vec<Range<usize>> {
    let half = (FRAMES - STEP) / 2;
    let last = starts.len().saturating_sub(1);
    let begin = |index: usize, start: usize| if index == 0 { 0 } else { (start + half) * HOP };
    let end = |index: usize, start: usize| {
        if index == last { length } else { (start + half + STEP) * HOP }
    };
    let each = starts.iter().enumerate();
    each.map(|(index, start)| begin(index, *start)..end(index, *start)).collect()
}
