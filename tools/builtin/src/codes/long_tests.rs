//! An hour of speech, ten with `DESKHAND_LONG`: how long it takes is told, what it finds is asserted.

use super::testing::{code, say};
use crate::testing::{Desk, SECOND};
use deskhand_dsp::Frames;
use deskhand_session::{CodeId, Coding, Segment};
use serde_json::json;
use std::time::Instant;

/// Every so many words one is looked for.
const EVERY: usize = 100;

/// The words of an hour, or of ten.
fn count() -> usize {
    if std::env::var_os("DESKHAND_LONG").is_some() { 100_000 } else { 10_000 }
}

/// Phrases of ten words, a word in a hundred is "budget".
fn hours(count: usize) -> Desk {
    let mut desk = Desk::new();
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

#[test]
fn hours_are_coded_and_reported() {
    let mut desk = hours(count());
    let found = count() / EVERY;
    code(&mut desk, "Money");
    let calls = [
        ("tool_code_exact", json!({"code": "Nothing", "text": "no such words"}), 0),
        ("tool_code_exact", json!({"code": "Money", "text": "budget"}), found),
        (
            "tool_code_exact",
            json!({"code": "Plan", "text": "b[ud]+get", "match_type": "regex"}),
            found,
        ),
        (
            "tool_code_exact",
            json!({"code": "Near", "text": r"\bword\d+(\W+\w+){0,8}\W+budget\b", "match_type": "regex"}),
            found,
        ),
        (
            "tool_code_exact",
            json!({"code": "Nested", "text": r"((\w+)+\W*)*budget\w{30,}", "match_type": "regex"}),
            0,
        ),
        (
            "tool_code_exact",
            json!({"code": "Talk", "text": "udge", "match_type": "contains", "unit": "sentence"}),
            found,
        ),
        ("tool_code_similar", json!({"code": "Like", "text": "budget word887"}), found),
    ];
    for (tool, params, expected) in calls {
        let began = Instant::now();
        let draft = desk.plan(tool, params.clone());
        println!("{tool} {params}: {:?}", began.elapsed());
        assert_eq!(draft.answer.as_ref().unwrap()["segments_created"], expected, "{params}");
        let began = Instant::now();
        desk.apply(&draft);
        println!("  applied: {:?}", began.elapsed());
    }
    // Bea found every second place of the money.
    let money = code_of(&desk, "Money");
    let places = desk.session.segments.values_mut().filter(|segment| has(segment, money));
    for segment in places.step_by(2) {
        segment.codings.push(Coding { code: money, coder: Some("Bea".into()), batch: None });
    }
    // Of each report how many rows it has: codes, pairs of them, places of those pairs, codings, and codes with all.
    let rows = [
        ("counts", 5),
        ("cooccurrence", 10),
        ("overlaps", 10 * found),
        ("quotes", 5 * found + found / 2),
        ("agreement", 6),
    ];
    for (report, rows) in rows {
        let began = Instant::now();
        let draft = desk.plan("tool_report_codes", json!({"report": report}));
        println!("{report}: {:?}", began.elapsed());
        let answer = draft.answer.unwrap();
        assert_eq!(answer["count"], rows, "{report}");
        if report == "agreement" {
            let money = answer["rows"]
                .as_array()
                .unwrap()
                .iter()
                .find(|row| row["code"] == "Money")
                .unwrap();
            // A sentence a budget; Bea is the first of the two.
            assert_eq!((&money["both"], &money["only_b"]), (&json!(found / 2), &json!(found / 2)));
        }
    }
    let began = Instant::now();
    let draft = desk.plan("cmd_remove_code", json!({"code_id": "Talk"}));
    println!("cmd_remove_code: {:?}", began.elapsed());
    assert_eq!(draft.changes.len(), found + 1);
}
