//! The letters of a file, whatever encoding it was saved in.

use super::error::TranscriptError;
use super::limits::MOST_BYTES;
use super::lines::line_behind;
use super::problems::{Kind, Problem};
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use std::borrow::Cow;

/// The number of bytes at the start of a file that decide its encoding.
const LOOKED_AT: usize = 1 << 16;
/// The most lines with unreadable letters that are noted.
const MOST_NOTED: usize = 1_000;

/// The text of a file.
pub(super) struct Decoded<'a> {
    pub(super) text: Cow<'a, str>,
    /// Which encoding was guessed, where the file does not say.
    pub(super) guess: Option<String>,
    /// Lines with letters that cannot be read.
    pub(super) problems: Vec<Problem>,
}

/// Reads the bytes of a file as text. Its lines end with `\n` and begin without the mark of an encoding.
///
/// # Errors
/// Where the file is too large.
pub(super) fn decoded(file: &[u8]) -> Result<Decoded<'_>, TranscriptError> {
    if let Some(most) = file.get(..MOST_BYTES as usize).filter(|most| most.len() < file.len()) {
        let problem = format!("{} MB end here, the most that is read", MOST_BYTES >> 20);
        return Err(TranscriptError::at(line_behind(most), problem, "split the file before it"));
    }
    if let Some(read) = four_bytes_a_letter(file) {
        let text = with_new_lines(Cow::Owned(file.chunks(4).map(read).collect()));
        return Ok(Decoded { problems: unreadable(&text), text, guess: None });
    }
    let (encoding, is_guess) = encoding(file);
    let (text, _, is_odd) = encoding.decode(file);
    let text = with_new_lines(text);
    let problems = if is_odd { unreadable(&text) } else { Vec::new() };
    let guess = is_guess.then(|| {
        format!(
            "The file is not UTF-8: it was read as {}. If letters look wrong, save it as UTF-8 and import it again.",
            encoding.name()
        )
    });
    Ok(Decoded { text, guess, problems })
}

/// The encoding of a file, and whether that is a guess.
fn encoding(file: &[u8]) -> (&'static Encoding, bool) {
    if let Some((encoding, _)) = Encoding::for_bom(file) {
        return (encoding, false);
    }
    let head = file.get(..LOOKED_AT).unwrap_or(file);
    if let Some(wide) = two_bytes_a_letter(head) {
        return (wide, false);
    }
    if is_mostly_utf_8(file) {
        return (UTF_8, false);
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(file, true);
    (detector.guess(None, Utf8Detection::Deny), true)
}

/// How the letters of UTF-32 are read: nobody counts so far that the first or the last byte of one is used.
fn four_bytes_a_letter(file: &[u8]) -> Option<fn(&[u8]) -> char> {
    fn letter(bytes: &[u8], order: fn([u8; 4]) -> u32) -> char {
        let number = bytes.try_into().ok().map(order);
        number.and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER)
    }
    let head = file.get(..LOOKED_AT).unwrap_or(file);
    let (letters, _) = head.as_chunks::<4>();
    let most = |is_one: fn(&[u8; 4]) -> bool| {
        let count = letters.iter().filter(|one| is_one(one)).count();
        count > 3 && count * 8 > letters.len() * 7
    };
    if most(|one| matches!(one, [low, high, 0..=0x10, 0] if (*low, *high) != (0, 0))) {
        return Some(|bytes| letter(bytes, u32::from_le_bytes));
    }
    let is_big = most(|one| matches!(one, [0, 0..=0x10, high, low] if (*low, *high) != (0, 0)));
    is_big.then_some(|bytes| letter(bytes, u32::from_be_bytes))
}

/// UTF-16 without a mark: the digits, blanks and line ends of a transcript have a zero on one side.
fn two_bytes_a_letter(head: &[u8]) -> Option<&'static Encoding> {
    let zeros = |side: usize| head.iter().skip(side).step_by(2).filter(|byte| **byte == 0).count();
    let (even, odd, letters) = (zeros(0), zeros(1), head.len() / 2);
    let is_side = |zeros: usize, other: usize| zeros * 8 > letters && zeros > other * 4;
    match letters {
        0 => None,
        _ if is_side(odd, even) => Some(UTF_16LE),
        _ if is_side(even, odd) => Some(UTF_16BE),
        _ => None,
    }
}

/// Whether a file is UTF-8 in which a few letters may be broken.
fn is_mostly_utf_8(file: &[u8]) -> bool {
    let (mut whole, mut broken) = (0, 0);
    for chunk in file.utf8_chunks() {
        whole += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        broken += usize::from(!chunk.invalid().is_empty());
    }
    broken == 0 || whole > 2 * broken
}

/// The lines with letters that were replaced.
fn unreadable(text: &str) -> Vec<Problem> {
    let is_odd = |(_, line): &(usize, &str)| line.contains(char::REPLACEMENT_CHARACTER);
    let lines = text.lines().enumerate().filter(is_odd).take(MOST_NOTED);
    lines.map(|(index, line)| Problem::at(index + 1, Kind::Letters, line)).collect()
}

/// The text with `\n` at the end of each line, and without the byte order marks that joined files have inside.
fn with_new_lines(text: Cow<'_, str>) -> Cow<'_, str> {
    const BOM: char = '\u{feff}';
    if !text.contains(['\r', BOM]) {
        return text;
    }
    let text = text.replace("\r\r\n", "\n").replace("\r\n", "\n").replace('\r', "\n");
    let lines = text.split('\n').map(|line| line.trim_start_matches(BOM));
    Cow::Owned(lines.collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "1\n00:00:01,000 --> 00:00:02,000\nDas hätte ich nicht gedacht, wäre da nicht Zoë: «Grüße»\n";

    fn utf_16(text: &str, order: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(order).collect()
    }

    #[test]
    fn utf_16_is_read_with_and_without_its_mark() {
        for order in [u16::to_le_bytes, u16::to_be_bytes] {
            for text in [TEXT.to_owned(), format!("\u{feff}{TEXT}")] {
                let bytes = utf_16(&text, order);
                let read = decoded(&bytes).unwrap();
                assert_eq!((&*read.text, read.guess, read.problems.len()), (TEXT, None, 0));
            }
        }
    }

    #[test]
    fn other_encodings_are_guessed_and_named() {
        let russian = "1\n00:00:01,000 --> 00:00:02,000\nЯ так и не понял, что он хотел сказать\n";
        for (label, text) in [("windows-1252", TEXT), ("windows-1251", russian)] {
            let encoding = Encoding::for_label(label.as_bytes()).unwrap();
            let (bytes, ..) = encoding.encode(text);
            let read = decoded(&bytes).unwrap();
            assert_eq!(&*read.text, text);
            assert!(read.guess.unwrap().contains(label));
        }
    }

    #[test]
    fn a_broken_letter_of_utf_8_is_named_with_its_line() {
        let mut bytes = TEXT.as_bytes().to_vec();
        bytes.splice(2..2, [0xff]);
        let read = decoded(&bytes).unwrap();
        let lines: Vec<usize> = read.problems.iter().map(|one| one.place.line).collect();
        assert_eq!((read.guess, lines), (None, vec![2]));
        assert_eq!(decoded(TEXT.as_bytes()).unwrap().problems.len(), 0);
    }
}
