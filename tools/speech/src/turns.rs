//! Finds who speaks when, from the sound of voices alone.
//!
//! Finds out who speaks when. A network hears 1.6 s of speech at a time, every 0.4 s, and gives the
//! features of the voice. Similar voices are one speaker. The number of speakers is given or follows from
//! the similarity. Two people who speak at once count as one of them.

mod cluster;
mod speaker_count;
mod voices;

pub use cluster::Count;

use crate::listen::{Audio, Found, ListenError};
use crate::mel::RATE;
use crate::voice::Voice;
use cluster::Heard;
use deskhand_inference::Network;
use std::ops::Range;
use std::sync::Arc;
use voices::{Sample, Voices};

/// Speech that is heard in one go, in samples.
const PART: usize = 30 * RATE as usize;

/// Someone speaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    pub recording: usize,
    /// Where, in samples at 16 kHz.
    pub range: Range<usize>,
    /// The speaker, counted from 0 in the order in which they are first heard.
    pub speaker: usize,
}

/// Collects voices, recording after recording, then tells the speakers of all recordings apart together.
pub struct Speakers {
    voices: Voices,
    samples: Vec<Sample>,
}

impl Speakers {
    /// With the network that tells voices apart.
    #[must_use]
    pub fn new(network: Arc<dyn Network>) -> Self {
        Self { voices: Voices::new(network), samples: Vec::new() }
    }

    /// Adds one more recording. `told` gets the progress, as a sample. An error of `told` stops it.
    ///
    /// # Errors
    /// If the audio cannot be read, a network fails, or `told` returns an error.
    pub fn hear<E: From<ListenError>>(
        &mut self,
        recording: usize,
        audio: &mut Audio<'_>,
        voice: &mut Voice,
        told: &mut dyn FnMut(usize) -> Result<(), E>,
    ) -> Result<(), E> {
        audio.stretches(voice, &mut |audio, found| match found {
            Found::Upto(at) => told(at),
            Found::Stretch(stretch) => {
                for part in parts(stretch) {
                    let sound = audio.mono(part.clone()).map_err(ListenError::from)?;
                    let heard = self.voices.hear(&sound).map_err(ListenError::from)?;
                    told(part.end)?;
                    self.samples.extend(heard.into_iter().map(|(range, voice)| Sample {
                        recording,
                        range: part.start + range.start..part.start + range.end,
                        voice,
                    }));
                }
                Ok(())
            }
        })
    }

    /// Finds the turns, in order. Adjacent turns of a speaker are joined.
    #[must_use]
    pub fn turns(&self, count: Count) -> Vec<Turn> {
        let smooth = self.smooth();
        let heard = self.samples.iter().zip(&smooth);
        let heard = heard.map(|(sample, smooth)| Heard { voice: &sample.voice, smooth });
        let speakers = cluster::cluster(&heard.collect::<Vec<_>>(), count);
        let mut turns: Vec<Turn> = Vec::new();
        for (sample, speaker) in self.samples.iter().zip(speakers) {
            match turns.last_mut() {
                Some(last)
                    if last.speaker == speaker
                        && last.recording == sample.recording
                        && last.range.end == sample.range.start =>
                {
                    last.range.end = sample.range.end;
                }
                _ => turns.push(Turn {
                    recording: sample.recording,
                    range: sample.range.clone(),
                    speaker,
                }),
            }
        }
        turns
    }

    /// Each voice averaged with its direct neighbors, of length 1.
    fn smooth(&self) -> Vec<Vec<f32>> {
        let smooth = |at: usize| {
            let near = self.samples.get(at.saturating_sub(1)..).unwrap_or_default();
            let near = near.iter().take(if at == 0 { 2 } else { 3 });
            let own = self.samples.get(at);
            let touching = near.filter(|near| own.is_some_and(|own| own.touches(near)));
            let mut mean = cluster::mean(touching.map(|near| near.voice.as_slice()));
            cluster::to_unit(&mut mean);
            mean
        };
        (0..self.samples.len()).map(smooth).collect()
    }
}

/// A stretch in parts that are not too long.
fn parts(stretch: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let count = stretch.len().div_ceil(PART).max(1);
    let at = move |index: usize| stretch.start + stretch.len() * index / count;
    (0..count).map(move |index| at(index)..at(index + 1))
}
