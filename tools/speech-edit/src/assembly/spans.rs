//! Phrases: transcript segments joined over short pauses, and where they are said on the timeline.

use super::places::{Place, places};
use deskhand_dsp::{Frames, SampleRate};
use deskhand_edit::assembly::ids;
use deskhand_session::{Clip, PhraseId, Playing, Segment, SegmentId, Session, SourceId, TrackId};
use std::collections::BTreeMap;
use std::ops::Range;

/// A longer pause ends a phrase, in ms.
const PAUSE_MS: i64 = 700;
/// A phrase does not grow beyond this, in ms: text without punctuation would never end.
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
    /// From its first word to its last, on the timeline; of one that is heard at several places where it is longest.
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

/// The last word, without closing marks.
fn last_word(segment: &Segment) -> &str {
    let last = segment.words.last().map_or("", |word| word.text.as_str());
    last.trim_end_matches(['"', '\'', ')', ']', '»', '”', '’'])
}

/// Whether a sentence ends with these words.
fn is_sentence(segment: &Segment) -> bool {
    last_word(segment).ends_with(['.', '!', '?', '…', '。', '！', '？'])
}

/// Whether a phrase may end before a pause: at a part of a sentence, or where the speaker breathes.
fn may_end(last: &Segment, pause: Frames, rate: SampleRate) -> bool {
    let is_part = last_word(last).ends_with([',', ';', ':', '，', '；', '：', '、', '—', '–']);
    is_part || pause >= millis(BREATH_MS, rate)
}

/// The segments of a source with a word in `clips`, joined to phrases. Bleed does not count.
pub(super) fn phrases(session: &Session, source: SourceId, clips: &[&Clip]) -> Vec<Vec<SegmentId>> {
    let (pause, most, long) = (
        millis(PAUSE_MS, session.rate),
        millis(MOST_MS, session.rate),
        millis(LONG_MS, session.rate),
    );
    let playing = Playing::of_clips(clips.iter().copied());
    let is_heard = |segment: &Segment| segment.words.iter().any(|word| playing.plays(source, word));
    let mut found: Vec<Vec<(SegmentId, &Segment)>> = Vec::new();
    let own = session.transcript_of(source).into_iter().filter(|(_, segment)| !segment.is_bleed());
    for (id, segment) in own {
        let Some(span) = words_of(&[segment]).filter(|_| is_heard(segment)) else {
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

/// The phrases in the clips of a unit, sorted by their start on the timeline. If `all` chosen clips include
/// another unit, that may play the rest of one. A phrase that is mostly said over a longer one of another
/// track plays along with it and does not count as its own.
pub(super) fn said(
    session: &Session,
    tracks: &[TrackId],
    meant: &[&Clip],
    all: &[&Clip],
) -> Vec<Said> {
    let mut sources: Vec<SourceId> = meant.iter().map(|clip| clip.source).collect();
    sources.sort_unstable();
    sources.dedup();
    let mut phrased: Vec<(PhraseId, SourceId, Vec<SegmentId>)> = Vec::new();
    for source in sources {
        let clips: Vec<&Clip> = all.iter().copied().filter(|c| c.source == source).collect();
        let own = phrases(session, source, &clips).into_iter();
        phrased.extend(own.map(|segments| (ids::phrase(&segments), source, segments)));
    }
    let mut main = longest(places(
        session,
        phrased.iter().map(|(id, _, segments)| (*id, segments.as_slice())),
        tracks,
    ));
    let found = phrased.into_iter().filter_map(|(id, source, segments)| {
        let Place { track, stretch, .. } = main.remove(&id)?;
        Some(Said { id, segments, source, track, span: stretch.span })
    });
    let mut found: Vec<Said> = found.collect();
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

/// Of each phrase the place where it is heard longest, of several the first.
fn longest(places: Vec<(PhraseId, Place)>) -> BTreeMap<PhraseId, Place> {
    let length = |place: &Place| place.stretch.span.end - place.stretch.span.start;
    let mut longest: BTreeMap<PhraseId, Place> = BTreeMap::new();
    for (id, place) in places {
        if longest.get(&id).is_none_or(|known| length(&place) > length(known)) {
            longest.insert(id, place);
        }
    }
    longest
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
