//! The last sessions in the first window: a click opens one.

use crate::action::{Action, Actions};
use crate::kit::{Cut, Cx};
use crate::model::Model;
use crate::session_menu::{name, others};
use crate::theme::{Type, radius};
use egui::{Rect, pos2};

const ROW: f32 = 52.0;
const HEAD: f32 = 28.0;
const LISTED: usize = 5;

pub(super) fn height(model: &Model) -> f32 {
    match others(model).take(LISTED).count() {
        0 => 0.0,
        rows => HEAD + ROW * rows as f32,
    }
}

pub(super) fn show(cx: &Cx<'_>, model: &Model, rect: Rect, out: &mut Actions) {
    let mut rest = rect;
    let head = rest.cut_top(HEAD);
    cx.left(head.left_mid(12.0), "Recent sessions", Type::SMALL_STRONG, cx.t.text_2);
    for (index, session) in others(model).take(LISTED).enumerate() {
        let row = rest.cut_top(ROW);
        let words = format!("Open {}", session.display());
        let response = cx.button(row, ("recent", index), &words);
        if response.hovered() {
            cx.fill(row, radius::CONTROL, cx.t.control);
        }
        cx.ring(&response, row, radius::CONTROL);
        let (left, y, room) = (row.left() + 12.0, row.center().y, row.width() - 24.0);
        cx.elided(pos2(left, y - 9.0), &name(session), Type::BODY_STRONG, cx.t.text, room);
        let folder = session.parent().map(|it| it.display().to_string()).unwrap_or_default();
        cx.elided(pos2(left, y + 10.0), &folder, Type::CAPTION, cx.t.text_3, room);
        if response.clicked() {
            out.push(Action::OpenRecent(session.clone()));
        }
    }
}
