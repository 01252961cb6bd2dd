//! The words of transcripts as lines of equal height: what is in view is found without looking at the rest.

use super::place::Places;
use deskhand_dsp::Frames;
use deskhand_session::{Segment, SegmentId, Session, SourceId};
use std::ops::Range;

/// A segment with words.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Part {
    pub(super) id: SegmentId,
    pub(super) source: SourceId,
    start: Frames,
    /// The number of its first word, counted through all parts.
    pub(super) first: usize,
    count: usize,
    /// Its first line.
    line: usize,
}

/// A line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// The name of a source, where there are several.
    Source(SourceId),
    /// Words of a part, by their place in it.
    Words { part: usize, first: usize, last: usize },
}

/// All lines of the transcripts that are shown, for one width.
#[derive(Debug, Default)]
pub(super) struct Script {
    pub(super) places: Places,
    pub(super) parts: Vec<Part>,
    pub(super) lines: Vec<Line>,
    /// How many words there are.
    pub(super) count: usize,
}

impl Script {
    /// The transcript of `only`, or of all sources, in lines of at most `room` points. `wide` measures a word.
    pub(super) fn new(
        session: &Session,
        only: Option<SourceId>,
        room: f32,
        wide: &mut dyn FnMut(&str) -> f32,
    ) -> Self {
        let mut script = Self { places: Places::new(session), ..Self::default() };
        let shown = |segment: &Segment| {
            !segment.words.is_empty() && only.is_none_or(|only| segment.source == only)
        };
        let all = session.segments.iter().filter(|(_, segment)| shown(segment));
        let mut all: Vec<(SegmentId, &Segment)> = all.map(|(id, it)| (*id, it)).collect();
        all.sort_by_key(|(id, segment)| (segment.source, segment.start, *id));
        let has_names = all.first().map(|it| it.1.source) != all.last().map(|it| it.1.source);
        let mut last = None;
        for (id, segment) in all {
            if has_names && last != Some(segment.source) {
                script.lines.push(Line::Source(segment.source));
            }
            last = Some(segment.source);
            script.add(id, segment, room, wide);
        }
        script
    }

    fn add(
        &mut self,
        id: SegmentId,
        segment: &Segment,
        room: f32,
        wide: &mut dyn FnMut(&str) -> f32,
    ) {
        let (part, count) = (self.parts.len(), segment.words.len());
        let (first, line) = (self.count, self.lines.len());
        let Segment { source, start, .. } = *segment;
        self.parts.push(Part { id, source, start, first, count, line });
        self.count += count;
        let space = wide(" ");
        let (mut begun, mut used) = (0, 0.0);
        for (place, word) in segment.words.iter().enumerate() {
            let width = wide(&word.text);
            if place > begun && used + width > room {
                self.lines.push(Line::Words { part, first: begun, last: place });
                (begun, used) = (place, 0.0);
            }
            used += width + space;
        }
        self.lines.push(Line::Words { part, first: begun, last: count });
    }

    /// The part that a word is in, and its place there.
    pub(super) fn word(&self, number: usize) -> Option<(&Part, usize)> {
        let place = self.parts.partition_point(|part| part.first <= number).checked_sub(1)?;
        let part = self.parts.get(place)?;
        let at = number - part.first;
        (at < part.count).then_some((part, at))
    }

    /// The line that a word stands in.
    pub(super) fn line_of(&self, number: usize) -> Option<usize> {
        let (part, at) = self.word(number)?;
        let own = self.lines.get(part.line..)?;
        let ahead = own.iter().take_while(|line| match line {
            Line::Words { last, .. } => *last <= at,
            Line::Source(_) => false,
        });
        Some(part.line + ahead.count())
    }

    /// The last word of a source that begins at a frame or before it.
    pub(super) fn word_at(&self, session: &Session, source: SourceId, at: Frames) -> Option<usize> {
        let behind = |part: &Part| (part.source, part.start) <= (source, at);
        let place = self.parts.partition_point(behind).checked_sub(1)?;
        let part = self.parts.get(place).filter(|part| part.source == source)?;
        let words = &session.segments.get(&part.id)?.words;
        let place = words.partition_point(|word| word.start <= at).saturating_sub(1);
        Some(part.first + place)
    }

    /// The stretch of the source that words of one source take; what is said in another is left out.
    pub(super) fn region(&self, session: &Session, words: Range<usize>) -> Option<Region> {
        let (part, at) = self.word(words.start)?;
        let from = session.segments.get(&part.id)?.words.get(at)?.start;
        let source = part.source;
        let own = self.parts.iter().filter(|it| it.source == source && it.first < words.end);
        let last = own.max_by_key(|it| it.first)?;
        let end = words.end.min(last.first + last.count);
        let word = session.segments.get(&last.id)?.words.get(end.checked_sub(last.first + 1)?)?;
        let to = word.end.max(from + Frames(1));
        Some(Region { source, from, to, words: words.start..end })
    }
}

/// Words that were picked, as a stretch of their source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Region {
    pub(super) source: SourceId,
    pub(super) from: Frames,
    pub(super) to: Frames,
    /// The words, by their numbers.
    pub(super) words: Range<usize>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::spoken;

    fn script(room: f32) -> (Session, Script) {
        let session = spoken();
        let script = Script::new(&session, None, room, &mut |word| word.len() as f32);
        (session, script)
    }

    #[test]
    fn lines_hold_what_fits_and_every_word_once() {
        let (session, script) = script(16.0);
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
        assert_eq!((region.from, region.source), (Frames(24_000), source));
        assert_eq!(region.to, session.segments[&script.parts[0].id].words[3].end);
        // The second source is not reached from the first.
        let all = script.region(&session, 0..script.count).unwrap();
        assert!(all.words.end < script.count, "{all:?}");
        assert!(matches!(script.lines[0], Line::Source(_)));
    }
}
