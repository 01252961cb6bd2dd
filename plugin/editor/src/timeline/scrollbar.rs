//! Scroll bars of the lanes, for those without a wheel.

use super::Axis;
use crate::kit::Cx;
use crate::kit::scroll::{THICK, thumb};
use crate::timeline::view::TimelineView;
use egui::{Rect, pos2};

/// Draws the bars where there is something out of view.
pub(super) fn show(cx: &Cx<'_>, view: &mut TimelineView, axis: &Axis, lanes: Rect, height: f32) {
    let (share, begin) = axis.share();
    if share < 0.999 {
        let bar = Rect::from_min_max(pos2(lanes.left(), lanes.bottom() - THICK), lanes.max);
        let left = bar.left() + bar.width() * begin as f32;
        let place = Rect::from_min_max(
            pos2(left, bar.top()),
            pos2(left + (bar.width() * share as f32).max(24.0), bar.bottom()),
        );
        let response = thumb(cx, place, "Scroll in time");
        view.left += axis.second_of(f64::from(response.drag_delta().x / bar.width()));
    }
    if height > lanes.height() {
        let bar = Rect::from_min_max(pos2(lanes.right() - THICK, lanes.top()), lanes.max);
        let per_point = height / bar.height();
        let top = bar.top() + view.down / per_point;
        let place = Rect::from_min_max(
            pos2(bar.left(), top),
            pos2(bar.right(), top + (lanes.height() / per_point).max(24.0)),
        );
        let response = thumb(cx, place, "Scroll the tracks");
        view.down += response.drag_delta().y * per_point;
    }
}
