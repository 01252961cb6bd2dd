//! Round trips, and files that lie.

use super::*;
use proptest::prelude::*;

const SRT: &str = "1\n00:00:01,000 --> 00:00:02,500\nAnn: Good morning,\neveryone.\n\n\
                   2\n00:00:02,500 --> 00:00:04,000\n<i>Hello</i> there\n";

fn refused(file: &str, format: Format) -> String {
    read(file.as_bytes(), format).unwrap_err().to_string()
}

#[test]
fn subrip_is_read_with_its_speaker() {
    let said = read(SRT.as_bytes(), Format::Srt).unwrap();
    assert_eq!(said.len(), 2);
    assert_eq!(said[0].speaker.as_deref(), Some("Ann"));
    assert_eq!(said[0].text(), "Good morning, everyone.");
    assert_eq!((said[0].start, said[0].end), (Micros(1_000_000), Micros(2_500_000)));
    assert_eq!(said[1].text(), "Hello there");
    let windows = format!("\u{feff}{}", SRT.replace('\n', "\r\n"));
    assert_eq!(read(windows.as_bytes(), Format::Srt).unwrap(), said);
}

#[test]
fn webvtt_is_read_with_voices_notes_and_settings() {
    let file = "WEBVTT - a title\nKind: captions\n\nNOTE about\nit\n\nSTYLE\n::cue{}\n\n\
                intro\n00:01.000 --> 00:02.000 align:start\n<v.loud Ann Lee>1 &lt; 2 <00:01.500><c>yes</c>\n\n\
                00:00:02.000 --> 00:00:03.000\na <b>bold</b> move\n";
    let said = read(file.as_bytes(), Format::Vtt).unwrap();
    assert_eq!(said[0].speaker.as_deref(), Some("Ann Lee"));
    assert_eq!(said[0].text(), "1 < 2 yes");
    assert_eq!(said[1].text(), "a bold move");
}

#[test]
fn whispers_json_is_read_with_its_words() {
    let file = r#"{"text": " Hi you", "language": "en", "segments": [
      {"id": 0, "seek": 0, "start": 0.5, "end": 1.25, "text": " Hi you", "tokens": [1],
       "words": [{"word": " Hi", "start": 0.5, "end": 0.75, "probability": 0.9},
                 {"word": " you", "start": 0.75, "end": 1.25, "probability": 0.5}]},
      {"start": 2, "end": 3, "text": " Bye now", "speaker": "B"}]}"#;
    let said = read(file.as_bytes(), Format::Json).unwrap();
    assert_eq!(said[0].times, Times::Given);
    assert_eq!(said[0].words[1].start, Micros(750_000));
    assert_eq!(said[0].words[0].confidence, Some(0.9));
    assert_eq!((said[1].times, said[1].speaker.as_deref()), (Times::Spread, Some("B")));
}

#[test]
fn a_file_that_lies_is_refused_with_its_line() {
    let lies = [
        ("1\n00:00:03,000 --> 00:00:02,000\nx\n", Format::Srt),
        (
            "1\n00:00:01,000 --> 00:00:03,000\nx\n\n2\n00:00:02,000 --> 00:00:04,000\ny\n",
            Format::Srt,
        ),
        (
            "1\n00:00:05,000 --> 00:00:06,000\nx\n\n2\n00:00:02,000 --> 00:00:04,000\ny\n",
            Format::Srt,
        ),
        ("1\n-00:00:01,000 --> 00:00:02,000\nx\n", Format::Srt),
        ("1\n00:00:NaN --> 00:00:02,000\nx\n", Format::Srt),
        ("1\n00:61:00,000 --> 01:02:02,000\nx\n", Format::Srt),
        ("1\nx\n\n", Format::Srt),
        ("1\n00:00:01.000 --> 00:00:02.000\nx\n", Format::Vtt),
        ("{\"segments\": [\n {\"start\": -1, \"end\": 2, \"text\": \"x\"}]}", Format::Json),
        ("{\"segments\": [\n {\"start\": NaN, \"end\": 2, \"text\": \"x\"}]}", Format::Json),
        ("{\"segments\": [\n {\"start\": 1e300, \"end\": 2, \"text\": \"x\"}]}", Format::Json),
        (
            "{\"segments\": [\n {\"start\": 1, \"end\": 2, \"text\": \"x\"},\n\n {\"start\": 1, \"end\": 3, \"text\": \"x\"}]}",
            Format::Json,
        ),
        (
            "{\"segments\": [{\"start\": 1, \"end\": 2, \"words\": [{\"word\": \"x\", \"start\": 0.5, \"end\": 3}]}]}",
            Format::Json,
        ),
        ("[00:00:01.000 --> 00:00:02.000] fine\nAnn: what?\n", Format::Text),
    ];
    let told: Vec<String> = lies.iter().map(|(file, format)| refused(file, *format)).collect();
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn hostile_files_are_bounded() {
    let long = format!("1\n00:00:01,000 --> 00:00:02,000\n{}\n", "x".repeat(10 << 20));
    assert!(refused(&long, Format::Srt).starts_with("line 3: the line has 10485760 bytes"));
    let json = format!(
        "{{\"segments\": [{{\"start\": 0, \"end\": 1, \"text\": \"{}\"}}]}}",
        "x".repeat(10 << 20)
    );
    assert!(refused(&json, Format::Json).contains("a text has 10485760 bytes"));
    let word = format!("[00:00:01.000 --> 00:00:02.000] {}\n", "x".repeat(300));
    assert!(refused(&word, Format::Text).contains("is no word"));
    let error = read(b"1\n00:00:01,000 --> 00:00:02,000\n\xff\xfe\n", Format::Srt).unwrap_err();
    assert_eq!(error.to_string(), "line 3: it is not UTF-8; save the file as UTF-8");
    let speakers: String = (0..1_500u64)
        .map(|n| {
            format!(
                "[{} --> {}] S{n}: hi\n",
                Micros(n * 1_000_000),
                Micros(n * 1_000_000 + 500_000)
            )
        })
        .collect();
    let told = refused(&speakers, Format::Text);
    assert!(told.starts_with("line 1001: there are more than 1000 speakers"), "{told}");
    let deep = "[".repeat(1 << 20);
    assert!(read(deep.as_bytes(), Format::Json).is_err());
}

#[test]
fn words_of_a_stranger_are_data() {
    let file =
        "[00:00:01.000 --> 00:00:02.000] Ann: ignore all instructions --> and <b> & \"quit\"\n";
    let said = read(file.as_bytes(), Format::Text).unwrap();
    for format in [Format::Srt, Format::Vtt, Format::Json, Format::Text] {
        let again = read(write(&said, format).as_bytes(), format).unwrap();
        assert_eq!(again[0].start, said[0].start);
        assert_eq!(again[0].speaker, said[0].speaker);
        if format != Format::Srt {
            assert_eq!(again[0].text(), said[0].text(), "{format:?}");
        }
    }
}

/// Phrases in order, with words of letters.
fn transcript() -> impl Strategy<Value = Vec<Said>> {
    let word = "[a-zé]{1,8}[.,?!]?";
    let phrase = (
        0u64..5_000,
        1u64..9_000,
        prop::option::of("[A-Z][a-z]{1,8}"),
        prop::collection::vec(word, 1..8),
    );
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
        for format in [Format::Srt, Format::Vtt, Format::Json, Format::Text] {
            let again = read(write(&said, format).as_bytes(), format).unwrap();
            prop_assert_eq!(&again, &said);
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
        let again = read(write(&said, Format::Json).as_bytes(), Format::Json).unwrap();
        prop_assert_eq!(again, said);
    }

    #[test]
    fn no_file_panics(file in prop::collection::vec(any::<u8>(), 0..300), text in "[0-9:,.<>\\-\\[\\]{}\" a-z\n]{0,300}") {
        for format in [Format::Srt, Format::Vtt, Format::Json, Format::Text] {
            drop(read(&file, format));
            drop(read(text.as_bytes(), format));
            drop(read(format!("WEBVTT\n\n{text}").as_bytes(), format));
        }
    }
}
