//! The part of a scroll bar that is dragged.

use super::Cx;
use super::cx::alpha;
use egui::{Rect, Response, Sense};

/// Its thickness in points.
pub(crate) const THICK: f32 = 8.0;

/// Draws it, and gives how it is dragged.
pub(crate) fn thumb(cx: &Cx<'_>, place: Rect, name: &str) -> Response {
    let response = cx.interact(place, name, Sense::drag());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Slider, true, name));
    let strength = if response.hovered() || response.dragged() { 0.7 } else { 0.35 };
    cx.fill(place.shrink(2.0), 2.0, alpha(cx.t.text_3, strength));
    response
}
