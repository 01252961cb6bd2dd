//! Gain over time: the lines of tracks and clips over their lanes. A drag moves a point, a click on the
//! line adds one, a right click removes one. Each is one call.

use super::axis::Axis;
use super::calls::seconds;
use super::gain_curve::Curve;
use super::rows::{Row, Rows};
use crate::action::{Action, Actions, Gesture, call};
use crate::kit::Cx;
use crate::kit::cx::alpha;
use crate::kit::scale::signed;
use crate::scene::Scene;
use crate::timeline::clip_rect::clip_rect;
use crate::timeline::view::{Draft, Owner};
use deskhand_dsp::volume::gain_at;
use deskhand_dsp::{EnvelopePoint, Frames};
use deskhand_session::TrackId;
use egui::{Key, Modifiers, Rect, Sense, pos2, vec2};
use serde_json::json;

const SETS: [Gesture; 2] = [Gesture::DrawTrackGain, Gesture::DrawClipGain];

/// How near to the line a click is on it, points.
const NEAR: f32 = 5.0;

struct Line {
    owner: Owner,
    name: String,
    curve: Curve,
}

/// Draws the lines of all lanes in view, and takes the pointer over them.
pub(super) fn show(
    cx: &Cx<'_>,
    scene: Scene<'_>,
    draft: &mut Option<Draft>,
    axis: &Axis,
    rows: &Rows<'_>,
    lanes: Rect,
    out: &mut Actions,
) {
    // It arrived, or it was refused.
    let is_over = |sent| sent != scene.head || !scene.runs(&SETS);
    if draft.as_ref().is_some_and(|it| it.sent.is_some_and(is_over)) {
        *draft = None;
    }
    escape(cx, draft);
    let cx = &cx.clip(lanes);
    for row in &rows.rows {
        for mut line in lines(row, axis) {
            let is_it = |held: &&Draft| held.owner == line.owner && !held.is_cancelled;
            if let Some(held) = draft.as_ref().filter(is_it) {
                line.curve.points.clone_from(&held.points);
            }
            if !line.curve.points.is_empty() {
                one(cx, scene, draft, axis, &line, out);
            }
        }
    }
}

/// Esc cancels the current drag.
fn escape(cx: &Cx<'_>, draft: &mut Option<Draft>) {
    let Some(held) = draft.as_mut().filter(|it| it.sent.is_none()) else { return };
    let is_let_go = cx.ui.input(|input| !input.pointer.any_down() && !input.pointer.any_released());
    if held.is_cancelled && is_let_go {
        *draft = None;
    } else if !held.is_cancelled {
        let none = Modifiers::NONE;
        held.is_cancelled = cx.ui.input_mut(|input| input.consume_key(none, Key::Escape));
    }
}

fn lines(row: &Row<'_>, axis: &Axis) -> Vec<Line> {
    let track = Line {
        owner: Owner::Track(row.id),
        name: row.track.name.clone(),
        curve: Curve::of_track(&row.track.envelope, row.lane),
    };
    let clips = row.clips.iter().map(|(id, clip)| {
        let rect = clip_rect(row.lane, clip.position, clip.end(), axis);
        let curve = Curve::of_clip(&clip.envelope, clip.position - clip.start, rect);
        Line { owner: Owner::Clip(*id), name: clip.name.clone(), curve }
    });
    clips.chain([track]).collect()
}

fn one(
    cx: &Cx<'_>,
    scene: Scene<'_>,
    draft: &mut Option<Draft>,
    axis: &Axis,
    line: &Line,
    out: &mut Actions,
) {
    let cx = &cx.clip(line.curve.rect.expand2(vec2(0.0, 4.0)));
    let color = match line.owner {
        Owner::Track(_) => cx.t.text,
        Owner::Clip(_) => alpha(cx.t.text, 0.7),
    };
    let course = line.curve.course(axis);
    cx.path(course, 1.5, color);
    let mut changed = added(cx, axis, line).map(|points| (points, true));
    for index in 0..line.curve.points.len() {
        changed = point(cx, axis, line, index).or(changed);
    }
    let Some((points, is_done)) = changed else { return };
    if draft.as_ref().is_some_and(|held| held.is_cancelled) {
        return;
    }
    if is_done {
        out.push(drawn(scene, line.owner, &points));
    }
    let (owner, sent) = (line.owner, is_done.then_some(scene.head));
    *draft = Some(Draft { owner, points, sent, is_cancelled: false });
}

/// The line with another point, where it was clicked.
fn added(cx: &Cx<'_>, axis: &Axis, line: &Line) -> Option<Vec<EnvelopePoint>> {
    let at = cx.ui.input(|input| input.pointer.latest_pos())?;
    let position = axis.frame_at(at.x);
    let y = line.curve.y(gain_at(&line.curve.points, position).0);
    if !line.curve.rect.contains(at) || (at.y - y).abs() > NEAR {
        return None;
    }
    let spot = Rect::from_center_size(pos2(at.x, y), vec2(4.0, 2.0 * NEAR));
    let name = format!("Line of {}", line.name);
    let response = cx.button(spot, ("line", line.owner), &name);
    let clicked = response.on_hover_cursor(egui::CursorIcon::Crosshair).clicked();
    let mut points = line.curve.points.clone();
    let behind = points.partition_point(|point| point.position <= position);
    points.insert(behind, EnvelopePoint { position, gain: line.curve.gain(y), curve: 0.0 });
    clicked.then_some(points)
}

/// The line with this point elsewhere, or without it, and whether that is final.
fn point(
    cx: &Cx<'_>,
    axis: &Axis,
    line: &Line,
    index: usize,
) -> Option<(Vec<EnvelopePoint>, bool)> {
    let here = line.curve.points.get(index)?;
    let at = line.curve.at(axis, here);
    if !line.curve.rect.expand(8.0).contains(at) {
        return None;
    }
    let handle = Rect::from_center_size(at, vec2(14.0, 14.0));
    let response = cx.interact(handle, ("point", line.owner, index), Sense::click_and_drag());
    let gain = signed(here.gain.0 as f32, 1);
    let name = format!("Point {} of {}, {gain} dB", index + 1, line.name);
    response.widget_info(|| egui::WidgetInfo::slider(true, here.gain.0, &name));
    let is_near = response.hovered() || response.dragged();
    cx.p.circle_filled(at, if is_near { 5.0 } else { 3.5 }, cx.t.text);
    let mut points = line.curve.points.clone();
    if response.secondary_clicked() {
        points.remove(index);
        return Some((points, true));
    }
    let to = response.interact_pointer_pos().filter(|_| response.dragged());
    if let (Some(to), Some(point)) = (to, points.get_mut(index)) {
        let before = index.checked_sub(1).and_then(|index| line.curve.points.get(index));
        let from = before.map_or(Frames::ZERO, |point| point.position);
        let until =
            line.curve.points.get(index + 1).map_or(Frames(i64::MAX), |point| point.position);
        point.position = axis.frame_at(to.x).max(from).min(until);
        point.gain = line.curve.gain(to.y);
        return Some((points, false));
    }
    response.drag_stopped().then_some((points, true))
}

/// The whole line as one call.
fn drawn(scene: Scene<'_>, owner: Owner, points: &[EnvelopePoint]) -> Action {
    let points = points.iter().map(|point| {
        json!({
            "at_s": seconds(scene.session, point.position).max(0.0),
            "gain_db": point.gain,
            "curve": point.curve,
        })
    });
    let points: Vec<_> = points.collect();
    match owner {
        Owner::Track(id) => call(SETS[0], json!({"targets": [id], "points": points})),
        Owner::Clip(id) => call(SETS[1], json!({"targets": [id], "points": points})),
    }
}

/// A straight line at 0 dB over the whole session, to draw on.
pub(crate) fn begun(session: &deskhand_session::Session, track: TrackId) -> Action {
    let end = seconds(session, session.end()).max(1.0);
    let points = [0.0, end].map(|at_s| json!({"at_s": at_s, "gain_db": 0.0}));
    call(Gesture::DrawTrackGain, json!({"targets": [track], "points": points}))
}

#[cfg(test)]
mod tests {
    use crate::testing::prelude::*;
    use deskhand_dsp::EnvelopePoint;
    use deskhand_session::tool_error::{Code, ToolError};
    use serde_json::Value;

    fn ridden() -> Harness<'static, Desk> {
        let mut model = open_model();
        let session = &mut model.mirror.as_mut().unwrap().snapshot.session;
        let point =
            |at, gain| EnvelopePoint { position: Frames(at), gain: Decibels(gain), curve: 0.0 };
        let track = session.tracks.get_mut(&TrackId::new(1)).unwrap();
        track.envelope = vec![point(96_000, 0.0), point(240_000, -12.0)];
        harness(model)
    }

    fn sent(harness: &Harness<'static, Desk>) -> Vec<Vec<(f64, f64)>> {
        let calls = harness.state().actions.iter().filter_map(|action| match action {
            Action::Call { gesture: Gesture::DrawTrackGain, params } => {
                Some(params["points"].clone())
            }
            _ => None,
        });
        let number = |value: &Value| value.as_f64().unwrap();
        calls
            .map(|points| {
                let points = points.as_array().unwrap().iter();
                points.map(|it| (number(&it["at_s"]), number(&it["gain_db"]))).collect()
            })
            .collect()
    }

    #[test]
    fn a_point_is_dragged_and_the_line_is_sent_once() {
        let mut harness = ridden();
        let from = harness.get_by_label("Point 1 of Vocal, 0.0 dB").rect().center();
        let to = from + egui::vec2(20.0, 12.0);
        harness.hover_at(from);
        harness.run_steps(1);
        harness.drag_at(from);
        harness.run_steps(2);
        for at in [from + (to - from) * 0.5, to] {
            harness.hover_at(at);
            harness.run_steps(2);
        }
        assert!(sent(&harness).is_empty(), "nothing is sent while it is held");
        harness.drop_at(to);
        harness.run_steps(2);
        let lines = sent(&harness);
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert!(lines[0][0].0 > 2.0 && lines[0][0].1 < -3.0, "{lines:?}");
        assert_eq!(lines[0][1], (5.0, -12.0));
    }

    #[test]
    fn esc_takes_a_point_back_that_is_dragged() {
        let mut harness = ridden();
        let label = "Point 1 of Vocal, 0.0 dB";
        let from = harness.get_by_label(label).rect().center();
        let to = from + egui::vec2(20.0, 12.0);
        harness.hover_at(from);
        harness.run_steps(1);
        harness.drag_at(from);
        harness.run_steps(2);
        harness.hover_at(to);
        harness.run_steps(2);
        assert!(harness.query_by_label(label).is_none(), "it is dragged");
        harness.press(egui::Key::Escape);
        assert!(harness.query_by_label(label).is_some(), "it is where it was");
        harness.drop_at(to);
        harness.run_steps(3);
        assert_eq!(harness.state().actions, []);
        // The next drag is one again.
        harness.get_by_label("Point 2 of Vocal, −12.0 dB").click_secondary();
        harness.run_steps(2);
        assert_eq!(sent(&harness).len(), 1);
    }

    #[test]
    fn a_line_that_was_refused_is_where_it_was_again() {
        let mut harness = ridden();
        let old = "Point 2 of Vocal, −12.0 dB";
        harness.get_by_label(old).click_secondary();
        while harness.state().actions.is_empty() {
            harness.run_steps(1);
        }
        let action = harness.state_mut().actions.pop().unwrap();
        let model = &mut harness.state_mut().model;
        let op = model.op(action).unwrap();
        model.sent(CallId(5), &op);
        harness.run_steps(4);
        assert!(harness.query_by_label(old).is_none(), "it is on its way");
        let refused = ToolError::prepare(Code::Refused, "the session is read only", "look at it");
        let result = Box::new(ToolResult::failed(refused, RevisionId(1)));
        let done = event(9, Some(CallId(5)), News::Done { result });
        drop(harness.state_mut().model.hear(&done));
        harness.run_steps(2);
        assert!(harness.query_by_label(old).is_some());
    }

    #[test]
    fn a_click_on_the_line_adds_a_point_and_a_right_click_takes_one_away() {
        let mut harness = ridden();
        let [one, other] = ["Point 1 of Vocal, 0.0 dB", "Point 2 of Vocal, −12.0 dB"]
            .map(|label| harness.get_by_label(label).rect().center());
        let middle = one + (other - one) * 0.5;
        harness.hover_at(middle);
        harness.run_steps(2);
        harness.drag_at(middle);
        harness.drop_at(middle);
        harness.run_steps(2);
        let lines = sent(&harness);
        assert_eq!(lines.len(), 1, "{:?}", harness.state().actions);
        assert_eq!(lines[0].len(), 3);
        assert!((lines[0][1].1 + 6.0).abs() < 0.5, "{lines:?}");
        let mut harness = ridden();
        harness.get_by_label("Point 2 of Vocal, −12.0 dB").click_secondary();
        harness.run_steps(2);
        assert_eq!(sent(&harness), [vec![(2.0, 0.0)]]);
    }
}
