//! An error in a file is reported with its line, in every format.

use super::super::*;
use super::{put_right, read};

/// A file of each format with a valid phrase, then a phrase with these times; also the line of the second
/// phrase.
fn second(format: Format, start: &str, end: &str, text: &str) -> (String, usize) {
    match format {
        Format::Srt => {
            let first = "1\n00:00:01,000 --> 00:00:02,000\nx\n\n";
            (format!("{first}2\n{start} --> {end}\n{text}\n"), 6)
        }
        Format::Vtt => {
            let first = "WEBVTT\n\n00:01.000 --> 00:02.000\nx\n\n";
            (format!("{first}{start} --> {end}\n{text}\n"), 6)
        }
        Format::Json => {
            let first = "{\"segments\": [{\"start\": 1, \"end\": 2, \"text\": \"x\"},\n";
            let times = format!("\"start\": {start}, \"end\": {end}");
            (format!("{first}{{{times}, \"text\": \"{text}\"}}]}}"), 2)
        }
        _ => (format!("[00:01 --> 00:02] x\n[{start} --> {end}] {text}\n"), 2),
    }
}

const FORMATS: [Format; 4] = [Format::Srt, Format::Vtt, Format::Json, Format::Text];

fn time(format: Format, seconds: i64) -> String {
    let sign = if seconds < 0 { "-" } else { "" };
    match format {
        Format::Json => seconds.to_string(),
        Format::Srt => format!("{sign}00:00:{:02},000", seconds.abs()),
        _ => format!("{sign}00:{:02}.000", seconds.abs()),
    }
}

#[test]
fn times_that_cannot_be_are_listed_with_their_line_and_the_rest_is_read() {
    for format in FORMATS {
        let [two, three, late] = [2, 3, 59].map(|at| time(format, at));
        let one_half = if format == Format::Json { "1.5".to_owned() } else { time(format, 1) };
        let (good, _) = second(format, &two, &three, "y");
        assert_eq!(put_right(&good, format, 9_000_000), (2, vec![]), "{format:?}");
        for (start, end, phrases, what) in [
            (&time(format, -3), &time(format, -2), 1, "ends negative"),
            (&"NaN".to_owned(), &three, 1, "no number"),
            (&two, &"NaN".to_owned(), 1, "ends at no number"),
            (&late, &three, 1, "ends ahead of its start"),
            (&two, &two, 1, "takes no time"),
            (&time(format, 10), &late, 1, "is behind the recording"),
            (&two, &late, 2, "ends behind the recording"),
        ] {
            let (file, line) = second(format, start, end, "y");
            let (left, told) = put_right(&file, format, 9_000_000);
            // Text without a time in plain text shares that of the line above.
            let shares = format == Format::Text && !file.contains("[0");
            let is_listed = told.iter().any(|one| one.contains(&format!("line {line}")));
            assert!(is_listed, "{format:?} {what}: {told:?}");
            let is_shared = shares || (format == Format::Text && told[0].contains("no time and"));
            assert!(left == phrases || is_shared, "{format:?} {what}: {left}, {told:?}");
        }
        for (start, end) in [(&one_half, &three), (&time(format, 0), &one_half)] {
            let (file, _) = second(format, start, end, "y");
            let read = read(file.as_bytes(), format).unwrap();
            let texts: Vec<String> = read.phrases.iter().map(|(_, one)| one.text()).collect();
            assert!(!read.problems.is_empty(), "{format:?}");
            let mut words: Vec<&str> = texts.iter().flat_map(|it| it.split(' ')).collect();
            words.sort_unstable();
            assert_eq!(words, ["x", "y"], "{format:?}");
            let is_apart = |pair: &[(Place, Said)]| pair[0].1.end <= pair[1].1.start;
            assert!(read.phrases.windows(2).all(is_apart), "{format:?}");
        }
    }
}

#[test]
fn a_line_of_1_mb_and_bad_letters_are_listed_with_their_line() {
    for format in FORMATS {
        let [two, three] = [2, 3].map(|at| time(format, at));
        let (long, line) = second(format, &two, &three, &"x".repeat(1 << 20));
        let (_, told) = put_right(&long, format, 9_000_000);
        assert!(told.iter().any(|one| one.contains(&format!("line {line}"))), "{told:?}");
        assert!(told.iter().all(|one| one.len() < 400 && !one.contains(char::is_control)));
        let line = if matches!(format, Format::Srt | Format::Vtt) { line + 1 } else { line };
        let (file, _) = second(format, &two, &three, "\u{e9}\u{e9}\u{e9}\u{1}");
        let bytes: Vec<u8> = file.bytes().map(|byte| if byte == 1 { 0xff } else { byte }).collect();
        let read = read(&bytes, format).unwrap();
        let told = listed(&read.problems);
        let expected = format!("1 line has letters that cannot be read: line {line}");
        assert!(told[0].starts_with(&expected), "{format:?}: {told:?}");
    }
}

#[test]
fn one_bad_line_refuses_no_file() {
    let srt = "1\n00:00:01,000 --> 00:00:02,000\nAnn: One\n\nmore line\n\n\
               2\n00:00:06,000 --> 00:00:08,000\nAnn: Six\n\n3\n00:00:03,000 --> 00:00:07,000\nBen: Three\n\n\
               4\n00:00:08,000 --> 00:00:08,000\nAnn: Nothing\n\n5\n00:00:09,000 --> 00:00:11,900\n{\\an8}Nine\\Nten\n";
    let mut speech = || Ok::<_, TranscriptError>(Vec::new());
    let read = read_of(srt.as_bytes(), Format::Srt, Micros(10_000_000), &mut speech).unwrap();
    let told: Vec<_> = read
        .phrases
        .iter()
        .map(|(_, one)| (one.start.0 / 1_000_000, one.end.0 / 1_000_000, one.text()))
        .collect();
    let expected = [(1, 2, "One more line"), (3, 7, "Three"), (6, 8, "Six"), (9, 10, "Nine ten")];
    assert_eq!(told, expected.map(|(start, end, text)| (start, end, text.to_owned())));
    let list = [
        "1 phrase takes no time and is left out: line 16 (\"Nothing\")",
        "1 phrase reaches out of the recording and is shortened to it: line 20 (\"Nine ten\")",
        "1 phrase is not in the order of time and was sorted: line 12 (\"Three\")",
        "1 blank line is inside a phrase, whose parts were joined: line 5 (\"more line\")",
    ];
    assert_eq!(listed(&read.problems), list);
}

#[test]
fn the_same_file_is_read_in_every_encoding() {
    let srt = "1\r\n00:00:01,000 --> 00:00:02,000\r\nWie schön, Zoë!\r\n";
    let wide = |order: fn(u16) -> [u8; 2]| srt.encode_utf16().flat_map(order).collect::<Vec<u8>>();
    let latin: Vec<u8> = srt.chars().map(|letter| letter as u8).collect();
    for bytes in [srt.as_bytes().to_vec(), wide(u16::to_le_bytes), wide(u16::to_be_bytes), latin] {
        let read = read(&bytes, Format::Srt).unwrap();
        assert_eq!(read.phrases[0].1.text(), "Wie schön, Zoë!");
    }
}
