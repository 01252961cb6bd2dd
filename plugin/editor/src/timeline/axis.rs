//! Time across the timeline: zoom and scroll.

use super::LANE;
use crate::model::Model;
use deskhand_dsp::Frames;
use deskhand_session::Session;
use egui::{Rect, Ui};

/// Steps between labels, seconds, and the small steps between them.
const STEPS: [(f64, f64); 12] = [
    (0.1, 0.02),
    (0.5, 0.1),
    (1.0, 0.2),
    (2.0, 0.5),
    (5.0, 1.0),
    (10.0, 2.0),
    (30.0, 5.0),
    (60.0, 10.0),
    (300.0, 60.0),
    (900.0, 300.0),
    (3600.0, 900.0),
    (14_400.0, 3600.0),
];
/// Least room between labels, points.
const ROOM: f64 = 72.0;

/// Where frames are, in points.
pub(super) struct Axis {
    rect: Rect,
    left: f64,
    per_second: f64,
    rate: f64,
    fit: f32,
}

impl Axis {
    /// Takes the wheel and the drag of this frame, and settles zoom and scroll.
    pub(super) fn settle(
        ui: &Ui,
        model: &mut Model,
        session: &Session,
        lanes: Rect,
        area: Rect,
    ) -> Self {
        let rate = f64::from(session.rate.0);
        let length = (session.end().0 as f64 / rate).max(1.0);
        let fit = (f64::from(lanes.width()) / (length * 1.02)) as f32;
        if ui.rect_contains_pointer(area) {
            wheel(ui, model, lanes, fit);
        }
        let view = &mut model.desk.timeline;
        let zoom = view.zoom.unwrap_or(fit).clamp(fit, 4000.0);
        let shown = lanes.width() / zoom;
        view.left = view.left.clamp(0.0, ((length * 1.02) as f32 - shown).max(0.0));
        let rows = LANE * session.track_order.len() as f32;
        view.down = view.down.clamp(0.0, (rows - lanes.height()).max(0.0));
        Self { rect: lanes, left: f64::from(view.left), per_second: f64::from(zoom), rate, fit }
    }

    /// Zooms around the middle.
    pub(super) fn zoom(&self, model: &mut Model, factor: f32) {
        zoom_at(model, self.fit, factor, self.rect.width() / 2.0);
    }

    pub(super) fn x(&self, second: f64) -> f32 {
        (self.rect.left() + ((second - self.left) * self.per_second) as f32).round()
    }

    pub(super) fn frame_x(&self, frame: Frames) -> f32 {
        self.x(frame.0 as f64 / self.rate)
    }

    pub(super) fn frames_per_point(&self) -> f64 {
        self.rate / self.per_second
    }

    /// Seconds to mark, and whether each has a label.
    pub(super) fn ticks(&self) -> impl Iterator<Item = (f64, bool)> {
        let (major, minor) = self.steps();
        let last = self.left + f64::from(self.rect.width()) / self.per_second;
        let ratio = (major / minor).round() as i64;
        let first = (self.left / minor).ceil() as i64;
        let count = ((last / minor).floor() as i64 - first + 1).max(0);
        (first..first + count).map(move |index| (index as f64 * minor, index % ratio == 0))
    }

    fn steps(&self) -> (f64, f64) {
        let fits = |(major, _): &&(f64, f64)| major * self.per_second >= ROOM;
        *STEPS.iter().find(fits).unwrap_or(&STEPS[STEPS.len() - 1])
    }

    /// The words at a label.
    pub(super) fn label(&self, second: f64) -> String {
        let tenths = (second * 10.0).round() as i64;
        let whole = format!("{}:{:02}", tenths / 600, tenths / 10 % 60);
        if self.steps().0 < 1.0 { format!("{whole}.{}", tenths % 10) } else { whole }
    }
}

fn wheel(ui: &Ui, model: &mut Model, lanes: Rect, fit: f32) {
    let (delta, zoom, pointer) = ui.input(|input| {
        (input.smooth_scroll_delta(), input.zoom_delta(), input.pointer.hover_pos())
    });
    if (zoom - 1.0).abs() > f32::EPSILON {
        let at = pointer.map_or(0.0, |pos| (pos.x - lanes.left()).max(0.0));
        zoom_at(model, fit, zoom, at);
        return;
    }
    let per_second = model.desk.timeline.zoom.unwrap_or(fit);
    model.desk.timeline.left -= delta.x / per_second;
    model.desk.timeline.down -= delta.y;
}

/// Zooms so that the time `at` points from the left stays where it is.
fn zoom_at(model: &mut Model, fit: f32, factor: f32, at: f32) {
    let view = &mut model.desk.timeline;
    let before = view.zoom.unwrap_or(fit);
    let after = (before * factor).clamp(fit, 4000.0);
    view.left += at / before - at / after;
    view.zoom = (after > fit * 1.001).then_some(after);
}
