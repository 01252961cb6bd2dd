//! Transcripts as running text: the words of a source in order, with the turns of speakers and the sentences.

mod simultaneous_speech;

use super::places::{Stretches, holds};
use deskhand_dsp::{Frames, SampleRate, Seconds};
use deskhand_session::{Segment, SegmentId, Session, SourceId, Transcript, Word};
use simultaneous_speech::beside;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// A pause so long, in seconds, ends a sentence, and a turn where nobody is named.
const LONG_PAUSE_S: f64 = 2.0;
/// Words that end with a full stop and not a sentence.
const SHORT: [&str; 18] = [
    "mr", "mrs", "ms", "dr", "prof", "st", "sr", "jr", "vs", "no", "vol", "fig", "approx", "inc",
    "ltd", "co", "mt", "gen",
];

/// The words of a source in the requested stretches.
pub(super) struct Talk<'a> {
    pub(super) source: SourceId,
    /// All words, phrase by phrase, with speakers and times.
    pub(super) said: Transcript<'a>,
    /// The turns of each speaker, as ranges of words: a turn ends when another one speaks, here or in
    /// another recording of the talk.
    pub(super) turns: Vec<Range<usize>>,
    /// The sentences of each speaker. Words of others into their own microphones do not end a sentence.
    pub(super) sentences: Vec<Range<usize>>,
}

/// The words in these stretches, source by source, without bleed.
pub(super) fn talks<'a>(session: &'a Session, stretches: &Stretches) -> Vec<Talk<'a>> {
    let mut segments: BTreeMap<SourceId, Vec<(SegmentId, &Segment)>> = BTreeMap::new();
    for (id, segment) in &session.segments {
        let is_said = !segment.words.is_empty() && !segment.is_bleed();
        if is_said && stretches.contains_key(&segment.source) {
            segments.entry(segment.source).or_default().push((*id, segment));
        }
    }
    let beside = beside(session);
    let talk = |(source, mut own): (SourceId, Vec<(SegmentId, &'a Segment)>)| {
        own.sort_by_key(|(id, segment)| (segment.start, *id));
        let own: Vec<&Segment> = own.into_iter().map(|(_, segment)| segment).collect();
        let others = beside.get(&source).map(Vec::as_slice).unwrap_or_default();
        Talk::new(source, &own, others, (stretches.get(&source)?.as_slice(), session.rate))
    };
    segments.into_iter().filter_map(talk).collect()
}

impl<'a> Talk<'a> {
    /// The words of these segments that lie mostly in `ranges`, as a word next to a cut does; `None` if
    /// there are none. `others` speak meanwhile.
    fn new(
        source: SourceId,
        segments: &[&'a Segment],
        others: &[(Frames, &str)],
        (ranges, rate): (&[Range<Frames>], SampleRate),
    ) -> Option<Self> {
        let (mut said, mut turns, mut sentences) = (Vec::new(), Vec::new(), Vec::new());
        let pause = Seconds(LONG_PAUSE_S).frames(rate);
        let (mut turn, mut sentence) = (0, 0);
        let mut last: Option<(&Segment, &Word)> = None;
        for segment in segments {
            for word in segment.words.iter().filter(|word| holds(ranges, word.middle())) {
                if let Some((before, spoken)) = last {
                    let paused = word.start - spoken.end >= pause;
                    let same = before.speaker == segment.speaker;
                    let is_over = !same || (paused && segment.speaker.is_none());
                    if is_over || paused || ends_sentence(&spoken.text, &word.text) {
                        sentences.push(sentence..said.len());
                        sentence = said.len();
                    }
                    if is_over || is_interrupted(before, segment, others) {
                        turns.push(turn..said.len());
                        turn = said.len();
                    }
                }
                said.push((word, segment.speaker.as_deref()));
                last = Some((segment, word));
            }
        }
        last?;
        sentences.push(sentence..said.len());
        turns.push(turn..said.len());
        Some(Self { source, said: Transcript::new(said), turns, sentences })
    }

    /// All words, phrase by phrase.
    pub(super) fn words(&self) -> &[&'a Word] {
        self.said.words()
    }

    /// The frames of the source that a range of words takes, at least one.
    pub(super) fn frames(&self, range: &Range<usize>) -> Range<Frames> {
        let words = self.words().get(range.clone()).unwrap_or_default();
        let start = words.first().map_or(Frames::ZERO, |word| word.start);
        let end = words.iter().map(|word| word.end).max().unwrap_or(start);
        start..end.max(start + Frames(1))
    }

    /// The speaker of all words of a range, if others talk meanwhile: the time alone would include their
    /// words.
    pub(super) fn amid_others(&self, range: &Range<usize>) -> Option<&'a str> {
        let who = self.said.speaker(range.start);
        let mut meanwhile = self.said.within(&self.frames(range), None).into_iter();
        let is_amid = meanwhile.any(|word| self.said.speaker(word) != who);
        let is_alone = range.clone().all(|word| self.said.speaker(word) == who);
        who.filter(|_| is_amid && is_alone)
    }

    /// Whether the words of a range are said one after the other. If people talk at once, the next phrase
    /// may begin before the last word.
    pub(super) fn goes_on(&self, range: &Range<usize>) -> bool {
        let words = self.words().get(range.clone()).unwrap_or_default();
        words.windows(2).all(|pair| pair[0].start <= pair[1].start)
    }

    /// What a range of words says.
    pub(super) fn text(&self, range: &Range<usize>) -> String {
        self.said.text(range.clone())
    }
}

/// Whether somebody else begins to speak between the starts of two phrases of one speaker; `others` is in order.
fn is_interrupted(before: &Segment, segment: &Segment, others: &[(Frames, &str)]) -> bool {
    let from = others.partition_point(|(at, _)| *at < before.start);
    let mut begun = others.iter().skip(from).take_while(|(at, _)| *at < segment.start);
    begun.any(|(_, who)| Some(*who) != segment.speaker.as_deref())
}

/// Whether a sentence ends with `word`, before `next`.
fn ends_sentence(word: &str, next: &str) -> bool {
    let closing = |c: char| "\"'”’»)]".contains(c);
    let bare = word.trim_end_matches(closing);
    if bare.ends_with(['?', '!', '…']) {
        return true;
    }
    let Some(stem) = bare.strip_suffix('.') else {
        return false;
    };
    let stem = stem.trim_start_matches(|c: char| !c.is_alphanumeric());
    let is_short = SHORT.contains(&stem.to_lowercase().as_str());
    let is_initial = stem.chars().count() == 1 && stem.chars().all(char::is_uppercase);
    let dotted = stem.contains('.') && !stem.ends_with('.');
    // After "e.g." and "3." the next word tells.
    let goes_on = next.chars().find(|c| c.is_alphanumeric()).is_some_and(char::is_lowercase);
    !is_short && !is_initial && !((dotted || is_number(stem)) && goes_on)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_digit())
}

/// The transcript of a source around these frames.
pub(super) fn around<'a>(
    session: &'a Session,
    source: SourceId,
    frames: &Range<Frames>,
) -> Transcript<'a> {
    let mut segments = session.transcript_of(source);
    segments.retain(|(_, segment)| segment.start < frames.end && frames.start < segment.end());
    Transcript::of(segments.into_iter().map(|(_, segment)| segment))
}

/// The speakers within these frames; `None` is an unknown speaker.
pub(super) fn talking<'a>(
    session: &'a Session,
    source: SourceId,
    frames: &Range<Frames>,
) -> BTreeSet<Option<&'a str>> {
    let transcript = around(session, source, frames);
    transcript.within(frames, None).into_iter().map(|word| transcript.speaker(word)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sentences(text: &str) -> Vec<String> {
        let words: Vec<&str> = text.split(' ').collect();
        let mut found = vec![words[0].to_owned()];
        for pair in words.windows(2) {
            if ends_sentence(pair[0], pair[1]) {
                found.push(pair[1].to_owned());
            } else {
                let last = found.last_mut().unwrap();
                *last = format!("{last} {}", pair[1]);
            }
        }
        found
    }

    #[test]
    fn sentences_end_at_full_stops_that_are_none_of_a_short_word() {
        assert_eq!(sentences("Mr. Dashwood came. He sat"), ["Mr. Dashwood came.", "He sat"]);
        assert_eq!(
            sentences("By J. S. Bach. \"Really?\" Yes!"),
            ["By J. S. Bach.", "\"Really?\"", "Yes!"]
        );
        assert_eq!(
            sentences("fruit, e.g. apples. Then 3. Mai"),
            ["fruit, e.g. apples.", "Then 3.", "Mai"]
        );
        assert_eq!(sentences("no stops at all"), ["no stops at all"]);
    }

    /// A word a second, of speakers by letter, with a pause after each word that is `true`.
    fn talk(words: &[(char, bool)]) -> (Vec<Segment>, Frames) {
        let (mut at, mut segments) = (0, Vec::new());
        for (speaker, pause) in words {
            let (start, end) = (Frames(at * 1000), Frames(at * 1000 + 900));
            let word = Word { text: "word".into(), start, end, confidence: None };
            let speaker = Some(speaker.to_string()).filter(|name| name != "-");
            let own = Segment::new(SourceId::new(1), start, end - start);
            segments.push(Segment { words: vec![word], speaker, ..own });
            at += if *pause { 4 } else { 1 };
        }
        (segments, Frames(at * 1000))
    }

    proptest! {
        #[test]
        fn turns_and_sentences_cover_all_words_once(words in prop::collection::vec(("[AB-]", any::<bool>()), 1..40)) {
            let words: Vec<(char, bool)> =
                words.iter().map(|(name, pause)| (name.chars().next().unwrap(), *pause)).collect();
            let (segments, end) = talk(&words);
            let segments: Vec<&Segment> = segments.iter().collect();
            let whole = [Frames(0)..end];
            let whole = (&whole[..], SampleRate(1000));
            let talk = Talk::new(SourceId::new(1), &segments, &[], whole).unwrap();
            for ranges in [&talk.turns, &talk.sentences] {
                let all: Vec<usize> = ranges.iter().flat_map(Clone::clone).collect();
                prop_assert_eq!(&all, &(0..words.len()).collect::<Vec<_>>());
                prop_assert!(ranges.iter().all(|range| !range.is_empty()));
            }
            let inside = |s: &Range<usize>| talk.turns.iter().any(|t| t.start <= s.start && s.end <= t.end);
            prop_assert!(talk.sentences.iter().all(inside));
        }
    }
}
