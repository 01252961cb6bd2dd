//! Now and then on one horizontal scale: how a card shows a prediction.

use crate::kit::Cx;
use crate::kit::scale::{linear_pos, num};
use crate::theme::Type;
use egui::{Color32, Rect, pos2, vec2};

/// Numbers that are written below a scale.
const MOST_TICKS: f32 = 6.0;

/// A prediction on its scale.
pub(crate) struct Rail {
    pub(crate) ends: (f32, f32),
    pub(crate) before: f32,
    pub(crate) after: f32,
    /// Half the width of what the plan allows itself.
    pub(crate) tolerance: f32,
}

impl Rail {
    /// A rail around both values.
    pub(crate) fn around(before: f32, after: f32, tolerance: f32) -> Self {
        let (low, high) = (before.min(after) - tolerance, before.max(after) + tolerance);
        let room = ((high - low) * 0.35).max(2.0);
        Self { ends: (low - room, high + room), before, after, tolerance }
    }

    /// Draws it in the top 8 points of `rect`, with the prediction in `color`.
    pub(crate) fn show(&self, cx: &Cx<'_>, rect: Rect, color: Color32) {
        let (low, high) = self.ends;
        let x = |value: f32| (rect.left() + rect.width() * linear_pos(value, low, high)).round();
        let bar = Rect::from_min_size(rect.min, vec2(rect.width(), 8.0));
        cx.fill(bar, 2.0, cx.t.well);
        let (from, to) = (x(self.after - self.tolerance), x(self.after + self.tolerance));
        let spread = Rect::from_min_max(pos2(from, bar.top()), pos2(to, bar.bottom()));
        cx.fill(spread, 2.0, color.gamma_multiply(0.28));
        let middle = bar.center().y;
        cx.seg(pos2(x(self.before), middle), pos2(x(self.after), middle), color);
        let now = Rect::from_center_size(pos2(x(self.before), middle), vec2(2.0, 12.0));
        cx.fill(now, 0.0, cx.t.text);
        let then = Rect::from_center_size(pos2(x(self.after), middle), vec2(3.0, 14.0));
        cx.fill(then, 1.0, color);
    }

    /// Writes round numbers of the scale below it.
    pub(crate) fn ticks(&self, cx: &Cx<'_>, rect: Rect) {
        let (low, high) = self.ends;
        let steps = [0.5, 1.0, 2.0, 5.0, 10.0, 20.0];
        let step = steps.into_iter().find(|step| (high - low) / step <= MOST_TICKS).unwrap_or(50.0);
        let mut at = (low / step).ceil() * step;
        while at <= high {
            let x = (rect.left() + rect.width() * linear_pos(at, low, high)).round();
            cx.vline(x, rect.top() + 9.0, rect.top() + 12.0, cx.t.line_strong);
            let words = num(at, usize::from(step < 1.0));
            cx.center(pos2(x, rect.top() + 20.0), &words, Type::TICK, cx.t.text_3);
            at += step;
        }
    }
}
