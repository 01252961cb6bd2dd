//! Corrects the times of transcribed fillers that sound elsewhere, as their cuts show.
//!
//! The times of words say which of them were cut. So the cut of a misplaced filler includes a correction:
//! the filler moves to where it sounds, and words over the removed stretch move next to it. A segment that
//! begins or ends with such a filler grows over it. Any of the cuts can be left out, so no word is moved by
//! two of them, and words stay in order whichever are taken.

use super::fillers::{Filler, quick};
use crate::assembly::talk::is_filler;
use deskhand_dsp::{Frames, SampleRate};
use deskhand_session::{Change, Edit, Segment, SegmentId, Session, SourceId, Word};
use std::collections::BTreeMap;
use std::ops::Range;

/// The most words that make room on each side of a filler. If more had to, its time is right.
const MOST_MOVED: usize = 3;

/// A filler that is written down and cut. All frames of its source.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Said {
    source: SourceId,
    /// As written.
    word: Word,
    /// Where it sounds.
    sounds: Range<Frames>,
    /// The stretch that is cut for it.
    goes: Range<Frames>,
}

impl Said {
    /// A filler that `cut` removes, on the timeline; `None` if it is not transcribed.
    pub(super) fn of(filler: &Filler, cut: &Range<Frames>) -> Option<Self> {
        let on_source =
            |range: &Range<Frames>| range.start - filler.shift..range.end - filler.shift;
        let (sounds, goes) = (on_source(&filler.range), on_source(cut));
        Some(Self { source: filler.source, word: filler.word.clone()?, sounds, goes })
    }
}

/// When a word begins: as early and as late as any of the cuts puts it.
#[derive(Clone, Copy)]
struct Begins {
    first: Frames,
    last: Frames,
    is_moved: bool,
}

/// The words that cuts move.
#[derive(Default)]
pub(super) struct Retimed<'a> {
    segments: BTreeMap<SegmentId, Vec<Begins>>,
    /// The segments of each source that was asked for, in order.
    transcripts: BTreeMap<SourceId, Vec<(SegmentId, &'a Segment)>>,
}

impl<'a> Retimed<'a> {
    /// The correction that the cut of a filler includes. `None` if only the filler counts as cut anyway, or
    /// if its segment cannot make room.
    pub(super) fn change(&mut self, session: &'a Session, said: &Said) -> Option<Change> {
        let segments = self.transcripts.entry(said.source);
        let segments = segments.or_insert_with(|| session.transcript_of(said.source));
        let (place, at) = segments.iter().enumerate().find_map(|(place, (_, segment))| {
            let at = segment.words.iter().position(|word| *word == said.word)?;
            Some((place, at))
        })?;
        let (id, before) = *segments.get(place)?;
        if is_told(&before.words, at, &said.goes) {
            return None;
        }
        let wide = wide(before, at, said, &free(session, segments, place)?);
        let words = beside(&wide, at, said, session.rate)?;
        let grows = (wide.start, wide.length) != (before.start, before.length);
        if !self.takes(id, &before.words, &words, grows) {
            return None;
        }
        let after = Segment { words, ..wide };
        Some(Change::SetSegment(Edit::new(id, Some(before.clone()), Some(after))))
    }

    /// Whether no other cut moves any of these words, and they follow one another whichever cuts are taken. Where the
    /// segment grows its words are one thing, which no other cut may touch.
    fn takes(&mut self, id: SegmentId, before: &[Word], after: &[Word], grows: bool) -> bool {
        let as_written =
            |word: &Word| Begins { first: word.start, last: word.start, is_moved: false };
        let known = self.segments.entry(id);
        let known = known.or_insert_with(|| before.iter().map(as_written).collect());
        let pairs: Vec<(&Word, &Word)> = before.iter().zip(after).collect();
        let moves = |n: usize| grows || pairs.get(n).is_some_and(|(before, after)| before != after);
        let both =
            known.iter().zip(&pairs).enumerate().map(
                |(n, (begins, (before, after)))| match moves(n) {
                    false => *begins,
                    true => Begins {
                        first: before.start.min(after.start),
                        last: before.start.max(after.start),
                        is_moved: true,
                    },
                },
            );
        let both: Vec<Begins> = both.collect();
        let is_free = known.iter().enumerate().all(|(n, begins)| !begins.is_moved || !moves(n));
        let follow = both.windows(2).enumerate().all(|(n, pair)| {
            let in_order = matches!(pair, [word, next] if word.last <= next.first);
            in_order || (moves(n) && moves(n + 1))
        });
        let is_one = is_free && follow && before != after;
        if is_one {
            *known = both;
        }
        is_one
    }
}

/// The time that no other segment of the transcript takes around the one at `place`.
fn free(
    session: &Session,
    segments: &[(SegmentId, &Segment)],
    place: usize,
) -> Option<Range<Frames>> {
    let (_, own) = segments.get(place)?;
    let ahead = segments.iter().take(place).map(|(_, segment)| segment.end()).max();
    let behind = segments.get(place + 1).map(|(_, segment)| segment.start);
    let last = session.sources.get(&own.source)?.frames;
    Some(ahead.unwrap_or(Frames::ZERO)..behind.unwrap_or(last))
}

/// The segment, grown over the sound of its first or last filler, if that is next to it and free.
fn wide(segment: &Segment, at: usize, said: &Said, free: &Range<Frames>) -> Segment {
    let sounds = said.sounds.start.max(said.goes.start)..said.sounds.end.min(said.goes.end);
    let (mut start, mut end) = (segment.start, segment.end());
    if at == 0 && sounds.end <= start {
        start = sounds.start.max(free.start).min(start);
    }
    if at + 1 == segment.words.len() && end <= sounds.start {
        end = sounds.end.min(free.end).max(end);
    }
    Segment { start, length: end - start, ..segment.clone() }
}

/// Whether a removed range makes the filler at `at` count as cut, and no other word except fillers.
fn is_told(words: &[Word], at: usize, goes: &Range<Frames>) -> bool {
    words.iter().enumerate().all(|(n, word)| match n == at {
        true => is_in(word, goes),
        false => is_filler(&word.text) || !is_in(word, goes),
    })
}

/// Whether half of a word or more lies in a range.
fn is_in(word: &Word, range: &Range<Frames>) -> bool {
    let end = word.end.max(word.start + Frames(1));
    let inside = end.min(range.end) - word.start.max(range.start);
    inside.0 * 2 >= (end - word.start).0
}

/// The words of a segment with the one at `at` where it sounds, and the others outside the removed range.
/// `None` if it sounds outside the segment, or too many words would have to move.
fn beside(segment: &Segment, at: usize, said: &Said, rate: SampleRate) -> Option<Vec<Word>> {
    let start = said.sounds.start.max(said.goes.start).max(segment.start);
    let end = said.sounds.end.min(said.goes.end).min(segment.end());
    if start >= end {
        return None;
    }
    let mut words = segment.words.clone();
    let (ahead, rest) = words.split_at_mut_checked(at)?;
    let (own, behind) = rest.split_first_mut()?;
    (own.start, own.end) = (start, end);
    let before = make_room_ahead(ahead, segment.start..said.goes.start.max(segment.start), rate);
    let after = make_room_behind(behind, said.goes.end.min(segment.end())..segment.end(), rate);
    (before.max(after) <= MOST_MOVED).then_some(words)
}

/// What a word keeps at least where another makes room: half of what it takes when it is said quickly. One that gets
/// less pushes its neighbor.
fn hurried(word: &Word, rate: SampleRate) -> Frames {
    Frames(quick(word, rate).0 / 2)
}

/// Ends words by the end of `room`, each with what it takes at least where there is so much; how many had to move.
fn make_room_ahead(words: &mut [Word], room: Range<Frames>, rate: SampleRate) -> usize {
    let mut limit = room.end;
    let mut moved = 0;
    for word in words.iter_mut().rev() {
        if word.end <= limit {
            break;
        }
        let least = (word.end - word.start).min(hurried(word, rate));
        word.end = limit;
        word.start = word.start.min(limit - least).max(room.start);
        limit = word.start;
        moved += 1;
    }
    moved
}

/// Begins words at the start of `room` or later, the same otherwise.
fn make_room_behind(words: &mut [Word], room: Range<Frames>, rate: SampleRate) -> usize {
    let mut limit = room.start;
    let mut moved = 0;
    for word in words.iter_mut() {
        if word.start >= limit {
            break;
        }
        let least = (word.end - word.start).min(hurried(word, rate));
        word.start = limit;
        word.end = word.end.max(limit + least).min(room.end);
        limit = word.end;
        moved += 1;
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assembly::tests::recording;
    use deskhand_session::{Playing, Track};
    use deskhand_toolkit::testing::{Desk, RATE, SECOND, plan_of};
    use serde_json::json;

    const ID: SegmentId = SegmentId::new(1);

    fn frames(seconds: f64) -> Frames {
        Frames((seconds * SECOND as f64).round() as i64)
    }

    /// A talk of 4 s with one segment of words, which sound elsewhere.
    fn desk(words: &[(f64, f64, &str)], sounds: &[(f64, f64, &'static str)]) -> Desk {
        let mut desk = Desk::new(crate::testing::tools());
        let track = desk.track(Track::audio("Voice"));
        let clip = desk.clip(track, "Talk", 0, recording(4.0, sounds, 220.0));
        let source = desk.session.clips[&clip].source;
        let word = |(start, end, text): &(f64, f64, &str)| Word {
            text: (*text).into(),
            start: frames(*start),
            end: frames(*end),
            confidence: None,
        };
        let words = words.iter().map(word).collect();
        let segment = Segment { words, ..Segment::new(source, frames(0.5), frames(3.1)) };
        desk.session.segments.insert(ID, segment);
        desk
    }

    fn cut_words(session: &Session) -> Option<String> {
        Playing::of(session).cut_from(&session.segments[&ID])
    }

    #[test]
    fn the_filler_is_told_as_cut_and_not_the_word_that_was_written_over_it() {
        // As Whisper tiny writes it: late, with the previous word stretched over its sound.
        let words = [
            (0.5, 1.5, "the"),
            (1.6, 2.38, "sea,"),
            (2.38, 2.6, "uh,"),
            (2.7, 3.1, "and"),
            (3.1, 3.6, "came"),
        ];
        let sounds = [(0.5, 1.5, ""), (1.95, 2.35, ""), (2.7, 3.6, "")];
        for room_tone in [false, true] {
            let desk = desk(&words, &sounds);
            let params = json!({"targets": "all", "fillers": true, "room_tone": room_tone});
            let draft = desk.plan("tool_tighten", params);
            let to_hear = draft.changes.iter().find(|planned| planned.to_hear).unwrap();
            let only = std::slice::from_ref(&to_hear.id);
            let closure = plan_of(&draft.changes).closure(only).unwrap();
            let moves = |change: &&Change| change.op() == "set_segment";
            let all: Vec<Change> =
                draft.changes.iter().map(|planned| planned.change.clone()).collect();
            assert_eq!(all.iter().filter(moves).count(), 1, "{draft:?}");
            let mut own = draft.changes.iter().filter(|it| it.change.op() == "set_segment");
            assert!(own.all(|it| closure.contains(&it.id) && it.needs.len() == 1), "{draft:?}");
            let after = desk.session.with(&all).unwrap();
            let said = &after.segments[&ID].words;
            assert!(said.windows(2).all(|pair| pair[0].end <= pair[1].start), "{said:?}");
            let back: Vec<Change> = all.iter().rev().cloned().map(Change::inverse).collect();
            assert_eq!(after.with(&back).unwrap(), desk.session, "one step takes all of it back");
            if !room_tone {
                assert_eq!(cut_words(&after).as_deref(), Some("uh,"));
            }
        }
    }

    #[test]
    fn what_is_told_right_stays_as_it_is() {
        let words = [(0.5, 1.5, "sea,"), (1.9, 2.3, "uh,"), (2.7, 3.6, "and")];
        let desk = desk(&words, &words);
        let draft = desk.plan("tool_tighten", json!({"targets": "all", "fillers": true}));
        assert!(!draft.changes.is_empty());
        let writes = draft.changes.iter().filter(|it| it.change.op() == "set_segment").count();
        assert_eq!(writes, 0, "{draft:?}");
    }

    /// "Um, we went", with the first word written after its sound, which is before the segment.
    fn begins_late() -> Desk {
        let words = [(1.85, 1.95, "Um,"), (2.0, 2.4, "we"), (2.4, 3.0, "went")];
        let mut desk = desk(&words, &[(0.9, 1.3, ""), (1.75, 3.0, "")]);
        let segment = desk.session.segments.get_mut(&ID).unwrap();
        (segment.start, segment.length) = (frames(1.75), frames(1.25));
        desk
    }

    #[test]
    fn a_filler_that_sounds_ahead_of_its_segment_is_told_as_cut() {
        let desk = begins_late();
        let draft = desk.plan("tool_tighten", json!({"targets": "all", "fillers": true}));
        let after = desk.session.with(draft.changes.iter().map(|it| &it.change)).unwrap();
        assert_eq!(cut_words(&after).as_deref(), Some("Um,"), "{draft:?}");
        let segment = &after.segments[&ID];
        assert!(segment.start < frames(1.3) && segment.end() == frames(3.0), "{segment:?}");
    }

    #[test]
    fn a_segment_grows_no_further_than_to_those_beside_it_and_for_one_cut_alone() {
        let mut desk = begins_late();
        let source = desk.session.segments[&ID].source;
        let word = |text: &str, start: f64, end: f64| Word {
            text: text.into(),
            start: frames(start),
            end: frames(end),
            confidence: None,
        };
        let ahead = Segment {
            words: vec![word("Yes.", 0.2, 1.0)],
            ..Segment::new(source, frames(0.2), frames(0.8))
        };
        desk.session.segments.insert(SegmentId::new(2), ahead);
        let said = |number: usize, from: f64, to: f64| Said {
            source,
            word: desk.session.segments[&ID].words[number].clone(),
            sounds: frames(from)..frames(to),
            goes: frames(from)..frames(to),
        };
        let um = said(0, 0.9, 1.3);
        let mut retimed = Retimed::default();
        let change = retimed.change(&desk.session, &um).unwrap();
        let after = desk.session.with([&change]).unwrap();
        let segment = &after.segments[&ID];
        assert_eq!((segment.start, segment.end()), (frames(1.0), frames(3.0)));
        assert_eq!((segment.words[0].start, segment.words[0].end), (frames(1.0), frames(1.3)));
        assert_eq!(segment.words[1..], desk.session.segments[&ID].words[1..]);
        let other = said(1, 1.72, 1.8);
        assert_eq!(retimed.change(&desk.session, &other), None, "both could not be taken");
        let over = said(0, 0.3, 0.9);
        assert_eq!(Retimed::default().change(&desk.session, &over), None, "another is said there");
    }

    #[test]
    fn corrections_of_one_segment_are_taken_and_left_one_by_one() {
        let words = [
            (0.5, 1.2, "sea,"),
            (1.2, 1.4, "uh,"),
            (1.5, 2.9, "and"),
            (2.9, 3.0, "um,"),
            (3.1, 3.6, "came"),
        ];
        let desk = desk(&words, &[]);
        let segment = &desk.session.segments[&ID];
        let said = |word: usize, from: f64, to: f64| Said {
            source: segment.source,
            word: segment.words[word].clone(),
            sounds: frames(from)..frames(to),
            goes: frames(from)..frames(to),
        };
        let both = [said(3, 2.2, 2.6), said(1, 0.8, 1.1)];
        let mut retimed = Retimed::default();
        let changes = both.clone().map(|it| retimed.change(&desk.session, &it).unwrap());
        for (first, second) in [(true, true), (true, false), (false, true)] {
            let taken = changes.iter().zip([first, second]).filter(|(_, taken)| *taken);
            let taken: Vec<&Change> = taken.map(|(change, _)| change).collect();
            let after = desk.session.with(taken).unwrap();
            let times = |word: usize| {
                let word = &after.segments[&ID].words[word];
                word.start.seconds(RATE).0..word.end.seconds(RATE).0
            };
            assert_eq!(times(3), if first { 2.2..2.6 } else { 2.9..3.0 });
            assert_eq!(times(1), if second { 0.8..1.1 } else { 1.2..1.4 });
            assert_eq!(times(2).end, if first { 2.2 } else { 2.9 }, "it ends where that begins");
        }
        let again = retimed.change(&desk.session, &both[0]);
        assert_eq!(again, None, "no word is moved by two cuts");
        assert_eq!(retimed.transcripts.len(), 1, "the transcript is put in order once");
    }
}
