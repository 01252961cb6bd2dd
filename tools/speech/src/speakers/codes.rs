//! Speakers as codes: one each under "Speakers", on every turn.

use deskhand_session::{Change, Code, CodeId, Coding, Edit, IdSeed, Segment, SegmentId, Session};
use deskhand_toolkit::{Draft, PlanContext};
use std::collections::BTreeMap;

/// The code that those of speakers are under.
const PARENT: &str = "Speakers";

/// What coding made.
pub(super) struct Coded {
    /// Codes that were not there before.
    pub(super) created: Vec<CodeId>,
    /// What all codings of this call are named.
    pub(super) batch: String,
}

/// The codes of speakers, and the changes that make them.
struct Book<'a> {
    session: &'a Session,
    ids: IdSeed,
    created: Vec<CodeId>,
    /// Each code and the change that makes it, by its name and parent.
    known: BTreeMap<(String, Option<CodeId>), (CodeId, Vec<String>)>,
}

impl Book<'_> {
    fn code(
        &mut self,
        draft: &mut Draft,
        name: &str,
        parent: Option<CodeId>,
        needs: &[String],
    ) -> (CodeId, Vec<String>) {
        let place = (name.to_owned(), parent);
        if let Some(known) = self.known.get(&place) {
            return known.clone();
        }
        let is_it = |code: &Code| code.name == name && (parent.is_none() || code.parent == parent);
        let there = self.session.codes.iter().find(|(_, code)| is_it(code));
        let made = match there {
            Some((id, _)) => (*id, Vec::new()),
            None => {
                let id = CodeId::new(self.ids.next_bits());
                let code = Code { parent, ..Code::new(name) };
                let change = Change::SetCode(Edit::create(id, code));
                let change = draft.dependent(change, name.into(), "a speaker", needs.to_vec());
                self.created.push(id);
                (id, vec![change])
            }
        };
        self.known.insert(place, made.clone());
        made
    }
}

/// Makes codes of the speakers of `marked`, and codes their turns.
pub(super) fn code(
    draft: &mut Draft,
    context: &PlanContext,
    mut ids: IdSeed,
    marked: &[(SegmentId, Segment)],
) -> Coded {
    let session = &*context.session;
    let batch = format!("batch_{:012x}", ids.next_bits() & 0xffff_ffff_ffff);
    let mut book = Book { session, ids, created: Vec::new(), known: BTreeMap::new() };
    for turn in turns(marked) {
        let Some(speaker) = turn.speaker.clone() else { continue };
        let (parent, needs) = book.code(draft, PARENT, None, &[]);
        let (code, needs) = book.code(draft, &speaker, Some(parent), &needs);
        let is_coded = |other: &Segment| {
            (other.source, other.start, other.length) == (turn.source, turn.start, turn.length)
                && other.codings.iter().any(|coding| coding.code == code)
        };
        if session.segments.values().any(is_coded) {
            continue;
        }
        let coding = Coding { code, coder: context.coder(), batch: Some(batch.clone()) };
        let segment = Segment { codings: vec![coding], ..turn };
        let id = SegmentId::new(book.ids.next_bits());
        let change = Change::SetSegment(Edit::create(id, segment));
        draft.dependent(change, speaker, "the speaker's turn", needs);
    }
    Coded { created: book.created, batch }
}

/// Phrases of one speaker behind one another as one, without their words. What a microphone hears of another's speaker is
/// that one's turn, and ends that of its own.
fn turns(marked: &[(SegmentId, Segment)]) -> Vec<Segment> {
    let mut turns: Vec<(bool, Segment)> = Vec::new();
    for (_, segment) in marked {
        let is_bleed = segment.is_bleed();
        let goes_on = |(bleed, turn): &&mut (bool, Segment)| {
            (*bleed, turn.source, &turn.speaker) == (is_bleed, segment.source, &segment.speaker)
        };
        match turns.last_mut().filter(goes_on) {
            Some((_, turn)) => turn.length = turn.end().max(segment.end()) - turn.start,
            None => {
                let turn = Segment::new(segment.source, segment.start, segment.length);
                turns.push((is_bleed, Segment { speaker: segment.speaker.clone(), ..turn }));
            }
        }
    }
    turns.into_iter().filter(|(is_bleed, _)| !is_bleed).map(|(_, turn)| turn).collect()
}
