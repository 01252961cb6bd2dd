//! The menu of a track, the same on its header and on its strip.

use crate::action::{Actions, Gesture, call};
use crate::kit::menu::{choice, entries, entry, entry_with_key, line, submenu};
use crate::scene::Scene;
use crate::theme::Theme;
use crate::timeline;
use crate::timeline::view::{Named, TimelineView};
use deskhand_session::offers::Menu;
use deskhand_session::{Output, Session, TrackId, TrackKind};
use egui::{Rect, RichText, Ui};
use serde_json::{Value, json};

/// A name that no track has yet: "Bus 1".
pub(crate) fn fresh_name(session: &Session, word: &str) -> String {
    let is_free = |name: &String| session.tracks.values().all(|track| track.name != *name);
    let mut names = (1..=session.tracks.len() + 1).map(|number| format!("{word} {number}"));
    names.find(is_free).unwrap_or_else(|| word.to_owned())
}

/// The selected tracks if this is one of them, otherwise this one.
fn meant(session: &Session, id: TrackId) -> Vec<TrackId> {
    let tracks = &session.selection.tracks;
    if tracks.contains(&id) { tracks.clone() } else { vec![id] }
}

fn of_several(words: &str, tracks: &[TrackId]) -> String {
    if tracks.len() > 1 { format!("{words} of {} tracks", tracks.len()) } else { words.into() }
}

// tidy: painting
pub(crate) fn show(
    ui: &mut Ui,
    scene: Scene<'_>,
    view: &mut TimelineView,
    id: TrackId,
    out: &mut Actions,
) {
    let session = scene.session;
    let Some(track) = session.tracks.get(&id) else { return };
    let tracks = meant(session, id);
    if entry(ui, "Ask about this") {
        view.asks = true;
        out.push(call(Gesture::Select, json!({"targets": tracks})));
    }
    line(ui);
    if entry_with_key(ui, "Rename…", "F2") {
        view.rename(Named::Track(id), &track.name, Rect::NOTHING);
    }
    submenu(ui, of_several("Color", &tracks), |ui| color(ui, &tracks, out));
    submenu(ui, of_several("Output", &tracks), |ui| output(ui, session, id, &tracks, out));
    group(ui, session, view, id, out);
    line(ui);
    mute(ui, session, &tracks, out);
    let words = if track.solo { "End the solo" } else { "Solo" };
    if entry(ui, of_several(words, &tracks)) {
        out.push(call(Gesture::SoloTrack, json!({"targets": tracks, "solo": !track.solo})));
    }
    if track.envelope.is_empty() {
        if entry(ui, "Draw gain over time") {
            out.push(timeline::begin_gains(session, id));
        }
    } else if entry(ui, "Remove gain over time") {
        out.push(call(Gesture::DrawTrackGain, json!({"targets": [id], "points": []})));
    }
    line(ui);
    let index = session.track_order.iter().position(|known| *known == id).unwrap_or(0);
    let to = |index: usize| call(Gesture::MoveTrack, json!({"targets": [id], "index": index}));
    if index > 0 && entry(ui, "Move up") {
        out.push(to(index - 1));
    }
    if index + 1 < session.track_order.len() && entry(ui, "Move down") {
        out.push(to(index + 1));
    }
    add_tracks(ui, session, index + 1, out);
    line(ui);
    let menu = if track.kind == TrackKind::Bus { Menu::Bus } else { Menu::Track };
    out.extend(entries(ui, scene.tools.entries(menu, &[id])));
}

/// Mutes tracks, or lets them sound again.
pub(crate) fn mute(ui: &mut Ui, session: &Session, tracks: &[TrackId], out: &mut Actions) {
    let first = tracks.first().and_then(|id| session.tracks.get(id));
    let Some(track) = first else { return };
    let words = if track.mute { "Unmute" } else { "Mute" };
    let words = match tracks {
        [_] => format!("{words} the track"),
        all => format!("{words} {} tracks", all.len()),
    };
    if entry(ui, words) {
        out.push(call(Gesture::MuteTrack, json!({"targets": tracks, "mute": !track.mute})));
    }
}

/// New tracks at a place of the order.
pub(crate) fn add_tracks(ui: &mut Ui, session: &Session, index: usize, out: &mut Actions) {
    for (words, kind, name) in
        [("Add an audio track below", "audio", "Audio"), ("Add a bus below", "bus", "Bus")]
    {
        if entry(ui, words) {
            let params = json!({"kind": kind, "name": fresh_name(session, name), "index": index});
            out.push(call(Gesture::AddTrack, params));
        }
    }
}

/// The seven hues by name, and no color.
fn color(ui: &mut Ui, tracks: &[TrackId], out: &mut Actions) {
    let names = ["Rose", "Lilac", "Clay", "Steel", "Sage", "Sand", "Mauve"];
    let theme = Theme::of(ui.visuals());
    for (index, name) in names.into_iter().enumerate() {
        // Stored as the dark tone, and shown in the tone of the theme.
        let [red, green, blue, _] = Theme::DARK.hues[index].strong.to_array();
        let hex = format!("#{red:02x}{green:02x}{blue:02x}");
        if entry(ui, RichText::new(name).color(theme.hues[index].strong)) {
            out.push(call(Gesture::ColorTrack, json!({"targets": tracks, "color": hex})));
        }
    }
    if entry(ui, "No color") {
        out.push(call(Gesture::ColorTrack, json!({"targets": tracks, "color": "none"})));
    }
}

/// Where the track is played to, and with it the others that are selected.
fn output(ui: &mut Ui, session: &Session, id: TrackId, tracks: &[TrackId], out: &mut Actions) {
    let output_of = |id: &TrackId| session.tracks.get(id).map(|track| track.output);
    let now = output_of(&id).unwrap_or_default();
    let mut route = |ui: &mut Ui, words: &str, output: Output, value: Value| {
        let changes = tracks.iter().any(|track| output_of(track) != Some(output));
        if choice(ui, now == output, words).clicked() && changes {
            out.push(call(Gesture::RouteTrack, json!({"targets": tracks, "output": value})));
        }
    };
    route(ui, "Master", Output::Master, json!("master"));
    for (bus, track) in session.tracks_in_order() {
        // A bus that plays through one of these tracks would make a loop.
        let loops = session.path_of(bus).any(|step| tracks.contains(&step));
        if track.kind == TrackKind::Bus && !loops {
            route(ui, &track.name, Output::Bus(bus), json!(bus));
        }
    }
}

fn group(ui: &mut Ui, session: &Session, view: &mut TimelineView, id: TrackId, out: &mut Actions) {
    if let Some((_, group)) = session.group_of(id) {
        let rest: Vec<&TrackId> = group.tracks.iter().filter(|track| **track != id).collect();
        if entry(ui, format!("Leave the group \"{}\"", group.name)) {
            out.push(call(Gesture::GroupTracks, json!({"targets": rest, "name": group.name})));
        }
        return;
    }
    let tracks = meant(session, id);
    let words = if tracks.len() > 1 { "Group the selected tracks…" } else { "Make a group…" };
    if entry(ui, words) {
        let name = format!("Group {}", session.groups.len() + 1);
        view.rename(Named::Group(tracks), &name, Rect::NOTHING);
    }
    for known in session.groups.values() {
        if entry(ui, format!("Join the group \"{}\"", known.name)) {
            let mut tracks = known.tracks.clone();
            tracks.push(id);
            out.push(call(Gesture::GroupTracks, json!({"targets": tracks, "name": known.name})));
        }
    }
}
