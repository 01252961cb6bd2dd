//! Waveforms in two tones, RMS over peak, as one anti-aliased mesh for each tone.

use crate::kit::Cx;
use egui::epaint::{Mesh, Vertex, WHITE_UV};
use egui::{Color32, Pos2, Rect, Shape, pos2};
use std::sync::Arc;

pub(crate) use crate::waves::Column;

/// Paint both tones. `gain` is linear.
pub(crate) fn paint(
    cx: &Cx<'_>,
    rect: Rect,
    cols: &[Column],
    gain: f32,
    peak: Color32,
    rms: Color32,
) {
    let band = |f: fn(&Column) -> f32, color| {
        let edge: Vec<f32> = cols.iter().map(|c| (f(c) * gain).min(1.0)).collect();
        let mesh = band_mesh(rect, &edge, 1.0 / cx.p.pixels_per_point(), color);
        cx.p.add(Shape::mesh(Arc::new(mesh)));
    };
    band(|c| c.peak, peak);
    band(|c| c.rms, rms);
}

/// Only the outer contour: how the clip would look after the plan.
pub(crate) fn outline(cx: &Cx<'_>, rect: Rect, cols: &[Column], gain: f32, color: Color32) {
    let half = rect.height() / 2.0;
    let side = |sign: f32| -> Vec<Pos2> {
        let n = cols.len().max(2) as f32 - 1.0;
        let at = |(i, c): (usize, &Column)| {
            let x = rect.left() + rect.width() * i as f32 / n;
            pos2(x, rect.center().y - sign * half * (c.peak * gain).min(1.0))
        };
        cols.iter().enumerate().map(at).collect()
    };
    cx.path(side(1.0), 1.0, color);
    cx.path(side(-1.0), 1.0, color);
}

/// A vertically symmetric band with a one-pixel feather on both edges.
pub(crate) fn band_mesh(rect: Rect, edge: &[f32], feather: f32, color: Color32) -> Mesh {
    let mut mesh = Mesh::default();
    let (mid, half) = (rect.center().y, rect.height() / 2.0);
    let n = edge.len().max(2) as f32 - 1.0;
    for (i, e) in edge.iter().enumerate() {
        let x = rect.left() + rect.width() * i as f32 / n;
        let h = (e * half).max(feather / 2.0);
        let ys = [-h - feather / 2.0, -h + feather / 2.0, h - feather / 2.0, h + feather / 2.0];
        let tints = [Color32::TRANSPARENT, color, color, Color32::TRANSPARENT];
        for (y, tint) in ys.into_iter().zip(tints) {
            mesh.vertices.push(Vertex { pos: pos2(x, mid + y), uv: WHITE_UV, color: tint });
        }
        if i > 0 {
            stitch(&mut mesh, (i as u32 - 1) * 4);
        }
    }
    mesh
}

fn stitch(mesh: &mut Mesh, base: u32) {
    for row in 0..3 {
        let (a, b, c, d) = (base + row, base + row + 1, base + row + 4, base + row + 5);
        mesh.add_triangle(a, b, c);
        mesh.add_triangle(b, d, c);
    }
}
