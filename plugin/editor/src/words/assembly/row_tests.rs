//! Rows of the assembly: what was cut out of them, and the keyboard on them.

use super::tests::{FIRST, bench, ids, last};
use crate::testing::spoken;
use crate::words::Page;
use deskhand_dsp::Frames;
use deskhand_session::{ClipId, PhraseId, Session};
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use serde_json::json;

/// The first recording from a frame on.
fn from(start: i64) -> Session {
    let mut session = spoken();
    let clip = session.clips.get_mut(&ClipId::new(1)).unwrap();
    (clip.start, clip.length) = (Frames(start), Frames(480_000 - start));
    session
}

#[test]
fn a_phrase_whose_words_are_all_cut_says_so_and_is_counted() {
    let bench = bench(Page::Assembly, from(216_000));
    let cut = FIRST.replacen(": ", ", cut: ", 1);
    assert!(bench.query_by_label(&cut).is_some(), "its words are told still");
    assert!(bench.query_by_label_contains("Phrase 2: Ben: so the boats").is_some());
    assert!(bench.query_by_label_contains("4 phrases, 1 cut · ").is_some());
}

#[test]
fn a_phrase_of_which_words_were_cut_says_what_plays_and_tells_the_rest_by_pointing() {
    let mut bench = bench(Page::Assembly, from(48_000));
    let row = bench.get_by_label("Phrase 1: Anna: the lamps on in the harbour,").rect();
    bench.hover_at(row.center());
    bench.run_steps(30);
    let told = "We left the lamps on in the harbour,\nCut out of it: We left";
    assert!(bench.query_by_label(told).is_some());
}

#[test]
fn a_phrase_behind_one_that_is_removed_has_the_keyboard() {
    let mut bench = bench(Page::Assembly, spoken());
    bench.get_by_label(FIRST).focus();
    bench.run_steps(2);
    for phrase in [1, 2] {
        bench.key_press(Key::Delete);
        bench.run_steps(3);
        let wanted = json!({"group_ids": ids(&[phrase])});
        assert_eq!(last(&bench), ("tool_remove_segments", wanted));
    }
    bench.key_press_modifiers(Modifiers::ALT, Key::ArrowUp);
    bench.run_steps(3);
    let wanted = json!({"ordered_group_ids": ids(&[1, 3, 2, 4])});
    assert_eq!(last(&bench), ("tool_reorder_segments", wanted));
}

#[test]
fn what_was_removed_comes_back_by_its_menu() {
    let mut session = spoken();
    session.assembly.order.retain(|id| *id != PhraseId::new(2));
    session.assembly.removed = ids(&[2]);
    let mut bench = bench(Page::Assembly, session);
    bench.get_by_label("Removed: 1").click();
    bench.run_steps(3);
    let row = "Removed: Ben: so the boats could find their way.";
    let at = bench.get_by_label(row).rect().center();
    bench.hover_at(at);
    bench.run_steps(1);
    bench.get_by_label(row).click_secondary();
    bench.run_steps(3);
    bench.get_by_label("Restore").click();
    bench.run_steps(2);
    assert_eq!(last(&bench), ("tool_restore_segments", json!({"group_ids": ids(&[2])})));
}

#[test]
fn a_phrase_that_is_dragged_to_the_edge_of_a_long_list_scrolls_it() {
    let mut session = spoken();
    let first = session.phrases[&PhraseId::new(1)].clone();
    for number in 5..=40 {
        session.phrases.insert(PhraseId::new(number), first.clone());
        session.assembly.order.push(PhraseId::new(number));
    }
    let mut bench = bench(Page::Assembly, session);
    let from = bench.get_by_label(FIRST).rect().center();
    let page = bench.ctx.memory(|memory| memory.area_rect(crate::words::id())).unwrap();
    bench.hover_at(from);
    bench.run_steps(1);
    bench.drag_at(from);
    bench.run_steps(2);
    bench.hover_at(from + egui::vec2(0.0, 40.0));
    bench.run_steps(2);
    bench.hover_at(egui::pos2(from.x, page.bottom() - 10.0));
    bench.run_steps(150);
    assert!(bench.query_by_label_contains("Phrase 40: ").is_some(), "it went on");
}
