//! The place of the words in the window.

use crate::testing::UserInput as _;
use crate::ui_tests::{Desk, open_model, sized};
use crate::{Action, Layout, Settings, SettingsChange};
use egui::{Key, Rect, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

fn opened(width: f32, height: f32, layout: Layout) -> Harness<'static, Desk> {
    let mut model = open_model();
    model.desk.words.is_open = true;
    model.settings = Some(Settings { layout, ..Settings::default() });
    sized(model, vec2(width, height))
}

fn place(harness: &Harness<'_, Desk>, area: &str) -> Rect {
    harness.get_by_label(&format!("{area} area")).rect()
}

#[test]
fn the_words_are_beside_timeline_and_mixer_which_keep_their_room() {
    for (width, layout, wanted) in [
        (1600.0, Layout::default(), 360.0),
        (1600.0, Layout { words: 560.0, ..Layout::default() }, 560.0),
        (1300.0, Layout { words: 560.0, ..Layout::default() }, 380.0),
    ] {
        let harness = opened(width, 900.0, layout);
        let [work, mixer, words, talk] =
            ["Work", "Mixer", "Words", "Conversation"].map(|area| place(&harness, area));
        assert!((words.width() - wanted).abs() < 0.5, "{words} at {width}");
        assert!(work.width() >= 479.5 && work.width() == mixer.width(), "{work} at {width}");
        assert_eq!((work.right() + 4.0, words.right() + 4.0), (words.left(), talk.left()));
        assert_eq!((work.top(), mixer.bottom()), (words.top(), words.bottom()));
    }
}

#[test]
fn the_edge_of_the_words_is_moved_and_the_width_is_remembered() {
    let mut harness = opened(1600.0, 900.0, Layout::default());
    harness.focus_on("Width of the words");
    harness.press(Key::ArrowLeft);
    assert!((place(&harness, "Words").width() - 368.0).abs() < 0.5);
    let layout = Layout { words: 368.0, ..Layout::default() };
    let set = Action::Settings(SettingsChange::Layout(layout));
    assert_eq!(harness.state().actions, [set]);
}

#[test]
fn in_a_narrow_window_the_words_have_the_place_of_the_mixer() {
    let mut harness = opened(1100.0, 800.0, Layout::default());
    let (work, words) = (place(&harness, "Work"), place(&harness, "Words"));
    assert_eq!((work.bottom() + 4.0, work.x_range()), (words.top(), words.x_range()));
    assert!(harness.query_by_label("Mixer area").is_none());
    harness.click_on("Close the words");
    assert!(harness.query_by_label("Words area").is_none());
    assert_eq!(place(&harness, "Mixer").bottom(), words.bottom());
}
