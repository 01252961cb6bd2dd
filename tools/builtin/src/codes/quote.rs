//! What a coded segment says, for people: the words of the transcript there, else what was noted, else its time.

use super::places::everywhere;
use super::text::{Talk, said_in, talks};
use crate::find::clock;
use deskhand_dsp::Frames;
use deskhand_session::{Segment, Session, SourceId};
use std::collections::BTreeMap;
use std::ops::Range;

/// What one segment says. For many at once there is [`Quotes`].
pub(super) fn of(session: &Session, segment: &Segment) -> String {
    let said = said_in(session, segment.source, segment.start..segment.end());
    or_noted(session, segment, said)
}

fn or_noted(session: &Session, segment: &Segment, said: String) -> String {
    let noted = segment.description.facts.get(super::TRANSCRIPT);
    let noted = noted.and_then(|fact| fact.value.as_str()).map(str::to_owned);
    let said = Some(said).filter(|said| !said.is_empty()).or(noted);
    said.unwrap_or_else(|| {
        let name = session.name_of(segment.source.into());
        let [start, end] = [segment.start, segment.end()].map(|at| clock(at, session.rate));
        format!("{start} to {end} of \"{name}\"")
    })
}

/// The transcripts of a session, ready to be quoted from.
pub(super) struct Quotes<'a> {
    session: &'a Session,
    talks: BTreeMap<SourceId, &'a Talk<'a>>,
}

/// All transcripts of a session.
pub(super) fn all(session: &Session) -> Vec<Talk<'_>> {
    talks(session, &everywhere(session))
}

impl<'a> Quotes<'a> {
    pub(super) fn new(session: &'a Session, talks: &'a [Talk<'a>]) -> Self {
        Self { session, talks: talks.iter().map(|talk| (talk.source, talk)).collect() }
    }

    /// The words whose middle lies in these frames of a source, as a range of those of its talk.
    pub(super) fn words(&self, source: SourceId, frames: &Range<Frames>) -> Range<usize> {
        let Some(talk) = self.talks.get(&source) else { return 0..0 };
        let start = talk.middles.partition_point(|at| *at < frames.start);
        let end = talk.middles.partition_point(|at| *at < frames.end);
        start..end.max(start)
    }

    /// What a range of words of a source says.
    pub(super) fn text(&self, source: SourceId, words: &Range<usize>) -> String {
        self.talks.get(&source).map(|talk| talk.text(words)).unwrap_or_default()
    }

    /// What a segment says.
    pub(super) fn of(&self, segment: &Segment) -> String {
        let words = self.words(segment.source, &(segment.start..segment.end()));
        or_noted(self.session, segment, self.text(segment.source, &words))
    }

    /// Who speaks first in a segment, where it is known.
    pub(super) fn speaker(&self, segment: &Segment) -> Option<&'a str> {
        let words = self.words(segment.source, &(segment.start..segment.end()));
        let talk = self.talks.get(&segment.source).filter(|_| !words.is_empty())?;
        talk.speaker(words.start)
    }

    /// How many words a segment holds.
    pub(super) fn count(&self, segment: &Segment) -> usize {
        self.words(segment.source, &(segment.start..segment.end())).len()
    }
}
