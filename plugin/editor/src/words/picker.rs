//! What is chosen of several, in a cell that a menu hangs on.

use crate::icons;
use crate::kit::{Cut, Cx};
use crate::theme::{Type, radius, space};
use egui::{Rect, Response, Role, Sense, WidgetInfo};

pub(super) fn show(cx: &Cx<'_>, cell: Rect, name: &str, chosen: &str) -> Response {
    let response = cx.interact(cell, ("picker", name), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, format!("{name}: {chosen}")));
    cx.fill(cell, radius::CONTROL, if response.hovered() { cx.t.hover } else { cx.t.control });
    cx.elided(cell.left_mid(space::S), chosen, Type::SMALL, cx.t.text, cell.width() - 32.0);
    cx.icon(cell.right_mid(12.0), icons::CARET_DOWN, 10.0, cx.t.text_3);
    if response.has_focus() {
        cx.focus_ring(cell, radius::CONTROL);
    }
    response
}
