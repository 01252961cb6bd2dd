//! Rectangle cutting: every view takes a `Rect` and slices it. Exact, allocation
//! free, and immune to egui's first-frame size negotiation.

use egui::{Pos2, Rect, Vec2, pos2};

pub(crate) trait Cut {
    fn cut_top(&mut self, h: f32) -> Rect;
    fn cut_bottom(&mut self, h: f32) -> Rect;
    fn cut_left(&mut self, w: f32) -> Rect;
    fn cut_right(&mut self, w: f32) -> Rect;
    fn pad(self, x: f32, y: f32) -> Rect;
    /// A box of `size` whose left edge is at `x`, centred vertically.
    fn row_box(self, x: f32, size: Vec2) -> Rect;
    fn left_mid(self, dx: f32) -> Pos2;
    fn right_mid(self, dx: f32) -> Pos2;
}

impl Cut for Rect {
    fn cut_top(&mut self, h: f32) -> Rect {
        let r = Self::from_min_max(self.min, pos2(self.max.x, self.min.y + h));
        self.min.y += h;
        r
    }
    fn cut_bottom(&mut self, h: f32) -> Rect {
        let r = Self::from_min_max(pos2(self.min.x, self.max.y - h), self.max);
        self.max.y -= h;
        r
    }
    fn cut_left(&mut self, w: f32) -> Rect {
        let r = Self::from_min_max(self.min, pos2(self.min.x + w, self.max.y));
        self.min.x += w;
        r
    }
    fn cut_right(&mut self, w: f32) -> Rect {
        let r = Self::from_min_max(pos2(self.max.x - w, self.min.y), self.max);
        self.max.x -= w;
        r
    }
    fn pad(self, x: f32, y: f32) -> Rect {
        self.shrink2(Vec2::new(x, y))
    }
    fn row_box(self, x: f32, size: Vec2) -> Rect {
        let y = (self.center().y - size.y / 2.0).round();
        Self::from_min_size(pos2(x, y), size)
    }
    fn left_mid(self, dx: f32) -> Pos2 {
        pos2(self.left() + dx, self.center().y)
    }
    fn right_mid(self, dx: f32) -> Pos2 {
        pos2(self.right() - dx, self.center().y)
    }
}
