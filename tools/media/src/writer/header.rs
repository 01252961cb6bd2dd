//! The header of a WAV file. It keeps a place for `ds64`, so that RF64 needs no rewriting.
//!
//! Sources: Microsoft WAVE_FORMAT_EXTENSIBLE; EBU Tech 3306 (RF64).

use super::BitDepth;

/// The content of the header, apart from the length.
#[derive(Debug)]
pub(super) struct Header {
    pub(super) rate: u32,
    pub(super) channels: usize,
    pub(super) depth: BitDepth,
    /// Largest size that is written as plain RIFF.
    pub(super) limit: u64,
}

/// The second half of the sub-format GUIDs of PCM and float.
const GUID_TAIL: [u8; 14] =
    [0x00, 0x00, 0x00, 0x00, 0x10, 0x00, 0x80, 0x00, 0x00, 0xAA, 0x00, 0x38, 0x9B, 0x71];

impl Header {
    /// The bytes before the samples, for this many frames. Their number never changes.
    pub(super) fn bytes(&self, frames: u64) -> Vec<u8> {
        let data = self.data_bytes(frames);
        let format = self.format();
        let rest = 4 + 36 + 8 + format.len() as u64 + 12 + 8;
        let riff = rest + data + data % 2;
        let large = riff > self.limit;
        let size = |n: u64| u32::try_from(n).ok().filter(|_| !large).unwrap_or(u32::MAX);
        let mut out = Vec::with_capacity(128);
        out.extend(if large { b"RF64" } else { b"RIFF" });
        out.extend(size(riff).to_le_bytes());
        out.extend(b"WAVE");
        out.extend(if large { b"ds64" } else { b"JUNK" });
        out.extend(28u32.to_le_bytes());
        for value in [riff, data, frames] {
            out.extend(if large { value } else { 0 }.to_le_bytes());
        }
        out.extend(0u32.to_le_bytes());
        out.extend(b"fmt ");
        out.extend(u32::try_from(format.len()).unwrap_or(0).to_le_bytes());
        out.extend(format);
        out.extend(b"fact");
        out.extend(4u32.to_le_bytes());
        out.extend(size(frames).to_le_bytes());
        out.extend(b"data");
        out.extend(size(data).to_le_bytes());
        out
    }

    /// How many bytes samples take.
    pub(super) fn data_bytes(&self, frames: u64) -> u64 {
        frames * self.frame_bytes()
    }

    fn frame_bytes(&self) -> u64 {
        (self.channels * self.depth.bytes()) as u64
    }

    /// The body of `fmt `: extensible above two channels, else the form that everything reads.
    fn format(&self) -> Vec<u8> {
        let tag: u16 = if self.depth == BitDepth::F32 { 3 } else { 1 };
        let extensible = self.channels > 2;
        let channels = u16::try_from(self.channels).unwrap_or(u16::MAX);
        let align = u16::try_from(self.frame_bytes()).unwrap_or(u16::MAX);
        let bits = u16::try_from(self.depth.bytes() * 8).unwrap_or(32);
        let mut out = Vec::with_capacity(40);
        out.extend(if extensible { 0xFFFE } else { tag }.to_le_bytes());
        out.extend(channels.to_le_bytes());
        out.extend(self.rate.to_le_bytes());
        out.extend(self.rate.saturating_mul(align.into()).to_le_bytes());
        out.extend(align.to_le_bytes());
        out.extend(bits.to_le_bytes());
        if extensible {
            out.extend(22u16.to_le_bytes());
            out.extend(bits.to_le_bytes());
            out.extend(mask(self.channels).to_le_bytes());
            out.extend(tag.to_le_bytes());
            out.extend(GUID_TAIL);
        } else if tag == 3 {
            out.extend(0u16.to_le_bytes());
        }
        out
    }
}

/// Speaker positions by number of channels: 3.0, quad, 5.0, 5.1, 6.1, 7.1; beyond that unnamed.
fn mask(channels: usize) -> u32 {
    match channels {
        3 => 0x7,
        4 => 0x33,
        5 => 0x607,
        6 => 0x60F,
        7 => 0x70F,
        8 => 0x63F,
        _ => 0,
    }
}
