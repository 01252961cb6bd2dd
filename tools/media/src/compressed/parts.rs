//! Where one recording ends and the next begins in a file of several, joined end to end.
//!
//! Joined MP3 files carry tags in the middle, a chained Ogg a second start of stream (RFC 3533), joined
//! FLAC and MP4 files a second header. Each part is opened as a file of its own.

use super::frame::{self, Frame};
use super::input::Input;
use super::mkv;
use crate::chunks::Kind as Riff;
use crate::error::OpenError;
use crate::file::{open_error, open_regular};
use crate::pcm::{Extent, extent_of_wav};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;

/// Most parts that are followed.
pub(super) const MOST_PARTS: usize = 1000;

/// The parts of the file at `path`, at least one, and of a WAV file how much audio it holds.
pub(super) fn split(path: &Path) -> Result<(Vec<Input>, Option<Extent>), OpenError> {
    let (mut file, metadata) = open_regular(path)?;
    let wav = extent_of_wav(&mut file, metadata.len(), path)?;
    let whole = 0..metadata.len();
    let inner = wav.as_ref().and_then(|(field, extent)| {
        let start = field + 4;
        is_mpeg(&mut file).then(|| start..start.saturating_add(extent.bytes).min(whole.end))
    });
    let inner = inner.unwrap_or(whole);
    let end = inner.end;
    let mut scan = Scan { file, end, window: Vec::new(), window_at: 0 };
    let mut found = scan.parts(inner.start).map_err(|error| open_error(path, &error))?;
    match found.as_mut_slice() {
        [] => found.push(vec![inner]),
        // Its tags and what follows belong to the one recording, as far as the reader knows them.
        [one] if one.len() == 1 => *one = vec![inner],
        _ => {}
    }
    let mut inputs: Vec<Input> = found.into_iter().map(|ranges| Input::new(path, ranges)).collect();
    let Some((field, extent)) = wav else {
        for input in &mut inputs {
            input.mended = mkv::mended(input);
        }
        return Ok((inputs, None));
    };
    if let Some(first) = inputs.first_mut().filter(|_| !extent.is_right()) {
        let size = u32::try_from(extent.bytes).unwrap_or(u32::MAX);
        first.mended = vec![(4, u32::MAX.to_le_bytes()), (field, size.to_le_bytes())];
    }
    Ok((inputs, Some(extent)))
}

/// Whether a WAV file holds MPEG audio.
fn is_mpeg(file: &mut File) -> bool {
    const MPEG: u16 = 0x50;
    const MP3: u16 = 0x55;
    let mut tag = || {
        file.rewind().ok()?;
        let riff = Riff::of(file)?;
        riff.find(file, *b"fmt ")?;
        let mut tag = [0; 2];
        file.read_exact(&mut tag).ok()?;
        Some(riff.u16(tag))
    };
    tag().is_some_and(|tag| matches!(tag, MPEG | MP3))
}

/// What a part is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Ogg,
    Flac,
    Mp4,
    Mpeg,
}

/// A file that is looked through from front to back.
struct Scan {
    file: File,
    end: u64,
    window: Vec<u8>,
    window_at: u64,
}

impl Scan {
    /// Up to `count` bytes at `at`, fewer at the end.
    fn bytes(&mut self, at: u64, count: usize) -> std::io::Result<&[u8]> {
        const WINDOW: u64 = 1 << 16;
        let left = self.end.saturating_sub(at);
        let count = count.min(usize::try_from(left).unwrap_or(usize::MAX));
        let held = self.window_at..self.window_at + self.window.len() as u64;
        if !held.contains(&at) || held.end - at < count as u64 {
            self.file.seek(SeekFrom::Start(at))?;
            self.window.clear();
            self.window_at = at;
            (&self.file).take(left.min(WINDOW)).read_to_end(&mut self.window)?;
        }
        let skip = usize::try_from(at - self.window_at).unwrap_or(usize::MAX);
        let rest = self.window.get(skip..).unwrap_or_default();
        Ok(rest.get(..count).unwrap_or(rest))
    }

    fn begins(&mut self, at: u64, with: &[u8]) -> std::io::Result<bool> {
        Ok(self.bytes(at, with.len())? == with)
    }

    /// The next place from `at` on where `bytes` are; the end of the file if there is none.
    fn find(&mut self, mut at: u64, bytes: &[u8]) -> std::io::Result<u64> {
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

    /// The stretches of each part from `at` on.
    fn parts(&mut self, mut at: u64) -> std::io::Result<Vec<Vec<Range<u64>>>> {
        let mut parts: Vec<Vec<Range<u64>>> = Vec::new();
        while at < self.end && parts.len() <= MOST_PARTS {
            at = self.tags_end(at)?;
            let Some(kind) = self.kind(at)? else {
                break;
            };
            let (ranges, end) = match kind {
                Kind::Ogg => self.ogg(at)?,
                Kind::Flac => self.flac(at)?,
                Kind::Mp4 => self.mp4(at)?,
                Kind::Mpeg => self.mpeg(at)?,
            };
            parts.push(ranges);
            at = end.max(at + 1);
        }
        // What nothing is known of belongs to the part that it follows.
        if let Some(last) = parts.last_mut().and_then(|part| part.last_mut())
            && last.end == at
        {
            last.end = self.end.max(last.end);
        }
        Ok(parts)
    }

    fn kind(&mut self, at: u64) -> std::io::Result<Option<Kind>> {
        let known = match self.bytes(at, 12)? {
            [b'O', b'g', b'g', b'S', ..] => Some(Kind::Ogg),
            [b'f', b'L', b'a', b'C', ..] => Some(Kind::Flac),
            [_, _, _, _, b'f', b't', b'y', b'p', ..] => Some(Kind::Mp4),
            _ => None,
        };
        Ok(if known.is_none() && self.is_frame(at)? { Some(Kind::Mpeg) } else { known })
    }

    /// The end of tags at `at` (ID3v2, ID3v1, APE), which contain no sound.
    fn tags_end(&mut self, mut at: u64) -> std::io::Result<u64> {
        loop {
            let size = match self.bytes(at, 16)? {
                [b'I', b'D', b'3', _, _, flags, a, b, c, d, ..] => {
                    let body =
                        [a, b, c, d].iter().fold(0, |n, byte| n << 7 | u64::from(**byte & 0x7F));
                    10 + body + if flags & 0x10 != 0 { 10 } else { 0 }
                }
                [b'T', b'A', b'G', ..] => 128,
                [b'A', b'P', b'E', b'T', b'A', b'G', b'E', b'X', _, _, _, _, a, b, c, d, ..] => {
                    32 + u64::from(u32::from_le_bytes([*a, *b, *c, *d]))
                }
                _ => return Ok(at),
            };
            at += size;
        }
    }

    /// Up to the start of a stream that comes after pages of another.
    fn ogg(&mut self, start: u64) -> std::io::Result<(Vec<Range<u64>>, u64)> {
        const STARTS: u8 = 2;
        let (mut at, mut is_started) = (start, false);
        while at < self.end {
            let page = self.bytes(at, 27 + 255)?;
            let (Some(b"OggS"), Some(flags)) = (page.get(..4), page.get(5)) else {
                let next = self.find(at + 1, b"OggS")?;
                if next >= self.end {
                    break;
                }
                at = next;
                continue;
            };
            let starts = flags & STARTS != 0;
            if starts && is_started {
                break;
            }
            is_started |= !starts;
            let count = page.get(26).map_or(0, |count| usize::from(*count));
            let lengths = page.get(27..27 + count).unwrap_or_default();
            at += 27 + count as u64 + lengths.iter().map(|n| u64::from(*n)).sum::<u64>();
        }
        let end = at.min(self.end);
        Ok((std::iter::once(start..end).collect(), end))
    }

    /// Up to the next header: the mark, then the block that comes first, of 34 bytes.
    fn flac(&mut self, start: u64) -> std::io::Result<(Vec<Range<u64>>, u64)> {
        let mut at = start + 4;
        loop {
            at = self.find(at, b"fLaC")?;
            if at >= self.end || matches!(self.bytes(at + 4, 4)?, [0 | 0x80, 0, 0, 34]) {
                break;
            }
            at += 4;
        }
        Ok((std::iter::once(start..at).collect(), at))
    }

    /// Up to the next file header among the outermost boxes.
    fn mp4(&mut self, start: u64) -> std::io::Result<(Vec<Range<u64>>, u64)> {
        let mut at = start;
        while at < self.end {
            let &[a, b, c, d, ref name @ .., e, f, g, h, i, j, k, l] = self.bytes(at, 16)? else {
                break;
            };
            if name == b"ftyp" && at > start {
                break;
            }
            let size = match u32::from_be_bytes([a, b, c, d]) {
                0 => self.end - at,
                1 => u64::from_be_bytes([e, f, g, h, i, j, k, l]),
                size => u64::from(size),
            };
            if size < 8 {
                break;
            }
            at = at.saturating_add(size).min(self.end);
        }
        Ok((std::iter::once(start..at).collect(), at))
    }

    fn frame(&mut self, at: u64) -> std::io::Result<Option<Frame>> {
        Ok(frame::parse(self.bytes(at, frame::MOST_HEAD)?))
    }

    /// Whether a frame is at `at`, and another or the end after it.
    fn is_frame(&mut self, at: u64) -> std::io::Result<bool> {
        let Some(first) = self.frame(at)? else {
            return Ok(false);
        };
        let next = at + first.bytes;
        Ok(next >= self.end || self.frame(next)?.is_some_and(|second| second.shape == first.shape))
    }

    /// MPEG frames up to the next one with an encoder's tag, or of another shape; tags between them are
    /// left out.
    fn mpeg(&mut self, start: u64) -> std::io::Result<(Vec<Range<u64>>, u64)> {
        let (mut ranges, mut from, mut at, mut shape) = (Vec::new(), start, start, None);
        while at < self.end {
            let after = self.tags_end(at)?;
            if after > at {
                ranges.push(from..at);
                (from, at) = (after, after);
                continue;
            }
            let Some(frame) = self.frame(at)? else {
                if shape.is_some() && self.kind(at)?.is_some() {
                    break;
                }
                at = self.resync(at + 1)?;
                continue;
            };
            if let Some(shape) = shape {
                let changes = shape != frame.shape && self.is_frame(at)?;
                if frame.is_tag || changes {
                    break;
                }
            }
            shape.get_or_insert(frame.shape);
            at += frame.bytes;
        }
        let end = at.min(self.end);
        ranges.push(from.min(end)..end);
        ranges.retain(|range| range.start < range.end);
        Ok((ranges, end))
    }

    /// The next place at which frames, tags or another file begin.
    fn resync(&mut self, mut at: u64) -> std::io::Result<u64> {
        while at < self.end {
            let window = self.bytes(at, 1 << 15)?;
            let Some(skip) =
                window.iter().position(|byte| matches!(byte, 0xFF | b'I' | b'O' | b'f'))
            else {
                at += window.len().max(1) as u64;
                continue;
            };
            at += skip as u64;
            if self.begins(at, b"ID3")? || self.kind(at)?.is_some() {
                break;
            }
            at += 1;
        }
        Ok(at.min(self.end))
    }
}
