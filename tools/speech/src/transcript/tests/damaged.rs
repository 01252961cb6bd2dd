//! Files that people and programs damaged: times, line ends, marks and encodings that are not as they should be.

use super::super::*;
use super::subtitles::{by_name, expected, told};
use super::{problems, read, said};

const SRT: &str = "1\n00:00:01,000 --> 00:00:02,500\nAnn: Good morning,\neveryone.\n\n\
                   2\n00:00:02,500 --> 00:00:04,000\nHello there\n";

#[test]
fn times_of_subrip_are_read_however_they_are_written() {
    let phrases = expected(&[
        (1_000, 2_500, "Ann", "Good morning, everyone."),
        (2_500, 4_000, "", "Hello there"),
    ]);
    for (what, file) in [
        ("a short arrow", SRT.replace("-->", "->")),
        ("a long arrow", SRT.replace("-->", "--->")),
        ("a double arrow", SRT.replace("-->", "=>")),
        ("an arrow in pieces", SRT.replace("-->", "-- >")),
        ("an arrow of an office program", SRT.replace("-->", "\u{2013}>")),
        ("a letter", SRT.replace("-->", "\u{2192}")),
        ("an escaped arrow", SRT.replace("-->", "--&gt;")),
        ("no blanks", SRT.replace(" --> ", "-->")),
        ("points", SRT.replace(",000", ".000").replace(",500", ".500")),
        ("colons", SRT.replace(",000", ":000").replace(",500", ":500")),
        ("blanks", SRT.replace(",000", ", 000").replace(":02", ": 02")),
        ("one digit", SRT.replace("00:00:0", "0:0:")),
        ("no hours", SRT.replace("00:00:", "00:")),
        ("no fraction", SRT.replace(",000", "")),
        ("no numbers", SRT.replace("1\n00", "00").replace("2\n00", "00")),
        ("a position", SRT.replace("02,500\n", "02,500  X1:201 X2:516 Y1:397 Y2:423\n")),
        ("lines of an old Mac", SRT.replace('\n', "\r")),
        ("lines of Windows", SRT.replace('\n', "\r\n")),
        ("lines that were converted twice", SRT.replace('\n', "\r\r\n")),
        ("lines of both", SRT.replacen('\n', "\r", 3)),
        (
            "marks of an encoding",
            format!("\u{feff}\u{feff}{}", SRT.replace("\n2\n", "\n\u{feff}2\n")),
        ),
    ] {
        assert_eq!(told("a.srt", &file), phrases, "{what}");
        assert_eq!(problems(&file, Format::Srt), Vec::<String>::new(), "{what}");
    }
    let said = "1\n00:00:01,000 --> 00:00:02,000\nIt is 10:30 -> 11:30 now\n9:00 - 10:00\n";
    assert_eq!(told("a.srt", said)[0].3, "It is 10:30 -> 11:30 now 9:00 - 10:00");
}

#[test]
fn styling_in_json_and_text_is_taken_out() {
    let styled = r"{\\an8}<i>Stop</i>{\\b1}\\Nit<br>A&amp;B <font color='red'>now</font>";
    let plain = "Stop it A&B now";
    let json = format!("{{\"segments\": [{{\"start\": 1, \"end\": 2, \"text\": \"{styled}\"}}]}}");
    assert_eq!(said(&json, Format::Json)[0].text(), plain);
    let words = r#"{"segments": [{"start": 1, "end": 2, "text": "<i>Stop it</i>", "words": [
        {"word": "<i>Stop", "start": 1, "end": 1.5}, {"word": "it</i>", "start": 1.5, "end": 2}]}]}"#;
    assert_eq!(said(words, Format::Json)[0].text(), "Stop it");
    let voice = r#"{"segments": [{"start": 1, "end": 2, "text": "<v Ann>Stop it"}]}"#;
    let voice = &said(voice, Format::Json)[0];
    assert_eq!((voice.speaker.as_deref(), voice.text().as_str()), (Some("Ann"), "Stop it"));
    let text = styled.replace("\\\\", "\\");
    for (line, who) in [
        (format!("[00:01 --> 00:02] {text}\n"), ""),
        (format!("<b>[00:01 --> 00:02]</b> <i>Ann:</i> {text}\n"), "Ann"),
        (format!("[00:01 --> 00:02] <v Ann Lee>{text}</v>\n"), "Ann Lee"),
    ] {
        assert_eq!(told("a.txt", &line), expected(&[(1_000, 2_000, who, plain)]), "{line}");
    }
    let path = "[00:01 --> 00:02] C:\\New <laughs> a < b\n";
    assert_eq!(told("a.txt", path)[0].3, "C:\\New <laughs> a < b");
}

/// A segment that starts at this second.
fn part(at: u32) -> String {
    format!("{{\"start\": {at}, \"end\": {}, \"text\": \"p{at}\"}}", at + 1)
}

/// Reads JSON that keeps this many segments, and names that line.
fn is_left(file: &str, phrases: usize, line: usize) {
    let read = by_name("a.json", file.as_bytes()).unwrap_or_else(|error| panic!("{file}: {error}"));
    assert_eq!(read.phrases.len(), phrases, "{file}: {:?}", read.problems);
    let told = listed(&read.problems);
    assert!(told.iter().any(|one| one.contains(&format!("line {line}"))), "{file}: {told:?}");
}

#[test]
fn json_is_read_past_its_commas() {
    let [one, two, three] = [1, 2, 3].map(part);
    is_left(&format!("{{\"segments\": [\n{one},\n{two},\n]}}"), 2, 4);
    is_left(&format!("[\n{},\n{two}]", one.replace('}', ",}")), 2, 2);
    is_left(&format!("[{one},,\n{two}]"), 2, 1);
    is_left(&format!("{{\"text\": \"x\",,\n \"segments\": [{one}, {two}]}}"), 2, 1);
    is_left(&format!("[{one}\n{two},\n{three}]"), 3, 2);
    is_left(&format!("[{one},\n,{two}, \",] ,\"]"), 2, 2);
}

#[test]
fn json_is_read_around_what_is_no_json() {
    let [one, two, three] = [1, 2, 3].map(part);
    is_left(&format!("[{one},\noops,\n{two},\n{three}]"), 3, 2);
    is_left(&format!("[{one},\n{},\n{three}]", two.replace("\"text", "text")), 2, 2);
    is_left(&format!("[{one},\n{two},\n{}", &three[..20]), 2, 3);
    is_left(&format!("[{one},\noops,\n{two},\n{}", &three[..20]), 2, 4);
    is_left(&format!("[{}", &one[..one.len() - 1]), 1, 1);
    is_left(&format!("[{one}]\nThanks!\n"), 1, 2);
}

#[test]
fn the_same_file_is_read_in_every_encoding_with_and_without_its_mark() {
    let text = "1\r\n00:00:01,000 --> 00:00:02,000\r\nWie schön, Zoë – \u{201e}so\u{201c}!\r\n";
    let marked = format!("\u{feff}{text}");
    let mut files: Vec<(&str, Vec<u8>)> = Vec::new();
    for text in [text, &marked] {
        files.push(("UTF-8", text.as_bytes().to_vec()));
        for order in [u16::to_le_bytes, u16::to_be_bytes] {
            files.push(("UTF-16", text.encode_utf16().flat_map(order).collect()));
        }
        for order in [u32::to_le_bytes, u32::to_be_bytes] {
            files.push(("UTF-32", text.chars().flat_map(|letter| order(letter as u32)).collect()));
        }
    }
    files.push(("Windows-1252", encoding_rs::WINDOWS_1252.encode(text).0.into_owned()));
    for (encoding, file) in files {
        let read = read(&file, Format::Srt).unwrap();
        assert_eq!(read.phrases[0].1.text(), "Wie schön, Zoë – „so“!", "{encoding}");
        assert_eq!(listed(&read.problems), Vec::<String>::new(), "{encoding}");
    }
    let chinese =
        "1\n00:00:01,000 --> 00:00:02,000\n我們今天要談的是音樂和聲音的故事還有很多很多別的事情\n"
            .repeat(3);
    for order in [u16::to_le_bytes, u16::to_be_bytes] {
        let file: Vec<u8> = chinese.encode_utf16().flat_map(order).collect();
        assert!(read(&file, Format::Srt).unwrap().phrases[0].1.text().starts_with("我們今天"));
    }
    let odd: Vec<u8> = text
        .chars()
        .flat_map(|letter| (letter as u32).to_le_bytes())
        .chain([0, 0xd8, 0, 0, 7])
        .collect();
    assert_eq!(read(&odd, Format::Srt).unwrap().phrases.len(), 1);
}
