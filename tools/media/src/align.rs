//! The bytes a frame that the header of a WAV file claims. Where they contradict its channels and
//! bits, one of the three is wrong, and reading on would give noise.

use crate::chunks::Kind;
use crate::error::{OpenError, shown};
use std::fs::File;
use std::io::{Read, Seek};
use std::path::Path;

/// What the `fmt ` chunk says of a frame.
struct Frame {
    channels: u16,
    bits: u16,
    bytes: u16,
}

/// Refuses a WAV file of integers or floats whose header contradicts itself. Silent about other files.
pub(crate) fn check(path: &Path) -> Result<(), OpenError> {
    let frame = File::open(path).ok().and_then(frame).filter(|frame| !frame.agrees());
    let Some(Frame { channels, bits, bytes }) = frame else {
        return Ok(());
    };
    let problem = format!(
        "its header contradicts itself, {channels} channels of {bits} bits take {} bytes a frame, it \
         says {bytes}",
        u32::from(channels) * u32::from(bits.div_ceil(8))
    );
    Err(OpenError::Damaged { file: shown(path), problem })
}

impl Frame {
    /// A sample takes as many bytes as its bits need, or four. Nothing said is no contradiction.
    fn agrees(&self) -> bool {
        let takes =
            |bytes: u16| u32::from(self.channels) * u32::from(bytes) == u32::from(self.bytes);
        let in_four = (17..=32).contains(&self.bits) && takes(4);
        self.bytes == 0 || self.bits == 0 || takes(self.bits.div_ceil(8)) || in_four
    }
}

fn frame(mut file: impl Read + Seek) -> Option<Frame> {
    let kind = Kind::of(&mut file).filter(|kind| &kind.form == b"WAVE")?;
    let size = kind.find(&mut file, *b"fmt ")?;
    let mut body = Vec::new();
    file.take(size.min(40)).read_to_end(&mut body).ok()?;
    let number = |at: usize| body.get(at..)?.first_chunk().map(|bytes| kind.u16(*bytes));
    let codec = match number(0)? {
        // Extensible: the codec comes at the end.
        0xFFFE => number(24)?,
        codec => codec,
    };
    let uncompressed = matches!(codec, 1 | 3);
    let frame = Frame { channels: number(2)?, bytes: number(12)?, bits: number(14)? };
    uncompressed.then_some(frame)
}
