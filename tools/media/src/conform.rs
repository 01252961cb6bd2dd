//! Conforming: a foreign file becomes a WAV at the session's rate, once.

use crate::error::{OpenError, WriteError};
use crate::opener::Opener;
use crate::stats::silenced;
use crate::writer::{BitDepth, WavWriter};
use deskhand_dsp::{FrameReader, Frames, ReadError, SampleRate};
use std::ops::ControlFlow;
use std::path::Path;

/// What conforming made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Conformed {
    /// Length at the session's rate.
    pub frames: Frames,
    pub channels: usize,
    /// Samples that were NaN or infinite and became 0.
    pub nonfinite: u64,
    /// Packets that could not be decoded and became silence.
    pub damaged: u64,
}

impl Conformed {
    /// The parts that were read as silence, a sentence each; empty if all was sound.
    #[must_use]
    pub fn silenced(&self) -> Vec<String> {
        silenced(self.nonfinite, self.damaged)
    }
}

/// Why a file could not be conformed. No file remains.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConformError {
    /// The file cannot be used.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The file broke off while it was read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The result cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error("conforming was cancelled; nothing was kept")]
    Cancelled,
}

/// Frames that are decoded and written at once.
const BLOCK: usize = 1 << 14;

/// Decodes `source`, resamples it to `rate` and writes it to `dest` as 32-bit float WAV.
///
/// `progress` hears the share done (0 to 1) and may stop it. `dest` appears complete or not at all.
///
/// # Errors
/// When the source cannot be opened or read, the destination cannot be written, or on a stop.
pub fn conform(
    opener: &Opener,
    source: &Path,
    rate: SampleRate,
    dest: &Path,
    progress: &mut dyn FnMut(f64) -> ControlFlow<()>,
) -> Result<Conformed, ConformError> {
    let (mut reader, stats) = opener.open_at_counted(source, rate)?;
    let channels = reader.channels();
    let mut writer = WavWriter::create(dest, rate, channels, BitDepth::F32)?;
    copy(reader.as_mut(), &mut writer, progress)?;
    let written = writer.finish()?;
    Ok(Conformed {
        frames: written.frames,
        channels,
        nonfinite: stats.nonfinite(),
        damaged: stats.damaged(),
    })
}

fn copy(
    reader: &mut dyn FrameReader,
    writer: &mut WavWriter,
    progress: &mut dyn FnMut(f64) -> ControlFlow<()>,
) -> Result<(), ConformError> {
    let total = reader.frames();
    let mut block = vec![vec![0.0f32; BLOCK]; reader.channels()];
    let mut at = Frames::ZERO;
    while at < total {
        let mut planes: Vec<&mut [f32]> = block.iter_mut().map(Vec::as_mut_slice).collect();
        let read = reader.read(at, &mut planes)?;
        if read == 0 {
            return Err(ReadError("the file ended early; copy or export it again".into()).into());
        }
        let planes: Vec<&[f32]> = block.iter().filter_map(|plane| plane.get(..read)).collect();
        writer.write(&planes)?;
        at += Frames::from_index(read);
        if progress(at.0 as f64 / total.0 as f64).is_break() {
            return Err(ConformError::Cancelled);
        }
    }
    Ok(())
}
