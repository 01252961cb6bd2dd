//! Plain text with times and names of others' kinds.

use super::super::*;
use super::{put_right, read};

/// The phrases of a recording of 20 s with speech throughout: the start, the speaker and the words.
pub(super) fn told(file: &str) -> Vec<(u64, String, String)> {
    told_of(file, Micros(20_000_000))
}

/// The same of a recording of this length.
fn told_of(file: &str, length: Micros) -> Vec<(u64, String, String)> {
    let mut speech = || Ok::<_, TranscriptError>(vec![Micros(0)..length]);
    let read = read_of(file.as_bytes(), Format::Text, length, &mut speech).unwrap();
    let one = |(_, said): &(Place, Said)| {
        (said.start.0 / 1000, said.speaker.clone().unwrap_or_default(), said.text())
    };
    read.phrases.iter().map(one).collect()
}

pub(super) fn expected(phrases: &[(u64, &str, &str)]) -> Vec<(u64, String, String)> {
    let owned = |(at, who, text): &(u64, &str, &str)| (*at, (*who).to_owned(), (*text).to_owned());
    phrases.iter().map(owned).collect()
}

#[test]
fn times_stand_ahead_of_a_name_and_behind_it_and_above_what_is_said() {
    let phrases = expected(&[(1_000, "Anna", "Good day."), (62_500, "Ben Ray", "Hi: yes.")]);
    for file in [
        "00:00:01 Anna: Good day.\n00:01:02.5 Ben Ray: Hi: yes.\n",
        "00:01 - Anna: Good day.\n\n01:02.500 - Ben Ray: Hi: yes.\n",
        "Anna (00:00:01): Good day.\nBen Ray [00:01:02,500]: Hi: yes.\n",
        "Anna  0:01\nGood day.\n\nBen Ray  1:02.5\nHi: yes.\n",
        "Anna: 0:01\nGood\nday.\nBen Ray: 1:02.5\n\nHi: yes.\n",
        "Anna (0:01)\nGood day.\n\nBen Ray (1:02.5)\nHi: yes.\n",
        "[00:00:01] Anna:\nGood day.\n[00:01:02.500] Ben Ray:\nHi: yes.\n",
        "00:00:01\nAnna: Good day.\n\n00:01:02.500\nBen Ray: Hi: yes.\n",
    ] {
        assert_eq!(told_of(file, Micros(100_000_000)), phrases, "{file}");
    }
}

#[test]
fn two_bare_times_are_a_start_and_an_end() {
    let file = "00:01 - 00:02 Anna: Hi\n00:03 --> 00:04.5 Ben: Yes\n[00:05 - 00:06] Anna: So\n";
    let read = read(file.as_bytes(), Format::Text).unwrap();
    let ends: Vec<u64> = read.phrases.iter().map(|(_, said)| said.end.0 / 1000).collect();
    assert_eq!(ends, [2_000, 4_500, 6_000]);
}

#[test]
fn a_clock_among_the_words_is_no_time() {
    let file = "Anna: We met.\n10:30 it was\nWe left at 11:15\nand came at 12:00\nBen: So.\n10:45 then\n\
                Ben: Well.\nAnna: Yes.\n";
    let said = told(file);
    let texts: Vec<&str> = said.iter().map(|(_, _, text)| text.as_str()).collect();
    assert_eq!(texts.join("\n"), file.replace("Anna: ", "").replace("Ben: ", "").trim());
}

#[test]
fn a_line_without_a_name_is_of_whoever_was_named_last() {
    let oral = "It is May.\nINTERVIEWER: Tell me your name.\n\nTHOMAS ASHWORTH: My name is Thomas.\n\
                I was born in 1937.\n\nINTERVIEWER: Thank you.\n";
    let who: Vec<String> = told(oral).into_iter().map(|(_, who, _)| who).collect();
    let thomas = "THOMAS ASHWORTH";
    assert_eq!(who, ["", "INTERVIEWER", thomas, thomas, "INTERVIEWER"]);
    let starts = "[0:01] Anna: Good day.\n[0:03] How are you?\n[0:05] Ben: Well.\n";
    let who: Vec<String> = told(starts).into_iter().map(|(_, who, _)| who).collect();
    assert_eq!(who, ["Anna", "Anna", "Ben"]);
    let above = "Anna:\nGood day.\nBen:\nHi.\nAnna:\nHe said:\nBen:\nNo.\n";
    let said: Vec<_> = told(above).into_iter().map(|(_, who, text)| who + ": " + &text).collect();
    assert_eq!(said, ["Anna: Good day.", "Ben: Hi.", "Anna: He said:", "Ben: No."]);
}

#[test]
fn phrases_with_both_times_are_of_nobody_where_nobody_is_named() {
    let file = "[00:01 --> 00:02] Anna: Hi\n[00:02 --> 00:03] so\n";
    assert_eq!(told(file), expected(&[(1_000, "Anna", "Hi"), (2_000, "", "so")]));
}

#[test]
fn lying_times_of_these_kinds_are_listed_with_their_line() {
    for (file, phrases, why) in [
        ("00:00:05 Anna: x\n\n00:00:01 Ben: y\n", 2, "sorted: line 3"),
        ("[0:05] Anna: x\n[0:01] Ben: y\n", 2, "sorted: line 2"),
        ("Anna 0:05\nx\nBen 0:01\ny\n", 2, "sorted: line 3"),
        ("00:01 Anna: x\n00:99 Ben: y\n", 1, "shares that of the phrase above it: line 2"),
        ("00:01 Anna: x\n00:02 Ben: y\nNaN Ben: z\n", 3, "phrase above it: line 3"),
        ("Anna (0:01): x\nBen (0:77): y\n", 1, "phrase above it: line 2"),
        ("A talk\nAnna 0:01\nx\nBen 0:02\ny\n", 2, "above the first time is left out: line 1"),
        ("00:01 - 00:03 x\n00:02 - 00:04 y\n", 2, "ends where that starts: line 1"),
    ] {
        let (left, told) = put_right(file, Format::Text, 20_000_000);
        assert!(told.iter().any(|one| one.contains(why)), "{file}: {told:?}");
        assert_eq!(left, phrases, "{file}: {told:?}");
    }
}

#[test]
fn a_hostile_text_is_read_in_time_that_grows_with_it() {
    let file = format!("[0:01] Ann: x\n{}", "b:\n".repeat(200_000));
    let mut speech = || Ok::<_, TranscriptError>(vec![Micros(0)..Micros(20_000_000)]);
    let last = Micros(20_000_000);
    let read = read_of(file.as_bytes(), Format::Text, last, &mut speech).unwrap();
    assert_eq!(read.phrases.len(), 51, "parts of 4,000 words");
}
