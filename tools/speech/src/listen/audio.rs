//! What is listened to, and where someone speaks in it.

use super::ListenError;
use crate::voice::{FRAME, Stretches, Voice};
use deskhand_dsp::{FrameReader, Frames, ReadError};
use std::ops::Range;

/// Samples that are read at once while looking for speech.
const BLOCK: usize = 256 * FRAME;

/// What is listened to: audio at 16 kHz.
pub struct Audio<'a> {
    /// Where it is read.
    pub reader: &'a mut dyn FrameReader,
    /// Which samples.
    pub range: Range<usize>,
    /// What is written down already, in order: nothing is told of it, and it is not listened to again.
    pub known: Vec<Range<usize>>,
}

/// What looking for speech tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// Someone speaks there.
    Stretch(Range<usize>),
    /// All before this sample was looked at.
    Upto(usize),
}

impl Audio<'_> {
    /// Looks for stretches where someone speaks. `told` hears of each as it ends, and how far it got; its
    /// error ends it.
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

    /// The mean of all channels; shorter than `range` only at the end.
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
        let mut mono = planes.pop().unwrap_or_default();
        mono.truncate(read);
        for plane in &planes {
            mono.iter_mut().zip(plane).for_each(|(sum, value)| *sum += value);
        }
        let share = 1.0 / channels.max(1) as f32;
        mono.iter_mut().for_each(|sum| *sum = if sum.is_finite() { *sum * share } else { 0.0 });
        Ok(mono)
    }
}
