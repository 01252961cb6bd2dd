//! Time across the timeline: zoom and scroll.

use deskhand_dsp::Frames;
use deskhand_session::text;
use egui::Rect;

/// Steps between labels, seconds, and the small steps between them.
const STEPS: [(f64, f64); 15] = [
    (0.001, 0.0002),
    (0.005, 0.001),
    (0.02, 0.005),
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
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axis {
    pub(super) rect: Rect,
    pub(super) left: f64,
    pub(super) per_second: f64,
    pub(super) rate: f64,
    pub(super) fit: f64,
    pub(super) length: f64,
}

impl Axis {
    #[cfg(test)]
    pub(super) fn new(rect: Rect, left: f64, per_second: f64, rate: f64) -> Self {
        Self { rect, left, per_second, rate, fit: per_second, length: 1.0 }
    }

    pub(super) fn x(&self, second: f64) -> f32 {
        (self.rect.left() + ((second - self.left) * self.per_second) as f32).round()
    }

    pub(super) fn frame_x(&self, frame: Frames) -> f32 {
        self.x(frame.0 as f64 / self.rate)
    }

    /// The same with all its digits: what begins far outside of the view is drawn from there.
    pub(super) fn exact_x(&self, frame: Frames) -> f64 {
        let seconds = frame.0 as f64 / self.rate;
        f64::from(self.rect.left()) + (seconds - self.left) * self.per_second
    }

    /// The frame at a point, 0 or later.
    pub(super) fn frame_at(&self, x: f32) -> Frames {
        let seconds = f64::from(x - self.rect.left()) / self.per_second + self.left;
        Frames(((seconds * self.rate).round() as i64).max(0))
    }

    pub(super) fn frames_per_point(&self) -> f64 {
        self.rate / self.per_second
    }

    /// That many points as frames.
    pub(super) fn frames_of(&self, points: f32) -> Frames {
        Frames((f64::from(points) * self.frames_per_point()).round() as i64)
    }

    /// The frames in view.
    pub(super) fn shown(&self) -> (Frames, Frames) {
        (self.frame_at(self.rect.left()), self.frame_at(self.rect.right()))
    }

    /// The share of the session in view and where it begins, 0 to 1.
    pub(super) fn share(&self) -> (f64, f64) {
        let shown = f64::from(self.rect.width()) / self.per_second;
        ((shown / self.length).min(1.0), self.left / self.length)
    }

    /// The second at a share of the session.
    pub(super) fn second_of(&self, share: f64) -> f64 {
        share * self.length
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

    pub(super) fn nearest_tick(&self, frame: Frames) -> Frames {
        let (_, minor) = self.steps();
        let count = (frame.0 as f64 / self.rate / minor).round();
        Frames((count * minor * self.rate).round() as i64)
    }

    pub(super) fn label(&self, second: f64) -> String {
        text::mark(second, self.steps().0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::view::TimelineView;
    use crate::timeline::zoom_scroll::zoom_at;
    use egui::{pos2, vec2};
    use proptest::prelude::*;

    #[test]
    fn what_is_in_view_and_can_be_seen_stays_where_it_is() {
        let rect = Rect::from_min_size(pos2(184.0, 84.0), vec2(800.0, 400.0));
        let axis = Axis { fit: 8.0, length: 100.0, ..Axis::new(rect, 10.0, 80.0, 48_000.0) };
        let mut view = TimelineView { zoom: Some(80.0), left: 10.0, ..TimelineView::default() };
        for (from, to) in [(12, 14), (10, 10), (10, 18)] {
            axis.bring(&mut view, (Frames(from * 48_000), Frames(to * 48_000)));
            assert_eq!((view.zoom, view.left), (Some(80.0), 10.0), "{from} to {to}");
        }
        axis.bring(&mut view, (Frames(30 * 48_000), Frames(34 * 48_000)));
        assert_eq!((view.zoom, view.left), (Some(80.0), 27.0), "in the middle");
    }

    proptest! {
        #[test]
        fn a_point_and_its_frame_belong_together(
            frame in 0i64..48_000 * 7200, per_second in 0.05f64..48_000.0, offset in -400.0f64..0.0,
        ) {
            let rect = Rect::from_min_size(pos2(184.0, 84.0), vec2(800.0, 400.0));
            let left = (frame as f64 / 48_000.0 + offset / per_second).max(0.0);
            let axis = Axis::new(rect, left, per_second, 48_000.0);
            let back = axis.frame_at(axis.frame_x(Frames(frame)));
            let most = (axis.frames_per_point() * 0.51).ceil() as i64 + 1;
            prop_assert!((back.0 - frame).abs() <= most, "{frame} came back as {}", back.0);
            prop_assert!(axis.frame_at(300.0) <= axis.frame_at(301.0));
        }

        #[test]
        fn a_stretch_that_is_brought_into_view_is_in_view_and_can_be_seen(
            zoom in 8.0f64..48_000.0, left in 0.0f64..90.0, from in 0i64..4_700_000, length in 0i64..4_800_000,
        ) {
            let (rect, rate) = (Rect::from_min_size(pos2(184.0, 84.0), vec2(800.0, 400.0)), 48_000.0);
            let axis = Axis { fit: 8.0, length: 100.0, ..Axis::new(rect, left, zoom, rate) };
            let mut view = TimelineView { zoom: Some(zoom), left, ..TimelineView::default() };
            let [start, end] = [from, (from + length).min(4_790_000)].map(Frames);
            axis.bring(&mut view, (start, end));
            let zoom = view.zoom.unwrap_or(8.0);
            let after = Axis::new(rect, view.left.max(0.0), zoom, rate);
            let (first, last) = (after.frame_x(start), after.frame_x(end));
            prop_assert!(first >= rect.left() - 1.0 && last <= rect.right() + 1.0, "{first} {last}");
            let least = if length == 0 { 0.0 } else { 11.0 };
            let nearest = f64::from(last - first) >= (end - start).0 as f64 / rate * 8.0 - 1.0;
            prop_assert!(last - first >= least || end <= start || nearest && zoom >= 150.0, "{zoom}");
        }

        #[test]
        fn zoom_keeps_the_time_under_the_pointer(
            zoom in 10.0f64..4000.0, factor in 0.5f64..2.0, at in 0.0f64..800.0, left in 0.0f64..100.0,
        ) {
            let mut view = TimelineView { zoom: Some(zoom), left, ..TimelineView::default() };
            let before = left + at / zoom;
            zoom_at(&mut view, 1.0, 48_000.0, factor, at);
            let after = view.left + at / view.zoom.unwrap();
            prop_assert!((before - after).abs() < 1e-9);
        }
    }
}
