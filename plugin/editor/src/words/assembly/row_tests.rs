//! Rows of the assembly: their cut words, and the keyboard on them.

use super::tests::{FIRST, bench, ids, last};
use crate::action::{Action, Gesture};
use crate::testing::{UserInput as _, spoken};
use crate::ui_tests::Desk;
use crate::words::view::Page;
use deskhand_dsp::Frames;
use deskhand_session::{ClipId, PhraseId, Segment, SegmentId, Session};
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
fn takes_that_nobody_marked_yet_are_told_apart_by_their_recordings() {
    let mut session = spoken();
    let first = session.segments[&SegmentId::new(1)].clone();
    let second = session.segments.get_mut(&SegmentId::new(3)).unwrap();
    *second = Segment { source: second.source, ..first };
    let bench = bench(Page::Assembly, session);
    for (phrase, name) in [(1, "Vocal"), (3, "Guitar")] {
        let row = format!("Phrase {phrase}: Anna: We left the lamps on in the harbour,, {name}");
        assert!(bench.query_by_label(&row).is_some(), "{row}");
    }
    let once = "Phrase 2: Ben: so the boats could find their way.";
    assert!(bench.query_by_label(once).is_some(), "nobody else says this");
}

#[test]
fn a_phrase_behind_one_that_is_removed_has_the_keyboard() {
    let mut bench = bench(Page::Assembly, spoken());
    bench.focus_on(FIRST);
    for phrase in [1, 2] {
        bench.press(Key::Delete);
        let wanted = json!({"group_ids": ids(&[phrase])});
        assert_eq!(last(&bench), (Gesture::RemovePhrases, wanted));
    }
    bench.press_with(Modifiers::ALT, Key::ArrowUp);
    let wanted = json!({"ordered_group_ids": ids(&[1, 3, 2, 4])});
    assert_eq!(last(&bench), (Gesture::ReorderPhrases, wanted));
}

#[test]
fn a_key_opens_the_menu_of_a_phrase_which_moves_it_where_there_is_a_way() {
    let mut bench = bench(Page::Assembly, spoken());
    bench.focus_on(FIRST);
    bench.press_with(Modifiers::SHIFT, Key::F10);
    assert!(bench.query_by_label_contains("Move up").is_none());
    assert!(bench.query_by_label_contains("To the start").is_none());
    bench.press(Key::ArrowDown);
    assert!(bench.get_by_label_contains("Move down").is_focused());
    bench.press(Key::Enter);
    let wanted = json!({"ordered_group_ids": ids(&[2, 1, 3, 4])});
    assert_eq!(last(&bench), (Gesture::ReorderPhrases, wanted));
    assert!(bench.query_by_label_contains("Move down").is_none(), "the menu is closed");
}

#[test]
fn what_was_removed_comes_back_by_its_menu() {
    let mut session = spoken();
    session.assembly.order.retain(|id| *id != PhraseId::new(2));
    session.assembly.removed = ids(&[2]);
    let mut bench = bench(Page::Assembly, session);
    bench.click_on("Removed: 1");
    let row = "Removed: Ben: so the boats could find their way.";
    let at = bench.get_by_label(row).rect().center();
    bench.hover_at(at);
    bench.run_steps(1);
    bench.get_by_label(row).click_secondary();
    bench.run_steps(3);
    bench.click_on("Restore");
    assert_eq!(last(&bench), (Gesture::RestorePhrases, json!({"group_ids": ids(&[2])})));
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
    let page = bench.get_by_label("Words area").rect();
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

/// Phrases are picked: the first by a click, then the third and the fourth.
fn picked() -> Harness<'static, Desk> {
    let mut bench = bench(Page::Assembly, spoken());
    bench.click_on(FIRST);
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
    bench.click_on("Takes of one another (2)");
    let (gesture, params) = (Gesture::MarkTakes, json!({"group_ids": ids(&[1, 3])}));
    assert_eq!(bench.state().actions.last(), Some(&Action::Plan { gesture, params }));
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
    bench.click_on(FIRST);
    assert!(bench.query_by_label_contains("picked").is_none());
    bench.get_by_label(FIRST).click_secondary();
    bench.run_steps(4);
    let entry = bench.get_by_label("Takes of one another");
    assert!(entry.accesskit_node().is_disabled(), "of one phrase there are none");
}

/// The phrases that a screen reader reports as selected.
fn selected(bench: &Harness<'static, Desk>) -> Vec<usize> {
    let is_selected = |number: &usize| {
        let name = format!("Phrase {number}: ");
        let row = bench.get_by_label_contains(&name);
        row.accesskit_node().is_selected() == Some(true)
    };
    (1..=4).filter(is_selected).collect()
}

/// The first phrase has the keyboard.
fn at_first() -> Harness<'static, Desk> {
    let mut bench = bench(Page::Assembly, spoken());
    bench.focus_on(FIRST);
    bench
}

#[test]
fn shift_and_the_arrows_pick_on_and_the_menu_is_for_all_of_them() {
    let mut bench = at_first();
    bench.press(Key::ArrowDown);
    assert!(bench.get_by_label_contains("Phrase 2: ").is_focused());
    assert!(selected(&bench).is_empty(), "the arrows alone pick nothing");
    for _ in 0..2 {
        bench.press_with(Modifiers::SHIFT, Key::ArrowDown);
    }
    assert!(bench.get_by_label_contains("Phrase 4: ").is_focused());
    assert_eq!(selected(&bench), [2, 3, 4]);
    bench.press_with(Modifiers::SHIFT, Key::ArrowUp);
    assert_eq!(selected(&bench), [2, 3]);
    bench.press(Key::Menu);
    bench.click_on("Takes of one another (2)");
    let (gesture, params) = (Gesture::MarkTakes, json!({"group_ids": ids(&[2, 3])}));
    assert_eq!(bench.state().actions, [Action::Plan { gesture, params }]);
}

#[test]
fn space_picks_one_beside_the_others_and_hears_nothing() {
    let mut bench = at_first();
    bench.press(Key::Space);
    for _ in 0..2 {
        bench.press_with(Modifiers::COMMAND, Key::ArrowDown);
    }
    bench.press(Key::Space);
    assert_eq!(selected(&bench), [1, 3]);
    assert_eq!(bench.state().actions, []);
    bench.press(Key::Space);
    assert_eq!(selected(&bench), [1]);
    bench.press(Key::Enter);
    assert!(!bench.state().actions.is_empty(), "Enter hears");
    assert_eq!(selected(&bench), [3]);
}

#[test]
fn what_is_picked_moves_and_goes_together() {
    let mut bench = at_first();
    bench.press(Key::ArrowDown);
    bench.press_with(Modifiers::SHIFT, Key::ArrowDown);
    bench.press_with(Modifiers::ALT, Key::ArrowDown);
    let wanted = json!({"ordered_group_ids": ids(&[1, 4, 2, 3])});
    assert_eq!(last(&bench), (Gesture::ReorderPhrases, wanted));
    bench.press(Key::Delete);
    assert_eq!(last(&bench), (Gesture::RemovePhrases, json!({"group_ids": ids(&[2, 3])})));
    assert!(bench.get_by_label_contains("Phrase 2: ").is_focused(), "the last that stays");
}

#[test]
fn all_are_picked_by_a_key_and_esc_picks_none_and_leaves_the_words_open() {
    let mut bench = at_first();
    bench.press_with(Modifiers::COMMAND, Key::A);
    assert_eq!(selected(&bench), [1, 2, 3, 4]);
    bench.press(Key::Escape);
    assert_eq!(selected(&bench), [1]);
    bench.press(Key::Escape);
    assert!(bench.state().model.desk.words.is_open);
}

#[test]
fn the_arrows_go_through_a_list_that_is_longer_than_its_room_and_back() {
    let mut session = spoken();
    let first = session.phrases[&PhraseId::new(1)].clone();
    for number in 5..=30 {
        session.phrases.insert(PhraseId::new(number), first.clone());
        session.assembly.order.push(PhraseId::new(number));
    }
    let mut bench = bench(Page::Assembly, session);
    bench.focus_on(FIRST);
    let go = |bench: &mut Harness<'static, Desk>, key, to: usize| {
        bench.key_press(key);
        // It scrolls over some frames.
        bench.run_steps(8);
        let row = format!("Phrase {to}: ");
        assert!(bench.get_by_label_contains(&row).is_focused(), "{row}");
    };
    (2..=30).for_each(|to| go(&mut bench, Key::ArrowDown, to));
    (1..=29).rev().for_each(|to| go(&mut bench, Key::ArrowUp, to));
}
