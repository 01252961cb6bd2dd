//! The codings that a report is about.

use crate::find;
use crate::quote::Quotes;
use crate::text::Talk;
use deskhand_dsp::Frames;
use deskhand_session::{CodeId, Coding, Segment, SegmentId, Session, SourceId};
use deskhand_toolkit::find::seconds;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// One coding.
pub(super) struct One<'a> {
    pub(super) id: SegmentId,
    pub(super) segment: &'a Segment,
    pub(super) coding: &'a Coding,
}

impl One<'_> {
    pub(super) fn frames(&self) -> Range<Frames> {
        self.segment.start..self.segment.end()
    }

    pub(super) fn coder(&self) -> &str {
        self.coding.coder_name()
    }
}

/// The codings of a session.
pub(super) struct Coded<'a> {
    pub(super) session: &'a Session,
    pub(super) quotes: Quotes<'a>,
    /// The path of each code that is reported, as text.
    pub(super) names: BTreeMap<CodeId, String>,
    /// Their codings, by source and time.
    pub(super) codings: Vec<One<'a>>,
    /// The coders, and the sources that each coded, whether reported or not.
    pub(super) coders: BTreeMap<&'a str, BTreeSet<SourceId>>,
}

impl<'a> Coded<'a> {
    pub(super) fn new(
        session: &'a Session,
        talks: &'a [Talk<'a>],
        only: Option<&BTreeSet<CodeId>>,
    ) -> Self {
        let is_meant =
            |id: &CodeId| only.is_none_or(|only| under(session, *id).any(|up| only.contains(&up)));
        let meant = session.codes.keys().copied().filter(is_meant);
        let names: BTreeMap<CodeId, String> =
            meant.map(|id| (id, find::path(session, id).join(find::SLASH))).collect();
        let mut codings: Vec<One<'a>> = session
            .segments
            .iter()
            .flat_map(|(id, segment)| {
                segment.codings.iter().map(|coding| One { id: *id, segment, coding })
            })
            .filter(|one| names.contains_key(&one.coding.code))
            .collect();
        codings
            .sort_by_key(|one| (one.segment.source, one.segment.start, one.segment.length, one.id));
        let mut coders: BTreeMap<&str, BTreeSet<SourceId>> = BTreeMap::new();
        for segment in session.segments.values() {
            for coding in &segment.codings {
                coders.entry(coding.coder_name()).or_default().insert(segment.source);
            }
        }
        Self { session, quotes: Quotes::new(session, talks), names, codings, coders }
    }

    /// The codes by their paths.
    pub(super) fn in_order(&self) -> Vec<(CodeId, &str)> {
        let mut codes: Vec<_> = self.names.iter().map(|(id, name)| (*id, name.as_str())).collect();
        codes.sort_by_key(|(id, name)| (name.to_lowercase(), *id));
        codes
    }

    pub(super) fn seconds(&self, frames: Frames) -> f64 {
        seconds(frames, self.session.rate)
    }

    pub(super) fn source(&self, one: &One<'_>) -> String {
        self.session.name_of(one.segment.source.into())
    }
}

/// A code and those above it.
pub(super) fn under(session: &Session, id: CodeId) -> impl Iterator<Item = CodeId> + '_ {
    let up = |id: &CodeId| session.codes.get(id).and_then(|code| code.parent);
    std::iter::successors(Some(id), up).take(session.codes.len())
}
