//! What edits on the timeline leave of an assembly. A phrase without a clip or word on the assembly tracks
//! counts as removed, as if a step had removed it.

use super::block::{standing, standing_on};
use super::markers::marked_removed;
use super::{ids, markers_of, order, tracks};
use deskhand_dsp::Frames;
use deskhand_session::{
    Assembly, Change, Edit, GroupId, MarkerId, MarkerSpan, PhraseId, Playing, Ripple, Session,
    TrackId,
};
use deskhand_toolkit::Draft;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Why a phrase is marked.
pub const GONE: &str = "nothing is left of it";

/// The phrases in the order that have a clip, or a heard word, on the assembly tracks of `before` but not
/// in `after`, each with its place in the order.
fn gone(before: &Session, after: &Session) -> BTreeMap<PhraseId, usize> {
    let on = tracks(before);
    // An assembly track whose original is removed plays on.
    let originals = ids::originals(before);
    let stood = |session: &Session| -> BTreeSet<PhraseId> {
        standing_on(session, &originals).iter().map(|placed| placed.block.phrase).collect()
    };
    let heard = |session: &Session| -> BTreeSet<PhraseId> {
        let playing = Playing::on(session, &on);
        let order = session.assembly.order.iter();
        order.filter(|id| playing.is_heard(session, **id)).copied().collect()
    };
    let lost = &(&stood(before) - &stood(after)) | &(&heard(before) - &heard(after));
    let order = before.assembly.order.iter().enumerate();
    order.filter(|(_, id)| lost.contains(id)).map(|(place, id)| (*id, place)).collect()
}

/// A change that closes time, extended by the phrases of an assembly on its tracks that it removes
/// completely.
pub fn closing(session: &Session, mut closes: Edit<GroupId, Ripple>) -> Edit<GroupId, Ripple> {
    let Edit { before, after, .. } = &mut closes;
    if !tracks(session).iter().any(|track| before.tracks.contains(track)) {
        return closes;
    }
    let mut then = session.clone();
    then.clips.retain(|id, _| !before.clips.contains_key(id));
    then.clips.extend(after.clips.clone());
    before.phrases = gone(session, &then);
    closes
}

/// A change of time with the markers of an assembly on its tracks that go along: those from a time on.
pub fn with_markers(
    session: &Session,
    mut ripple: Edit<GroupId, Ripple>,
    from: Frames,
) -> Edit<GroupId, Ripple> {
    let known = markers_of(session, &ripple.before.tracks).into_iter();
    let along = known.filter(|(_, marker)| marker.position >= from);
    let along: BTreeSet<MarkerId> = along.map(|(id, _)| id).collect();
    ripple.before.markers.clone_from(&along);
    ripple.after.markers = along;
    ripple
}

/// The phrases that go with a change that closes time, each with where it is marked then.
pub fn gone_with(closes: &Change) -> Vec<(PhraseId, Frames)> {
    let Change::RippleDelete(edit) = closes else { return Vec::new() };
    edit.before.phrases.keys().map(|id| (*id, edit.before.at)).collect()
}

/// The changes that move an assembly's markers inside a time on tracks to its start.
pub fn markers_out(session: &Session, tracks: &[TrackId], time: &Range<Frames>) -> Vec<Change> {
    let known = markers_of(session, tracks).into_iter();
    let is_inside = |at: Frames| time.start < at && at < time.end;
    let inside = known.filter(|(_, marker)| is_inside(marker.position));
    let out = inside.map(|(id, marker)| {
        let span = MarkerSpan { position: time.start, ..marker.span() };
        Change::MoveMarker(Edit::new(id, marker.span(), span))
    });
    out.collect()
}

/// The changes that mark the places of phrases that are completely gone. A finished assembly is open again.
pub fn marked_gone(session: &Session, gone: &[(PhraseId, Frames)]) -> Vec<Change> {
    let marks = gone.iter().flat_map(|(id, at)| marked_removed(session, *id, *at));
    let now = &session.assembly;
    let opened = (!gone.is_empty() && now.finished.is_some()).then(|| {
        let open = Assembly { finished: None, ..now.clone() };
        Change::SetAssembly(Edit::new(session.id, now.clone(), open))
    });
    marks.chain(opened).collect()
}

/// For a draft that removes clips: adds the removal of the phrases that lose all of them, and marks their
/// places. Clips and phrases go together or not at all.
pub fn left_out(session: &Session, draft: &mut Draft) {
    if session.assembly.order.is_empty() {
        return;
    }
    let changes = draft.changes.iter().map(|planned| &planned.change);
    // What cannot be applied is refused where the plan is checked.
    let Ok(after) = session.with(changes) else { return };
    let gone = gone(session, &after);
    let order = session.assembly.order.iter().copied();
    let gone: Vec<PhraseId> = order.filter(|id| gone.contains_key(id)).collect();
    if gone.is_empty() {
        return;
    }
    let mut ring = taken(session, draft);
    let (first, blocks) = (draft.changes.len(), standing(session));
    for id in &gone {
        let own = blocks.iter().find(|placed| placed.block.phrase == *id);
        let at = own.map_or(Frames::ZERO, |placed| placed.start);
        for change in marked_removed(session, *id, at) {
            draft.change(change, session.name_of((*id).into()), GONE);
        }
    }
    let without = order::without(&session.assembly, &gone);
    let change = Change::SetAssembly(Edit::new(session.id, session.assembly.clone(), without));
    draft.change(change, "Assembly".into(), GONE);
    ring.extend(first..draft.changes.len());
    tie(draft, &ring);
}

/// The places in a draft of the changes that take clips off the assembly tracks.
fn taken(session: &Session, draft: &Draft) -> Vec<usize> {
    let on = tracks(session);
    let is_taken = |change: &Change| match change {
        Change::RemoveClip(edit) => edit.before.as_ref().is_some_and(|it| on.contains(&it.track)),
        _ => false,
    };
    let planned = draft.changes.iter().enumerate();
    planned.filter(|(_, planned)| is_taken(&planned.change)).map(|(place, _)| place).collect()
}

/// Makes changes need each other in a ring: each needs the previous one, and the first needs the last.
fn tie(draft: &mut Draft, ring: &[usize]) {
    let ids = ring.iter().filter_map(|place| draft.changes.get(*place));
    let ids: Vec<String> = ids.map(|planned| planned.id.clone()).collect();
    let ahead = ids.iter().cycle().skip(ids.len().saturating_sub(1));
    for (place, ahead) in ring.iter().zip(ahead) {
        if let Some(planned) = draft.changes.get_mut(*place) {
            planned.needs.push(ahead.clone());
        }
    }
}
