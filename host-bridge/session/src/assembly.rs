//! The assembly: phrases of the transcripts, in the order in which the edit plays them.

use crate::ids::{IdSeed, MarkerId, PhraseId, SegmentId, SourceId};
use crate::session::Session;
use deskhand_dsp::Frames;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Words between two pauses or full stops. A phrase only refers to segments; facts are on the segments.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Phrase {
    /// At least one, all of one source, in time order.
    pub segments: Vec<SegmentId>,
}

impl PhraseId {
    /// The marker at the place of a phrase that does not play.
    #[must_use]
    pub fn marker(self) -> MarkerId {
        MarkerId::new(IdSeed::new("assembly marker", &self.to_string(), 0).next_bits())
    }
}

/// The state of the edit: a phrase is in order, or removed, or a duplicate that is not the chosen one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Assembly {
    /// The playing phrases, in this order.
    pub order: Vec<PhraseId>,
    /// Phrases with several takes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub duplicates: Vec<Duplicates>,
    /// The removed phrases.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<PhraseId>,
    /// The text at the end of the work; `None` while it goes on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finished: Option<String>,
}

/// Several takes of one phrase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Duplicates {
    /// The approximate text that all takes share.
    pub phrase: String,
    /// At least two.
    pub takes: Vec<PhraseId>,
    /// The phrase that plays, one of `takes`.
    pub chosen: PhraseId,
    /// Why that one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
}

impl Duplicates {
    /// The takes that do not play.
    pub fn others(&self) -> impl Iterator<Item = PhraseId> {
        self.takes.iter().copied().filter(|take| *take != self.chosen)
    }
}

impl Assembly {
    /// Whether nobody has begun one.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Every phrase is at one place only: in `order`, in `removed`, or as a take that was not chosen. A
    /// chosen take is in `order` or in `removed`. A new phrase has no place yet: if that were an error
    /// here, the change that gives it a place would have no inverse. The tools make sure that none is left
    /// out.
    ///
    /// # Errors
    /// Checks the assembly, and names the first phrase that breaks a rule.
    pub(crate) fn check(&self, session: &Session) -> Result<(), String> {
        let mut seen = BTreeSet::new();
        let others = self.duplicates.iter().flat_map(Duplicates::others);
        for phrase in self.order.iter().chain(&self.removed).copied().chain(others) {
            if !session.phrases.contains_key(&phrase) {
                return Err(format!("{phrase} does not exist"));
            }
            if !seen.insert(phrase) {
                return Err(format!("{phrase} is in the assembly twice"));
            }
        }
        for group in &self.duplicates {
            if group.takes.len() < 2 || !group.takes.contains(&group.chosen) {
                let chosen = group.chosen;
                return Err(format!("duplicates are at least two takes, {chosen} one of them"));
            }
            if !seen.contains(&group.chosen) {
                return Err(format!("{} is chosen and neither plays nor is removed", group.chosen));
            }
        }
        Ok(())
    }
}

/// What a phrase is made of, read through its segments.
#[derive(Clone, Debug, PartialEq)]
pub struct Spoken {
    /// Where it is from.
    pub source: SourceId,
    /// First frame in the source.
    pub start: Frames,
    /// The first frame after it.
    pub end: Frames,
    /// The words.
    pub text: String,
    /// The speaker, if all segments agree.
    pub speaker: Option<String>,
    /// How sure the words are on average, 0 to 1, where any is known.
    pub confidence: Option<f64>,
}

impl Session {
    /// The words of a phrase and their place; `None` if it or a segment of it does not exist.
    #[must_use]
    pub fn spoken(&self, phrase: PhraseId) -> Option<Spoken> {
        let ids = &self.phrases.get(&phrase)?.segments;
        let segments: Option<Vec<_>> = ids.iter().map(|id| self.segments.get(id)).collect();
        let segments = segments?;
        let (first, last) = (segments.first()?, segments.last()?);
        let words = segments.iter().flat_map(|segment| &segment.words);
        let sure: Vec<f64> = words.filter_map(|word| word.confidence).collect();
        let text: Vec<String> = segments.iter().map(|segment| segment.text()).collect();
        let agreed = segments.iter().all(|segment| segment.speaker == first.speaker);
        Some(Spoken {
            source: first.source,
            start: first.start,
            end: last.end(),
            text: text.join(" "),
            speaker: first.speaker.clone().filter(|_| agreed),
            confidence: (!sure.is_empty()).then(|| sure.iter().sum::<f64>() / sure.len() as f64),
        })
    }

    /// The transcript of a source: its segments with words, by their start.
    #[must_use]
    pub fn transcript_of(&self, source: SourceId) -> Vec<(SegmentId, &crate::segment::Segment)> {
        let mut said = self.segments_of(source);
        said.retain(|(_, segment)| !segment.words.is_empty());
        said
    }
}
