//! What must hold between the objects of a session.

use super::Users;
use super::values::{band, description, effect, ensure, envelope, frames, gain, name, span, words};
use crate::change::Edit;
use crate::clip::{Clip, ClipWindow};
use crate::ids::{
    ClipId, CodeId, GroupId, InsertId, ObjectId, PhraseId, SegmentId, SourceId, TrackId,
};
use crate::insert::InsertOwner;
use crate::marker::Marker;
use crate::ripple::Ripple;
use crate::segment::{Coding, Segment};
use crate::session::Session;
use crate::split::SplitState;
use crate::track::{Output, TrackKind};

pub(super) fn clip(s: &Session, clip: &Clip) -> Result<(), String> {
    let source = s.sources.get(&clip.source);
    let track = s.tracks.get(&clip.track);
    let source = source.ok_or_else(|| format!("{} is not in the library", clip.source))?;
    let track = track.ok_or_else(|| format!("{} does not exist", clip.track))?;
    ensure(track.kind == TrackKind::Audio, || {
        format!("\"{}\" is a bus and has no clips", track.name)
    })?;
    name(&clip.name)?;
    gain(clip.gain)?;
    frames("position", clip.position, 0)?;
    frames("start", clip.start, 0)?;
    frames("length", clip.length, 1)?;
    let end = clip.start + clip.length;
    ensure(end <= source.frames, || {
        format!("the region ends at {} but the source has {} frames", end.0, source.frames.0)
    })?;
    envelope(&clip.envelope)?;
    frames("fade-in", clip.fade_in.length, 0)?;
    frames("fade-out", clip.fade_out.length, 0)?;
    ensure(clip.fade_in.length + clip.fade_out.length <= clip.length, || {
        format!("the fades are longer than the clip, which has {} frames", clip.length.0)
    })
}

pub(super) fn output(s: &Session, id: TrackId) -> Result<(), String> {
    let Some(Output::Bus(bus)) = s.tracks.get(&id).map(|track| track.output) else {
        return Ok(());
    };
    let target = s.tracks.get(&bus).ok_or_else(|| format!("{bus} does not exist"))?;
    ensure(target.kind == TrackKind::Bus, || {
        format!("\"{}\" is no bus: choose a bus or the master", target.name)
    })?;
    ensure(!s.path_of(bus).any(|step| step == id), || {
        format!("\"{}\" already plays into this track: that would be a loop", target.name)
    })
}

pub(super) fn unused_track(s: &Session, id: TrackId) -> Result<(), String> {
    let clips = s.clips.values().filter(|clip| clip.track == id).count();
    ensure(clips == 0, || {
        let (clips, them) = counted(clips);
        format!("it still has {clips}: remove or move {them} first")
    })?;
    let inserts = s.inserts_on(InsertOwner::Track(id));
    ensure(inserts.is_empty(), || {
        let effect = inserts.first().map_or("processor", |(_, insert)| insert.effect.title());
        format!("it still has a processor ({effect}): remove that first")
    })?;
    let feeds = s.tracks.values().find(|track| track.output == Output::Bus(id));
    ensure(feeds.is_none(), || {
        let name = feeds.map_or("", |track| track.name.as_str());
        format!("\"{name}\" plays into it: route that elsewhere first")
    })?;
    ensure(s.group_of(id).is_none(), || "it is in a group: take it out first".into())
}

pub(super) fn unused_source(s: &Session, id: SourceId) -> Result<(), String> {
    let clips = s.clips.values().filter(|clip| clip.source == id).count();
    ensure(clips == 0, || {
        let play = if clips == 1 { "plays" } else { "play" };
        let (clips, them) = counted(clips);
        format!("{clips} {play} it: remove {them} first")
    })?;
    let described = s.segments.values().any(|segment| segment.source == id);
    ensure(!described, || "parts of it are described: remove those segments first".into())
}

pub(super) fn insert(s: &Session, id: InsertId) -> Result<(), String> {
    let Some(placed) = s.inserts.get(&id) else {
        return Ok(());
    };
    effect(&placed.effect)?;
    match placed.on {
        InsertOwner::Master => Ok(()),
        InsertOwner::Track(track) => {
            ensure(s.tracks.contains_key(&track), || format!("{track} does not exist"))
        }
    }
}

pub(super) fn segment(s: &Session, id: SegmentId, users: &mut Users) -> Result<(), String> {
    let users = users.of(s, id);
    let Some(segment) = s.segments.get(&id) else {
        return users.first().map_or(Ok(()), |phrase| {
            Err(format!("the phrase {phrase} is made of it: remove that first"))
        });
    };
    segment_itself(s, segment)?;
    users.into_iter().try_for_each(|user| phrase(s, user))
}

/// A segment, whatever phrases are made of it.
pub(super) fn segment_itself(s: &Session, segment: &Segment) -> Result<(), String> {
    let source = s.sources.get(&segment.source);
    let source = source.ok_or_else(|| format!("{} is not in the library", segment.source))?;
    frames("start", segment.start, 0)?;
    frames("length", segment.length, 1)?;
    ensure(segment.end() <= source.frames, || {
        let (end, frames) = (segment.end().0, source.frames.0);
        format!("the segment ends at {end} but the source has {frames} frames")
    })?;
    description(&segment.description)?;
    segment.band.as_ref().map_or(Ok(()), band)?;
    codings(s, segment)?;
    segment.speaker.as_deref().map_or(Ok(()), name)?;
    words(&segment.words, segment.start, segment.end())
}

fn codings(s: &Session, segment: &Segment) -> Result<(), String> {
    for (at, coding) in segment.codings.iter().enumerate() {
        let code = coding.code;
        ensure(s.codes.contains_key(&code), || format!("{code} is not in the codebook"))?;
        coding.coder.as_deref().map_or(Ok(()), name)?;
        coding.batch.as_deref().map_or(Ok(()), name)?;
        coding.shared_with.iter().try_for_each(|coder| name(coder))?;
        let same = |other: &Coding| (other.code, &other.coder) == (code, &coding.coder);
        ensure(!segment.codings[..at].iter().any(same), || {
            format!("{code} is on the segment twice, by the same coder")
        })?;
    }
    Ok(())
}

/// An existing code has a parent that is none of its children; a removed one is not used anywhere.
pub(super) fn code(s: &Session, id: CodeId) -> Result<(), String> {
    if s.codes.contains_key(&id) {
        return ancestors(s, id);
    }
    let uses = |segment: &Segment| segment.codings.iter().any(|coding| coding.code == id);
    let coded = s.segments.values().filter(|segment| uses(segment)).count();
    ensure(coded == 0, || format!("{coded} segments are coded with it: take it off them first"))?;
    let child = s.codes.values().find(|code| code.parent == Some(id));
    ensure(child.is_none(), || {
        let name = child.map_or("", |code| code.name.as_str());
        format!("the code \"{name}\" is under it: move or remove that first")
    })
}

fn ancestors(s: &Session, id: CodeId) -> Result<(), String> {
    let mut above = s.codes.get(&id).and_then(|code| code.parent);
    for _ in 0..=s.codes.len() {
        let Some(parent) = above else {
            return Ok(());
        };
        let code =
            s.codes.get(&parent).ok_or_else(|| format!("{parent} is not in the codebook"))?;
        ensure(parent != id, || "a code cannot be under itself".into())?;
        above = code.parent;
    }
    Err("its parents go round in a circle".into())
}

pub(super) fn memo(s: &Session, on: ObjectId) -> Result<(), String> {
    ensure(!s.memos.contains_key(&on) || s.takes_memo(on), || {
        format!("{on} is no code, segment or source: only those have memos")
    })
}

pub(super) fn phrase(s: &Session, id: PhraseId) -> Result<(), String> {
    let Some(phrase) = s.phrases.get(&id) else {
        let assembly = &s.assembly;
        let takes = assembly.duplicates.iter().flat_map(|group| &group.takes);
        let mut used = assembly.order.iter().chain(&assembly.removed).chain(takes);
        return ensure(!used.any(|used| *used == id), || {
            "the assembly still names it: take it out there first".into()
        });
    };
    ensure(!phrase.segments.is_empty(), || "a phrase has at least one segment".into())?;
    let mut last: Option<&Segment> = None;
    for id in &phrase.segments {
        let segment = s.segments.get(id).ok_or_else(|| format!("{id} does not exist"))?;
        let follows =
            last.is_none_or(|last| last.source == segment.source && last.start <= segment.start);
        ensure(follows, || format!("{id} is of another source, or before the one in front of it"))?;
        last = Some(segment);
    }
    Ok(())
}

/// "1 clip", "3 clips", and the pronoun for them.
fn counted(clips: usize) -> (String, &'static str) {
    if clips == 1 { ("1 clip".into(), "it") } else { (format!("{clips} clips"), "them") }
}

pub(super) fn group(s: &Session, id: GroupId) -> Result<(), String> {
    let Some(group) = s.groups.get(&id) else {
        return Ok(());
    };
    name(&group.name)?;
    for (at, track) in group.tracks.iter().enumerate() {
        ensure(s.tracks.contains_key(track), || format!("{track} does not exist"))?;
        ensure(!group.tracks[..at].contains(track), || format!("{track} is in it twice"))?;
        let other = s.groups.iter().find(|(other, g)| **other != id && g.tracks.contains(track));
        ensure(other.is_none(), || {
            let name = other.map_or("", |(_, group)| group.name.as_str());
            format!("{track} is in the group \"{name}\": a track is in one group at most")
        })?;
    }
    Ok(())
}

pub(super) fn ripple(s: &Session, before: &Ripple, after: &Ripple) -> Result<(), String> {
    let same = before.tracks == after.tracks && before.at == after.at;
    ensure(same, || "both sides need the same tracks and the same time".into())?;
    let same = before.markers == after.markers && before.across == after.across;
    ensure(same, || "both sides need the same markers".into())?;
    let same = before.ramp == after.ramp && before.lines.keys().eq(after.lines.keys());
    ensure(same, || "both sides need the gain over time of the same tracks".into())?;
    s.assembly.check(s)?;
    for piece in after.clips.values() {
        clip(s, piece)?;
    }
    let members = s.clips.values().filter(|clip| after.tracks.contains(&clip.track));
    let markers = after.markers.iter().filter_map(|id| s.markers.get(id));
    let positions = members.map(|clip| clip.position).chain(markers.map(|it| it.position));
    let last = positions.max();
    frames("position", last.unwrap_or_default(), 0)?;
    let lines = after.lines.keys().filter_map(|id| s.tracks.get(id));
    lines.map(|track| &track.envelope).try_for_each(|line| envelope(line))?;
    let across = after.across.iter().filter_map(|id| s.markers.get(id));
    across.map(Marker::span).try_for_each(|it| span(&it))?;
    let strangers = s.clips.iter().any(|(id, clip)| {
        after.tracks.contains(&clip.track) && after.touches(clip) && !after.clips.contains_key(id)
    });
    ensure(!strangers, || "other clips would lie in the changed time".into())
}

/// A split keeps the audio, and both sides name the same right part.
pub(super) fn split(s: &Session, edit: &Edit<ClipId, SplitState>) -> Result<(), String> {
    use SplitState::{Parts, Whole};
    let ((Whole { clip: whole, right_id }, Parts { left, right_id: id, right })
    | (Parts { left, right_id: id, right }, Whole { clip: whole, right_id })) =
        (&edit.before, &edit.after)
    else {
        return Err("a split goes from one clip to two, a join from two to one".into());
    };
    ensure(id == right_id, || "both sides need the same id of the right part".into())?;
    ensure(*id != edit.target, || "the right part needs another id than the left".into())?;
    for one in [whole, left, right] {
        clip(s, one)?;
    }
    ensure(makes_up(whole, left, right), || "the two parts do not make up the whole".into())
}

/// Whether two clips together play the same as one, one right after the other. Their numbers are in range.
fn makes_up(whole: &Clip, left: &Clip, right: &Clip) -> bool {
    let rest = ClipWindow {
        start: whole.start + left.length,
        length: whole.length - left.length,
        position: whole.position + left.length,
    };
    let same = |part: &Clip| part.track == whole.track && part.source == whole.source;
    let begins = left.position == whole.position && left.start == whole.start;
    same(left) && same(right) && begins && right.window() == rest
}
