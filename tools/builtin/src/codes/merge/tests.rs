//! Tests of merging the codings of a second coder.

use super::merge_codings;
use crate::codes::testing::{code, spoken};
use crate::testing::Desk;
use deskhand_dsp::{Frames, SampleRate};
use deskhand_session::Session;
use deskhand_toolkit::Draft;
use proptest::prelude::*;
use serde_json::{Value, json};

const TALK: [&str; 2] = ["Ann: The money went. All of it.", "Ben: The rent took it."];

fn merged(desk: &Desk, other: &Session) -> Result<Draft, String> {
    let context = desk.context("tool_merge_codings", &json!({"coder": "Bea"}));
    merge_codings(&context, other, "Bea").map_err(|error| error.to_string())
}

/// A desk with the talk, in which `texts` are coded, each with a code of its name under Topics.
fn coder(texts: &[&str]) -> Desk {
    let mut desk = Desk::new();
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
fn codes_meet_by_their_path_and_recordings_by_their_content() {
    let (mut mine, theirs) = (coder(&["money"]), coder(&["MONEY", "rent"]));
    let draft = merged(&mine, &theirs.session).unwrap();
    assert_eq!(draft.summary, "Merge 2 codings of Bea");
    let ops: Vec<_> = draft.changes.iter().map(|planned| planned.change.op()).collect();
    assert_eq!(ops, ["set_code", "set_segment", "set_segment"]);
    mine.apply(&draft);
    let paths: Vec<_> =
        mine.session.codes.keys().map(|id| crate::codes::find::path(&mine.session, *id)).collect();
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
