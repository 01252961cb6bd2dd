//! Scroll bars of the lanes, for those without a wheel.

use super::{Axis, TimelineView};
use crate::kit::Cx;
use crate::kit::cx::alpha;
use egui::{Rect, Response, Sense, pos2};

const THICK: f32 = 8.0;

/// Draws the bars where there is something out of view.
pub(super) fn show(cx: &Cx<'_>, view: &mut TimelineView, axis: &Axis, lanes: Rect, height: f32) {
    let (share, begin) = axis.share();
    if share < 0.999 {
        let bar = Rect::from_min_max(pos2(lanes.left(), lanes.bottom() - THICK), lanes.max);
        let left = bar.left() + bar.width() * begin as f32;
        let thumb = Rect::from_min_max(
            pos2(left, bar.top()),
            pos2(left + (bar.width() * share as f32).max(24.0), bar.bottom()),
        );
        let response = thumb_of(cx, thumb, "Scroll in time");
        view.left += axis.second_of(f64::from(response.drag_delta().x / bar.width()));
    }
    if height > lanes.height() {
        let bar = Rect::from_min_max(pos2(lanes.right() - THICK, lanes.top()), lanes.max);
        let per_point = height / bar.height();
        let top = bar.top() + view.down / per_point;
        let thumb = Rect::from_min_max(
            pos2(bar.left(), top),
            pos2(bar.right(), top + (lanes.height() / per_point).max(24.0)),
        );
        let response = thumb_of(cx, thumb, "Scroll the tracks");
        view.down += response.drag_delta().y * per_point;
    }
}

fn thumb_of(cx: &Cx<'_>, thumb: Rect, name: &str) -> Response {
    let response = cx.interact(thumb, name, Sense::drag());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Slider, true, name));
    let strength = if response.hovered() || response.dragged() { 0.7 } else { 0.35 };
    cx.fill(thumb.shrink(2.0), 2.0, alpha(cx.t.text_3, strength));
    response
}
