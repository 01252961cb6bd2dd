//! A question for a path, answered with the mouse and with the keyboard.

use super::*;
use crate::testing::prelude::*;
use crate::{NoWaves, install, show_plugin};
use egui::accesskit::Live;
use egui::vec2;

const WORDS: PathWords<'_> = PathWords {
    title: "Open a session",
    hint: "a folder",
    takes: &["Open", "Make a new one there"],
};

struct Asked {
    model: Model,
    actions: Vec<Action>,
    question: PathQuestion,
    answer: PathAnswer,
}

fn asked(question: PathQuestion) -> Harness<'static, Asked> {
    let (actions, answer) = (Vec::new(), PathAnswer::NotYet);
    let state = Asked { model: with_plan(), actions, question, answer };
    let mut harness = Harness::builder()
        .with_size(vec2(720.0, 480.0))
        .with_context_setup(install)
        .build_ui_state(
            |ui, asked: &mut Asked| {
                asked.actions.extend(show_plugin(ui, &mut asked.model, &NoWaves));
                if asked.answer == PathAnswer::NotYet {
                    asked.answer = asked.question.show(ui.ctx(), WORDS);
                }
            },
            state,
        );
    harness.run_steps(4);
    harness
}

fn of(path: &str) -> PathQuestion {
    PathQuestion::new(path.into(), vec!["/music/harbour.deskhand".into()])
}

fn path(path: &str, by: usize) -> PathAnswer {
    PathAnswer::Path { path: path.into(), by }
}

#[test]
fn enter_takes_the_path_by_the_first_button_and_each_button_by_its_own() {
    let mut harness = asked(of(" /music/waltz "));
    assert!(harness.get_by_label("Path").is_focused(), "who is asked types at once");
    harness.press(Key::Enter);
    assert_eq!(harness.state().answer, path("/music/waltz", 0));
    for (by, name) in WORDS.takes.iter().enumerate() {
        let mut harness = asked(of("/music/waltz"));
        harness.click_on(name);
        assert_eq!(harness.state().answer, path("/music/waltz", by), "{name}");
    }
    let mut harness = asked(of(""));
    harness.press(Key::Enter);
    assert_eq!(harness.state().answer, PathAnswer::NotYet, "there is no path");
    harness.click_on("Use /music/harbour.deskhand");
    assert_eq!(harness.state().answer, PathAnswer::Recent("/music/harbour.deskhand".into()));
}

#[test]
fn esc_cancel_and_the_cross_put_it_away_and_nothing_below_hears_of_it() {
    let leave: [fn(&mut Harness<'_, Asked>); 3] = [
        |harness| harness.key_press(Key::Escape),
        |harness| harness.get_by_label("Cancel").click(),
        |harness| harness.get_by_label("Close Open a session").click(),
    ];
    for leave in leave {
        let mut harness = asked(of("/music/waltz"));
        leave(&mut harness);
        harness.run_steps(2);
        assert_eq!(harness.state().answer, PathAnswer::Never);
        assert_eq!(harness.state().actions, []);
    }
}

#[test]
fn why_a_path_would_not_do_is_read_at_once() {
    let harness = asked(of("").again(Path::new("/nowhere"), "there is no session".into()));
    let said = harness.get_by_label("There is no session");
    assert_eq!(said.accesskit_node().live(), Live::Assertive);
}
