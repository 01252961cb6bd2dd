//! The words of a recording, indexed for questions about the words and speakers in a stretch.

use crate::ids::SourceId;
use crate::segment::{Segment, Word};
use crate::session::Session;
use deskhand_dsp::Frames;
use std::collections::BTreeMap;
use std::ops::Range;

/// How files end that a transcript can be read from: the one list for the tool, the window and the command line.
pub const FILE_ENDINGS: [&str; 15] = [
    "srt", "vtt", "json", "txt", "ass", "ssa", "sbv", "sub", "lrc", "ttml", "dfxp", "itt", "xml",
    "smi", "sami",
];

/// The words of a source, phrase by phrase. Where several people talk at once that is not the order of time.
#[derive(Clone, Debug, Default)]
pub struct Transcript<'a> {
    words: Vec<&'a Word>,
    /// The speaker of each.
    speakers: Vec<Option<&'a str>>,
    /// The middle of each word and its number, by time.
    middles: Vec<(Frames, usize)>,
}

impl<'a> Transcript<'a> {
    /// Words with their speakers, phrase by phrase.
    #[must_use]
    pub fn new(said: impl IntoIterator<Item = (&'a Word, Option<&'a str>)>) -> Self {
        let (words, speakers): (Vec<&Word>, Vec<Option<&str>>) = said.into_iter().unzip();
        let numbered = words.iter().enumerate();
        let mut middles: Vec<_> = numbered.map(|(number, word)| (word.middle(), number)).collect();
        middles.sort_unstable();
        Self { words, speakers, middles }
    }

    /// The words of segments, sorted by start, without bleed.
    #[must_use]
    pub fn of(segments: impl IntoIterator<Item = &'a Segment>) -> Self {
        let said = segments.into_iter().filter(|segment| !segment.is_bleed()).flat_map(|segment| {
            segment.words.iter().map(|word| (word, segment.speaker.as_deref()))
        });
        Self::new(said)
    }

    /// All words.
    #[must_use]
    pub fn words(&self) -> &[&'a Word] {
        &self.words
    }

    /// The speaker of a word, if known.
    #[must_use]
    pub fn speaker(&self, word: usize) -> Option<&'a str> {
        self.speakers.get(word).copied().flatten()
    }

    /// The numbers of the words whose middle lies in these frames, in order. If `who` says any of them,
    /// only theirs.
    #[must_use]
    pub fn within(&self, frames: &Range<Frames>, who: Option<&str>) -> Vec<usize> {
        let from = self.middles.partition_point(|(at, _)| *at < frames.start);
        let to = self.middles.partition_point(|(at, _)| *at < frames.end).max(from);
        let inside = self.middles.get(from..to).unwrap_or_default();
        let mut inside: Vec<usize> = inside.iter().map(|(_, number)| *number).collect();
        if inside.iter().any(|word| who.is_some() && self.speaker(*word) == who) {
            inside.retain(|word| self.speaker(*word) == who);
        }
        inside.sort_unstable();
        inside
    }

    /// What these words say.
    #[must_use]
    pub fn text(&self, words: impl IntoIterator<Item = usize>) -> String {
        let words = words.into_iter().filter_map(|word| self.words.get(word));
        words.map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
    }

    /// The words of a segment: its own, else those that it is about.
    #[must_use]
    pub fn said_in(&self, segment: &Segment) -> String {
        if !segment.words.is_empty() {
            return segment.text();
        }
        let frames = segment.start..segment.end();
        self.text(self.within(&frames, segment.speaker.as_deref()))
    }
}

impl Session {
    /// The transcripts of all sources that have words.
    #[must_use]
    pub fn transcripts(&self) -> BTreeMap<SourceId, Transcript<'_>> {
        let mut segments: BTreeMap<SourceId, Vec<_>> = BTreeMap::new();
        for (id, segment) in self.segments.iter().filter(|(_, it)| !it.words.is_empty()) {
            segments.entry(segment.source).or_default().push((segment.start, *id, segment));
        }
        let transcript = |(source, mut own): (SourceId, Vec<_>)| {
            own.sort_by_key(|(start, id, _)| (*start, *id));
            (source, Transcript::of(own.into_iter().map(|(_, _, segment)| segment)))
        };
        segments.into_iter().map(transcript).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words of 10 frames, one after the other.
    fn segment(speaker: &str, start: i64, said: &str) -> Segment {
        let word = |(at, text): (i64, &str)| Word {
            text: text.into(),
            start: Frames(start + at * 10),
            end: Frames(start + at * 10 + 10),
            confidence: None,
        };
        let words: Vec<Word> = (0..).zip(said.split(' ')).map(word).collect();
        let length = Frames(words.len() as i64 * 10);
        let own = Segment::new(SourceId::new(1), Frames(start), length);
        Segment { words, speaker: Some(speaker.into()), ..own }
    }

    #[test]
    fn of_people_who_talk_at_once_each_says_their_own() {
        let all = [segment("Ann", 0, "the house was very old"), segment("Ben", 12, "the rent")];
        let transcript = Transcript::of(&all);
        let mut coded = Segment::new(SourceId::new(1), Frames(10), Frames(30));
        assert_eq!(transcript.said_in(&coded), "house was very the rent");
        for (who, said) in [("Ben", "the rent"), ("Ann", "house was very")] {
            coded.speaker = Some(who.into());
            assert_eq!(transcript.said_in(&coded), said);
        }
        coded.speaker = Some("Eve".into());
        let renamed = transcript.said_in(&coded);
        assert_eq!(renamed, "house was very the rent", "of a stranger all are told");
        assert_eq!(transcript.said_in(&all[1]), "the rent");
    }
}
