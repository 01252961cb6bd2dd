//! Segments that several people share, cut where one stops and the next begins.

use crate::transcribe::frames;
use crate::turns::Turn;
use deskhand_dsp::{Frames, SampleRate};
use deskhand_session::{Segment, Word};
use std::ops::Range;

/// A shorter run, in s, cannot be assigned to a speaker of its own: voices are not known sooner.
const LEAST: f64 = 0.8;

/// Words in a row, and their speaker.
#[derive(Clone, Debug, PartialEq)]
struct Run {
    words: Range<usize>,
    speaker: usize,
}

/// The parts of a segment by speaker, at least one; `None` if nobody is heard during its words.
pub(super) fn parts(
    segment: &Segment,
    turns: &[&Turn],
    rate: SampleRate,
) -> Option<Vec<(usize, Segment)>> {
    let said: Vec<Option<usize>> =
        segment.words.iter().map(|word| speaker_of(word, turns, rate)).collect();
    let mut last = said.iter().flatten().next().copied()?;
    let mut runs: Vec<Run> = Vec::new();
    for (at, speaker) in said.into_iter().enumerate() {
        last = speaker.unwrap_or(last);
        match runs.last_mut() {
            Some(run) if run.speaker == last => run.words.end = at + 1,
            _ => runs.push(Run { words: at..at + 1, speaker: last }),
        }
    }
    while let Some(short) = shortest(&runs, &segment.words, rate) {
        give_away(&mut runs, short, &segment.words);
    }
    Some(runs.iter().map(|run| (run.speaker, part(segment, run))).collect())
}

/// The speaker of most of a word.
fn speaker_of(word: &Word, turns: &[&Turn], rate: SampleRate) -> Option<usize> {
    let most = 1 + turns.iter().map(|turn| turn.speaker).max()?;
    let mut shared = vec![0i64; most];
    for turn in turns {
        let (start, end) = (frames(turn.range.start, rate), frames(turn.range.end, rate));
        if let Some(shared) = shared.get_mut(turn.speaker) {
            *shared += (word.end.min(end).0 - word.start.max(start).0).max(0);
        }
    }
    let (speaker, share) = shared.iter().enumerate().rev().max_by_key(|(_, share)| **share)?;
    (*share > 0).then_some(speaker)
}

/// From the first word to the last.
fn length(run: &Run, words: &[Word]) -> i64 {
    let first = words.get(run.words.start).map_or(0, |word| word.start.0);
    words.get(run.words.end.saturating_sub(1)).map_or(0, |word| word.end.0 - first)
}

/// The shortest run that is too short to keep.
fn shortest(runs: &[Run], words: &[Word], rate: SampleRate) -> Option<usize> {
    let least = (LEAST * f64::from(rate.0)) as i64;
    let lengths = runs.iter().map(|run| length(run, words)).enumerate();
    let (short, length) = lengths.min_by_key(|(_, length)| *length)?;
    (runs.len() > 1 && length < least).then_some(short)
}

/// Gives a run to its longer neighbor.
fn give_away(runs: &mut Vec<Run>, short: usize, words: &[Word]) {
    let beside = |at: Option<usize>| at.and_then(|at| runs.get(at)).map(|run| length(run, words));
    let (ahead, behind) = (beside(short.checked_sub(1)), beside(Some(short + 1)));
    let taker = if ahead >= behind { short.wrapping_sub(1) } else { short + 1 };
    let Some(speaker) = runs.get(taker).map(|run| run.speaker) else { return };
    if let Some(run) = runs.get_mut(short) {
        run.speaker = speaker;
    }
    runs.dedup_by(|next, run| {
        let same = next.speaker == run.speaker;
        if same {
            run.words.end = next.words.end;
        }
        same
    });
}

/// The words of a run as a segment; the first keeps the segment's start, the last its end.
fn part(segment: &Segment, run: &Run) -> Segment {
    let words = segment.words.get(run.words.clone()).unwrap_or_default().to_vec();
    let next = segment.words.get(run.words.end).map(|word| word.start);
    let own = if run.words.start == 0 { None } else { words.first().map(|word| word.start) };
    let start = own.unwrap_or(segment.start);
    let last = words.last().map_or(start, |word| word.end);
    let end = next.map_or(segment.end(), |next| last.min(next)).max(start + Frames(1));
    Segment { start, length: end - start, words, ..segment.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mel::RATE;
    use deskhand_session::SourceId;
    use proptest::prelude::*;

    const SESSION: SampleRate = SampleRate(48_000);

    /// A word every half second, from second 0 on.
    fn segment(text: &str) -> Segment {
        let at = |half: usize| Frames(half as i64 * 24_000);
        let words = text.split(' ').enumerate().map(|(n, text)| Word {
            text: text.into(),
            start: at(n),
            end: at(n + 1),
            confidence: None,
        });
        let words: Vec<Word> = words.collect();
        let length = at(words.len());
        Segment { words, ..Segment::new(SourceId::new(1), Frames(0), length) }
    }

    fn turn(from: f64, to: f64, speaker: usize) -> Turn {
        let sample = |second: f64| (second * f64::from(RATE)) as usize;
        Turn { recording: 0, range: sample(from)..sample(to), speaker }
    }

    fn told(text: &str, turns: &[Turn]) -> Vec<(usize, String)> {
        let turns: Vec<&Turn> = turns.iter().collect();
        let parts = parts(&segment(text), &turns, SESSION).unwrap_or_default();
        parts.into_iter().map(|(speaker, part)| (speaker, part.text())).collect()
    }

    #[test]
    fn a_segment_is_cut_where_another_begins() {
        let turns = [turn(0.0, 2.1, 0), turn(2.1, 9.0, 1)];
        let both = told("where were you then at the sea", &turns);
        assert_eq!(both, [(0, "where were you then".into()), (1, "at the sea".into())]);
        let parts = parts(&segment("a b c d e f"), &turns.each_ref(), SESSION).unwrap();
        let spans: Vec<_> = parts.iter().map(|(_, it)| (it.start.0, it.end().0)).collect();
        assert_eq!(spans, [(0, 96_000), (96_000, 144_000)]);
    }

    #[test]
    fn a_word_of_another_voice_is_not_told_apart_and_a_hole_goes_on() {
        let turns = [turn(0.0, 1.0, 0), turn(1.0, 1.5, 1), turn(1.5, 2.0, 0)];
        assert_eq!(told("one two three four five six", &turns).len(), 1);
        assert_eq!(told("one two", &[turn(7.0, 9.0, 1)]), []);
    }

    proptest! {
        #[test]
        fn no_word_is_lost_and_no_part_is_short(
            who in prop::collection::vec((1usize..6, 0usize..3), 1..8),
            count in 1usize..24,
        ) {
            let (mut at, mut turns) = (0.0, Vec::new());
            for (halves, speaker) in who {
                let end = at + halves as f64 / 2.0;
                turns.push(turn(at, end, speaker));
                at = end;
            }
            let whole = segment(&vec!["word"; count].join(" "));
            let turns: Vec<&Turn> = turns.iter().collect();
            let parts = parts(&whole, &turns, SESSION).unwrap();
            let words: Vec<Word> = parts.iter().flat_map(|(_, part)| part.words.clone()).collect();
            prop_assert_eq!(&words, &whole.words);
            prop_assert!(parts.windows(2).all(|two| two[0].0 != two[1].0));
            prop_assert!(parts.windows(2).all(|two| two[0].1.end() <= two[1].1.start));
            prop_assert!(parts.len() == 1 || parts.iter().all(|(_, part)| part.words.len() > 1));
            prop_assert_eq!(parts.last().unwrap().1.end(), whole.end());
        }
    }
}
