//! Finds one chunk of a RIFF, RIFX or FORM file, for facts other than the layout of its samples.

use std::io::{Read, Seek, SeekFrom};

/// Most chunks that are looked at.
const MOST_CHUNKS: usize = 4096;

/// What a file calls itself, and the order of the bytes in its numbers.
pub(crate) struct Kind {
    /// "WAVE", "AIFF", "AIFC".
    pub(crate) form: [u8; 4],
    big_endian: bool,
}

impl Kind {
    /// From the first 12 bytes; `None` if there are fewer, or the file is of another kind.
    pub(crate) fn of(file: &mut impl Read) -> Option<Self> {
        let mut head = [0; 12];
        file.read_exact(&mut head).ok()?;
        let [a, b, c, d, _, _, _, _, form @ ..] = head;
        let big_endian = match &[a, b, c, d] {
            b"RIFF" | b"RF64" | b"BW64" => false,
            b"RIFX" | b"FORM" => true,
            _ => return None,
        };
        Some(Self { form, big_endian })
    }

    pub(crate) fn u32(&self, bytes: [u8; 4]) -> u32 {
        if self.big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) }
    }

    pub(crate) fn u16(&self, bytes: [u8; 2]) -> u16 {
        if self.big_endian { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) }
    }

    /// Moves to the body of the first chunk of that name; its length.
    pub(crate) fn find(&self, file: &mut (impl Read + Seek), wanted: [u8; 4]) -> Option<u64> {
        let mut at = 12u64;
        for _ in 0..MOST_CHUNKS {
            let mut head = [0; 8];
            file.seek(SeekFrom::Start(at)).ok()?;
            file.read_exact(&mut head).ok()?;
            let [id @ .., a, b, c, d] = head;
            let size = u64::from(self.u32([a, b, c, d]));
            if id == wanted {
                return Some(size);
            }
            // Chunks are padded to an even length.
            at = at + 8 + size + (size & 1);
        }
        None
    }
}
