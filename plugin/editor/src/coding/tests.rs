//! The views of coding are shown for a session with codes, and to who asks for them.

use crate::preferences::view::Page as Sheet;
use crate::session_menu;
use crate::testing::prelude::*;
use crate::testing::spoken;
use crate::words::transcript::tests::{Bench, calls, model, right_click, word};
use crate::words::view::Page;
use deskhand_session::{Code, CodeId, Session};

/// Nothing is coded in it.
fn new_session() -> Session {
    let mut session = spoken();
    session.codes.clear();
    session.segments.values_mut().for_each(|segment| segment.codings.clear());
    session
}

/// A word is picked in the transcript.
fn picked(session: Session) -> Bench {
    let mut bench = harness(model(session));
    let at = word(&bench, 2).center();
    bench.click_at(at);
    bench
}

fn has(bench: &Bench, label: &str) -> bool {
    bench.query_all_by_label(label).next().is_some()
}

/// Whether each place that serves coding alone is there: the page, the button and the menu entry, the keys, and their
/// list.
fn shown(bench: &mut Bench) -> [bool; 5] {
    let [page, button] = ["Codes", "Code"].map(|label| has(bench, label));
    bench.press(Key::C);
    bench.run_steps(4);
    let key = has(bench, "New code");
    bench.press(Key::Escape);
    let at = word(bench, 2).center();
    right_click(bench, at);
    let entry = bench.query_by_label_contains("Code…").is_some();
    bench.press(Key::Escape);
    bench.state_mut().model.preferences.page = Some(Sheet::Keys);
    bench.run_steps(3);
    let list = has(bench, "Code the picked words: C");
    [page, button, key, entry, list]
}

#[test]
fn a_new_session_has_no_views_of_coding() {
    let mut bench = picked(new_session());
    assert_eq!(shown(&mut bench), [false; 5]);
    bench.press(Key::Num1);
    assert_eq!(calls(&bench), []);
}

#[test]
fn a_session_with_a_code_has_the_views_of_coding() {
    let mut session = new_session();
    session.codes.insert(CodeId::new(1), Code::new("Light"));
    let mut bench = picked(session);
    assert_eq!(shown(&mut bench), [true; 5]);
    bench.state_mut().model.preferences.page = None;
    bench.run_steps(3);
    bench.click_on(session_menu::NAME);
    assert!(!has(&bench, "Show coding"), "it is shown");
}

#[test]
fn the_views_of_coding_are_shown_to_who_asks_for_them_so_that_the_first_code_is_made() {
    let mut bench = picked(new_session());
    bench.click_on(session_menu::NAME);
    bench.click_on("Show coding");
    let words = &bench.state().model.desk.words;
    assert_eq!((words.is_open, words.page), (true, Page::Codes));
    assert!(has(&bench, "New code"));
    bench.click_on("Transcript");
    let at = word(&bench, 2).center();
    bench.click_at(at);
    assert_eq!(shown(&mut bench), [true; 5]);
}

#[test]
fn the_codebook_gives_way_to_the_transcript_when_the_last_code_goes() {
    let mut model = model(spoken());
    model.desk.words.page = Page::Codes;
    let mut bench = harness(model);
    let snapshot = &mut bench.state_mut().model.mirror.as_mut().unwrap().snapshot;
    snapshot.session = new_session();
    bench.run_steps(3);
    assert_eq!(bench.state().model.desk.words.page, Page::Transcript);
}
