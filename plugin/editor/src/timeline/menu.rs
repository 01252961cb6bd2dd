//! The menu of the lanes; each entry has a key or a control of its own.

use super::calls::{add_marker, crossfade, delete, duplicate, seconds, selected, split};
use super::clipboard;
use super::hit::Hit;
use super::range::Ranged;
use crate::action::{Actions, Gesture, call};
use crate::scene::Scene;
use crate::show_menu;
use crate::timeline::view::{Named, TimelineView};
use deskhand_dsp::Frames;
use deskhand_session::offers::Menu;
use deskhand_session::{ClipId, Handle, Session, TimeRange};
use egui::{Button, Ui};
use serde_json::json;

fn entry(ui: &mut Ui, words: &str, key: &str) -> bool {
    ui.add(Button::new(words).shortcut_text(key)).clicked()
}

pub(super) fn show(ui: &mut Ui, scene: Scene<'_>, view: &mut TimelineView, out: &mut Actions) {
    let (session, at) = (scene.session, view.menu_frame);
    if let Hit::Clip(id, _) = view.menu_hit {
        clip_edits(ui, scene, view, id, out);
        ui.separator();
        show_menu::show(ui, &Handle::Clip(id), out);
        ui.separator();
        removal(ui, session, out);
        ui.separator();
    }
    if view.clipboard.has_any(session) && entry(ui, "Paste here", "") {
        let track = view.menu_hit.track(session);
        out.extend(clipboard::paste(session, view, at, track));
    }
    if entry(ui, "Add a marker here", "") {
        out.push(add_marker(session, at));
    }
    if entry(ui, "Add a marker at the playhead", "M") {
        out.push(add_marker(session, scene.live.position));
    }
    if let Some(ranged) = Ranged::chosen(session) {
        ui.separator();
        range_edits(ui, session, view, &ranged, out);
    }
    if let Some(range) = session.selection.range {
        of_range(ui, session, range, at, out);
    }
}

/// The actions on the selected clips, or on the one under the pointer.
fn clip_edits(
    ui: &mut Ui,
    scene: Scene<'_>,
    view: &mut TimelineView,
    id: ClipId,
    out: &mut Actions,
) {
    let session = scene.session;
    let chosen = selected(session);
    let clips = if chosen.contains(&id) { chosen } else { vec![id] };
    if entry(ui, "Split here", "S") {
        out.extend(split(session, &clips, view.menu_frame));
    }
    // The key splits there only where the pointer is over no lane.
    if entry(ui, "Split at the playhead", "") {
        out.extend(split(session, &clips, scene.live.position));
    }
    for (words, key, is_cut) in [("Copy", "Ctrl+C", false), ("Cut", "Ctrl+X", true)] {
        if entry(ui, words, key) {
            clipboard::hold(ui, session, view, clips.clone(), is_cut);
        }
    }
    if entry(ui, "Duplicate", "Ctrl+D") {
        out.extend(duplicate(session));
    }
    if clips.len() > 1 && entry(ui, "Crossfade", "X") {
        out.push(crossfade(session));
    }
    for (offered, call) in scene.tools.entries(Menu::Clip, &clips) {
        if entry(ui, &offered.label, &offered.key) {
            out.push(call);
        }
    }
    gain_over_time(ui, session, id, out);
    if let Some(clip) = session.clips.get(&id)
        && entry(ui, "Rename…", "F2")
    {
        view.rename(Named::Clip(id), &clip.name, egui::Rect::NOTHING);
    }
}

/// A line to draw on for the whole clip, or a step up or down in the selected time.
fn gain_over_time(ui: &mut Ui, session: &Session, id: ClipId, out: &mut Actions) {
    let Some(clip) = session.clips.get(&id) else { return };
    let draw = |points: serde_json::Value| {
        call(Gesture::DrawClipGain, json!({"targets": [id], "points": points}))
    };
    if clip.envelope.is_empty() {
        if entry(ui, "Draw gain over time", "") {
            let ends = [clip.position, clip.end()].map(|at| seconds(session, at));
            out.push(draw(ends.map(|at_s| json!({"at_s": at_s, "gain_db": 0.0})).to_vec().into()));
        }
    } else if entry(ui, "Remove gain over time", "") {
        out.push(draw(json!([])));
    }
    let Some(range) = session.selection.range else { return };
    let [from, to] = [range.start, range.end].map(|at| seconds(session, at));
    for (words, change) in [("Selected time up by 3 dB", 3.0), ("Selected time down by 3 dB", -3.0)]
    {
        if entry(ui, words, "") {
            let range = json!({"from_s": from, "to_s": to, "change_db": change});
            out.push(call(Gesture::DrawClipGain, json!({"targets": [id], "range": range})));
        }
    }
}

fn removal(ui: &mut Ui, session: &Session, out: &mut Actions) {
    if entry(ui, "Delete", "Del") {
        out.extend(delete(session, false));
    }
    if entry(ui, "Delete and close the gap", "Shift+Del") {
        out.extend(delete(session, true));
    }
}

/// The actions on the clips in the selected time.
fn range_edits(
    ui: &mut Ui,
    session: &Session,
    view: &mut TimelineView,
    ranged: &Ranged,
    out: &mut Actions,
) {
    if entry(ui, "Split at the edges of the selected time", "S") {
        out.push(ranged.split(session));
    }
    for (words, key, is_cut) in
        [("Copy the selected time", "Ctrl+C", false), ("Cut the selected time", "Ctrl+X", true)]
    {
        if entry(ui, words, key) {
            clipboard::hold_time(ui, session, view, ranged.clone(), is_cut);
        }
    }
    if entry(ui, "Delete what is in the selected time", "Del") {
        out.push(ranged.delete(session));
    }
    if entry(ui, "Delete the selected time and close the gap", "Shift+Del") {
        out.extend(delete(session, true));
    }
}

/// What else is done with the selected time.
fn of_range(ui: &mut Ui, session: &Session, range: TimeRange, at: Frames, out: &mut Actions) {
    let length = seconds(session, range.end - range.start);
    if entry(ui, "Insert the selected length here", "") {
        let tracks = &session.selection.tracks;
        let params = json!({"targets": tracks, "at_s": seconds(session, at), "length_s": length});
        out.push(call(Gesture::InsertTime, params));
    }
    if entry(ui, "Mark the selected time", "") {
        let (at, name) = (seconds(session, range.start), "Range");
        let params = json!({"at_s": at, "length_s": length, "name": name});
        out.push(call(Gesture::AddMarker, params));
    }
}

/// Remembers the part under the pointer when the menu was requested.
pub(super) fn remember(view: &mut TimelineView, hit: Hit, at: Frames) {
    (view.menu_hit, view.menu_frame) = (hit, at);
}
