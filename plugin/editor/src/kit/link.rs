//! Words that lead somewhere.

use super::Cx;
use crate::theme::{Type, radius};
use egui::{Pos2, Rect, Response, pos2, vec2};

/// Height of the clickable area, points.
const TALL: f32 = 24.0;

/// Draws them with their left middle at `at`; its response has their width.
pub(crate) fn link(cx: &Cx<'_>, at: Pos2, words: &str, size: Type) -> Response {
    let width = cx.width(words, size);
    let rect = Rect::from_min_size(pos2(at.x, at.y - TALL / 2.0), vec2(width, TALL));
    let response = cx.button(rect, ("link", words), words);
    cx.left(at, words, size, if response.hovered() { cx.t.text } else { cx.t.text_2 });
    cx.ring(&response, rect.shrink2(vec2(0.0, 5.0)), radius::CONTROL);
    response
}
