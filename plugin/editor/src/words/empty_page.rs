//! An empty page: what it will show, and the next step.

use crate::kit::Cx;
use crate::kit::controls::{Button, Kind, State};
use crate::theme::{Type, space};
use egui::{Rect, vec2};

/// The next step: its button label, and whether its work is running already.
pub(crate) type Step<'a> = (&'a str, bool);

/// Draws the page. Returns its bottom, and whether the step was clicked.
pub(crate) fn show(
    cx: &Cx<'_>,
    rect: Rect,
    (title, words): (&str, &str),
    step: Option<Step<'_>>,
) -> (Rect, bool) {
    let at = rect.min + vec2(space::L, space::L);
    let head = cx.left(at + vec2(0.0, 8.0), title, Type::BODY_STRONG, cx.t.text);
    let room = (rect.width() - 2.0 * space::L).min(420.0);
    let text = cx.para(at + vec2(0.0, 24.0), words, Type::SMALL, cx.t.text_2, room);
    cx.label(head.union(text), "blank", format!("{title}. {words}"));
    let Some((label, runs)) = step else { return (text, false) };
    let state = if runs { State::Disabled } else { State::Normal };
    let button = Button::new(Kind::Primary, label).state(state);
    let size = vec2(button.width(cx), 28.0);
    let cell = Rect::from_min_size(text.left_bottom() + vec2(0.0, 12.0), size);
    let mut response = button.show(cx, cell);
    if runs {
        response = response.on_hover_text("It is being done");
    }
    (cell, response.clicked() && !runs)
}
