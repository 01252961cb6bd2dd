//! A drawn star: the icon fonts have none.

use crate::kit::Cx;
use egui::{Color32, Pos2, Shape, Stroke, vec2};
use std::f32::consts::TAU;

/// Draws a star of five points around `center`, full or as a line.
pub(crate) fn paint(cx: &Cx<'_>, center: Pos2, size: f32, color: Color32, is_full: bool) {
    let point = |step: usize| {
        let radius = if step.is_multiple_of(2) { size } else { size * 0.45 };
        let angle = TAU * step as f32 / 10.0 - TAU / 4.0;
        center + vec2(angle.cos(), angle.sin()) * radius
    };
    let points: Vec<Pos2> = (0..10).map(point).collect();
    if !is_full {
        cx.p.add(Shape::closed_line(points, Stroke::new(1.25, color)));
        return;
    }
    // Painted in convex pieces: five points around a pentagon.
    let inner: Vec<Pos2> = points.iter().skip(1).step_by(2).copied().collect();
    cx.p.add(Shape::convex_polygon(inner, color, Stroke::new(0.5, color)));
    for tip in (0..10).step_by(2) {
        let piece = vec![points[(tip + 9) % 10], points[tip], points[(tip + 1) % 10]];
        cx.p.add(Shape::convex_polygon(piece, color, Stroke::NONE));
    }
}
