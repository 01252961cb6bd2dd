//! Values that differ between two states of a DAW's project, as changes of the session's object.

use crate::merge::{fade, level, time};
use crate::project::{ProjectClip, ProjectMarker, ProjectTrack};
use deskhand_session::clip::{ClipPlace, ClipWindow};
use deskhand_session::{
    Change, Clip, ClipId, Edit, Fades, Marker, MarkerId, MarkerSpan, Track, TrackId,
};

/// The id of the track, and a clip on it.
pub(crate) type Placed<'a> = (&'a str, &'a ProjectClip);

/// The changes of a track for the values that differ in the project. `has` is the track as it is, `made` as the project
/// has it.
pub(crate) fn track_changes(
    id: TrackId,
    (old, new): (&ProjectTrack, &ProjectTrack),
    (has, made): (Track, Track),
) -> Vec<Change> {
    let edits = [
        (old.name != new.name).then(|| Change::RenameTrack(Edit::new(id, has.name, made.name))),
        (!level(&old.gain_db, &new.gain_db))
            .then(|| Change::SetTrackGain(Edit::new(id, has.gain, made.gain))),
        (!level(&old.pan, &new.pan)).then(|| Change::SetTrackPan(Edit::new(id, has.pan, made.pan))),
        (old.mute != new.mute).then(|| Change::SetTrackMute(Edit::new(id, has.mute, made.mute))),
        (old.solo != new.solo).then(|| Change::SetTrackSolo(Edit::new(id, has.solo, made.solo))),
        (old.color != new.color)
            .then(|| Change::SetTrackColor(Edit::new(id, has.color, made.color))),
        (old.parent != new.parent)
            .then(|| Change::SetTrackOutput(Edit::new(id, has.output, made.output))),
    ];
    edits.into_iter().flatten().collect()
}

/// The changes that give a track all values of another.
pub(crate) fn all_changes(id: TrackId, has: Track, made: Track) -> Vec<Change> {
    vec![
        Change::RenameTrack(Edit::new(id, has.name, made.name)),
        Change::SetTrackGain(Edit::new(id, has.gain, made.gain)),
        Change::SetTrackPan(Edit::new(id, has.pan, made.pan)),
        Change::SetTrackMute(Edit::new(id, has.mute, made.mute)),
        Change::SetTrackSolo(Edit::new(id, has.solo, made.solo)),
        Change::SetTrackColor(Edit::new(id, has.color, made.color)),
        Change::SetTrackOutput(Edit::new(id, has.output, made.output)),
    ]
}

/// The same for a clip: its place first, then what it plays of its file. A clip that gets shorter has its fades shortened
/// before.
pub(crate) fn clip_changes(
    id: ClipId,
    (old, new): (&Placed<'_>, &Placed<'_>),
    (has, made): (Clip, Clip),
) -> Vec<Change> {
    let ((old_on, old), (new_on, new)) = (old, new);
    let is_moved = old_on != new_on || !time(&old.position, &new.position);
    let is_trimmed = !time(&old.start, &new.start) || !time(&old.length, &new.length);
    let fades = |clip: &Clip| Fades { fade_in: clip.fade_in, fade_out: clip.fade_out };
    let is_faded = !fade(&old.fade_in, &new.fade_in) || !fade(&old.fade_out, &new.fade_out);
    // Fades of the file may be longer than its clip; those of the session never are.
    let lengths = |clip: &Clip| [clip.fade_in.length, clip.fade_out.length];
    let is_refitted = is_trimmed && lengths(&has) != lengths(&made);
    let place = |clip: &Clip| ClipPlace { track: clip.track, position: clip.position };
    let position = if is_moved { made.position } else { has.position };
    let window = |clip: &Clip| ClipWindow { start: clip.start, length: clip.length, position };
    let mut edits = [
        is_moved.then(|| Change::MoveClip(Edit::new(id, place(&has), place(&made)))),
        is_trimmed.then(|| Change::TrimClip(Edit::new(id, window(&has), window(&made)))),
        (is_faded || is_refitted)
            .then(|| Change::SetClipFades(Edit::new(id, fades(&has), fades(&made)))),
        (!level(&old.gain_db, &new.gain_db))
            .then(|| Change::SetClipGain(Edit::new(id, has.gain, made.gain))),
        (old.mute != new.mute).then(|| Change::SetClipMute(Edit::new(id, has.mute, made.mute))),
        (old.is_inverted != new.is_inverted)
            .then(|| Change::SetClipPolarity(Edit::new(id, has.polarity, made.polarity))),
        (old.name != new.name)
            .then(|| Change::RenameClip(Edit::new(id, has.name.clone(), made.name.clone()))),
    ];
    if made.length < has.length {
        edits.swap(1, 2);
    }
    edits.into_iter().flatten().collect()
}

pub(crate) fn marker_changes(
    id: MarkerId,
    (old, new): (&ProjectMarker, &ProjectMarker),
    (has, made): (Marker, Marker),
) -> Vec<Change> {
    let span = |it: &Marker| MarkerSpan { position: it.position, length: it.length };
    let is_moved = !time(&old.position, &new.position) || !time(&old.length, &new.length);
    let edits = [
        is_moved.then(|| Change::MoveMarker(Edit::new(id, span(&has), span(&made)))),
        (old.name != new.name).then(|| Change::RenameMarker(Edit::new(id, has.name, made.name))),
    ];
    edits.into_iter().flatten().collect()
}
