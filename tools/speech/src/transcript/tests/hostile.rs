//! What is wrong in a file is told with its line, whatever the format.

use super::super::*;

/// How a file of each format has a phrase of these two times behind a sound one on its own lines; and on which line.
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
        Format::Text => (format!("[00:01 --> 00:02] x\n[{start} --> {end}] {text}\n"), 2),
    }
}

const FORMATS: [Format; 4] = [Format::Srt, Format::Vtt, Format::Json, Format::Text];

/// A time of seconds as each format has it.
fn time(format: Format, seconds: i64) -> String {
    let sign = if seconds < 0 { "-" } else { "" };
    match format {
        Format::Json => seconds.to_string(),
        Format::Srt => format!("{sign}00:00:{:02},000", seconds.abs()),
        Format::Vtt | Format::Text => format!("{sign}00:{:02}.000", seconds.abs()),
    }
}

fn told(bytes: &[u8], format: Format) -> String {
    let told = read(bytes, format).unwrap_err().to_string();
    assert!(!told.contains(char::is_control) && told.len() < 300, "{format:?}: {told}");
    told
}

#[test]
fn times_that_cannot_be_are_told_with_their_line() {
    for format in FORMATS {
        let [two, three, late] = [2, 3, 59].map(|at| time(format, at));
        let one_half = if format == Format::Json { "1.5".to_owned() } else { time(format, 1) };
        let (good, _) = second(format, &two, &three, "y");
        assert_eq!(read(good.as_bytes(), format).unwrap().phrases.len(), 2, "{format:?}");
        for (start, end, what) in [
            (&time(format, -3), &three, "negative"),
            (&two, &time(format, -3), "ends negative"),
            (&"NaN".to_owned(), &three, "no number"),
            (&two, &"NaN".to_owned(), "ends at no number"),
            (&late, &three, "ends ahead of its start"),
            (&two, &two, "takes no time"),
            (&one_half, &three, "overlaps"),
            (&time(format, 0), &one_half, "is ahead of the one before"),
        ] {
            let (file, line) = second(format, start, end, "y");
            let is_left_out = format == Format::Json && start == end;
            if is_left_out {
                let read = read(file.as_bytes(), format).unwrap();
                assert_eq!(read.warnings, ["segment 2 takes no time and is left out"]);
                continue;
            }
            let told = told(file.as_bytes(), format);
            let ahead = format!("line {line}");
            assert!(told.starts_with(&ahead), "{format:?} {what}: {told}");
        }
    }
}

#[test]
fn a_line_of_10_mb_and_bad_utf_8_are_told_with_their_line() {
    for format in FORMATS {
        let [two, three] = [2, 3].map(|at| time(format, at));
        let (long, line) = second(format, &two, &three, &"x".repeat(10 << 20));
        let line = if matches!(format, Format::Srt | Format::Vtt) { line + 1 } else { line };
        let told = |bytes: &[u8]| told(bytes, format);
        let ahead = format!("line {line}:");
        let long = told(long.as_bytes());
        assert!(long.starts_with(&ahead) && long.contains("bytes, the most is 65536"), "{long}");
        let (file, _) = second(format, &two, &three, "\u{1}");
        let bytes: Vec<u8> = file.bytes().map(|byte| if byte == 1 { 0xff } else { byte }).collect();
        let expected = format!("line {line}: it is not UTF-8; save the file as UTF-8");
        assert_eq!(told(&bytes), expected, "{format:?}");
    }
}
