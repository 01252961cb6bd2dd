//! A gain over time as a curve in a lane: the line that is there, and the one that a plan would draw.

use super::axis::Axis;
use deskhand_dsp::volume::gain_at;
use deskhand_dsp::{Decibels, EnvelopePoint, Frames};
use egui::{Pos2, Rect, pos2, vec2};

/// Top and bottom of a lane, dB.
const TOP: f64 = 12.0;
const BOTTOM: f64 = -48.0;

/// Points at frames of the timeline, and where 12 to −48 dB are drawn.
pub(super) struct Curve {
    pub(super) points: Vec<EnvelopePoint>,
    pub(super) rect: Rect,
}

impl Curve {
    pub(super) fn of_track(points: &[EnvelopePoint], lane: Rect) -> Self {
        Self { points: points.to_vec(), rect: lane.shrink2(vec2(0.0, 4.0)) }
    }

    /// The gain of a clip whose source begins at a frame of the timeline.
    pub(super) fn of_clip(points: &[EnvelopePoint], begins: Frames, rect: Rect) -> Self {
        let moved = |it: &EnvelopePoint| EnvelopePoint { position: it.position + begins, ..*it };
        Self { points: points.iter().map(moved).collect(), rect }
    }

    pub(super) fn y(&self, gain: f64) -> f32 {
        let share = ((TOP - gain) / (TOP - BOTTOM)).clamp(0.0, 1.0);
        self.rect.top() + self.rect.height() * share as f32
    }

    pub(super) fn gain(&self, y: f32) -> Decibels {
        let share = f64::from((y - self.rect.top()) / self.rect.height()).clamp(0.0, 1.0);
        Decibels(((TOP - share * (TOP - BOTTOM)) * 10.0).round() / 10.0)
    }

    /// The dB of a point up or down.
    pub(super) fn per_point(&self) -> f64 {
        (TOP - BOTTOM) / f64::from(self.rect.height())
    }

    pub(super) fn at(&self, axis: &Axis, point: &EnvelopePoint) -> Pos2 {
        pos2(axis.frame_x(point.position), self.y(point.gain.0))
    }

    /// The curve from edge to edge, a step of two points wherever it bends.
    pub(super) fn course(&self, axis: &Axis) -> Vec<Pos2> {
        let (left, right) = (self.rect.left().max(axis.rect.left()), self.rect.right());
        let steps = ((right.min(axis.rect.right()) - left) / 2.0).max(0.0) as usize;
        let step = |n: usize| {
            let x = left + 2.0 * n as f32;
            pos2(x, self.y(gain_at(&self.points, axis.frame_at(x)).0))
        };
        (0..=steps).map(step).collect()
    }
}
