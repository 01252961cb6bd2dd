//! Rows of the assembly: what was cut out of them, and the keyboard on them.

use super::tests::{FIRST, bench, ids, last};
use crate::action::Action;
use crate::testing::spoken;
use crate::ui_tests::Desk;
use crate::words::Page;
use deskhand_dsp::Frames;
use deskhand_session::{ClipId, PhraseId, Session};
use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
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
fn a_key_opens_the_menu_of_a_phrase_which_moves_it_where_there_is_a_way() {
    let mut bench = bench(Page::Assembly, spoken());
    bench.get_by_label(FIRST).focus();
    bench.run_steps(2);
    bench.key_press_modifiers(Modifiers::SHIFT, Key::F10);
    bench.run_steps(4);
    assert!(bench.query_by_label_contains("Move up").is_none());
    assert!(bench.query_by_label_contains("To the start").is_none());
    bench.key_press(Key::ArrowDown);
    bench.run_steps(3);
    assert!(bench.get_by_label_contains("Move down").is_focused());
    bench.key_press(Key::Enter);
    bench.run_steps(3);
    let wanted = json!({"ordered_group_ids": ids(&[2, 1, 3, 4])});
    assert_eq!(last(&bench), ("tool_reorder_segments", wanted));
    assert!(bench.query_by_label_contains("Move down").is_none(), "the menu is closed");
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

/// Phrases are picked: the first by a click, the third and the fourth beside it.
fn picked() -> Harness<'static, Desk> {
    let mut bench = bench(Page::Assembly, spoken());
    bench.get_by_label(FIRST).click();
    bench.run_steps(2);
    for phrase in ["Phrase 3: ", "Phrase 4: "] {
        bench.get_by_label_contains(phrase).click_modifiers(Modifiers::COMMAND);
        bench.run_steps(3);
    }
    bench
}

#[test]
fn phrases_that_are_picked_are_proposed_as_takes_of_one_another() {
    let mut bench = picked();
    assert!(bench.query_by_label_contains(" · 3 picked").is_some());
    let heard = bench.state().actions.len();
    bench.get_by_label_contains("Phrase 4: ").click_modifiers(Modifiers::COMMAND);
    bench.run_steps(3);
    assert_eq!(bench.state().actions.len(), heard, "what is picked is not heard");
    bench.get_by_label_contains("Phrase 3: ").click_secondary();
    bench.run_steps(4);
    bench.get_by_label("Takes of one another (2)").click();
    bench.run_steps(3);
    let (tool, params) = ("tool_mark_duplicates".into(), json!({"group_ids": ids(&[1, 3])}));
    assert_eq!(bench.state().actions.last(), Some(&Action::Measure { tool, params }));
    assert!(bench.query_by_label_contains("picked").is_none());
}

#[test]
fn shift_picks_all_up_to_a_phrase_and_a_click_one_alone() {
    let mut bench = bench(Page::Assembly, spoken());
    bench.get_by_label_contains("Phrase 2: ").click();
    bench.run_steps(2);
    bench.get_by_label_contains("Phrase 4: ").click_modifiers(Modifiers::SHIFT);
    bench.run_steps(3);
    assert!(bench.query_by_label_contains(" · 3 picked").is_some());
    bench.get_by_label(FIRST).click();
    bench.run_steps(3);
    assert!(bench.query_by_label_contains("picked").is_none());
    bench.get_by_label(FIRST).click_secondary();
    bench.run_steps(4);
    let entry = bench.get_by_label("Takes of one another");
    assert!(entry.accesskit_node().is_disabled(), "of one phrase there are none");
}
