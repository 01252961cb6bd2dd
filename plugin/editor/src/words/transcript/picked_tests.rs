//! Facts about picked words, actions on them, and the keys for these.

use super::tests::{Bench, bench, calls, model, word};
use crate::action::Gesture;
use crate::testing::{UserInput as _, spoken};
use crate::ui_tests::harness;
use deskhand_dsp::Frames;
use deskhand_session::{ClipId, Code, CodeId, SegmentId, Session, SourceId, TimeRange};
use egui::{Key, Modifiers, Shape};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use serde_json::json;

/// The first source alone, "lamps" in it picked.
fn picked(session: Session) -> Bench {
    let mut model = model(session);
    model.desk.words.transcript.only = Some(SourceId::new(1));
    let mut bench = harness(model);
    let at = word(&bench, 3).center();
    bench.click_at(at);
    bench
}

#[test]
fn picked_words_tell_when_they_are_heard_and_by_pointing_when_they_were_said() {
    let mut session = spoken();
    session.clips.get_mut(&ClipId::new(1)).unwrap().position = Frames(96_000);
    let bench = picked(session);
    let told = bench.get_by_label("1 word · 0:03.5 · 0.4\u{a0}s");
    let source = told.accesskit_node().description();
    assert_eq!(source.as_deref(), Some("At 0:01.5 in Vocal"));
}

#[test]
fn what_is_picked_are_the_same_words_wherever_they_stand_afterwards() {
    let mut bench = picked(spoken());
    let words = |bench: &Bench| {
        let view = &bench.state().model.desk.words.transcript;
        let of = view.picked.map(super::Picked::words);
        of.and_then(|words| view.made.as_ref()?.script.word(words.start).map(|it| (it.0.id, it.1)))
    };
    let before = words(&bench).unwrap();
    let snapshot = &mut bench.state_mut().model.mirror.as_mut().unwrap().snapshot;
    let first = snapshot.session.segments.values_mut().find(|it| it.source == SourceId::new(1));
    let mut ahead = first.unwrap().clone();
    (ahead.start, ahead.length) = (Frames(0), Frames(100));
    ahead.words.truncate(1);
    (ahead.words[0].start, ahead.words[0].end) = (Frames(0), Frames(100));
    snapshot.session.segments.insert(SegmentId::new(9_999), ahead);
    snapshot.head.0 += 1;
    bench.run_steps(3);
    assert_eq!(words(&bench), Some(before), "one more word ahead of them");
    let snapshot = &mut bench.state_mut().model.mirror.as_mut().unwrap().snapshot;
    snapshot.session.segments.remove(&before.0);
    snapshot.head.0 += 1;
    bench.run_steps(3);
    assert_eq!(words(&bench), None, "they are no more");
}

#[test]
fn what_is_known_of_picked_words_is_made_once_for_a_revision() {
    let mut bench = picked(spoken());
    let about = bench.state_mut().model.desk.words.transcript.about.as_mut().unwrap();
    about.told = "made once".into();
    bench.run_steps(3);
    assert!(bench.query_by_label("made once").is_some());
    bench.state_mut().model.mirror.as_mut().unwrap().snapshot.head.0 += 1;
    bench.run_steps(3);
    assert!(bench.query_by_label("made once").is_none());
    bench.press(Key::ArrowRight);
    assert!(bench.query_by_label("1 word · 0:02.0 · 0.4\u{a0}s").is_some(), "other words");
}

#[test]
fn picked_words_are_read_to_who_cannot_see_them() {
    let mut bench = picked(spoken());
    bench.press_with(Modifiers::SHIFT, Key::ArrowRight);
    let mut named = bench.get_all_by_label("Transcript");
    let reads =
        |node: egui_kittest::Node<'_>| node.accesskit_node().value().as_deref() == Some("lamps on");
    assert!(named.any(reads));
}

#[test]
fn words_that_no_clip_plays_say_so_and_are_not_cut() {
    let mut session = spoken();
    session.clips.clear();
    let mut bench = picked(session);
    assert!(bench.query_by_label("1 word · plays nowhere · 0.4\u{a0}s").is_some());
    assert!(bench.get_by_label("Cut").accesskit_node().is_disabled());
    bench.click_on("Cut");
    assert_eq!(calls(&bench), []);
}

#[test]
fn the_time_that_was_cut_is_selected_no_more() {
    let mut session = spoken();
    session.selection.range = Some(TimeRange { start: Frames(0), end: Frames(48_000) });
    let mut bench = picked(session);
    let before = calls(&bench).len();
    bench.click_on("Cut");
    let [(select, selected), (cut, _)] = &calls(&bench)[before..] else { panic!("not two calls") };
    assert_eq!((*select, *cut), (Gesture::Select, Gesture::DeleteTime));
    assert!(selected.get("start_s").is_none(), "{selected}");
}

#[test]
fn a_key_opens_the_codes_and_what_is_typed_finds_one() {
    let mut session = spoken();
    session.codes.insert(CodeId::new(3), Code::new("Garden"));
    let mut bench = picked(session);
    bench.key_press(Key::C);
    bench.run_steps(5);
    assert!(bench.get_by_label("New code").is_focused());
    assert!(bench.query_by_label("Garden").is_some());
    bench.event(egui::Event::Text("lam".into()));
    bench.run_steps(4);
    assert!(bench.query_by_label("Garden").is_none());
    assert!(bench.query_by_label("Light").is_some(), "the one it stands under");
    bench.get_by_label_contains("Lamps").click();
    bench.run_steps(3);
    let (gesture, params) = calls(&bench).pop().unwrap();
    assert_eq!((gesture, &params["code_id"]), (Gesture::CodeRegion, &json!(CodeId::new(2))));
}

#[test]
fn what_is_typed_to_find_a_code_stands_in_the_middle_of_its_field() {
    let mut bench = picked(spoken());
    bench.key_press(Key::C);
    bench.run_steps(5);
    let field = bench.get_by_label("New code").rect();
    let at = bench.output().shapes.iter().find_map(|it| match &it.shape {
        Shape::Text(text) if text.galley.text() == "Find a code, or name a new one" => {
            Some(text.galley.rect.translate(text.pos.to_vec2()))
        }
        _ => None,
    });
    let off = at.unwrap().center().y - field.center().y;
    assert!(off.abs() < 1.5, "{off} below the middle of {field:?}");
}

#[test]
fn esc_clears_the_search() {
    let mut bench = bench();
    bench.focus_on("Search the transcript");
    bench.type_into("Search the transcript", "the");
    assert!(!bench.state().model.desk.words.transcript.found.is_empty());
    bench.press(Key::Escape);
    let view = &bench.state().model.desk.words.transcript;
    assert!(view.search.is_empty() && view.found.is_empty());
    assert!(bench.state().model.desk.words.is_open, "the window stays");
}
