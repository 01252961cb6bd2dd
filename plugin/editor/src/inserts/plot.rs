//! What the graphs of processors are drawn with: grids, tags, and areas below a line.

use crate::kit::Cx;
use crate::kit::cx::alpha;
use crate::theme::{Type, radius};
use egui::epaint::{Mesh, Vertex, WHITE_UV};
use egui::{Color32, Pos2, Rect, Shape, pos2, vec2};
use std::sync::Arc;

/// A field to draw in, with lines at these places.
pub(super) fn field(cx: &Cx<'_>, rect: Rect, xs: &[f32], ys: &[f32]) {
    cx.fill(rect, radius::CONTROL, cx.t.well);
    for x in xs {
        cx.vline(x.round(), rect.top(), rect.bottom(), alpha(cx.t.line, 0.8));
    }
    for y in ys {
        cx.hline(rect.left(), rect.right(), y.round(), alpha(cx.t.line, 0.8));
    }
}

/// The area from a line down to `bottom`.
pub(super) fn area(cx: &Cx<'_>, line: &[Pos2], bottom: f32, color: Color32) {
    let pair = |at: &Pos2| [pos2(at.x, at.y.min(bottom)), pos2(at.x, bottom)];
    between(cx, line.iter().map(pair), color);
}

/// The area between two lines.
pub(super) fn between(cx: &Cx<'_>, lines: impl Iterator<Item = [Pos2; 2]>, color: Color32) {
    let mut mesh = Mesh::default();
    for (index, pair) in lines.enumerate() {
        mesh.vertices.extend(pair.map(|pos| Vertex { pos, uv: WHITE_UV, color }));
        if let Some(base) = (index as u32).checked_sub(1) {
            let base = 2 * base;
            mesh.add_triangle(base, base + 1, base + 2);
            mesh.add_triangle(base + 1, base + 3, base + 2);
        }
    }
    cx.p.add(Shape::Mesh(Arc::new(mesh)));
}

/// Words on a dark plate, so that they are read over a graph; `at` is their left middle.
pub(super) fn tag(cx: &Cx<'_>, at: Pos2, words: &str, color: Color32) {
    let width = cx.width(words, Type::CAPTION);
    let rect = Rect::from_min_size(at - vec2(0.0, 8.0), vec2(width + 12.0, 16.0));
    cx.fill(rect, 3.0, alpha(cx.t.panel, 0.9));
    cx.left(at + vec2(6.0, 0.0), words, Type::CAPTION, color);
}

/// An amplitude in dBFS, -120 at least.
pub(super) fn decibels(amplitude: f32) -> f32 {
    20.0 * amplitude.max(1e-6).log10()
}
