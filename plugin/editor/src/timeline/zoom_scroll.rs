//! Zoom and scroll of the timeline: by the wheel, by a factor, and to a stretch of time.

use super::axis::Axis;
use super::view::TimelineView;
use deskhand_dsp::{Frames, SampleRate};
use egui::{Rect, Ui};

/// Room after the last clip, as a share of all.
const TAIL: f64 = 1.02;
/// Points from one sample to the next where it is nearest.
const NEAREST: f64 = 8.0;
/// A change that is narrower than this is zoomed to, points.
const SEEN: f64 = 12.0;
/// How wide it is then, if the rest that is wanted has room.
const SHOWN: f64 = 48.0;
/// Seconds around a change that are in view with it.
const AROUND: f64 = 5.0;

impl Axis {
    /// Handles the mouse wheel of this frame, and limits zoom and scroll to content that ends at `end`.
    pub(super) fn settle(
        ui: &Ui,
        view: &mut TimelineView,
        (rate, end): (SampleRate, Frames),
        lanes: Rect,
        area: Rect,
        rows: f32,
    ) -> Self {
        let rate = f64::from(rate.0);
        let end = (end.0 as f64 / rate).max(1.0);
        // An edit moves nothing under the pointer as long as what it leaves is in view.
        let length = view.fitted.filter(|length| end <= *length).unwrap_or(end * TAIL);
        view.fitted = Some(length);
        let width = f64::from(lanes.width()).max(1.0);
        let fit = width / length;
        if ui.rect_contains_pointer(area) {
            wheel(ui, view, lanes, fit, rate);
        }
        let zoom = view.zoom.unwrap_or(fit).clamp(fit, nearest(rate, fit));
        view.left = view.left.clamp(0.0, (length - width / zoom).max(0.0));
        view.down = view.down.clamp(0.0, (rows - lanes.height()).max(0.0));
        Self { rect: lanes, left: view.left, per_second: zoom, rate, fit, length }
    }

    /// Zooms around the playhead where it is in view, else around the middle.
    pub(super) fn zoom(&self, view: &mut TimelineView, factor: f64) {
        let width = f64::from(self.rect.width());
        let playhead = self.exact_x(view.playhead) - f64::from(self.rect.left());
        let at = if (0.0..=width).contains(&playhead) { playhead } else { width / 2.0 };
        zoom_at(view, self.fit, self.rate, factor, at);
    }

    /// Brings a stretch of time into view: all of it, and wide enough to see. A visible stretch stays where
    /// it is.
    pub(super) fn bring(&self, view: &mut TimelineView, (from, to): (Frames, Frames)) {
        let [from, to] = [from, to].map(|at| at.0 as f64 / self.rate);
        let (width, length) = (f64::from(self.rect.width()).max(1.0), to - from);
        let mut zoom = self.per_second;
        if length > 0.0 && length * zoom < SEEN {
            // The audio played around it is in view too.
            zoom = zoom.max((SHOWN / length).min(width / (length + AROUND)));
        }
        if length * zoom > width * 0.9 {
            zoom = width * 0.9 / length;
        }
        let zoom = zoom.clamp(self.fit, nearest(self.rate, self.fit));
        let shown = width / zoom;
        view.zoom = (zoom > self.fit * 1.001).then_some(zoom);
        let is_in = self.left <= from && to <= self.left + shown;
        if !is_in || (zoom - self.per_second).abs() > f64::EPSILON {
            view.left = (from + to) / 2.0 - shown / 2.0;
        }
    }
}

impl Axis {
    /// Shows a stretch of time over most of the view.
    pub(super) fn zoom_to(&self, view: &mut TimelineView, (from, to): (Frames, Frames)) {
        let [from, to] = [from, to].map(|at| at.0 as f64 / self.rate);
        let width = f64::from(self.rect.width()).max(1.0);
        let zoom = (width * 0.9 / (to - from)).clamp(self.fit, nearest(self.rate, self.fit));
        view.zoom = (zoom > self.fit * 1.001).then_some(zoom);
        view.left = (from + to) / 2.0 - width / zoom / 2.0;
    }
}

fn wheel(ui: &Ui, view: &mut TimelineView, lanes: Rect, fit: f64, rate: f64) {
    let (delta, zoom, pointer) = ui.input(|input| {
        (input.smooth_scroll_delta(), input.zoom_delta(), input.pointer.hover_pos())
    });
    if (zoom - 1.0).abs() > f32::EPSILON {
        let at = pointer.map_or(0.0, |pos| (pos.x - lanes.left()).max(0.0));
        zoom_at(view, fit, rate, f64::from(zoom), f64::from(at));
        return;
    }
    let per_second = view.zoom.unwrap_or(fit);
    view.left -= f64::from(delta.x) / per_second;
    view.down -= delta.y;
}

/// The most points a second.
fn nearest(rate: f64, fit: f64) -> f64 {
    (rate * NEAREST).max(fit)
}

/// Zooms so that the time `at` points from the left stays where it is.
pub(super) fn zoom_at(view: &mut TimelineView, fit: f64, rate: f64, factor: f64, at: f64) {
    let before = view.zoom.unwrap_or(fit);
    let after = (before * factor).clamp(fit, nearest(rate, fit));
    view.left += at / before - at / after;
    view.zoom = (after > fit * 1.001).then_some(after);
}
