//! Putting values: compares `before` with the current value, then writes `after`.

use super::{ApplyError, Conflict, Users, invalid};
use crate::assembly::Assembly;
use crate::change::{Change, Edit};
use crate::clip::{Clip, ClipPlace, ClipWindow, Fades};
use crate::ids::{ClipId, GroupId, MarkerId, PhraseId, SegmentId, TrackId};
use crate::marker::{Marker, MarkerSpan};
use crate::ripple::Ripple;
use crate::segment::Segment;
use crate::session::Session;
use crate::split::SplitState;
use crate::track::{PlacedTrack, Track};
use deskhand_dsp::{Fade, Frames};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// The value found in place of `before`.
struct Mismatch {
    expected: Value,
    found: Value,
}

pub(super) fn put(
    session: &mut Session,
    change: &Change,
    users: &mut Users,
) -> Result<(), ApplyError> {
    put_value(session, change).map_err(|mismatch| {
        let target = change.target();
        let name = session.name_of(target);
        let Mismatch { expected, found } = mismatch;
        ApplyError::Conflict(Box::new(Conflict { change: None, target, name, expected, found }))
    })?;
    users.follow(change);
    super::check::result(session, change, users).map_err(|reason| invalid(change, reason))
}

// tidy: table
fn put_value(s: &mut Session, change: &Change) -> Result<(), Mismatch> {
    match change {
        Change::AddTrack(e) | Change::RemoveTrack(e) => place_track(s, e),
        Change::MoveTrack(e) => move_track(s, e),
        Change::RenameTrack(e) => field(track(s, e.target).map(|t| &mut t.name), e),
        Change::SetTrackGain(e) => field(track(s, e.target).map(|t| &mut t.gain), e),
        Change::SetTrackPan(e) => field(track(s, e.target).map(|t| &mut t.pan), e),
        Change::SetTrackMute(e) => field(track(s, e.target).map(|t| &mut t.mute), e),
        Change::SetTrackSolo(e) => field(track(s, e.target).map(|t| &mut t.solo), e),
        Change::SetTrackColor(e) => field(track(s, e.target).map(|t| &mut t.color), e),
        Change::SetTrackOutput(e) => field(track(s, e.target).map(|t| &mut t.output), e),
        Change::SetGroup(e) => entry(&mut s.groups, e),
        Change::SetTrackEnvelope(e) => field(track(s, e.target).map(|t| &mut t.envelope), e),
        Change::SetClipEnvelope(e) => {
            field(s.clips.get_mut(&e.target).map(|clip| &mut clip.envelope), e)
        }
        Change::SetInsert(e) => entry(&mut s.inserts, e),
        Change::SetSegment(e) => segment(s, e),
        Change::SetDescription(e) => {
            field(s.segments.get_mut(&e.target).map(|segment| &mut segment.description), e)
        }
        Change::SetImportance(e) => {
            field(s.segments.get_mut(&e.target).map(|segment| &mut segment.important), e)
        }
        Change::SetCode(e) => entry(&mut s.codes, e),
        Change::SetMemo(e) => entry(&mut s.memos, e),
        Change::SetPhrase(e) => entry(&mut s.phrases, e),
        Change::SetAssembly(e) => field(Some(&mut s.assembly), e),
        Change::SetBinding(e) => field(Some(&mut s.host), e),
        Change::AddClip(e) | Change::RemoveClip(e) | Change::DuplicateClip(e) => {
            entry(&mut s.clips, e)
        }
        Change::MoveClip(e) => part(s.clips.get_mut(&e.target), e, Clip::place, set_place),
        Change::TrimClip(e) => part(s.clips.get_mut(&e.target), e, Clip::window, set_window),
        Change::SplitClip(e) => split(s, e),
        Change::RenameClip(e) => field(s.clips.get_mut(&e.target).map(|c| &mut c.name), e),
        Change::SetClipGain(e) => field(s.clips.get_mut(&e.target).map(|c| &mut c.gain), e),
        Change::SetClipPolarity(e) => field(s.clips.get_mut(&e.target).map(|c| &mut c.polarity), e),
        Change::SetClipMute(e) => field(s.clips.get_mut(&e.target).map(|c| &mut c.mute), e),
        Change::SetClipFades(e) => fades(s.clips.get_mut(&e.target), e),
        Change::RippleDelete(e) | Change::RippleInsert(e) => ripple(s, e),
        Change::AddMarker(e) | Change::RemoveMarker(e) => entry(&mut s.markers, e),
        Change::MoveMarker(e) => part(s.markers.get_mut(&e.target), e, Marker::span, set_span),
        Change::RenameMarker(e) => field(s.markers.get_mut(&e.target).map(|m| &mut m.name), e),
        Change::SetMarkerCode(e) => field(s.markers.get_mut(&e.target).map(|m| &mut m.code), e),
        Change::AddSource(e) | Change::RemoveSource(e) => entry(&mut s.sources, e),
        Change::SetSelection(e) => field(Some(&mut s.selection), e),
        Change::SetCurrentSource(e) => field(Some(&mut s.current_source), e),
        Change::SetMasterGain(e) => field(Some(&mut s.master_gain), e),
        Change::SetTempo(e) => field(Some(&mut s.tempo), e),
        Change::SetMeter(e) => field(Some(&mut s.meter), e),
    }
}

fn track(session: &mut Session, id: TrackId) -> Option<&mut Track> {
    session.tracks.get_mut(&id)
}

/// Swaps one field from `before` to `after`.
fn field<T, V>(slot: Option<&mut V>, edit: &Edit<T, V>) -> Result<(), Mismatch>
where
    V: PartialEq + Clone + Serialize,
{
    match slot {
        Some(slot) if *slot == edit.before => slot.clone_from(&edit.after),
        found => return Err(mismatch(&edit.before, found.as_deref())),
    }
    Ok(())
}

/// Swaps a part of an object that is read and written through functions.
fn part<T, O, V>(
    object: Option<&mut O>,
    edit: &Edit<T, V>,
    get: impl Fn(&O) -> V,
    set: impl Fn(&mut O, &V),
) -> Result<(), Mismatch>
where
    V: PartialEq + Clone + Serialize,
{
    let Some(object) = object else {
        return Err(mismatch(&edit.before, None::<&V>));
    };
    let mut value = get(object);
    field(Some(&mut value), edit)?;
    set(object, &value);
    Ok(())
}

fn set_place(clip: &mut Clip, place: &ClipPlace) {
    clip.track = place.track;
    clip.position = place.position;
}

fn set_window(clip: &mut Clip, window: &ClipWindow) {
    clip.start = window.start;
    clip.length = window.length;
    clip.position = window.position;
}

/// Sets the fades that differ: the one that stays may be another by now.
fn fades(clip: Option<&mut Clip>, edit: &Edit<ClipId, Fades>) -> Result<(), Mismatch> {
    let Edit { before, after, .. } = edit;
    let is_free = |was: &Fade, other: &Fade, now: &Fade| was == other || was == now;
    match clip {
        Some(clip)
            if is_free(&before.fade_in, &after.fade_in, &clip.fade_in)
                && is_free(&before.fade_out, &after.fade_out, &clip.fade_out) =>
        {
            if before.fade_in != after.fade_in {
                clip.fade_in = after.fade_in;
            }
            if before.fade_out != after.fade_out {
                clip.fade_out = after.fade_out;
            }
            Ok(())
        }
        found => Err(mismatch(before, found.map(|clip| clip.fades()).as_ref())),
    }
}

fn set_span(marker: &mut Marker, span: &MarkerSpan) {
    marker.position = span.position;
    marker.length = span.length;
}

/// Makes, replaces or removes an entry of a map.
fn entry<K, V>(map: &mut BTreeMap<K, V>, edit: &Edit<K, Option<V>>) -> Result<(), Mismatch>
where
    K: Ord + Copy,
    V: PartialEq + Clone + Serialize,
{
    let found = map.get(&edit.target);
    if found != edit.before.as_ref() {
        return Err(mismatch(&edit.before, found));
    }
    match &edit.after {
        Some(value) => drop(map.insert(edit.target, value.clone())),
        None => drop(map.remove(&edit.target)),
    }
    Ok(())
}

/// A changed segment must match `before` only in the parts that change.
fn segment(s: &mut Session, e: &Edit<SegmentId, Option<Segment>>) -> Result<(), Mismatch> {
    let found = s.segments.get_mut(&e.target);
    let (Some(before), Some(after), Some(found)) = (&e.before, &e.after, found) else {
        return entry(&mut s.segments, e);
    };
    *found = found.edited(before, after).map_err(|expected| mismatch(&expected, Some(&*found)))?;
    Ok(())
}

fn place_track(s: &mut Session, e: &Edit<TrackId, Option<PlacedTrack>>) -> Result<(), Mismatch> {
    let index = s.track_order.iter().position(|id| *id == e.target);
    let track = s.tracks.get(&e.target);
    let found = index.zip(track).map(|(index, track)| PlacedTrack { index, track: track.clone() });
    if found != e.before {
        return Err(mismatch(&e.before, found.as_ref()));
    }
    s.track_order.retain(|id| *id != e.target);
    s.tracks.remove(&e.target);
    if let Some(placed) = &e.after {
        s.track_order.insert(placed.index.min(s.track_order.len()), e.target);
        s.tracks.insert(e.target, placed.track.clone());
    }
    Ok(())
}

fn move_track(s: &mut Session, e: &Edit<TrackId, usize>) -> Result<(), Mismatch> {
    let mut index = s.track_order.iter().position(|id| *id == e.target);
    field(index.as_mut(), e)?;
    s.track_order.retain(|id| *id != e.target);
    s.track_order.insert(e.after.min(s.track_order.len()), e.target);
    Ok(())
}

fn split(s: &mut Session, e: &Edit<ClipId, SplitState>) -> Result<(), Mismatch> {
    let (SplitState::Whole { right_id, .. } | SplitState::Parts { right_id, .. }) = &e.before;
    let left = s.clips.get(&e.target).cloned();
    let found = match (left, s.clips.get(right_id).cloned()) {
        (Some(clip), None) => Some(SplitState::Whole { clip, right_id: *right_id }),
        (Some(left), Some(right)) => Some(SplitState::Parts { left, right_id: *right_id, right }),
        (None, _) => None,
    };
    if found.as_ref() != Some(&e.before) {
        return Err(mismatch(&e.before, found.as_ref()));
    }
    match &e.after {
        SplitState::Whole { clip, right_id } => {
            s.clips.remove(right_id);
            s.clips.insert(e.target, clip.clone());
        }
        SplitState::Parts { left, right_id, right } => {
            s.clips.insert(e.target, left.clone());
            s.clips.insert(*right_id, right.clone());
        }
    }
    Ok(())
}

fn ripple(s: &mut Session, e: &Edit<GroupId, Ripple>) -> Result<(), Mismatch> {
    let found = ripple_now(s, e.target, &e.before);
    let fresh =
        e.after.clips.keys().all(|id| e.before.clips.contains_key(id) || !s.clips.contains_key(id));
    let comes_back =
        |id: &PhraseId| e.before.phrases.contains_key(id) || s.assembly.removed.contains(id);
    if found.as_ref() != Some(&e.before) || !fresh || !e.after.phrases.keys().all(comes_back) {
        return Err(mismatch(&e.before, found.as_ref()));
    }
    s.clips.retain(|id, _| !e.before.clips.contains_key(id));
    let shift: Frames = e.after.length - e.before.length;
    for clip in s.clips.values_mut() {
        if e.before.tracks.contains(&clip.track) && clip.position >= e.before.end() {
            clip.position += shift;
        }
    }
    for (id, marker) in &mut s.markers {
        if e.before.markers.contains(id) && marker.position >= e.before.end() {
            marker.position += shift;
        } else if e.before.across.contains(id) {
            marker.length += shift;
        }
    }
    for (id, named) in &e.after.lines {
        if let Some(track) = s.tracks.get_mut(id) {
            track.envelope = e.before.line_on(&track.envelope, &e.after, named);
        }
    }
    s.clips.extend(e.after.clips.clone());
    ripple_phrases(&mut s.assembly, &e.before, &e.after);
    Ok(())
}

/// Phrases that play on one side only leave the order, or come back to their places in it.
fn ripple_phrases(assembly: &mut Assembly, before: &Ripple, after: &Ripple) {
    for id in before.phrases.keys().filter(|id| !after.phrases.contains_key(id)) {
        assembly.order.retain(|other| other != id);
        assembly.removed.push(*id);
    }
    let back = after.phrases.iter().filter(|(id, _)| !before.phrases.contains_key(id));
    let mut back: Vec<_> = back.map(|(id, place)| (*place, *id)).collect();
    back.sort_unstable();
    for (place, id) in back {
        assembly.removed.retain(|other| *other != id);
        assembly.order.insert(place.min(assembly.order.len()), id);
    }
}

/// The ripple's side as the session has it: the clips named in `before`, and any others that reach into its
/// time; its markers inside or over it; its gain over time; and the positions of its phrases.
fn ripple_now(s: &Session, group: GroupId, before: &Ripple) -> Option<Ripple> {
    let tracks = s.groups.get(&group)?.tracks.clone();
    let clips = s.clips.iter().filter(|(id, clip)| {
        before.clips.contains_key(id) || (tracks.contains(&clip.track) && before.touches(clip))
    });
    let clips = clips.map(|(id, clip)| (*id, clip.clone())).collect();
    let is_inside = |id: &MarkerId| s.markers.get(id).is_some_and(|it| before.holds(it.position));
    let markers = before.markers.iter().copied().filter(|id| !is_inside(id)).collect();
    let is_under = |id: &MarkerId| s.markers.get(id).is_some_and(|it| before.is_under(it));
    let across = before.across.iter().copied().filter(is_under).collect();
    let line = |id: &TrackId| Some((*id, before.named_of(&s.tracks.get(id)?.envelope)));
    let lines = before.lines.keys().filter_map(line).collect();
    let order = s.assembly.order.iter().enumerate();
    let playing = order.filter(|(_, id)| before.phrases.contains_key(id));
    let phrases = playing.map(|(place, id)| (*id, place)).collect();
    Some(Ripple { tracks, clips, markers, across, lines, phrases, ..before.clone() })
}

fn mismatch<E: Serialize, F: Serialize>(expected: &E, found: Option<&F>) -> Mismatch {
    Mismatch { expected: json(expected), found: found.map_or(Value::Null, json) }
}

fn json<V: Serialize>(value: V) -> Value {
    serde_json::to_value(value).unwrap_or(Value::Null)
}
