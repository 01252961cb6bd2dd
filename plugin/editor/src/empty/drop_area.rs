//! Where files are dropped, or chosen by a click.

use crate::action::{Action, Actions};
use crate::icons;
use crate::kit::Cx;
use crate::model::Model;
use crate::theme::{Type, radius};
use egui::{Rect, vec2};

pub(super) const HEIGHT: f32 = 120.0;
const NAME: &str = "Drop recordings or a project here, or choose files";

/// Draws the area. While files are held over the window it says what a drop does.
pub(super) fn show(cx: &Cx<'_>, model: &Model, rect: Rect, out: &mut Actions) {
    let held = model.held_files.as_deref();
    let words = held.unwrap_or(NAME);
    let response = cx.button(rect, "drop area", words);
    if response.hovered() {
        cx.fill(rect, radius::CARD, cx.t.raised);
    }
    match held {
        Some(_) => cx.border(rect, radius::CARD, cx.t.text),
        None => cx.dashed_border(rect, cx.t.outline),
    }
    let middle = rect.center();
    cx.icon(middle - vec2(0.0, 28.0), icons::FILE_AUDIO, 18.0, cx.t.text_2);
    let title = held.unwrap_or("Drop recordings or a project here");
    cx.center(middle, title, Type::BODY_STRONG, cx.t.text);
    let kinds = "WAV, AIFF, FLAC, MP3, M4A, MP4 · or click to choose files";
    cx.center(middle + vec2(0.0, 22.0), kinds, Type::CAPTION, cx.t.text_3);
    cx.ring(&response, rect, radius::CARD);
    if response.clicked() {
        out.push(Action::Import);
    }
}
