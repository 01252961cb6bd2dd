//! How many bytes of audio there are, where the size field of their chunk is 0, a placeholder, too
//! large or too small.

use super::chunks::Chunks;
use super::convert::Endian;
use crate::duration_words;
use crate::error::OpenError;
use crate::file::open_error;
use crate::scan::Scan;
use crate::signatures::{self, MOST_HEAD};
use std::fs::File;

/// The audio that is there, and how it compares with what the size field says.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Extent {
    pub(crate) bytes: u64,
    claimed: u64,
    finding: Finding,
    /// Bytes of audio in further chunks, which are not read.
    more: u64,
    /// Bytes of other files that are joined to its end.
    joined: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Finding {
    /// The size field is right.
    Right,
    /// The size field is 0 or means "not known yet".
    Unfinished,
    /// Fewer bytes are there than the size field says.
    CutOff,
    /// Audio goes on after the end that the size field says.
    GoesOn,
    /// After the audio come this many bytes that are neither audio nor a chunk.
    Unknown(u64),
}

/// Size fields from here on that no file fills: programs that write to a pipe use 0x7F000000 (AIFF by
/// sox), 0x7FFFF000 (WAV by sox), 0x80000000 and 0xFFFFFFFF.
const PLACEHOLDER: u64 = 0x7F00_0000;

/// Fewer bytes than this after the audio are no audio: a burst of noise would be all they give.
const LEAST_AUDIO: u64 = 1024;

impl Extent {
    /// Whether the size field tells how much audio there is.
    pub(crate) fn is_right(&self) -> bool {
        self.bytes == self.claimed
    }

    /// Bytes of other files that are joined to the end of this one.
    pub(crate) fn joined(&self) -> u64 {
        self.joined
    }

    /// Adds `bytes` of audio in further chunks, which are not read.
    pub(super) fn with_more(self, bytes: u64) -> Self {
        Self { more: bytes, ..self }
    }

    /// That `bytes` of no known kind follow the audio.
    pub(crate) fn unknown(bytes: u64) -> String {
        format!(
            "After its audio come {} that are neither audio nor a known chunk. Deskhand left them out.",
            duration_words::bytes(bytes)
        )
    }

    /// What a person should know, for audio of `rate` frames of `frame_bytes` bytes a second.
    pub(crate) fn warnings(&self, frame_bytes: u64, rate: u64) -> Vec<String> {
        let (read, more) = (self.bytes / frame_bytes, self.more / frame_bytes);
        let more = (more > 0).then(|| {
            let (read, more) = (duration_words::seconds(read, rate), duration_words::seconds(more, rate));
            format!(
                "Its audio is in several chunks. Deskhand read the first, {read}, and left out {more} \
                 after it."
            )
        });
        self.warning(frame_bytes, rate).into_iter().chain(more).collect()
    }

    /// That the files after this one are not read, if there are any.
    pub(super) fn left_out(&self) -> Option<String> {
        let size = duration_words::bytes(self.joined);
        (self.joined > 0).then(|| {
            format!(
                "Another file of {size} is joined to its end, which Deskhand left out. Split the two \
                 files and import both."
            )
        })
    }

    fn warning(&self, frame_bytes: u64, rate: u64) -> Option<String> {
        let (claimed, present) = (self.claimed / frame_bytes, self.bytes / frame_bytes);
        match self.finding {
            Finding::Right => None,
            Finding::Unfinished => {
                let field = if self.claimed == 0 { "0" } else { "a placeholder" };
                Some(duration_words::unfinished(field, present, rate))
            }
            Finding::CutOff => Some(duration_words::cut_off(claimed, present, rate)),
            Finding::GoesOn => Some(duration_words::more(claimed, present, rate)),
            Finding::Unknown(bytes) => Some(Self::unknown(bytes)),
        }
    }
}

impl Chunks<'_> {
    /// The audio that begins at `start` in a chunk that claims `claimed` bytes.
    pub(crate) fn extent(
        &mut self,
        start: u64,
        claimed: u64,
        endian: Endian,
    ) -> Result<Extent, OpenError> {
        let present = self.len.saturating_sub(start);
        let of = |finding, joined| Ok(Extent { bytes: claimed, claimed, finding, more: 0, joined });
        if claimed > present {
            let unfinished = claimed >= PLACEHOLDER;
            let finding = if unfinished { Finding::Unfinished } else { Finding::CutOff };
            return self.until_next_file(start, claimed, finding);
        }
        let end = self.next_chunk(start, claimed, endian)?;
        let rest_at = self.known_until(end, endian)?;
        let rest = self.len.saturating_sub(rest_at);
        if claimed == 0 && rest > 0 && rest_at == start {
            return self.until_next_file(start, claimed, Finding::Unfinished);
        }
        let tags_end = self.tags_end(rest_at)?;
        if self.is_file_at(tags_end)? || self.scan(|scan| scan.is_certain(tags_end))? {
            return of(Finding::Right, rest);
        }
        if self.is_zero_from(tags_end)? {
            return of(Finding::Right, 0);
        }
        if tags_end > rest_at {
            return of(Finding::Unknown(self.len - tags_end), 0);
        }
        if rest >= LEAST_AUDIO && rest_at == end {
            return self.until_next_file(start, claimed, Finding::GoesOn);
        }
        of(if rest < 8 { Finding::Right } else { Finding::Unknown(rest) }, 0)
    }

    /// The audio from `start` on to the end, or to where another file begins: its size is not known.
    fn until_next_file(
        &mut self,
        start: u64,
        claimed: u64,
        finding: Finding,
    ) -> Result<Extent, OpenError> {
        let end = self.scan(|scan| scan.next_file(start))?;
        let (bytes, joined) = (end.saturating_sub(start), self.len.saturating_sub(end));
        let is_cut = finding == Finding::GoesOn && bytes < claimed;
        let finding = if is_cut { Finding::CutOff } else { finding };
        Ok(Extent { bytes, claimed, finding, more: 0, joined })
    }

    /// Looks for other files.
    fn scan<T>(
        &mut self,
        look: impl FnOnce(&mut Scan<&mut File>) -> std::io::Result<T>,
    ) -> Result<T, OpenError> {
        let found = look(&mut Scan::new(&mut *self.file, self.len));
        found.map_err(|error| open_error(self.path, &error))
    }

    /// Whether a file of a known kind begins at `at`.
    pub(super) fn is_file_at(&mut self, at: u64) -> Result<bool, OpenError> {
        let (head, have) = self.bytes::<MOST_HEAD>(at)?;
        Ok(signatures::is_file(head.get(..have).unwrap_or_default()))
    }

    fn tags_end(&mut self, mut at: u64) -> Result<u64, OpenError> {
        for _ in 0..Self::MOST {
            let (head, have) = self.bytes::<MOST_HEAD>(at)?;
            let Some(bytes) = signatures::tag_bytes(head.get(..have).unwrap_or_default()) else {
                break;
            };
            at = at.saturating_add(bytes);
        }
        Ok(at.min(self.len))
    }

    /// Where the chunk after one begins. Chunks are padded to an even length; some programs forget to.
    pub(crate) fn next_chunk(
        &mut self,
        body: u64,
        size: u64,
        endian: Endian,
    ) -> Result<u64, OpenError> {
        let end = body.saturating_add(size);
        if size.is_multiple_of(2) || end >= self.len {
            return Ok(end.min(self.len));
        }
        let (pad, _) = self.bytes::<1>(end)?;
        let forgot = pad != [0] && self.chunk_at(end, endian)?.is_some();
        Ok(if forgot { end } else { end + 1 })
    }

    /// The end of the chunk at `at`; `None` when none can be there.
    fn chunk_at(&mut self, at: u64, endian: Endian) -> Result<Option<u64>, OpenError> {
        let (head, have) = self.bytes::<8>(at)?;
        let [id @ .., a, b, c, d] = head;
        let size = match endian {
            Endian::Little => u32::from_le_bytes([a, b, c, d]),
            Endian::Big => u32::from_be_bytes([a, b, c, d]),
        };
        let end = at + 8 + u64::from(size);
        let is_file = self.is_file_at(at)?;
        let named = have == 8 && !is_file && id.iter().all(|c| (0x20..0x7F).contains(c));
        // The last chunk may be cut off, or itself be the audio whose size is not known yet.
        let known = matches!(&id, b"data" | b"LIST" | b"bext" | b"iXML" | b"SSND");
        Ok((named && (end <= self.len || known)).then_some(end))
    }

    /// Where the chunks from `at` on end: at the end of the file when there is nothing else.
    fn known_until(&mut self, mut at: u64, endian: Endian) -> Result<u64, OpenError> {
        for _ in 0..Self::MOST {
            let Some(end) = self.chunk_at(at, endian)? else {
                break;
            };
            at = self.next_chunk(at + 8, end - at - 8, endian)?;
        }
        Ok(at.min(self.len))
    }

    /// Whether only zeros follow from `at` on.
    fn is_zero_from(&mut self, mut at: u64) -> Result<bool, OpenError> {
        loop {
            let (block, have) = self.bytes::<4096>(at)?;
            if block.iter().any(|byte| *byte != 0) {
                return Ok(false);
            }
            if have < block.len() {
                return Ok(true);
            }
            at += have as u64;
        }
    }
}
