//! Where the audio of an MP4 begins and ends: the edit list, or iTunes' own note.
//!
//! Encoders prepend samples to prime the decoder. symphonia delivers them; this says how many to
//! drop. Sources: ISO/IEC 14496-12 section 8.6.6 (edit list); Apple TN2258 (`iTunSMPB`).

use super::input::{Input, Spliced};
use super::listed_track::Listed;
use std::io::{Read, Seek, SeekFrom};

/// The audible part, in ticks of the media (as a rule frames).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Edit {
    /// Ticks before the audible part.
    pub(super) delay: u64,
    /// Length of the audible part; `None` when it reaches to the end.
    pub(super) length: Option<Length>,
    /// How long the track waits in the film before it begins.
    pub(super) pause: u64,
}

/// A length and how exact it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Length {
    pub(super) ticks: u64,
    /// It may be this much too short or too long, because the movie's clock is coarse.
    pub(super) tolerance: u64,
}

/// A box: the bytes between `start` and `end` in the file.
#[derive(Clone, Copy)]
pub(super) struct Span {
    pub(super) start: u64,
    pub(super) end: u64,
}

pub(super) struct Walker {
    file: Spliced,
}

/// Most boxes that are looked at on one level.
const MOST_BOXES: usize = 4096;

/// The audible part of the track with this id; `None` when the file says nothing.
pub(super) fn edit(input: &Input, track_id: u32) -> Option<Edit> {
    let (mut walker, moov) = movie(input)?;
    walker.itunes(moov).or_else(|| walker.edit_list(moov, track_id))
}

/// The tracks of audio, in the order of the file.
pub(super) fn tracks(input: &Input) -> Vec<Listed> {
    let Some((mut walker, moov)) = movie(input) else {
        return Vec::new();
    };
    let tracks = walker.tracks(moov).into_iter();
    tracks.filter_map(|track| walker.listed(track)).collect()
}

/// Whether this is an MP4 whose index was never written: what a recorder leaves that was ended by force.
pub(super) fn is_without_index(input: &Input) -> bool {
    let Ok((file, _)) = input.open() else {
        return false;
    };
    let mut walker = Walker { file };
    let boxes = walker.boxes(Span { start: 0, end: input.len() });
    let has = |kind: &[u8; 4]| boxes.iter().any(|(found, _)| found == kind);
    has(b"ftyp") && !has(b"moov")
}

/// The movie's header box, unmodified.
pub(super) fn movie(input: &Input) -> Option<(Walker, Span)> {
    let input = Input { mended: Vec::new(), ..input.clone() };
    let mut walker = Walker { file: input.open().ok()?.0 };
    (walker.read::<4>(4)? == *b"ftyp").then_some(())?;
    let moov = walker.find(Span { start: 0, end: input.len() }, *b"moov")?;
    Some((walker, moov))
}

/// Bytes that are there and bytes that the outermost boxes promise, when that is more.
pub(super) fn cut_off(input: &Input) -> Option<(u64, u64)> {
    let len = input.len();
    let mut walker = Walker { file: input.open().ok()?.0 };
    if walker.read::<4>(4) != Some(*b"ftyp") {
        return None;
    }
    // Unclamped, the last box tells how long the file was.
    let last = walker.boxes(Span { start: 0, end: u64::MAX }).pop()?.1;
    (last.end > len && last.end < u64::MAX).then_some((len, last.end))
}

impl Walker {
    pub(super) fn read<const N: usize>(&mut self, at: u64) -> Option<[u8; N]> {
        let mut bytes = [0; N];
        self.file.seek(SeekFrom::Start(at)).ok()?;
        self.file.read_exact(&mut bytes).ok()?;
        Some(bytes)
    }

    /// What the boxes of a track say of it, if it is one of audio.
    fn listed(&mut self, track: Span) -> Option<Listed> {
        let handler = self.find_deep(track, &[*b"mdia", *b"hdlr"])?;
        (self.read::<4>(handler.start + 8)? == *b"soun").then_some(())?;
        let name = self.find_deep(track, &[*b"udta", *b"name"]).and_then(|name| self.text(name));
        Some(Listed {
            id: self.id(track)?,
            title: name.or_else(|| self.handler_name(handler)),
            language: self.language(track),
            codec: self.codec(track),
        })
    }

    /// The name of a handler, where it is no name that a program gives to all of its tracks.
    fn handler_name(&mut self, handler: Span) -> Option<String> {
        const PROGRAMS: [&str; 4] = ["handler", "media", "soun", "audio"];
        let start = handler.start.checked_add(24).filter(|start| *start < handler.end)?;
        let [length] = self.read::<1>(start)?;
        // QuickTime writes its length first.
        let skip = u64::from(u64::from(length) == handler.end - start - 1);
        let name = self.text(Span { start: start + skip, end: handler.end })?;
        let plain = name.to_lowercase();
        (!PROGRAMS.iter().any(|word| plain.contains(word))).then_some(name)
    }

    /// The language of a track, three letters (ISO 639-2).
    fn language(&mut self, track: Span) -> Option<String> {
        let header = self.find_deep(track, &[*b"mdia", *b"mdhd"])?;
        let [version] = self.read::<1>(header.start)?;
        let packed = self.read::<2>(header.start + if version == 1 { 32 } else { 20 })?;
        let packed = u16::from_be_bytes(packed);
        let letter = |shift: u16| char::from(((packed >> shift) & 31) as u8 + 0x60);
        let code = String::from_iter([10, 5, 0].map(letter));
        // Other numbers come from old QuickTime.
        let is_code = code.chars().all(|letter| letter.is_ascii_lowercase());
        (is_code && code != "und").then_some(code)
    }

    /// Text that fills a box, without what ends it.
    fn text(&mut self, span: Span) -> Option<String> {
        const LONGEST: u64 = 200;
        let length = (span.end - span.start).min(LONGEST);
        self.file.seek(SeekFrom::Start(span.start)).ok()?;
        let mut bytes = Vec::new();
        (&mut self.file).take(length).read_to_end(&mut bytes).ok()?;
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim_matches(|c: char| c.is_control() || c.is_whitespace());
        (!text.is_empty()).then(|| text.to_owned())
    }

    pub(super) fn u32(&mut self, at: u64) -> Option<u64> {
        self.read::<4>(at).map(|b| u64::from(u32::from_be_bytes(b)))
    }

    fn u64(&mut self, at: u64) -> Option<u64> {
        self.read::<8>(at).map(u64::from_be_bytes)
    }

    fn boxes(&mut self, span: Span) -> Vec<([u8; 4], Span)> {
        let mut found = Vec::new();
        let mut at = span.start;
        while found.len() < MOST_BOXES && span.end.saturating_sub(at) >= 8 {
            let (Some(size), Some(kind)) = (self.u32(at), self.read::<4>(at + 4)) else {
                break;
            };
            let (head, size) = match size {
                0 => (8, span.end - at),
                1 => (16, self.u64(at + 8).unwrap_or(0)),
                size => (8, size),
            };
            let end = at.saturating_add(size).min(span.end);
            if size < head {
                break;
            }
            found.push((kind, Span { start: at.saturating_add(head).min(end), end }));
            at = end;
        }
        found
    }

    pub(super) fn find(&mut self, span: Span, kind: [u8; 4]) -> Option<Span> {
        self.boxes(span).into_iter().find(|(found, _)| *found == kind).map(|(_, span)| span)
    }

    pub(super) fn find_deep(&mut self, span: Span, path: &[[u8; 4]]) -> Option<Span> {
        path.iter().try_fold(span, |span, kind| self.find(span, *kind))
    }

    /// Ticks per second of a movie or media header.
    fn timescale(&mut self, header: Span) -> Option<u64> {
        let [version] = self.read::<1>(header.start)?;
        self.u32(header.start + if version == 1 { 20 } else { 12 })
    }

    fn edit_list(&mut self, moov: Span, track_id: u32) -> Option<Edit> {
        let header = self.find(moov, *b"mvhd")?;
        let movie_scale = self.timescale(header)?;
        let track = self.track(moov, track_id)?;
        let media = self.find_deep(track, &[*b"mdia", *b"mdhd"])?;
        let media_scale = self.timescale(media)?;
        let list = self.find_deep(track, &[*b"edts", *b"elst"])?;
        let (pause, duration, delay) = self.first_edit(list)?;
        let in_media = |ticks: u64| {
            let ticks =
                u128::from(ticks) * u128::from(media_scale) / u128::from(movie_scale.max(1));
            u64::try_from(ticks).unwrap_or(u64::MAX)
        };
        let length = (duration > 0).then(|| Length {
            ticks: in_media(duration),
            tolerance: media_scale.div_ceil(movie_scale.max(1)),
        });
        Some(Edit { delay, length, pause: in_media(pause) })
    }

    pub(super) fn tracks(&mut self, moov: Span) -> Vec<Span> {
        let tracks = self.boxes(moov).into_iter().filter(|(kind, _)| kind == b"trak");
        tracks.map(|(_, track)| track).collect()
    }

    pub(super) fn track(&mut self, moov: Span, id: u32) -> Option<Span> {
        self.tracks(moov).into_iter().find(|track| self.id(*track) == Some(id))
    }

    fn id(&mut self, track: Span) -> Option<u32> {
        let header = self.find(track, *b"tkhd")?;
        let [version] = self.read::<1>(header.start)?;
        self.read::<4>(header.start + if version == 1 { 20 } else { 12 }).map(u32::from_be_bytes)
    }

    /// The first edit that plays anything: the pause before it and its duration (movie ticks), its media time.
    fn first_edit(&mut self, list: Span) -> Option<(u64, u64, u64)> {
        let [version] = self.read::<1>(list.start)?;
        let count = self.u32(list.start + 4)?.min(64);
        let size = if version == 1 { 20 } else { 12 };
        let mut pause = 0u64;
        for entry in (0..count).map(|n| list.start + 8 + n * size) {
            let (duration, time) = if version == 1 {
                (self.u64(entry)?, i64::from_be_bytes(self.read(entry + 8)?))
            } else {
                (self.u32(entry)?, i64::from(i32::from_be_bytes(self.read(entry + 4)?)))
            };
            // A negative time is a pause before the media.
            match u64::try_from(time) {
                Ok(delay) => return Some((pause, duration, delay)),
                Err(_) => pause = pause.saturating_add(duration),
            }
        }
        None
    }

    /// `iTunSMPB`: `" 00000000 <delay> <padding> <length> …"`, hexadecimal.
    fn itunes(&mut self, moov: Span) -> Option<Edit> {
        let meta = self.find_deep(moov, &[*b"udta", *b"meta"])?;
        let list = self.find(Span { start: meta.start + 4, end: meta.end }, *b"ilst")?;
        for (kind, item) in self.boxes(list) {
            if kind != *b"----" {
                continue;
            }
            let name = self.find(item, *b"name").and_then(|span| self.read::<8>(span.start + 4));
            if name == Some(*b"iTunSMPB") {
                let data = self.find(item, *b"data")?;
                return numbers(&self.read::<44>(data.start + 8)?);
            }
        }
        None
    }
}

fn numbers(text: &[u8]) -> Option<Edit> {
    let text = std::str::from_utf8(text).ok()?;
    let mut words = text.split_whitespace().map(|word| u64::from_str_radix(word, 16));
    let mut next = || words.next()?.ok();
    let (_, delay, _padding, ticks) = (next()?, next()?, next()?, next()?);
    let length = (ticks > 0).then_some(Length { ticks, tolerance: 0 });
    Some(Edit { delay, length, pause: 0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_note_of_itunes() {
        let text = b" 00000000 00000840 000001CA 00000000003F31F6 0000";
        let length = Length { ticks: 0x3F_31F6, tolerance: 0 };
        assert_eq!(numbers(text), Some(Edit { delay: 0x840, length: Some(length), pause: 0 }));
        assert_eq!(numbers(b" nonsense"), None);
    }

    #[test]
    fn a_box_that_ends_where_numbers_end_is_read() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut bytes = b"\0\0\0\x10ftypM4A \0\0\0\0\0\0\0\x01mdat".to_vec();
        let end = u64::MAX - 3;
        bytes.extend((end - 16).to_be_bytes());
        std::fs::write(file.path(), &bytes).unwrap();
        let length = bytes.len() as u64;
        let whole = std::iter::once(0..length).collect();
        assert_eq!(cut_off(&Input::new(file.path(), whole)), Some((length, end)));
    }
}
