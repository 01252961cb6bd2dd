//! JSON of Whisper and its relatives.

use super::super::*;
use super::{problems, read, refused, said};

#[test]
fn whispers_json_is_read_with_its_words() {
    let file = r#"{"text": " Hi you", "language": "en", "segments": [
      {"id": 0, "seek": 0, "start": 0.5, "end": 1.25, "text": " Hi you", "tokens": [1],
       "words": [{"word": " Hi", "start": 0.5, "end": 0.75, "probability": 0.9},
                 {"word": " you", "start": 0.75, "end": 1.25, "probability": 0.5}]},
      {"start": 2, "end": 3, "text": " Bye now", "speaker": "B"}]}"#;
    let said = said(file, Format::Json);
    assert_eq!(said[0].times, Times::Given);
    assert_eq!(said[0].words[1].start, Micros(750_000));
    assert_eq!(said[0].words[0].confidence, Some(0.9));
    assert_eq!((said[1].times, said[1].speaker.as_deref()), (Times::Spread, Some("B")));
}

/// Words with their times in ms.
pub(super) fn words(one: &Said) -> Vec<(&str, u64, u64)> {
    let at = |at: Micros| at.0 / 1000;
    one.words.iter().map(|word| (word.text.as_str(), at(word.start), at(word.end))).collect()
}

#[test]
fn whisper_cpp_writes_offsets() {
    let file = r#"{"systeminfo": "x", "result": {"language": "en"}, "transcription": [
      {"timestamps": {"from": "00:00:00,000", "to": "00:00:02,000"}, "offsets": {"from": 0, "to": 2000},
       "text": " Hello there.", "tokens": [{"text": " Hello", "offsets": {"from": 0, "to": 900}}]},
      {"offsets": {"from": 2000, "to": 3500}, "text": " Bye."}]}"#;
    let said = said(file, Format::Json);
    assert_eq!((said[0].text().as_str(), said[0].times), ("Hello there.", Times::Spread));
    assert_eq!((said[1].start, said[1].end), (Micros(2_000_000), Micros(3_500_000)));
}

#[test]
fn a_bare_list_is_one_of_segments() {
    let said = said(
        r#"[{"id": 1, "start": 0.0, "end": 1.0, "text": " Hi you", "words": null}]"#,
        Format::Json,
    );
    assert_eq!((said.len(), said[0].text().as_str()), (1, "Hi you"));
    let told = problems(
        "[{\"start\": 0, \"end\": 1},\n {\"start\": 0.5, \"end\": 2, \"text\": \"x\"},\n {\"start\": 0.7, \"end\": 2, \"text\": \"y\"}]",
        Format::Json,
    );
    let expected =
        "1 phrase overlaps the next and now ends where that starts: line 2, segment 2 (\"x\")";
    assert_eq!(told, [expected]);
}

#[test]
fn what_is_no_number_or_missing_costs_its_segment_alone() {
    let file = r#"{"text": "x", "segments": [
      {"start": 0.5, "end": 1.0, "text": "One", "avg_logprob": NaN, "compression_ratio": Infinity},
      {"start": NaN, "end": 2.0, "text": "Two"},
      {"start": null, "end": null, "text": "Three", "words": [{"word": "Three", "start": 3, "end": "3.5"}]},
      "four", {"end": 5, "text": "Five"}, {"start": 6, "end": 7, "text": 6, "speaker": null, "words": {}}]}"#;
    let texts: Vec<String> = said(file, Format::Json).iter().map(Said::text).collect();
    assert_eq!(texts, ["One", "Three", "6"]);
    let expected = "2 phrases have no time that can be read and are left out: line 3, segment 2 (\"Two\"), \
                    line 5, segment 5 (\"Five\")";
    let told = problems(file, Format::Json);
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].starts_with("2 phrases have no time that can be read"), "{told:?} {expected}");
}

#[test]
fn what_stands_before_a_break_is_read() {
    let file = "{\"segments\": [{\"start\": 0, \"end\": 1, \"text\": \"One\"},\n {\"start\": 1, \"end\": 2, \"te";
    assert_eq!(said(file, Format::Json).len(), 1);
    let told = "The file breaks off here, and only what comes before was read: line 2";
    assert_eq!(problems(file, Format::Json), [told]);
}

#[test]
fn words_that_were_not_aligned_stand_between_their_neighbors() {
    let file = r#"{"segments": [{"start": 0.0, "end": 4.0, "text": " In 2014 and 2015 so 16", "words": [
      {"word": "In", "start": 0.0, "end": 1.0, "score": 0.9}, {"word": "2014"}, {"word": "and"},
      {"word": "so", "start": 2.0, "end": 3.0}, {"word": "16"}]}], "word_segments": []}"#;
    let said = said(file, Format::Json);
    let all = [
        ("In", 0, 1000),
        ("2014", 1000, 1500),
        ("and", 1500, 2000),
        ("so", 2000, 3000),
        ("16", 3000, 4000),
    ];
    assert_eq!((words(&said[0]), said[0].times), (all.to_vec(), Times::Given));
}

#[test]
fn words_beside_segments_and_words_alone_are_taken() {
    let both = r#"{"segments": [{"start": 0.0, "end": 1.0, "text": "Hi, you!"}, {"start": 1.0, "end": 2.0, "text": "So."}],
      "words": [{"word": "Hi", "start": 0.0, "end": 0.4}, {"word": "you", "start": 0.4, "end": 0.9},
                {"word": "so", "start": 1.2, "end": 1.5}]}"#;
    let said = super::said(both, Format::Json);
    assert_eq!(words(&said[0]), [("Hi,", 0, 400), ("you!", 400, 900)]);
    assert_eq!((words(&said[1]), said[1].times), (vec![("So.", 1200, 1500)], Times::Given));
    let alone = r#"{"text": "Hi you. So then", "words": [{"word": "Hi", "start": 0.0, "end": 0.5},
      {"word": "you.", "start": 0.5, "end": 1.02}, {"word": "So", "start": 1.0, "end": 1.2},
      {"word": "then", "start": 2.0, "end": 2.5}]}"#;
    let said = super::said(alone, Format::Json);
    let texts: Vec<String> = said.iter().map(Said::text).collect();
    assert_eq!(texts, ["Hi you.", "So", "then"]);
    assert_eq!((said[0].end, said[1].start), (Micros(1_000_000), Micros(1_000_000)));
}

#[test]
fn a_segment_without_length_is_left_out_and_words_may_reach_out_a_little() {
    let file = r#"{"segments": [{"start": 0.0, "end": 1.0, "text": " Hi you", "words": [
      {"start": 0.0, "end": 0.4, "word": " Hi"}, {"start": 0.39, "end": 1.02, "word": " you"}]},
      {"start": 1.0, "end": 1.0, "text": " ok"}, {"start": 1.0, "end": 2.0, "text": " bye"}]}"#;
    let transcript = read(file.as_bytes(), Format::Json).unwrap();
    let told = "1 phrase takes no time and is left out: line 3, segment 2 (\"ok\")";
    assert_eq!(listed(&transcript.problems), [told]);
    assert_eq!(transcript.phrases.len(), 2);
    assert_eq!(words(&transcript.phrases[0].1), [("Hi", 0, 400), ("you", 390, 1000)]);
    assert_eq!(transcript.phrases[1].0, Place { line: 3, segment: Some(3) });
    let told = problems(&file.replace("1.02", "1.2"), Format::Json);
    assert!(told.iter().any(|one| one.contains("estimated: line 1, segment 1")), "{told:?}");
}

#[test]
fn json_of_another_kind_is_refused() {
    let nothing = refused("{\"text\": \"x\"}", Format::Json);
    assert!(nothing.contains("no `segments`, no `words`"), "{nothing}");
}

#[test]
fn words_that_are_moved_by_more_than_a_little_are_counted() {
    let file = |start: f64| {
        let word = |start: f64, end: f64| {
            format!("{{\"word\": \"x\", \"start\": {start}, \"end\": {end}}}")
        };
        let words = [word(0.3, 0.5), word(start, 0.7), word(0.7, 0.9)].join(", ");
        format!("{{\"segments\": [{{\"start\": 0, \"end\": 1, \"words\": [{words}]}}]}}")
    };
    let warnings = |start| read(file(start).as_bytes(), Format::Json).unwrap().warnings;
    assert_eq!(warnings(0.26), Vec::<String>::new());
    let told = "1 word began before the word before it by more than 50 ms and was moved after \
                its start, in segment 1";
    assert_eq!(warnings(0.2), [told]);
}
