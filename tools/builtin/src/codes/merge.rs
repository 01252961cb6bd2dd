//! The codings of a second coder, who coded the same recordings in a session of their own.

#[cfg(test)]
mod tests;

use super::coding::{Place, batch, coded_places, has, is_coded};
use super::find;
use super::quote::{self, Quotes};
use super::text::Talk;
use crate::words::{count, names};
use deskhand_dsp::{Frames, SampleRate};
use deskhand_session::{
    Change, CodeId, Coding, ContentHash, Edit, IdSeed, Segment, SegmentId, Session, SourceId,
};
use deskhand_toolkit::{Code, Draft, PlanContext, ToolError};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

/// Plans to take over the codings of `other` into the session of `context`, as those of `coder`. Codes are the same
/// that have the same id and name or the same path in any case, and are made where there is none; sources are the same that have the same
/// content. Only what the second coder gave is taken, not what was merged into `other` before.
///
/// # Errors
/// When `coder` is no name, or nothing fits.
pub fn merge_codings(
    context: &PlanContext,
    other: &Session,
    coder: &str,
) -> Result<Draft, ToolError> {
    let coder = coder.trim();
    if coder.is_empty() {
        let message = "the second coder has no name";
        return Err(ToolError::run(Code::BadParams, message, "give `coder`"));
    }
    let talks = quote::all(&context.session);
    let mut merge = Merge::new(context, &talks, other, coder);
    let mut missing: BTreeMap<String, usize> = BTreeMap::new();
    let mut places: BTreeMap<_, (Place, Segment, Vec<Coding>)> = BTreeMap::new();
    for segment in other.segments.values().filter(|segment| is_coded(segment)) {
        let own: Vec<&Coding> =
            segment.codings.iter().filter(|coding| coding.coder.is_none()).collect();
        if own.is_empty() {
            continue;
        }
        let Some(place) = merge.place(segment) else {
            *missing.entry(other.name_of(segment.source.into())).or_default() += own.len();
            continue;
        };
        let codings: Vec<Coding> = own.iter().map(|coding| merge.coding(coding)).collect();
        let kept =
            places.entry(place.key()).or_insert_with(|| (place, segment.clone(), Vec::new()));
        kept.2.extend(codings);
        context.check()?;
    }
    for (place, segment, codings) in places.into_values() {
        merge.put(&place, &segment, codings);
    }
    merge.finish(missing)
}

struct Merge<'a> {
    session: &'a Session,
    quotes: Quotes<'a>,
    other: &'a Session,
    coder: &'a str,
    batch: String,
    ids: IdSeed,
    draft: Draft,
    sources: BTreeMap<(&'a ContentHash, Option<u16>), SourceId>,
    there: BTreeMap<super::coding::Key, SegmentId>,
    /// Codes of this session, and those that are made here, by their folded path.
    paths: BTreeMap<Vec<String>, CodeId>,
    /// Which code of this session each code of the other is.
    codes: BTreeMap<CodeId, CodeId>,
    /// The changes that make codes.
    made: BTreeMap<CodeId, String>,
    added: usize,
    already: usize,
}

impl<'a> Merge<'a> {
    fn new(
        context: &'a PlanContext,
        talks: &'a [Talk<'a>],
        other: &'a Session,
        coder: &'a str,
    ) -> Self {
        let session = &*context.session;
        let mut ids = context.ids();
        let batch = batch(&mut ids);
        let sources = session.sources.iter().rev();
        let sources = sources.map(|(id, source)| ((&source.hash, source.channel), *id)).collect();
        let paths = session.codes.keys().rev();
        let paths = paths.map(|id| (find::folded(&find::path(session, *id)), *id)).collect();
        Self {
            session,
            quotes: Quotes::new(session, talks),
            other,
            coder,
            batch,
            ids,
            draft: Draft::default(),
            sources,
            there: coded_places(session),
            paths,
            codes: BTreeMap::new(),
            made: BTreeMap::new(),
            added: 0,
            already: 0,
        }
    }

    /// Where a segment of the other session lies in this one; `None` where its recording is not here.
    fn place(&self, segment: &Segment) -> Option<Place> {
        let theirs = self.other.sources.get(&segment.source)?;
        let source = *self.sources.get(&(&theirs.hash, theirs.channel))?;
        let end = self.session.sources.get(&source)?.frames;
        let at = |frames| scaled(frames, self.other.rate, self.session.rate).min(end);
        let start = at(segment.start).min(end - Frames(1));
        let length = (at(segment.end()) - start).max(Frames(1));
        Some(Place { source, start, length, ..Place::of(segment) })
    }

    fn coding(&mut self, theirs: &Coding) -> Coding {
        let code = self.code(theirs.code);
        Coding { code, coder: Some(self.coder.to_owned()), batch: Some(self.batch.clone()) }
    }

    /// The code of this session that has the path of one of the other; it is made where there is none, and so are
    /// those above it.
    fn code(&mut self, theirs: CodeId) -> CodeId {
        if let Some(known) = self.codes.get(&theirs) {
            return *known;
        }
        let up = |id: &CodeId| self.other.codes.get(id).and_then(|code| code.parent);
        let mut line: Vec<CodeId> =
            std::iter::successors(Some(theirs), up).take(self.other.codes.len()).collect();
        line.reverse();
        let (mut path, mut parent, mut found) = (Vec::new(), None, theirs);
        for id in line {
            let Some(code) = self.other.codes.get(&id) else { continue };
            path.extend(find::folded(std::slice::from_ref(&code.name)));
            found = match self.paths.get(&path) {
                // In a copy of this session a code is the same even where another has its path.
                Some(_) if self.is_here(id, code) => id,
                Some(known) => *known,
                None => self.make(code, parent, path.clone()),
            };
            parent = Some(found);
        }
        self.codes.insert(theirs, found);
        found
    }

    fn is_here(&self, id: CodeId, theirs: &deskhand_session::Code) -> bool {
        self.session.codes.get(&id).is_some_and(|own| own.name == theirs.name)
    }

    fn make(
        &mut self,
        theirs: &deskhand_session::Code,
        parent: Option<CodeId>,
        path: Vec<String>,
    ) -> CodeId {
        let id = CodeId::new(self.ids.next_bits());
        let code = deskhand_session::Code { parent, ..theirs.clone() };
        let needs = parent.and_then(|parent| self.made.get(&parent).cloned());
        let change = Change::SetCode(Edit::create(id, code));
        let reason = format!("{} uses it", self.coder);
        let needs = needs.into_iter().collect();
        let change = self.draft.dependent(change, theirs.name.clone(), reason, needs);
        self.made.insert(id, change);
        self.paths.insert(path, id);
        id
    }

    /// Adds codings to a place, each once.
    fn put(&mut self, place: &Place, theirs: &Segment, codings: Vec<Coding>) {
        let before = self.there.get(&place.key()).copied();
        let before = before.and_then(|id| Some((id, self.session.segments.get(&id)?)));
        let known = before.map(|(_, segment)| segment.clone());
        let description = theirs.description.clone();
        let mut after = known.unwrap_or_else(|| Segment { description, ..place.segment() });
        let mut needs = BTreeSet::new();
        let mut added = 0;
        for coding in codings {
            if has(&after, &coding) {
                self.already += 1;
                continue;
            }
            needs.extend(self.made.get(&coding.code).cloned());
            after.codings.push(coding);
            added += 1;
        }
        if added == 0 {
            return;
        }
        self.added += added;
        let name = self.quotes.of(&after);
        let (id, before) = match before {
            Some((id, segment)) => (id, Some(segment.clone())),
            None => (self.free_id(), None),
        };
        let change = Change::SetSegment(Edit::new(id, before, Some(after)));
        let reason = format!("{} coded it", self.coder);
        self.draft.dependent(change, name, reason, needs.into_iter().collect());
    }

    fn free_id(&mut self) -> SegmentId {
        loop {
            let id = SegmentId::new(self.ids.next_bits());
            if !self.session.segments.contains_key(&id) {
                return id;
            }
        }
    }

    fn finish(mut self, missing: BTreeMap<String, usize>) -> Result<Draft, ToolError> {
        if self.added == 0 && self.already == 0 {
            let (message, fix) = if missing.is_empty() {
                ("nothing is coded in that session", "choose the session of the second coder")
            } else {
                ("the recordings coded there are not in this session", "import the same files here")
            };
            return Err(ToolError::run(Code::NoTarget, message, fix));
        }
        let Self { coder, added, already, .. } = self;
        if !missing.is_empty() {
            let left: usize = missing.values().sum();
            let sources: Vec<String> = missing.keys().cloned().collect();
            let (left, sources) = (count(left, "coding"), names(&sources));
            self.draft
                .warnings
                .push(format!("{left} of recordings that are not here left out: {sources}"));
        }
        self.draft.summary = match added {
            0 => format!("The codings of {coder} are all here already"),
            _ => format!("Merge {} of {coder}", count(added, "coding")),
        };
        if already > 0 && added > 0 {
            self.draft.summary += &format!("; {already} here already");
        }
        self.draft.answer = Some(json!({
            "batch_id": Some(&self.batch).filter(|_| added > 0),
            "codings_added": added,
            "already_coded": already,
            "codes_created": self.made.len(),
            "sources_missing": missing.keys().collect::<Vec<_>>(),
        }));
        Ok(self.draft)
    }
}

/// Frames at another rate, to the nearest.
fn scaled(frames: Frames, from: SampleRate, to: SampleRate) -> Frames {
    if from == to {
        return frames;
    }
    let (from, to) = (i128::from(from.0.max(1)), i128::from(to.0));
    let scaled = (i128::from(frames.0) * to + from / 2) / from;
    Frames(i64::try_from(scaled).unwrap_or(i64::MAX))
}
