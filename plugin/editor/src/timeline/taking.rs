//! What is being recorded, while there is no clip of it yet.

use super::TimelineView;
use super::clips::{Brush, TITLE, clip_rect};
use crate::describe::clock;
use crate::kit::Cut;
use crate::kit::cx::alpha;
use crate::live::Live;
use crate::model::Scene;
use crate::theme::Type;
use deskhand_dsp::Frames;
use egui::{Rect, Sense};

/// Seconds that are in view at least.
const LEAST: i64 = 10;

impl TimelineView {
    /// Notes where a take begins: where the recording does, and anew where the playhead went back.
    pub(super) fn note_take(&mut self, live: &Live) {
        let begun = self.take.filter(|from| *from <= live.position);
        self.take = live.records.then_some(begun.unwrap_or(live.position));
    }
}

/// Up to where the timeline reaches for what is recorded: in steps, so that not every frame has another scale.
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
    let Some(from) = view.take else { return };
    let (scene, to) = (brush.scene, brush.scene.live.position);
    for row in brush.rows.rows.iter().filter(|row| scene.live.armed.contains(&row.id)) {
        let cx = brush.cx.clip(row.lane.intersect(lanes));
        let rect = clip_rect(row.lane, from, to, brush.axis);
        cx.fill(rect, 2.0, alpha(cx.t.danger, 0.25));
        cx.border(rect, 2.0, cx.t.danger);
        let shown = rect.intersect(cx.p.clip_rect());
        let length = (to - from).seconds(scene.session.rate).0;
        let mut title = shown;
        let title = title.cut_top(TITLE);
        cx.clip(shown).left(title.left_mid(5.0), &clock(length), Type::TICK, cx.t.danger);
        let name = format!("Recording on {}", row.track.name);
        let node = cx.interact(shown, ("take", row.id), Sense::hover());
        node.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &name));
    }
}

#[cfg(test)]
mod tests {
    use crate::desk_tests::{Desk, desk, session};
    use crate::live::Motion;
    use crate::ui_tests::open_model;
    use deskhand_dsp::Frames;
    use deskhand_session::TrackId;
    use egui_kittest::kittest::Queryable as _;

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
        // Behind the 10 s that were in view there is room again.
        desk.state_mut().model.live.position = Frames(11 * 48_000);
        desk.run_steps(2);
        let lanes = desk.get_by_label("Lanes").rect();
        let take = desk.get_by_label(TAKE).rect();
        assert!((take.width() / lanes.width() - 11.0 / 20.4).abs() < 0.02, "{take:?}");
        desk.state_mut().model.live.records = false;
        desk.run_steps(2);
        assert!(desk.query_by_label(TAKE).is_none());
    }
}
