//! What streams of audio an Ogg file has, and whether it has its end: its last page, which bears the end-of-stream
//! mark (RFC 3533).

use super::input::Input;
use super::listed_track::Listed;
use std::io::{Read, Seek, SeekFrom};

/// The longest page: a header of 27 bytes, 255 segment lengths, 255 segments of 255 bytes.
const LONGEST: u64 = 27 + 255 + 255 * 255;

/// What the first packet of a stream of audio begins with.
// tidy: table
const CODECS: [(&[u8], &str); 8] = [
    (b"\x01vorbis", "Vorbis"),
    (b"OpusHead", "Opus"),
    (b"\x7FFLAC", "FLAC"),
    (b"Speex   ", "Speex"),
    (b"CELT    ", "CELT"),
    (b"PCM     ", "OggPCM"),
    (b"OggMIDI\0", "MIDI"),
    (b"\x01audio\0\0\0", "OGM"),
];

/// The streams of audio, in the order of their first pages, which come before all others.
pub(super) fn tracks(input: &Input) -> Vec<Listed> {
    const MOST_STREAMS: usize = 1000;
    let Ok((mut file, _)) = input.open() else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let mut at = 0;
    for _ in 0..MOST_STREAMS {
        let mut page = Vec::new();
        let is_read = file.seek(SeekFrom::Start(at)).is_ok()
            && (&mut file).take(LONGEST).read_to_end(&mut page).is_ok();
        let Some((listed, length)) = first_page(&page).filter(|_| is_read) else {
            break;
        };
        found.extend(listed);
        at += length as u64;
    }
    found
}

/// What the first page of a stream says, if it is one of audio, and how long the page is.
fn first_page(page: &[u8]) -> Option<(Option<Listed>, usize)> {
    const STARTS: u8 = 2;
    let is_first = page.starts_with(b"OggS\0") && page.get(5)? & STARTS != 0;
    let count = usize::from(*page.get(26).filter(|_| is_first)?);
    let lengths = page.get(27..27 + count)?;
    let body = page.get(27 + count..)?;
    let id = u32::from_le_bytes(*page.get(14..18)?.first_chunk()?);
    let codec = CODECS.iter().find(|(begin, _)| body.starts_with(begin));
    let listed = codec.map(|(_, name)| Listed {
        id,
        codec: Some(format!("{name} audio")),
        ..Listed::default()
    });
    let length = lengths.iter().map(|length| usize::from(*length)).sum::<usize>();
    Some((listed, 27 + count + length))
}

/// Whether the end of the Ogg stream is missing. False when it cannot be read.
pub(super) fn is_cut(input: &Input) -> bool {
    tail(input).is_ok_and(|tail| !ends(&tail))
}

fn tail(input: &Input) -> std::io::Result<Vec<u8>> {
    let (mut file, _) = input.open().map_err(std::io::Error::other)?;
    file.seek(SeekFrom::Start(input.len().saturating_sub(LONGEST)))?;
    let mut tail = Vec::new();
    file.take(LONGEST).read_to_end(&mut tail)?;
    Ok(tail)
}

/// Whether the last page in `tail` is complete and bears the end-of-stream mark.
fn ends(tail: &[u8]) -> bool {
    /// A page of version 0.
    const PAGE: &[u8] = b"OggS\0";
    const END_OF_STREAM: u8 = 4;
    let Some(at) = tail.windows(PAGE.len()).rposition(|bytes| bytes == PAGE) else {
        return false;
    };
    let page = tail.get(at..).unwrap_or_default();
    let marked = page.get(5).is_some_and(|flags| flags & END_OF_STREAM != 0);
    let count = page.get(26).map_or(0, |count| usize::from(*count));
    let lengths = page.get(27..27 + count);
    let body = lengths.map(|lengths| lengths.iter().map(|n| usize::from(*n)).sum::<usize>());
    marked && body.is_some_and(|body| page.len() >= 27 + count + body)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A page with one segment of three bytes.
    fn page(flags: u8) -> Vec<u8> {
        let mut page = b"OggS\0".to_vec();
        page.push(flags);
        page.resize(26, 0);
        page.extend([1, 3, 7, 8, 9]);
        page
    }

    #[test]
    fn the_end_is_a_whole_marked_page() {
        let whole = [page(2), page(0), page(4)].concat();
        assert!(ends(&whole));
        assert!(!ends(&whole[..whole.len() - 1]));
        assert!(!ends(&whole[..whole.len() - 15]));
        assert!(!ends(&[page(2), page(0)].concat()));
        assert!(!ends(b""));
    }
}
