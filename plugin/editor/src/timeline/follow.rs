//! The view follows the playhead.

use super::Axis;
use crate::live::Motion;
use crate::scene::Scene;
use crate::theme::space;
use crate::timeline::view::TimelineView;
use deskhand_dsp::Frames;

/// Turns the page when the playhead leaves the view, starts, or jumps out of view. It does not disturb
/// somebody who looks elsewhere during playback. Returns whether it turned.
pub(super) fn follow(scene: Scene<'_>, view: &mut TimelineView, axis: &Axis) -> bool {
    let position = scene.live.position;
    let (from, to) = axis.shown();
    let is_in = |at: Frames| from <= at && at < to;
    let was = std::mem::replace(&mut view.playhead, position);
    let runs = scene.live.motion != Motion::Stopped;
    let ran = std::mem::replace(&mut view.runs, runs);
    let is_put = !runs && was != position;
    let is_free = !view.stays && view.drag.is_none() && view.pull.is_none();
    let is_followed = is_put || (runs && (!ran || is_in(was)));
    if !is_free || !is_followed || is_in(position) {
        return false;
    }
    let second = position.seconds(scene.session.rate).0;
    let margin = f64::from(space::M) / f64::from(axis.rect.width()) * to_seconds(axis, scene);
    view.left = second - margin;
    true
}

fn to_seconds(axis: &Axis, scene: Scene<'_>) -> f64 {
    let (from, to) = axis.shown();
    (to - from).seconds(scene.session.rate).0
}

#[cfg(test)]
mod tests {
    use crate::desk_tests::{Desk, desk};
    use crate::live::Motion;
    use crate::testing::prelude::*;

    /// A desk that shows the time from 5 s on, and the playhead at 6 s.
    fn zoomed() -> Desk {
        let mut model = open_model();
        model.live.position = Frames(6 * 48_000);
        let view = &mut model.desk.timeline;
        (view.zoom, view.left) = (Some(400.0), 5.0);
        desk(model)
    }

    fn left(desk: &Desk) -> f64 {
        desk.state().model.desk.timeline.left
    }

    fn put(desk: &mut Desk, position: i64) {
        desk.state_mut().model.live.position = Frames(position);
        desk.run_steps(2);
    }

    #[test]
    fn a_playhead_that_is_put_out_of_view_is_brought_into_view_unless_the_view_stays() {
        let mut desk = zoomed();
        assert_eq!(left(&desk), 5.0, "it was in view");
        put(&mut desk, 0);
        assert_eq!(left(&desk), 0.0);
        desk.press(Key::F);
        put(&mut desk, 9 * 48_000);
        assert_eq!(left(&desk), 0.0, "Follow is off");
    }

    #[test]
    fn play_brings_the_playhead_into_view_and_leaves_who_looks_elsewhere_after_that() {
        let mut desk = zoomed();
        desk.state_mut().model.desk.timeline.left = 0.0;
        desk.run_steps(2);
        assert_eq!(left(&desk), 0.0, "nothing happened");
        desk.state_mut().model.live.motion = Motion::Playing;
        desk.run_steps(2);
        assert!((left(&desk) - 6.0).abs() < 0.1, "{}", left(&desk));
        desk.state_mut().model.desk.timeline.left = 0.0;
        desk.run_steps(2);
        put(&mut desk, 6 * 48_000 + 4800);
        assert_eq!(left(&desk), 0.0, "somebody looks elsewhere");
    }

    #[test]
    fn the_keys_zoom_around_the_playhead() {
        let mut desk = zoomed();
        // The playhead is 400 points from the left edge, and stays there.
        for key in [Key::Plus, Key::Minus, Key::Plus] {
            desk.press(key);
            let view = &desk.state().model.desk.timeline;
            let from_left = (6.0 - view.left) * view.zoom.unwrap();
            assert!((from_left - 400.0).abs() < 1.0, "{from_left}");
        }
    }
}
