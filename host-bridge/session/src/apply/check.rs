//! Which checks a change has to pass.

use super::Users;
use super::relations;
use super::relations::{
    clip, group, insert, output, ripple, segment, split, unused_source, unused_track,
};
use super::values::{
    added, binding, code, description, effect, envelope, gain, index, marker, memo, meter, name,
    pan, removed, ripple_times, selection, source, span, takes, tempo, this_session, track,
};
use crate::change::Change;
use crate::session::Session;

/// Checks each value by itself, before anything adds them up.
// tidy: table
pub(super) fn value(session: &Session, change: &Change) -> Result<(), String> {
    match change {
        Change::AddTrack(e) => added(e, |placed| {
            index(placed.index, session.track_order.len())?;
            track(&placed.track)
        }),
        Change::RemoveTrack(e) => removed(e),
        Change::MoveTrack(e) => index(e.after, session.track_order.len().saturating_sub(1)),
        Change::RenameTrack(e) => name(&e.after),
        Change::RenameClip(e) => name(&e.after),
        Change::RenameMarker(e) => name(&e.after),
        Change::SetTrackGain(e) => gain(e.after),
        Change::SetClipGain(e) => gain(e.after),
        Change::SetTrackPan(e) => pan(e.after),
        Change::AddClip(e) | Change::DuplicateClip(e) => added(e, |clip| name(&clip.name)),
        Change::RemoveClip(e) => removed(e),
        Change::AddMarker(e) => added(e, marker),
        Change::RemoveMarker(e) => removed(e),
        Change::MoveMarker(e) => span(&e.after),
        Change::SetMarkerCode(e) => e.after.as_deref().map_or(Ok(()), name),
        Change::AddSource(e) => added(e, source),
        Change::RemoveSource(e) => removed(e),
        Change::RippleDelete(e) => ripple_times(e, &e.after),
        Change::RippleInsert(e) => ripple_times(e, &e.before),
        Change::SetTrackEnvelope(e) => envelope(&e.after),
        Change::SetClipEnvelope(e) => envelope(&e.after),
        Change::SetInsert(e) => e.after.as_ref().map_or(Ok(()), |placed| effect(&placed.effect)),
        Change::SetSegment(e) => {
            e.after.as_ref().map_or(Ok(()), |segment| description(&segment.description))
        }
        Change::SetDescription(e) => description(&e.after),
        Change::SetCode(e) => e.after.as_ref().map_or(Ok(()), code),
        Change::SetMemo(e) => e.after.as_deref().map_or(Ok(()), memo),
        Change::SetAssembly(e) => this_session(session, e.target).and_then(|()| takes(&e.after)),
        Change::SetMasterGain(e) => this_session(session, e.target).and_then(|()| gain(e.after)),
        Change::SetTempo(e) => this_session(session, e.target).and_then(|()| tempo(&e.after)),
        Change::SetMeter(e) => this_session(session, e.target).and_then(|()| meter(&e.after)),
        Change::SetSelection(e) => {
            this_session(session, e.target).and_then(|()| selection(&e.after))
        }
        Change::SetCurrentSource(e) => this_session(session, e.target),
        Change::SetBinding(e) => this_session(session, e.target)
            .and_then(|()| e.after.as_deref().map_or(Ok(()), binding)),
        Change::SetTrackMute(_)
        | Change::SetClipMute(_)
        | Change::SetClipPolarity(_)
        | Change::SetTrackSolo(_)
        | Change::SetTrackColor(_)
        | Change::SetTrackOutput(_)
        | Change::SetGroup(_)
        | Change::MoveClip(_)
        | Change::TrimClip(_)
        | Change::SplitClip(_)
        | Change::SetImportance(_)
        | Change::SetPhrase(_)
        | Change::SetClipFades(_) => Ok(()),
    }
}

/// Checks what the change touched, in the session that it left.
// tidy: table
pub(super) fn result(s: &Session, change: &Change, users: &mut Users) -> Result<(), String> {
    match change {
        Change::AddTrack(e) | Change::RemoveTrack(e) => match e.after {
            Some(_) => output(s, e.target),
            None => unused_track(s, e.target),
        },
        Change::SetTrackOutput(e) => output(s, e.target),
        Change::SetGroup(e) => group(s, e.target),
        Change::SetInsert(e) => insert(s, e.target),
        Change::SetSegment(e) => segment(s, e.target, users),
        Change::SetCode(e) => relations::code(s, e.target),
        Change::SetMemo(e) => relations::memo(s, e.target),
        Change::SetPhrase(e) => relations::phrase(s, e.target),
        Change::SetAssembly(_) => s.assembly.check(s),
        Change::AddClip(e) | Change::RemoveClip(e) | Change::DuplicateClip(e) => {
            e.after.as_ref().map_or(Ok(()), |c| clip(s, c))
        }
        Change::MoveClip(e) => s.clips.get(&e.target).map_or(Ok(()), |c| clip(s, c)),
        Change::TrimClip(e) => s.clips.get(&e.target).map_or(Ok(()), |c| clip(s, c)),
        Change::SetClipFades(e) => s.clips.get(&e.target).map_or(Ok(()), |c| clip(s, c)),
        Change::SplitClip(e) => split(s, e),
        Change::RippleDelete(e) | Change::RippleInsert(e) => ripple(s, &e.before, &e.after),
        Change::RemoveSource(e) | Change::AddSource(e) => match e.after {
            Some(_) => Ok(()),
            None => unused_source(s, e.target),
        },
        Change::MoveTrack(_)
        | Change::RenameTrack(_)
        | Change::SetTrackGain(_)
        | Change::SetTrackPan(_)
        | Change::SetTrackMute(_)
        | Change::SetTrackSolo(_)
        | Change::SetTrackColor(_)
        | Change::SetTrackEnvelope(_)
        | Change::SetClipEnvelope(_)
        | Change::SetDescription(_)
        | Change::SetImportance(_)
        | Change::RenameClip(_)
        | Change::SetClipGain(_)
        | Change::SetClipMute(_)
        | Change::SetClipPolarity(_)
        | Change::AddMarker(_)
        | Change::RemoveMarker(_)
        | Change::MoveMarker(_)
        | Change::RenameMarker(_)
        | Change::SetMarkerCode(_)
        | Change::SetSelection(_)
        | Change::SetCurrentSource(_)
        | Change::SetMasterGain(_)
        | Change::SetTempo(_)
        | Change::SetMeter(_)
        | Change::SetBinding(_) => Ok(()),
    }
}
