//! JSON lines, read with a limit and written whole.

use std::io::{self, BufRead, Read, Write};

/// The longest line that is read. A session of 100,000 clips is about 40 MB.
pub const LONGEST: u64 = 256 << 20;

/// The longest submission a hub reads.
pub const LONGEST_SUBMISSION: u64 = 16 << 20;

/// Reads a line without its end; `None` at the end of the stream.
///
/// # Errors
/// When the stream fails, the line is longer than `longest` bytes, or is no UTF-8.
pub fn read_line(stream: &mut impl BufRead, longest: u64) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    stream.by_ref().take(longest).read_until(b'\n', &mut bytes)?;
    if bytes.last() == Some(&b'\n') {
        bytes.pop();
    } else if bytes.len() as u64 >= longest {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "the line is too long"));
    } else if bytes.is_empty() {
        return Ok(None);
    }
    let text = String::from_utf8(bytes);
    text.map(Some).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// Writes a line.
///
/// # Errors
/// When the stream fails.
pub fn write_line(stream: &mut impl Write, line: &str) -> io::Result<()> {
    stream.write_all(line.as_bytes())?;
    stream.write_all(b"\n")?;
    stream.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_back_and_a_long_one_is_refused() {
        let mut stream = io::Cursor::new(b"one\n\nthree".to_vec());
        let mut next = || read_line(&mut stream, 6).unwrap();
        assert_eq!(next().as_deref(), Some("one"));
        assert_eq!(next().as_deref(), Some(""));
        assert_eq!(next().as_deref(), Some("three"));
        assert_eq!(next(), None);
        assert!(read_line(&mut io::Cursor::new(b"too long\n".to_vec()), 4).is_err());
    }
}
