//! Fader and pan control.

use crate::kit::controls::plan_tag;
use crate::kit::cx::alpha;
use crate::kit::scale::{fader_db, fader_pos, num, signed};
use crate::kit::{Cut, Cx};
use crate::theme::Type;
use egui::{Color32, Pos2, Rect, pos2, vec2};

/// A planned move of the same fader.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Planned {
    pub(crate) db: f32,
    pub(crate) tag: usize,
    pub(crate) on: bool,
}

/// Ends of the travel, dB.
pub(crate) const LOWEST: f32 = -64.0;
pub(crate) const HIGHEST: f32 = 6.0;

pub(crate) const TICKS: [f32; 7] = [6.0, 0.0, -6.0, -12.0, -24.0, -36.0, -60.0];

/// The level at a height of the slot.
pub(crate) fn db_at(rect: Rect, y: f32) -> f32 {
    let travel = rect.shrink2(vec2(0.0, 6.0));
    fader_db((travel.bottom() - y) / travel.height())
}

pub(crate) fn y_at(rect: Rect, db: f32) -> f32 {
    let travel = rect.shrink2(vec2(0.0, 6.0));
    (travel.bottom() - travel.height() * fader_pos(db)).round()
}

/// The slot spans `rect` vertically; the cap is 24 x 12.
pub(crate) fn fader(cx: &Cx<'_>, rect: Rect, db: f32, planned: Option<Planned>) {
    let x = rect.center().x.round();
    let slot =
        Rect::from_min_max(pos2(x - 1.0, rect.top() + 6.0), pos2(x + 1.0, rect.bottom() - 6.0));
    cx.fill(slot, 1.0, if cx.t.dark { Color32::BLACK } else { cx.t.line_strong });
    cap(cx, pos2(x, y_at(rect, db)));
    if let Some(plan) = planned {
        ghost_cap(cx, rect, x, db, plan);
    }
}

fn cap(cx: &Cx<'_>, center: Pos2) {
    let body = Rect::from_center_size(center, vec2(24.0, 12.0));
    let fill = if cx.t.dark { cx.t.text_2 } else { cx.t.raised };
    cx.fill(body, 2.0, fill);
    if !cx.t.dark {
        cx.border(body, 2.0, cx.t.outline);
    }
    let line = if cx.t.dark { cx.t.void } else { cx.t.text };
    cx.hline(body.left() + 3.0, body.right() - 3.0, center.y - 0.5, line);
}

/// A line at the target, a bracket from here to there, and the change number.
/// Reads at any distance, even when the caps would overlap.
fn ghost_cap(cx: &Cx<'_>, rect: Rect, x: f32, now: f32, plan: Planned) {
    let (y0, y1) = (y_at(rect, now), y_at(rect, plan.db));
    let color = if plan.on { cx.t.accent } else { cx.t.outline };
    let right = x + 16.0;
    let target = Rect::from_min_max(pos2(x - 16.0, y1 - 1.0), pos2(right, y1 + 1.0));
    cx.fill(target, 0.0, color);
    cx.vline(right - 1.0, y0.min(y1), y0.max(y1), color);
    cx.hline(right - 4.0, right, y0, color);
    plan_tag(cx, pos2(right + 12.0, y1), plan.tag, plan.on);
}

/// The labels next to a fader that do not overlap.
pub(crate) fn ticks(cx: &Cx<'_>, labels: Rect, rect: Rect) {
    for (db, y) in labeled(rect) {
        let s = if db > 0.0 { signed(db, 0) } else { num(db, 0) };
        cx.right(pos2(labels.right(), y), &s, Type::TICK, cx.t.text_3);
    }
}

/// The levels whose labels are at least a line apart, from the top down, with their positions.
fn labeled(rect: Rect) -> impl Iterator<Item = (f32, f32)> {
    let mut last = f32::NEG_INFINITY;
    TICKS.into_iter().map(move |db| (db, y_at(rect, db))).filter(move |(_, y)| {
        let has_room = y - last >= Type::TICK.line;
        if has_room {
            last = *y;
        }
        has_room
    })
}

/// Short tick marks across the fader slot.
pub(crate) fn tick_marks(cx: &Cx<'_>, rect: Rect) {
    let x = rect.center().x.round();
    for db in TICKS {
        let y = y_at(rect, db);
        let half = if db == 0.0 { 10.0 } else { 6.0 };
        let color = if db == 0.0 { cx.t.outline } else { cx.t.line_strong };
        cx.hline(x - half, x - 3.0, y, color);
        cx.hline(x + 3.0, x + half, y, color);
    }
}

/// Pan as a bar from the centre; value −100 (L) to +100 (R).
pub(crate) fn pan(cx: &Cx<'_>, rect: Rect, value: f32) {
    let mut rest = rect;
    let text = rest.cut_right(32.0);
    let bar = Rect::from_center_size(rest.center(), vec2(rest.width(), 4.0));
    cx.fill(bar, 2.0, cx.t.control);
    let mid = bar.center().x;
    let x = mid + value / 100.0 * bar.width() / 2.0;
    let span = Rect::from_min_max(pos2(mid.min(x), bar.top()), pos2(mid.max(x), bar.bottom()));
    cx.fill(span, 0.0, alpha(cx.t.text_2, 0.8));
    cx.fill(Rect::from_center_size(pos2(x, bar.center().y), vec2(3.0, 10.0)), 1.0, cx.t.text);
    cx.right(text.right_mid(0.0), &side(value), Type::TICK, cx.t.text_3);
}

/// What a pan of −100 (L) to +100 (R) is called.
pub(crate) fn side(pan: f32) -> String {
    match pan {
        v if v.abs() < 0.5 => "C".to_owned(),
        v if v < 0.0 => format!("{:.0} L", -v),
        v => format!("{v:.0} R"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_a_low_fader_do_not_lie_on_each_other() {
        for height in [40.0, 80.0, 400.0] {
            let rect = Rect::from_min_size(Pos2::ZERO, vec2(32.0, height));
            let all: Vec<f32> = labeled(rect).map(|(_, y)| y).collect();
            assert!(all.windows(2).all(|two| two[1] - two[0] >= Type::TICK.line), "{all:?}");
            assert_eq!(all.len() == TICKS.len(), height == 400.0, "{height}: {all:?}");
        }
    }
}
