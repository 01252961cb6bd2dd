//! The window of the words.

use super::id;
use crate::testing::UserInput as _;
use crate::ui_tests::{Desk, open_model, sized};
use egui::{Rect, Vec2, vec2};
use egui_kittest::Harness;

fn opened(size: Vec2) -> Harness<'static, Desk> {
    let mut model = open_model();
    model.desk.words.is_open = true;
    sized(model, size)
}

fn place(harness: &Harness<'_, Desk>) -> Rect {
    harness.ctx.memory(|memory| memory.area_rect(id())).unwrap()
}

#[test]
fn it_stands_at_the_right_of_an_area_of_another_size_until_somebody_moves_it() {
    let large = vec2(1600.0, 1000.0);
    let home = place(&opened(large)).min;
    // As at 160 %.
    let mut harness = opened(large / 1.6);
    assert!(place(&harness).left() < home.x - 200.0, "{:?} and {home:?}", place(&harness));
    harness.set_size(large);
    harness.run_steps(4);
    assert_eq!(place(&harness).min, home);
    // Between its pages and what closes it.
    let (from, by) = (home + vec2(450.0, 20.0), vec2(-80.0, 30.0));
    harness.drag(from, from + by);
    assert_eq!(place(&harness).min, home + by);
    harness.set_size(vec2(1500.0, 1000.0));
    harness.run_steps(4);
    assert_eq!(place(&harness).min, home + by);
}
