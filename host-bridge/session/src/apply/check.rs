//! What a value must be like, and what must hold between objects after a change.

use crate::change::Change;
use crate::clip::Clip;
use crate::ids::{GroupId, SourceId, TrackId};
use crate::marker::Marker;
use crate::ripple::Ripple;
use crate::session::Session;
use crate::source::Source;
use crate::split::SplitState;
use crate::tempo::{MeterPoint, TempoPoint};
use crate::track::{Output, Track, TrackKind};
use deskhand_dsp::{Decibels, Frames, SampleRate};

/// The longest name.
const NAME_CHARS: usize = 200;
/// The range of a gain: beyond it a slip of the keyboard is likelier than an intention.
const GAIN_DB: std::ops::RangeInclusive<f64> = -150.0..=48.0;
/// The largest position or length, about 100 days at 192 kHz: sums of a few cannot overflow.
const FAR: i64 = 1 << 41;

/// Checks `after` by itself.
pub(super) fn value(session: &Session, change: &Change) -> Result<(), String> {
    match change {
        Change::AddTrack(e) | Change::RemoveTrack(e) => e.after.as_ref().map_or(Ok(()), |placed| {
            index(placed.index, session.track_order.len())?;
            track(&placed.track)
        }),
        Change::MoveTrack(e) => index(e.after, session.track_order.len().saturating_sub(1)),
        Change::RenameTrack(e) => name(&e.after),
        Change::RenameClip(e) => name(&e.after),
        Change::RenameMarker(e) => name(&e.after),
        Change::SetTrackGain(e) => gain(e.after),
        Change::SetClipGain(e) => gain(e.after),
        Change::SetMasterGain(e) => gain(e.after),
        Change::SetTrackPan(e) => pan(e.after),
        Change::AddMarker(e) | Change::RemoveMarker(e) => e.after.as_ref().map_or(Ok(()), marker),
        Change::MoveMarker(e) => {
            frames("position", e.after.position, 0)?;
            frames("length", e.after.length, 0)
        }
        Change::AddSource(e) | Change::RemoveSource(e) => e.after.as_ref().map_or(Ok(()), source),
        Change::SetTempo(e) => tempo(&e.after),
        Change::SetMeter(e) => meter(&e.after),
        Change::SetTrackMute(_)
        | Change::SetTrackSolo(_)
        | Change::SetTrackColor(_)
        | Change::SetTrackOutput(_)
        | Change::SetGroup(_)
        | Change::AddClip(_)
        | Change::RemoveClip(_)
        | Change::DuplicateClip(_)
        | Change::MoveClip(_)
        | Change::TrimClip(_)
        | Change::SplitClip(_)
        | Change::SetClipFades(_)
        | Change::RippleDelete(_)
        | Change::RippleInsert(_)
        | Change::SetMarkerCode(_)
        | Change::SetSelection(_)
        | Change::SetCurrentSource(_) => Ok(()),
    }
}

/// Checks what the change touched, in the session that it left.
pub(super) fn result(s: &Session, change: &Change) -> Result<(), String> {
    match change {
        Change::AddTrack(e) | Change::RemoveTrack(e) => match e.after {
            Some(_) => output(s, e.target),
            None => unused_track(s, e.target),
        },
        Change::SetTrackOutput(e) => output(s, e.target),
        Change::SetGroup(e) => group(s, e.target),
        Change::AddClip(e) | Change::RemoveClip(e) | Change::DuplicateClip(e) => {
            e.after.as_ref().map_or(Ok(()), |c| clip(s, c))
        }
        Change::MoveClip(e) => s.clips.get(&e.target).map_or(Ok(()), |c| clip(s, c)),
        Change::TrimClip(e) => s.clips.get(&e.target).map_or(Ok(()), |c| clip(s, c)),
        Change::SetClipFades(e) => s.clips.get(&e.target).map_or(Ok(()), |c| clip(s, c)),
        Change::SplitClip(e) => match &e.after {
            SplitState::Whole { clip: whole, .. } => clip(s, whole),
            SplitState::Parts { left, right, .. } => clip(s, left).and_then(|()| clip(s, right)),
        },
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
        | Change::RenameClip(_)
        | Change::SetClipGain(_)
        | Change::AddMarker(_)
        | Change::RemoveMarker(_)
        | Change::MoveMarker(_)
        | Change::RenameMarker(_)
        | Change::SetMarkerCode(_)
        | Change::SetSelection(_)
        | Change::SetCurrentSource(_)
        | Change::SetMasterGain(_)
        | Change::SetTempo(_)
        | Change::SetMeter(_) => Ok(()),
    }
}

pub(super) fn ensure(holds: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise()) }
}

fn name(name: &str) -> Result<(), String> {
    let fits = !name.trim().is_empty() && name.chars().count() <= NAME_CHARS;
    ensure(fits && !name.chars().any(char::is_control), || {
        format!("a name has 1 to {NAME_CHARS} characters and no control characters")
    })
}

pub(super) fn gain(gain: Decibels) -> Result<(), String> {
    let (low, high) = (GAIN_DB.start(), GAIN_DB.end());
    ensure(GAIN_DB.contains(&gain.0), || {
        format!("a gain of {} dB is outside {low} to {high} dB", gain.0)
    })
}

pub(super) fn track(track: &Track) -> Result<(), String> {
    name(&track.name)?;
    gain(track.gain)?;
    pan(track.pan)
}

pub(super) fn source(source: &Source) -> Result<(), String> {
    name(&source.name)?;
    frames("length", source.frames, 1)
}

pub(super) fn marker(marker: &Marker) -> Result<(), String> {
    name(&marker.name)?;
    frames("position", marker.position, 0)?;
    frames("length", marker.length, 0)
}

pub(super) fn rate(rate: SampleRate) -> Result<(), String> {
    ensure((8_000..=768_000).contains(&rate.0), || {
        format!("a rate of {rate} is outside 8000 to 768000 Hz")
    })
}

fn pan(pan: f64) -> Result<(), String> {
    ensure((-1.0..=1.0).contains(&pan), || {
        format!("a pan of {pan} is outside -1 (left) to 1 (right)")
    })
}

fn index(index: usize, last: usize) -> Result<(), String> {
    ensure(index <= last, || {
        format!("index {index} is behind the last, {last}")
    })
}

fn frames(what: &str, frames: Frames, least: i64) -> Result<(), String> {
    ensure((least..=FAR).contains(&frames.0), || {
        format!(
            "a {what} of {} frames is outside {least} to {FAR}",
            frames.0
        )
    })
}

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
        format!(
            "the region ends at {} but the source has {} frames",
            end.0, source.frames.0
        )
    })?;
    frames("fade-in", clip.fade_in.length, 0)?;
    frames("fade-out", clip.fade_out.length, 0)?;
    ensure(
        clip.fade_in.length + clip.fade_out.length <= clip.length,
        || {
            format!(
                "the fades are longer than the clip, which has {} frames",
                clip.length.0
            )
        },
    )
}

pub(super) fn output(s: &Session, id: TrackId) -> Result<(), String> {
    let Some(Output::Bus(bus)) = s.tracks.get(&id).map(|track| track.output) else {
        return Ok(());
    };
    let target = s
        .tracks
        .get(&bus)
        .ok_or_else(|| format!("{bus} does not exist"))?;
    ensure(target.kind == TrackKind::Bus, || {
        format!("\"{}\" is no bus: choose a bus or the master", target.name)
    })?;
    ensure(!s.path_of(bus).any(|step| step == id), || {
        format!(
            "\"{}\" already plays into this track: that would be a loop",
            target.name
        )
    })
}

fn unused_track(s: &Session, id: TrackId) -> Result<(), String> {
    let clips = s.clips.values().filter(|clip| clip.track == id).count();
    ensure(clips == 0, || {
        format!("it still has {clips} clips: remove or move them first")
    })?;
    let feeds = s
        .tracks
        .values()
        .find(|track| track.output == Output::Bus(id));
    ensure(feeds.is_none(), || {
        let name = feeds.map_or("", |track| track.name.as_str());
        format!("\"{name}\" plays into it: route that elsewhere first")
    })?;
    ensure(s.group_of(id).is_none(), || {
        "it is in a group: take it out first".into()
    })
}

fn unused_source(s: &Session, id: SourceId) -> Result<(), String> {
    let clips = s.clips.values().filter(|clip| clip.source == id).count();
    ensure(clips == 0, || {
        format!("{clips} clips play it: remove them first")
    })
}

pub(super) fn group(s: &Session, id: GroupId) -> Result<(), String> {
    let Some(group) = s.groups.get(&id) else {
        return Ok(());
    };
    name(&group.name)?;
    for (at, track) in group.tracks.iter().enumerate() {
        ensure(s.tracks.contains_key(track), || {
            format!("{track} does not exist")
        })?;
        ensure(!group.tracks[..at].contains(track), || {
            format!("{track} is in it twice")
        })?;
        let other = s
            .groups
            .iter()
            .find(|(other, g)| **other != id && g.tracks.contains(track));
        ensure(other.is_none(), || {
            let name = other.map_or("", |(_, group)| group.name.as_str());
            format!("{track} is in the group \"{name}\": a track is in one group at most")
        })?;
    }
    Ok(())
}

fn ripple(s: &Session, before: &Ripple, after: &Ripple) -> Result<(), String> {
    let same = before.tracks == after.tracks && before.at == after.at;
    ensure(same, || {
        "both sides need the same tracks and the same time".into()
    })?;
    frames("position", after.at, 0)?;
    frames("length", after.length, 0)?;
    for piece in after.clips.values() {
        ensure(after.tracks.contains(&piece.track), || {
            format!("{} is not in the group", piece.track)
        })?;
        clip(s, piece)?;
    }
    let strangers = s.clips.iter().any(|(id, clip)| {
        after.tracks.contains(&clip.track) && after.touches(clip) && !after.clips.contains_key(id)
    });
    ensure(!strangers, || {
        "other clips would lie in the changed time".into()
    })
}

pub(super) fn tempo(points: &[TempoPoint]) -> Result<(), String> {
    for point in points {
        ensure((10.0..=999.0).contains(&point.bpm), || {
            format!("a tempo of {} is outside 10 to 999 bpm", point.bpm)
        })?;
    }
    ascending(points.iter().map(|point| point.position))
}

pub(super) fn meter(points: &[MeterPoint]) -> Result<(), String> {
    for MeterPoint { meter, .. } in points {
        let valid = (1..=64).contains(&meter.numerator)
            && meter.denominator.is_power_of_two()
            && meter.denominator <= 32;
        ensure(valid, || {
            format!("{}/{} is no meter", meter.numerator, meter.denominator)
        })?;
    }
    ascending(points.iter().map(|point| point.position))
}

fn ascending(positions: impl Iterator<Item = Frames>) -> Result<(), String> {
    let positions: Vec<_> = positions.collect();
    let valid = positions.first() == Some(&Frames::ZERO)
        && positions.windows(2).all(|pair| pair[0] < pair[1])
        && positions.iter().all(|position| position.0 <= FAR);
    ensure(valid, || {
        "the first point is at 0 and the others follow in order".into()
    })
}
