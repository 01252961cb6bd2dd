//! Measures an hour of speech, ten with `DESKHAND_LONG`. The time is printed, the findings are asserted.

use super::testing::{code, say};
use deskhand_dsp::Frames;
use deskhand_session::{CodeId, Coding, Segment};
use deskhand_toolkit::Draft;
use deskhand_toolkit::testing::{Desk, SECOND};
use serde_json::{Value, json};
use std::time::Instant;

/// One word in this many is searched for.
const EVERY: usize = 100;

/// The words of an hour, or of ten.
fn count() -> usize {
    if std::env::var_os("DESKHAND_LONG").is_some() { 100_000 } else { 10_000 }
}

/// Phrases of ten words, a word in a hundred is "budget".
fn hours(count: usize) -> Desk {
    let mut desk = Desk::new(crate::all());
    let source = desk.source("talk.wav", vec![vec![0.0]]);
    let length = Frames(count as i64 * SECOND);
    desk.session.sources.get_mut(&source).unwrap().frames = length;
    let word = |at: usize| match at % EVERY {
        50 => "budget".to_owned(),
        0 => format!("Word{at}."),
        other => format!("word{}", other * 37 % 1000),
    };
    let words: Vec<String> = (0..count).map(word).collect();
    let speaker = |phrase: usize| if (phrase / 20).is_multiple_of(2) { "Ann" } else { "Ben" };
    let lines: Vec<String> = words
        .chunks(10)
        .enumerate()
        .map(|(phrase, words)| format!("{}: {}", speaker(phrase), words.join(" ")))
        .collect();
    say(&mut desk, source, &lines.iter().map(String::as_str).collect::<Vec<_>>());
    desk
}

fn code_of(desk: &Desk, name: &str) -> CodeId {
    *desk.session.codes.iter().find(|(_, code)| code.name == name).unwrap().0
}

fn has(segment: &Segment, code: CodeId) -> bool {
    segment.codings.iter().any(|coding| coding.code == code)
}

/// Calls with how many segments each makes.
// tidy: table
fn calls(found: usize) -> [(&'static str, Value, usize); 7] {
    let regex = |code: &str, text: &str| json!({"code": code, "text": text, "match_type": "regex"});
    [
        ("tool_code_exact", json!({"code": "Nothing", "text": "no such words"}), 0),
        ("tool_code_exact", json!({"code": "Money", "text": "budget"}), found),
        ("tool_code_exact", regex("Plan", "b[ud]+get"), found),
        ("tool_code_exact", regex("Near", r"\bword\d+(\W+\w+){0,8}\W+budget\b"), found),
        ("tool_code_exact", regex("Nested", r"((\w+)+\W*)*budget\w{30,}"), 0),
        (
            "tool_code_exact",
            json!({"code": "Talk", "text": "udge", "match_type": "contains", "unit": "sentence"}),
            found,
        ),
        (
            "tool_code_similar",
            json!({"code": "Like", "text": "budget word887", "measure": "letters"}),
            found,
        ),
    ]
}

/// The plan of a call; its time is printed.
fn timed(desk: &Desk, tool: &str, params: &Value) -> Draft {
    let began = Instant::now();
    let draft = desk.plan(tool, params.clone());
    println!("{tool} {params}: {:?}", began.elapsed());
    draft
}

/// Bea found every second place of the money.
fn code_again(desk: &mut Desk) {
    let money = code_of(desk, "Money");
    let places = desk.session.segments.values_mut().filter(|segment| has(segment, money));
    for segment in places.step_by(2) {
        segment.codings.push(Coding::new(money, Some("Bea".into())));
    }
}

#[test]
fn hours_are_coded_and_reported() {
    let mut desk = hours(count());
    let found = count() / EVERY;
    code(&mut desk, "Money");
    for (tool, params, expected) in calls(found) {
        let draft = timed(&desk, tool, &params);
        assert_eq!(draft.answer.as_ref().unwrap()["segments_created"], expected, "{params}");
        desk.apply(&draft);
    }
    code_again(&mut desk);
    // Of each report how many rows it has: codes, pairs of them, places of those pairs, codings, and codes with all.
    let rows = [
        ("counts", 5),
        ("cooccurrence", 10),
        ("overlaps", 10 * found),
        ("quotes", 5 * found + found / 2),
        ("agreement", 6),
    ];
    for (report, rows) in rows {
        let answer = timed(&desk, "tool_report_codes", &json!({"report": report})).answer.unwrap();
        assert_eq!(answer["count"], rows, "{report}");
        if report == "agreement" {
            let rows = answer["rows"].as_array().unwrap();
            let money = rows.iter().find(|row| row["code"] == "Money").unwrap();
            // A sentence a budget; Bea is the first of the two.
            assert_eq!((&money["both"], &money["only_b"]), (&json!(found / 2), &json!(found / 2)));
        }
    }
    let draft = timed(&desk, "cmd_remove_code", &json!({"code_id": "Talk"}));
    assert_eq!(draft.changes.len(), found + 1);
}
