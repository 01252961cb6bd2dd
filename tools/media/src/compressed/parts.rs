//! Where one recording ends and the next begins in a file of several, joined end to end.
//!
//! Joined MP3 files carry tags in the middle, a chained Ogg a second start of stream (RFC 3533), joined
//! FLAC and MP4 files a second header. Each part is opened as a file of its own.

use super::frame::{self, Frame};
use super::input::Input;
use super::{mkv, sample_entry};
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

/// What a file holds.
pub(super) struct Split {
    /// At least one part.
    pub(super) parts: Vec<Input>,
    /// How much audio a WAV file holds.
    pub(super) wav: Option<Extent>,
    /// Bytes after a part that belong to nothing known.
    pub(super) unknown: u64,
}

/// The parts of the file at `path`.
pub(super) fn split(path: &Path) -> Result<Split, OpenError> {
    let (mut file, metadata) = open_regular(path)?;
    let wav = extent_of_wav(&mut file, metadata.len(), path)?;
    let whole = 0..metadata.len();
    let inner = wav.as_ref().and_then(|(field, extent)| {
        let start = field + 4;
        is_mpeg(&mut file).then(|| start..start.saturating_add(extent.bytes).min(whole.end))
    });
    // What follows the audio of a WAV file is known from its chunks.
    let is_one = wav.is_some() && inner.is_none();
    let inner = inner.unwrap_or(whole);
    let mut scan = Scan { file, end: inner.end, window: Vec::new(), window_at: 0, unknown: 0 };
    let mut found = Vec::new();
    if !is_one {
        found = scan.parts(inner.start).map_err(|error| open_error(path, &error))?;
    }
    match found.as_mut_slice() {
        [] => found.push(vec![inner]),
        // Its tags and what follows belong to the one recording, as far as the reader knows them.
        [one] if one.len() == 1 && scan.unknown == 0 => *one = vec![inner],
        _ => {}
    }
    let unknown = scan.unknown;
    let mut inputs: Vec<Input> = found.into_iter().map(|ranges| Input::new(path, ranges)).collect();
    let Some((field, extent)) = wav else {
        for input in &mut inputs {
            input.mended = mkv::mended(input);
            input.mended.extend(sample_entry::mended(input));
        }
        return Ok(Split { parts: inputs, wav: None, unknown });
    };
    if let Some(first) = inputs.first_mut().filter(|_| !extent.is_right()) {
        let size = u32::try_from(extent.bytes).unwrap_or(u32::MAX);
        first.mended = vec![(4, u32::MAX.to_le_bytes()), (field, size.to_le_bytes())];
    }
    Ok(Split { parts: inputs, wav: Some(extent), unknown })
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
    Mkv,
    /// WAV or AIFF, after another part.
    Riff,
    Mpeg,
}

/// A file that is looked through from front to back.
struct Scan {
    file: File,
    end: u64,
    window: Vec<u8>,
    window_at: u64,
    /// Bytes after a part that belong to nothing known.
    unknown: u64,
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
            let tags_end = self.tags_end(at)?;
            let Some(kind) = self.kind(tags_end)? else {
                let next = if parts.is_empty() { self.end } else { self.next_file(tags_end)? };
                self.unknown += self.unknown_bytes(tags_end, next)?;
                at = next;
                continue;
            };
            at = tags_end;
            let (ranges, end) = match kind {
                Kind::Ogg => self.ogg(at)?,
                Kind::Flac => self.flac(at)?,
                Kind::Mp4 => self.mp4(at)?,
                Kind::Mkv => self.mkv(at)?,
                Kind::Riff => self.riff(at)?,
                Kind::Mpeg => self.mpeg(at)?,
            };
            parts.push(ranges);
            at = end.max(at + 1);
        }
        Ok(parts)
    }

    /// How many bytes from `at` to `end` a person should know of: zeros and a few bytes are padding.
    fn unknown_bytes(&mut self, at: u64, end: u64) -> std::io::Result<u64> {
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

    /// The next place from `at` on where another file begins for certain; the end if there is none.
    fn next_file(&mut self, mut at: u64) -> std::io::Result<u64> {
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

    /// Whether a file begins at `at` that compressed audio cannot look like by chance.
    fn is_certain(&mut self, at: u64) -> std::io::Result<bool> {
        const FRAMES: usize = 6;
        Ok(match self.bytes(at, 48)? {
            [
                b'R',
                b'I' | b'F',
                b'F' | b'6',
                b'F' | b'4',
                _,
                _,
                _,
                _,
                b'W',
                b'A',
                b'V',
                b'E',
                ..,
            ]
            | [b'F', b'O', b'R', b'M', _, _, _, _, b'A', b'I', b'F', b'F' | b'C', ..]
            | [b'O', b'g', b'g', b'S', 0, 2, ..]
            | [b'f', b'L', b'a', b'C', 0 | 0x80, 0, 0, 34, ..]
            | [0, 0, _, _, b'f', b't', b'y', b'p', ..] => true,
            [0x1A, 0x45, 0xDF, 0xA3, rest @ ..] => {
                rest.windows(4).any(|name| matches!(name, b"matr" | b"webm"))
            }
            [b'I', b'D', b'3', ..] => {
                let end = self.tags_end(at)?;
                end < self.end && self.kind(end)?.is_some()
            }
            _ => {
                let (mut at, mut shape) = (at, None);
                for _ in 0..FRAMES {
                    let Some(frame) = self.frame(at)? else {
                        return Ok(false);
                    };
                    if shape.is_some_and(|shape| shape != frame.shape) {
                        return Ok(false);
                    }
                    shape = Some(frame.shape);
                    at += frame.bytes;
                }
                true
            }
        })
    }

    fn kind(&mut self, at: u64) -> std::io::Result<Option<Kind>> {
        let head = self.bytes(at, 12)?;
        let known = match head {
            [b'O', b'g', b'g', b'S', ..] => Some(Kind::Ogg),
            [b'f', b'L', b'a', b'C', ..] => Some(Kind::Flac),
            [_, _, _, _, b'f', b't', b'y', b'p', ..] => Some(Kind::Mp4),
            [0x1A, 0x45, 0xDF, 0xA3, ..] => Some(Kind::Mkv),
            [_, _, _, _, _, _, _, _, b'W', b'A', b'V', b'E'] if Extent::is_file(head) => {
                Some(Kind::Riff)
            }
            [b'F', b'O', b'R', b'M', _, _, _, _, b'A', b'I', b'F', _] => Some(Kind::Riff),
            _ => None,
        };
        Ok(if known.is_none() && self.is_frame(at)? { Some(Kind::Mpeg) } else { known })
    }

    /// The end of tags at `at` (ID3v2, ID3v1, APE), which contain no sound.
    fn tags_end(&mut self, mut at: u64) -> std::io::Result<u64> {
        while let Some(size) = Extent::tag_bytes(self.bytes(at, 16)?) {
            at = at.saturating_add(size);
        }
        Ok(at)
    }

    /// Up to the start of a stream that comes after pages of another.
    fn ogg(&mut self, start: u64) -> std::io::Result<(Vec<Range<u64>>, u64)> {
        const STARTS: u8 = 2;
        let (mut at, mut is_started) = (start, false);
        while at < self.end {
            let page = self.bytes(at, 27 + 255)?;
            let (Some(b"OggS"), Some(flags)) = (page.get(..4), page.get(5)) else {
                let next = self.find(at + 1, b"OggS")?;
                let other = is_started && self.is_certain(at)?;
                if next >= self.end || other {
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

    /// Up to the next file after the blocks of metadata (RFC 9639 section 8), which can contain a picture or the
    /// header of a WAV file.
    fn flac(&mut self, start: u64) -> std::io::Result<(Vec<Range<u64>>, u64)> {
        const LAST: u8 = 0x80;
        let mut at = start + 4;
        while let [kind, a, b, c] = *self.bytes(at, 4)? {
            at += 4 + u64::from(u32::from_be_bytes([0, a, b, c]));
            if kind & LAST != 0 {
                break;
            }
        }
        let end = self.next_file(at.min(self.end))?;
        Ok((std::iter::once(start..end).collect(), end))
    }

    /// Up to the end that the size field says.
    fn riff(&mut self, start: u64) -> std::io::Result<(Vec<Range<u64>>, u64)> {
        let size = match *self.bytes(start, 8)? {
            [b'F', b'O', _, _, a, b, c, d] => u32::from_be_bytes([a, b, c, d]),
            [_, _, _, _, a, b, c, d] => u32::from_le_bytes([a, b, c, d]),
            _ => 0,
        };
        // A placeholder says nothing.
        let is_known = (4..0x7F00_0000).contains(&size);
        let end = if is_known { start + 8 + u64::from(size) } else { self.end };
        let end = end.min(self.end);
        Ok((std::iter::once(start..end).collect(), end))
    }

    /// Up to what is no element. Segments and clusters of unknown size are looked through.
    fn mkv(&mut self, start: u64) -> std::io::Result<(Vec<Range<u64>>, u64)> {
        let mut at = start;
        while at < self.end {
            let is_next = at > start && self.begins(at, &[0x1A, 0x45, 0xDF, 0xA3])?;
            let length = if is_next { None } else { mkv::element_bytes(self.bytes(at, 12)?) };
            let Some(length) = length else {
                break;
            };
            at = at.saturating_add(length).min(self.end);
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
            // A box has a name; what follows the last one does not, or is another file.
            let is_box = name.iter().all(|c| matches!(c, 0x20..0x7F | 0xA9));
            let head = [a, b, c, d, name[0], name[1], name[2], name[3]];
            if at > start && (!is_box || Extent::is_file(&head)) {
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
                // Nothing more that is known: as a rule the padding of the last frame.
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
            let Some(skip) = window.iter().position(|byte| {
                matches!(byte, 0 | 0x1A | 0xFF | b'F' | b'I' | b'O' | b'R' | b'f')
            }) else {
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
