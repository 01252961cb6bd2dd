//! Voices read straight from their readers.
//!
//! Thread: any (a worker)

use crate::mix::{Feed, Spot};
use crate::program::BoundVoice;
use crate::schedule::SourceKey;
use crate::source::{SourceError, StereoSource};
use crate::stereo::Sound;
use deskhand_dsp::{FrameReader, ReadError, SampleRate};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// Opens a voice's source when it is first needed and closes it after the voice's end, so that only
/// sounding voices hold a reader.
pub(super) struct ReaderFeed<O> {
    open: O,
    rate: SampleRate,
    readers: HashMap<usize, Reading>,
    error: Option<SourceError>,
}

struct Reading {
    source: StereoSource,
    end: i64,
}

impl<O> ReaderFeed<O>
where
    O: Fn(SourceKey) -> Result<Box<dyn FrameReader>, ReadError>,
{
    pub(super) fn new(open: O, rate: SampleRate) -> Self {
        Self { open, rate, readers: HashMap::new(), error: None }
    }

    /// Closes the readers of voices that end at or before `at`; the first error since the last
    /// call.
    pub(super) fn close_before(&mut self, at: i64) -> Result<(), SourceError> {
        self.readers.retain(|_, reading| reading.end > at);
        self.error.take().map_or(Ok(()), Err)
    }

    fn read(
        &mut self,
        voice: &BoundVoice,
        at: i64,
        out: [&mut [f32]; 2],
    ) -> Result<(), SourceError> {
        let reading = match self.readers.entry(voice.slot.index) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let opened = (self.open)(voice.source);
                let source = StereoSource::new(voice.source, opened, self.rate)?;
                entry.insert(Reading { source, end: voice.end })
            }
        };
        reading.source.read(at + voice.offset, out)
    }
}

impl<O> Feed for ReaderFeed<O>
where
    O: Fn(SourceKey) -> Result<Box<dyn FrameReader>, ReadError>,
{
    fn fill(&mut self, voice: &BoundVoice, spot: Spot, out: [&mut [f32]; 2]) -> Sound {
        if self.error.is_some() {
            return Sound::Silent;
        }
        match self.read(voice, spot.at, out) {
            Ok(()) => Sound::Heard,
            Err(error) => {
                self.error = Some(error);
                Sound::Silent
            }
        }
    }

    fn pass(&mut self, _voice: &BoundVoice) {}
}
