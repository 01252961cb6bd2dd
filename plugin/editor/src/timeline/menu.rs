//! The menus of clips and of empty lanes. What they do is also done by a key, a drag or a control.

use super::calls::{
    add_marker, crossfade, delete, duplicate, seconds, selected, split, with_group,
};
use super::clipboard;
use super::hit::Hit;
use super::range::Ranged;
use crate::action::{Action, Actions, Gesture, call};
use crate::kit::context;
use crate::scene::Scene;
use crate::show_menu;
use crate::timeline::view::{Named, TimelineView};
use crate::track_menu::{add_tracks, mute};
use deskhand_dsp::Frames;
use deskhand_session::offers::Menu;
use deskhand_session::text::count;
use deskhand_session::{Clip, ClipId, Handle, Session, TimeRange, TrackId};
use egui::{Button, Ui};
use serde_json::{Value, json};

/// Seconds of silence to choose from.
const SILENCES: [f64; 4] = [0.5, 1.0, 2.0, 5.0];

/// An entry with the key that does the same; whether it was chosen.
pub(crate) fn entry(ui: &mut Ui, words: &str, key: &str) -> bool {
    let button = Button::new(words);
    context::entry(ui, if key.is_empty() { button } else { button.shortcut_text(key) })
}

pub(super) fn show(ui: &mut Ui, scene: Scene<'_>, view: &mut TimelineView, out: &mut Actions) {
    let session = scene.session;
    let ranged = Ranged::chosen(session);
    match view.menu_hit {
        Hit::Clip(id, _) => {
            clip(ui, scene, view, id, out);
            if ranged.is_none() {
                removal(ui, session, out);
                ui.separator();
            }
            paste(ui, session, view, out);
            markers(ui, scene, view.menu_frame, out);
        }
        Hit::Lane(track) => lane(ui, scene, view, Some(track), out),
        Hit::Nothing => lane(ui, scene, view, None, out),
    }
    if let Some(ranged) = &ranged {
        ui.separator();
        range_edits(ui, session, view, ranged, out);
    }
    if let Some(range) = session.selection.range {
        of_range(ui, session, range, view.menu_frame, out);
    }
}

/// The menu of a clip, up to its removal.
fn clip(ui: &mut Ui, scene: Scene<'_>, view: &mut TimelineView, id: ClipId, out: &mut Actions) {
    let session = scene.session;
    view.asks |= entry(ui, "Ask about this", "");
    ui.separator();
    clip_edits(ui, scene, view, id, out);
    ui.separator();
    if let Some(clip) = session.clips.get(&id) {
        ui.menu_button("Fades", |ui| fades(ui, session, (id, clip), view.menu_frame, out));
        ui.menu_button("Gain", |ui| gain(ui, session, (id, clip), out));
    }
    for (offered, call) in scene.tools.entries(Menu::Clip, &meant(session, id)) {
        if entry(ui, &offered.label, &offered.key) {
            out.push(call);
        }
    }
    mute_clips(ui, session, id, out);
    if let Some(track) = session.clips.get(&id).map(|clip| clip.track) {
        mute(ui, session, &[track], out);
    }
    ui.separator();
    if let Some(clip) = session.clips.get(&id)
        && entry(ui, "Rename…", "F2")
    {
        view.rename(Named::Clip(id), &clip.name, egui::Rect::NOTHING);
    }
    show_menu::show(ui, &Handle::Clip(id), out);
    ui.separator();
}

/// Mutes the clips that are meant, or lets them sound again; the same with their polarity.
fn mute_clips(ui: &mut Ui, session: &Session, id: ClipId, out: &mut Actions) {
    let Some(clip) = session.clips.get(&id) else { return };
    let clips = meant(session, id);
    if entry(ui, "Reverse polarity", "") {
        let is_turned = !clip.polarity.is_normal();
        let params = json!({"targets": clips, "inverted": !is_turned});
        out.push(call(Gesture::TurnClip, params));
    }
    let words = if clip.mute { "Unmute" } else { "Mute" };
    if entry(ui, &format!("{words} {}", count(clips.len(), "clip")), "") {
        out.push(call(Gesture::MuteClip, json!({"targets": clips, "mute": !clip.mute})));
    }
}

/// The menu of a lane where no clip is, or of the room below the lanes.
fn lane(
    ui: &mut Ui,
    scene: Scene<'_>,
    view: &mut TimelineView,
    track: Option<TrackId>,
    out: &mut Actions,
) {
    let (session, at) = (scene.session, view.menu_frame);
    paste(ui, session, view, out);
    if !scene.live.is_hosted() && entry(ui, "Import audio…", "Ctrl I") {
        out.push(Action::Import);
    }
    let place = track.and_then(|id| session.track_order.iter().position(|known| *known == id));
    add_tracks(ui, session, place.map_or(session.track_order.len(), |place| place + 1), out);
    ui.separator();
    if let Some(track) = track {
        ui.menu_button("Insert silence here", |ui| {
            for length in SILENCES {
                if entry(ui, &format!("{length} s"), "") {
                    let at = seconds(session, at);
                    let params = json!({"targets": [track], "at_s": at, "length_s": length});
                    out.push(call(Gesture::InsertTime, params));
                }
            }
        });
    }
    markers(ui, scene, at, out);
}

fn paste(ui: &mut Ui, session: &Session, view: &mut TimelineView, out: &mut Actions) {
    if view.clipboard.has_any(session) && entry(ui, "Paste here", "") {
        let track = view.menu_hit.track(session);
        out.extend(clipboard::paste(session, view, view.menu_frame, track));
    }
}

/// New markers, at a time and at the playhead.
pub(super) fn markers(ui: &mut Ui, scene: Scene<'_>, at: Frames, out: &mut Actions) {
    if entry(ui, "Add a marker here", "") {
        out.push(add_marker(scene.session, at));
    }
    if entry(ui, "Add a marker at the playhead", "M") {
        out.push(add_marker(scene.session, scene.live.position));
    }
}

/// The selected clips if this is one of them, otherwise this one.
fn meant(session: &Session, id: ClipId) -> Vec<ClipId> {
    let chosen = selected(session);
    if chosen.contains(&id) { chosen } else { vec![id] }
}

/// The cuts and copies of the selected clips, or of the one under the pointer.
fn clip_edits(
    ui: &mut Ui,
    scene: Scene<'_>,
    view: &mut TimelineView,
    id: ClipId,
    out: &mut Actions,
) {
    let session = scene.session;
    let clips = meant(session, id);
    if entry(ui, "Split here", "S") {
        out.extend(split(session, &clips, view.menu_frame));
    }
    // The key splits there only where the pointer is over no lane.
    if entry(ui, "Split at the playhead", "") {
        out.extend(split(session, &clips, scene.live.position));
    }
    if let Some(trim) = trim(session, id)
        && entry(ui, "Trim to the selected time", "")
    {
        out.push(trim);
    }
    for (words, key, is_cut) in [("Copy", "Ctrl C", false), ("Cut", "Ctrl X", true)] {
        if entry(ui, words, key) {
            clipboard::hold(ui, session, view, clips.clone(), is_cut);
        }
    }
    if entry(ui, "Duplicate", "Ctrl D") {
        out.extend(duplicate(session));
    }
}

/// Takes off a clip, and off its group, what is outside the selected time; `None` if nothing is.
fn trim(session: &Session, id: ClipId) -> Option<Action> {
    let (range, clip) = (session.selection.range?, session.clips.get(&id)?);
    let mut params = json!({"targets": with_group(session, id)});
    let is_in = |at: Frames| clip.position < at && at < clip.end();
    for (name, at) in [("start_s", range.start), ("end_s", range.end)] {
        if is_in(at) {
            params[name] = json!(seconds(session, at));
        }
    }
    let cuts = is_in(range.start) || is_in(range.end);
    cuts.then(|| call(Gesture::TrimClip, params))
}

/// Fades of a clip that reach to the pointer, and none.
fn fades(
    ui: &mut Ui,
    session: &Session,
    (id, clip): (ClipId, &Clip),
    at: Frames,
    out: &mut Actions,
) {
    let clips = meant(session, id);
    let milliseconds = |frames: Frames| seconds(session, frames) * 1000.0;
    let mut fade = |ui: &mut Ui, words: &str, edges: Value| {
        if entry(ui, words, "") {
            let mut params = edges;
            params["targets"] = json!(clips);
            out.push(call(Gesture::FadeClip, params));
        }
    };
    fade(ui, "Fade in up to here", json!({"fade_in_ms": milliseconds(at - clip.position)}));
    fade(ui, "Fade out from here", json!({"fade_out_ms": milliseconds(clip.end() - at)}));
    if clip.fade_in.length > Frames::ZERO || clip.fade_out.length > Frames::ZERO {
        fade(ui, "Remove the fades", json!({"fade_in_ms": 0.0, "fade_out_ms": 0.0}));
    }
    if entry(ui, "Crossfade", "X") {
        out.push(crossfade(session));
    }
}

/// Steps of a clip's gain, a line to draw on for the whole clip, and steps in the selected time.
fn gain(ui: &mut Ui, session: &Session, (id, clip): (ClipId, &Clip), out: &mut Actions) {
    for (words, change) in [("Up by 1 dB", 1.0), ("Down by 1 dB", -1.0)] {
        if entry(ui, words, "") {
            let params = json!({"targets": meant(session, id), "change_db": change});
            out.push(call(Gesture::SetClipGain, params));
        }
    }
    let draw =
        |points: Value| call(Gesture::DrawClipGain, json!({"targets": [id], "points": points}));
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
    if entry(ui, "Delete and close the gap", "Shift Del") {
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
        [("Copy the selected time", "Ctrl C", false), ("Cut the selected time", "Ctrl X", true)]
    {
        if entry(ui, words, key) {
            clipboard::hold_time(ui, session, view, ranged.clone(), is_cut);
        }
    }
    if entry(ui, "Delete what is in the selected time", "Del") {
        out.push(ranged.delete(session));
    }
    close_gap(ui, session, out);
}

/// Deletes the selected time.
pub(super) fn close_gap(ui: &mut Ui, session: &Session, out: &mut Actions) {
    if entry(ui, "Delete the selected time and close the gap", "Shift Del") {
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
    mark(ui, session, range, out);
}

/// Makes a marker of the selected time.
pub(super) fn mark(ui: &mut Ui, session: &Session, range: TimeRange, out: &mut Actions) {
    if entry(ui, "Mark the selected time", "") {
        let length = seconds(session, range.end - range.start);
        let (at, name) = (seconds(session, range.start), "Range");
        let params = json!({"at_s": at, "length_s": length, "name": name});
        out.push(call(Gesture::AddMarker, params));
    }
}

/// Remembers the part under the pointer when the menu was requested.
pub(super) fn remember(view: &mut TimelineView, hit: Hit, at: Frames) {
    (view.menu_hit, view.menu_frame) = (hit, at);
}
