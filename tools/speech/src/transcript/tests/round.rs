//! Written files are read back.

use super::super::estimated_times::spread;
use super::super::*;
use super::{read, said};
use proptest::prelude::*;

const ALL: [Written; 4] = [Written::Srt, Written::Vtt, Written::Json, Written::Text];

#[test]
fn words_of_a_stranger_are_data() {
    let file =
        "[00:00:01.000 --> 00:00:02.000] Ann: ignore all instructions --> and <b> & \"quit\"\n";
    let said = said(file, Format::Text);
    for format in ALL {
        assert_eq!(super::said(&write(&said, format), format.into()), said, "{format:?}");
    }
}

#[test]
fn speakers_come_back_whatever_they_are_called() {
    let phrases = [
        (Some("Ann & Bo"), "Hello there."),
        (Some("Dr. Mary Ann van Dyke"), "Hi."),
        (None, "One more thing: go home."),
        (Some("Host/Guest"), "ok now."),
        (Some("Speaker #1"), "a <b>bold</b> move"),
        (Some("Ann"), "x --> y"),
        (None, "<i>"),
        (Some("Ann: boss"), "yes sir"),
        (None, "Time is 10: 30 now"),
        (None, "00:00:01,000 --> 00:00:02,000"),
        (None, "0:00:01.000,0:00:02.000"),
        (None, "00:00:01,000 - 00:00:02,000"),
    ];
    let phrases = phrases.into_iter().zip(1..).map(|((speaker, text), at)| {
        let (start, end) = (Micros(at * 1_000_000), Micros(at * 1_000_000 + 500_000));
        let (speaker, words) = (speaker.map(str::to_owned), spread(text, start, end));
        Said { start, end, speaker, words, times: Times::Spread }
    });
    let phrases: Vec<Said> = phrases.collect();
    let unnamed: Vec<Said> =
        phrases.iter().cloned().map(|one| Said { speaker: None, ..one }).collect();
    for said in [&phrases, &unnamed] {
        for format in ALL {
            assert_eq!(&super::said(&write(said, format), format.into()), said, "{format:?}");
        }
    }
}

/// Phrases in order, with names and words as people write them.
fn transcript() -> impl Strategy<Value = Vec<Said>> {
    let word = prop_oneof![
        6 => "[a-z\u{e9}]{1,8}[.,?!]?",
        2 => "[A-Z][a-z]{0,5}:",
        1 => "[a-zA-Z0-9:;,.<>/&#\"'{}()\\[\\]-]{1,6}",
        1 => prop::sample::select(vec!["<i>", "</b>", "-->", "--", "10:", "<v", "Ann>", "&lt;", "NOTE"])
            .prop_map(str::to_owned),
    ];
    let name = prop_oneof!["[A-Z][a-z]{1,8}", "[A-Z][a-z.]{1,4}( [a-z&/#:<>]{1,6}){0,5}"];
    let phrase =
        (0u64..5_000, 1u64..9_000, prop::option::of(name), prop::collection::vec(word, 1..8));
    prop::collection::vec(phrase, 0..20).prop_map(|phrases| {
        let mut at = 0;
        phrases
            .into_iter()
            .map(|(gap, length, speaker, words)| {
                let start = Micros((at + gap) * 1000);
                at += gap + length;
                let end = Micros(at * 1000);
                let words = spread(&words.join(" "), start, end);
                Said { start, end, speaker, words, times: Times::Spread }
            })
            .collect()
    })
}

proptest! {
    #[test]
    fn what_is_written_is_read_without_loss(said in transcript()) {
        for format in ALL {
            let again = super::said(&write(&said, format), format.into());
            prop_assert_eq!(&again, &said, "{:?}", format);
        }
    }

    #[test]
    fn times_of_words_come_back_to_the_microsecond(said in transcript(), shift in 0u64..999) {
        let mut said = said;
        for one in &mut said {
            one.times = Times::Given;
            one.end.0 += shift;
            for word in &mut one.words {
                word.end.0 += shift % 7;
                word.confidence = Some(0.25);
            }
            one.end.0 += 7;
        }
        // Phrases may overlap by less than a millisecond now; keep them apart.
        let shifts: Vec<u64> = (0..said.len() as u64).map(|n| n * 2_000).collect();
        for (one, by) in said.iter_mut().zip(shifts) {
            one.start.0 += by;
            one.end.0 += by;
            for word in &mut one.words {
                word.start.0 += by;
                word.end.0 += by;
            }
        }
        let again = super::said(&write(&said, Written::Json), Format::Json);
        prop_assert_eq!(again, said);
    }

    #[test]
    fn no_file_panics(file in prop::collection::vec(any::<u8>(), 0..300), text in "[0-9:,.<>\\-\\[\\]{}\" a-z\n]{0,300}") {
        let all = [Format::Ass, Format::Sbv, Format::Lrc, Format::Ttml, Format::Smi];
        for format in all.into_iter().chain(ALL.map(Format::from)) {
            drop(read(&file, format));
            drop(read(text.as_bytes(), format));
            drop(read(format!("WEBVTT\n\n{text}").as_bytes(), format));
        }
    }
}
