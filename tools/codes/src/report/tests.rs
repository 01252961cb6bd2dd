//! Tests of reports.

mod agreement;

use crate::testing::{at_once, code, spoken};
use deskhand_dsp::Frames;
use deskhand_session::{Author, CodeId, Coding, FrequencyBand, Segment, SegmentId, SourceId};
use deskhand_toolkit::testing::{Desk, SECOND};
use serde_json::{Value, json};

/// Codes seconds of a source.
fn put(
    desk: &mut Desk,
    source: SourceId,
    code: CodeId,
    coder: Option<&str>,
    range: [i64; 2],
) -> SegmentId {
    let id = SegmentId::new(desk.session.segments.len() as u64 + 1);
    let codings = vec![Coding::new(code, coder.map(Into::into))];
    let [start, end] = range.map(|second| Frames(second * SECOND));
    let segment = Segment { codings, ..Segment::new(source, start, end - start) };
    desk.session.segments.insert(id, segment);
    id
}

fn rows(desk: &Desk, params: Value) -> Vec<Value> {
    let answer = desk.plan("tool_report_codes", params).answer.unwrap();
    answer["rows"].as_array().unwrap().clone()
}

/// Two sentences of Ann, two of Ben; Money over the first and the third, Rent under it over a word of the first and of
/// the last.
fn desk() -> (Desk, SourceId, [CodeId; 2]) {
    let mut desk = Desk::new(crate::all());
    let lines =
        ["Ann: The money went. All of it went.", "Ben: The rent took it. That is the rent."];
    let source = spoken(&mut desk, "talk.wav", &lines);
    let money = code(&mut desk, "Money");
    let draft = desk.plan("cmd_set_code", json!({"name": "Rent", "parent": "Money"}));
    desk.apply(&draft);
    let rent = *desk.session.codes.iter().find(|(_, code)| code.name == "Rent").unwrap().0;
    put(&mut desk, source, money, None, [0, 3]);
    put(&mut desk, source, money, None, [7, 11]);
    put(&mut desk, source, rent, None, [1, 2]);
    put(&mut desk, source, rent, None, [14, 15]);
    (desk, source, [money, rent])
}

#[test]
fn counts_tell_codings_words_and_seconds() {
    let (mut desk, source, [money, _]) = desk();
    put(&mut desk, source, money, Some("Anna"), [1, 4]);
    let found = rows(&desk, json!({"report": "counts"}));
    let of = |row: usize, key: &str| found[row][key].clone();
    assert_eq!((of(0, "code"), of(1, "code")), (json!("Money"), json!("Money/Rent")));
    assert_eq!((of(0, "codings"), of(0, "with_children")), (json!(3), json!(5)));
    assert_eq!(
        (of(0, "seconds"), of(0, "coders"), of(0, "sources")),
        (json!(8.0), json!(2), json!(1))
    );
    assert_eq!((of(1, "words"), of(1, "seconds")), (json!(2), json!(2.0)));
    assert_eq!(of(0, "words"), json!(8), "coded twice is there once, as its seconds are");
    let only = rows(&desk, json!({"report": "counts", "codes": "Rent"}));
    assert_eq!(only.len(), 1);
}

#[test]
fn quotes_say_who_says_what_with_which_code() {
    let (mut desk, ..) = desk();
    let memo = json!({"target": "seg_000000000004", "text": "Again!"});
    let draft = desk.plan("cmd_set_memo", memo);
    desk.apply(&draft);
    let found = rows(&desk, json!({"report": "quotes"}));
    let said: Vec<_> =
        found.iter().map(|row| (&row["code"], &row["speaker"], &row["text"])).collect();
    let expected = [
        ("Money", "Ann", "The money went."),
        ("Money", "Ben", "The rent took it."),
        ("Money/Rent", "Ann", "money"),
        ("Money/Rent", "Ben", "rent."),
    ]
    .map(|(code, who, text)| (json!(code), json!(who), json!(text)));
    let expected: Vec<_> = expected.iter().map(|(a, b, c)| (a, b, c)).collect();
    assert_eq!(said, expected);
    assert_eq!(found[2]["memo"], Value::Null);
    let under = rows(&desk, json!({"report": "quotes", "codes": ["Money"]}));
    assert_eq!(under.len(), 4, "with the codes under it");
}

#[test]
fn of_people_who_talk_at_once_each_is_quoted_with_their_own() {
    let mut desk = Desk::new(crate::all());
    at_once(&mut desk);
    for (code, text) in [("Rent", "the rent was awful"), ("House", "the house was very")] {
        desk.settle("tool_code_exact", &json!({"code": code, "text": text}));
    }
    let region = json!({"code": "All", "target": "once.wav", "start_ms": 6000, "end_ms": 8000});
    desk.settle("tool_code_region", &region);
    let mut bens = region.clone();
    bens["speaker"] = json!("Ben");
    desk.settle("tool_code_region", &bens);
    let found = rows(&desk, json!({"report": "quotes"}));
    let told = |row: &Value| ["speaker", "text"].map(|key| row[key].as_str().unwrap().to_owned());
    let mut said: Vec<_> = found.iter().map(told).collect();
    said.sort();
    let expected = [
        ["Ann", "the house was very"],
        ["Ann", "very old was awful."],
        ["Ben", "The rent was awful."],
        ["Ben", "was awful."],
    ];
    assert_eq!(said, expected);
    let across = desk.plan("tool_code_exact", json!({"code": "X", "text": "cold the rent"}));
    assert_eq!(across.changes, [], "nobody says it in one go");
    let counted = rows(&desk, json!({"report": "counts", "codes": "Rent"}));
    assert_eq!((&counted[0]["words"], &counted[0]["seconds"]), (&json!(4), &json!(4.0)));
    bens["speaker"] = json!("Eve");
    let stranger = desk.refusal("tool_code_region", bens);
    assert!(stranger.contains("\"Eve\" says nothing there"), "{stranger}");
}

#[test]
fn coders_of_people_who_talk_at_once_agree_where_they_mean_the_same() {
    let mut desk = Desk::new(crate::all());
    at_once(&mut desk);
    desk.settle("tool_code_exact", &json!({"code": "X", "text": "the rent was awful"}));
    let ids: Vec<SegmentId> = desk.session.segments.keys().copied().collect();
    let theirs = json!({"code": "X", "text": "I told them", "unit": "sentence"});
    desk.settle("tool_code_exact", &theirs);
    for (_, segment) in desk.session.segments.iter_mut().filter(|(id, _)| !ids.contains(id)) {
        segment.codings[0].coder = Some("Bea".into());
    }
    let agreement = |desk: &Desk| {
        let row = rows(desk, json!({"report": "agreement"}))[0].clone();
        ["units", "both", "only_a", "only_b", "kappa"].map(|key| row[key].as_f64().unwrap())
    };
    assert_eq!(agreement(&desk), [2.0, 0.0, 1.0, 1.0, -1.0]);
    let code = *desk.session.codes.keys().next().unwrap();
    let source = *desk.session.sources.keys().next().unwrap();
    put(&mut desk, source, code, Some("Bea"), [5, 7]);
    assert_eq!(agreement(&desk), [2.0, 1.0, 1.0, 0.0, 0.0], "a stretch of time is of both");
}

#[test]
fn a_model_is_another_coder_than_the_person() {
    let mut desk = Desk::new(crate::all());
    spoken(&mut desk, "talk.wav", &["Ann: The money went. The rent took it. All is well."]);
    let code = |desk: &mut Desk, author: Author, text: &str| {
        desk.author = author;
        let call = json!({"code": "Money", "text": text, "unit": "sentence"});
        desk.settle("tool_code_exact", &call).answer.unwrap()["segments_created"].clone()
    };
    assert_eq!(code(&mut desk, Author::User, "money"), 1);
    assert_eq!(code(&mut desk, Author::User, "rent"), 1);
    assert_eq!(code(&mut desk, Author::Agent, "money"), 1, "the same place is coded by both");
    let region = json!({"code": "Money", "target": "talk.wav", "start_ms": 7000, "end_ms": 10000});
    desk.settle("tool_code_region", &region);
    let row = rows(&desk, json!({"report": "agreement"}))[0].clone();
    assert_eq!((&row["coder_a"], &row["coder_b"]), (&json!("model"), &json!("this session")));
    let counts = ["both", "only_a", "only_b", "neither"].map(|key| row[key].as_i64().unwrap());
    assert_eq!(counts, [1, 1, 1, 0]);
    let counted = rows(&desk, json!({"report": "counts"}));
    assert_eq!((&counted[0]["coders"], &counted[0]["codings"]), (&json!(2), &json!(4)));
}

#[test]
fn a_codes_agreement_is_the_same_whatever_else_is_reported() {
    let (mut desk, source, [money, _]) = desk();
    let mood = code(&mut desk, "Mood");
    let other = spoken(&mut desk, "other.wav", &["Ann: Nothing here. Or there. Or elsewhere."]);
    put(&mut desk, source, money, Some("Bea"), [0, 3]);
    put(&mut desk, other, mood, Some("Bea"), [0, 2]);
    let of = |codes: Value, code: &str| {
        let found = rows(&desk, json!({"report": "agreement", "codes": codes}));
        found.into_iter().find(|row| row["code"] == code).unwrap()
    };
    let both = json!(["Money", "Mood"]);
    let whole = of(both.clone(), "Money");
    assert_eq!(whole["units"], 7);
    assert_eq!(of(json!("Money"), "Money"), whole);
    assert_eq!(of(json!("Mood"), "Mood"), of(both, "Mood"));
}

#[test]
fn a_dash_by_itself_is_no_word() {
    let mut desk = Desk::new(crate::all());
    spoken(&mut desk, "talk.wav", &["-: well — no"]);
    desk.settle("tool_code_exact", &json!({"code": "X", "text": "well no"}));
    let found = rows(&desk, json!({"report": "counts"}));
    assert_eq!((&found[0]["words"], &found[0]["seconds"]), (&json!(2), &json!(3.0)));
}

#[test]
fn codes_go_together_within_one_coder() {
    let (mut desk, source, [money, rent]) = desk();
    for coder in [None, Some("Bea")] {
        put(&mut desk, source, money, coder, [17, 19]);
        put(&mut desk, source, rent, coder, [17, 19]);
    }
    let pairs = rows(&desk, json!({"report": "cooccurrence"}));
    let told: Vec<_> = pairs.iter().map(|row| json!([row["coder"], row["count"]])).collect();
    assert_eq!(told, [json!(["Bea", 1]), json!(["this session", 2])]);
    let places = rows(&desk, json!({"report": "overlaps"}));
    let told: Vec<_> = places.iter().map(|row| json!([row["coder"], row["start_s"]])).collect();
    let expected = [("this session", 1.0), ("this session", 17.0), ("Bea", 17.0)];
    assert_eq!(told, expected.map(|(who, at)| json!([who, at])));
}

#[test]
fn overlaps_are_places_and_cooccurrence_is_their_sum() {
    let (mut desk, source, [money, rent]) = desk();
    let places = rows(&desk, json!({"report": "overlaps"}));
    assert_eq!(places.len(), 1);
    assert_eq!((&places[0]["start_s"], &places[0]["text"]), (&json!(1.0), &json!("money")));
    put(&mut desk, source, rent, None, [2, 4]);
    let pairs = rows(&desk, json!({"report": "cooccurrence"}));
    let expected = json!({"code_a": "Money", "code_b": "Money/Rent", "coder": "this session", "count": 2, "seconds": 2.0, "share": 0.2222});
    assert_eq!(pairs, [expected]);
    for (id, low) in [(money, 100.0), (rent, 300.0)] {
        let at = put(&mut desk, source, id, None, [5, 6]);
        let band = FrequencyBand { low_hz: low, high_hz: low + 200.0 };
        desk.session.segments.get_mut(&at).unwrap().band = Some(band);
    }
    let places = rows(&desk, json!({"report": "overlaps"}));
    assert_eq!(places.len(), 2, "bands one above the other share nothing");
}

#[test]
fn agreement_is_kappa_over_sentences() {
    let (mut desk, source, [money, rent]) = desk();
    let alone = desk.refusal("tool_report_codes", json!({"report": "agreement"}));
    assert!(alone.contains("tool_merge_codings"), "{alone}");
    // Of the four sentences both gave Money to the first; Bea not to the third, but to the last.
    put(&mut desk, source, money, Some("Bea"), [1, 2]);
    put(&mut desk, source, money, Some("Bea"), [11, 15]);
    put(&mut desk, source, rent, Some("Bea"), [1, 2]);
    put(&mut desk, source, rent, Some("Bea"), [11, 15]);
    let draft = desk.plan("tool_report_codes", json!({"report": "agreement"}));
    let found = draft.answer.unwrap()["rows"].as_array().unwrap().clone();
    let row = |index: usize| -> Vec<Value> {
        let keys = ["code", "units", "both", "only_a", "only_b", "neither", "agreement", "kappa"];
        keys.iter().map(|key| found[index][*key].clone()).collect()
    };
    let values = |row: Value| row.as_array().unwrap().clone();
    assert_eq!(row(0), values(json!(["Money", 4, 1, 1, 1, 1, 0.5, 0.0])));
    assert_eq!(row(1), values(json!(["Money/Rent", 4, 2, 0, 0, 2, 1.0, 1.0])));
    assert_eq!(row(2), values(json!(["(all codes)", 8, 3, 1, 1, 3, 0.75, 0.5])));
    assert_eq!(draft.summary, "Bea and this session: kappa 0.50");
}

#[test]
fn without_a_transcript_coders_agree_by_the_second() {
    let mut desk = Desk::new(crate::all());
    let source = desk.source("birds.wav", vec![vec![0.0; 10 * SECOND as usize]]);
    let bird = code(&mut desk, "Bird");
    put(&mut desk, source, bird, None, [0, 5]);
    put(&mut desk, source, bird, Some("Bea"), [1, 5]);
    let found = rows(&desk, json!({"report": "agreement"}));
    assert_eq!(
        (&found[0]["units"], &found[0]["both"], &found[0]["only_b"]),
        (&json!(10), &json!(4), &json!(1))
    );
    assert_eq!(found[0]["kappa"], json!(0.8));
}

#[test]
fn a_report_is_written_once_and_by_its_ending() {
    let (desk, ..) = desk();
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let call = |name: &str| json!({"report": "quotes", "path": path(name)});
    let draft = desk.plan("tool_report_codes", call("quotes.csv"));
    assert!(draft.summary.starts_with("4 quotes; written to"), "{}", draft.summary);
    let text = std::fs::read_to_string(path("quotes.csv")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 5);
    assert_eq!(
        lines[1],
        "Money,seg_000000000003,talk.wav,0.0,3.0,Ann,this session,false,The money went.,"
    );
    assert!(desk.refusal("tool_report_codes", call("quotes.csv")).contains("exists already"));
    let mut next = call("quotes.csv");
    next["or_next_free"] = json!(true);
    let next = desk.plan("tool_report_codes", next).answer.unwrap();
    assert_eq!(next["path"], json!(path("quotes-2.csv")), "the first is as it was");
    desk.plan("tool_report_codes", call("quotes.json"));
    let json: Value = serde_json::from_slice(&std::fs::read(path("quotes.json")).unwrap()).unwrap();
    assert_eq!(json["rows"].as_array().unwrap().len(), 4);
    assert!(desk.refusal("tool_report_codes", call("quotes.xls")).contains(".csv or .json"));
}

#[test]
fn a_written_report_waits_for_a_person() {
    use deskhand_toolkit::{Request, Trust};
    let (desk, ..) = desk();
    let tools = crate::all();
    let tool = tools.iter().find(|tool| tool.spec().name == "tool_report_codes").unwrap();
    let trust = |params: Value| {
        let base = deskhand_session::RevisionId(0);
        let request = Request { session: &desk.session, base, params: &params };
        tool.prepare(&request).unwrap().trust
    };
    assert_eq!(trust(json!({"report": "counts"})), None);
    assert_eq!(trust(json!({"report": "counts", "path": "x.csv"})), Some(Trust::Require));
}
