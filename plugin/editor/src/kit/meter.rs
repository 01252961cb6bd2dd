//! Meters: peak and RMS in dBFS, loudness bars, and their scales.

use crate::kit::Cx;
use crate::kit::scale::{linear_pos, meter_pos, num};
use crate::meters::{FLOOR, Level};
use crate::theme::{Theme, Type};
use deskhand_session::TrackId;
use egui::{Color32, Rect, pos2, vec2};

pub(crate) const DBFS_TICKS: [f32; 9] = [0.0, -3.0, -6.0, -12.0, -18.0, -24.0, -36.0, -48.0, -60.0];
pub(crate) const STRIP_TICKS: [f32; 5] = [0.0, -6.0, -18.0, -30.0, -60.0];
/// Ends of the loudness scale, LUFS.
pub(crate) const LUFS: (f32, f32) = (-36.0, -6.0);
const LUFS_TICKS: [f32; 7] = [-6.0, -9.0, -14.0, -18.0, -23.0, -30.0, -36.0];

fn y_at(rect: Rect, pos: f32) -> f32 {
    (rect.bottom() - rect.height() * pos).round()
}

/// The height of a loudness in a bar.
pub(crate) fn lufs_y(rect: Rect, lufs: f32) -> f32 {
    y_at(rect, linear_pos(lufs, LUFS.0, LUFS.1))
}

fn color_at(theme: &Theme, db: f32) -> Color32 {
    match db {
        over if over >= crate::meters::OVER => theme.meter_over,
        hot if hot > -6.0 => theme.meter_hot,
        _ => theme.meter,
    }
}

/// A vertical channel meter: peak as a soft bar, RMS as a solid bar inside it, hold as a line, and a mark
/// at the top that stays after an overload.
pub(crate) fn channel(cx: &Cx<'_>, rect: Rect, level: Level) {
    cx.fill(rect, 0.0, cx.t.well);
    zone_bar(cx, rect, level.peak, 0.42);
    zone_bar(cx, rect, level.rms, 1.0);
    if level.hold > -70.0 {
        let y = y_at(rect, meter_pos(level.hold));
        let line = Rect::from_min_size(pos2(rect.left(), y), vec2(rect.width(), 1.0));
        cx.fill(line, 0.0, color_at(cx.t, level.hold));
    }
    if level.is_over() {
        let mark = Rect::from_min_size(rect.min, vec2(rect.width(), 3.0));
        cx.fill(mark, 0.0, cx.t.meter_over);
    }
}

fn zone_bar(cx: &Cx<'_>, rect: Rect, db: f32, opacity: f32) {
    let zones = [(FLOOR, -6.0, cx.t.meter), (-6.0, 0.0, cx.t.meter_hot)];
    for (low, high, color) in zones {
        if db > low {
            let top = y_at(rect, meter_pos(db.min(high)));
            let bottom = y_at(rect, meter_pos(low));
            let bar = Rect::from_min_max(pos2(rect.left(), top), pos2(rect.right(), bottom));
            cx.fill(bar, 0.0, color.gamma_multiply(opacity));
        }
    }
}

/// Two channels side by side with a 1-point gap.
pub(crate) fn stereo(cx: &Cx<'_>, rect: Rect, levels: [Level; 2]) {
    let width = ((rect.width() - 1.0) / 2.0).floor();
    for (index, level) in levels.into_iter().enumerate() {
        let left = rect.left() + (width + 1.0) * index as f32;
        let side = Rect::from_min_size(pos2(left, rect.top()), vec2(width, rect.height()));
        channel(cx, side, level);
    }
}

/// Labels of a dBFS meter, right-aligned into `rect`.
pub(crate) fn dbfs_ticks(cx: &Cx<'_>, rect: Rect, meter: Rect, ticks: &[f32]) {
    scale_labels(cx, rect, ticks.iter().map(|db| (*db, y_at(meter, meter_pos(*db)))));
}

/// Labels of a loudness bar.
pub(crate) fn lufs_ticks(cx: &Cx<'_>, rect: Rect, meter: Rect) {
    scale_labels(cx, rect, LUFS_TICKS.into_iter().map(|lufs| (lufs, lufs_y(meter, lufs))));
}

/// Marks for every tick; labels only where they have 12 points to themselves.
fn scale_labels(cx: &Cx<'_>, rect: Rect, ticks: impl Iterator<Item = (f32, f32)>) {
    let mut last = f32::NEG_INFINITY;
    for (value, y) in ticks {
        cx.hline(rect.right() - 4.0, rect.right(), y, cx.t.line_strong);
        if y - last >= 12.0 {
            cx.right(pos2(rect.right() - 6.0, y), &num(value, 0), Type::TICK, cx.t.text_3);
            last = y;
        }
    }
}

/// A loudness bar on a linear scale, with lines at the limits of the target.
pub(crate) fn loudness(cx: &Cx<'_>, rect: Rect, lufs: f32, target: Option<f32>) {
    cx.fill(rect, 0.0, cx.t.well);
    if lufs > LUFS.0 {
        let bar = Rect::from_min_max(pos2(rect.left(), lufs_y(rect, lufs)), rect.max);
        cx.fill(bar, 0.0, cx.t.meter);
    }
    for limit in target.into_iter().flat_map(|target| [target - 1.0, target + 1.0]) {
        cx.hline(rect.left(), rect.right(), lufs_y(rect, limit), cx.t.text_3);
    }
}

/// A click on a meter that was over clears its latch. Until then the highest peak is shown above it. `of`
/// is the track of the meter; `None` is the mix.
pub(crate) fn over(
    cx: &Cx<'_>,
    rect: Rect,
    levels: [Level; 2],
    of: Option<TrackId>,
    name: &str,
) -> bool {
    let is_over = levels.iter().any(Level::is_over);
    // The keyboard stops here only where there is something to clear.
    let sense = if is_over { egui::Sense::click() } else { egui::Sense::hover() };
    let response = cx.interact(rect.expand(4.0), ("over", of), sense);
    let role = if is_over { egui::Role::Button } else { egui::Role::Label };
    response.widget_info(|| egui::WidgetInfo::labeled(role, true, name));
    if !is_over {
        return false;
    }
    cx.ring(&response, rect, 3.0);
    let highest = levels[0].highest.max(levels[1].highest);
    let words = crate::kit::scale::signed(highest, 1);
    cx.center(pos2(rect.center().x, rect.top() - 8.0), &words, Type::TICK, cx.t.meter_over);
    response.on_hover_text("Clear the over mark").clicked()
}
