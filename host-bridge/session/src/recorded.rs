//! Which tracks were recorded together, judged by what the session knows of their sources. Nothing is decoded.

use crate::ids::{SourceId, TrackId};
use crate::segment::{Segment, Word};
use crate::session::Session;
use crate::source::Source;
use crate::track::TrackKind;
use deskhand_dsp::silence::union;
use deskhand_dsp::{Frames, SampleRate};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Recorders that are started together begin within this, in ms.
const START_MS: i64 = 500;
/// What carries the same sound is in sync where it lies within this, in ms: microphones in one room are apart, and clocks
/// drift.
const IN_SYNC_MS: i64 = 60;
/// Lengths of what was recorded together differ by no more than one part in so many, and no more than this, in ms.
const LENGTH_PART: i64 = 50;
const LENGTH_MS: i64 = 30_000;
/// From so many words on two transcripts tell whether one talk is heard or two.
const WORDS: usize = 20;

/// Why tracks count as recorded together, the surest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Evidence {
    /// They play one and the same recording.
    SameRecording,
    /// They are channels of one file.
    OneFile,
    /// The time stamps of their recordings (BWF) lie over each other, and the clips are placed by them.
    TimeStamp,
    /// They carry the same sound: one microphone hears the other's speaker as well.
    CrossTalk,
    /// Their sources begin together and are about as long.
    StartAndLength,
}

/// Tracks that were recorded together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedTogether {
    /// Two or more, in the order of tracks.
    pub tracks: Vec<TrackId>,
    /// The weakest reason among them.
    pub evidence: Evidence,
}

/// Two tracks that carry the same sound and do not play it at the same time: they are out of sync.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfSync {
    /// The track that was recorded first, or lies above the other.
    pub reference: TrackId,
    /// The other track.
    pub track: TrackId,
    /// How much later than it should the other track plays; negative for earlier.
    pub late: Frames,
}

/// A source on a track.
struct Take<'a> {
    track: TrackId,
    id: SourceId,
    source: &'a Source,
    /// Where on the timeline its first frame would be, for each of its clips; in order.
    begins: Vec<Frames>,
}

/// The sets of audio tracks that were recorded together, none in two of them.
#[must_use]
pub fn recorded_together(session: &Session) -> Vec<RecordedTogether> {
    let takes = takes(session);
    let mut sets: Vec<RecordedTogether> = Vec::new();
    for (at, first) in takes.iter().enumerate() {
        for second in takes.iter().skip(at + 1).filter(|second| second.track != first.track) {
            if are_in_one(&sets, first.track, second.track) {
                continue;
            }
            if let Some(evidence) = evidence(session, first, second) {
                join(&mut sets, [first.track, second.track], evidence);
            }
        }
    }
    let place = |track: &TrackId| session.track_order.iter().position(|id| id == track);
    for set in &mut sets {
        set.tracks.sort_by_key(place);
    }
    sets.sort_by_key(|set| set.tracks.first().and_then(place));
    sets
}

/// The pairs of audio tracks that were recorded together by their sound and lie apart on the timeline.
#[must_use]
pub fn out_of_sync(session: &Session) -> Vec<OutOfSync> {
    let takes = takes(session);
    let mut found = Vec::new();
    for (at, first) in takes.iter().enumerate() {
        for second in takes.iter().skip(at + 1).filter(|second| second.track != first.track) {
            let Some(late) = late(first, second) else { continue };
            if late > ms(IN_SYNC_MS, session.rate)
                || late < Frames::ZERO - ms(IN_SYNC_MS, session.rate)
            {
                found.push(OutOfSync { reference: first.track, track: second.track, late });
            }
        }
    }
    found
}

/// How much later than it should `b` plays where it is nearest to being in sync with `a`, if they carry the same sound.
fn late(a: &Take<'_>, b: &Take<'_>) -> Option<Frames> {
    let later = b.source.began_later_than(a.source)?;
    let pairs = a.begins.iter().flat_map(|begin| b.begins.iter().map(move |other| *other - *begin));
    pairs.map(|distance| distance - later).min_by_key(|late| late.0.abs())
}

fn takes(session: &Session) -> Vec<Take<'_>> {
    let mut takes = Vec::new();
    for (track, known) in session.tracks_in_order() {
        let mut begins: BTreeMap<SourceId, BTreeSet<Frames>> = BTreeMap::new();
        for (_, clip) in session.clips_on(track) {
            begins.entry(clip.source).or_default().insert(clip.position - clip.start);
        }
        let is_audio = known.kind == TrackKind::Audio;
        takes.extend(begins.into_iter().filter(|_| is_audio).filter_map(|(id, begins)| {
            let source = session.sources.get(&id)?;
            Some(Take { track, id, source, begins: begins.into_iter().collect() })
        }));
    }
    takes
}

fn are_in_one(sets: &[RecordedTogether], first: TrackId, second: TrackId) -> bool {
    sets.iter().any(|set| set.tracks.contains(&first) && set.tracks.contains(&second))
}

/// Puts two tracks, and all that are with one of them, into one set.
fn join(sets: &mut Vec<RecordedTogether>, pair: [TrackId; 2], evidence: Evidence) {
    let is_met = |set: &RecordedTogether| pair.iter().any(|track| set.tracks.contains(track));
    let (met, mut others): (Vec<_>, Vec<_>) = sets.drain(..).partition(is_met);
    let mut tracks: BTreeSet<TrackId> = pair.into();
    let mut weakest = evidence;
    for set in met {
        tracks.extend(set.tracks);
        weakest = weakest.max(set.evidence);
    }
    others.push(RecordedTogether { tracks: tracks.into_iter().collect(), evidence: weakest });
    *sets = others;
}

fn evidence(session: &Session, a: &Take<'_>, b: &Take<'_>) -> Option<Evidence> {
    let near = |by: Frames| begin_apart_by(a, b, by, ms(START_MS, session.rate));
    if let Some(late) = late(a, b) {
        let is_in_sync = late.0.abs() <= ms(IN_SYNC_MS, session.rate).0;
        return is_in_sync.then_some(Evidence::CrossTalk);
    }
    if a.source.hash.file() == b.source.hash.file() && near(Frames::ZERO) {
        let part = |take: &Take<'_>| (take.source.hash.track(), take.source.channel);
        let is_same = part(a) == part(b);
        return Some(if is_same { Evidence::SameRecording } else { Evidence::OneFile });
    }
    if let (Some(first), Some(second)) = (a.source.origin, b.source.origin) {
        let until = |take: &Take<'_>, origin: Frames| origin + take.source.frames;
        let over = until(a, first).min(until(b, second)) - first.max(second);
        // What was recorded at other times was not recorded together, however it lies.
        if over <= Frames::ZERO {
            return None;
        }
        let is_most = over.0 * 2 >= a.source.frames.min(b.source.frames).0;
        if is_most && near(second - first) {
            return Some(Evidence::TimeStamp);
        }
    }
    if hears(session, a, b) || hears(session, b, a) {
        return Some(Evidence::CrossTalk);
    }
    let is_alike =
        near(Frames::ZERO) && are_as_long(a.source.frames, b.source.frames, session.rate);
    (is_alike && !are_two_talks(session, a, b)).then_some(Evidence::StartAndLength)
}

/// Whether `a` heard who speaks on `b` while they spoke, as it was found when speakers were marked.
fn hears(session: &Session, a: &Take<'_>, b: &Take<'_>) -> bool {
    let own = spoken(session, b, false);
    spoken(session, a, true).iter().any(|(who, time)| {
        own.iter().any(|(it, other)| it == who && time.start < other.end && other.start < time.end)
    })
}

/// Who is heard on a take and when, on the timeline: its own speakers, or those of other microphones.
fn spoken<'a>(
    session: &'a Session,
    take: &Take<'_>,
    is_bleed: bool,
) -> Vec<(&'a str, Range<Frames>)> {
    let segments = session.transcript_of(take.id).into_iter().map(|(_, segment)| segment);
    let named = segments.filter(|segment| segment.is_bleed() == is_bleed);
    let named = named.filter_map(|segment| Some((segment.speaker.as_deref()?, segment)));
    let placed = |(who, segment): (&'a str, &Segment)| {
        let begins = take.begins.iter();
        let times = begins.map(|begin| *begin + segment.start..*begin + segment.end());
        times.map(|time| (who, time)).collect::<Vec<_>>()
    };
    named.flat_map(placed).collect()
}

/// Whether somewhere `b` begins later than `a` by a time, give or take a slack.
fn begin_apart_by(a: &Take<'_>, b: &Take<'_>, by: Frames, slack: Frames) -> bool {
    a.begins.iter().any(|begin| {
        let least = *begin + by - slack;
        let at = b.begins.partition_point(|other| *other < least);
        b.begins.get(at).is_some_and(|other| *other <= *begin + by + slack)
    })
}

fn are_as_long(a: Frames, b: Frames, rate: SampleRate) -> bool {
    let most = Frames(a.max(b).0 / LENGTH_PART).min(ms(LENGTH_MS, rate));
    a.max(b) - a.min(b) <= most
}

/// Whether what is written down of both cannot be one talk: most of it is said at the same time, and in other words.
fn are_two_talks(session: &Session, a: &Take<'_>, b: &Take<'_>) -> bool {
    let (first, second) = (words(session, a), words(session, b));
    let (fewer, more) = if first.len() <= second.len() { (first, second) } else { (second, first) };
    if fewer.len() < WORDS {
        return false;
    }
    let spoken = union(more.iter().map(|(time, _)| time.clone()));
    let (mut over, mut same) = (0, 0);
    for (time, text) in &fewer {
        let middle = Frames(i64::midpoint(time.start.0, time.end.0));
        let at = spoken.partition_point(|stretch| stretch.end <= middle);
        over += usize::from(spoken.get(at).is_some_and(|stretch| stretch.start <= middle));
        let near = more.iter().skip(more.partition_point(|(it, _)| it.end <= time.start));
        let mut near = near.take_while(|(it, _)| it.start < time.end);
        same += usize::from(near.any(|(_, other)| other == text));
    }
    over * 2 >= fewer.len() && same * 5 <= over
}

/// The words of a take that it did not hear of another microphone's speaker, where they are on the timeline, in order.
fn words(session: &Session, take: &Take<'_>) -> Vec<(Range<Frames>, String)> {
    let shift = take.begins.first().copied().unwrap_or_default();
    let segments = session.transcript_of(take.id);
    let own = segments.iter().filter(|(_, segment)| !segment.is_bleed());
    let words = own.flat_map(|(_, segment)| &segment.words);
    let plain = |word: &Word| {
        let letters = word.text.chars().filter(|c| c.is_alphanumeric());
        letters.flat_map(char::to_lowercase).collect::<String>()
    };
    let mut words: Vec<_> =
        words.map(|word| (word.start + shift..word.end + shift, plain(word))).collect();
    words.sort_by_key(|(time, _)| (time.start, time.end));
    words
}

fn ms(ms: i64, rate: SampleRate) -> Frames {
    Frames(ms * i64::from(rate.0) / 1000)
}
