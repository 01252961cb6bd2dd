//! The audio to analyze, and its stretches of speech.

use super::error::ListenError;
use crate::voice::{FRAME, Stretches, Voice};
use deskhand_dsp::downmix::{Downmix, Phase};
use deskhand_dsp::{FrameReader, Frames, ReadError};
use std::ops::Range;

/// Samples that are read at once while looking for speech.
const BLOCK: usize = 256 * FRAME;

/// The audio to analyze, at 16 kHz.
pub struct Audio<'a> {
    /// Where it is read.
    pub reader: &'a mut dyn FrameReader,
    pub range: Range<usize>,
    /// The ranges that are transcribed already, in order. The listener skips them and reports nothing
    /// there.
    pub known: Vec<Range<usize>>,
    phase: Phase,
}

/// What looking for speech tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// Someone speaks there.
    Stretch(Range<usize>),
    /// All before this sample was looked at.
    Upto(usize),
}

impl<'a> Audio<'a> {
    /// The audio of `reader` in `range`. The `known` parts are transcribed already.
    pub fn new(
        reader: &'a mut dyn FrameReader,
        range: Range<usize>,
        known: Vec<Range<usize>>,
    ) -> Self {
        Self { reader, range, known, phase: Phase::default() }
    }

    /// How much of the audio read so far has its channels out of phase.
    pub(crate) fn phase(&self) -> Phase {
        self.phase
    }

    /// Finds the stretches of speech. `told` gets each stretch as it ends, and the progress. An error of
    /// `told` stops the search.
    pub(crate) fn stretches<E: From<ListenError>>(
        &mut self,
        voice: &mut Voice,
        told: &mut dyn FnMut(&mut Self, Found) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut stretches = Stretches::default();
        let (first, end) = (self.range.start, self.range.end);
        let mut at = first;
        loop {
            let block = self.mono(at..(at + BLOCK).min(end)).map_err(ListenError::from)?;
            let shares = voice.hear(&block).map_err(ListenError::from)?;
            let is_last = block.is_empty() || at + block.len() >= end;
            at += block.len();
            let mut found: Vec<_> = shares.into_iter().filter_map(|s| stretches.push(s)).collect();
            if is_last {
                found.extend(stretches.finish());
            }
            for stretch in found {
                told(self, Found::Stretch(first + stretch.start..(first + stretch.end).min(end)))?;
            }
            // A stretch that goes on was not looked at yet.
            told(self, Found::Upto((first + stretches.upto()).min(at)))?;
            if is_last {
                return Ok(());
            }
        }
    }

    /// All channels as one; shorter than `range` only at the end.
    pub(crate) fn mono(&mut self, range: Range<usize>) -> Result<Vec<f32>, ReadError> {
        let (channels, length) = (self.reader.channels(), range.len());
        let mut planes = vec![vec![0.0; length]; channels];
        let mut read = 0;
        while read < length {
            let mut rest: Vec<&mut [f32]> =
                planes.iter_mut().filter_map(|plane| plane.get_mut(read..)).collect();
            let more = self.reader.read(Frames::from_index(range.start + read), &mut rest)?;
            if more == 0 {
                break;
            }
            read += more;
        }
        planes.iter_mut().for_each(|plane| {
            plane.truncate(read);
            deskhand_dsp::level::remove_non_finite(plane);
        });
        let planes: Vec<&[f32]> = planes.iter().map(Vec::as_slice).collect();
        // The same range gives the same samples, whatever was read before.
        let mut downmix = Downmix::default();
        let mono = downmix.mix(&planes);
        self.phase += downmix.phase();
        Ok(mono)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_dsp::SampleRate;

    /// A tone on the left, and the same tone on the right, multiplied by this factor.
    struct Stereo(f32);

    impl FrameReader for Stereo {
        fn channels(&self) -> usize {
            2
        }

        fn frames(&self) -> Frames {
            Frames(16_000)
        }

        fn rate(&self) -> SampleRate {
            SampleRate(16_000)
        }

        fn read(&mut self, at: Frames, out: &mut [&mut [f32]]) -> Result<usize, ReadError> {
            let count = out[0].len().min((self.frames() - at).index());
            let tone = |n: usize| 0.1 * ((at.index() + n) as f32 * 0.3).sin();
            let (left, right) = out.split_at_mut(1);
            for (n, (l, r)) in left[0].iter_mut().zip(&mut *right[0]).enumerate().take(count) {
                (*l, *r) = (tone(n), tone(n) * self.0);
            }
            Ok(count)
        }
    }

    #[test]
    fn a_voice_with_opposite_polarity_on_both_channels_is_not_silence() {
        for (right, is_opposed) in [(1.0, false), (0.0, false), (-1.0, true), (-0.5, true)] {
            let mut reader = Stereo(right);
            let mut audio = Audio::new(&mut reader, 0..16_000, Vec::new());
            let heard = audio.mono(1_000..12_000).unwrap();
            let loudest = heard.iter().copied().fold(0.0, f32::max);
            assert!((loudest - 0.05 * (1.0 + right.abs())).abs() < 1e-4, "{right}: {loudest}");
            assert_eq!(audio.phase().is_opposed(), is_opposed, "{right}");
        }
    }
}
