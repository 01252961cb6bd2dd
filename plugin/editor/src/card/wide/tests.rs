//! A card in a window of its own, used as a person uses it.

use crate::card::thumbnails;
use crate::desk_tests::{Desk, desk};
use crate::testing::prelude::*;
use crate::theme::Theme;
use egui::Shape;
use egui::epaint::{ColorMode, PathShape};

fn widened() -> Desk {
    let mut desk = desk(with_plan());
    desk.click_on("Plan 1 in a window of its own");
    desk
}

/// The distance between the outlines that the first row draws in the plan color.
fn apart(desk: &Desk, row: &str) -> f32 {
    let row = desk.get_by_label(row).rect();
    let is_one = |path: &&PathShape| {
        let rect = path.visual_bounding_rect();
        path.stroke.color == ColorMode::Solid(Theme::DARK.accent)
            && path.points.len() > 40
            && rect.width() < thumbnails::SIZE.x
            && (rect.center().y - row.center().y).abs() < 32.0
    };
    let paths = desk.output().shapes.iter().filter_map(|it| match &it.shape {
        Shape::Path(path) => Some(path),
        _ => None,
    });
    let all: Vec<f32> = paths.filter(is_one).map(|path| path.points[0].y).collect();
    let [above, below] = all[..] else { panic!("{all:?}") };
    below - above
}

#[test]
fn the_waveform_of_a_clip_is_drawn_with_the_contour_that_its_planned_gain_gives() {
    let mut desk = widened();
    let row = "Change 1: Vocal take, clip gain, from 0.0 to +4.5 dB";
    let louder = apart(&desk, row);
    desk.click_on("Pencil of c1");
    desk.key_press_modifiers(Modifiers::COMMAND, Key::A);
    desk.type_into("New value", "-12");
    desk.press(Key::Enter);
    let edits = &desk.state().model.cards[&gain_plan().id].view.values.edits;
    assert_eq!(edits.get("c1"), Some(&-12.0));
    let softer = apart(&desk, "Change 1: Vocal take, clip gain, from 0.0 to −12.0 dB");
    // The louder of both sides fills the drawing: first the planned one, then the current one.
    let share = 10f32.powf(-12.0 / 20.0);
    assert!((softer / louder - share).abs() < 0.01, "{softer} of {louder}");
}

#[test]
fn what_was_measured_is_listed_and_the_window_closes() {
    let mut desk = widened();
    let found = "Vocal take, integrated loudness −20.5 LUFS";
    assert!(desk.query_by_label(found).is_some());
    let predicted = "Vocal take, integrated loudness, predicted from −20.5 to −16.0 LUFS";
    let whole = desk.get_by_label(predicted).rect();
    let apply = desk.get_by_label("Apply 2 changes").rect();
    assert!(whole.bottom() < apply.top(), "nothing is out of view");
    desk.click_on("Close the window of plan 1");
    assert_eq!(desk.state().model.wide, None);
    assert!(desk.query_by_label("Apply 2 changes").is_some(), "the card is in its place again");
}

#[test]
fn the_window_takes_the_keyboard_and_a_click_on_its_title_gives_it_back() {
    let mut desk = widened();
    let has_keyboard =
        |desk: &Desk| desk.state().model.cards[&gain_plan().id].view.focus.whole.is_some();
    assert!(has_keyboard(&desk), "it was asked for");
    desk.state_mut().model.wants_composer = true;
    desk.run_steps(4);
    assert!(!has_keyboard(&desk));
    let close = desk.get_by_label("Close the window of plan 1").rect();
    let title = close.center() - egui::vec2(120.0, 0.0);
    desk.hover_at(title);
    desk.drag_at(title);
    desk.run_steps(1);
    desk.drop_at(title);
    desk.run_steps(3);
    assert!(has_keyboard(&desk));
}
