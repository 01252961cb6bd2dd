//! Phrases that are moved, removed, kept, restored and listed by where they play and who says them.

use super::{alone, ids, interview, phrase, plays};
use deskhand_toolkit::testing::Desk;
use serde_json::{Value, json};

const STORY: [super::Line; 4] =
    [(0.5, 1.5, "One is."), (2.5, 3.5, "Two is."), (4.5, 5.5, "Three is."), (6.5, 7.5, "Four is.")];

fn story() -> Desk {
    let mut desk = alone(9.0, &STORY);
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    desk
}

/// What plays after a call on the story, by first words.
fn after(tool: &str, params: impl Fn(&Desk) -> Value) -> Vec<String> {
    let mut desk = story();
    let params = params(&desk);
    desk.settle_once(tool, params);
    plays(&desk).iter().map(|text| text.split(' ').next().unwrap().to_owned()).collect()
}

#[test]
fn phrases_move_to_a_place_beside_others_by_steps_and_into_known_orders() {
    let moved = |params: &dyn Fn(&Desk) -> Value| after("tool_reorder_segments", params);
    let some = |desk: &Desk, texts: &[&str], way: &str, to: Value| json!({"group_ids": ids(desk, texts), way: to});
    let four = ["Four is."];
    assert_eq!(
        moved(&|desk| some(desk, &four, "place", json!(1))),
        ["Four", "One", "Two", "Three"]
    );
    assert_eq!(
        moved(&|desk| some(desk, &["One is.", "Two is."], "place", json!(-1))),
        ["Three", "Four", "One", "Two"]
    );
    let two = |desk: &Desk| json!(phrase(desk, "Two is."));
    assert_eq!(
        moved(&|desk| some(desk, &four, "before", two(desk))),
        ["One", "Four", "Two", "Three"]
    );
    assert_eq!(
        moved(&|desk| some(desk, &four, "after", two(desk))),
        ["One", "Two", "Four", "Three"]
    );
    let between = |desk: &Desk| ids(desk, &["One is.", "Two is."]);
    assert_eq!(
        moved(&|desk| some(desk, &four, "between", between(desk))),
        ["One", "Four", "Two", "Three"]
    );
    assert_eq!(moved(&|desk| some(desk, &four, "by", json!(-2))), ["One", "Four", "Two", "Three"]);
    assert_eq!(
        moved(&|desk| some(desk, &["Four is.", "One is."], "order", json!("swapped"))),
        ["Four", "Two", "Three", "One"]
    );
    assert_eq!(moved(&|_| json!({"order": "reversed"})), ["Four", "Three", "Two", "One"]);
    assert_eq!(
        moved(&|desk| some(desk, &["One is.", "Two is.", "Three is."], "order", json!("reversed"))),
        ["Three", "Two", "One", "Four"]
    );
}

#[test]
fn the_original_order_is_that_of_the_recordings() {
    let mut desk = story();
    desk.settle_once("tool_reorder_segments", json!({"order": "reversed"}));
    desk.settle_once("tool_reorder_segments", json!({"order": "original"}));
    assert_eq!(plays(&desk), ["One is.", "Two is.", "Three is.", "Four is."]);
}

#[test]
fn what_does_not_say_where_to_or_cannot_be_done_is_refused_with_a_way_out() {
    let desk = story();
    let one = ids(&desk, &["One is."]);
    let told = |params: Value| desk.refusal("tool_reorder_segments", params);
    assert_eq!(
        told(json!({"group_ids": one, "by": -1})),
        "it is the first phrase already; see tool_list_phrases for what plays in which order"
    );
    assert_eq!(
        told(json!({"group_ids": one, "place": 9})),
        "there is no place 9: 4 phrases play; give a place that there is, or -1 for the end"
    );
    assert_eq!(
        told(json!({"group_ids": one, "order": "swapped"})),
        "two phrases change places, and 1 are given; name two phrases"
    );
    for params in [
        json!({}),
        json!({"group_ids": one}),
        json!({"place": 1}),
        json!({"group_ids": one, "place": 1, "by": 2}),
        json!({"group_ids": one, "ordered_group_ids": one}),
    ] {
        let told = told(params.clone());
        assert!(
            told.starts_with("the call does not say which phrases move, and where to; give"),
            "{params}: {told}"
        );
    }
}

#[test]
fn phrases_are_removed_by_where_they_play_and_others_are_kept() {
    let removed = |params: &dyn Fn(&Desk) -> Value| after("tool_remove_segments", params);
    let two = |desk: &Desk| phrase(desk, "Two is.");
    assert_eq!(removed(&|desk| json!({"after": two(desk)})), ["One", "Two"]);
    assert_eq!(removed(&|desk| json!({"before": two(desk)})), ["Two", "Three", "Four"]);
    assert_eq!(
        removed(
            &|desk| json!({"after": phrase(desk, "One is."), "before": phrase(desk, "Four is.")})
        ),
        ["One", "Four"]
    );
    assert_eq!(removed(&|desk| json!({"group_ids": [two(desk)], "keep": true})), ["Two"]);
    assert_eq!(removed(&|desk| json!({"before": two(desk), "keep": true})), ["One"]);
    let desk = story();
    let all = ids(&desk, &["One is.", "Two is.", "Three is.", "Four is."]);
    let told = |params: Value| desk.refusal("tool_remove_segments", params);
    let no_other = "no other phrase plays; see tool_list_phrases for what plays";
    assert_eq!(told(json!({"group_ids": all, "keep": true})), no_other);
    let none = "no such phrase plays; see tool_list_phrases for what plays";
    for params in [json!({}), json!({"keep": true}), json!({"speaker": "Nobody"})] {
        assert_eq!(told(params), none);
    }
    assert_eq!(told(json!({"after": phrase(&desk, "Four is.")})), none);
}

#[test]
fn one_voice_is_removed_or_kept() {
    let said = |keep: bool| {
        let (mut desk, _) = interview(9.0, &STORY[..2], &STORY[2..]);
        desk.settle("tool_find_phrases", &json!({"targets": "Host"}));
        desk.settle_once("tool_remove_segments", json!({"speaker": "Guest", "keep": keep}));
        plays(&desk)
    };
    assert_eq!(said(false), ["One is.", "Two is."]);
    assert_eq!(said(true), ["Three is.", "Four is."]);
}

#[test]
fn all_that_was_removed_is_restored_and_some_phrases_are_listed() {
    let mut desk = story();
    let two = phrase(&desk, "Two is.");
    assert_eq!(
        desk.refusal("tool_restore_segments", json!({})),
        "no phrase was removed; see tool_list_phrases for what plays"
    );
    desk.settle_once("tool_remove_segments", json!({"after": two}));
    let texts = |desk: &Desk, params: Value| -> Vec<String> {
        let listed = desk.plan("tool_list_phrases", params).answer.unwrap();
        let rows = listed["phrases"].as_array().unwrap().clone();
        rows.iter().map(|row| row["text"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(texts(&desk, json!({"group_ids": [two]})), ["Two is."]);
    assert_eq!(texts(&desk, json!({"before": two})), ["One is."]);
    assert_eq!(texts(&desk, json!({"after": two})), [""; 0]);
    desk.settle_once("tool_restore_segments", json!({}));
    assert_eq!(plays(&desk), ["One is.", "Two is.", "Three is.", "Four is."]);
}
