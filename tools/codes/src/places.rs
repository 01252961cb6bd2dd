//! The parts of the sources that a call refers to.

use deskhand_dsp::Frames;
use deskhand_session::{Clip, ClipId, ObjectId, Session, SourceId};
use deskhand_toolkit::target::nothing_transcribed;
use deskhand_toolkit::text::is_same;
use deskhand_toolkit::{Code, Targets, ToolError};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Parts of sources: of each the ranges of frames, in order and apart.
pub(super) type Stretches = BTreeMap<SourceId, Vec<Range<Frames>>>;

/// The parts that `targets` refer to: tracks, clips and sources. Without targets: every source with a
/// transcript.
///
/// # Errors
/// When an entry means nothing, or nothing is transcribed where it is meant.
pub(super) fn stretches(
    session: &Session,
    targets: Option<&Targets>,
) -> Result<Stretches, ToolError> {
    let mut found = match targets {
        None => with_words(session),
        Some(Targets::One(entry)) => of_entry(session, entry)?,
        Some(Targets::Many(entries)) => {
            let mut all = Stretches::new();
            for entry in entries {
                for (source, ranges) in of_entry(session, entry)? {
                    all.entry(source).or_default().extend(ranges);
                }
            }
            all
        }
    };
    found.values_mut().for_each(join);
    if found.is_empty() {
        return Err(nothing_transcribed(session.segments.is_empty()));
    }
    Ok(found)
}

/// All of every source.
pub(super) fn everywhere(session: &Session) -> Stretches {
    let sources = session.sources.iter();
    sources.map(|(id, source)| (*id, vec![Frames::ZERO..source.frames])).collect()
}

fn with_words(session: &Session) -> Stretches {
    let spoken: BTreeSet<SourceId> = session
        .segments
        .values()
        .filter(|segment| !segment.words.is_empty())
        .map(|segment| segment.source)
        .collect();
    let whole = |id: SourceId| Some((id, vec![Frames::ZERO..session.sources.get(&id)?.frames]));
    spoken.into_iter().filter_map(whole).collect()
}

fn of_entry(session: &Session, entry: &str) -> Result<Stretches, ToolError> {
    let mut found = Stretches::new();
    if let Some(id) = source(session, entry) {
        let whole = session.sources.get(&id).map(|source| Frames::ZERO..source.frames);
        found.entry(id).or_default().extend(whole);
        return Ok(found);
    }
    for id in clips(session, entry)? {
        if let Some(clip) = session.clips.get(&id) {
            let ranges = found.entry(clip.source).or_default();
            ranges.push(clip.start..clip.start + clip.length);
        }
    }
    Ok(found)
}

/// The clips that an entry means which is no source; its error names sources too.
fn clips(session: &Session, entry: &str) -> Result<Vec<ClipId>, ToolError> {
    let sources: Vec<&str> = session.sources.values().map(|it| it.name.as_str()).collect();
    Targets::One(entry.to_owned()).clips_among(session, &sources)
}

/// The source with that id; by name only where no clip and no track is called so.
fn source(session: &Session, entry: &str) -> Option<SourceId> {
    if let Ok(id) = entry.parse::<SourceId>() {
        return Some(id).filter(|id| session.sources.contains_key(id));
    }
    let is_taken = session.clips.values().any(|clip| is_same(&clip.name, entry))
        || session.tracks.values().any(|track| is_same(&track.name, entry));
    let mut named = session.sources.iter().filter(|(_, source)| is_same(&source.name, entry));
    named.next().map(|(id, _)| *id).filter(|_| !is_taken && named.next().is_none())
}

/// Sorts ranges and joins those that touch.
fn join(ranges: &mut Vec<Range<Frames>>) {
    ranges.sort_by_key(|range| (range.start, range.end));
    let mut joined: Vec<Range<Frames>> = Vec::with_capacity(ranges.len());
    for range in ranges.drain(..) {
        match joined.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            Some(_) | None => joined.push(range),
        }
    }
    *ranges = joined;
}

/// Whether a frame is in one of these ranges, which are in order and do not touch.
pub(super) fn holds(ranges: &[Range<Frames>], at: Frames) -> bool {
    let behind = ranges.partition_point(|range| range.end <= at);
    ranges.get(behind).is_some_and(|range| range.contains(&at))
}

/// One clip or one source.
pub(super) struct Spot {
    /// The clip, or the source.
    pub(super) object: ObjectId,
    /// Where it is from.
    pub(super) source: SourceId,
    /// First frame in the source.
    pub(super) start: Frames,
    /// The frame after its last.
    pub(super) end: Frames,
    /// For people.
    pub(super) name: String,
}

/// The one clip or source that `target` means.
///
/// # Errors
/// When it is no place, or several clips.
pub(super) fn spot(session: &Session, target: &str) -> Result<Spot, ToolError> {
    if let Some((id, value)) =
        source(session, target).and_then(|id| session.sources.get_key_value(&id))
    {
        let (start, end, name) = (Frames::ZERO, value.frames, value.name.clone());
        return Ok(Spot { object: (*id).into(), source: *id, start, end, name });
    }
    let clips = clips(session, target)?;
    let [id] = clips.as_slice() else {
        let message = format!("{target:?} means {} clips", clips.len());
        return Err(ToolError::prepare(Code::NoTarget, message, "name one clip or one source"));
    };
    let gone = || ToolError::prepare(Code::NoTarget, format!("{id} is gone"), "call it again");
    let clip = session.clips.get(id).ok_or_else(gone)?;
    let (start, end, name) = (clip.start, clip.start + clip.length, clip.name.clone());
    Ok(Spot { object: (*id).into(), source: clip.source, start, end, name })
}

/// The one clip that plays from one time of the timeline to another, in milliseconds, and the times in it; without clips
/// the only source.
///
/// # Errors
/// When none plays there, or several do.
pub(super) fn playing(session: &Session, times: [f64; 2]) -> Result<(Spot, [f64; 2]), ToolError> {
    let ms = |at: Frames| at.seconds(session.rate).0 * 1000.0;
    let plays = |clip: &Clip| ms(clip.position) <= times[0] && times[1] <= ms(clip.end());
    let there: Vec<_> = session.clips.iter().filter(|(_, clip)| plays(clip)).collect();
    let sources: Vec<&SourceId> = session.sources.keys().collect();
    match (&there[..], &sources[..]) {
        ([(id, clip)], _) => {
            let origin = ms(clip.position);
            Ok((spot(session, &id.to_string())?, times.map(|at| at - origin)))
        }
        ([], [source]) if session.clips.is_empty() => {
            Ok((spot(session, &source.to_string())?, times))
        }
        _ => {
            let message = match there.len() {
                0 => "a region is in one clip, and none plays from there to there".to_owned(),
                many => format!("a region is in one clip, and {many} play there"),
            };
            Err(ToolError::prepare(Code::NoTarget, message, "name one clip or one source"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_session::Track;
    use deskhand_toolkit::testing::{Desk, tone};

    #[test]
    fn ranges_join_and_are_searched() {
        let mut ranges = vec![Frames(20)..Frames(30), Frames(0)..Frames(5), Frames(4)..Frames(9)];
        join(&mut ranges);
        assert_eq!(ranges, [Frames(0)..Frames(9), Frames(20)..Frames(30)]);
        let inside: Vec<i64> = (0..40).filter(|at| holds(&ranges, Frames(*at))).collect();
        assert_eq!(inside, (0..9).chain(20..30).collect::<Vec<i64>>());
    }

    #[test]
    fn a_spot_is_one_clip_or_one_source() {
        let mut desk = Desk::new(crate::all());
        let track = desk.track(Track::audio("Voice"));
        desk.clip(track, "Talk", 0, tone(200.0, -20.0, 1.0));
        desk.clip(track, "More", 96_000, tone(200.0, -20.0, 1.0));
        assert_eq!(spot(&desk.session, "Talk.wav").unwrap().name, "Talk.wav");
        assert_eq!(spot(&desk.session, "more").unwrap().end, Frames(48_000));
        let several = spot(&desk.session, "Voice").err().unwrap().to_string();
        assert_eq!(several, "\"Voice\" means 2 clips; name one clip or one source");
        let nothing = stretches(&desk.session, None).err().unwrap().to_string();
        assert!(nothing.starts_with("nothing is transcribed yet"), "{nothing}");
    }
}
