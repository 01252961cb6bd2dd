//! Phrases: transcript segments joined over short pauses, and where they are said on the timeline.

use super::extent::Stretch;
use super::ids;
use deskhand_dsp::{Frames, SampleRate};
use deskhand_session::{Clip, PhraseId, Segment, SegmentId, Session, SourceId, TrackId, Word};
use std::ops::Range;

/// A longer pause ends a phrase, in ms.
const PAUSE_MS: i64 = 700;
/// A phrase does not grow beyond this, in ms: what is written without punctuation would never end.
const MOST_MS: i64 = 30_000;
/// It does not grow beyond this, in ms, where it has a comma or a pause of a breath.
const LONG_MS: i64 = 10_000;
const BREATH_MS: i64 = 200;

/// A phrase and where it is said.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Said {
    /// Derives from its segments.
    pub(super) id: PhraseId,
    /// What it is made of.
    pub(super) segments: Vec<SegmentId>,
    /// Where it is from.
    pub(super) source: SourceId,
    /// The track it is heard on.
    pub(super) track: TrackId,
    /// From its first word to its last, on the timeline.
    pub(super) span: Range<Frames>,
}

fn millis(ms: i64, rate: SampleRate) -> Frames {
    Frames(ms * i64::from(rate.0) / 1000)
}

/// From the first word of segments to the end of the last, in the source.
fn words_of(segments: &[&Segment]) -> Option<Range<Frames>> {
    let words = || segments.iter().flat_map(|segment| &segment.words);
    let start = words().map(|word| word.start).min()?;
    let end = words().map(|word| word.end).max()?;
    Some(start..end.max(start + Frames(1)))
}

/// The last word, without what closes behind it.
fn last_word(segment: &Segment) -> &str {
    let last = segment.words.last().map_or("", |word| word.text.as_str());
    last.trim_end_matches(['"', '\'', ')', ']', '»', '”', '’'])
}

/// Whether a sentence ends with these words.
fn is_sentence(segment: &Segment) -> bool {
    last_word(segment).ends_with(['.', '!', '?', '…', '。', '！', '？'])
}

/// Whether what is said so far may end ahead of a pause: a part of a sentence ends, or the speaker breathes.
fn may_end(last: &Segment, pause: Frames, rate: SampleRate) -> bool {
    let is_part = last_word(last).ends_with([',', ';', ':', '，', '；', '：', '、', '—', '–']);
    is_part || pause >= millis(BREATH_MS, rate)
}

/// The segments of a source that are heard in `clips`, joined to phrases; what a microphone heard of another's speaker
/// is none.
pub(super) fn phrases(session: &Session, source: SourceId, clips: &[&Clip]) -> Vec<Vec<SegmentId>> {
    let (pause, most, long) = (
        millis(PAUSE_MS, session.rate),
        millis(MOST_MS, session.rate),
        millis(LONG_MS, session.rate),
    );
    let mut found: Vec<Vec<(SegmentId, &Segment)>> = Vec::new();
    let own = session.transcript_of(source).into_iter().filter(|(_, segment)| !segment.is_bleed());
    for (id, segment) in own {
        let Some(span) = words_of(&[segment]).filter(|span| is_heard(span, clips)) else {
            continue;
        };
        let last = found.last_mut().filter(|phrase| {
            let ahead: Vec<&Segment> = phrase.iter().map(|(_, segment)| *segment).collect();
            let said = words_of(&ahead).unwrap_or_default();
            ahead.last().is_some_and(|last| {
                let gap = span.start - said.end;
                let most = if may_end(last, gap, session.rate) { long } else { most };
                gap <= pause
                    && span.end - said.start <= most
                    && !is_sentence(last)
                    && last.speaker == segment.speaker
            })
        });
        match last {
            Some(phrase) => phrase.push((id, segment)),
            None => found.push(vec![(id, segment)]),
        }
    }
    found.into_iter().map(|phrase| phrase.into_iter().map(|(id, _)| id).collect()).collect()
}

/// Whether most of `span` lies in one of `clips` of the same source.
fn is_heard(span: &Range<Frames>, clips: &[&Clip]) -> bool {
    let half = (span.end - span.start).0;
    clips.iter().any(|clip| inside(span, clip).0 * 2 > half)
}

/// How much of a span of its source a clip plays.
fn inside(span: &Range<Frames>, clip: &Clip) -> Frames {
    let (start, end) = (clip.start, clip.start + clip.length);
    (span.end.min(end) - span.start.max(start)).max(Frames::ZERO)
}

/// Where the words of `segments` of a source are heard on `tracks`: in the clip that plays most of them, and in
/// what goes on from it on both sides. `None` where none of them is.
pub(super) fn heard(
    session: &Session,
    source: SourceId,
    segments: &[SegmentId],
    tracks: &[TrackId],
) -> Option<(TrackId, Range<Frames>)> {
    let segments: Option<Vec<_>> = segments.iter().map(|id| session.segments.get(id)).collect();
    let span = words_of(&segments?)?;
    let clips = tracks.iter().flat_map(|track| session.clips_on(*track));
    let clips: Vec<&Clip> = clips.map(|(_, clip)| clip).filter(|c| c.source == source).collect();
    let best = clips.iter().rev().max_by_key(|clip| inside(&span, clip))?;
    if inside(&span, best) == Frames::ZERO {
        return None;
    }
    let shift = best.position - best.start;
    let in_step = clips.iter().filter(|clip| {
        clip.track == best.track
            && clip.position - clip.start == shift
            && inside(&span, clip) > Frames::ZERO
    });
    let first = in_step.clone().map(|clip| clip.position).min()?;
    let last = in_step.map(|clip| clip.end()).max()?;
    Some((best.track, (span.start + shift).max(first)..(span.end + shift).min(last)))
}

/// Where `segments` of a source are heard on `tracks`, with the lengths of their first and last word.
pub(super) fn stretch(
    session: &Session,
    source: SourceId,
    segments: &[SegmentId],
    tracks: &[TrackId],
) -> Option<Stretch> {
    let (_, span) = heard(session, source, segments, tracks)?;
    let words = segments.iter().filter_map(|id| session.segments.get(id)).flat_map(|s| &s.words);
    let length = |word: &Word| word.end - word.start;
    let first = words.clone().min_by_key(|word| word.start).map_or(Frames::ZERO, length);
    let last = words.max_by_key(|word| word.end).map_or(Frames::ZERO, length);
    Some(Stretch { span, first, last })
}

/// The phrases that are said in the clips of a unit, by their start on the timeline. A phrase that is mostly said
/// over a longer one of another track plays along with that and is none of its own.
pub(super) fn said(session: &Session, tracks: &[TrackId], meant: &[&Clip]) -> Vec<Said> {
    let mut sources: Vec<SourceId> = meant.iter().map(|clip| clip.source).collect();
    sources.sort_unstable();
    sources.dedup();
    let mut found = Vec::new();
    for source in sources {
        let clips: Vec<&Clip> = meant.iter().copied().filter(|c| c.source == source).collect();
        for segments in phrases(session, source, &clips) {
            let place = heard(session, source, &segments, tracks);
            found.extend(place.map(|(track, span)| Said {
                id: ids::phrase(&segments),
                segments,
                source,
                track,
                span,
            }));
        }
    }
    found.sort_by_key(|said| (said.span.start, said.span.end, said.id));
    let mut kept: Vec<Said> = Vec::new();
    for said in found {
        match kept.last().map(|last| rides(last, &said)) {
            Some(Rides::Second) => {}
            Some(Rides::First) => {
                kept.pop();
                kept.push(said);
            }
            Some(Rides::Neither) | None => kept.push(said),
        }
    }
    kept
}

/// Which of two phrases is mostly said over the other.
enum Rides {
    First,
    Second,
    Neither,
}

fn rides(first: &Said, second: &Said) -> Rides {
    let over = (first.span.end.min(second.span.end) - second.span.start).0;
    let length = |said: &Said| (said.span.end - said.span.start).0;
    let shorter = length(first).min(length(second));
    if first.track == second.track || over * 2 < shorter || over <= 0 {
        Rides::Neither
    } else if length(second) <= length(first) {
        Rides::Second
    } else {
        Rides::First
    }
}
