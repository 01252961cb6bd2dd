//! Every text of every view has contrast to what is painted under it, in both themes.

use super::names::{everywhere, rect_of};
use super::{Walk, settled};
use crate::contrast_tests::contrast;
use crate::theme::Theme;
use egui::epaint::{ClippedShape, TextShape};
use egui::{Color32, Pos2, Rect, Shape};
use egui_kittest::kittest::{By, NodeT as _, Queryable as _};
use std::collections::BTreeMap;

/// The least ratio of text, and of large text, icons and what cannot be used.
const TEXT: f64 = 4.5;
const LARGE: f64 = 3.0;
/// From this size on text is large, points.
const BIG: f32 = 24.0;

/// Something that is filled.
struct Fill {
    rect: Rect,
    /// Of a circle.
    radius: Option<f32>,
    color: Color32,
}

impl Fill {
    fn covers(&self, at: Pos2) -> bool {
        let is_near = |radius| self.rect.center().distance(at) <= radius;
        self.rect.contains(at) && self.radius.is_none_or(is_near)
    }
}

/// A color over an opaque one.
fn over(ground: Color32, color: Color32) -> Color32 {
    let rest = 1.0 - f32::from(color.a()) / 255.0;
    let one = |(under, own): (u8, u8)| (f32::from(own) + f32::from(under) * rest).round() as u8;
    let [[a, b, c, _], [d, e, f, _]] = [ground, color].map(|it| it.to_array());
    Color32::from_rgb(one((a, d)), one((b, e)), one((c, f)))
}

/// The places of the letters at which the color of a text begins and ends, and that color.
fn letters(text: &TextShape) -> Vec<(Pos2, Color32)> {
    let mut all = Vec::new();
    for placed in &text.galley.rows {
        let visuals = &placed.row.visuals;
        let letters = &visuals.mesh.vertices[visuals.glyph_vertex_range.clone()];
        for (index, corners) in letters.chunks_exact(4).enumerate() {
            let [first, .., last] = corners else { continue };
            let middle = first.pos.lerp(last.pos, 0.5);
            let own = match first.color {
                Color32::PLACEHOLDER => text.fallback_color,
                color => color,
            };
            let color = text.override_text_color.unwrap_or(own);
            let color = color.gamma_multiply(text.opacity_factor);
            let is_last = (index + 1) * 4 == letters.len();
            if is_last || all.last().is_none_or(|(_, known)| *known != color) {
                all.push((text.pos + placed.pos.to_vec2() + middle.to_vec2(), color));
            }
        }
    }
    all
}

/// Whether a text is a drawing from a font of icons.
fn is_icon(text: &str) -> bool {
    text.chars().all(|letter| ('\u{e000}'..='\u{f8ff}').contains(&letter))
}

/// The controls that cannot be used.
fn disabled(walk: &Walk) -> Vec<Rect> {
    let rect = |node: egui_kittest::Node<'_>| {
        let node = node.accesskit_node();
        Some(rect_of(node.bounding_box().filter(|_| node.is_disabled())?))
    };
    walk.query_all(By::new()).filter_map(rect).collect()
}

/// The texts of a view that are hard to read.
fn faults(walk: &Walk, theme: &Theme) -> Vec<String> {
    let disabled = disabled(walk);
    let mut fills: Vec<Fill> = Vec::new();
    let mut faults = Vec::new();
    let mut look = |shape: &Shape, clip: Rect| match shape {
        Shape::Rect(rect) if rect.blur_width == 0.0 && rect.brush.is_none() => {
            let rect_seen = rect.rect.intersect(clip);
            fills.push(Fill { rect: rect_seen, radius: None, color: rect.fill });
        }
        Shape::Circle(circle) => {
            let rect =
                Rect::from_center_size(circle.center, egui::Vec2::splat(2.0 * circle.radius));
            fills.push(Fill { rect, radius: Some(circle.radius), color: circle.fill });
        }
        Shape::Text(text) => {
            let words = text.galley.text();
            let size = text.galley.job.sections.iter().map(|it| it.format.font_id.size);
            let is_large = is_icon(words) || size.fold(0.0, f32::max) >= BIG;
            for (at, color) in
                letters(text).into_iter().filter(|(at, color)| clip.contains(*at) && color.a() > 0)
            {
                let under = fills.iter().filter(|fill| fill.covers(at));
                let ground = under.fold(theme.void, |ground, fill| over(ground, fill.color));
                let is_off = color == theme.disabled || disabled.iter().any(|it| it.contains(at));
                let least = if is_large || is_off { LARGE } else { TEXT };
                let (front, ratio) = (over(ground, color), contrast(over(ground, color), ground));
                if ratio < least {
                    faults.push(format!(
                        "{ratio:.2} of {least}: \"{words}\" {front:?} on {ground:?}"
                    ));
                }
            }
        }
        _ => {}
    };
    for ClippedShape { shape, clip_rect, .. } in &walk.output().shapes {
        each(shape, &mut |shape| look(shape, *clip_rect));
    }
    faults
}

/// Goes through what a shape is made of.
fn each(shape: &Shape, look: &mut impl FnMut(&Shape)) {
    match shape {
        Shape::Vec(shapes) => shapes.iter().for_each(|shape| each(shape, look)),
        shape => look(shape),
    }
}

#[test]
fn every_text_is_read_on_its_ground_in_both_themes() {
    let mut all = BTreeMap::new();
    for view in everywhere() {
        for theme in [&Theme::DARK, &Theme::LIGHT] {
            let faults = faults(&settled(view, theme), theme);
            all.extend(faults.into_iter().map(|fault| (fault, view.name)));
        }
    }
    assert!(all.is_empty(), "{all:#?}");
}
