//! Adds the codings of a second coder, who coded the same recordings in another session.

mod inherited;
mod memos;
#[cfg(test)]
mod tests;

use super::coding::{Place, batch, coded_places, has, is_coded};
use super::find;
use super::quote::{self, Quotes};
use super::text::Talk;
use deskhand_dsp::{Frames, SampleRate};
use deskhand_session::text::{count, names};
use deskhand_session::{
    Change, CodeId, Coding, ContentHash, Description, Edit, IdSeed, ObjectId, Segment, SegmentId,
    Session, SourceId,
};
use deskhand_toolkit::text::is_same;
use deskhand_toolkit::{Code, Draft, PlanContext, ToolError};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

/// Plans to add the codings of `other` to the session of `context`, as those of `coder`. Codes match by id
/// and name, or by path in any case; missing ones are created. Sources match by content. Only the second
/// coder's own codings are added, not those merged into `other` before. If one session is a copy of the
/// other, the codings in `shared` are not added either: those that both still have are marked as shared
/// with the second coder.
///
/// # Errors
/// When `coder` is no name, or nothing fits.
pub fn merge_codings(
    context: &PlanContext,
    other: &Session,
    shared: Option<&Session>,
    coder: &str,
) -> Result<Draft, ToolError> {
    let coder = coder.trim();
    if coder.is_empty() {
        let message = "the second coder has no name";
        return Err(ToolError::run(Code::BadParams, message, "give `coder`"));
    }
    if [Coding::HERE, Coding::MODEL].iter().any(|taken| is_same(taken, coder)) {
        let message = format!("\"{coder}\" is what another coder is called here");
        return Err(ToolError::run(Code::BadParams, message, "give `coder` another name"));
    }
    let talks = quote::all(&context.session);
    let nothing = Session::new(other.id, other.rate);
    let sessions = [other, shared.unwrap_or(&nothing)];
    let mut merge = Merge::new(context, &talks, sessions, coder);
    let mut places: BTreeMap<_, Theirs> = BTreeMap::new();
    for (id, segment) in other.segments.iter().filter(|(_, segment)| is_coded(segment)) {
        let own = merge.own(*id, segment);
        let was_important = merge.shared.segments.get(id).is_some_and(|before| before.important);
        let important = segment.important && !was_important;
        if own.is_empty() && !important {
            continue;
        }
        let Some(place) = merge.place(segment) else {
            let name = other.name_of(segment.source.into());
            *merge.missing.entry(name).or_default() += own.len();
            continue;
        };
        let codings: Vec<Coding> = own.into_iter().map(|coding| merge.coding(coding)).collect();
        let description = segment.description.clone();
        let (key, empty) = (place.key(), Vec::new());
        let new = || Theirs { place, description, codings: empty, important: false };
        let kept = places.entry(key).or_insert_with(new);
        kept.codings.extend(codings);
        kept.important |= important;
        context.check()?;
    }
    places.into_values().for_each(|theirs| merge.put(theirs));
    merge.tell_inherited();
    merge.memos();
    merge.finish()
}

/// The second coder's data on a place.
struct Theirs {
    place: Place,
    description: Description,
    codings: Vec<Coding>,
    important: bool,
}

struct Merge<'a> {
    session: &'a Session,
    quotes: Quotes<'a>,
    other: &'a Session,
    /// The state of `other` when one session was copied from the other.
    shared: &'a Session,
    coder: &'a str,
    batch: String,
    ids: IdSeed,
    draft: Draft,
    sources: BTreeMap<(&'a ContentHash, Option<u16>), SourceId>,
    there: BTreeMap<super::coding::Key, SegmentId>,
    /// Codes of this session, and those that are made here, by their folded path.
    paths: BTreeMap<Vec<String>, CodeId>,
    /// The codes of before the session was copied that the second coder still has on a segment.
    held: BTreeMap<SegmentId, BTreeSet<CodeId>>,
    /// Which code of this session each code of the other is.
    codes: BTreeMap<CodeId, CodeId>,
    /// The changes that make codes and segments.
    made: BTreeMap<ObjectId, String>,
    /// Memos as they are afterwards.
    notes: BTreeMap<ObjectId, String>,
    told: Told,
    /// The codings of recordings that are not here, by their names.
    missing: BTreeMap<String, usize>,
}

/// The counts of the second coder's additions.
#[derive(Default)]
struct Told {
    added: usize,
    already: usize,
    /// Codings that were there before a session was copied.
    inherited: usize,
    /// What a model coded there.
    of_model: usize,
    marked: usize,
    codes: usize,
    memos: usize,
    /// Memos on objects that are not here.
    memos_left: usize,
}

impl<'a> Merge<'a> {
    fn new(
        context: &'a PlanContext,
        talks: &'a [Talk<'a>],
        [other, shared]: [&'a Session; 2],
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
            shared,
            coder,
            batch,
            ids,
            draft: Draft::default(),
            sources,
            there: coded_places(session),
            paths,
            held: BTreeMap::new(),
            codes: BTreeMap::new(),
            made: BTreeMap::new(),
            notes: BTreeMap::new(),
            told: Told::default(),
            missing: BTreeMap::new(),
        }
    }

    /// The codings that the second coder made.
    fn own<'s>(&mut self, id: SegmentId, segment: &'s Segment) -> Vec<&'s Coding> {
        let before = self.shared.segments.get(&id);
        let is_inherited = |coding: &Coding| before.is_some_and(|before| has(before, coding));
        let theirs = segment.codings.iter().filter(|coding| coding.coder.is_none());
        let is_of_model = |coding: &&Coding| coding.coder.as_deref() == Some(Coding::MODEL);
        self.told.of_model += segment.codings.iter().filter(is_of_model).count();
        let (inherited, own): (Vec<_>, Vec<_>) = theirs.partition(|coding| is_inherited(coding));
        self.told.inherited += inherited.len();
        self.hold(id, &inherited);
        own
    }

    /// Where a segment of the other session lies in this one; `None` if its recording is not here.
    fn place(&self, segment: &Segment) -> Option<Place> {
        let source = self.source(segment.source)?;
        let end = self.session.sources.get(&source)?.frames;
        let at = |frames| scaled(frames, self.other.rate, self.session.rate).min(end);
        let start = at(segment.start).min(end - Frames(1));
        let length = (at(segment.end()) - start).max(Frames(1));
        Some(Place { source, start, length, ..Place::of(segment) })
    }

    fn source(&self, theirs: SourceId) -> Option<SourceId> {
        let theirs = self.other.sources.get(&theirs)?;
        self.sources.get(&(&theirs.hash, theirs.channel)).copied()
    }

    fn coding(&mut self, theirs: &Coding) -> Coding {
        let code = self.code(theirs.code);
        Coding { batch: Some(self.batch.clone()), ..Coding::new(code, Some(self.coder.to_owned())) }
    }

    /// The code of this session with the path of one of the other; missing ones on the path are created.
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
        let needs = parent.and_then(|parent| self.made.get(&parent.into()).cloned());
        let change = Change::SetCode(Edit::create(id, code));
        let reason = format!("{} uses it", self.coder);
        let needs = needs.into_iter().collect();
        let change = self.draft.dependent(change, theirs.name.clone(), reason, needs);
        self.made.insert(id.into(), change);
        self.told.codes += 1;
        self.paths.insert(path, id);
        id
    }

    /// Adds codings to a place, each once, and the mark of importance.
    fn put(&mut self, theirs: Theirs) {
        let Theirs { place, description, codings, important } = theirs;
        let before = self.there.get(&place.key()).copied();
        let before = before.and_then(|id| Some((id, self.session.segments.get(&id)?)));
        let known = before.map(|(id, segment)| self.shared_with_coder(id, segment));
        let mut after = known.unwrap_or_else(|| Segment { description, ..place.segment() });
        let mut needs = BTreeSet::new();
        let mut added = 0;
        for coding in codings {
            if has(&after, &coding) {
                self.told.already += 1;
                continue;
            }
            needs.extend(self.made.get(&coding.code.into()).cloned());
            after.codings.push(coding);
            added += 1;
        }
        let marks = important && !after.important;
        // A segment without a coding is no place for a mark.
        if added == 0 && (!marks || before.is_none()) {
            return;
        }
        after.important |= important;
        self.told.added += added;
        self.told.marked += usize::from(marks);
        let name = self.quotes.of(&after);
        let id = before.map_or_else(|| self.free_id(), |(id, _)| id);
        let edit = Edit::new(id, before.map(|(_, segment)| segment.clone()), Some(after));
        let (change, reason) = (Change::SetSegment(edit), format!("{} coded it", self.coder));
        let change = self.draft.dependent(change, name, reason, needs.into_iter().collect());
        self.made.insert(id.into(), change);
        self.there.insert(place.key(), id);
    }

    fn free_id(&mut self) -> SegmentId {
        loop {
            let id = SegmentId::new(self.ids.next_bits());
            if !self.session.segments.contains_key(&id) {
                return id;
            }
        }
    }

    fn finish(mut self) -> Result<Draft, ToolError> {
        let told = &self.told;
        let is_none = told.added + told.already + told.inherited == 0;
        if is_none && self.draft.changes.is_empty() {
            let (message, fix) = if self.missing.is_empty() {
                ("nothing is coded in that session", "choose the session of the second coder")
            } else {
                ("the recordings coded there are not in this session", "import the same files here")
            };
            return Err(ToolError::run(Code::NoTarget, message, fix));
        }
        if !self.missing.is_empty() {
            let left = count(self.missing.values().sum(), "coding");
            let sources: Vec<String> = self.missing.keys().cloned().collect();
            let sources = names(&sources);
            let warning = format!("{left} of recordings that are not here left out: {sources}");
            self.draft.warnings.push(warning);
        }
        if told.of_model > 0 {
            let left = count(told.of_model, "coding");
            let told = format!("{left} of a model there left out: they are not of {}", self.coder);
            self.draft.warnings.push(told);
        }
        if told.memos_left > 0 {
            let left = count(told.memos_left, "memo");
            self.draft.warnings.push(format!("{left} on what is not here left out"));
        }
        self.draft.summary = told.summary(self.coder);
        self.draft.answer = Some(json!({
            "batch_id": Some(&self.batch).filter(|_| told.added > 0),
            "codings_added": told.added,
            "already_coded": told.already,
            "inherited": told.inherited,
            "marked": told.marked,
            "memos_added": told.memos,
            "memos_left_out": told.memos_left,
            "codes_created": told.codes,
            "sources_missing": self.missing.keys().collect::<Vec<_>>(),
        }));
        Ok(self.draft)
    }
}

impl Told {
    fn summary(&self, coder: &str) -> String {
        let mut gets = Vec::new();
        for (number, what) in [(self.added, "coding"), (self.memos, "memo"), (self.marked, "mark")]
        {
            gets.extend((number > 0).then(|| count(number, what)));
        }
        let mut summary = match gets.split_last() {
            Some((last, [])) => format!("Merge {last} of {coder}"),
            Some((last, ahead)) => format!("Merge {} and {last} of {coder}", ahead.join(", ")),
            None if self.already > 0 => format!("The codings of {coder} are all here already"),
            None => format!("{coder} coded nothing since the session was copied"),
        };
        if self.already > 0 && !gets.is_empty() {
            summary += &format!("; {} here already", self.already);
        }
        if self.inherited > 0 {
            let inherited = count(self.inherited, "coding");
            summary += &format!("; {inherited} from before the session was copied left out");
        }
        summary
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
