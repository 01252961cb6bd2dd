//! Whether an Ogg file has its end: its last page, which bears the end-of-stream mark (RFC 3533).

use super::input::Input;
use std::io::{Read, Seek, SeekFrom};

/// The longest page: a header of 27 bytes, 255 segment lengths, 255 segments of 255 bytes.
const LONGEST: u64 = 27 + 255 + 255 * 255;

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
