//! Ten hours of speech: how long it takes is told, what it finds is asserted.

use super::testing::{code, say};
use crate::testing::{Desk, SECOND};
use deskhand_dsp::Frames;
use serde_json::json;
use std::time::Instant;

/// The words of ten hours.
const WORDS: usize = 100_000;
/// Every so many words one is looked for.
const EVERY: usize = 100;

/// Phrases of ten words, a word in a hundred is "budget".
fn ten_hours() -> Desk {
    let mut desk = Desk::new();
    let source = desk.source("talk.wav", vec![vec![0.0]]);
    let length = Frames(WORDS as i64 * SECOND);
    desk.session.sources.get_mut(&source).unwrap().frames = length;
    let word = |at: usize| match at % EVERY {
        50 => "budget".to_owned(),
        0 => format!("Word{at}."),
        other => format!("word{}", other * 37 % 1000),
    };
    let words: Vec<String> = (0..WORDS).map(word).collect();
    let speaker = |phrase: usize| if (phrase / 20).is_multiple_of(2) { "Ann" } else { "Ben" };
    let lines: Vec<String> = words
        .chunks(10)
        .enumerate()
        .map(|(phrase, words)| format!("{}: {}", speaker(phrase), words.join(" ")))
        .collect();
    say(&mut desk, source, &lines.iter().map(String::as_str).collect::<Vec<_>>());
    desk
}

#[test]
#[ignore = "takes seconds to build its transcript; run with --ignored --nocapture, in release, to see times"]
fn ten_hours_are_coded_and_reported() {
    let mut desk = ten_hours();
    code(&mut desk, "Money");
    let calls = [
        ("tool_code_exact", json!({"code": "Nothing", "text": "no such words"}), 0),
        ("tool_code_exact", json!({"code": "Money", "text": "budget"}), 1_000),
        (
            "tool_code_exact",
            json!({"code": "Plan", "text": "b[ud]+get", "match_type": "regex"}),
            1_000,
        ),
        (
            "tool_code_exact",
            json!({"code": "Talk", "text": "udge", "match_type": "contains", "unit": "sentence"}),
            1_000,
        ),
        ("tool_code_similar", json!({"code": "Like", "text": "budget word887"}), 1_000),
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
    for report in ["counts", "cooccurrence", "overlaps", "quotes"] {
        let began = Instant::now();
        let draft = desk.plan("tool_report_codes", json!({"report": report}));
        println!("{report}: {:?}", began.elapsed());
        assert!(draft.answer.unwrap()["count"].as_u64().unwrap() > 0, "{report}");
    }
    let began = Instant::now();
    let draft = desk.plan("cmd_remove_code", json!({"code_id": "Talk"}));
    println!("cmd_remove_code: {:?}", began.elapsed());
    assert_eq!(draft.changes.len(), 1_001);
}
