//! Putting a code on places: a segment of its own for each, or one more coding of the segment that is just there.

use super::find;
use deskhand_dsp::Frames;
use deskhand_session::{
    Change, CodeId, Coding, Description, Edit, FrequencyBand, IdSeed, ObjectId, Segment, SegmentId,
    Session, SourceId,
};
use deskhand_toolkit::{Code, Draft, PlanContext, ToolError};
use std::collections::{BTreeMap, BTreeSet};

/// A place that is coded.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Place {
    pub(super) source: SourceId,
    pub(super) start: Frames,
    pub(super) length: Frames,
    pub(super) band: Option<FrequencyBand>,
    /// Whose words it is about, where others talk meanwhile.
    pub(super) speaker: Option<String>,
}

/// By what places are compared: Hz to the thousandth.
pub(super) type Key = (SourceId, Frames, Frames, Option<[i64; 2]>, Option<String>);

impl Place {
    pub(super) fn of(segment: &Segment) -> Self {
        let Segment { source, start, length, band, speaker, .. } = segment;
        let speaker = speaker.clone();
        Self { source: *source, start: *start, length: *length, band: *band, speaker }
    }

    pub(super) fn key(&self) -> Key {
        let hz = |hz: f64| (hz * 1000.0).round() as i64;
        let band = self.band.map(|band| [hz(band.low_hz), hz(band.high_hz)]);
        (self.source, self.start, self.length, band, self.speaker.clone())
    }

    /// The place as a segment.
    pub(super) fn segment(&self) -> Segment {
        let own = Segment::new(self.source, self.start, self.length);
        Segment { band: self.band, speaker: self.speaker.clone(), ..own }
    }
}

/// A code that a call names.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Wanted {
    /// It is in the codebook.
    Known(CodeId),
    /// It is to be made.
    New(String),
}

impl Wanted {
    /// What a call works on. Sources are not among it: they can be transcribed while they are coded.
    pub(super) fn targets(&self) -> Vec<ObjectId> {
        match self {
            Self::Known(id) => vec![(*id).into()],
            Self::New(_) => Vec::new(),
        }
    }
}

/// The code that a call names by `code_id`, or by `code`.
///
/// # Errors
/// When both or neither are given, or `code_id` names no code.
pub(super) fn wanted(
    session: &Session,
    code_id: Option<&str>,
    code: Option<&str>,
) -> Result<Wanted, ToolError> {
    match (code_id, code) {
        (Some(id), None) => find::code(session, id).map(Wanted::Known),
        (None, Some(name)) => match find::known(session, name)? {
            Some(id) => Ok(Wanted::Known(id)),
            // Of an id or a path that means nothing no code is made.
            None if name.contains(find::SLASH) || name.parse::<CodeId>().is_ok() => {
                find::code(session, name).map(Wanted::Known)
            }
            None => find::name(name).map(Wanted::New),
        },
        (Some(_), Some(_)) | (None, None) => Err(ToolError::prepare(
            Code::BadParams,
            "it does not say which code",
            "give exactly one of `code_id` and `code`",
        )),
    }
}

/// The same where a code must be there.
///
/// # Errors
/// When there is no such code.
pub(super) fn known(
    session: &Session,
    code_id: Option<&str>,
    code: Option<&str>,
) -> Result<CodeId, ToolError> {
    match wanted(session, code_id, code)? {
        Wanted::Known(id) => Ok(id),
        Wanted::New(name) => find::code(session, &name),
    }
}

/// What became of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Put {
    /// It is coded now.
    Coded(SegmentId),
    /// It was coded so before.
    Already(SegmentId),
}

/// Codes places in one draft.
pub(super) struct Coder<'a> {
    session: &'a Session,
    code: CodeId,
    coder: Option<String>,
    batch: String,
    needs: Vec<String>,
    ids: IdSeed,
    /// The existing codings, with those of this call.
    there: BTreeMap<Key, SegmentId>,
    fresh: BTreeSet<SegmentId>,
    pub(super) draft: Draft,
    /// Places that this call coded.
    pub(super) coded: usize,
    /// Places that were coded so before.
    pub(super) already: usize,
}

impl<'a> Coder<'a> {
    /// A coder of the call of `context`, with a draft that makes the code where it is new.
    pub(super) fn new(context: &'a PlanContext, code: &Wanted) -> Self {
        let session = &*context.session;
        let mut ids = context.ids();
        let batch = batch(&mut ids);
        let mut draft = Draft::default();
        let (code, needs) = match code {
            Wanted::Known(id) => (*id, Vec::new()),
            Wanted::New(name) => {
                let id = CodeId::new(ids.next_bits());
                let value = deskhand_session::Code::new(name.clone());
                let change = Change::SetCode(Edit::create(id, value));
                (id, vec![draft.change(change, name.clone(), "no code is called so yet")])
            }
        };
        let (there, fresh) = (coded_places(session), BTreeSet::new());
        let (coded, already) = (0, 0);
        let coder = context.coder();
        Self { session, code, coder, batch, needs, ids, there, fresh, draft, coded, already }
    }

    /// What all codings of this call have in common.
    pub(super) fn batch(&self) -> &str {
        &self.batch
    }

    /// The code.
    pub(super) fn code(&self) -> CodeId {
        self.code
    }

    /// Puts the code on a place; `name` is the text there, for people.
    pub(super) fn put(
        &mut self,
        place: &Place,
        description: Description,
        name: String,
        reason: &str,
    ) -> Put {
        let batch = Some(self.batch.clone());
        let coding = Coding { batch, ..Coding::new(self.code, self.coder.clone()) };
        let put = match self.there.get(&place.key()).copied() {
            Some(id) => self.add(id, description, coding, name, reason),
            None => self.create(place, description, coding, name, reason),
        };
        match put {
            Put::Coded(_) => self.coded += 1,
            Put::Already(_) => self.already += 1,
        }
        put
    }

    fn add(
        &mut self,
        id: SegmentId,
        description: Description,
        coding: Coding,
        name: String,
        reason: &str,
    ) -> Put {
        let segment = self.session.segments.get(&id).filter(|_| !self.fresh.contains(&id));
        let Some(segment) = segment else {
            return Put::Already(id);
        };
        if has(segment, &coding) {
            return Put::Already(id);
        }
        let mut after = segment.clone();
        after.codings.push(coding);
        after.description.facts.extend(description.facts);
        let change = Change::SetSegment(Edit::new(id, Some(segment.clone()), Some(after)));
        self.draft.dependent(change, name, reason, self.needs.clone());
        self.fresh.insert(id);
        Put::Coded(id)
    }

    fn create(
        &mut self,
        place: &Place,
        description: Description,
        coding: Coding,
        name: String,
        reason: &str,
    ) -> Put {
        let id = self.free_id();
        let segment = Segment { codings: vec![coding], description, ..place.segment() };
        let change = Change::SetSegment(Edit::create(id, segment));
        self.draft.dependent(change, name, reason, self.needs.clone());
        self.there.insert(place.key(), id);
        self.fresh.insert(id);
        Put::Coded(id)
    }

    fn free_id(&mut self) -> SegmentId {
        loop {
            let id = SegmentId::new(self.ids.next_bits());
            if !self.session.segments.contains_key(&id) && !self.fresh.contains(&id) {
                return id;
            }
        }
    }
}

/// What a call names all that it codes, such as `batch_0123456789ab`.
pub(super) fn batch(ids: &mut IdSeed) -> String {
    // An id of any kind has the bits and the digits.
    SegmentId::new(ids.next_bits()).to_string().replacen("seg", "batch", 1)
}

/// The segments that were made to be coded, by their places.
pub(super) fn coded_places(session: &Session) -> BTreeMap<Key, SegmentId> {
    let own = session.segments.iter().filter(|(_, segment)| is_coded(segment));
    // Of several at one place the first is added to.
    own.rev().map(|(id, segment)| (Place::of(segment).key(), *id)).collect()
}

/// Whether a segment has that code already, by that coder.
pub(super) fn has(segment: &Segment, coding: &Coding) -> bool {
    let same = |other: &Coding| (other.code, &other.coder) == (coding.code, &coding.coder);
    segment.codings.iter().any(same)
}

/// Whether a segment is one that was made to be coded.
pub(super) fn is_coded(segment: &Segment) -> bool {
    segment.words.is_empty() && !segment.codings.is_empty()
}
