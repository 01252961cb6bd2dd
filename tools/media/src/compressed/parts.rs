//! Where one recording ends and the next begins in a file of several, joined end to end.
//!
//! Joined MP3 files carry tags in the middle, a chained Ogg a second start of stream (RFC 3533), joined
//! FLAC and MP4 files a second header. Each part is opened as a file of its own.

use super::input::Input;
use super::{mkv, sample_entry};
use crate::chunks::Kind as Riff;
use crate::error::OpenError;
use crate::file::{open_error, open_regular};
use crate::pcm::{RiffAudio, riff_audio};
use crate::scan::{Kind, Scan};
use crate::signatures;
use std::fs::File;
use std::io::{Read, Seek};
use std::ops::Range;
use std::path::Path;

/// Most parts that are followed.
pub(super) const MOST_PARTS: usize = 1000;

/// What a file holds.
pub(super) struct Split {
    /// At least one part.
    pub(super) parts: Vec<Input>,
    /// The audio of the first part, if that is a WAV or AIFF file.
    pub(super) riff: Option<RiffAudio>,
    /// Bytes after a part that belong to nothing known.
    pub(super) unknown: u64,
}

pub(super) fn split(path: &Path) -> Result<Split, OpenError> {
    let (mut file, metadata) = open_regular(path)?;
    let riff = riff_audio(&mut file, metadata.len(), path)?;
    let end = metadata.len() - riff.as_ref().map_or(0, |riff| riff.extent.joined());
    let inner = riff.as_ref().and_then(|riff| {
        let start = riff.size_field + 4;
        is_mpeg(&mut file).then(|| start..start.saturating_add(riff.extent.bytes).min(end))
    });
    // What follows the audio of a WAV file is known from its chunks.
    let is_one = riff.is_some() && inner.is_none();
    let inner = inner.unwrap_or(0..end);
    let mut scan = Scan::new(file, inner.end);
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
    scan.end = metadata.len();
    found.extend(scan.parts(end).map_err(|error| open_error(path, &error))?);
    let unknown = scan.unknown;
    let mut inputs: Vec<Input> = found.into_iter().map(|ranges| Input::new(path, ranges)).collect();
    for input in inputs.iter_mut().skip(usize::from(riff.is_some())) {
        input.mended = mkv::mended(input);
        input.mended.extend(sample_entry::mended(input));
    }
    let first = inputs.first_mut();
    if let (Some(first), Some(riff)) = (first, &riff)
        && !riff.extent.is_right()
    {
        let size = u32::try_from(riff.extent.bytes).unwrap_or(u32::MAX);
        first.mended = vec![(4, u32::MAX.to_le_bytes()), (riff.size_field, size.to_le_bytes())];
    }
    Ok(Split { parts: inputs, riff, unknown })
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

impl Scan<File> {
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
        let audio = at.min(self.end);
        let end = self.next_file(audio)?;
        if let Some(known) = self.flac_end(audio, end)? {
            self.unknown += self.unknown_bytes(known, end)?;
        }
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

    /// Up to the first bytes that are no element. Segments and clusters of unknown size are searched.
    fn mkv(&mut self, start: u64) -> std::io::Result<(Vec<Range<u64>>, u64)> {
        const EBML: [u8; 4] = [0x1A, 0x45, 0xDF, 0xA3];
        let (mut at, mut last, mut is_cut) = (start, start, false);
        while at < self.end {
            let is_next = at > start && self.begins(at, &EBML)?;
            let length = if is_next { None } else { mkv::element_bytes(self.bytes(at, 12)?) };
            let Some(length) = length else {
                is_cut = !is_next;
                break;
            };
            last = at;
            at = at.saturating_add(length);
            is_cut = at > self.end;
        }
        let mut end = at.min(self.end);
        if is_cut {
            // The last element may go over the start of another file.
            let other = self.find(last + 1, &EBML)?;
            if other < end && self.is_certain(other)? {
                end = other;
            }
        }
        Ok((std::iter::once(start..end).collect(), end))
    }

    /// Up to the next file header among the outermost boxes.
    fn mp4(&mut self, start: u64) -> std::io::Result<(Vec<Range<u64>>, u64)> {
        let mut at = start;
        while at < self.end {
            let [a, b, c, d, ref name @ .., _, _, _, _, _, _, _, _] = self.array::<16>(at)?;
            let large = u64::from_be_bytes(self.array::<8>(at + 8)?);
            let size = match u32::from_be_bytes([a, b, c, d]) {
                0 => self.end - at,
                1 => large,
                size => u64::from(size),
            };
            // A box has a name; what follows the last one does not, or is another file. One that is cut off holds audio
            // or describes it.
            let is_whole = at.saturating_add(size) <= self.end;
            let is_named = name.iter().all(|c| matches!(c, 0x20..0x7F | 0xA9));
            let is_box = is_named && is_whole || matches!(name, b"mdat" | b"moov" | b"moof");
            if at > start && (!is_box || signatures::is_file(&self.array::<8>(at)?)) {
                break;
            }
            if size < 8 {
                break;
            }
            at = at.saturating_add(size).min(self.end);
        }
        Ok((std::iter::once(start..at).collect(), at))
    }

    /// MPEG frames up to the next one with an encoder's tag, or of another shape; tags between them are
    /// left out.
    fn mpeg(&mut self, start: u64) -> std::io::Result<(Vec<Range<u64>>, u64)> {
        let (mut ranges, mut from, mut at, mut shape) = (Vec::new(), start, start, None);
        let mut known = start;
        while at < self.end {
            let after = self.tags_end(at)?;
            if after > at {
                ranges.push(from..at);
                (from, at, known) = (after, after, after);
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
            known = at;
        }
        let end = at.min(self.end);
        self.unknown += self.unknown_bytes(known, end)?;
        ranges.push(from.min(end)..known.min(end));
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
