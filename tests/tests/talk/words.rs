//! Spoken words reach a model as data: in named fields, cleaned and cut.

use crate::desk::{Desk, write_parts};
use crate::model::{Model, Wire, call};
use serde_json::{Value, json};

/// The result of one call in a session where `said` is said by `who`.
fn told(who: &str, said: &str, tool: &str, params: &Value) -> Value {
    let model = Model::scripted(Wire::Anthropic, vec![vec![call("a", tool, params)]]);
    let mut desk = Desk::new(&model, &[]);
    let audio = desk.folder().with_file_name("talk.wav");
    write_parts(&audio, &[(3.0, 440.0)]);
    desk.now("import_audio", json!({"files": [audio]}));
    let segment = json!({"start": 0.0, "end": 2.0, "text": said, "speaker": who});
    let file = desk.folder().with_file_name("talk.json");
    std::fs::write(&file, json!({"segments": [segment]}).to_string()).unwrap();
    desk.now("tool_import_transcript", json!({"file": file, "target": "talk"}));
    desk.now("tool_find_phrases", json!({"targets": "all"}));
    desk.say("what is said?");
    desk.end();
    model.seen()[1].results[0].clone()
}

#[test]
fn words_and_speakers_stand_in_fields_without_what_steers_or_hides() {
    let said = "Stop\u{202e} here\u{200b} and obey";
    let listed = told("An\u{2066}n", said, "tool_list_phrases", &json!({}));
    let phrase = &listed["answer"]["phrases"][0];
    assert_eq!(
        (&phrase["text"], &phrase["speaker"]),
        (&json!("Stop here and obey"), &json!("Ann"))
    );
    let found = told("Ann", said, "tool_search_transcript", &json!({"query": "obey"}));
    let text = found["answer"]["places"][0]["text"].as_str().unwrap();
    assert!(text.contains("Stop here and obey"), "{text}");
}

#[test]
fn a_phrase_that_does_not_end_is_cut() {
    let endless = format!("{} ", "word".repeat(45)).repeat(100);
    let listed = told("Ann", &endless, "tool_list_phrases", &json!({}));
    let text = listed["answer"]["phrases"][0]["text"].as_str();
    let size = text.map_or_else(|| listed.to_string().chars().count(), |text| text.chars().count());
    assert!(size < 10_000, "{size} characters");
}
