//! FLAC: frames by `flacenc`, the blocks around them by hand, since a file is written as it comes.

use super::error::ExportError;
use flacenc::bitsink::ByteSink;
use flacenc::component::{BitRepr, StreamInfo};
use flacenc::config::Encoder as Config;
use flacenc::error::{Verified, Verify};
use flacenc::source::{Context, Fill, FrameBuf};
use std::io::{Seek, SeekFrom, Write};

/// Frames of a block.
const BLOCK: usize = 4096;
/// Least frames of a block.
const LEAST: usize = 32;
/// The highest rate that the encoder takes, in Hz.
pub(super) const MOST_RATE: u32 = 96_000;
/// Bytes ahead of the body of the first metadata block.
const INFO_AT: u64 = 8;

/// A FLAC file being written.
pub(super) struct FlacWriter<W: Write + Seek> {
    sink: W,
    config: Verified<Config>,
    info: StreamInfo,
    context: Context,
    held: Vec<i32>,
    channels: usize,
    sizes: (usize, usize),
    blocks: usize,
}

impl<W: Write + Seek> FlacWriter<W> {
    /// `bits` is 16 or 24; `comments` are names with values ("TITLE", "CHAPTER001", …).
    pub(super) fn new(
        mut sink: W,
        rate: u32,
        channels: usize,
        bits: usize,
        comments: &[(String, String)],
    ) -> Result<Self, ExportError> {
        let failed = |error: &dyn std::fmt::Debug| ExportError::Encode(format!("{error:?}"));
        let config = Config::default().into_verified().map_err(|(_, error)| failed(&error))?;
        let mut info =
            StreamInfo::new(rate as usize, channels, bits).map_err(|error| failed(&error))?;
        info.set_block_sizes(BLOCK, BLOCK).map_err(|error| failed(&error))?;
        let context = Context::new(bits, channels);
        sink.write_all(b"fLaC")?;
        let (held, sizes, blocks) = (Vec::new(), (usize::MAX, 0), 0);
        let mut writer = Self { sink, config, info, context, held, channels, sizes, blocks };
        writer.info_block()?;
        let body = vorbis_comment(comments);
        // The last block of metadata has the top bit set.
        let length = u32::try_from(body.len()).unwrap_or(u32::MAX).min(0x00ff_ffff);
        writer.sink.write_all(&(0x8400_0000 | length).to_be_bytes())?;
        writer.sink.write_all(&body)?;
        Ok(writer)
    }

    /// Appends frames, interleaved.
    pub(super) fn write(&mut self, interleaved: &[i32]) -> Result<(), ExportError> {
        self.held.extend_from_slice(interleaved);
        let block = BLOCK * self.channels;
        while self.held.len() >= block {
            let rest = self.held.split_off(block);
            let full = std::mem::replace(&mut self.held, rest);
            self.block(&full)?;
        }
        Ok(())
    }

    fn block(&mut self, samples: &[i32]) -> Result<(), ExportError> {
        let failed = |error: &dyn std::fmt::Debug| ExportError::Encode(format!("{error:?}"));
        let frames = (samples.len() / self.channels).max(LEAST);
        let mut buffer = FrameBuf::with_size(self.channels, frames).map_err(|e| failed(&e))?;
        buffer.fill_interleaved(samples).map_err(|e| failed(&e))?;
        self.context.fill_interleaved(samples).map_err(|e| failed(&e))?;
        let frame =
            flacenc::encode_fixed_size_frame(&self.config, &buffer, self.blocks, &self.info)
                .map_err(|e| failed(&e))?;
        let mut bytes = ByteSink::new();
        frame.write(&mut bytes).map_err(|e| failed(&e))?;
        self.blocks += 1;
        let size = bytes.as_slice().len();
        self.sizes = (self.sizes.0.min(size), self.sizes.1.max(size));
        Ok(self.sink.write_all(bytes.as_slice())?)
    }

    /// The first block of metadata with what is known by now.
    fn info_block(&mut self) -> Result<(), ExportError> {
        let mut body = ByteSink::new();
        let failed = |error: &dyn std::fmt::Debug| ExportError::Encode(format!("{error:?}"));
        self.info.write(&mut body).map_err(|e| failed(&e))?;
        let length = u32::try_from(body.as_slice().len()).unwrap_or(34);
        self.sink.write_all(&length.to_be_bytes())?;
        Ok(self.sink.write_all(body.as_slice())?)
    }

    /// Completes the file; gives back what it was written to.
    pub(super) fn finish(mut self) -> Result<W, ExportError> {
        let failed = |error: &dyn std::fmt::Debug| ExportError::Encode(format!("{error:?}"));
        let rest = std::mem::take(&mut self.held);
        if !rest.is_empty() {
            // A last block that is too short for the encoder is filled up with silence.
            let mut rest = rest;
            let least = LEAST * self.channels;
            rest.resize(rest.len().max(least), 0);
            self.block(&rest)?;
        }
        self.info.set_total_samples(self.context.total_samples());
        self.info.set_md5_digest(&self.context.md5_digest());
        if self.blocks > 0 {
            self.info.set_frame_sizes(self.sizes.0, self.sizes.1).map_err(|e| failed(&e))?;
        }
        self.sink.seek(SeekFrom::Start(INFO_AT - 4))?;
        self.info_block()?;
        self.sink.seek(SeekFrom::End(0))?;
        self.sink.flush()?;
        Ok(self.sink)
    }
}

/// The body of a block of comments, little-endian: who wrote it, then `NAME=value` each.
fn vorbis_comment(comments: &[(String, String)]) -> Vec<u8> {
    let mut body = Vec::new();
    let mut text = |text: &str| {
        body.extend(u32::try_from(text.len()).unwrap_or(0).to_le_bytes());
        body.extend(text.as_bytes());
    };
    text("Deskhand");
    let mut entries = Vec::new();
    for (name, value) in comments {
        let entry = format!("{name}={value}");
        entries.extend(u32::try_from(entry.len()).unwrap_or(0).to_le_bytes());
        entries.extend(entry.as_bytes());
    }
    body.extend(u32::try_from(comments.len()).unwrap_or(0).to_le_bytes());
    body.extend(entries);
    body
}
