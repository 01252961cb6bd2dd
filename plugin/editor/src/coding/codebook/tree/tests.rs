//! The tree used by hand and by keys.

use crate::testing::prelude::*;
use crate::testing::spoken;
use crate::words::view::Page;
use deskhand_session::{Code, CodeId};

const LIGHT: &str = "Code Light, 1 coded";
const LAMPS: &str = "Code Lamps, 0 coded";
const GARDEN: &str = "Code Garden, 0 coded";

const QUESTION: &str = "Remove Light and its 1 coding? What is under it moves up.";

type Bench = Harness<'static, Desk>;

/// "Garden", and "Lamps" under "Light".
fn bench() -> Bench {
    let mut model = open_model();
    let mut session = spoken();
    session.codes.insert(CodeId::new(3), Code::new("Garden"));
    model.mirror.as_mut().unwrap().snapshot.session = session;
    (model.desk.words.is_open, model.desk.words.page) = (true, Page::Codes);
    harness(model)
}

fn removed(code: u64) -> Action {
    let params = json!({"code_id": CodeId::new(code)});
    Action::Call { gesture: Gesture::RemoveCode, params }
}

#[test]
fn what_stands_under_a_code_is_folded_and_found_by_the_filter_nevertheless() {
    let mut bench = bench();
    bench.click_on("Fold Light");
    assert!(bench.query_by_label(LAMPS).is_none() && bench.query_by_label(GARDEN).is_some());
    bench.focus_on("Filter codes");
    bench.type_into("Filter codes", "lam");
    assert!(bench.query_by_label(LAMPS).is_some());
    bench.press(Key::Escape);
    assert!(bench.query_by_label(LAMPS).is_none());
    bench.click_on("Unfold Light");
    assert!(bench.query_by_label(LAMPS).is_some());
}

#[test]
fn arrows_go_through_the_codes_and_fold_them_and_enter_hears_a_place() {
    let mut bench = bench();
    bench.click_on(GARDEN);
    bench.press(Key::ArrowDown);
    assert!(bench.get_by_label(LIGHT).is_focused());
    assert_eq!(bench.state().model.desk.words.codes.chosen, Some(CodeId::new(1)));
    bench.press(Key::ArrowLeft);
    assert!(bench.query_by_label(LAMPS).is_none());
    bench.press(Key::ArrowRight);
    assert!(bench.query_by_label(LAMPS).is_some());
    assert_eq!(bench.state().actions, []);
    bench.press(Key::Enter);
    assert_eq!(bench.state().actions.len(), 1, "the first place of Light is heard");
    bench.press(Key::ArrowUp);
    assert!(bench.get_by_label(GARDEN).is_focused());
}

#[test]
fn left_goes_to_the_code_above_where_there_is_nothing_to_fold() {
    let mut bench = bench();
    bench.click_on(LAMPS);
    bench.press(Key::ArrowLeft);
    assert!(bench.get_by_label(LIGHT).is_focused());
    assert!(bench.query_by_label(LAMPS).is_some(), "nothing is folded yet");
    bench.press(Key::ArrowLeft);
    assert!(bench.query_by_label(LAMPS).is_none());
    bench.press(Key::ArrowLeft);
    assert!(bench.get_by_label(LIGHT).is_focused(), "it stands at the top");
}

#[test]
fn a_code_has_the_keyboard_again_once_its_name_is_left() {
    let mut bench = bench();
    bench.click_on(GARDEN);
    bench.press(Key::F2);
    assert!(bench.get_by_label("Name of the code").is_focused());
    bench.press(Key::Enter);
    assert!(bench.get_by_label(GARDEN).is_focused());
}

#[test]
fn a_code_that_is_used_goes_only_once_the_person_says_so() {
    let mut bench = bench();
    bench.click_on(LIGHT);
    bench.press(Key::Delete);
    assert!(bench.query_by_label(QUESTION).is_some());
    bench.press(Key::Escape);
    assert!(bench.query_by_label(LIGHT).is_some());
    assert!(bench.state().model.desk.words.is_open, "the window stays");
    assert_eq!(bench.state().actions, []);
    bench.click_on(LIGHT);
    bench.press(Key::Delete);
    bench.click_on("Remove it");
    assert_eq!(bench.state().actions, [removed(1)]);
    bench.click_on(GARDEN);
    bench.press(Key::Delete);
    assert_eq!(bench.state().actions, [removed(1), removed(3)], "nothing is coded with it");
    assert!(bench.get_by_label(LIGHT).is_focused(), "the key is for codes still");
}

#[test]
fn a_new_code_comes_in_a_color_that_no_other_has() {
    let mut bench = bench();
    bench.click_on("New code");
    bench.type_into("Name of the code", "Sea");
    bench.press(Key::Enter);
    let params = json!({"name": "Sea", "parent": "", "color": "#ce919e"});
    assert_eq!(bench.state().actions, [Action::Call { gesture: Gesture::SetCode, params }]);
}

#[test]
fn a_new_code_has_the_keyboard_as_soon_as_it_is_there() {
    let mut bench = bench();
    bench.click_on("New code");
    bench.type_into("Name of the code", "Sea");
    bench.press(Key::Enter);
    assert!(bench.get_by_label("Filter codes").is_focused(), "until then it is not nowhere");
    let snapshot = &mut bench.state_mut().model.mirror.as_mut().unwrap().snapshot;
    snapshot.session.codes.insert(CodeId::new(9), Code::new("Sea"));
    snapshot.head.0 += 1;
    bench.run_steps(4);
    assert!(bench.get_by_label("Code Sea, 0 coded").is_focused());
    assert_eq!(bench.state().model.desk.words.codes.chosen, Some(CodeId::new(9)));
    bench.press(Key::F2);
    bench.press(Key::Escape);
    assert!(bench.get_by_label("Code Sea, 0 coded").is_focused());
}

#[test]
fn a_new_code_is_not_taken_for_one_of_its_name_under_another() {
    let mut bench = bench();
    bench.click_on("New code");
    bench.type_into("Name of the code", "Lamps");
    bench.press(Key::Enter);
    let chosen = |bench: &Bench| bench.state().model.desk.words.codes.chosen;
    assert_ne!(chosen(&bench), Some(CodeId::new(2)), "that one stands under another");
    let snapshot = &mut bench.state_mut().model.mirror.as_mut().unwrap().snapshot;
    snapshot.session.codes.insert(CodeId::new(9), Code::new("Lamps"));
    snapshot.head.0 += 1;
    bench.run_steps(4);
    assert_eq!(chosen(&bench), Some(CodeId::new(9)));
}

#[test]
fn a_key_opens_the_menu_of_a_code_and_gives_it_the_keyboard_back() {
    let mut bench = bench();
    bench.click_on(GARDEN);
    bench.press_with(Modifiers::SHIFT, Key::F10);
    assert!(bench.get_by_label_contains("Rename…").is_focused());
    bench.press(Key::Delete);
    assert_eq!(bench.state().actions, [], "the keys are for the menu");
    bench.press(Key::Escape);
    assert!(bench.query_by_label_contains("Rename…").is_none());
    assert!(bench.get_by_label(GARDEN).is_focused());
    bench.press(Key::Delete);
    assert_eq!(bench.state().actions, [removed(3)]);
}
