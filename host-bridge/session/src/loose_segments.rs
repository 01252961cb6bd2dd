//! Segments that are said during the phrases of an assembly but belong to none of them.

use crate::clip::Clip;
use crate::ids::{PhraseId, SegmentId, SourceId};
use crate::segment::{Segment, Word};
use crate::session::Session;
use deskhand_dsp::Frames;
use std::collections::{BTreeMap, BTreeSet};

/// Two transcripts of one word differ by so much in its time, in ms, or less.
const AT_ONCE_MS: i64 = 300;

/// Where the phrases of a source are said in it.
type Places = BTreeMap<SourceId, Vec<(Frames, Frames, PhraseId)>>;

impl Session {
    /// The segments that are said over each phrase on another track of its group and are in no phrase: they
    /// play with it, wherever it goes. Bleed of the phrase itself does not count.
    #[must_use]
    pub fn along(&self) -> BTreeMap<PhraseId, Vec<SegmentId>> {
        let used: BTreeSet<SegmentId> =
            self.phrases.values().flat_map(|phrase| phrase.segments.iter().copied()).collect();
        let places = self.places();
        let mut along: BTreeMap<PhraseId, Vec<SegmentId>> = BTreeMap::new();
        let free = self.segments.iter().filter(|(id, segment)| {
            !places.is_empty()
                && !used.contains(id)
                && !segment.words.is_empty()
                && !segment.is_bleed()
        });
        for (id, segment) in free {
            for phrase in self.said_over(segment, &places) {
                along.entry(phrase).or_default().push(*id);
            }
        }
        for segments in along.values_mut() {
            segments.sort_by_key(|id| (self.segments.get(id).map(|one| one.start), *id));
        }
        along
    }

    fn places(&self) -> Places {
        let mut places = Places::new();
        for (id, phrase) in &self.phrases {
            let segments = || phrase.segments.iter().filter_map(|id| self.segments.get(id));
            let (start, end) =
                (segments().map(|one| one.start).min(), segments().map(Segment::end).max());
            let source = segments().next().map(|one| one.source);
            if let (Some(source), Some(start), Some(end)) = (source, start, end) {
                places.entry(source).or_default().push((start, end, *id));
            }
        }
        places
    }

    /// The phrases in which the middle of a segment is said.
    fn said_over(&self, segment: &Segment, places: &Places) -> BTreeSet<PhraseId> {
        let middle = Frames((segment.start.0 + segment.end().0) / 2);
        let plays = |clip: &&Clip| {
            clip.source == segment.source
                && (clip.start..clip.start + clip.length).contains(&middle)
        };
        let mut found = BTreeSet::new();
        for own in self.clips.values().filter(plays) {
            let at = own.position + (middle - own.start);
            for other in self.beside(own, at) {
                let there = other.start + (at - other.position);
                let late = (own.position - own.start) - (other.position - other.start);
                let said = places.get(&other.source).into_iter().flatten();
                let said = said.filter(|(start, end, _)| *start <= there && there <= *end);
                found.extend(
                    said.map(|(_, _, id)| *id).filter(|id| !self.is_echo(segment, *id, late)),
                );
            }
        }
        found
    }

    /// The clips at a time on the other tracks of a clip's group.
    fn beside<'a>(&'a self, own: &'a Clip, at: Frames) -> impl Iterator<Item = &'a Clip> {
        let group = self.group_of(own.track).map(|(_, group)| group);
        self.clips.values().filter(move |clip| {
            let is_mate = group.is_some_and(|group| group.tracks.contains(&clip.track));
            is_mate && clip.track != own.track && (clip.position..clip.end()).contains(&at)
        })
    }

    /// Whether most words of a segment, moved by `late`, are said by a phrase at the same time.
    fn is_echo(&self, segment: &Segment, phrase: PhraseId, late: Frames) -> bool {
        let slack = AT_ONCE_MS * i64::from(self.rate.0) / 1000;
        let segments = self.phrases.get(&phrase).map_or(&[][..], |phrase| &phrase.segments);
        let said = segments.iter().filter_map(|id| self.segments.get(id)).flat_map(|s| &s.words);
        let said: Vec<(String, Frames)> = said.map(|word| (plain(word), word.start)).collect();
        let is_said = |word: &&Word| {
            let (text, start) = (plain(word), word.start + late);
            said.iter().any(|(other, at)| *other == text && (*at - start).0.abs() <= slack)
        };
        segment.words.iter().filter(is_said).count() * 2 > segment.words.len()
    }
}

fn plain(word: &Word) -> String {
    word.text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
