//! Speakers as codes: one each under "Speakers", on every turn.

use super::levels::Placing;
use deskhand_dsp::Frames;
use deskhand_session::{Change, Code, CodeId, Coding, Edit, IdSeed, Segment, SegmentId, Session};
use deskhand_toolkit::text::folded;
use deskhand_toolkit::{Draft, PlanContext};
use std::collections::BTreeMap;

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
    /// Each code and the change that makes it, by its name in any case and its parent.
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
        let place = (folded(name), parent);
        if let Some(known) = self.known.get(&place) {
            return known.clone();
        }
        let is_it = |code: &Code| {
            folded(&code.name) == place.0 && (parent.is_none() || code.parent == parent)
        };
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
    for turn in turns(session, marked) {
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
        let coding = Coding { batch: Some(batch.clone()), ..Coding::new(code, context.coder()) };
        let segment = Segment { codings: vec![coding], ..turn };
        let id = SegmentId::new(book.ids.next_bits());
        let change = Change::SetSegment(Edit::create(id, segment));
        draft.dependent(change, speaker, "the speaker's turn", needs);
    }
    Coded { created: book.created, batch }
}

/// Joins consecutive phrases of one speaker into a turn, without the words. Bleed counts as the turn of its
/// speaker and ends the turn of the microphone's own speaker. So does a phrase that another person says
/// into another microphone meanwhile.
fn turns(session: &Session, marked: &[(SegmentId, Segment)]) -> Vec<Segment> {
    let begun = Begun::new(session, marked);
    let mut turns: Vec<(bool, Segment)> = Vec::new();
    for (at, (_, segment)) in marked.iter().enumerate() {
        let is_bleed = segment.is_bleed();
        let before = at.checked_sub(1);
        let is_answered = before.is_some_and(|before| begun.is_answered(before, at, segment));
        let goes_on = |(bleed, turn): &&mut (bool, Segment)| {
            (*bleed, turn.source, &turn.speaker) == (is_bleed, segment.source, &segment.speaker)
                && !is_answered
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

/// When phrases begin on the timeline.
struct Begun<'a> {
    /// The time of each phrase; `None` if no clip plays it.
    at: Vec<Option<Frames>>,
    /// The speaker of each phrase, in order, without bleed.
    order: Vec<(Frames, Option<&'a str>)>,
}

impl<'a> Begun<'a> {
    fn new(session: &Session, marked: &'a [(SegmentId, Segment)]) -> Self {
        let placing = Placing::new(session);
        let position = |segment: &Segment| Some(placing.place(segment)?.position);
        let at: Vec<_> = marked.iter().map(|(_, segment)| position(segment)).collect();
        let own = marked.iter().zip(&at).filter(|((_, segment), _)| !segment.is_bleed());
        let begun = own.filter_map(|((_, one), at)| Some(((*at)?, one.speaker.as_deref())));
        let mut order: Vec<_> = begun.collect();
        order.sort();
        Self { at, order }
    }

    /// Whether somebody else says something between two phrases of the speaker of the second.
    fn is_answered(&self, first: usize, second: usize, of: &Segment) -> bool {
        let at = |index: usize| self.at.get(index).copied().flatten();
        let (Some(from), Some(to)) = (at(first), at(second)) else { return false };
        let next = self.order.partition_point(|(at, _)| *at <= from);
        let mut between = self.order.iter().skip(next).take_while(|(at, _)| *at < to);
        between.any(|(_, who)| *who != of.speaker.as_deref())
    }
}
