//! Draws the findings of running calls: a line at each point, a soft range at each stretch.

use super::Axis;
use super::rows::Rows;
use crate::kit::Cx;
use crate::kit::cx::alpha;
use crate::scene::Scene;
use crate::theme::Type;
use crate::timeline::clip_rect::clip_rect;
use deskhand_dsp::Frames;
use deskhand_session::Provisional;
use egui::{Rect, pos2};

/// Draws them on the lanes of their clips, and as ticks in the ruler.
pub(super) fn paint(
    cx: &Cx<'_>,
    scene: Scene<'_>,
    axis: &Axis,
    rows: &Rows<'_>,
    lanes: Rect,
    ruler: Rect,
) {
    let cx = &cx.clip(lanes.union(ruler));
    let (from, to) = axis.shown();
    for found in scene.found.iter() {
        let end = found.position + found.length;
        let lane = scene.session.track_of(found.target).and_then(|track| rows.lane_of(track));
        if let Some(lane) = lane.filter(|_| end >= from && found.position <= to) {
            one(&cx.clip(lanes.union(ruler)), found, axis, lane.intersect(lanes), ruler);
        }
    }
}

fn one(cx: &Cx<'_>, found: &Provisional, axis: &Axis, lane: Rect, ruler: Rect) {
    let x = axis.frame_x(found.position);
    let color = alpha(cx.t.accent, 0.8);
    let mut room = f32::INFINITY;
    if found.length > Frames::ZERO {
        let rect = clip_rect(lane, found.position, found.position + found.length, axis);
        cx.fill(rect, 2.0, alpha(cx.t.accent_soft, 0.35));
        room = rect.width() - 8.0;
    }
    cx.dashes(&[pos2(x, lane.top()), pos2(x, lane.bottom())], 1.0, color);
    cx.vline(x, ruler.bottom() - 4.0, ruler.bottom(), color);
    // A text ends with its stretch, as its clip does.
    if !found.label.is_empty() && room > 8.0 {
        let at = pos2(x + 4.0, lane.top() + 22.0);
        cx.clip(lane).elided(at, &found.label, Type::TICK, cx.t.text_2, room);
    }
}

#[cfg(test)]
mod tests {
    use crate::desk_tests::desk;
    use crate::testing::prelude::*;
    use deskhand_session::Provisional;
    use egui::Shape;

    #[test]
    fn what_is_said_in_a_stretch_ends_with_it() {
        let said = "we left the lamps on in the harbour, so the boats could find their way";
        let found = Provisional {
            target: ClipId::new(1).into(),
            position: Frames::ZERO,
            length: Frames(48_000),
            label: said.into(),
        };
        let mut model = open_model();
        let found = News::Provisional { found: vec![found] };
        drop(model.hear(&event(2, Some(CallId(7)), found)));
        let desk = desk(model);
        let shapes = desk.output().shapes.iter();
        let drawn = shapes.filter_map(|it| match &it.shape {
            Shape::Text(text) if text.galley.text() == said => Some(text.galley.elided),
            _ => None,
        });
        assert_eq!(drawn.collect::<Vec<_>>(), [true]);
    }
}
