//! Turns a gesture or a key into one call of a command.

use super::range::Ranged;
use crate::action::{Action, Gesture, call};
use deskhand_dsp::Frames;
use deskhand_session::{Clip, ClipId, Session, TrackId};
use serde_json::json;
use std::collections::BTreeSet;

/// Frames as the seconds of a parameter, which name the same frame again.
pub(super) fn seconds(session: &Session, frames: Frames) -> f64 {
    frames.0 as f64 / f64::from(session.rate.0)
}

/// Selects clips with their tracks, and nothing else.
pub(super) fn select(session: &Session, clips: &[ClipId]) -> Action {
    let tracks: BTreeSet<TrackId> =
        clips.iter().filter_map(|id| session.clips.get(id)).map(|clip| clip.track).collect();
    select_all(tracks, clips)
}

pub(super) fn select_all(tracks: impl IntoIterator<Item = TrackId>, clips: &[ClipId]) -> Action {
    let tracks = tracks.into_iter().map(|id| id.to_string());
    let targets: Vec<String> = tracks.chain(clips.iter().map(ToString::to_string)).collect();
    call(Gesture::Select, json!({"targets": targets}))
}

pub(super) fn select_time(
    session: &Session,
    tracks: &[TrackId],
    from: Frames,
    to: Frames,
) -> Action {
    let (start, end) = (seconds(session, from), seconds(session, to));
    call(Gesture::Select, json!({"targets": tracks, "start_s": start, "end_s": end}))
}

/// The clip, and the clips of its group's other tracks at its time: those that have more than half of the shorter of the
/// two in common with it.
pub(super) fn with_group(session: &Session, id: ClipId) -> Vec<ClipId> {
    let Some(clip) = session.clips.get(&id) else { return Vec::new() };
    let Some((_, group)) = session.group_of(clip.track) else { return vec![id] };
    let goes_along = |other: &Clip| {
        let is_beside = group.tracks.contains(&other.track) && other.track != clip.track;
        is_beside && is_at_the_time_of(clip, other)
    };
    let others = session.clips.iter().filter(|(_, other)| goes_along(other)).map(|(id, _)| *id);
    std::iter::once(id).chain(others).collect()
}

/// Whether two clips overlap by more than half of the shorter one. Takes recorded together often differ in
/// length, and a trimmed edge on one track does not separate them.
fn is_at_the_time_of(clip: &Clip, other: &Clip) -> bool {
    let common = clip.end().min(other.end()).0 - clip.position.max(other.position).0;
    common.saturating_mul(2) > clip.length.min(other.length).0
}

/// Clips of the selection that still exist.
pub(super) fn selected(session: &Session) -> Vec<ClipId> {
    let clips = session.selection.clips.iter().copied();
    clips.filter(|id| session.clips.contains_key(id)).collect()
}

/// Splits the clips that reach over a time: the selected ones, otherwise those under the pointer, otherwise
/// all.
pub(super) fn split(session: &Session, clips: &[ClipId], at: Frames) -> Option<Action> {
    let over = |id: &ClipId| {
        session.clips.get(id).is_some_and(|clip| clip.position < at && at < clip.end())
    };
    let mut targets: BTreeSet<ClipId> = clips.iter().copied().filter(over).collect();
    if targets.is_empty() && clips.is_empty() {
        targets.extend(session.clips.keys().copied().filter(over));
    }
    // A group is cut as one.
    let tracks: BTreeSet<TrackId> = targets
        .iter()
        .filter_map(|id| session.group_of(session.clips.get(id)?.track))
        .flat_map(|(_, group)| group.tracks.iter().copied())
        .collect();
    let grouped = session.clips.iter().filter(|(_, clip)| tracks.contains(&clip.track));
    targets.extend(grouped.map(|(id, _)| *id).filter(over));
    let params = json!({"targets": targets, "at_s": seconds(session, at)});
    (!targets.is_empty()).then(|| call(Gesture::SplitClip, params))
}

/// Deletes the selected clips, or else the clips in the selected time. With `closes` it also removes that
/// time on the tracks of their group.
pub(super) fn delete(session: &Session, closes: bool) -> impl Iterator<Item = Action> {
    let deleted = deletion(session, closes);
    let unselected = deleted.as_ref().filter(|_| closes).and_then(|_| unselect_time(session));
    unselected.into_iter().chain(deleted)
}

fn deletion(session: &Session, closes: bool) -> Option<Action> {
    let clips = selected(session);
    let range = session.selection.range;
    if let Some(ranged) = Ranged::chosen(session).filter(|_| !closes) {
        return Some(ranged.delete(session));
    }
    if !closes {
        let remove = || call(Gesture::RemoveClip, json!({"targets": clips}));
        return (!clips.is_empty()).then(remove);
    }
    let found = clips.iter().filter_map(|id| session.clips.get(id));
    let spans: Vec<_> = found.map(|clip| (clip.position, clip.end(), clip.track)).collect();
    let from = spans.iter().map(|span| span.0).min().or(range.map(|range| range.start))?;
    let to = spans.iter().map(|span| span.1).max().or(range.map(|range| range.end))?;
    let mut tracks: BTreeSet<TrackId> = spans.iter().map(|span| span.2).collect();
    if tracks.is_empty() {
        tracks.extend(session.selection.tracks.iter().copied());
    }
    Some(delete_time(session, tracks, from, to))
}

/// Clears the time selection before time is removed: what moves into its place is not what somebody
/// selected. The first undo brings back the time, and the second the selection.
pub(crate) fn unselect_time(session: &Session) -> Option<Action> {
    session.selection.range?;
    Some(select_all(session.selection.tracks.iter().copied(), &selected(session)))
}

/// Closes a stretch of time on tracks, with the crossfade that the command makes by itself.
fn delete_time(
    session: &Session,
    tracks: impl IntoIterator<Item = TrackId>,
    from: Frames,
    to: Frames,
) -> Action {
    let targets: Vec<TrackId> = tracks.into_iter().collect();
    let (start, end) = (seconds(session, from), seconds(session, to));
    call(Gesture::DeleteTime, json!({"targets": targets, "start_s": start, "end_s": end}))
}

pub(super) fn duplicate(session: &Session) -> Option<Action> {
    if let Some(ranged) = Ranged::chosen(session) {
        return Some(ranged.duplicate(session));
    }
    let clips = selected(session);
    let params = json!({"targets": clips, "select": true});
    (!clips.is_empty()).then(|| call(Gesture::DuplicateClip, params))
}

/// A crossfade where the selected clips meet or overlap; a single one fades with its neighbors. If there is
/// none, it says so.
pub(super) fn crossfade(session: &Session) -> Action {
    let mut clips = selected(session);
    if let [id] = clips[..]
        && let Some(clip) = session.clips.get(&id)
    {
        let meets = |other: &Clip| other.position <= clip.end() && clip.position <= other.end();
        let beside = session.clips_on(clip.track).into_iter();
        let beside = beside.filter(|(other, it)| *other != id && meets(it));
        clips.extend(beside.map(|(other, _)| other));
    }
    let words = match clips[..] {
        [] => "A crossfade joins clips that touch or overlap. Select one of them".to_owned(),
        [id] => {
            let name = session.name_of(id.into());
            format!("\"{name}\" touches no other clip on its track: there is nothing to crossfade")
        }
        _ => return call(Gesture::Crossfade, json!({"targets": clips, "crossfade_ms": 20})),
    };
    Action::Inform { about: "crossfade", words }
}

pub(super) fn add_marker(session: &Session, at: Frames) -> Action {
    let name = format!("Marker {}", session.markers.len() + 1);
    call(Gesture::AddMarker, json!({"at_s": seconds(session, at), "name": name}))
}

/// Moves the selected clips by a step of time, never before the start.
pub(super) fn nudge(session: &Session, by: Frames) -> Option<Action> {
    let clips = selected(session);
    let first = clips.iter().filter_map(|id| session.clips.get(id)).map(|it| it.position).min()?;
    let by = Frames(by.0.max(-first.0));
    let params = json!({"targets": clips, "by_s": seconds(session, by), "crossfade": true});
    (by != Frames::ZERO).then(|| call(Gesture::MoveClip, params))
}

/// Selects the next clip on the track (`right`, -1 or 1) or the nearest on another track (`down`).
pub(super) fn neighbor(session: &Session, right: i32, down: i32) -> Option<Action> {
    let Some(now) = selected(session).last().copied() else {
        let first = session.track_order.iter().find_map(|id| {
            let clips = session.clips_on(*id);
            clips.first().map(|(id, _)| *id)
        })?;
        return Some(select(session, &[first]));
    };
    let clip = session.clips.get(&now)?;
    let step = |place: usize, by: i32| place.checked_add_signed(by as isize);
    if right != 0 {
        let clips = session.clips_on(clip.track);
        let place = clips.iter().position(|(id, _)| *id == now)?;
        let (next, _) = clips.get(step(place, right)?)?;
        return Some(select(session, &[*next]));
    }
    let mut place = session.track_order.iter().position(|id| *id == clip.track)?;
    loop {
        place = step(place, down)?;
        let clips = session.clips_on(*session.track_order.get(place)?);
        let far = |clip: &deskhand_session::Clip, from: Frames| (clip.position - from).0.abs();
        let nearest = clips.iter().min_by_key(|(_, other)| far(other, clip.position));
        if let Some((next, _)) = nearest {
            return Some(select(session, &[*next]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::session;
    use deskhand_session::{Group, GroupId};

    #[test]
    fn a_group_goes_together_where_its_clips_have_most_of_their_time_in_common() {
        let mut session = session();
        let [first, second] = [1, 2].map(ClipId::new);
        let tracks = vec![TrackId::new(1), TrackId::new(2)];
        session.groups.insert(GroupId::new(1), Group { name: "Band".into(), tracks });
        let mut together = |position: i64, length: i64| {
            let clip = session.clips.get_mut(&second).unwrap();
            (clip.position, clip.length) = (Frames(position), Frames(length));
            with_group(&session, first)
        };
        // Next to a clip of 480 000 frames at 0.
        assert_eq!(together(0, 495_360), [first, second], "recorded a little longer");
        assert_eq!(together(100_000, 48_000), [first, second], "a short one inside of it");
        assert_eq!(together(239_999, 480_000), [first, second], "more than half");
        assert_eq!(together(240_000, 480_000), [first], "no more than half");
        assert_eq!(together(480_000, 480_000), [first], "the next one");
        assert_eq!(together(1_000_000, 480_000), [first], "far behind");
    }
}
