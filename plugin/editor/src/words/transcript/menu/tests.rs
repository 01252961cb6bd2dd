//! The menu of picked words, by the pointer and by keys.

use crate::action::Gesture;
use crate::testing::{UserInput as _, spoken};
use crate::ui_tests::harness;
use crate::words::transcript::tests::{Bench, bench, calls, model, right_click, secondary, word};
use crate::words::transcript::view::Picked;
use deskhand_session::{Clip, ClipId, CodeId, SegmentId};
use egui::{Key, Modifiers};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use serde_json::json;
use std::ops::Range;

fn picked(bench: &Bench) -> Option<Range<usize>> {
    bench.state().model.desk.words.transcript.picked.map(Picked::words)
}

/// The words 1 to 4 picked; the code lies over the first of them.
fn several() -> Bench {
    let mut bench = bench();
    let at = word(&bench, 1).center();
    bench.click_at(at);
    for _ in 0..3 {
        bench.press_with(Modifiers::SHIFT, Key::ArrowRight);
    }
    bench.state_mut().actions.clear();
    assert_eq!(picked(&bench), Some(1..5));
    bench
}

#[test]
fn a_secondary_click_on_what_is_picked_is_about_all_of_it() {
    let mut bench = several();
    let at = word(&bench, 4).center();
    right_click(&mut bench, at);
    assert_eq!(picked(&bench), Some(1..5));
    assert!(bench.query_by_label_contains("Correct…").is_none(), "they are several");
    bench.click_on("Remove code Light here");
    let params = json!({"segment_id": SegmentId::new(50), "code_id": CodeId::new(1)});
    assert_eq!(calls(&bench), [(Gesture::Uncode, params)]);
}

#[test]
fn a_secondary_button_that_is_dragged_picks_nothing() {
    let mut bench = several();
    let (from, to) = (word(&bench, 2).center(), word(&bench, 5).center());
    bench.hover_at(from);
    bench.run_steps(1);
    bench.event(secondary(from, true));
    bench.run_steps(1);
    bench.hover_at(to);
    bench.run_steps(2);
    bench.event(secondary(to, false));
    bench.run_steps(3);
    assert_eq!(picked(&bench), Some(1..5));
    assert_eq!(calls(&bench), []);
}

#[test]
fn words_that_no_clip_plays_are_not_cut_by_the_menu_either() {
    let mut session = spoken();
    session.clips.clear();
    let mut bench = harness(model(session));
    let at = word(&bench, 1).center();
    right_click(&mut bench, at);
    let cuts = bench.query_all_by_label_contains("Cut");
    let off = cuts.filter(|node| node.accesskit_node().is_disabled());
    assert_eq!(off.count(), 2, "the button and the entry");
}

#[test]
fn words_that_were_cut_are_restored_by_the_menu() {
    let mut session = spoken();
    let (id, said) = session.segments.iter().find(|(_, it)| it.words.len() > 2).unwrap();
    let (id, source, cut) = (*id, said.source, said.words[1].clone());
    let clip = session.clips.values().find(|clip| clip.source == source).unwrap().clone();
    session.clips.retain(|_, other| other.source != source);
    let (gone, end) = (cut.end - cut.start, clip.start + clip.length);
    let first = Clip { length: cut.start - clip.start, ..clip.clone() };
    let position = clip.position + first.length;
    let second = Clip { start: cut.end, length: end - cut.end, position, ..clip };
    session.clips.insert(ClipId::new(901), first);
    session.clips.insert(ClipId::new(902), second);
    assert!(gone > deskhand_dsp::Frames::ZERO);
    let mut bench = harness(model(session));
    let at = word(&bench, 1).center();
    right_click(&mut bench, at);
    bench.click_on("Restore");
    let params = json!({"segment_id": id, "first": 1, "count": 1});
    assert_eq!(calls(&bench), [(Gesture::RestoreWords, params)]);
}

#[test]
fn keys_do_not_go_through_the_menu_to_the_words() {
    let mut bench = several();
    let at = word(&bench, 2).center();
    right_click(&mut bench, at);
    for key in [Key::Num1, Key::Delete, Key::F2] {
        bench.press(key);
    }
    assert_eq!(bench.state().actions, []);
    assert!(bench.query_by_label("Remove code Light here").is_some(), "it is open");
    bench.press(Key::Escape);
    assert!(bench.query_by_label("Remove code Light here").is_none());
    bench.press(Key::Num1);
    assert_eq!(
        calls(&bench).pop().unwrap().0,
        Gesture::CodeRegion,
        "the words have the keys again"
    );
}

#[test]
fn a_key_opens_the_menu_and_once_it_is_closed_the_words_have_the_keyboard() {
    let mut bench = several();
    bench.press_with(Modifiers::SHIFT, Key::F10);
    bench.press(Key::ArrowDown);
    assert!(bench.get_by_label_contains("Code…").is_focused());
    bench.press(Key::Escape);
    assert!(bench.query_by_label_contains("Code…").is_none());
    let list = bench.state().model.desk.words.transcript.list;
    assert_eq!(bench.ctx.memory(egui::Memory::focused), list);
    assert_eq!(picked(&bench), Some(1..5));
    bench.press_with(Modifiers::SHIFT, Key::F10);
    bench.press(Key::ArrowDown);
    bench.press(Key::Enter);
    assert!(bench.get_by_label("New code").is_focused(), "the codes are open");
    assert_eq!(bench.state().actions, []);
}
