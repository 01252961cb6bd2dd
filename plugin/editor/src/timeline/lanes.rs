//! The pointer on the lanes: clicks, drags, the menu, drops from the library.

use super::calls::{seconds, select, select_all, selected, split, with_group};
use super::clips::Brush;
use super::drag::Hand;
use super::hit::{Hit, Part, hit};
use super::range::Ranged;
use super::rows::Rows;
use super::snap::Snap;
use super::{Axis, join, keys, menu};
use crate::action::{Action, Actions, Gesture, call};
use crate::kit::cx::alpha;
use crate::kit::{self, Cx};
use crate::scene::Scene;
use crate::timeline::clip_rect::clip_rect;
use crate::timeline::view::{Drag, Named, Sent, TimelineView, Tool};
use deskhand_dsp::Frames;
use deskhand_session::{ClipId, Session, Source, SourceId, TrackKind};
use egui::{Color32, CursorIcon, PointerButton, Pos2, Rect, Response, Sense, pos2};
use serde_json::{Value, json};

/// How near the edge of the view a drag scrolls, points, and how far in a frame.
const EDGE: f32 = 16.0;
const SCROLL: f32 = 12.0;

/// Takes the pointer. Returns the part under it and the frame there.
pub(super) fn take(
    cx: &Cx<'_>,
    scene: Scene<'_>,
    view: &mut TimelineView,
    axis: &Axis,
    rows: &Rows<'_>,
    lanes: Rect,
    out: &mut Actions,
) -> Option<(Hit, Frames)> {
    let response = cx.interact(lanes, "lanes", Sense::click_and_drag());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, "Lanes"));
    view.lanes = Some(response.id);
    if response.has_focus() {
        keep_arrows(cx, &response);
    }
    keys::escape(cx.ui, view);
    drag(cx, scene, view, (axis, rows, lanes), &response, out);
    click(cx, scene, view, (axis, rows), &response, out);
    place_name(scene, view, axis, rows, lanes);
    let at = response.hover_pos()?;
    let under = hit(rows, axis, at);
    let held = join::at(rows, scene.session, axis, at).filter(|_| view.tool == Tool::Select);
    if let Some(held) = held {
        response.clone().on_hover_text_at_pointer(join::name(scene.session, &held));
    } else if let Some(clip) = under.clip().and_then(|id| scene.session.clips.get(&id))
        && let Some(known) = crate::clip_facts::of_clip(scene.session, clip)
    {
        response.clone().on_hover_text_at_pointer(known);
    }
    let crosses = held.is_some() && view.drag.is_none();
    let sideways = crosses.then_some(CursorIcon::ResizeColumn);
    if let Some(cursor) = sideways.or_else(|| cursor(view, under)) {
        cx.ui.ctx().set_cursor_icon(cursor);
    }
    Some((under, axis.frame_at(at.x)))
}

/// The arrows go from clip to clip, not to the next control.
fn keep_arrows(cx: &Cx<'_>, response: &Response) {
    let filter = egui::EventFilter {
        horizontal_arrows: true,
        vertical_arrows: true,
        ..egui::EventFilter::default()
    };
    cx.ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
}

fn cursor(view: &TimelineView, under: Hit) -> Option<CursorIcon> {
    match (&view.drag, view.tool, under) {
        (Some(Drag::Move { copies: true, .. }), _, _) => Some(CursorIcon::Copy),
        (Some(Drag::Move { .. }), _, _) => Some(CursorIcon::Grabbing),
        (None, Tool::Split, Hit::Clip(..)) => Some(CursorIcon::Text),
        (None, Tool::Select, under) => under.cursor(),
        (Some(_) | None, ..) => None,
    }
}

/// Starts a drag, follows the pointer, and sends the call of a finished one.
fn drag(
    cx: &Cx<'_>,
    scene: Scene<'_>,
    view: &mut TimelineView,
    (axis, rows, lanes): (&Axis, &Rows<'_>, Rect),
    response: &Response,
    out: &mut Actions,
) {
    let modifiers = cx.ui.input(|input| input.modifiers);
    let hand = |at: Pos2| Hand { scene, axis, rows, at, modifiers };
    if response.drag_started_by(PointerButton::Primary)
        && let Some(from) = cx.ui.input(|input| input.pointer.press_origin())
    {
        response.request_focus();
        view.sent = None;
        view.drag = Some(hand(from).start(view, hit(rows, axis, from)));
    }
    if let (Some(drag), Some(at)) = (view.drag.clone(), response.interact_pointer_pos()) {
        scroll(cx, view, axis, lanes, at);
        view.drag = Some(hand(at).follow(view, drag));
    }
    if response.drag_stopped()
        && let Some(drag) = view.drag.take()
    {
        let at = response.interact_pointer_pos().unwrap_or_default();
        if let Some(action) = hand(at).finish(&drag) {
            let time = cx.ui.input(|input| input.time);
            view.sent = Some(Sent { drag, head: scene.head, time });
            out.push(action);
        }
    }
}

/// A drag at the edge of the view scrolls it.
fn scroll(cx: &Cx<'_>, view: &mut TimelineView, axis: &Axis, lanes: Rect, at: Pos2) {
    let past = |low: f32, high: f32, at: f32| match at {
        at if at < low + EDGE => -1.0,
        at if at > high - EDGE => 1.0,
        _ => 0.0,
    };
    let step = past(lanes.left(), lanes.right(), at.x) * SCROLL;
    let down = past(lanes.top(), lanes.bottom(), at.y) * SCROLL;
    if view.zoom.is_some() && step != 0.0 {
        let (from, to) = axis.shown();
        let shown = axis.second_of(axis.share().0);
        if to > from {
            view.left += f64::from(step / lanes.width()) * shown;
        }
        cx.ui.ctx().request_repaint();
    }
    view.down += down;
}

fn click(
    cx: &Cx<'_>,
    scene: Scene<'_>,
    view: &mut TimelineView,
    (axis, rows): (&Axis, &Rows<'_>),
    response: &Response,
    out: &mut Actions,
) {
    let at = response.interact_pointer_pos();
    if let Some(at) = at.filter(|_| response.clicked() || response.secondary_clicked()) {
        response.request_focus();
        view.marker = None;
        menu::remember(view, hit(rows, axis, at), axis.frame_at(at.x));
        let modifiers = cx.ui.input(|input| input.modifiers);
        let hand = Hand { scene, axis, rows, at, modifiers };
        out.extend(clicked(&hand, view, response));
    }
    kit::menu::on(response, |ui| menu::show(ui, scene, view, out));
}

/// The action of a click; `None` if the view handles it itself.
fn clicked(hand: &Hand<'_>, view: &mut TimelineView, response: &Response) -> Option<Action> {
    let session = hand.scene.session;
    let adds = hand.modifiers.shift || hand.modifiers.command;
    let chosen = selected(session);
    match hit(hand.rows, hand.axis, hand.at) {
        Hit::Clip(id, Part::Gain) if response.double_clicked() => {
            Some(call(Gesture::SetClipGain, json!({"targets": [id], "gain_db": 0.0})))
        }
        Hit::Clip(id, _) if response.double_clicked() => {
            let clip = session.clips.get(&id)?;
            let name = name_rect(hand.rows, hand.axis, clip);
            view.rename(Named::Clip(id), &clip.name, name);
            None
        }
        Hit::Clip(id, _) if view.tool == Tool::Split && response.clicked() => {
            let at = hand.snap(view, &[]).at(hand.axis.frame_at(hand.at.x));
            split(session, &[id], at)
        }
        Hit::Clip(id, _) if response.secondary_clicked() && is_selected(session, id) => None,
        Hit::Clip(id, _) if adds => Some(select(session, &toggled(chosen, id))),
        Hit::Clip(id, _) => Some(select(session, &with_group(session, id))),
        Hit::Lane(track) if response.clicked() && !adds => Some(select_all([track], &[])),
        Hit::Lane(_) | Hit::Nothing => None,
    }
}

/// Whether a clip is selected, or has a part in the selected time.
fn is_selected(session: &Session, id: ClipId) -> bool {
    let ranged = Ranged::chosen(session);
    ranged.map_or_else(|| selected(session), |ranged| ranged.clips).contains(&id)
}

/// The clips without one that is among them, else with it.
fn toggled(mut clips: Vec<ClipId>, id: ClipId) -> Vec<ClipId> {
    match clips.iter().position(|known| *known == id) {
        Some(place) => drop(clips.remove(place)),
        None => clips.push(id),
    }
    clips
}

/// A clip in view that is being named has the field on it.
fn place_name(
    scene: Scene<'_>,
    view: &mut TimelineView,
    axis: &Axis,
    rows: &Rows<'_>,
    lanes: Rect,
) {
    let Some(id) = view.named_clip() else { return };
    let Some(clip) = scene.session.clips.get(&id) else { return };
    let rect = name_rect(rows, axis, clip);
    if lanes.contains_rect(rect) {
        view.place_field(Named::Clip(id), rect);
    }
}

/// Where the name of a clip is typed.
fn name_rect(rows: &Rows<'_>, axis: &Axis, clip: &deskhand_session::Clip) -> Rect {
    let Some(lane) = rows.lane_of(clip.track) else { return Rect::NOTHING };
    let rect = clip_rect(lane, clip.position, clip.end(), axis);
    let left = rect.left().max(lane.left());
    Rect::from_min_size(pos2(left, rect.top()), egui::vec2(180.0, 24.0))
}

/// What a drag draws over the lanes, and the selected time.
pub(super) fn overlay(brush: &Brush<'_>, lanes: Rect, axis: &Axis) {
    let cx = brush.cx.clip(lanes);
    let range = match brush.drag {
        Some(Drag::Time { from, to, .. }) => Some((*from.min(to), *from.max(to))),
        Some(_) | None => brush.scene.session.selection.range.map(|range| (range.start, range.end)),
    };
    if let Some((from, to)) = range {
        let (left, right) = (axis.frame_x(from), axis.frame_x(to));
        let tint =
            if cx.t.dark { Color32::from_white_alpha(8) } else { Color32::from_black_alpha(10) };
        let rect = Rect::from_min_max(pos2(left, lanes.top()), pos2(right, lanes.bottom()));
        cx.fill(rect, 0.0, tint);
        for x in [left, right] {
            cx.vline(x, lanes.top(), lanes.bottom(), alpha(cx.t.text_2, 0.5));
        }
    }
    if let Some(Drag::Band { from, to, .. }) = brush.drag {
        let band = Rect::from_two_pos(*from, *to);
        cx.fill(band, 0.0, alpha(cx.t.text, 0.06));
        cx.border(band, 0.0, alpha(cx.t.text, 0.6));
    }
}

/// The parameters of a call that puts a source on a track of its own: of a film that audio track alone.
fn of_its_own(source: &Source, at_s: f64) -> Value {
    let number = source.hash.track().map(|track| u32::from(track) + 1);
    let audio_tracks: Vec<u32> = number.into_iter().collect();
    json!({"files": [source.path], "at_s": at_s, "audio_tracks": audio_tracks})
}

/// A source that is dragged from the library over the lanes becomes a clip where it is let go.
pub(super) fn library(
    cx: &Cx<'_>,
    scene: Scene<'_>,
    view: &mut TimelineView,
    axis: &Axis,
    rows: &Rows<'_>,
    lanes: Rect,
    out: &mut Actions,
) {
    let context = cx.ui.ctx();
    let Some(id) = egui::DragAndDrop::payload::<SourceId>(context).map(|id| *id) else { return };
    let Some(at) = cx.ui.input(|input| input.pointer.latest_pos()) else { return };
    let below = rows.track_at(at.y);
    let target = below.filter(|(_, track)| track.kind == TrackKind::Audio);
    let Some(source) = scene.session.sources.get(&id).filter(|_| lanes.contains(at)) else {
        return;
    };
    let alt = cx.ui.input(|input| input.modifiers.alt);
    let snap = Snap {
        session: scene.session,
        axis,
        playhead: scene.live.position,
        without: &[],
        is_on: !view.is_loose && !alt,
    };
    let position = snap.at(axis.frame_at(at.x));
    let is_let_go = cx.ui.input(|input| input.pointer.any_released());
    let Some((track, _)) = target else {
        // Below the tracks: on one of its own.
        if is_let_go && below.is_none() {
            let at_s = seconds(scene.session, position);
            out.push(call(Gesture::ImportAudio, of_its_own(source, at_s)));
        }
        return;
    };
    if let Some(lane) = rows.lane_of(track) {
        let rect = clip_rect(lane, position, position + source.frames, axis);
        let cx = cx.clip(lanes);
        cx.fill(rect, 2.0, cx.t.control);
        cx.border(rect, 2.0, cx.t.text);
    }
    if is_let_go {
        let params = json!({
            "track": track, "source": id, "at_s": seconds(scene.session, position),
        });
        out.push(call(Gesture::AddClip, params));
    }
}

#[cfg(test)]
mod tests;
