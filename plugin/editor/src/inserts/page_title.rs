//! The title of a page, and the switch that lets the sound pass the processor by.

use super::place::Place;
use crate::action::{Action, Actions, Gesture, call};
use crate::kit::{Cut, Cx};
use crate::theme::{Type, radius};
use deskhand_session::{InsertId, PlacedInsert, Switch};
use egui::{Rect, Response, Sense, vec2};
use serde_json::json;

/// The row with the title of a page.
const TITLE: f32 = 44.0;

/// The title of a page, and the switch that lets the sound pass it by. Returns the room between them.
pub(super) fn page_title(
    cx: &Cx<'_>,
    place: Place<'_>,
    (id, placed): (InsertId, &PlacedInsert),
    page: &mut Rect,
    out: &mut Actions,
) -> Rect {
    let mut row = page.cut_top(TITLE).pad(16.0, 0.0);
    let title = place.title(id);
    let words = cx.left(row.left_mid(0.0), &title, Type::BODY_STRONG, cx.t.text);
    let node = cx.interact(words, "title", Sense::hover());
    node.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Heading, true, &title));
    let works = placed.switch == Switch::On;
    let rect = row.row_box(row.right() - 72.0, vec2(72.0, 28.0));
    let response = toggle(cx, rect, "Bypass", !works);
    if response.clicked() {
        out.push(switch(id, placed.switch));
    }
    row.max.x = rect.left() - 12.0;
    row.min.x = words.right() + 12.0;
    row
}

/// Turns a processor to its other state.
pub(super) fn switch(id: InsertId, now: Switch) -> Action {
    let to = match now {
        Switch::On => "off",
        Switch::Off => "on",
    };
    call(Gesture::SwitchInsert, json!({"insert": id, "switch": to}))
}

/// A button that stays pressed.
pub(super) fn toggle(cx: &Cx<'_>, rect: Rect, label: &str, is_on: bool) -> Response {
    let response = cx.interact(rect, ("toggle", label), Sense::click());
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, is_on, label));
    let (fill, color) = match (is_on, response.hovered()) {
        (true, _) => (cx.t.text_2, cx.t.panel),
        (false, true) => (cx.t.hover, cx.t.text),
        (false, false) => (cx.t.control, cx.t.text),
    };
    cx.fill(rect, radius::CONTROL, fill);
    cx.center(rect.center(), label, Type::SMALL_STRONG, color);
    if response.has_focus() {
        cx.focus_ring(rect, radius::CONTROL);
    }
    response
}
