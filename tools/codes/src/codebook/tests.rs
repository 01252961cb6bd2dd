//! Tests of the codebook.

use crate::testing::say;
use deskhand_dsp::Frames;
use deskhand_session::{CodeId, Coding, Segment, SegmentId, Session, SourceId};
use deskhand_toolkit::testing::{Desk, SECOND};
use serde_json::{Value, json};

fn run(desk: &mut Desk, tool: &str, params: Value) -> String {
    let draft = desk.plan(tool, params);
    desk.apply(&draft);
    draft.summary
}

fn id(session: &Session, name: &str) -> CodeId {
    *session.codes.iter().find(|(_, code)| code.name == name).unwrap().0
}

fn parent(session: &Session, name: &str) -> Option<String> {
    let above = session.codes[&id(session, name)].parent;
    above.map(|above| session.codes[&above].name.clone())
}

fn coding(code: CodeId, coder: Option<&str>) -> Coding {
    Coding::new(code, coder.map(Into::into))
}

/// Money, with Rent and Food under it; and two segments: money, and money with rent by Anna.
fn desk() -> (Desk, SourceId) {
    let mut desk = Desk::new(crate::all());
    let source = desk.source("talk.wav", vec![vec![0.0; 10 * SECOND as usize]]);
    run(&mut desk, "cmd_set_code", json!({"name": "Money", "color": "#4FC5FC"}));
    run(&mut desk, "cmd_set_code", json!({"name": "Rent", "parent": "Money"}));
    run(&mut desk, "cmd_set_code", json!({"name": "Food", "parent": "money"}));
    let (money, rent) = (id(&desk.session, "Money"), id(&desk.session, "Rent"));
    let codings =
        [vec![coding(money, None)], vec![coding(rent, None), coding(money, Some("Anna"))]];
    for (at, codings) in (1..).zip(codings) {
        let start = Frames(at * SECOND);
        let segment = Segment { codings, ..Segment::new(source, start, Frames(SECOND)) };
        desk.session.segments.insert(SegmentId::new(at as u64), segment);
    }
    (desk, source)
}

#[test]
fn a_code_is_made_changed_and_found_by_name_path_and_id() {
    let (mut desk, _) = desk();
    let again = desk.plan("cmd_set_code", json!({"name": "money"}));
    assert_eq!(again.changes.len(), 1, "the name changes its case");
    let same = desk.plan("cmd_set_code", json!({"name": "Money"}));
    assert_eq!(same.answer.unwrap()["created"], false);
    assert_eq!(same.changes, []);
    let told = run(&mut desk, "cmd_set_code", json!({"code_id": "Money/Rent", "name": "Housing"}));
    assert_eq!(told, "Rename the code \"Rent\" to \"Housing\"");
    let told = run(&mut desk, "cmd_set_code", json!({"code_id": "Housing", "parent": ""}));
    assert_eq!(told, "Move the code \"Housing\"");
    assert_eq!(parent(&desk.session, "Housing"), None);
    run(&mut desk, "cmd_set_code", json!({"name": "Food", "parent": "Housing"}));
    let two = desk.refusal("cmd_set_code", json!({"code_id": "Food", "color": ""}));
    assert!(two.contains("2 codes are called \"Food\"") && two.contains("Money/Food"), "{two}");
    run(&mut desk, "cmd_set_code", json!({"code_id": "Housing/Food", "description": "At home"}));
}

#[test]
fn what_cannot_be_a_code_is_refused() {
    let (desk, _) = desk();
    for (params, why) in [
        (json!({}), "neither which code nor what to call a new one"),
        (json!({"code_id": "Mony", "color": "#000000"}), "such as \"Money\""),
        (json!({"name": "X", "color": "red"}), "#rrggbb"),
        (json!({"name": "X", "parent": "Nothing"}), "no code is called \"Nothing\""),
        (json!({"code_id": "Money", "parent": "Rent"}), "\"Money\" cannot be under \"Rent\""),
        (json!({"name": "a\u{7}"}), "no control characters"),
        (json!({"code_id": "Money", "name": " "}), "1 to 200 characters"),
    ] {
        let refusal = desk.refusal("cmd_set_code", params.clone());
        assert!(refusal.contains(why), "{params}: {refusal}");
    }
}

#[test]
fn a_removed_code_takes_its_codings_and_its_children_move_up() {
    let (mut desk, _) = desk();
    let before = desk.session.clone();
    let draft = desk.plan("cmd_remove_code", json!({"code_id": "Money"}));
    assert_eq!(
        draft.summary,
        "Remove the code \"Money\" and its 2 codings; 2 codes under it move up"
    );
    assert_eq!(draft.changes.last().unwrap().needs.len(), 4);
    desk.apply(&draft);
    assert_eq!(parent(&desk.session, "Rent"), None);
    let left: Vec<usize> = desk.session.segments.values().map(|s| s.codings.len()).collect();
    assert_eq!(left, [1], "the segment that was only money is gone");
    let changes: Vec<_> = draft.changes.iter().map(|planned| planned.change.clone()).collect();
    let back = desk.session.with(&deskhand_session::apply::inverses(&changes)).unwrap();
    assert_eq!(back, before);
}

#[test]
fn the_memo_on_a_code_goes_with_it() {
    for (tool, params, told) in [
        (
            "cmd_remove_code",
            json!({"code_id": "Food"}),
            "Remove the code \"Food\", its memo and its 0 codings",
        ),
        (
            "cmd_merge_codes",
            json!({"from": "Food", "into": "Rent"}),
            "Merge the code \"Food\" into \"Rent\", on 0 segments",
        ),
    ] {
        let (mut desk, _) = desk();
        run(&mut desk, "cmd_set_memo", json!({"target": "Food", "text": "At home."}));
        let food = id(&desk.session, "Food");
        let before = desk.session.clone();
        let draft = desk.plan(tool, params);
        assert_eq!(draft.summary, told);
        desk.apply(&draft);
        assert!(!desk.session.memos.contains_key(&food.into()), "{tool}");
        let changes: Vec<_> = draft.changes.iter().map(|planned| planned.change.clone()).collect();
        let back = desk.session.with(&deskhand_session::apply::inverses(&changes)).unwrap();
        assert_eq!(back, before);
    }
}

#[test]
fn a_segment_of_which_more_is_known_stays_when_its_last_coding_goes() {
    let (mut desk, _) = desk();
    run(&mut desk, "cmd_set_memo", json!({"target": "seg_000000000001", "text": "He laughs."}));
    run(&mut desk, "cmd_remove_code", json!({"code_id": "Money"}));
    assert_eq!(desk.session.segments.len(), 2);
}

#[test]
fn codes_merge_with_codings_children_and_memos() {
    let (mut desk, _) = desk();
    run(&mut desk, "cmd_set_memo", json!({"target": "Money", "text": "Not salaries."}));
    run(&mut desk, "cmd_set_memo", json!({"target": "Rent", "text": "Monthly."}));
    let told = run(&mut desk, "cmd_merge_codes", json!({"from": "Money", "into": "Rent"}));
    assert_eq!(told, "Merge the code \"Money\" into \"Rent\", on 2 segments");
    let (rent, session) = (id(&desk.session, "Rent"), &desk.session);
    assert_eq!((parent(session, "Rent"), parent(session, "Food")), (None, Some("Rent".into())));
    assert_eq!(session.memos[&rent.into()], "Monthly.\n\nNot salaries.");
    let coded: Vec<&Vec<Coding>> = session.segments.values().map(|s| &s.codings).collect();
    assert_eq!(coded[0], &[coding(rent, None)]);
    assert_eq!(coded[1], &[coding(rent, None), coding(rent, Some("Anna"))]);
    let same = desk.refusal("cmd_merge_codes", json!({"from": "Rent", "into": "rent"}));
    assert!(same.contains("the same code twice"), "{same}");
}

#[test]
fn one_coder_who_gave_both_codes_gave_the_merged_one_once() {
    let (mut desk, source) = desk();
    let (money, rent) = (id(&desk.session, "Money"), id(&desk.session, "Rent"));
    let codings = vec![coding(money, None), coding(rent, None)];
    let segment = Segment { codings, ..Segment::new(source, Frames(0), Frames(5)) };
    desk.session.segments.insert(SegmentId::new(9), segment);
    run(&mut desk, "cmd_merge_codes", json!({"from": "Rent", "into": "Money"}));
    assert_eq!(desk.session.segments[&SegmentId::new(9)].codings, [coding(money, None)]);
}

#[test]
fn a_merged_code_is_shared_with_all_who_had_either() {
    let (mut desk, source) = desk();
    let (money, rent) = (id(&desk.session, "Money"), id(&desk.session, "Rent"));
    let had = |code, who: &[&str]| {
        let shared_with = who.iter().map(|who| (*who).to_owned()).collect();
        Coding { shared_with, ..coding(code, None) }
    };
    let codings = vec![had(money, &["Bea"]), had(rent, &["Bea", "Carl"])];
    let segment = Segment { codings, ..Segment::new(source, Frames(0), Frames(5)) };
    desk.session.segments.insert(SegmentId::new(9), segment);
    run(&mut desk, "cmd_merge_codes", json!({"from": "Rent", "into": "Money"}));
    let after = &desk.session.segments[&SegmentId::new(9)].codings;
    assert_eq!(*after, [had(money, &["Bea", "Carl"])]);
}

#[test]
fn memos_are_on_codes_segments_and_sources() {
    let (mut desk, source) = desk();
    let told =
        run(&mut desk, "cmd_set_memo", json!({"target": "talk.wav", "text": "Second visit"}));
    assert_eq!(told, "Write a memo on \"talk.wav\"");
    assert_eq!(desk.session.memos[&source.into()], "Second visit");
    let more = json!({"target": "talk.wav", "text": "In the rain", "add": true});
    run(&mut desk, "cmd_set_memo", more);
    assert_eq!(desk.session.memos[&source.into()], "Second visit\n\nIn the rain");
    run(&mut desk, "cmd_set_memo", json!({"target": "talk.wav", "text": "Second visit"}));
    let told = run(&mut desk, "cmd_set_memo", json!({"target": source.to_string(), "text": ""}));
    assert_eq!(told, "Take away the memo on \"talk.wav\"");
    assert!(desk.session.memos.is_empty());
    say(&mut desk, source, &["-: oh well"]);
    let mut on =
        |target: &str| run(&mut desk, "cmd_set_memo", json!({"target": target, "text": "Hm"}));
    assert_eq!(on("seg_000000000001"), "Write a memo on \"well\"", "a coded segment by its words");
    for (target, why) in [
        ("seg_00000000000f", "does not exist"),
        ("track_000000000001", "has no memos"),
        ("Nothing", "no code, segment or source is called"),
    ] {
        let refusal = desk.refusal("cmd_set_memo", json!({"target": target, "text": "x"}));
        assert!(refusal.contains(why), "{refusal}");
    }
}

#[test]
fn no_two_codes_have_one_path() {
    let (mut desk, _) = desk();
    run(&mut desk, "cmd_set_code", json!({"name": "Rent", "parent": ""}));
    let twin = "there is a code \"Rent\" already";
    for (tool, params) in [
        ("cmd_remove_code", json!({"code": "Money"})),
        ("cmd_set_code", json!({"code_id": "Money/Rent", "parent": ""})),
        ("cmd_set_code", json!({"code_id": "Money", "name": "rent"})),
        ("cmd_merge_codes", json!({"from": "Money", "into": "Money/Rent"})),
    ] {
        let refusal = desk.refusal(tool, params);
        assert!(refusal.contains(twin) && refusal.contains("merge"), "{tool}: {refusal}");
    }
    run(&mut desk, "cmd_set_code", json!({"name": "Money", "parent": "Money"}));
    let above = id(&desk.session, "Food");
    let above = desk.session.codes[&above].parent.unwrap().to_string();
    run(&mut desk, "cmd_set_code", json!({"code_id": "Money/Rent", "name": "Lease"}));
    // The code of its own name under it takes its place.
    desk.plan("cmd_remove_code", json!({"code_id": above}));
}
