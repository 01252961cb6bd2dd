//! In place of the decoders of foreign formats, for a program that links none: a DAW's process.
//!
//! Every file that is not uncompressed is refused by name; what a session plays was conformed before.

use crate::error::OpenError;
use crate::probe::Probe;
use crate::stats::ReadStats;
use deskhand_dsp::{FrameReader, Frames, ReadError, SampleRate};
use std::path::Path;
use std::sync::Arc;

/// There is none.
pub(crate) enum CompressedReader {}

impl CompressedReader {
    /// Refuses `path`.
    pub(crate) fn open(path: &Path, _: Arc<ReadStats>) -> Result<Self, OpenError> {
        let file = path.display().to_string();
        Err(OpenError::UnsupportedCodec { file, codec: "a compressed format".into() })
    }

    pub(crate) fn probe(&self) -> &Probe {
        match *self {}
    }
}

impl FrameReader for CompressedReader {
    fn channels(&self) -> usize {
        match *self {}
    }

    fn frames(&self) -> Frames {
        match *self {}
    }

    fn rate(&self) -> SampleRate {
        match *self {}
    }

    fn read(&mut self, _: Frames, _: &mut [&mut [f32]]) -> Result<usize, ReadError> {
        match *self {}
    }
}
