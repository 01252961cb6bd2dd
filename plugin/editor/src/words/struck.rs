//! What was cut out of the sound of transcripts: how many places, and how long they are together.

use deskhand_dsp::Frames;
use deskhand_session::{Playing, Session, SourceId, TrackId, Word};
use std::collections::{BTreeMap, BTreeSet};

/// The places at which words were cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Struck {
    pub(crate) places: usize,
    pub(crate) length: Frames,
}

/// A stretch of a source that a clip plays, and where on the timeline it ends.
struct Span {
    start: Frames,
    end: Frames,
    ends_at: Frames,
}

impl Struck {
    /// What was cut of a source, or of all of them. A cut through several tracks at once is one.
    pub(crate) fn of(session: &Session, only: Option<SourceId>) -> Self {
        let playing = Playing::of(session);
        let spans = spans(session);
        // Joined there on the timeline, with so much cut out; a beginning or an end has no join.
        let mut joins: BTreeSet<(Frames, Frames)> = BTreeSet::new();
        let mut edges: BTreeMap<(SourceId, bool), (Frames, Frames)> = BTreeMap::new();
        let segments = session.segments.values();
        for segment in segments.filter(|it| only.is_none_or(|only| it.source == only)) {
            let Some(spans) = spans.get(&segment.source) else { continue };
            let cut = segment.words.iter().filter(|word| playing.is_cut(segment.source, word));
            for word in cut {
                match around(spans, word) {
                    (Some(before), Some(after)) => {
                        joins.insert((before.ends_at, after.start - before.end));
                    }
                    (before, _) => {
                        let edge = edges.entry((segment.source, before.is_some()));
                        let edge = edge.or_insert((word.start, word.end));
                        *edge = (edge.0.min(word.start), edge.1.max(word.end));
                    }
                }
            }
        }
        let lengths = joins.iter().map(|(_, length)| *length);
        let lengths = lengths.chain(edges.values().map(|(from, to)| *to - *from));
        let length = lengths.fold(Frames::ZERO, |sum, length| sum + length.max(Frames::ZERO));
        Self { places: joins.len() + edges.len(), length }
    }
}

/// What sounds of each source, in the order of the source.
fn spans(session: &Session) -> BTreeMap<SourceId, Vec<Span>> {
    let sounds = |track: &TrackId| session.tracks.get(track).is_some_and(|track| !track.mute);
    let mut spans: BTreeMap<SourceId, Vec<Span>> = BTreeMap::new();
    for clip in session.clips.values().filter(|clip| sounds(&clip.track)) {
        let (start, end) = (clip.start, clip.start + clip.length);
        let span = Span { start, end, ends_at: clip.end() };
        spans.entry(clip.source).or_default().push(span);
    }
    spans.values_mut().for_each(|spans| spans.sort_by_key(|span| span.start));
    spans
}

/// What sounds before a word that was cut, and after it.
fn around<'s>(spans: &'s [Span], word: &Word) -> (Option<&'s Span>, Option<&'s Span>) {
    let (before, after) = spans.split_at(spans.partition_point(|span| span.start <= word.start));
    (before.iter().max_by_key(|span| span.end), after.first())
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::testing::spoken;
    use deskhand_session::{Clip, ClipId};

    /// Both recordings without a second of them, from `from` on.
    pub(crate) fn cut(from: i64) -> Session {
        let mut session = spoken();
        for number in [1, 2] {
            let first = session.clips.get_mut(&ClipId::new(number)).unwrap();
            let rest = Frames(from + 48_000);
            let second = Clip {
                start: rest,
                length: first.length - rest,
                position: Frames(from),
                ..first.clone()
            };
            first.length = Frames(from);
            session.clips.insert(ClipId::new(10 + number), second);
        }
        session
    }

    #[test]
    fn a_cut_through_both_tracks_is_one_as_long_as_what_is_gone() {
        assert_eq!(Struck::of(&spoken(), None), Struck::default());
        let all = Struck { places: 1, length: Frames(48_000) };
        let session = cut(48_000);
        assert_eq!(Struck::of(&session, None), all);
        assert_eq!(Struck::of(&session, Some(SourceId::new(2))), all);
    }

    #[test]
    fn what_goes_at_the_end_is_as_long_as_its_words() {
        let mut session = spoken();
        session.clips.get_mut(&ClipId::new(1)).unwrap().length = Frames(24_000 * 14);
        let cut = Struck::of(&session, None);
        let last = session.segments.values().filter(|it| it.source == SourceId::new(1));
        let end = last.flat_map(|it| &it.words).map(|word| word.end).max().unwrap();
        assert_eq!(cut, Struck { places: 1, length: end - Frames(24_000 * 14) });
        session.clips.retain(|_, clip| clip.source != SourceId::new(1));
        assert_eq!(Struck::of(&session, None).places, 0, "nothing of it plays");
    }
}
