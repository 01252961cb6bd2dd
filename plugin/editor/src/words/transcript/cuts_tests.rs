//! The line below the transcript: what was cut and what is planned, and whether words that were cut are shown.

use super::tests::{Bench, model};
use crate::testing::{UserInput as _, gain_plan, spoken};
use crate::ui_tests::{event, harness};
use crate::words::struck::tests::cut;
use deskhand_dsp::Frames;
use deskhand_protocol::News;
use deskhand_session::Plan;
use deskhand_session::plan::{CutKind, CutOut};
use egui::Key;
use egui_kittest::kittest::Queryable as _;

/// Without the second second of both recordings: "the lamps" and "window has".
fn bench() -> Bench {
    harness(model(cut(48_000)))
}

fn drawn(bench: &Bench) -> Vec<usize> {
    let cells = &bench.state().model.desk.words.transcript.cells;
    cells.iter().map(|(number, _)| *number).collect()
}

#[test]
fn words_that_were_cut_are_struck_until_the_switch_leaves_them_out() {
    let mut bench = bench();
    assert!(bench.query_by_label("1 cut, 1.0\u{a0}s").is_some());
    let whole = "Anna: We left the lamps on in the harbour,";
    assert!(bench.query_by_label_contains(whole).is_some());
    let all = drawn(&bench);
    bench.click_on("Show cuts");
    assert!(bench.query_by_label_contains(whole).is_none());
    assert!(bench.query_by_label_contains("Anna: We left on in the harbour,").is_some());
    assert_eq!(drawn(&bench).len() + 4, all.len());
    assert!(bench.query_by_label("1 cut, 1.0\u{a0}s").is_some(), "they are cut still");
    bench.click_on("Show cuts");
    assert_eq!(drawn(&bench), all);
}

#[test]
fn the_arrows_go_over_what_is_left_out_and_searching_finds_only_what_is_shown() {
    let mut bench = bench();
    bench.click_on("Show cuts");
    let [_, left, on] = drawn(&bench)[..3] else { panic!("words") };
    assert_eq!(on, left + 3, "two words are left out");
    let at = super::tests::word(&bench, left).center();
    bench.click_at(at);
    bench.press(Key::ArrowRight);
    let picked = bench.state().model.desk.words.transcript.picked.unwrap();
    assert_eq!(picked.words(), on..on + 1);
    bench.focus_on("Search the transcript");
    bench.type_into("Search the transcript", "left on");
    bench.run_steps(2);
    assert_eq!(
        bench.state().model.desk.words.transcript.found.as_slice(),
        std::slice::from_ref(&(left..on + 1))
    );
}

#[test]
fn a_transcript_that_was_cut_whole_can_be_shown_again() {
    let mut session = spoken();
    // What plays is after all that is said.
    for clip in session.clips.values_mut() {
        (clip.start, clip.length) = (Frames(450_000), Frames(30_000));
    }
    let mut bench = harness(model(session));
    bench.click_on("Show cuts");
    assert!(drawn(&bench).is_empty());
    assert!(bench.query_by_label_contains("Nothing is written down").is_none());
    bench.click_on("Show cuts");
    assert!(!drawn(&bench).is_empty());
}

#[test]
fn what_is_planned_is_counted_by_its_ticks_and_without_cuts_a_hint_is_there() {
    let hint = "Click a word to hear it, drag to pick words, double-click to correct one.";
    assert!(harness(model(spoken())).query_by_label(hint).is_some());
    let mut model = model(spoken());
    let mut plan = Plan { findings: Vec::new(), predicted: Vec::new(), ..gain_plan() };
    for (planned, length) in plan.changes.iter_mut().zip([14_400, 19_200]) {
        let (kind, what, at) = (CutKind::Filler, "um".into(), Frames(48_000));
        let length = Frames(length);
        planned.cut = Some(CutOut { kind, what, at, length, before: None, after: None });
    }
    assert_eq!(model.hear(&event(2, None, News::Review { plan: Box::new(plan) })), []);
    let mut bench = harness(model);
    assert!(bench.query_by_label("2 planned, 0.7\u{a0}s").is_some());
    assert!(bench.query_by_label(hint).is_none());
    assert!(bench.query_by_label("Show cuts").is_none(), "nothing was cut");
    let card = bench.state_mut().model.cards.get_mut(&gain_plan().id).unwrap();
    card.view.ticks.off.insert("c1".into());
    bench.run_steps(2);
    assert!(bench.query_by_label("1 planned, 0.4\u{a0}s").is_some());
}
