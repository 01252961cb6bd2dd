//! The words of transcripts as lines of equal height, so that the visible lines are found without looking
//! at the rest.

use super::distinct_names;
use super::place::Places;
use deskhand_dsp::Frames;
use deskhand_session::{Playing, Segment, SegmentId, Session, SourceId, TrackId, Word};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Segments that begin in the same part of a second, with this many parts in one, begin at once.
const AT_ONCE: i64 = 4;

/// A segment with words.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Part {
    pub(crate) id: SegmentId,
    pub(crate) source: SourceId,
    start: Frames,
    /// The number of its first word, counted through all parts.
    pub(crate) first: usize,
    count: usize,
    /// Its first line.
    line: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// The name of a source, where there are several.
    Source(SourceId),
    /// The time and the speaker of a part, above its words.
    Head { part: usize },
    /// Words of a part, by their place in it.
    Words { part: usize, first: usize, last: usize },
}

/// How bleed is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Bleed {
    /// It is left out, where anything else is said.
    #[default]
    LeftOut,
    Shown,
}

/// How words are shown that were cut out of the sound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Cuts {
    /// Struck through.
    #[default]
    Struck,
    /// Left out.
    Hidden,
}

/// All lines of the transcripts that are shown, for one width.
#[derive(Debug, Default)]
pub(crate) struct Script {
    pub(crate) places: Places,
    pub(crate) parts: Vec<Part>,
    pub(crate) lines: Vec<Line>,
    /// How many words there are.
    pub(crate) count: usize,
    /// How many segments are bleed, and whether they are left out.
    pub(crate) bleed: usize,
    pub(crate) leaves_out: bool,
    /// The numbers of words that are not drawn: they were cut.
    pub(crate) hidden: BTreeSet<usize>,
    /// The parts of each source by their start.
    by_source: BTreeMap<SourceId, Vec<usize>>,
}

impl Script {
    /// The transcript of `only`, or of all sources, in lines of at most `room` points, with its bleed and its cuts shown
    /// so. `wide` measures a word.
    pub(crate) fn new(
        session: &Session,
        (only, (bleed, cuts)): (Option<SourceId>, (Bleed, Cuts)),
        room: f32,
        wide: &mut dyn FnMut(&str) -> f32,
    ) -> Self {
        let playing = Playing::of(session);
        let mut script = Self { places: Places::new(session), ..Self::default() };
        let shown = |segment: &Segment| {
            !segment.words.is_empty() && only.is_none_or(|only| segment.source == only)
        };
        let all = session.segments.iter().filter(|(_, segment)| shown(segment));
        let mut all: Vec<(SegmentId, &Segment)> = all.map(|(id, it)| (*id, it)).collect();
        script.bleed = all.iter().filter(|(_, segment)| segment.is_bleed()).count();
        script.leaves_out = bleed == Bleed::LeftOut && (1..all.len()).contains(&script.bleed);
        if script.leaves_out {
            all.retain(|(_, segment)| !segment.is_bleed());
        }
        let hides = |segment: &Segment, word: &Word| {
            cuts == Cuts::Hidden && playing.is_cut(segment.source, word)
        };
        all.retain(|(_, segment)| !segment.words.iter().all(|word| hides(segment, word)));
        all.sort_by_key(|(id, segment)| (segment.source, segment.start, *id));
        let has_names = all.first().map(|it| it.1.source) != all.last().map(|it| it.1.source);
        let (mut last, space) = (None, wide(" "));
        let doubled = distinct_names::doubled(all.iter().map(|(_, segment)| *segment));
        for (id, segment) in script.as_heard(session, all) {
            // Names of speakers say who speaks, but not which take it is.
            let is_told = segment.speaker.as_deref().is_some_and(|who| !doubled.contains(who));
            if has_names && !is_told && last != Some(segment.source) {
                script.lines.push(Line::Source(segment.source));
            }
            last = Some(segment.source);
            let place = script.parts.len();
            script.by_source.entry(segment.source).or_default().push(place);
            script.add(id, segment, (room, space), &mut |word| match hides(segment, word) {
                true => None,
                false => Some(wide(&word.text)),
            });
        }
        let Self { by_source, parts, .. } = &mut script;
        for own in by_source.values_mut() {
            own.sort_by_key(|place| parts[*place].start);
        }
        script
    }

    /// The same with a line above the words of each part, for its time and its speaker.
    pub(crate) fn with_heads(mut self) -> Self {
        for line in std::mem::take(&mut self.lines) {
            if let Line::Words { part, first: 0, .. } = line {
                self.lines.push(Line::Head { part });
                self.parts[part].line = self.lines.len();
            }
            self.lines.push(line);
        }
        self
    }

    /// Segments in the order in which they are heard. A cut segment stays after the one it was said after.
    /// If several begin at once, as parallel takes do, the one of the first track comes first.
    fn as_heard<'s>(
        &self,
        session: &Session,
        said: Vec<(SegmentId, &'s Segment)>,
    ) -> Vec<(SegmentId, &'s Segment)> {
        let mut behind: BTreeMap<SourceId, Frames> = BTreeMap::new();
        let key = |segment: &Segment| {
            let Segment { source, start, .. } = *segment;
            let plays = self.places.first_word(source, &segment.words);
            let heard = plays.or_else(|| self.places.first_of(source, start, segment.end()));
            let behind = behind.entry(segment.source).or_insert(Frames::ZERO);
            *behind = heard.unwrap_or(*behind);
            *behind
        };
        let keys: Vec<Frames> = said.iter().map(|(_, it)| it).copied().map(key).collect();
        let tracks: BTreeMap<TrackId, usize> =
            session.track_order.iter().copied().zip(0..).collect();
        let track = |source| self.places.track_of(source).and_then(|id| tracks.get(&id).copied());
        let step = (i64::from(session.rate.0) / AT_ONCE).max(1);
        let mut ordered: Vec<_> = keys.into_iter().zip(said).collect();
        ordered.sort_by_key(|(at, (_, it))| {
            (at.0.div_euclid(step), track(it.source).unwrap_or(usize::MAX), *at)
        });
        ordered.into_iter().map(|(_, said)| said).collect()
    }

    fn add(
        &mut self,
        id: SegmentId,
        segment: &Segment,
        (room, space): (f32, f32),
        wide: &mut dyn FnMut(&Word) -> Option<f32>,
    ) {
        let (part, count) = (self.parts.len(), segment.words.len());
        let (first, line) = (self.count, self.lines.len());
        let Segment { source, start, .. } = *segment;
        self.parts.push(Part { id, source, start, first, count, line });
        self.count += count;
        let (mut begun, mut used) = (0, 0.0);
        for (place, word) in segment.words.iter().enumerate() {
            let Some(width) = wide(word) else {
                self.hidden.insert(first + place);
                continue;
            };
            if place > begun && used + width > room {
                self.lines.push(Line::Words { part, first: begun, last: place });
                (begun, used) = (place, 0.0);
            }
            used += width + space;
        }
        self.lines.push(Line::Words { part, first: begun, last: count });
    }

    /// Of how many sources there are words.
    pub(crate) fn sources(&self) -> usize {
        self.by_source.len()
    }

    /// The part that a word is in, and its place there.
    pub(crate) fn word(&self, number: usize) -> Option<(&Part, usize)> {
        let place = self.parts.partition_point(|part| part.first <= number).checked_sub(1)?;
        let part = self.parts.get(place)?;
        let at = number - part.first;
        (at < part.count).then_some((part, at))
    }

    /// The number here of the first of some words of `earlier` lines. `None` if they are not all here in
    /// sequence, or one of their segments has other words.
    pub(crate) fn same(&self, earlier: &Self, words: Range<usize>) -> Option<usize> {
        let parts: BTreeMap<SegmentId, &Part> = self.parts.iter().map(|it| (it.id, it)).collect();
        let number = |earlier_number: usize| {
            let (part, at) = earlier.word(earlier_number)?;
            let own = parts.get(&part.id).filter(|own| own.count == part.count)?;
            Some(own.first + at)
        };
        let first = number(words.start)?;
        words.zip(first..).all(|(earlier, own)| number(earlier) == Some(own)).then_some(first)
    }

    pub(crate) fn line_of(&self, number: usize) -> Option<usize> {
        let (part, at) = self.word(number)?;
        let own = self.lines.get(part.line..)?;
        let ahead = own.iter().take_while(|line| match line {
            Line::Words { last, .. } => *last <= at,
            Line::Source(_) | Line::Head { .. } => false,
        });
        Some(part.line + ahead.count())
    }

    /// The last word of a source that begins at a frame or before it.
    pub(crate) fn word_at(&self, session: &Session, source: SourceId, at: Frames) -> Option<usize> {
        let own = self.by_source.get(&source)?;
        let place = own.partition_point(|part| self.parts[*part].start <= at).checked_sub(1)?;
        let part = self.parts.get(*own.get(place)?)?;
        let words = &session.segments.get(&part.id)?.words;
        let place = words.partition_point(|word| word.start <= at).saturating_sub(1);
        Some(part.first + place)
    }

    /// Where in its source a word begins.
    pub(crate) fn start_of(&self, session: &Session, number: usize) -> Option<Frames> {
        let (part, place) = self.word(number)?;
        Some(session.segments.get(&part.id)?.words.get(place)?.start)
    }

    /// The stretches of sources for words, in the order of the words. Successive ones in the same source
    /// are joined.
    pub(crate) fn pieces(&self, session: &Session, words: Range<usize>) -> Vec<Piece> {
        let first = self.parts.partition_point(|part| part.first <= words.start).saturating_sub(1);
        let own = self.parts[first..].iter().take_while(|part| part.first < words.end);
        let mut pieces: Vec<Piece> = Vec::new();
        for part in own {
            let Some(segment) = session.segments.get(&part.id) else { continue };
            let begin = words.start.saturating_sub(part.first);
            let end = (words.end - part.first).min(part.count);
            let Some(said) = segment.words.get(begin..end) else { continue };
            let (Some(from), Some(to)) = (said.first(), said.last()) else { continue };
            let (from, to) = (from.start, to.end.max(from.start + Frames(1)));
            match pieces.last_mut() {
                Some(last) if last.source == part.source && last.to <= from => last.to = to,
                Some(_) | None => pieces.push(Piece { source: part.source, from, to }),
            }
        }
        pieces
    }
}

/// A stretch of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) source: SourceId,
    pub(crate) from: Frames,
    pub(crate) to: Frames,
}

/// Words that were picked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Region {
    /// By their numbers.
    pub(crate) words: Range<usize>,
    /// At least one.
    pub(crate) pieces: Vec<Piece>,
}

impl Script {
    /// The picked words, as stretches of the sources.
    pub(crate) fn region(&self, session: &Session, words: Range<usize>) -> Option<Region> {
        let pieces = self.pieces(session, words.clone());
        (!pieces.is_empty()).then_some(Region { words, pieces })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::spoken;
    use deskhand_session::{BLEED_OF, ClipId};

    fn script(room: f32) -> (Session, Script) {
        let session = spoken();
        let shown = (None, (Bleed::LeftOut, Cuts::Struck));
        let script = Script::new(&session, shown, room, &mut |word| word.len() as f32);
        (session, script)
    }

    #[test]
    fn lines_hold_what_fits_and_every_word_once() {
        let (session, script) = script(16.0);
        hold_all(&session, &script);
        let words = script.lines.len();
        let script = script.with_heads();
        assert_eq!(script.lines.len(), words + script.parts.len());
        assert_eq!(script.lines[0], Line::Head { part: 0 });
        hold_all(&session, &script);
    }

    fn hold_all(session: &Session, script: &Script) {
        let mut seen = Vec::new();
        for line in &script.lines {
            let Line::Words { part, first, last } = line else { continue };
            let segment = &session.segments[&script.parts[*part].id];
            let text: Vec<&str> =
                segment.words[*first..*last].iter().map(|word| word.text.as_str()).collect();
            assert!(text.join(" ").len() <= 17, "{text:?}");
            seen.extend(*first + script.parts[*part].first..*last + script.parts[*part].first);
        }
        assert_eq!(seen, (0..script.count).collect::<Vec<_>>());
        for number in 0..script.count {
            let line = script.line_of(number).unwrap();
            let Line::Words { part, first, last } = script.lines[line] else { panic!() };
            let at = number - script.parts[part].first;
            assert!(first <= at && at < last, "{number}");
        }
    }

    #[test]
    fn words_are_found_by_time_and_picked_as_a_stretch() {
        let (session, script) = script(100.0);
        let source = SourceId::new(1);
        let number = script.word_at(&session, source, Frames(24_000 * 3)).unwrap();
        assert_eq!(number, 3);
        let region = script.region(&session, 1..4).unwrap();
        let [piece] = region.pieces.as_slice() else { panic!("{region:?}") };
        assert_eq!((piece.from, piece.source), (Frames(24_000), source));
        assert_eq!(piece.to, session.segments[&script.parts[0].id].words[3].end);
    }

    #[test]
    fn voices_are_read_in_the_order_in_which_they_are_heard() {
        let (session, script) = script(100.0);
        let sources: Vec<SourceId> = script.parts.iter().map(|part| part.source).collect();
        assert_eq!(sources, [1, 2, 2, 1].map(SourceId::new), "both begin at the start");
        let all = script.pieces(&session, 0..script.count);
        let sources: Vec<SourceId> = all.iter().map(|piece| piece.source).collect();
        assert_eq!(sources, [1, 2, 1].map(SourceId::new));
    }

    #[test]
    fn what_begins_at_once_is_read_from_the_first_track_down() {
        let sources = |late: i64| -> Vec<SourceId> {
            let mut session = spoken();
            session.track_order.reverse();
            session.clips.get_mut(&ClipId::new(2)).unwrap().position = Frames(late);
            let (shown, mut wide) =
                ((None, (Bleed::LeftOut, Cuts::Struck)), |word: &str| word.len() as f32);
            let script = Script::new(&session, shown, 100.0, &mut wide);
            script.parts.iter().map(|part| part.source).collect()
        };
        assert_eq!(sources(9_600), [2, 1, 2, 1].map(SourceId::new), "0.2 s apart");
        assert_eq!(sources(14_400), [1, 2, 2, 1].map(SourceId::new), "0.3 s apart");
    }

    #[test]
    fn takes_of_one_voice_stand_under_the_names_of_their_recordings() {
        let mut session = spoken();
        let names = |session: &Session| {
            let (shown, mut wide) =
                ((None, (Bleed::LeftOut, Cuts::Struck)), |word: &str| word.len() as f32);
            let script = Script::new(session, shown, 100.0, &mut wide);
            let lines = script.lines.iter().map(|line| match line {
                Line::Source(source) => Some(*source),
                Line::Head { .. } | Line::Words { .. } => None,
            });
            lines.collect::<Vec<_>>()
        };
        assert_eq!(names(&session), [None; 4], "they say something else");
        let first = session.segments[&SegmentId::new(1)].clone();
        let second = session.segments.get_mut(&SegmentId::new(3)).unwrap();
        *second = Segment { source: second.source, ..first };
        let [vocal, guitar] = [1, 2].map(|number| Some(SourceId::new(number)));
        assert_eq!(names(&session), [vocal, None, guitar, None, None, None]);
    }

    #[test]
    fn what_was_cut_stays_behind_what_it_was_said_behind_of() {
        let mut session = spoken();
        session.clips.remove(&ClipId::new(2));
        let shown = (None, (Bleed::LeftOut, Cuts::Struck));
        let script = Script::new(&session, shown, 100.0, &mut |word| word.len() as f32);
        let sources: Vec<SourceId> = script.parts.iter().map(|part| part.source).collect();
        assert_eq!(sources, [1, 2, 2, 1].map(SourceId::new));
        let words = &session.segments[&SegmentId::new(3)].words;
        assert_eq!(script.places.first_word(SourceId::new(2), words), None);
    }

    #[test]
    fn bleed_is_left_out_and_counted_unless_nothing_else_is_said() {
        let mut session = spoken();
        let value = serde_json::json!({"value": "Anna", "by": "tool_mark_speakers"});
        let fact: deskhand_session::Fact = serde_json::from_value(value).unwrap();
        let mut bleeds = |number: u64| {
            let segment = session.segments.get_mut(&SegmentId::new(number)).unwrap();
            segment.description.facts.insert(BLEED_OF.into(), fact.clone());
            session.clone()
        };
        let parts = |session: &Session, bleed| {
            let shown = (Some(SourceId::new(2)), (bleed, Cuts::Struck));
            let script = Script::new(session, shown, 100.0, &mut |word| word.len() as f32);
            (script.parts.len(), script.bleed, script.leaves_out)
        };
        let one = bleeds(3);
        assert_eq!(parts(&one, Bleed::LeftOut), (1, 1, true));
        assert_eq!(parts(&one, Bleed::Shown), (2, 1, false));
        assert_eq!(parts(&bleeds(4), Bleed::LeftOut), (2, 2, false), "all of this recording");
    }
}
