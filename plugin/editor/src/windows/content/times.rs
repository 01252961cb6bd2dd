//! Marks of time below a picture of sound: at whole steps, as fine as its span is short.

use crate::kit::Cx;
use crate::theme::Type;
use deskhand_session::text;
use egui::{Color32, Rect, pos2};

/// Steps between marks, seconds.
const STEPS: [f64; 16] =
    [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 300.0];
/// Least room from one mark to the next, points.
const ROOM: f64 = 72.0;

/// The seconds to mark for a span drawn over this many points, with their labels.
fn marks((from, to): (f64, f64), width: f32) -> Vec<(f64, String)> {
    let span = to - from;
    if span.is_nan() || span <= 0.0 {
        return Vec::new();
    }
    let room = ROOM * span / f64::from(width.max(1.0));
    let known = STEPS.into_iter().find(|step| *step >= room);
    let step = known.unwrap_or_else(|| (room / 600.0).ceil() * 600.0);
    let first = (from / step - 1e-6).ceil();
    let count = (to / step + 1e-6).floor() - first;
    let places = (0..=count as i64).map(|index| (first + index as f64) * step);
    places.map(|second| (second, text::mark(second, step))).collect()
}

/// Writes the marks of a span of seconds in `row`, below the picture that is as wide.
pub(super) fn show(cx: &Cx<'_>, row: Rect, span: (f64, f64)) {
    for (second, words) in marks(span, row.width()) {
        let share = (second - span.0) / (span.1 - span.0);
        let x = row.left() + row.width() * share as f32;
        cx.vline(x.min(row.right() - 1.0), row.top(), row.top() + 3.0, cx.t.text_3);
        // The label comes after its mark; the last has no room there.
        if x + cx.width(&words, Type::TICK) + 3.0 <= row.right() {
            cx.left(pos2(x + 3.0, row.center().y + 2.0), &words, Type::TICK, cx.t.text_3);
        }
    }
}

/// Draws the playhead over the picture of a span of seconds, if it is inside the span.
pub(super) fn playhead(
    cx: &Cx<'_>,
    picture: Rect,
    span: (f64, f64),
    at: Option<f64>,
    color: Color32,
) {
    let Some(at) = at.filter(|at| (span.0..span.1).contains(at)) else { return };
    let share = (at - span.0) / (span.1 - span.0);
    let x = picture.left() + picture.width() * share as f32;
    cx.clip(picture).vline(x, picture.top(), picture.bottom(), color);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(span: (f64, f64), width: f32) -> Vec<String> {
        marks(span, width).into_iter().map(|(_, words)| words).collect()
    }

    #[test]
    fn marks_stand_at_whole_steps_with_milliseconds_where_the_span_is_short() {
        assert_eq!(told((0.0, 6.7), 400.0), ["0:00", "0:02", "0:04", "0:06"]);
        let short = ["0:00.100", "0:00.150", "0:00.200", "0:00.250", "0:00.300"];
        assert_eq!(told((0.1, 0.3), 400.0), short);
        assert_eq!(told((61.0, 63.0), 400.0), ["1:01.0", "1:01.5", "1:02.0", "1:02.5", "1:03.0"]);
        assert_eq!(told((0.0, 7200.0), 400.0), ["0:00", "30:00", "60:00", "90:00", "120:00"]);
        assert_eq!(told((3.0, 3.0), 400.0), Vec::<String>::new());
    }
}
