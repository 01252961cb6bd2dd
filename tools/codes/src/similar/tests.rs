//! Tests of coding by similarity to a text.

use crate::testing::{code, seconds, spoken};
use deskhand_inference::{Library, MEANING, install_missing};
use deskhand_toolkit::testing::Desk;
use serde_json::json;

#[test]
fn the_most_alike_of_windows_that_overlap_is_coded() {
    let mut desk = Desk::new(crate::all());
    let lines = ["A: I will never do that again, I said.", "B: She will neever do that agen."];
    spoken(&mut desk, "talk.wav", &lines);
    let id = code(&mut desk, "Promise");
    let params = json!({"code_id": id, "text": "never do that again", "measure": "letters"});
    let draft = desk.settle("tool_code_similar", &params);
    assert_eq!(seconds(&desk, id), [(2, 6), (10, 14)]);
    let answer = draft.answer.unwrap();
    assert_eq!(answer["measure"], "letters");
    let places = answer["places"].clone();
    assert_eq!(
        (&places[0]["similarity"], &places[0]["text"]),
        (&json!(1.0), &json!("never do that again,"))
    );
    assert!(places[1]["similarity"].as_f64().unwrap() < 1.0);
}

#[test]
fn sentences_and_turns_are_compared_whole() {
    let mut desk = Desk::new(crate::all());
    spoken(&mut desk, "talk.wav", &["A: Where is it? It is there.", "B: It was there!"]);
    let id = code(&mut desk, "Place");
    let call = |unit: &str, least: f64| json!({"code_id": id, "text": "It is there", "unit": unit, "similarity_threshold": least, "measure": "letters"});
    desk.settle("tool_code_similar", &call("sentence", 1.0));
    assert_eq!(seconds(&desk, id), [(3, 6)]);
    desk.settle("tool_code_similar", &call("sentence", 0.6));
    assert_eq!(seconds(&desk, id), [(3, 6), (6, 9)]);
    desk.settle("tool_code_similar", &call("turn", 0.3));
    assert_eq!(seconds(&desk, id), [(0, 6), (3, 6), (6, 9)]);
}

#[test]
fn what_holds_no_words_is_refused_and_nothing_alike_is_told() {
    let mut desk = Desk::new(crate::all());
    spoken(&mut desk, "talk.wav", &["-: hello there"]);
    let refusal = desk.refusal("tool_code_similar", json!({"code": "X", "text": "…"}));
    assert!(refusal.contains("holds no words"), "{refusal}");
    let none =
        desk.plan("tool_code_similar", json!({"code": "X", "text": "money", "measure": "letters"}));
    assert_eq!(
        (none.changes.len(), none.summary.as_str()),
        (0, "what is like \"money\" is not said there")
    );
    let long = "hello there my friends and foes";
    let call = json!({"code": "X", "text": long, "measure": "letters"});
    let short = desk.plan("tool_code_similar", call);
    assert_eq!(short.changes, [], "fewer words than the text has are compared as they are");
}

#[test]
fn what_is_meant_is_found_in_other_words() {
    let mut desk = Desk::new(crate::all());
    let lines = ["A: There was no money left for the flat.", "B: He sang in the choir for years."];
    spoken(&mut desk, "talk.wav", &lines);
    let id = code(&mut desk, "Money");
    let text = "We could not pay the rent that month.";
    let mut call = json!({"code_id": id, "text": text, "unit": "sentence", "measure": "meaning"});
    if std::env::var_os("DESKHAND_MODELS").is_some() {
        let library = Library::of_this_user().unwrap();
        drop(install_missing(&library, MEANING).inspect_err(|error| eprintln!("{error}")));
    }
    if !super::meaning::is_installed() {
        let refusal = desk.refusal("tool_code_similar", call);
        assert!(refusal.contains("`deskhand models install minilm`"), "{refusal}");
        eprintln!("SKIPPED: the model minilm is not installed");
        return;
    }
    call["similarity_threshold"] = json!(0.35);
    let draft = desk.settle("tool_code_similar", &call);
    let answer = draft.answer.unwrap();
    assert_eq!((&answer["measure"], &answer["segments_created"]), (&json!("meaning"), &json!(1)));
    assert!(answer["places"][0]["text"].as_str().unwrap().contains("money"), "{answer}");
}

#[test]
fn where_nothing_is_near_enough_the_nearest_is_named_with_the_threshold_that_finds_it() {
    let mut desk = Desk::new(crate::all());
    spoken(&mut desk, "talk.wav", &["A: Hello there.", "B: I never did that again, they say."]);
    let mut call = json!({
        "code": "Promise", "text": "I will never do that again", "unit": "sentence",
        "measure": "letters", "similarity_threshold": 0.9,
    });
    let draft = desk.plan("tool_code_similar", call.clone());
    assert_eq!(draft.changes, []);
    let told = &draft.warnings[0];
    assert!(
        told.contains("\"I never did that again, they say.\" in \"talk.wav\" at 0:02"),
        "{told}"
    );
    let nearest = draft.answer.unwrap()["nearest"]["similarity"].as_f64().unwrap();
    let named = told.split("`similarity_threshold` ").nth(1).unwrap();
    let named: f64 = named.split(' ').next().unwrap().parse().unwrap();
    assert!(named <= nearest && nearest < named + 0.05, "{told}");
    call["similarity_threshold"] = json!(named);
    assert_eq!(desk.plan("tool_code_similar", call).answer.unwrap()["segments_created"], 1);
}
