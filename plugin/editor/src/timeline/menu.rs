//! The menus of clips and of empty lanes. What they do is also done by a key, a drag or a control.

use super::calls::{
    add_marker, crossfade, delete, duplicate, seconds, selected, split, with_group,
};
use super::clipboard;
use super::hit::Hit;
use super::range::Ranged;
use crate::action::{Action, Actions, Gesture, call};
use crate::kit::menu::{entries, entry, entry_with_key, line, submenu};
use crate::scene::Scene;
use crate::show_menu;
use crate::timeline::view::{Named, TimelineView};
use crate::track_menu::{add_tracks, mute};
use deskhand_dsp::Frames;
use deskhand_session::offers::Menu;
use deskhand_session::text::count;
use deskhand_session::{Clip, ClipId, Handle, Session, TimeRange, TrackId};
use egui::Ui;
use serde_json::{Value, json};

/// Seconds of silence to choose from.
const SILENCES: [f64; 4] = [0.5, 1.0, 2.0, 5.0];

/// Its words, its key and what it does.
type Entry = (&'static str, &'static str, Action);

pub(super) fn show(ui: &mut Ui, scene: Scene<'_>, view: &mut TimelineView, out: &mut Actions) {
    let session = scene.session;
    let ranged = Ranged::chosen(session);
    match view.menu_hit {
        Hit::Clip(id, _) => {
            if let Some(clip) = session.clips.get(&id) {
                of_clip(ui, scene, view, (id, clip), out);
            }
            if ranged.is_none() {
                let closes =
                    [("Delete", "Del", false), ("Delete and close the gap", "Shift Del", true)];
                out.extend(entries(ui, closes).into_iter().flat_map(|it| delete(session, it)));
                line(ui);
            }
            paste(ui, session, view, out);
            markers(ui, scene, view.menu_frame, out);
        }
        Hit::Lane(track) => of_lane(ui, scene, view, Some(track), out),
        Hit::Nothing => of_lane(ui, scene, view, None, out),
    }
    if let Some(ranged) = &ranged {
        line(ui);
        range_edits(ui, session, view, ranged, out);
    }
    if let Some(range) = session.selection.range {
        let at = seconds(session, view.menu_frame);
        let length = seconds(session, range.end - range.start);
        let params = json!({"targets": session.selection.tracks, "at_s": at, "length_s": length});
        let insert = call(Gesture::InsertTime, params);
        out.extend(entries(
            ui,
            [("Insert the selected length here", "", insert), mark(session, range)],
        ));
    }
}

/// The menu of a clip, up to its removal.
fn of_clip(
    ui: &mut Ui,
    scene: Scene<'_>,
    view: &mut TimelineView,
    (id, clip): (ClipId, &Clip),
    out: &mut Actions,
) {
    let (session, at) = (scene.session, view.menu_frame);
    let clips = meant(session, id);
    view.asks |= entry(ui, "Ask about this");
    line(ui);
    clip_edits(ui, scene, view, (id, &clips), out);
    line(ui);
    submenu(ui, "Fades", |ui| out.extend(entries(ui, fades(session, &clips, clip, at))));
    submenu(ui, "Gain", |ui| out.extend(entries(ui, gains(session, &clips, (id, clip)))));
    out.extend(entries(ui, scene.tools.entries(Menu::Clip, &clips)));
    out.extend(entries(ui, switches(&clips, clip)));
    mute(ui, session, &[clip.track], out);
    line(ui);
    if entry_with_key(ui, "Rename…", "F2") {
        view.rename(Named::Clip(id), &clip.name, egui::Rect::NOTHING);
    }
    show_menu::show(ui, &Handle::Clip(id), out);
    line(ui);
}

/// The menu of a lane where no clip is, or of the room below the lanes.
fn of_lane(
    ui: &mut Ui,
    scene: Scene<'_>,
    view: &mut TimelineView,
    track: Option<TrackId>,
    out: &mut Actions,
) {
    let (session, at) = (scene.session, view.menu_frame);
    paste(ui, session, view, out);
    if !scene.live.is_hosted() && entry_with_key(ui, "Import audio…", "Ctrl I") {
        out.push(Action::Import);
    }
    let place = track.and_then(|id| session.track_order.iter().position(|known| *known == id));
    add_tracks(ui, session, place.map_or(session.track_order.len(), |place| place + 1), out);
    line(ui);
    if let Some(track) = track {
        let silence = |length: f64| {
            let params =
                json!({"targets": [track], "at_s": seconds(session, at), "length_s": length});
            (format!("{length} s"), "", call(Gesture::InsertTime, params))
        };
        submenu(ui, "Insert silence here", |ui| out.extend(entries(ui, SILENCES.map(silence))));
    }
    markers(ui, scene, at, out);
}

fn paste(ui: &mut Ui, session: &Session, view: &mut TimelineView, out: &mut Actions) {
    if view.clipboard.has_any(session) && entry(ui, "Paste here") {
        let track = view.menu_hit.track(session);
        out.extend(clipboard::paste(session, view, view.menu_frame, track));
    }
}

/// New markers, at a time and at the playhead.
pub(super) fn markers(ui: &mut Ui, scene: Scene<'_>, at: Frames, out: &mut Actions) {
    let times =
        [("Add a marker here", "", at), ("Add a marker at the playhead", "M", scene.live.position)];
    out.extend(entries(ui, times).map(|at| add_marker(scene.session, at)));
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
    (id, clips): (ClipId, &[ClipId]),
    out: &mut Actions,
) {
    let session = scene.session;
    // The key splits at the playhead only where the pointer is over no lane.
    let splits =
        [("Split here", "S", view.menu_frame), ("Split at the playhead", "", scene.live.position)];
    out.extend(entries(ui, splits).and_then(|at| split(session, clips, at)));
    let trim = trim(session, id).map(|trim| ("Trim to the selected time", "", trim));
    out.extend(entries(ui, trim));
    if let Some(is_cut) = entries(ui, [("Copy", "Ctrl C", false), ("Cut", "Ctrl X", true)]) {
        clipboard::hold(ui, session, view, clips.to_vec(), is_cut);
    }
    if entry_with_key(ui, "Duplicate", "Ctrl D") {
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
    session: &Session,
    clips: &[ClipId],
    clip: &Clip,
    at: Frames,
) -> impl Iterator<Item = Entry> {
    let milliseconds = |frames: Frames| seconds(session, frames) * 1000.0;
    let fade = |words, mut params: Value| {
        params["targets"] = json!(clips);
        (words, "", call(Gesture::FadeClip, params))
    };
    let has_fade = clip.fade_in.length > Frames::ZERO || clip.fade_out.length > Frames::ZERO;
    let none = json!({"fade_in_ms": 0.0, "fade_out_ms": 0.0});
    let reach = [
        fade("Fade in up to here", json!({"fade_in_ms": milliseconds(at - clip.position)})),
        fade("Fade out from here", json!({"fade_out_ms": milliseconds(clip.end() - at)})),
    ];
    let none = has_fade.then(|| fade("Remove the fades", none));
    reach.into_iter().chain(none).chain([("Crossfade", "X", crossfade(session))])
}

/// Mutes clips or lets them sound again, and turns their polarity: all as the clip under the pointer goes.
fn switches(clips: &[ClipId], clip: &Clip) -> [(String, &'static str, Action); 2] {
    let mute = json!({"targets": clips, "mute": !clip.mute});
    let turn = json!({"targets": clips, "inverted": clip.polarity.is_normal()});
    let verb = if clip.mute { "Unmute" } else { "Mute" };
    let what = if clips.len() == 1 { "the clip".into() } else { count(clips.len(), "clip") };
    [
        ("Reverse polarity".to_owned(), "", call(Gesture::TurnClip, turn)),
        (format!("{verb} {what}"), "", call(Gesture::MuteClip, mute)),
    ]
}

/// Steps of a clip's gain, a line to draw on for the whole clip, and steps in the selected time.
fn gains(
    session: &Session,
    clips: &[ClipId],
    (id, clip): (ClipId, &Clip),
) -> impl Iterator<Item = Entry> {
    let steps = [("Up by 1 dB", 1.0), ("Down by 1 dB", -1.0)].map(|(words, change)| {
        let params = json!({"targets": clips, "change_db": change});
        (words, "", call(Gesture::SetClipGain, params))
    });
    let (words, points) = if clip.envelope.is_empty() {
        let ends = [clip.position, clip.end()].map(|at| seconds(session, at));
        let points = ends.map(|at_s| json!({"at_s": at_s, "gain_db": 0.0}));
        ("Draw gain over time", points.to_vec())
    } else {
        ("Remove gain over time", Vec::new())
    };
    let draw = call(Gesture::DrawClipGain, json!({"targets": [id], "points": points}));
    let ranged = session.selection.range.into_iter().flat_map(move |range| {
        let [from, to] = [range.start, range.end].map(|at| seconds(session, at));
        let steps = [("Selected time up by 3 dB", 3.0), ("Selected time down by 3 dB", -3.0)];
        steps.map(|(words, change)| {
            let range = json!({"from_s": from, "to_s": to, "change_db": change});
            let params = json!({"targets": [id], "range": range});
            (words, "", call(Gesture::DrawClipGain, params))
        })
    });
    steps.into_iter().chain([(words, "", draw)]).chain(ranged)
}

/// The actions on the clips in the selected time.
fn range_edits(
    ui: &mut Ui,
    session: &Session,
    view: &mut TimelineView,
    ranged: &Ranged,
    out: &mut Actions,
) {
    if entry_with_key(ui, "Split at the edges of the selected time", "S") {
        out.push(ranged.split(session));
    }
    let holds =
        [("Copy the selected time", "Ctrl C", false), ("Cut the selected time", "Ctrl X", true)];
    if let Some(is_cut) = entries(ui, holds) {
        clipboard::hold_time(ui, session, view, ranged.clone(), is_cut);
    }
    if entry_with_key(ui, "Delete what is in the selected time", "Del") {
        out.push(ranged.delete(session));
    }
    close_gap(ui, session, out);
}

/// Deletes the selected time.
pub(super) fn close_gap(ui: &mut Ui, session: &Session, out: &mut Actions) {
    if entry_with_key(ui, "Delete the selected time and close the gap", "Shift Del") {
        out.extend(delete(session, true));
    }
}

/// Makes a marker of the selected time.
pub(super) fn mark(session: &Session, range: TimeRange) -> Entry {
    let length = seconds(session, range.end - range.start);
    let at = seconds(session, range.start);
    let params = json!({"at_s": at, "length_s": length, "name": "Range"});
    ("Mark the selected time", "", call(Gesture::AddMarker, params))
}

/// Remembers the part under the pointer when the menu was requested.
pub(super) fn remember(view: &mut TimelineView, hit: Hit, at: Frames) {
    (view.menu_hit, view.menu_frame) = (hit, at);
}
