//! Plain text with times after the text, and names next to times above it.

use super::super::*;
use super::lines::{expected, told};
use super::{put_right, read};

/// When each phrase of a file with all its times begins and ends, in ms.
fn times(file: &str) -> Vec<(u64, u64)> {
    let read = read(file.as_bytes(), Format::Text).unwrap();
    let at = |(_, said): &(Place, Said)| (said.start.0 / 1000, said.end.0 / 1000);
    read.phrases.iter().map(at).collect()
}

#[test]
fn a_stamp_behind_what_is_said_is_its_end() {
    for file in [
        "Anna: How was it? #00:00:01-5#\nBen Ray: Fine: thanks. #00:00:04-2#\n",
        "Anna: How was it?#00:00:01-5#\n\nBen Ray: Fine: thanks.#00:00:04-2#\n",
        "Anna: How was it?\n#00:00:01-5#\nBen Ray: Fine: thanks.\n#00:00:04-2#\n",
        "Anna: How was it? [00:01.5]\nBen Ray: Fine: thanks. [00:04.2]\n",
        "Anna: How was it? (00:00:01,5)\nBen Ray: Fine: thanks. (00:00:04,2)\n",
    ] {
        let phrases = [(0, "Anna", "How was it?"), (1_500, "Ben Ray", "Fine: thanks.")];
        assert_eq!(told(file), expected(&phrases), "{file}");
        assert_eq!(times(file), [(0, 1_500), (1_500, 4_200)], "{file}");
    }
    let read = read(b"A: Hi you #0:01#\nB: So #0:02#\n", Format::Text).unwrap();
    assert!(!read.is_timeless);
    assert!(read.warnings[0].contains("times after what is said"), "{:?}", read.warnings);
}

#[test]
fn a_stamp_ahead_of_what_is_said_is_its_start_and_between_words_both() {
    let starts = "#00:00:01-0# Anna: Hi.\n#00:00:02-5# Ben: Yes.\n";
    assert_eq!(told(starts), expected(&[(1_000, "Anna", "Hi."), (2_500, "Ben", "Yes.")]));
    let both = "#00:00:01-0# Anna: Hi. #00:00:02-0#\n#00:00:03-0# Ben: Yes. #00:00:04-0#\n";
    assert_eq!(times(both), [(1_000, 2_000), (3_000, 4_000)]);
    let ranges = "Anna: Hi. [0:01 - 0:02]\nBen: Yes. [0:03 - 0:04]\n";
    assert_eq!(times(ranges), [(1_000, 2_000), (3_000, 4_000)]);
    let between = "Anna: One two. #0:02# Three four. #0:04#\nBen: So.\n#0:06#\n";
    let phrases = [(0, "Anna", "One two."), (2_000, "Anna", "Three four."), (4_000, "Ben", "So.")];
    assert_eq!(told(between), expected(&phrases));
    // A phrase with a name after the stamp, and one without.
    let named = "Anna: #0:01# Hi.\nso #0:02# it is.\n";
    let phrases = [(1_000, "Anna", "Hi."), (1_500, "Anna", "so"), (2_000, "Anna", "it is.")];
    let said: Vec<_> = told(named).into_iter().map(|(_, who, text)| (who, text)).collect();
    let all: Vec<_> = expected(&phrases).into_iter().map(|(_, who, text)| (who, text)).collect();
    assert_eq!(said, all);
}

#[test]
fn marks_behind_a_stamp_close_what_is_ahead_of_it() {
    let file = "Anna: Well #00:00:02-0#, so it is #00:00:04-0#.\nBen: Yes #00:00:06-0#!\n";
    let phrases = [(0, "Anna", "Well,"), (2_000, "Anna", "so it is."), (4_000, "Ben", "Yes!")];
    assert_eq!(told(file), expected(&phrases));
    let starts = "Anna #0:01#: Hi.\nBen #0:02#: ...Yes.\n";
    assert_eq!(told(starts), expected(&[(1_000, "Anna", "Hi."), (2_000, "Ben", "...Yes.")]));
}

#[test]
fn paragraphs_ahead_of_one_stamp_share_its_time() {
    let said = told("Anna: Hi.\nBen: Ho.\n#0:04#\nAnna: So. #0:06#\n");
    assert_eq!(
        said,
        expected(&[(0, "Anna", "Hi."), (2_000, "Ben", "Ho."), (4_000, "Anna", "So.")])
    );
}

#[test]
fn paragraphs_with_the_same_stamp_share_a_time() {
    let ends = "Anna: Hi. [0:04]\nBen: Ho. [0:04]\nAnna: So. [0:06]\nBen: No. [0:06]\n";
    let phrases =
        [(0, "Anna", "Hi."), (2_000, "Ben", "Ho."), (4_000, "Anna", "So."), (5_000, "Ben", "No.")];
    assert_eq!(told(ends), expected(&phrases));
    let starts = "#0:01# Anna: Hi.\n#0:01# Ben: Ho.\n#0:03# Anna: So.\n";
    let phrases = [(1_000, "Anna", "Hi."), (2_000, "Ben", "Ho."), (3_000, "Anna", "So.")];
    assert_eq!(told(starts), expected(&phrases));
}

#[test]
fn stamps_that_lie_are_listed_with_their_line() {
    for (file, phrases, why) in [
        ("A: x #0:05#\nB: y #0:01#\n", 2, "shares that of the phrase above it: line 2"),
        ("A: x #00:99:01-5#\nB: y #0:01#\n", 2, "phrase above it: line 1 (\"00:99:01-5\")"),
        ("A: x [0:77]\nB: y [0:99]\n", 2, "phrase above them: line 1 (\"0:77\"), line 2"),
        ("A: x #0:00#\nB: y #0:05#\n", 1, "takes no time and is left out: line 1 (\"x\")"),
        ("A talk\n#0:05# A: x\n#0:07# B: y #0:08#\n", 2, "first time is left out: line 1"),
    ] {
        let (left, told) = put_right(file, Format::Text, 20_000_000);
        assert!(told.iter().any(|one| one.contains(why)), "{file}: {told:?}");
        assert_eq!(left, phrases, "{file}: {told:?}");
    }
    let open = read(b"A: x #0:05#\nB: y\n", Format::Text).unwrap_err();
    assert_eq!(open.problem, "it does not say when its phrases end");
}

#[test]
fn a_clock_in_brackets_among_the_words_is_none_and_is_told() {
    let file = "Anna: We met at (10:30)\nBen: Where?\nAnna: There.\nBen: So.\n";
    let mut speech = || Ok::<_, TranscriptError>(vec![Micros(0)..Micros(20_000_000)]);
    let read = read_of(file.as_bytes(), Format::Text, Micros(20_000_000), &mut speech).unwrap();
    assert!(read.is_timeless);
    assert_eq!(read.phrases[0].1.text(), "We met at (10:30)");
    assert_eq!(
        read.warnings[1],
        "line 1: \"(10:30)\" is taken for a word that is said, not for a time"
    );
    let one = "Speaker #1: hi\nSpeaker #2: ho\nSpeaker #1: so\nSpeaker #2: no\n";
    let who: Vec<String> = told(one).into_iter().map(|(_, who, _)| who).collect();
    assert_eq!(who, ["Speaker #1", "Speaker #2", "Speaker #1", "Speaker #2"]);
}

#[test]
fn a_time_ahead_of_a_name_stands_above_what_is_said() {
    let name = "Dr. Bert O'Neil-Smith";
    let file = format!("0:01 - Anna\nWelcome to\nthe show.\n0:04 - {name}\nThank you.\n");
    let phrases = [(1_000, "Anna", "Welcome to the show."), (4_000, name, "Thank you.")];
    assert_eq!(told(&file), expected(&phrases));
    let again = "0:01 Anna\nHi.\n0:03 Ben\nHo.\n0:05 Anna\nSo.\n";
    let phrases = [(1_000, "Anna", "Hi."), (3_000, "Ben", "Ho."), (5_000, "Anna", "So.")];
    assert_eq!(told(again), expected(&phrases));
    let words = "0:01 - Hello everyone\nand welcome.\n0:04 - Thank you\nvery much.\n";
    let phrases = [(1_000, "", "Hello everyone and welcome."), (4_000, "", "Thank you very much.")];
    assert_eq!(told(words), expected(&phrases));
}

#[test]
fn what_is_written_is_read_as_it_was_though_stamps_are_among_its_words() {
    let file = "[00:00:01.000 --> 00:00:02.000] Anna: it was #0:01# or\n\
                [00:00:02.000 --> 00:00:03.000] Ben: at (0:02)\n";
    let said = super::said(file, Format::Text);
    assert_eq!(write(&said, Written::Text), file);
    assert_eq!(super::said(&write(&said, Written::Text), Format::Text), said);
}
