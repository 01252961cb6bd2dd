//! Ghosts of gain over time: the dashed curve that a track or a clip would have.

use super::Pen;
use super::numbers::Corner;
use crate::card::dials::Depth;
use crate::kit::cx::alpha;
use crate::kit::scale::signed;
use crate::timeline::clip_rect::clip_rect;
use crate::timeline::gain_curve::Curve;
use deskhand_dsp::EnvelopePoint;
use deskhand_session::{ClipId, Edit, ObjectId, TrackId};
use egui::{Color32, Mesh, Pos2, Rect, pos2};

impl Pen<'_, '_> {
    pub(super) fn track_curve(&self, edit: &Edit<TrackId, Vec<EnvelopePoint>>) {
        if let Some(lane) = self.all.rows.lane_of(edit.target) {
            self.curve(Curve::of_track(&edit.after, lane), lane, edit.target);
        }
    }

    pub(super) fn clip_curve(&self, edit: &Edit<ClipId, Vec<EnvelopePoint>>) {
        let Some(clip) = self.clip(edit.target) else { return };
        let Some(lane) = self.all.rows.lane_of(clip.track) else { return };
        let rect = clip_rect(lane, clip.position, clip.end(), self.all.axis);
        let curve = Curve::of_clip(&edit.after, clip.position - clip.start, rect);
        self.curve(curve, rect, edit.target);
    }

    fn curve(&self, mut curve: Curve, place: Rect, target: impl Into<ObjectId>) {
        let depth = furthest(&curve.points)
            .and_then(|floor| Depth::of(self.all.tools, self.all.card, floor));
        if let Some(depth) = &depth {
            curve.points.iter_mut().for_each(|it| it.gain.0 = depth.gain(it.gain.0));
        }
        self.spot(place);
        let cx = self.cx.clip(place);
        if !curve.points.is_empty() {
            let course = curve.course(self.all.axis);
            fill_to(&cx, &course, curve.y(0.0), alpha(cx.t.accent, 0.1));
            cx.dashes(&course, 1.5, cx.t.accent);
        }
        for point in &curve.points {
            let at = curve.at(self.all.axis, point);
            if place.contains(at) {
                cx.p.circle_filled(at, 2.5, cx.t.accent);
            }
        }
        self.tag(place, &words(&curve.points), Corner::BottomLeft);
        if let Some(depth) = &depth {
            self.floor(&curve, depth, (place, target.into()));
        }
    }
}

/// Fills between a curve and a height.
fn fill_to(cx: &crate::kit::Cx<'_>, course: &[Pos2], y: f32, color: Color32) {
    let mut mesh = Mesh::default();
    for at in course {
        mesh.colored_vertex(*at, color);
        mesh.colored_vertex(pos2(at.x, y), color);
    }
    for first in (0..mesh.vertices.len().saturating_sub(2) as u32).step_by(2) {
        mesh.add_triangle(first, first + 1, first + 2);
        mesh.add_triangle(first + 1, first + 2, first + 3);
    }
    cx.p.add(mesh);
}

/// The gain that is furthest from 0 dB.
fn furthest(points: &[EnvelopePoint]) -> Option<f64> {
    let gains = points.iter().map(|point| point.gain.0);
    gains.max_by(|one, other| one.abs().total_cmp(&other.abs()))
}

/// The same in words: "−12.0 dB".
fn words(points: &[EnvelopePoint]) -> String {
    furthest(points)
        .map_or_else(|| "no line".to_owned(), |gain| format!("{} dB", signed(gain as f32, 1)))
}
