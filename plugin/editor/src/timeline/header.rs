//! Track headers: name, mute, solo, gain, pan, meter; drag to reorder, click to select, menu for the rest.

use super::calls::{select_all, selected};
use super::rows::Row;
use crate::action::{Action, Actions, Gesture, call};
use crate::describe::hue_of;
use crate::desk::DeskView;
use crate::kit::controls::{hint, whole_name};
use crate::kit::menu::choice;
use crate::kit::scale::signed;
use crate::kit::{Cx, context, fader, meter};
use crate::live::InputChannels;
use crate::mixer::view::Knob;
use crate::mixer::{header_knob, mute_solo};
use crate::scene::Scene;
use crate::theme::{Type, space};
use crate::timeline::view::{Density, Named, TimelineView};
use crate::{icons, track_menu};
use deskhand_session::{InsertOwner, TrackId, TrackKind};
use egui::{Pos2, Rect, Response, Sense, pos2, vec2};
use serde_json::json;

/// From this height on, points, all of a header has a line of its own.
const HIGH: f32 = 64.0;

/// Draws the header of a row in `rect`.
pub(super) fn show(
    cx: &Cx<'_>,
    scene: Scene<'_>,
    desk: &mut DeskView,
    row: &Row<'_>,
    rect: Rect,
    density: Density,
    out: &mut Actions,
) {
    let (session, id, track) = (scene.session, row.id, row.track);
    let is_selected = session.selection.tracks.contains(&id);
    let response = cx.interact(rect, ("header", id), Sense::click_and_drag());
    let name = format!("Track {}", track.name);
    response
        .widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, is_selected, &name));
    let cut = (Type::BODY_STRONG, rect.width() - 52.0);
    let response = whole_name(cx, response, &track.name, cut);
    cx.fill(rect, 0.0, if is_selected { cx.t.raised } else { cx.t.panel });
    let hue = cx.t.hues[hue_of(Some(id), session)];
    cx.fill(Rect::from_min_size(rect.min, vec2(4.0, rect.height() - 1.0)), 0.0, hue.strong);
    let is_high = density.lane >= HIGH;
    let field = title(cx, scene, row, rect, is_high);
    if response.double_clicked() {
        desk.timeline.rename(Named::Track(id), &track.name, field);
    }
    desk.timeline.place_field(Named::Track(id), field);
    pick(cx, scene, &response, id, out);
    reorder(cx, scene, desk, &response, row, out);
    context::menu(&response, rect)
        .show(|ui| track_menu::show(ui, scene, &mut desk.timeline, id, out));
    let y = rect.bottom() - if is_high { 30.0 } else { 26.0 };
    switches(cx, scene, pos2(rect.left() + space::M, y), row, out);
    if density.has_toolbar {
        let has_pan = is_high && !scene.live.is_hosted();
        numbers(cx, scene, desk, id, has_pan, pos2(rect.right() - 28.0, y + 10.0), out);
    }
    let levels = Rect::from_min_max(
        pos2(rect.right() - 16.0, rect.top() + 8.0),
        pos2(rect.right() - 8.0, rect.bottom() - 9.0),
    );
    meter::stereo(cx, levels, desk.meters.shown(id));
}

/// The name of the track, its kind and its group. Returns the field where the name is edited.
fn title(cx: &Cx<'_>, scene: Scene<'_>, row: &Row<'_>, rect: Rect, is_high: bool) -> Rect {
    let (session, id, track) = (scene.session, row.id, row.track);
    let is_selected = session.selection.tracks.contains(&id);
    let color = if session.is_audible(id) { cx.t.text } else { cx.t.text_3 };
    let weight = if is_selected { Type::BODY_STRONG } else { Type::BODY };
    let place = pos2(rect.left() + space::M, rect.top() + if is_high { 20.0 } else { 16.0 });
    let is_grouped = group(cx, scene, id, pos2(rect.right() - 30.0, place.y));
    let room = rect.width() - if is_grouped { 52.0 } else { 36.0 };
    cx.elided(place, &track.name, weight, color, room);
    if track.kind == TrackKind::Bus && is_high {
        cx.left(place + vec2(0.0, 16.0), "Bus", Type::TICK, cx.t.text_3);
    }
    Rect::from_min_size(place - vec2(4.0, 12.0), vec2(rect.width() - 36.0, 24.0))
}

/// The mark of the track's group in the middle of `at`; its hint names the tracks. False if the track is in
/// no group.
fn group(cx: &Cx<'_>, scene: Scene<'_>, id: TrackId, at: Pos2) -> bool {
    let Some((_, group)) = scene.session.group_of(id) else { return false };
    let names = group.tracks.iter().map(|track| scene.session.name_of((*track).into()));
    let names = names.collect::<Vec<_>>().join(", ");
    let words = format!("Group \"{}\": {names}. They are edited together", group.name);
    let rect = Rect::from_center_size(at, vec2(16.0, 16.0));
    let response = cx.label(rect, ("group", id), &words);
    cx.icon(rect.center(), icons::STACK, 12.0, cx.t.text_3);
    hint(response, &words);
    true
}

/// Mute, solo and arm at `at`. The tracks of a host use the host's own.
fn switches(cx: &Cx<'_>, scene: Scene<'_>, at: Pos2, row: &Row<'_>, out: &mut Actions) {
    if !scene.live.is_hosted() {
        mute_solo(cx, at, row.id, row.track, "timeline", out);
    }
    if row.track.kind == TrackKind::Audio && scene.live.has_transport() {
        arm(cx, scene, at + vec2(48.0, 0.0), row, out);
    }
}

/// Gain and, above it where it is heard and has room, pan as numbers that are dragged; `at` is the right middle of the
/// gain.
fn numbers(
    cx: &Cx<'_>,
    scene: Scene<'_>,
    desk: &mut DeskView,
    id: TrackId,
    has_pan: bool,
    at: Pos2,
    out: &mut Actions,
) {
    let mut shown = |of, at: Pos2, width| {
        let area = Rect::from_min_max(at - vec2(width, 9.0), at + vec2(4.0, 9.0));
        header_knob(cx, scene, &mut desk.mixer, of, area, out) as f32
    };
    let gain = format!("{}\u{a0}dB", signed(shown(Knob::Gain(id), at, 56.0), 1));
    cx.right(at, &gain, Type::CAPTION, cx.t.text_3);
    if has_pan {
        let above = at - vec2(0.0, 19.0);
        let side = fader::side(shown(Knob::Pan(id), above, 40.0) * 100.0);
        cx.right(above, &side, Type::CAPTION, cx.t.text_3);
    }
}

/// Whether the input is recorded to the track, and which of its channels.
fn arm(cx: &Cx<'_>, scene: Scene<'_>, at: Pos2, row: &Row<'_>, out: &mut Actions) {
    let (track, live) = (row.id, scene.live);
    let rect = Rect::from_min_size(at, vec2(20.0, 20.0));
    let is_on = live.armed.contains(&track);
    let taken = live.inputs.get(&track).copied().unwrap_or_default();
    let name = format!("Arm {}", row.track.name);
    let response = cx.toggle(rect.expand(2.0), ("arm", track), is_on, &name);
    cx.fill(rect, 3.0, if is_on { cx.t.danger } else { cx.t.control });
    let on_color = if cx.t.dark { cx.t.void } else { cx.t.raised };
    let text = if is_on { on_color } else { cx.t.text_2 };
    cx.center(rect.center(), "R", Type::CAPTION_STRONG, text);
    cx.ring(&response, rect, 3.0);
    context::menu(&response, rect).show(|ui| {
        // A system may offer dozens.
        egui::ScrollArea::vertical().max_height(320.0).show(ui, |ui| {
            for channels in InputChannels::all(live.input_channels) {
                let words = format!("Record {}", channels.words());
                if choice(ui, channels == taken, &words).clicked() {
                    out.push(Action::TakeInput { track, channels });
                }
            }
        });
    });
    let inserts = scene.session.inserts_on(InsertOwner::Track(track)).len();
    if response.on_hover_text(arm_hint(&name, taken, inserts)).clicked() {
        out.push(if is_on { Action::Disarm(track) } else { Action::Arm(track) });
    }
}

/// What is recorded, and that the track's processors do not affect the recording.
fn arm_hint(name: &str, taken: InputChannels, inserts: usize) -> String {
    let dry = match inserts {
        0 => "",
        1 => " It is recorded as it comes in: the processor of the track works on what plays.",
        _ => " It is recorded as it comes in: the processors of the track work on what plays.",
    };
    format!("{name}: {}. A right click chooses another.{dry}", taken.words())
}

/// A click selects the track. With Shift or Ctrl it adds to the selection.
fn pick(cx: &Cx<'_>, scene: Scene<'_>, response: &Response, id: TrackId, out: &mut Actions) {
    if !response.clicked() {
        return;
    }
    let session = scene.session;
    let adds = cx.ui.input(|input| input.modifiers.shift || input.modifiers.command);
    let mut tracks = if adds { session.selection.tracks.clone() } else { Vec::new() };
    match tracks.iter().position(|known| *known == id) {
        Some(place) => drop(tracks.remove(place)),
        None => tracks.push(id),
    }
    let clips = if adds { selected(session) } else { Vec::new() };
    out.push(select_all(tracks, &clips));
}

/// A drag moves the track to another place in the list.
fn reorder(
    cx: &Cx<'_>,
    scene: Scene<'_>,
    desk: &mut DeskView,
    response: &Response,
    row: &Row<'_>,
    out: &mut Actions,
) {
    let view: &mut TimelineView = &mut desk.timeline;
    if response.drag_started() {
        view.reorder = Some((row.id, row.index));
    }
    let Some((id, index)) = &mut view.reorder else { return };
    if *id != row.id {
        return;
    }
    let count = scene.session.track_order.len();
    if let Some(at) = response.interact_pointer_pos() {
        let top = row.lane.top() - row.lane.height() * row.index as f32;
        let place = ((at.y - top) / row.lane.height()).floor().max(0.0) as usize;
        *index = place.min(count.saturating_sub(1));
        let edge = if *index > row.index { *index + 1 } else { *index };
        let y = top + row.lane.height() * edge as f32;
        let line = Rect::from_min_size(
            pos2(response.rect.left(), y - 1.0),
            vec2(response.rect.width(), 2.0),
        );
        view.line = Some(line);
    }
    let none = egui::Modifiers::NONE;
    if cx.ui.input_mut(|input| input.consume_key(none, egui::Key::Escape)) {
        *index = row.index;
        view.line = None;
        view.reorder = None;
    } else if response.drag_stopped() {
        if *index != row.index {
            out.push(call(Gesture::MoveTrack, json!({"targets": [id], "index": index})));
        }
        view.reorder = None;
        view.line = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_arms_a_track_with_processors_is_told_that_they_do_not_work_on_what_comes_in() {
        let hint = |inserts| arm_hint("Arm Vocal", InputChannels::One(1), inserts);
        assert_eq!(hint(0), "Arm Vocal: input 2. A right click chooses another.");
        let one = "It is recorded as it comes in: the processor of the track works on what plays.";
        assert!(hint(1).ends_with(one));
        assert!(hint(2).ends_with("the processors of the track work on what plays."));
    }
}
