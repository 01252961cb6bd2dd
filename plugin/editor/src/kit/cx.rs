//! `Cx`: a painter plus the theme, with the handful of primitives the views use.

use crate::fonts::icon_family;
use crate::theme::{Theme, Type};
use egui::epaint::text::{LayoutJob, TextFormat};
use egui::{
    Align2, Color32, CornerRadius, FontId, Galley, Painter, Pos2, Rect, Response, Role, Sense,
    Shape, Stroke, StrokeKind, Ui, WidgetInfo, pos2,
};
use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

pub(crate) struct Cx<'a> {
    pub(crate) ui: &'a Ui,
    pub(crate) p: Painter,
    pub(crate) t: &'static Theme,
    /// Whether something that was drawn with this has the keyboard.
    pub(crate) focused: Rc<Cell<bool>>,
}

/// A dash and the gap after it, points.
const DASH: f32 = 7.0;

impl<'a> Cx<'a> {
    pub(crate) fn new(ui: &'a Ui) -> Self {
        let t = Theme::of(ui.visuals());
        Self { ui, p: ui.painter().clone(), t, focused: Rc::default() }
    }

    pub(crate) fn clip(&self, rect: Rect) -> Self {
        let clip = rect.intersect(self.p.clip_rect());
        Self {
            ui: self.ui,
            p: self.p.with_clip_rect(clip),
            t: self.t,
            focused: Rc::clone(&self.focused),
        }
    }

    pub(crate) fn interact(&self, rect: Rect, id: impl egui::AsIdSalt, sense: Sense) -> Response {
        let response = self.ui.interact(rect, self.ui.scope_id().with(id), sense);
        if response.has_focus() {
            self.focused.set(true);
        }
        response
    }

    /// Lets a screen reader say `words` for what is drawn in `rect`.
    pub(crate) fn label(
        &self,
        rect: Rect,
        id: impl egui::AsIdSalt,
        words: impl ToString,
    ) -> Response {
        let node = self.interact(rect, id, Sense::hover());
        node.widget_info(|| WidgetInfo::labeled(Role::Label, true, words.to_string()));
        node
    }

    /// A control that a click uses, called `name` for a screen reader.
    pub(crate) fn button(&self, rect: Rect, id: impl egui::AsIdSalt, name: &str) -> Response {
        let response = self.interact(rect, id, Sense::click());
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, name));
        response
    }

    /// The same for something that is on or off.
    pub(crate) fn toggle(
        &self,
        rect: Rect,
        id: impl egui::AsIdSalt,
        is_on: bool,
        name: &str,
    ) -> Response {
        let response = self.interact(rect, id, Sense::click());
        response.widget_info(|| WidgetInfo::selected(Role::Button, true, is_on, name));
        response
    }

    // ---- text -----------------------------------------------------------

    fn galley(&self, s: &str, ty: Type, color: Color32, max_w: f32, rows: usize) -> Arc<Galley> {
        let mut job = LayoutJob::single_section(s.to_owned(), format(ty, color));
        job.wrap.max_width = max_w;
        job.wrap.max_rows = rows;
        job.wrap.break_anywhere = rows == 1;
        self.p.layout_job(job)
    }

    pub(crate) fn text(&self, at: Pos2, anchor: Align2, s: &str, ty: Type, color: Color32) -> Rect {
        self.put(at, anchor, self.galley(s, ty, color, f32::INFINITY, 1), color)
    }

    /// Left-aligned, vertically centred on `at`.
    pub(crate) fn left(&self, at: Pos2, s: &str, ty: Type, color: Color32) -> Rect {
        self.text(at, Align2::LEFT_CENTER, s, ty, color)
    }

    pub(crate) fn right(&self, at: Pos2, s: &str, ty: Type, color: Color32) -> Rect {
        self.text(at, Align2::RIGHT_CENTER, s, ty, color)
    }

    pub(crate) fn center(&self, at: Pos2, s: &str, ty: Type, color: Color32) -> Rect {
        self.text(at, Align2::CENTER_CENTER, s, ty, color)
    }

    /// One line, cut with an ellipsis when wider than `max_w`.
    pub(crate) fn elided(&self, at: Pos2, s: &str, ty: Type, color: Color32, max_w: f32) -> Rect {
        self.put(at, Align2::LEFT_CENTER, self.galley(s, ty, color, max_w, 1), color)
    }

    /// Wrapped paragraph from the top left; returns its rect.
    pub(crate) fn para(&self, at: Pos2, s: &str, ty: Type, color: Color32, max_w: f32) -> Rect {
        self.put(at, Align2::LEFT_TOP, self.galley(s, ty, color, max_w, usize::MAX), color)
    }

    pub(crate) fn para_height(&self, s: &str, ty: Type, max_w: f32) -> f32 {
        self.galley(s, ty, Color32::WHITE, max_w, usize::MAX).size().y
    }

    /// A paragraph of at most this many lines. If more would follow, the last ends with an ellipsis.
    pub(crate) fn lines(
        &self,
        at: Pos2,
        s: &str,
        ty: Type,
        color: Color32,
        (max_w, rows): (f32, usize),
    ) {
        self.put(at, Align2::LEFT_TOP, self.galley(s, ty, color, max_w, rows), color);
    }

    pub(crate) fn lines_height(&self, s: &str, ty: Type, (max_w, rows): (f32, usize)) -> f32 {
        self.galley(s, ty, Color32::WHITE, max_w, rows).size().y
    }

    pub(crate) fn width(&self, s: &str, ty: Type) -> f32 {
        self.galley(s, ty, Color32::WHITE, f32::INFINITY, 1).size().x
    }

    fn put(&self, at: Pos2, anchor: Align2, galley: Arc<Galley>, color: Color32) -> Rect {
        let rect = anchor.anchor_size(at, galley.size());
        let ppp = self.p.pixels_per_point();
        let min = pos2((rect.min.x * ppp).round() / ppp, (rect.min.y * ppp).round() / ppp);
        self.p.galley(min, galley, color);
        Rect::from_min_size(min, rect.size())
    }

    pub(crate) fn icon(&self, center: Pos2, icon: char, size: f32, color: Color32) {
        self.glyph(center, icon, size, color, false);
    }

    pub(crate) fn icon_fill(&self, center: Pos2, icon: char, size: f32, color: Color32) {
        self.glyph(center, icon, size, color, true);
    }

    fn glyph(&self, center: Pos2, icon: char, size: f32, color: Color32, filled: bool) {
        let font = FontId::new(size, icon_family(filled));
        let galley = self.p.layout_no_wrap(icon.to_string(), font, color);
        // Centre on the ink, not on the line box: icon fonts have odd metrics.
        let ink = galley.mesh_bounds;
        let min = center - ink.center().to_vec2();
        self.p.galley(min, galley, color);
    }

    // ---- shapes ---------------------------------------------------------

    pub(crate) fn fill(&self, rect: Rect, radius: f32, color: Color32) {
        self.p.rect_filled(rect, CornerRadius::same(radius as u8), color);
    }

    pub(crate) fn border(&self, rect: Rect, radius: f32, color: Color32) {
        self.stroke(rect, radius, 1.0, color);
    }

    pub(crate) fn stroke(&self, rect: Rect, radius: f32, width: f32, color: Color32) {
        let r = CornerRadius::same(radius as u8);
        self.p.rect_stroke(rect, r, Stroke::new(width, color), StrokeKind::Inside);
    }

    /// A crisp one-point line: painted as a rect, so never blurred by anti-aliasing.
    pub(crate) fn hline(&self, x0: f32, x1: f32, y: f32, color: Color32) {
        self.fill(Rect::from_min_max(pos2(x0, y), pos2(x1, y + 1.0)), 0.0, color);
    }

    pub(crate) fn vline(&self, x: f32, y0: f32, y1: f32, color: Color32) {
        self.fill(Rect::from_min_max(pos2(x, y0), pos2(x + 1.0, y1)), 0.0, color);
    }

    pub(crate) fn seg(&self, a: Pos2, b: Pos2, color: Color32) {
        self.p.line_segment([a, b], Stroke::new(1.0, color));
    }

    pub(crate) fn path(&self, points: Vec<Pos2>, width: f32, color: Color32) {
        self.p.add(Shape::line(points, Stroke::new(width, color)));
    }

    pub(crate) fn dashes(&self, points: &[Pos2], width: f32, color: Color32) {
        self.p.extend(Shape::dashed_line(points, Stroke::new(width, color), 4.0, DASH - 4.0));
    }

    pub(crate) fn dashed_border(&self, rect: Rect, color: Color32) {
        // Of a clip that reaches far out of view there would be millions: whole dashes of them are left out.
        let view = self.p.clip_rect();
        if !view.intersects(rect) {
            return;
        }
        let out = |over: f32| ((over - DASH) / DASH).floor().max(0.0) * DASH;
        let mut r = rect.shrink(0.5);
        r.min.x += out(view.left() - r.left());
        r.max.x -= out(r.right() - view.right());
        let pts = [r.left_top(), r.right_top(), r.right_bottom(), r.left_bottom(), r.left_top()];
        self.dashes(&pts, 1.0, color);
    }

    /// 45 degree hatching: "planned" or "to be removed", never a solid fill.
    pub(crate) fn hatch(&self, rect: Rect, gap: f32, color: Color32) {
        let inner = self.clip(rect);
        let mut x = (rect.left() / gap).floor() * gap - rect.height();
        while x < rect.right() {
            inner.seg(pos2(x, rect.bottom()), pos2(x + rect.height(), rect.top()), color);
            x += gap;
        }
    }

    /// Focus ring: 2 points, 2 points outside the control, square to its radius.
    pub(crate) fn focus_ring(&self, rect: Rect, radius: f32) {
        let r = CornerRadius::same((radius + 3.0) as u8);
        let ring = rect.expand(3.0);
        self.p.rect_stroke(ring, r, Stroke::new(2.0, self.t.focus), StrokeKind::Inside);
    }

    /// The focus ring while `response` has the keyboard.
    pub(crate) fn ring(&self, response: &Response, rect: Rect, radius: f32) {
        if response.has_focus() {
            self.focus_ring(rect, radius);
        }
    }

    /// A triangle that points down, its tip `height` under `top`.
    pub(crate) fn triangle(&self, top: Pos2, half: f32, height: f32, color: Color32) {
        let points =
            vec![pos2(top.x - half, top.y), pos2(top.x + half, top.y), pos2(top.x, top.y + height)];
        self.p.add(Shape::convex_polygon(points, color, Stroke::NONE));
    }

    /// Pieces of different styles on one line; returns their rect.
    pub(crate) fn runs(&self, at: Pos2, anchor: Align2, runs: &[(&str, Type, Color32)]) -> Rect {
        let mut job = LayoutJob::default();
        for (text, ty, color) in runs {
            job.append(text, 0.0, format(*ty, *color));
        }
        job.wrap.max_width = f32::INFINITY;
        self.put(at, anchor, self.p.layout_job(job), Color32::WHITE)
    }

    pub(crate) fn shadow(&self, rect: Rect, radius: f32) {
        let r = CornerRadius::same(radius as u8);
        self.p.add(crate::theme::shadow(self.t).as_shape(rect, r));
    }
}

fn format(ty: Type, color: Color32) -> TextFormat {
    TextFormat {
        font_id: ty.font(),
        line_height: Some(ty.line),
        color,
        valign: egui::Align::Center,
        ..Default::default()
    }
}

/// `color` at `alpha` (0 to 1).
pub(crate) fn alpha(color: Color32, alpha: f32) -> Color32 {
    color.gamma_multiply(alpha)
}

/// Straight mix of two opaque colours.
pub(crate) fn mix(a: Color32, b: Color32, t: f32) -> Color32 {
    let f = |x: u8, y: u8| (x as f32 + (y as f32 - x as f32) * t).round() as u8;
    Color32::from_rgb(f(a.r(), b.r()), f(a.g(), b.g()), f(a.b(), b.b()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Model;
    use crate::ui_tests::harness;

    #[test]
    fn a_paragraph_has_all_its_lines() {
        let harness = harness(Model::new());
        let ui = Ui::new(harness.ctx.clone(), egui::Id::unique("text"), egui::UiBuilder::new());
        let text = (1..=300).map(|line| format!("line {line}")).collect::<Vec<_>>().join("\n");
        let height = Cx::new(&ui).para_height(&text, Type::BODY, 400.0);
        assert!(height >= 300.0 * Type::BODY.line, "{height}");
    }
}
