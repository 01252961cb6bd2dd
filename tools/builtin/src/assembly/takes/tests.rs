//! Tests of finding, ranking and marking takes.

use crate::assembly::tests::{Line, alone, ids, phrase, plays};
use crate::testing::Desk;
use deskhand_dsp::Decibels;
use deskhand_session::Measure;
use deskhand_toolkit::Draft;
use serde_json::json;

const TAKES: [Line; 7] = [
    (0.5, 2.5, "Welcome to the um show about radios."),
    (3.5, 4.5, "Welcome to the"),
    (5.5, 7.5, "Welcome to the show about radios."),
    (8.5, 10.5, "Welcome to the the show about radio."),
    (11.5, 12.5, "We begin with tubes."),
    (13.5, 14.5, "Thank you."),
    (15.5, 16.5, "Thank you."),
];

fn desk() -> Desk {
    let mut desk = alone(18.0, &TAKES);
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    desk
}

#[test]
fn retakes_are_found_and_the_best_one_plays() {
    let mut desk = desk();
    let draft = desk.settle("tool_mark_duplicates", &json!({}));
    assert!(
        draft.summary.starts_with("Keep one of 4 takes of \"Welcome to the show"),
        "{}",
        draft.summary
    );
    let expected =
        ["Welcome to the show about radios.", "We begin with tubes.", "Thank you.", "Thank you."];
    assert_eq!(plays(&desk), expected);
    let group = &desk.session.assembly.duplicates[0];
    assert_eq!(
        (group.takes.len(), group.phrase.as_str()),
        (4, "Welcome to the show about radios.")
    );
    assert!(
        group.reason.starts_with("says 100 % of the words, no slips, level -2"),
        "{}",
        group.reason
    );
    let of = |measure| {
        draft
            .findings
            .iter()
            .filter(|f| f.measure == measure)
            .map(|f| f.value.unwrap())
            .collect::<Vec<_>>()
    };
    let (full, free) = (of(Measure::Completeness), of(Measure::Fluency));
    assert!(full[1] < 60.0 && full[2] == 100.0, "{full:?}");
    assert!(free[0] < free[2] && free[3] < free[2], "{free:?}");
    assert_eq!(of(Measure::NoiseFloor).len(), 4);
    assert_eq!(of(Measure::WordConfidence), [90.0; 4]);
    assert_eq!(desk.session.markers.len(), 3);
    assert!(desk.session.markers.values().all(|marker| marker.name.starts_with("other take: ")));
}

#[test]
fn some_sets_of_takes_are_marked_and_others_not() {
    let lines: [Line; 5] = [
        (0.5, 2.5, "Welcome to the show about radios."),
        (3.5, 5.5, "Welcome to the show about radios."),
        (6.5, 8.5, "We begin with the tubes."),
        (9.5, 11.5, "We begin with the tubes."),
        (12.5, 13.5, "Thank you."),
    ];
    let mut desk = alone(15.0, &lines);
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    let order = desk.session.assembly.order.clone();
    let groups = |draft: &Draft| draft.answer.as_ref().unwrap()["groups"].as_array().unwrap().len();
    assert_eq!(groups(&desk.plan("tool_mark_duplicates", json!({}))), 2);
    let last = json!({"among": [order[4]]});
    assert_eq!(groups(&desk.plan("tool_mark_duplicates", last)), 0);
    let draft = desk.settle("tool_mark_duplicates", &json!({"among": [order[2]]}));
    assert_eq!(groups(&draft), 1);
    assert_eq!(plays(&desk)[..2], [lines[0].2, lines[1].2], "they are not marked");
    assert_eq!(plays(&desk)[2..], [lines[2].2, lines[4].2]);
    let both = json!({"among": [order[0]], "group_ids": [order[0], order[1]]});
    assert!(desk.refusal("tool_mark_duplicates", both).contains("found or named"));
    let unknown = json!({"among": ["phr_000000000000"]});
    assert!(desk.refusal("tool_mark_duplicates", unknown).contains("not a phrase"));
}

#[test]
fn a_take_that_begins_twice_is_not_the_fullest() {
    let lines: [Line; 3] = [
        (0.5, 2.5, "Welcome to the garden show."),
        (3.5, 6.5, "Welcome to the, uh, welcome to the garden show."),
        (7.5, 8.5, "We begin with tubes."),
    ];
    let mut desk = alone(10.0, &lines);
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    let draft = desk.settle("tool_mark_duplicates", &json!({}));
    assert_eq!(plays(&desk), ["Welcome to the garden show.", "We begin with tubes."]);
    let full = draft.findings.iter().filter(|it| it.measure == Measure::Completeness);
    assert_eq!(full.map(|it| it.value).collect::<Vec<_>>(), [Some(100.0); 2]);
}

#[test]
fn given_takes_are_marked_as_given_and_a_restored_one_plays_again() {
    let mut desk = desk();
    let takes =
        ids(&desk, &["Welcome to the um show about radios.", "Welcome to the show about radios."]);
    let best = phrase(&desk, "Welcome to the um show about radios.");
    let params = json!({"phrase": "Hello", "group_ids": takes, "recommended_group_id": best, "reason": "livelier"});
    desk.settle("tool_mark_duplicates", &params);
    let group = &desk.session.assembly.duplicates[0];
    assert_eq!(
        (group.phrase.as_str(), group.reason.as_str(), group.chosen),
        ("Hello", "livelier", best)
    );
    assert_eq!(plays(&desk)[0], "Welcome to the um show about radios.");
    let back = json!({"group_ids": ids(&desk, &["Welcome to the show about radios."])});
    desk.settle("tool_restore_segments", &back);
    assert_eq!(plays(&desk).len(), 7);
    assert!(desk.session.assembly.duplicates.is_empty() && desk.session.markers.is_empty());
}

#[test]
fn a_quiet_noisy_take_is_worse_than_a_clear_one() {
    let lines: [Line; 3] = [
        (0.5, 2.0, "This is the very same sentence."),
        (3.5, 5.0, "This is the very same sentence."),
        (6.5, 8.0, "This is the very same sentence."),
    ];
    let mut desk = Desk::new();
    let track = desk.track(deskhand_session::Track::audio("Voice"));
    let mut audio = crate::assembly::tests::recording(10.0, &lines, 220.0);
    let hiss = crate::testing::noise(-40.0, 10.0);
    for at in 6 * 48_000..9 * 48_000 {
        audio[at] = audio[at] * Decibels(-9.0).amplitude() as f32 + hiss[at];
    }
    let clip = desk.clip(track, "Talk", 0, audio);
    let source = desk.session.clips[&clip].source;
    crate::assembly::tests::written(&mut desk, source, "Host", &lines);
    desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    let order = desk.session.assembly.order.clone();
    let draft = desk.settle("tool_mark_duplicates", &json!({}));
    assert_eq!(desk.session.assembly.order, [order[1]], "of equal ones the later, never the noisy");
    assert!(
        draft.warnings[0].ends_with("two takes are about as good, listen to both"),
        "{:?}",
        draft.warnings
    );
}

#[test]
fn what_cannot_be_marked_is_refused() {
    let mut desk = desk();
    let refusal = |desk: &Desk, params| desk.refusal("tool_mark_duplicates", params);
    let one = ids(&desk, &["Thank you."]);
    let told = refusal(&desk, json!({"group_ids": one}));
    assert_eq!(told, "1 phrases are no takes of one another; give at least two `group_ids`");
    let tubes = phrase(&desk, "We begin with tubes.");
    let takes = ids(&desk, &["Welcome to the", "Welcome to the show about radios."]);
    let told = refusal(&desk, json!({"group_ids": takes, "recommended_group_id": tubes}));
    assert!(
        told.starts_with(&format!("{tubes} is recommended and is not among the takes")),
        "{told}"
    );
    let told = refusal(&desk, json!({"phrase": "Hello"}));
    assert_eq!(
        told,
        "no takes were given; give `group_ids` as well, or nothing to have takes found"
    );
    desk.settle("tool_mark_duplicates", &json!({}));
    let told = refusal(&desk, json!({"group_ids": takes}));
    assert!(told.contains("is a take of \"Welcome to the show about radios.\" already"), "{told}");
}
