//! The current recording, while it has no clip yet.

use super::Axis;
use super::clips::Brush;
use crate::kit::cx::alpha;
use crate::kit::{Cut, Cx};
use crate::live::Live;
use crate::scene::Scene;
use crate::theme::Type;
use crate::timeline::clip_rect::{TITLE, clip_rect};
use crate::timeline::view::{Take, TimelineView};
use deskhand_dsp::Frames;
use deskhand_session::text::clock_of;
use egui::{Rect, pos2};
use std::collections::BTreeMap;

/// Seconds that are in view at least.
const LEAST: i64 = 10;

impl Take {
    fn hear(&mut self, live: &Live) {
        for (track, [left, right]) in &live.incoming {
            let heard = self.heard.entry(*track).or_default();
            // A loop went back.
            while heard.last().is_some_and(|(at, _)| *at > live.position) {
                heard.pop();
            }
            let peak = left.max(*right);
            if let Some((_, most)) = heard.last_mut().filter(|(at, _)| *at == live.position) {
                *most = most.max(peak);
            } else {
                heard.push((live.position, peak));
            }
        }
    }
}

impl TimelineView {
    /// Notes where a take begins and what comes in. The take starts with the recording, and again if the
    /// playhead goes back.
    pub(super) fn note_take(&mut self, live: &Live) {
        let begun = self.take.take().filter(|take| live.records && take.from <= live.position);
        let new = || Take { from: live.position, heard: BTreeMap::new() };
        self.take = live.records.then(|| begun.unwrap_or_else(new));
        if let Some(take) = &mut self.take {
            take.hear(live);
        }
    }
}

/// The end of the timeline for the recording, in steps, so that the scale does not change every frame.
pub(super) fn end(scene: Scene<'_>) -> Frames {
    if !scene.live.records {
        return Frames::ZERO;
    }
    let mut end = LEAST * i64::from(scene.session.rate.0);
    while end <= scene.live.position.0 {
        end *= 2;
    }
    Frames(end)
}

/// Draws the take on each armed track, from where it began to the playhead.
pub(super) fn paint(brush: &Brush<'_>, view: &TimelineView, lanes: Rect) {
    let Some(Take { from, heard }) = &view.take else { return };
    let (scene, to) = (brush.scene, brush.scene.live.position);
    for row in brush.rows.rows.iter().filter(|row| scene.live.armed.contains(&row.id)) {
        let cx = brush.cx.clip(row.lane.intersect(lanes));
        let rect = clip_rect(row.lane, *from, to, brush.axis);
        cx.fill(rect, 2.0, alpha(cx.t.danger, 0.25));
        cx.border(rect, 2.0, cx.t.danger);
        if let Some(heard) = heard.get(&row.id) {
            wave(&cx, brush.axis, rect, heard);
        }
        let shown = rect.intersect(cx.p.clip_rect());
        let length = (to - *from).seconds(scene.session.rate).0;
        let mut title = shown;
        let title = title.cut_top(TITLE);
        cx.clip(shown).left(title.left_mid(5.0), &clock_of(length), Type::TICK, cx.t.danger);
        let name = format!("Recording on {}", row.track.name);
        cx.label(shown, ("take", row.id), &name);
    }
}

/// Draws the input, as high in the take as in the later clip.
fn wave(cx: &Cx<'_>, axis: &Axis, take: Rect, heard: &[(Frames, f32)]) {
    let mut body = take;
    body.cut_top(TITLE);
    let body = body.pad(0.0, 2.0);
    // A take of an hour has many values, and few are visible: only those are visited.
    let (from, to) = axis.shown();
    let begin = heard.partition_point(|(at, _)| *at < from);
    let end = heard.partition_point(|(at, _)| *at < to);
    let before = begin.checked_sub(1).and_then(|place| heard.get(place));
    let mut left = before.map_or(take.left(), |(at, _)| axis.frame_x(*at));
    let mut most = 0f32;
    for (at, peak) in heard.iter().skip(begin).take(end + 1 - begin) {
        most = most.max(*peak);
        let right = axis.frame_x(*at);
        if right - left < 1.0 {
            continue;
        }
        let half = (most.min(1.0) * body.height() / 2.0).max(0.5);
        let (y, edge) = (body.center().y, right.min(take.right()));
        let bar = Rect::from_min_max(pos2(left, y - half), pos2(edge, y + half));
        cx.fill(bar, 0.0, cx.t.danger);
        (left, most) = (right, 0.0);
    }
}

#[cfg(test)]
mod tests {
    use crate::desk_tests::{Desk, desk, session};
    use crate::live::Motion;
    use crate::testing::prelude::*;
    use crate::theme::Theme;
    use egui::Shape;

    const TAKE: &str = "Recording on Vocal";

    fn width(desk: &Desk) -> f32 {
        desk.get_by_label(TAKE).rect().width()
    }

    #[test]
    fn the_take_grows_on_the_armed_track_and_stays_in_view_in_a_session_without_clips() {
        let mut model = open_model();
        session(&mut model).clips.clear();
        model.live.armed.insert(TrackId::new(1));
        let mut desk = desk(model);
        assert!(desk.query_by_label(TAKE).is_none());
        let live = &mut desk.state_mut().model.live;
        (live.records, live.motion) = (true, Motion::Playing);
        desk.run_steps(2);
        let mut widths = Vec::new();
        for second in [2, 4, 8] {
            desk.state_mut().model.live.position = Frames(second * 48_000);
            desk.run_steps(2);
            widths.push(width(&desk));
        }
        assert!(widths.is_sorted() && widths[0] > 20.0, "{widths:?}");
        assert!(desk.query_by_label("Recording on Guitar").is_none());
        // After the 10 s in view there is room again.
        desk.state_mut().model.live.position = Frames(11 * 48_000);
        desk.run_steps(2);
        let lanes = desk.get_by_label("Lanes").rect();
        let take = desk.get_by_label(TAKE).rect();
        assert!((take.width() / lanes.width() - 11.0 / 20.4).abs() < 0.02, "{take:?}");
        desk.state_mut().model.live.records = false;
        desk.run_steps(2);
        assert!(desk.query_by_label(TAKE).is_none());
    }

    /// The drawn height of each stretch of input, from the first to the last.
    fn heights(desk: &Desk) -> Vec<f32> {
        let take = desk.get_by_label(TAKE).rect().expand(2.0);
        let bar = |shape: &Shape| match shape {
            Shape::Rect(it) if it.fill == Theme::DARK.danger && take.contains_rect(it.rect) => {
                Some(it.rect.height())
            }
            _ => None,
        };
        desk.output().shapes.iter().filter_map(|it| bar(&it.shape)).collect()
    }

    #[test]
    fn what_comes_in_is_seen_while_it_is_recorded() {
        let mut model = open_model();
        session(&mut model).clips.clear();
        let track = TrackId::new(1);
        model.live.armed.insert(track);
        let mut desk = desk(model);
        let live = &mut desk.state_mut().model.live;
        (live.records, live.motion) = (true, Motion::Playing);
        desk.run_steps(2);
        for (second, peak) in [(2, 0.5), (4, 1.0), (8, 0.25)] {
            let live = &mut desk.state_mut().model.live;
            live.position = Frames(second * 48_000);
            live.incoming.insert(track, [0.1, peak]);
            desk.run_steps(2);
        }
        let heights = self::heights(&desk);
        assert_eq!(heights.len(), 3, "{heights:?}");
        assert!((heights[1] / heights[0] - 2.0).abs() < 0.01, "{heights:?}");
        assert!((heights[2] / heights[0] - 0.5).abs() < 0.01, "{heights:?}");
        // A loop goes back: the new recording is drawn, not the old one.
        desk.state_mut().model.live.position = Frames(3 * 48_000);
        desk.run_steps(2);
        assert_eq!(self::heights(&desk).len(), 2);
    }
}
