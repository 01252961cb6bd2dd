//! Looks through a file from front to back for where other files begin: the readers of files that were joined end to
//! end ask it where one ends.

use crate::frame::{self, Frame};
use crate::signatures;
use std::io::{Read, Result, Seek, SeekFrom};

/// What a file is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Ogg,
    Flac,
    Mp4,
    Mkv,
    /// WAV or AIFF.
    Riff,
    Mpeg,
}

/// A file that is looked through.
pub(crate) struct Scan<F> {
    file: F,
    pub(crate) end: u64,
    window: Vec<u8>,
    window_at: u64,
    /// Bytes after a file that belong to nothing known.
    pub(crate) unknown: u64,
}

impl<F: Read + Seek> Scan<F> {
    pub(crate) fn new(file: F, end: u64) -> Self {
        Self { file, end, window: Vec::new(), window_at: 0, unknown: 0 }
    }

    /// Up to `count` bytes at `at`, fewer at the end.
    pub(crate) fn bytes(&mut self, at: u64, count: usize) -> Result<&[u8]> {
        const WINDOW: u64 = 1 << 16;
        let left = self.end.saturating_sub(at);
        let count = count.min(usize::try_from(left).unwrap_or(usize::MAX));
        let held = self.window_at..self.window_at + self.window.len() as u64;
        if !held.contains(&at) || held.end - at < count as u64 {
            self.file.seek(SeekFrom::Start(at))?;
            self.window.clear();
            self.window_at = at;
            (&mut self.file).take(left.min(WINDOW)).read_to_end(&mut self.window)?;
        }
        let skip = usize::try_from(at - self.window_at).unwrap_or(usize::MAX);
        let rest = self.window.get(skip..).unwrap_or_default();
        Ok(rest.get(..count).unwrap_or(rest))
    }

    /// The bytes at `at`; those after the end are 0.
    pub(crate) fn array<const N: usize>(&mut self, at: u64) -> Result<[u8; N]> {
        let mut array = [0; N];
        for (to, from) in array.iter_mut().zip(self.bytes(at, N)?) {
            *to = *from;
        }
        Ok(array)
    }

    pub(crate) fn begins(&mut self, at: u64, with: &[u8]) -> Result<bool> {
        Ok(self.bytes(at, with.len())? == with)
    }

    /// The next place from `at` on where `bytes` are; the end of the file if there is none.
    pub(crate) fn find(&mut self, mut at: u64, bytes: &[u8]) -> Result<u64> {
        while at < self.end {
            let window = self.bytes(at, 1 << 15)?;
            let length = window.len();
            if let Some(found) = window.windows(bytes.len()).position(|here| here == bytes) {
                return Ok(at + found as u64);
            }
            at += (length + 1).saturating_sub(bytes.len()).max(1) as u64;
        }
        Ok(self.end)
    }

    /// The next place from `at` on where another file begins for certain; the end if there is none.
    pub(crate) fn next_file(&mut self, mut at: u64) -> Result<u64> {
        while at < self.end {
            let window = self.bytes(at, 1 << 15)?;
            let mark = |four: &[u8]| {
                matches!(
                    four,
                    b"RIFF"
                        | b"RF64"
                        | b"FORM"
                        | b"OggS"
                        | b"fLaC"
                        | b"ftyp"
                        | [0x1A, 0x45, 0xDF, 0xA3]
                ) || matches!(four, [b'I', b'D', b'3', 2..=4] | [0xFF, 0xE0..=0xFF, _, _])
            };
            let Some(skip) = window.windows(4).position(mark) else {
                at += (window.len() + 1).saturating_sub(4).max(1) as u64;
                continue;
            };
            at += skip as u64;
            // The size of a box comes before its name.
            let start = if self.begins(at, b"ftyp")? { at.saturating_sub(4) } else { at };
            if self.is_certain(start)? {
                return Ok(start);
            }
            at += 1;
        }
        Ok(self.end)
    }

    /// Whether a file begins at `at` that audio cannot look like by chance.
    pub(crate) fn is_certain(&mut self, at: u64) -> Result<bool> {
        let head = self.bytes(at, 48)?;
        let (four, form) = (head.get(..4).unwrap_or_default(), head.get(8..12).unwrap_or_default());
        Ok(match (four, form) {
            (b"RIFF" | b"RF64", b"WAVE") | (b"FORM", b"AIFF" | b"AIFC") => true,
            (b"OggS", _) => matches!(head.get(4..6), Some([0, 2])),
            (b"fLaC", _) => matches!(head.get(4..8), Some([0 | 0x80, 0, 0, 34])),
            ([0, 0, _, _], _) => head.get(4..8) == Some(b"ftyp"),
            ([0x1A, 0x45, 0xDF, 0xA3], _) => {
                head.windows(4).any(|name| matches!(name, b"matr" | b"webm"))
            }
            ([b'I', b'D', b'3', _], _) => {
                let end = self.tags_end(at)?;
                end < self.end && self.kind(end)?.is_some()
            }
            _ => self.is_run_of_frames(at)?,
        })
    }

    /// Whether frames of one shape follow one another from `at` on, too many for chance.
    fn is_run_of_frames(&mut self, mut at: u64) -> Result<bool> {
        const FRAMES: usize = 6;
        const LEAST: usize = 3;
        let mut shape = None;
        for count in 0..FRAMES {
            if at >= self.end && count >= LEAST {
                break;
            }
            let Some(frame) = self.frame(at)? else {
                return Ok(false);
            };
            if shape.is_some_and(|shape| shape != frame.shape) {
                return Ok(false);
            }
            shape = Some(frame.shape);
            at += frame.bytes;
        }
        Ok(true)
    }

    pub(crate) fn kind(&mut self, at: u64) -> Result<Option<Kind>> {
        let head = self.bytes(at, 12)?;
        let known = match head {
            [b'O', b'g', b'g', b'S', ..] => Some(Kind::Ogg),
            [b'f', b'L', b'a', b'C', ..] => Some(Kind::Flac),
            [_, _, _, _, b'f', b't', b'y', b'p', ..] => Some(Kind::Mp4),
            [0x1A, 0x45, 0xDF, 0xA3, ..] => Some(Kind::Mkv),
            [_, _, _, _, _, _, _, _, b'W', b'A', b'V', b'E'] if signatures::is_file(head) => {
                Some(Kind::Riff)
            }
            [b'F', b'O', b'R', b'M', _, _, _, _, b'A', b'I', b'F', _] => Some(Kind::Riff),
            _ => None,
        };
        Ok(if known.is_none() && self.is_frame(at)? { Some(Kind::Mpeg) } else { known })
    }

    /// The end of tags at `at` (ID3v2, ID3v1, APE), which contain no sound.
    pub(crate) fn tags_end(&mut self, mut at: u64) -> Result<u64> {
        while let Some(size) = signatures::tag_bytes(self.bytes(at, 16)?) {
            at = at.saturating_add(size);
        }
        Ok(at)
    }

    pub(crate) fn frame(&mut self, at: u64) -> Result<Option<Frame>> {
        Ok(frame::parse(self.bytes(at, frame::MOST_HEAD)?))
    }

    /// Whether a frame is at `at`, and another or the end after it.
    pub(crate) fn is_frame(&mut self, at: u64) -> Result<bool> {
        let Some(first) = self.frame(at)? else {
            return Ok(false);
        };
        let next = at + first.bytes;
        // What reaches over the end is no frame unless it is the only one.
        Ok(next == self.end
            || next > self.end && at == 0
            || self.frame(next)?.is_some_and(|second| second.shape == first.shape))
    }

    /// How many bytes from `at` to `end` a person should know of: zeros and a few bytes are padding.
    pub(crate) fn unknown_bytes(&mut self, at: u64, end: u64) -> Result<u64> {
        const PADDING: u64 = 8;
        let (bytes, mut place) = (end.saturating_sub(at), at);
        while bytes >= PADDING && place < end {
            let window = self.bytes(place, 1 << 15)?;
            let left = usize::try_from(end - place).unwrap_or(usize::MAX);
            let window = window.get(..left).unwrap_or(window);
            if window.is_empty() {
                break;
            }
            if window.iter().any(|byte| *byte != 0) {
                return Ok(bytes);
            }
            place += window.len() as u64;
        }
        Ok(0)
    }
}
