//! The text of a coded segment, for people: the words of the transcript there, else its note, else its
//! time.

use super::places::everywhere;
use super::playback_times;
use super::region_facts::TRANSCRIPT;
use super::text::{Talk, around, talks};
use deskhand_dsp::Frames;
use deskhand_session::text::{clock, quoted};
use deskhand_session::{ObjectId, Segment, Session, SourceId};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The words of one segment, or its note. For many at once there is [`Quotes`].
pub(super) fn of(session: &Session, segment: &Segment) -> String {
    or_noted(segment, said(session, segment)).unwrap_or_else(|| when_heard(session, segment))
}

/// An object for people: a segment by what it says.
pub(super) fn name_of(session: &Session, object: ObjectId) -> String {
    if let ObjectId::Segment(id) = object
        && let Some(segment) = session.segments.get(&id)
    {
        return of(session, segment);
    }
    session.name_of(object)
}

/// The words of one segment.
pub(super) fn said(session: &Session, segment: &Segment) -> String {
    around(session, segment.source, &(segment.start..segment.end())).said_in(segment)
}

fn or_noted(segment: &Segment, said: String) -> Option<String> {
    let noted = segment.description.facts.get(TRANSCRIPT);
    let noted = noted.and_then(|fact| fact.value.as_str()).map(str::to_owned);
    Some(said).filter(|said| !said.is_empty()).or(noted)
}

fn when_heard(session: &Session, segment: &Segment) -> String {
    let frames = segment.start..segment.end();
    playback_times::told(session, segment.source.into(), segment.source, &frames, "")
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

    /// The words in these frames of a source; if `who` says any of them, only theirs.
    pub(super) fn text(
        &self,
        source: SourceId,
        frames: &Range<Frames>,
        who: Option<&str>,
    ) -> String {
        let Some(talk) = self.talks.get(&source) else { return String::new() };
        talk.said.text(talk.said.within(frames, who))
    }

    /// What a segment says; without words when it is heard.
    pub(super) fn of(&self, segment: &Segment) -> String {
        let said = or_noted(segment, self.said_in(segment));
        said.unwrap_or_else(|| when_heard(self.session, segment))
    }

    /// The same within a sentence: speech and notes are in quotes.
    pub(super) fn quoted(&self, segment: &Segment) -> String {
        match or_noted(segment, self.said_in(segment)) {
            Some(said) => quoted(&said),
            None => when_heard(self.session, segment),
        }
    }

    /// The text of a segment, with times in the recording.
    pub(super) fn in_recording(&self, segment: &Segment) -> String {
        or_noted(segment, self.said_in(segment)).unwrap_or_else(|| {
            let name = self.session.name_of(segment.source.into());
            let times = [segment.start, segment.end()];
            let [start, end] = times.map(|at| clock(at, self.session.rate));
            format!("{start} to {end} of \"{name}\"")
        })
    }

    fn said_in(&self, segment: &Segment) -> String {
        let talk = self.talks.get(&segment.source);
        talk.map_or_else(|| segment.text(), |talk| talk.said.said_in(segment))
    }

    /// The first speaker in a segment, if known.
    pub(super) fn speaker(&self, segment: &Segment) -> Option<&'a str> {
        let first = *self.words(segment).first()?;
        self.talks.get(&segment.source)?.said.speaker(first)
    }

    /// The speaker whose words a segment is about, where it is about no others.
    pub(super) fn whose(&self, segment: &'a Segment) -> Option<&'a str> {
        let who = segment.speaker.as_deref();
        who.filter(|_| self.speaker(segment) == who)
    }

    /// How many words segments hold, each once however many segments contain it; a dash alone does not
    /// count.
    pub(super) fn count<'s>(&self, segments: impl IntoIterator<Item = &'s Segment>) -> usize {
        let mut all = BTreeSet::new();
        for segment in segments {
            let Some(talk) = self.talks.get(&segment.source) else { continue };
            let words = self.words(segment).into_iter();
            let text = |at: usize| talk.words().get(at).map_or("", |word| word.text.as_str());
            let said = words.filter(|at| text(*at).contains(char::is_alphanumeric));
            all.extend(said.map(|at| (segment.source, at)));
        }
        all.len()
    }

    /// The words that a segment is about, by their numbers in its talk.
    fn words(&self, segment: &Segment) -> Vec<usize> {
        let Some(talk) = self.talks.get(&segment.source) else { return Vec::new() };
        talk.said.within(&(segment.start..segment.end()), segment.speaker.as_deref())
    }
}
