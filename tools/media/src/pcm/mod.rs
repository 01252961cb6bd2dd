//! Uncompressed audio (WAV, AIFF) by our own reader: bounded, in process, and fast.

mod aiff;
mod chunks;
mod convert;
mod extent;
mod reader;
#[cfg(test)]
mod tests;
mod wav;

pub(crate) use reader::PcmReader;

use crate::error::{OpenError, shown};
use crate::probe::{Placement, Probe};
use chunks::Chunks;
use convert::{Endian, Sample};
use deskhand_dsp::{Frames, SampleRate};
pub(crate) use extent::Extent;
use std::fs::File;
use std::path::Path;

/// Where the samples of an uncompressed file are and how they are stored.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    format: &'static str,
    sample: Sample,
    /// Significant bits, for a person.
    bits: u16,
    endian: Endian,
    channels: usize,
    rate: u32,
    data_start: u64,
    frames: u64,
    origin: Option<u64>,
    channel_names: Vec<String>,
    warnings: Vec<String>,
}

impl Layout {
    fn frame_bytes(&self) -> usize {
        self.channels * self.sample.bytes()
    }

    pub(crate) fn probe(&self) -> Probe {
        Probe {
            format: self.format.to_owned(),
            sample_format: convert::name(self.sample, self.bits),
            channels: self.channels,
            rate: SampleRate(self.rate),
            frames: frames(self.frames),
            origin: self.origin.map(frames),
            channel_names: self.channel_names.clone(),
            placement: Placement::InPlace,
            start: Frames::ZERO,
            tracks: Vec::new(),
            warnings: self.warnings.clone(),
        }
    }
}

fn frames(count: u64) -> Frames {
    Frames(i64::try_from(count).unwrap_or(i64::MAX))
}

/// The audio of a WAV or AIFF file that another reader reads.
pub(crate) struct RiffAudio {
    pub(crate) size_field: u64,
    /// How much there is.
    pub(crate) extent: Extent,
    /// Its time stamp (BWF), in frames at its own rate.
    pub(crate) origin: Option<u64>,
}

/// The audio of a WAV file, or of an AIFF file that other files follow. `None` for other files.
pub(crate) fn riff_audio(
    file: &mut File,
    len: u64,
    path: &Path,
) -> Result<Option<RiffAudio>, OpenError> {
    let mut chunks = Chunks { file, path, name: shown(path), len };
    let (head, _) = chunks.bytes::<12>(0)?;
    let [a, b, c, d, _, _, _, _, kind @ ..] = &head;
    match (&[*a, *b, *c, *d], kind) {
        (b"RIFF", b"WAVE") => wav::audio(&mut chunks).map(Some),
        (b"FORM", b"AIFF" | b"AIFC") => {
            let found = aiff::audio(&mut chunks, kind == b"AIFC")?;
            Ok((found.extent.is_right() && found.extent.joined() > 0).then_some(found))
        }
        _ => Ok(None),
    }
}

/// The layout of an uncompressed WAV or AIFF file; `None` when it is something else.
fn layout_of(file: &mut File, len: u64, path: &Path) -> Result<Option<Layout>, OpenError> {
    let mut chunks = Chunks { file, path, name: shown(path), len };
    let (head, have) = chunks.bytes::<12>(0)?;
    if have < 12 {
        return Ok(None);
    }
    let (id, kind) = (&head[..4], &head[8..]);
    match (id, kind) {
        (b"RIFF" | b"RF64" | b"BW64" | b"RIFX", b"WAVE") => wav::layout(&mut chunks, head),
        (b"FORM", b"AIFF" | b"AIFC") => aiff::layout(&mut chunks, kind == b"AIFC"),
        _ => Ok(None),
    }
}
