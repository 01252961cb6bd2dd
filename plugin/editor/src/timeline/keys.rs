//! Keys of the timeline: they count while nothing else has the keyboard.

use super::calls::{add_marker, crossfade, delete, duplicate, neighbor, select, selected, split};
use super::hit::Hit;
use super::range::Ranged;
use super::{Axis, clipboard, step};
use crate::action::{Action, Actions, Gesture, call};
use crate::scene::Scene;
use crate::timeline::view::{Drag, Named, Pull, TimelineView, Tool};
use deskhand_dsp::Frames;
use deskhand_session::Session;
use egui::{Id, Key, Modifiers, Ui};
use serde_json::json;

/// Where the arrows go from a clip: to the right, and down.
const WAYS: [(Key, i32, i32); 4] = [
    (Key::ArrowLeft, -1, 0),
    (Key::ArrowRight, 1, 0),
    (Key::ArrowUp, 0, -1),
    (Key::ArrowDown, 0, 1),
];

/// Whether single keys belong to the desk: nothing has the keyboard, or the lanes have.
fn are_free(ui: &Ui, lanes: Option<Id>) -> bool {
    let focused = ui.memory(egui::Memory::focused);
    let is_in_menu = egui::Popup::is_any_open(ui.ctx());
    (focused.is_none() || focused == lanes) && !ui.ctx().text_edit_focused() && !is_in_menu
}

/// Esc takes a drag back; true when there was one.
pub(super) fn escape(ui: &Ui, view: &mut TimelineView) -> bool {
    let is_dragging = view.drag.is_some() || view.pull.is_some();
    if !is_dragging || !ui.input_mut(|it| it.consume_key(Modifiers::NONE, Key::Escape)) {
        return false;
    }
    if view.drag.is_some() {
        view.drag = Some(Drag::Cancelled);
    }
    if view.pull.is_some() {
        view.pull = Some(Pull::Cancelled);
    }
    true
}

/// Takes the keys of this frame. `under` is where the pointer is over the lanes.
pub(super) fn take(
    ui: &Ui,
    scene: Scene<'_>,
    view: &mut TimelineView,
    axis: &Axis,
    under: Option<(Hit, Frames)>,
    out: &mut Actions,
) {
    if !are_free(ui, view.lanes) {
        return;
    }
    let pressed = |modifiers, key| ui.input_mut(|input| input.consume_key(modifiers, key));
    let plain = |key| pressed(Modifiers::NONE, key);
    clipboard::take(ui, scene.session, view, scene.live.position, out);
    edits(scene, view, under, &pressed, out);
    step::clips(scene.session, axis, &pressed, out);
    if !scene.live.is_hosted() {
        step::playhead(scene.session, scene.live.position, &pressed, out);
    }
    if ui.memory(egui::Memory::focused) == view.lanes {
        let way = WAYS.into_iter().find(|(key, ..)| plain(*key));
        out.extend(way.and_then(|(_, right, down)| neighbor(scene.session, right, down)));
    }
    switches(view, axis, &plain);
}

/// The keys that edit, and those that choose the clips to edit.
fn edits(
    scene: Scene<'_>,
    view: &mut TimelineView,
    under: Option<(Hit, Frames)>,
    pressed: &dyn Fn(Modifiers, Key) -> bool,
    out: &mut Actions,
) {
    let plain = |key| pressed(Modifiers::NONE, key);
    let session = scene.session;
    let position = scene.live.position;
    if pressed(Modifiers::COMMAND, Key::A) {
        let clips: Vec<_> = session.clips.keys().copied().collect();
        out.push(select(session, &clips));
    }
    if pressed(Modifiers::COMMAND, Key::D) {
        out.extend(duplicate(session));
    }
    if plain(Key::S) {
        out.extend(split_at(session, under, position));
    }
    // Before the same key without Shift, which would take it too.
    if pressed(Modifiers::SHIFT, Key::Delete) {
        out.extend(delete(session, true));
    }
    if plain(Key::Delete) || plain(Key::Backspace) {
        match view.marker.take().filter(|id| session.markers.contains_key(id)) {
            Some(id) => out.push(call(Gesture::RemoveMarker, json!({"marker": id}))),
            None => out.extend(delete(session, view.ripples)),
        }
    }
    if plain(Key::M) {
        out.push(add_marker(session, position));
    }
    if plain(Key::X) {
        out.push(crossfade(session));
    }
    if plain(Key::F2) {
        rename(scene, view);
    }
}

/// Splits at both edges of the selected time, else at the pointer when it is over a clip, else at the playhead.
fn split_at(session: &Session, under: Option<(Hit, Frames)>, playhead: Frames) -> Option<Action> {
    if let Some(ranged) = Ranged::chosen(session) {
        return Some(ranged.split(session));
    }
    let over = under.and_then(|(hit, at)| Some((vec![hit.clip()?], at)));
    let (clips, at) = over.unwrap_or_else(|| (selected(session), playhead));
    split(session, &clips, at)
}

/// Deselects all clips; false if none was selected.
pub(crate) fn deselect(session: &Session, out: &mut Actions) -> bool {
    let is_any = !session.selection.clips.is_empty();
    out.extend(is_any.then(|| select(session, &[])));
    is_any
}

fn switches(view: &mut TimelineView, axis: &Axis, plain: &dyn Fn(Key) -> bool) {
    for (key, tool) in [(Key::V, Tool::Select), (Key::C, Tool::Split), (Key::T, Tool::Range)] {
        if plain(key) {
            view.tool = tool;
        }
    }
    if plain(Key::N) {
        view.is_loose = !view.is_loose;
    }
    if plain(Key::F) {
        view.stays = !view.stays;
    }
    if plain(Key::G) {
        view.hides_ghosts = !view.hides_ghosts;
    }
    if plain(Key::Plus) || plain(Key::Equals) {
        axis.zoom(view, 1.5);
    }
    if plain(Key::Minus) {
        axis.zoom(view, 1.0 / 1.5);
    }
    if plain(Key::Num0) {
        view.show_all();
    }
}

/// Names the chosen marker, the selected clip, or the selected track.
fn rename(scene: Scene<'_>, view: &mut TimelineView) {
    let session = scene.session;
    let middle = egui::Rect::NOTHING;
    if let Some((id, marker)) = view.marker.and_then(|id| session.markers.get_key_value(&id)) {
        view.rename(Named::Marker(*id), &marker.name, middle);
    } else if let Some(id) = selected(session).first()
        && let Some(clip) = session.clips.get(id)
    {
        view.rename(Named::Clip(*id), &clip.name, middle);
    } else if let Some(id) = session.selection.tracks.first()
        && let Some(track) = session.tracks.get(id)
    {
        view.rename(Named::Track(*id), &track.name, middle);
    }
}
