//! Recognizes subtitle and text formats that cannot be read, and says how to convert them.

use super::error::TranscriptError;
use std::path::Path;

/// A format by its name, and what to do.
type Known = (&'static str, &'static str);

const MICRO_DVD: Known = (
    "MicroDVD subtitles, whose times are numbers of pictures",
    "convert the file to SRT with the video's pictures a second: ffmpeg -subfps 25 -i talk.sub talk.srt",
);
const MPL2: Known =
    ("MPL2 subtitles", "convert the file to SRT: ffmpeg -f mpl2 -i talk.txt talk.srt");
const SPRUCE: Known =
    ("Spruce STL subtitles", "convert the file to SRT: ffmpeg -f stl -i talk.stl talk.srt");
const SCC: Known = ("SCC captions", "convert the file to SRT: ffmpeg -i talk.scc talk.srt");
const EBU: Known = ("EBU STL subtitles", "save the file as SRT with Subtitle Edit");
const PICTURES: Known =
    ("VobSub or Blu-ray subtitles, which are pictures", "save the file as SRT with Subtitle Edit");
const STL: Known = (
    "STL subtitles",
    "convert the file to SRT with Subtitle Edit, or with ffmpeg -f stl -i talk.stl talk.srt",
);
const WORD: Known = ("Word and other office files", "save its text as a .txt file");
const RTF: Known = ("RTF files", "save its text as a .txt file");
const PDF: Known = ("PDF files", "save its text as a .txt file");

/// The beginnings of files: the first byte, and the bytes from there on.
const BEGINNINGS: [(usize, &[u8], Known); 8] = [
    (0, b"PK\x03\x04", WORD),
    (0, b"\xd0\xcf\x11\xe0", WORD),
    (0, b"{\\rtf", RTF),
    (0, b"%PDF", PDF),
    (0, b"\0\0\x01\xba", PICTURES),
    (0, b"# VobSub", PICTURES),
    (3, b"STL", EBU),
    (0, b"Scenarist_SCC", SCC),
];

/// How their files end.
const ENDINGS: [(&str, Known); 12] = [
    ("stl", STL),
    ("scc", SCC),
    ("mpl", MPL2),
    ("mpl2", MPL2),
    ("idx", PICTURES),
    ("sup", PICTURES),
    ("doc", WORD),
    ("docx", WORD),
    ("odt", WORD),
    ("pages", WORD),
    ("rtf", RTF),
    ("pdf", PDF),
];

/// What a file is by its ending, and what to do.
pub(crate) fn by_ending(path: &Path) -> Option<Known> {
    let ending = path.extension()?.to_str()?;
    ENDINGS.iter().find(|(known, _)| ending.eq_ignore_ascii_case(known)).map(|(_, known)| *known)
}

/// Refuses a file that begins like one of these.
pub(super) fn may_be_read(file: &[u8]) -> Result<(), TranscriptError> {
    let begins = |(at, what, _): &&(usize, &[u8], Known)| {
        file.get(*at..).is_some_and(|file| file.starts_with(what))
    };
    BEGINNINGS.iter().find(begins).map_or(Ok(()), |(.., known)| Err(refusal(*known)))
}

/// Refuses a text whose first lines are of one of these.
pub(super) fn may_be_text(text: &str) -> Result<(), TranscriptError> {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty()).take(40);
    let Some(first) = lines.next() else { return Ok(()) };
    if has_numbers(first, ['{', '}']) {
        return Err(refusal(MICRO_DVD));
    }
    if has_numbers(first, ['[', ']']) {
        return Err(refusal(MPL2));
    }
    if is_spruce(first) || (first.starts_with(['$', '/']) && lines.any(is_spruce)) {
        return Err(refusal(SPRUCE));
    }
    Ok(())
}

fn refusal((name, way_out): Known) -> TranscriptError {
    TranscriptError::at(1, format!("Deskhand does not read {name}"), way_out)
}

/// Whether a line begins with two numbers in brackets; the second may be missing: `{25}{}`.
fn has_numbers(line: &str, [open, close]: [char; 2]) -> bool {
    let number = |text: &str| -> Option<(usize, usize)> {
        let inside = text.strip_prefix(open)?;
        let digits = inside.bytes().take_while(u8::is_ascii_digit).count();
        inside.get(digits..)?.starts_with(close).then_some((digits, digits + 2))
    };
    let Some((1.., length)) = number(line) else { return false };
    line.get(length..).and_then(number).is_some()
}

/// Whether a line has times with pictures: `00:00:01:00 , 00:00:02:12 , text`.
fn is_spruce(line: &str) -> bool {
    let is_time = |text: &str| {
        let parts = || text.trim().split(':');
        parts().count() == 4
            && parts().all(|it| it.len() == 2 && it.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let mut parts = line.splitn(3, ',');
    parts.next().is_some_and(is_time) && parts.next().is_some_and(is_time)
}
