//! Tests of merging the codings of a second coder.

use super::merge_codings;
use crate::testing::{code, spoken};
use deskhand_dsp::{Frames, SampleRate};
use deskhand_session::{Author, Session};
use deskhand_toolkit::Draft;
use deskhand_toolkit::testing::Desk;
use proptest::prelude::*;
use serde_json::{Value, json};

const TALK: [&str; 2] = ["Ann: The money went. All of it.", "Ben: The rent took it."];

fn merged(desk: &Desk, other: &Session) -> Result<Draft, String> {
    let context = desk.context("tool_merge_codings", &json!({"coder": "Bea"}));
    merge_codings(&context, other, None, "Bea").map_err(|error| error.to_string())
}

/// The same of a copy of the session, that was `shared` when it was copied.
fn merged_copy(desk: &Desk, copy: &Session, shared: &Session) -> Draft {
    let context = desk.context("tool_merge_codings", &json!({"coder": "Bea"}));
    merge_codings(&context, copy, Some(shared), "Bea").unwrap()
}

/// A desk with a copy of a session.
fn copied(session: &Session) -> Desk {
    let mut desk = Desk::new(crate::all());
    desk.session = session.clone();
    desk
}

/// A desk with the talk, in which `texts` are coded, each with a code of its name under Topics.
fn coder(texts: &[&str]) -> Desk {
    let mut desk = Desk::new(crate::all());
    spoken(&mut desk, "talk.wav", &TALK);
    code(&mut desk, "Topics");
    for text in texts {
        let draft = desk.plan("cmd_set_code", json!({"name": text, "parent": "Topics"}));
        desk.apply(&draft);
        let draft = desk.plan("tool_code_exact", json!({"code": text, "text": text}));
        desk.apply(&draft);
    }
    desk
}

fn agreement(desk: &Desk) -> Vec<Value> {
    let answer = desk.plan("tool_report_codes", json!({"report": "agreement"})).answer.unwrap();
    answer["rows"].as_array().unwrap().clone()
}

#[test]
fn what_a_model_coded_there_is_not_of_the_second_coder_who_is_called_as_nobody_here() {
    let (mine, mut theirs) = (coder(&[]), coder(&["money"]));
    theirs.author = Author::Agent;
    let draft = theirs.plan("tool_code_exact", json!({"code": "money", "text": "rent"}));
    theirs.apply(&draft);
    let draft = merged(&mine, &theirs.session).unwrap();
    assert_eq!(draft.summary, "Merge 1 coding of Bea");
    assert_eq!(draft.warnings, ["1 coding of a model there left out: they are not of Bea"]);
    let context = mine.context("tool_merge_codings", &json!({}));
    for taken in ["Model", "this session"] {
        let error = merge_codings(&context, &theirs.session, None, taken).unwrap_err().to_string();
        assert!(error.contains("what another coder is called here"), "{error}");
    }
}

#[test]
fn codes_meet_by_their_path_and_recordings_by_their_content() {
    let (mut mine, theirs) = (coder(&["money"]), coder(&["MONEY", "rent"]));
    let draft = merged(&mine, &theirs.session).unwrap();
    assert_eq!(draft.summary, "Merge 2 codings of Bea");
    let ops: Vec<_> = draft.changes.iter().map(|planned| planned.change.op()).collect();
    assert_eq!(ops, ["set_code", "set_segment", "set_segment"]);
    mine.apply(&draft);
    let paths: Vec<_> =
        mine.session.codes.keys().map(|id| crate::find::path(&mine.session, *id)).collect();
    assert!(paths.contains(&vec!["Topics".to_owned(), "rent".to_owned()]), "{paths:?}");
    let both = mine.session.segments.values().filter(|segment| segment.codings.len() == 2);
    assert_eq!(both.count(), 1, "the same words are one segment with a coding of each");
    let again = merged(&mine, &theirs.session).unwrap();
    assert_eq!(
        (again.changes.len(), again.summary.as_str()),
        (0, "The codings of Bea are all here already")
    );
    let kappa: Vec<Value> = agreement(&mine).iter().map(|row| row["kappa"].clone()).collect();
    assert_eq!(kappa[0], 1.0, "money was coded by both");
}

#[test]
fn what_was_coded_before_a_session_was_copied_is_nobody_elses() {
    let shared = coder(&["money", "rent"]).session;
    let (mut mine, mut theirs) = (copied(&shared), copied(&shared));
    let draft = merged_copy(&mine, &theirs.session, &shared);
    let told = "Bea coded nothing since the session was copied; 2 codings from before the session was copied left out";
    assert_eq!((draft.changes.len(), draft.summary.as_str()), (0, told));
    // The same call in both makes the same ids, and is the work of both all the same.
    for desk in [&mut mine, &mut theirs] {
        desk.settle("tool_code_exact", &json!({"code": "rent", "text": "it"}));
    }
    theirs.settle("tool_code_exact", &json!({"code": "money", "text": "took"}));
    let draft = merged_copy(&mine, &theirs.session, &shared);
    let answer = draft.answer.as_ref().unwrap();
    assert_eq!((&answer["codings_added"], &answer["inherited"]), (&json!(3), &json!(2)));
    mine.apply(&draft);
    let codings = mine.session.segments.values().flat_map(|segment| &segment.codings);
    let [bea, both] = codings.fold([0, 0], |[bea, both], coding| {
        let is_of_both = coding.coder.is_none() && coding.shared_with == ["Bea"];
        [bea + usize::from(coding.coder.is_some()), both + usize::from(is_of_both)]
    });
    assert_eq!([bea, both], [3, 2]);
    assert_eq!(merged_copy(&mine, &theirs.session, &shared).changes, [], "told once");
}

#[test]
fn what_both_had_before_a_session_was_copied_is_no_disagreement() {
    let shared = coder(&["money", "rent"]).session;
    let (mut mine, mut theirs) = (copied(&shared), copied(&shared));
    for desk in [&mut mine, &mut theirs] {
        desk.settle("tool_code_exact", &json!({"code": "rent", "text": "it"}));
    }
    theirs.settle("tool_code_exact", &json!({"code": "money", "text": "took"}));
    mine.apply(&merged_copy(&mine, &theirs.session, &shared));
    let of = |code: &str| {
        let rows = agreement(&mine);
        let row = rows.iter().find(|row| row["code"] == format!("Topics/{code}")).unwrap().clone();
        ["units", "both", "only_a", "only_b", "neither"].map(|key| row[key].as_u64().unwrap())
    };
    // Three sentences; the first was money and the third rent when the session was copied. Bea is a, this session b.
    assert_eq!((of("money"), of("rent")), ([2, 0, 1, 0, 1], [2, 1, 0, 0, 1]));
    let told = mine.plan("tool_report_codes", json!({"report": "agreement"})).summary;
    let left = "2 codings from before the session was copied left out on both sides";
    assert!(told.contains(left), "{told}");
}

#[test]
fn memos_and_marks_of_the_second_coder_come_along_once() {
    let shared = coder(&["money"]).session;
    let (mut mine, mut theirs) = (copied(&shared), copied(&shared));
    theirs.settle("tool_code_exact", &json!({"code": "rent", "text": "rent"}));
    let coded = |desk: &Desk, at: i64| {
        let mut all = desk.session.segments.iter().filter(|(_, it)| !it.codings.is_empty());
        *all.find(|(_, segment)| segment.start == Frames(at * 48_000)).unwrap().0
    };
    let rent = coded(&theirs, 7).to_string();
    theirs.settle("tool_set_importance", &json!({"segment_id": rent, "importance": 1}));
    for (target, text) in
        [(rent.as_str(), "Her thought"), ("money", "Not salaries"), ("talk.wav", "Loud")]
    {
        theirs.settle("cmd_set_memo", &json!({"target": target, "text": text}));
    }
    mine.settle("cmd_set_memo", &json!({"target": "money", "text": "All of it"}));
    let draft = merged_copy(&mine, &theirs.session, &shared);
    let told = "Merge 1 coding, 3 memos and 1 mark of Bea; 1 coding from before the session was copied left out";
    assert_eq!(draft.summary, told);
    mine.apply(&draft);
    let memos: Vec<&str> = mine.session.memos.values().map(String::as_str).collect();
    for memo in ["Bea: Her thought", "All of it\n\nBea: Not salaries", "Bea: Loud"] {
        assert!(memos.contains(&memo), "{memos:?}");
    }
    assert!(mine.session.segments[&coded(&mine, 7)].important);
    let again = merged_copy(&mine, &theirs.session, &shared);
    assert_eq!(again.changes, []);
}

#[test]
fn what_was_merged_before_is_not_taken_for_the_second_coders() {
    let (mut mine, theirs) = (coder(&["money"]), coder(&["rent"]));
    mine.apply(&merged(&mine, &theirs.session).unwrap());
    let mut third = coder(&[]);
    let draft = merged(&third, &mine.session).unwrap();
    assert_eq!(draft.summary, "Merge 1 coding of Bea");
    third.apply(&draft);
}

#[test]
fn another_rate_and_another_recording_are_taken_into_account() {
    let mine = coder(&[]);
    let mut theirs = coder(&["rent"]);
    theirs.session.rate = SampleRate(24_000);
    for segment in theirs.session.segments.values_mut() {
        (segment.start, segment.length) =
            (Frames(segment.start.0 / 2), Frames(segment.length.0 / 2));
    }
    let draft = merged(&mine, &theirs.session).unwrap();
    let deskhand_session::Change::SetSegment(edit) = &draft.changes[1].change else { panic!() };
    let segment = edit.after.as_ref().unwrap();
    assert_eq!((segment.start, segment.length), (Frames(7 * 48_000), Frames(48_000)));
    theirs.session.sources.values_mut().for_each(|source| source.hash.0 = "f".repeat(64));
    assert!(merged(&mine, &theirs.session).unwrap_err().contains("import the same files here"));
    let nothing = merged(&mine, &coder(&[]).session).unwrap_err();
    assert!(nothing.contains("nothing is coded in that session"), "{nothing}");
}

proptest! {
    #[test]
    fn merging_adds_each_coding_once_and_is_taken_back(
        mine in prop::collection::btree_set(prop::sample::select(vec!["money", "it", "the", "rent"]), 0..4),
        theirs in prop::collection::btree_set(prop::sample::select(vec!["Money", "it", "took", "rent"]), 1..4),
    ) {
        let mut desk = coder(&mine.iter().copied().collect::<Vec<_>>());
        let other = coder(&theirs.iter().copied().collect::<Vec<_>>());
        let before = desk.session.clone();
        let codings = |session: &Session| session.segments.values().map(|s| s.codings.len()).sum::<usize>();
        let draft = merged(&desk, &other.session).unwrap();
        desk.apply(&draft);
        prop_assert_eq!(codings(&desk.session), codings(&before) + codings(&other.session));
        prop_assert_eq!(merged(&desk, &other.session).unwrap().changes.len(), 0);
        let changes: Vec<_> = draft.changes.iter().map(|planned| planned.change.clone()).collect();
        let back = desk.session.with(&deskhand_session::apply::inverses(&changes)).unwrap();
        prop_assert_eq!(back, before);
        for row in if mine.is_empty() { Vec::new() } else { agreement(&desk) } {
            let kappa = row["kappa"].as_f64().unwrap();
            prop_assert!((-1.0..=1.0).contains(&kappa));
        }
    }
}
