//! Things that move when time closes or opens, to stay with the sound: the gain over time of moved tracks.
//! If all of the session moves, its markers and its tempo move too.

use super::Together;
use crate::assembly;
use deskhand_dsp::Frames;
use deskhand_session::text::count;
use deskhand_session::{
    Change, Edit, GroupId, Marker, MarkerId, MarkerSpan, MeterPoint, Ripple, Session, TempoPoint,
    TrackId, TrackKind,
};
use std::collections::BTreeSet;
use std::ops::Range;

/// What moves along with tracks.
pub struct Beside {
    /// Tracks and buses without clips whose gain over time goes along: buses that nothing else plays into.
    pub lines: Vec<TrackId>,
    /// Whether no clip stays where it is: markers and tempo go along then.
    pub is_all: bool,
}

impl Beside {
    /// What moves along with all of `tracks`.
    pub fn of(session: &Session, tracks: &[TrackId]) -> Self {
        let stays = session.clips.values().map(|clip| clip.track);
        let stays: BTreeSet<TrackId> = stays.filter(|track| !tracks.contains(track)).collect();
        let is_all = stays.is_empty();
        let held: BTreeSet<TrackId> =
            stays.iter().flat_map(|track| session.path_of(*track)).collect();
        let fed: BTreeSet<TrackId> =
            tracks.iter().flat_map(|track| session.path_of(*track)).collect();
        let goes = |id: &TrackId| {
            let is_bus = session.tracks.get(id).is_some_and(|it| it.kind == TrackKind::Bus);
            is_all || (is_bus && fed.contains(id) && !held.contains(id))
        };
        let beside = session.tracks.keys().filter(|id| !tracks.contains(id));
        Self { lines: beside.filter(|id| goes(id)).copied().collect(), is_all }
    }
}

/// Gives each group the things that move with it.
pub(super) fn share(session: &Session, all: &mut Vec<Together>) {
    let tracks: Vec<TrackId> = all.iter().flat_map(|one| one.group.tracks.clone()).collect();
    let Beside { lines, is_all } = Beside::of(session, &tracks);
    for one in all.iter_mut() {
        one.lines = one.group.tracks.clone();
        one.takes_markers &= !is_all;
    }
    // Wherever any of them is, the one that ends last is.
    let ends = all.iter().map(|one| one.end_on(session, &tracks)).enumerate();
    let Some((at, _)) = ends.max_by_key(|(_, end)| *end) else { return };
    let mut last = all.remove(at);
    last.lines.extend(lines);
    last.takes_all = is_all;
    // The marks of phrases that go with the others shift with it.
    let marks = is_all && !assembly::tracks(session).is_empty();
    all.insert(if marks { all.len() } else { at }, last);
}

/// A change of time with all markers: those from a time on shift, and those over all of it change their length.
pub(super) fn with_markers(
    session: &Session,
    mut ripple: Edit<GroupId, Ripple>,
    from: Frames,
) -> Edit<GroupId, Ripple> {
    let Edit { before, after, .. } = &mut ripple;
    let opens = before.length == Frames::ZERO;
    // What ends where time opens is not longer by it.
    let is_over = |it: &Marker| before.is_under(it) && !(opens && end_of(it) == before.at);
    let over = session.markers.iter().filter(|(_, marker)| is_over(marker));
    let over: BTreeSet<MarkerId> = over.map(|(id, _)| *id).collect();
    let behind = session.markers.iter().filter(|(_, marker)| marker.position >= from);
    let behind: BTreeSet<MarkerId> = behind.map(|(id, _)| *id).collect();
    (before.across, before.markers) = (over.clone(), behind.clone());
    (after.across, after.markers) = (over, behind);
    ripple
}

/// The changes that keep markers from beginning or ending inside a time: such an end moves to its start,
/// and a marker completely inside is removed.
pub(super) fn markers_out(session: &Session, time: &Range<Frames>) -> Vec<Change> {
    let out = session.markers.iter().filter_map(|(id, marker)| {
        let after = outside(marker, time)?;
        Some(match after {
            Some(span) => Change::MoveMarker(Edit::new(*id, marker.span(), span)),
            None => Change::RemoveMarker(Edit::remove(*id, marker.clone())),
        })
    });
    out.collect()
}

/// Where a marker goes before time is removed: `None` if it stays, and `Some(None)` if it is removed.
fn outside(marker: &Marker, time: &Range<Frames>) -> Option<Option<MarkerSpan>> {
    let (start, end) = (marker.position, end_of(marker));
    let is_range = end > start;
    let span = |start: Frames, end: Frames| MarkerSpan { position: start, length: end - start };
    if is_range && time.start <= start && start < time.end {
        return Some((end > time.end).then(|| span(time.end, end)));
    }
    if !is_range && time.start < start && start < time.end {
        return Some(Some(span(time.start, time.start)));
    }
    let ends_inside = is_range && start < time.start && time.start < end && end < time.end;
    ends_inside.then(|| Some(span(start, time.start)))
}

/// The tempo and the meter of the session after a change of time.
pub(super) fn retimed(session: &Session, ripple: &Change) -> Vec<Change> {
    let (Change::RippleDelete(edit) | Change::RippleInsert(edit)) = ripple else {
        return Vec::new();
    };
    let place = |at: &TempoPoint| at.position;
    let put = |at: TempoPoint, position: Frames| TempoPoint { position, ..at };
    let tempo = shifted(&session.tempo, edit, place, put);
    let place = |at: &MeterPoint| at.position;
    let put = |at: MeterPoint, position: Frames| MeterPoint { position, ..at };
    let meter = shifted(&session.meter, edit, place, put);
    let tempo = Change::SetTempo(Edit::new(session.id, session.tempo.clone(), tempo));
    let meter = Change::SetMeter(Edit::new(session.id, session.meter.clone(), meter));
    [tempo, meter].into_iter().filter(|change| !change.is_identity()).collect()
}

/// Points that each hold until the next one, after a change of time. The first stays at 0.
fn shifted<P: Copy + PartialEq>(
    points: &[P],
    ripple: &Edit<GroupId, Ripple>,
    place: impl Fn(&P) -> Frames,
    put: impl Fn(P, Frames) -> P,
) -> Vec<P> {
    let (at, end) = (ripple.before.at, ripple.before.end());
    let shift = ripple.after.length - ripple.before.length;
    let opens = shift > Frames::ZERO;
    let is_ahead = |point: &&P| place(point) < at || (opens && place(point) == Frames::ZERO);
    let mut then: Vec<P> = points.iter().filter(is_ahead).copied().collect();
    let goes_on = points.iter().rev().find(|point| place(point) <= end).copied();
    if let Some(goes_on) = goes_on.filter(|_| !opens) {
        let goes_on = put(goes_on, at);
        if then.last().is_none_or(|last| put(*last, at) != goes_on) {
            then.push(goes_on);
        }
    }
    let is_behind = |point: &&P| if opens { !is_ahead(point) } else { place(point) > end };
    let behind = points.iter().filter(is_behind).copied();
    then.extend(behind.map(|point| put(point, place(&point) + shift)));
    then
}

/// A warning about later markers that stay because other tracks stay.
pub(in crate::commands) fn left_behind(
    session: &Session,
    all: &[Together],
    at: Frames,
) -> Option<String> {
    if all.iter().any(|one| one.takes_all) {
        return None;
    }
    let of_assembly = assembly::markers_of(session, &assembly::tracks(session));
    let of_assembly: BTreeSet<MarkerId> = of_assembly.into_iter().map(|(id, _)| id).collect();
    let stays = session.markers.iter().filter(|(id, _)| !of_assembly.contains(*id));
    let stays: Vec<&Marker> =
        stays.map(|(_, marker)| marker).filter(|it| at < end_of(it)).collect();
    match stays[..] {
        [] => None,
        [one] => Some(format!("the marker \"{}\" stays where it is, as other tracks do", one.name)),
        _ => {
            let markers = count(stays.len(), "marker");
            Some(format!("{markers} stay where they are, as other tracks do"))
        }
    }
}

fn end_of(marker: &Marker) -> Frames {
    marker.position + marker.length
}
