//! The places of phrases on the timeline: in one clip, or in several with a cut or an insertion between
//! them.

use super::extent::{Stretch, kept};
use deskhand_dsp::Frames;
use deskhand_dsp::silence::union;
use deskhand_edit::assembly::block::crossfade;
use deskhand_edit::assembly::ids;
use deskhand_session::{Clip, PhraseId, Segment, SegmentId, Session, SourceId, TrackId, Word};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

/// A stretch of the timeline in which words of a phrase are heard.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Place {
    /// The track that they are heard on.
    pub(super) track: TrackId,
    /// Where, and how long the first and the last of them are.
    pub(super) stretch: Stretch,
    /// From the source to the timeline, where it ends.
    shift: Frames,
}

/// Where phrases, each with its segments, are heard on `tracks`, by the start of each place. A phrase has several where
/// others are heard in between, or a longer pause is; words that several clips play are at one place alone, in the clip
/// that plays most of the phrase.
pub(super) fn places<'a>(
    session: &Session,
    phrases: impl IntoIterator<Item = (PhraseId, &'a [SegmentId])>,
    tracks: &[TrackId],
) -> Vec<(PhraseId, Place)> {
    let mut clips: BTreeMap<SourceId, Vec<&Clip>> = BTreeMap::new();
    for (_, clip) in tracks.iter().flat_map(|track| session.clips_on(*track)) {
        clips.entry(clip.source).or_default().push(clip);
    }
    // What fades on both sides of a cut.
    let least = crossfade(session.rate) + crossfade(session.rate);
    let mut all: Vec<(PhraseId, Place)> = Vec::new();
    for (id, segments) in phrases {
        let segments: Vec<&Segment> =
            segments.iter().filter_map(|id| session.segments.get(id)).collect();
        let Some(own) = segments.first().and_then(|first| clips.get(&first.source)) else {
            continue;
        };
        let words: Vec<Range<Frames>> =
            segments.iter().flat_map(|segment| &segment.words).map(span).collect();
        let heard = own.iter().filter_map(|clip| Heard::of(clip, &words)).collect();
        all.extend(chosen(heard, least).iter().map(|heard| (id, heard.place())));
    }
    all.sort_by_key(|(id, place)| (place.stretch.span.start, place.stretch.span.end, *id));
    joined(all, kept(session.rate))
}

/// The times of the playing phrases on `tracks`; empty if these are not assembly tracks.
pub(crate) fn phrases_on(session: &Session, tracks: &[TrackId]) -> Vec<(PhraseId, Range<Frames>)> {
    let originals = ids::originals(session);
    if !tracks.iter().any(|track| originals.contains_key(track)) {
        return Vec::new();
    }
    let said = |id: &PhraseId| Some((*id, session.phrases.get(id)?.segments.as_slice()));
    let order = &session.assembly.order;
    let places = places(session, order.iter().filter_map(said), tracks);
    let mut spans = spans(&places);
    order.iter().filter_map(|id| Some((*id, spans.remove(id)?))).collect()
}

/// From the first place of each phrase to its last.
fn spans(places: &[(PhraseId, Place)]) -> BTreeMap<PhraseId, Range<Frames>> {
    let mut spans: BTreeMap<PhraseId, Range<Frames>> = BTreeMap::new();
    for (id, Place { stretch, .. }) in places {
        let whole = spans.entry(*id).or_insert_with(|| stretch.span.clone());
        *whole = whole.start.min(stretch.span.start)..whole.end.max(stretch.span.end);
    }
    spans
}

/// When a word is said, in its source: one frame at least.
pub(super) fn span(word: &Word) -> Range<Frames> {
    word.start..word.end.max(word.start + Frames(1))
}

/// The common part of two stretches; `None` if there is none.
pub(super) fn common(a: &Range<Frames>, b: &Range<Frames>) -> Option<Range<Frames>> {
    let both = a.start.max(b.start)..a.end.min(b.end);
    (both.start < both.end).then_some(both)
}

/// How long stretches are together.
pub(super) fn total(stretches: &[Range<Frames>]) -> Frames {
    stretches.iter().fold(Frames::ZERO, |sum, one| sum + (one.end - one.start))
}

/// The places in order, with a place that continues another joined to it.
fn joined(all: Vec<(PhraseId, Place)>, near: Frames) -> Vec<(PhraseId, Place)> {
    let mut joined: Vec<(PhraseId, Place)> = Vec::with_capacity(all.len());
    // The last place on each track: no phrase continues after another.
    let mut last: BTreeMap<TrackId, usize> = BTreeMap::new();
    for (id, place) in all {
        let goes_on = |at: &usize| {
            joined.get(*at).is_some_and(|(own, ahead)| *own == id && ahead.is_near(&place, near))
        };
        match last.get(&place.track).copied().filter(goes_on) {
            Some(at) => {
                if let Some((_, ahead)) = joined.get_mut(at) {
                    ahead.join(place);
                }
            }
            None => {
                last.insert(place.track, joined.len());
                joined.push((id, place));
            }
        }
    }
    joined
}

impl Place {
    /// Whether `behind` continues the sound that plays here, or follows without a long pause.
    fn is_near(&self, behind: &Self, near: Frames) -> bool {
        self.shift == behind.shift || behind.stretch.span.start - self.stretch.span.end <= near
    }

    /// Goes on to the end of another one.
    fn join(&mut self, behind: Self) {
        if behind.stretch.span.end > self.stretch.span.end {
            self.stretch.span.end = behind.stretch.span.end;
            self.stretch.last = behind.stretch.last;
            self.shift = behind.shift;
        }
    }
}

/// What a clip plays of the words of a phrase.
struct Heard<'a> {
    clip: &'a Clip,
    /// In the source, word by word.
    words: Vec<Range<Frames>>,
}

impl<'a> Heard<'a> {
    fn of(clip: &'a Clip, words: &[Range<Frames>]) -> Option<Self> {
        let plays = clip.start..clip.start + clip.length;
        let words: Vec<_> = words.iter().filter_map(|word| common(word, &plays)).collect();
        (!words.is_empty()).then_some(Self { clip, words })
    }

    /// The stretches of `known`, and its own.
    fn with(&self, known: &[Range<Frames>]) -> Vec<Range<Frames>> {
        union(known.iter().chain(&self.words).cloned())
    }

    fn place(&self) -> Place {
        let shift = self.clip.position - self.clip.start;
        let first = self.words.iter().min_by_key(|word| word.start).cloned().unwrap_or_default();
        let last = self.words.iter().max_by_key(|word| word.end).cloned().unwrap_or_default();
        let stretch = Stretch {
            span: first.start + shift..last.end + shift,
            first: first.end - first.start,
            last: last.end - last.start,
        };
        Place { track: self.clip.track, stretch, shift }
    }
}

/// The clips that play a phrase, those that play most of it first, and those that add more than `least` to them.
fn chosen(mut heard: Vec<Heard<'_>>, least: Frames) -> Vec<Heard<'_>> {
    let mut known: Vec<Range<Frames>> = Vec::new();
    let mut chosen: Vec<Heard<'_>> = Vec::new();
    loop {
        let adds = |one: &Heard<'_>| total(&one.with(&known)) - total(&known);
        // Of several that add as much, the first.
        let all = heard.iter().enumerate().map(|(at, one)| (adds(one), Reverse(at)));
        let Some((added, Reverse(at))) = all.max() else { break };
        let enough = if chosen.is_empty() { Frames::ZERO } else { least };
        if added <= enough {
            break;
        }
        let one = heard.remove(at);
        known = one.with(&known);
        chosen.push(one);
    }
    chosen
}
