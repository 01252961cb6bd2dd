//! The places that a code is on.

use crate::action::Actions;
use crate::scene::Scene;
use crate::words::place::Places;
use crate::words::{calls, distinct_names};
use deskhand_session::{CodeId, RevisionId, Segment, SegmentId, Session, SourceId};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Default)]
pub(crate) struct Quotes {
    pub(super) of: Option<(CodeId, RevisionId)>,
    pub(super) all: Vec<Quote>,
    pub(super) places: Places,
    pub(super) heard: Option<SegmentId>,
    /// The row that should scroll into view.
    pub(super) wanted: Option<usize>,
    /// The quote that should get the keyboard.
    pub(super) goes_to: Option<SegmentId>,
    /// A key removed the last quote, so the code should get the keyboard.
    pub(super) is_over: bool,
}

/// A coded stretch, and its words.
pub(super) struct Quote {
    pub(super) id: SegmentId,
    pub(super) text: String,
    /// The recording, if another one has the same words.
    pub(super) told: Option<String>,
}

impl Quotes {
    pub(crate) fn settle(&mut self, scene: Scene<'_>, id: CodeId) {
        if self.of == Some((id, scene.head)) {
            return;
        }
        if self.of.is_some_and(|(known, _)| known != id) {
            self.heard = None;
        }
        self.of = Some((id, scene.head));
        self.all = quotes(scene.session, id);
        self.places = Places::new(scene.session);
    }

    /// Plays the place `by` places after the last one that was played, or the first.
    pub(crate) fn step(&mut self, scene: Scene<'_>, id: CodeId, by: isize, out: &mut Actions) {
        self.settle(scene, id);
        let count = self.all.len();
        if count == 0 {
            return;
        }
        let now = self.all.iter().position(|quote| Some(quote.id) == self.heard);
        let next = match now {
            Some(now) => (now + count).saturating_add_signed(by) % count,
            None if by < 0 => count - 1,
            None => 0,
        };
        let quote = self.all[next].id;
        (self.heard, self.wanted) = (Some(quote), Some(next));
        hear(scene, &self.places, quote, out);
    }

    /// A key removes the code from a place. The next place gets the keyboard, so that nothing else receives
    /// the key.
    pub(super) fn leave(&mut self, index: usize) {
        let beside = self.all.get(index + 1).or_else(|| self.all.get(index.checked_sub(1)?));
        self.goes_to = beside.map(|quote| quote.id);
        self.is_over = beside.is_none();
    }
}

pub(super) fn hear(scene: Scene<'_>, places: &Places, quote: SegmentId, out: &mut Actions) {
    if let Some(segment) = scene.session.segments.get(&quote) {
        calls::hear(scene, places, segment.source, (segment.start, segment.end()), out);
    }
}

/// Everything that a code is on, by source and time.
pub(super) fn quotes(session: &Session, id: CodeId) -> Vec<Quote> {
    let is_on = |segment: &Segment| segment.codings.iter().any(|coding| coding.code == id);
    let coded = session.segments.iter().filter(|(_, segment)| is_on(segment));
    let mut coded: Vec<(SegmentId, &Segment)> = coded.map(|(id, it)| (*id, it)).collect();
    coded.sort_by_key(|(id, segment)| (segment.source, segment.start, *id));
    let transcripts = session.transcripts();
    let text = |segment: &Segment| {
        let said = transcripts.get(&segment.source);
        said.map_or_else(String::new, |said| said.said_in(segment))
    };
    let texts: Vec<String> = coded.iter().map(|(_, segment)| text(segment)).collect();
    let mut said: BTreeMap<&str, BTreeSet<SourceId>> = BTreeMap::new();
    for (text, (_, segment)) in texts.iter().zip(&coded) {
        said.entry(text).or_default().insert(segment.source);
    }
    let told = texts.iter().zip(&coded).map(|(text, (_, segment))| {
        let is_doubled = said.get(text.as_str()).is_some_and(|sources| sources.len() > 1);
        is_doubled.then(|| distinct_names::source_name(session, segment.source))
    });
    let told: Vec<Option<String>> = told.collect();
    let all = coded.into_iter().zip(texts).zip(told);
    all.map(|(((id, _), text), told)| Quote { id, text, told }).collect()
}
