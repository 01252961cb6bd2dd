//! ID3v2.3 tags of an MP3, with chapters (ID3v2 Chapter Frame Addendum 1.0).

use super::tags::{Chapter, Tags};

/// The bytes of a tag, which come before the audio.
pub(super) fn tag(tags: &Tags, chapters: &[Chapter]) -> Vec<u8> {
    let mut frames = Vec::new();
    for (name, value) in tags.id3() {
        frames.extend(text(name, value));
    }
    frames.extend(tags.date.iter().flat_map(|date| self::date(date)));
    frames.extend(tags.comment.iter().flat_map(|said| comment(said)));
    if !chapters.is_empty() {
        frames.extend(table(chapters.len()));
        for (index, chapter) in chapters.iter().enumerate() {
            frames.extend(chapter_frame(index, chapter));
        }
    }
    if frames.is_empty() {
        return Vec::new();
    }
    let mut out = b"ID3\x03\x00\x00".to_vec();
    // Seven bits a byte, so that no byte looks like the start of a frame.
    let size = frames.len() as u32;
    out.extend([21, 14, 7, 0].map(|shift| ((size >> shift) & 0x7f) as u8));
    out.extend(frames);
    out
}

fn frame(id: &[u8; 4], body: &[u8]) -> Vec<u8> {
    let mut out = id.to_vec();
    out.extend((body.len() as u32).to_be_bytes());
    out.extend([0, 0]);
    out.extend(body);
    out
}

/// A frame of text in UTF-16 with a byte-order mark, which every reader of 2.3 knows.
fn text(id: &[u8; 4], value: &str) -> Vec<u8> {
    let mut body = vec![1, 0xff, 0xfe];
    body.extend(value.encode_utf16().flat_map(u16::to_le_bytes));
    frame(id, &body)
}

/// The year has a frame, and day and month together have another. Any other text goes into the year
/// unchanged.
fn date(date: &str) -> Vec<u8> {
    let parts: Vec<&str> = date.split('-').collect();
    match parts[..] {
        [year, month, day] if month.len() == 2 && day.len() == 2 => {
            let mut both = text(b"TYER", year);
            both.extend(text(b"TDAT", &format!("{day}{month}")));
            both
        }
        _ => text(b"TYER", date),
    }
}

/// A comment in no particular language, without a heading.
fn comment(said: &str) -> Vec<u8> {
    let mut body = b"\x01und\xff\xfe\0\0\xff\xfe".to_vec();
    body.extend(said.encode_utf16().flat_map(u16::to_le_bytes));
    frame(b"COMM", &body)
}

fn name(index: usize) -> String {
    format!("ch{}\0", index + 1)
}

/// The table of contents: top level, in order.
fn table(count: usize) -> Vec<u8> {
    let count = count.min(255);
    let mut body = b"toc\0".to_vec();
    body.extend([3, count as u8]);
    (0..count).for_each(|index| body.extend(name(index).bytes()));
    frame(b"CTOC", &body)
}

fn chapter_frame(index: usize, chapter: &Chapter) -> Vec<u8> {
    let mut body = name(index).into_bytes();
    for seconds in [chapter.start_s, chapter.end_s] {
        body.extend(((seconds * 1000.0).round() as u32).to_be_bytes());
    }
    // Offsets in bytes are not used.
    body.extend([0xff; 8]);
    body.extend(text(b"TIT2", &chapter.name));
    frame(b"CHAP", &body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_names_its_length_in_seven_bits_a_byte() {
        let tags = Tags { title: Some("Ä".into()), ..Tags::default() };
        let chapter = Chapter { name: "One".into(), start_s: 0.0, end_s: 1.5 };
        let bytes = tag(&tags, &[chapter]);
        assert_eq!(&bytes[..6], b"ID3\x03\x00\x00");
        let size = bytes[6..10].iter().fold(0usize, |sum, byte| (sum << 7) | usize::from(*byte));
        assert_eq!(size, bytes.len() - 10);
        assert_eq!(&bytes[10..14], b"TIT2");
        assert!(bytes.windows(4).any(|four| four == b"CHAP"));
        assert!(bytes.windows(4).any(|four| four == 1500u32.to_be_bytes()));
        assert!(tag(&Tags::default(), &[]).is_empty());
    }

    #[test]
    fn a_day_is_a_year_and_a_date_and_a_comment_is_kept() {
        let has = |bytes: &[u8], part: &[u8]| bytes.windows(part.len()).any(|some| some == part);
        let of = |date: &str| {
            let (date, comment) = (Some(date.to_owned()), Some("Hi".to_owned()));
            tag(&Tags { date, comment, ..Tags::default() }, &[])
        };
        let day = of("2026-11-22");
        assert!(has(&day, &text(b"TYER", "2026")) && has(&day, &text(b"TDAT", "2211")));
        assert!(has(&day, b"COMM\0\0\0\x0e\0\0\x01und\xff\xfe\0\0\xff\xfeH\0i\0"));
        assert!(has(&of("2026"), &text(b"TYER", "2026")) && !has(&of("2026"), b"TDAT"));
    }
}
