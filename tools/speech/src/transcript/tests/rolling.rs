//! Captions that roll.

use super::super::*;
use super::whisper::words;
use super::{problems, said};

/// In YouTube's shape: a line of a blank, words with their times, each line once more above the next, and cues of ten
/// milliseconds that hold it.
const YOUTUBE: &str = "WEBVTT\nKind: captions\nLanguage: en\n\n\
    00:00:00.160 --> 00:00:02.310 align:start position:0%\n \n\
    the<00:00:00.480><c> river</c><00:00:00.640><c> rose</c>\n\n\
    00:00:02.310 --> 00:00:02.320 align:start position:0%\nthe river rose\n \n\n\
    00:00:02.320 --> 00:00:04.390 align:start position:0%\nthe river rose\nagain\n\n\
    00:00:04.390 --> 00:00:04.400 align:start position:0%\nagain\n \n\n\
    00:00:04.400 --> 00:00:06.000 align:start position:0%\nagain\n\
    again<00:00:05.000><c> &amp;</c><00:00:05.500><c> again</c>\n";

#[test]
fn a_line_that_rolls_is_said_once_with_the_times_of_its_words() {
    for file in [YOUTUBE.to_owned(), YOUTUBE.replace('\n', "\r\n")] {
        let said = said(&file, Format::Vtt);
        let told: Vec<_> = said.iter().map(words).collect();
        let expected = [
            vec![("the", 160, 480), ("river", 480, 640), ("rose", 640, 2310)],
            vec![("again", 2320, 4390)],
            vec![("again", 4400, 5000), ("&", 5000, 5500), ("again", 5500, 6000)],
        ];
        assert_eq!(told, expected);
        assert!(said.iter().all(|one| one.times == Times::Given && one.speaker.is_none()));
    }
}

#[test]
fn the_same_without_times_of_words_rolls_in_subrip_too() {
    let file = "1\n00:00:00,160 --> 00:00:02,310\n \nthe river rose\n\n\
                2\n00:00:02,310 --> 00:00:02,320\nthe river rose\n \n\n\
                3\n00:00:02,320 --> 00:00:04,390\nthe river rose\nagain\n\n";
    let said = said(file, Format::Srt);
    let told: Vec<_> = said.iter().map(|one| (one.text(), one.times)).collect();
    assert_eq!(told, [("the river rose".into(), Times::Spread), ("again".into(), Times::Spread)]);
}

#[test]
fn people_who_repeat_themselves_are_heard_twice() {
    let file = "WEBVTT\n\n00:01.000 --> 00:02.000\nNo.\n\n00:02.000 --> 00:03.000\nNo.\nNever.\n";
    let texts: Vec<String> = said(file, Format::Vtt).iter().map(Said::text).collect();
    assert_eq!(texts, ["No.", "No. Never."]);
}

#[test]
fn times_that_lie_are_told_of_where_lines_roll() {
    let held = "00:00:02.310 --> 00:00:02.320";
    let lie = YOUTUBE.replace(held, "00:00:02.310 --> 00:00:02.300");
    let told = problems(&lie, Format::Vtt);
    let expected = "1 phrase takes no time and is left out: line 9";
    assert!(told[0].starts_with(expected), "{told:?}");
    let outside = YOUTUBE.replace("<00:00:05.500>", "<00:00:06.500>");
    let told = problems(&outside, Format::Vtt);
    assert!(told[0].contains("do not fit, which were estimated: line 21"), "{told:?}");
}

#[test]
fn lines_of_blanks_between_cues_end_them() {
    let file =
        "WEBVTT\n\n00:01.000 --> 00:02.000\none\n  \nname\n00:02.000 --> 00:03.000\ntwo\n \n\n \n";
    let texts: Vec<String> = said(file, Format::Vtt).iter().map(Said::text).collect();
    assert_eq!(texts, ["one", "two"]);
}
