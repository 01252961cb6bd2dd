//! Steps by keys: clips a little to the side or to another track, the playhead to the next edge.

use super::Axis;
use super::calls::{nudge, selected};
use super::track_shift::Down;
use crate::action::{Action, Actions, Gesture, call};
use deskhand_dsp::Frames;
use deskhand_protocol::desk::Play;
use deskhand_session::{Session, TrackId, TrackKind};
use egui::{Key, Modifiers};
use serde_json::json;

/// How far clips are nudged, points, and with Shift.
const NUDGE: (f32, f32) = (8.0, 1.0);

const SIDEWAYS: [(Key, i64); 2] = [(Key::ArrowLeft, -1), (Key::ArrowRight, 1)];
const UPRIGHT: [(Key, i64); 2] = [(Key::ArrowUp, -1), (Key::ArrowDown, 1)];

/// Alt and the arrows: the selected clips in time, finely with Shift, and to another track.
pub(super) fn clips(
    session: &Session,
    axis: &Axis,
    pressed: &dyn Fn(Modifiers, Key) -> bool,
    out: &mut Actions,
) {
    for (key, sign) in SIDEWAYS {
        // Before the same key without Shift, which would take it too.
        let points = match pressed(Modifiers::ALT | Modifiers::SHIFT, key) {
            true => NUDGE.1,
            false if pressed(Modifiers::ALT, key) => NUDGE.0,
            false => continue,
        };
        out.extend(nudge(session, Frames(axis.frames_of(points).0.max(1) * sign)));
    }
    for (key, down) in UPRIGHT {
        if pressed(Modifiers::ALT, key) {
            out.extend(to_track(session, down));
        }
    }
}

/// Ctrl and the arrows: the playhead to the edge of a clip or the marker that comes next, 0 too.
pub(super) fn playhead(
    session: &Session,
    at: Frames,
    pressed: &dyn Fn(Modifiers, Key) -> bool,
    out: &mut Actions,
) {
    for (key, sign) in SIDEWAYS {
        if pressed(Modifiers::COMMAND, key) {
            let found = next(session, at, sign);
            out.extend(found.map(|at| Action::Play(Play::Seek { at })));
        }
    }
}

/// Of the edges on the selected tracks, else on all, and of the markers the nearest to one side.
fn next(session: &Session, from: Frames, sign: i64) -> Option<Frames> {
    let tracks = &session.selection.tracks;
    let clips = session.clips.values();
    let clips = clips.filter(|clip| tracks.is_empty() || tracks.contains(&clip.track));
    let edges = clips.flat_map(|clip| [clip.position, clip.end()]);
    let markers = session.markers.values().map(|marker| marker.position);
    let all = edges.chain(markers).chain([Frames::ZERO]);
    if sign < 0 {
        all.filter(|place| *place < from).max()
    } else {
        all.filter(|place| *place > from).min()
    }
}

/// Moves the selected clips down by this many audio tracks, as far as all of them can move.
fn to_track(session: &Session, by: i64) -> Option<Action> {
    let clips = selected(session);
    let home = session.clips.get(clips.first()?)?.track;
    let is_audio =
        |id: &&TrackId| session.tracks.get(*id).is_some_and(|track| track.kind == TrackKind::Audio);
    let audio: Vec<_> = session.track_order.iter().filter(is_audio).copied().collect();
    let place = i64::try_from(audio.iter().position(|id| *id == home)?).ok()?;
    let to = *audio.get(usize::try_from(place + by).ok()?)?;
    let down = Down::between(session, &clips, home, to);
    let mut params = json!({"targets": clips, "crossfade": true});
    down.add_to(&mut params);
    down.is_any().then(|| call(Gesture::MoveClip, params))
}
