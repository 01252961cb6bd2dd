//! Segments that are transcribed again. If a new segment begins where an old one began, it takes the old
//! id, so everything that refers to the old segment still holds.
//!
//! If a segment's id is removed, its memo, mark and manual notes move to the segment that is now said
//! there, in the same plan. If there is none, they are removed too, and the plan says so.

use deskhand_dsp::Frames;
use deskhand_session::text::count;
use deskhand_session::{
    BLEED_OF, Change, Edit, Fact, IdSeed, ObjectId, Segment, SegmentId, Session, SourceId,
};
use deskhand_toolkit::Draft;
use std::collections::BTreeMap;

/// The longest memo, in bytes, as a session takes it.
const LONGEST_MEMO: usize = 65_536;
/// Tools whose facts are of the words that were there.
const OF_THE_WORDS: [&str; 3] =
    ["tool_transcribe", "tool_import_transcript", "tool_describe_speech"];

/// The new transcription, and the segments that it replaces.
pub(crate) struct Anew<'a> {
    session: &'a Session,
    /// The removed segments, by their start.
    gone: BTreeMap<(SourceId, Frames), Vec<(SegmentId, &'a Segment)>>,
    said: Vec<Said<'a>>,
}

/// A segment that is written down.
struct Said<'a> {
    id: SegmentId,
    before: Option<&'a Segment>,
    after: Segment,
    memos: Vec<(SegmentId, &'a str)>,
}

/// The texts of a plan for the changes.
pub(crate) struct Why<'a> {
    /// The name of the chosen target, by its source.
    pub(crate) name: &'a dyn Fn(SourceId) -> String,
    /// The reason for new segments.
    pub(crate) said: &'a str,
    /// The reason for removed or changed segments.
    pub(crate) gone: &'a str,
}

impl<'a> Anew<'a> {
    /// `said` in the place of `gone`.
    pub(crate) fn new(
        session: &'a Session,
        ids: &mut IdSeed,
        gone: Vec<(SegmentId, &'a Segment)>,
        said: Vec<Segment>,
    ) -> Self {
        let mut left: BTreeMap<_, Vec<(SegmentId, &Segment)>> = BTreeMap::new();
        for (id, segment) in &gone {
            left.entry((segment.source, segment.start)).or_default().push((*id, *segment));
        }
        let is_any_bleed = gone.iter().any(|(_, segment)| segment.is_bleed());
        let mut anew = Self { session, gone: left, said: Vec::new() };
        for segment in said {
            let segment = if is_any_bleed { heard_so(segment, &gone) } else { segment };
            let here = anew.gone.get_mut(&(segment.source, segment.start));
            let said = match here.filter(|here| !here.is_empty()).map(|here| here.remove(0)) {
                Some((id, before)) => {
                    let after = inherited(before, segment);
                    Said { id, before: Some(before), after, memos: Vec::new() }
                }
                None => {
                    let id = fresh(session, ids);
                    Said { id, before: None, after: segment, memos: Vec::new() }
                }
            };
            anew.said.push(said);
        }
        anew
    }

    pub(crate) fn plan(mut self, draft: &mut Draft, why: &Why<'_>) {
        let (mut handed, mut lost) = (0, 0);
        let left: Vec<(SegmentId, &Segment)> =
            std::mem::take(&mut self.gone).into_values().flatten().collect();
        for (id, segment) in &left {
            match self.hand_on(*id, segment) {
                None => {}
                Some(true) => handed += 1,
                Some(false) => lost += 1,
            }
        }
        let mut needs: BTreeMap<SegmentId, String> = BTreeMap::new();
        for said in &self.said {
            self.write(draft, said, why, &mut needs);
        }
        for (id, segment) in left {
            self.take_out(draft, (id, segment), why, &needs);
        }
        let what = |number| format!("what was marked or written on {}", count(number, "segment"));
        if handed > 0 {
            draft.warnings.push(format!("{} goes to the words that are there now", what(handed)));
        }
        if lost > 0 {
            draft.warnings.push(format!("{} has no place any more and goes too", what(lost)));
        }
    }

    /// Moves a mark, a memo and manual notes to the segment said at most of the same time. Returns whether
    /// there is one; `None` if there is nothing to move.
    fn hand_on(&mut self, id: SegmentId, gone: &Segment) -> Option<bool> {
        let memo = self.session.memos.get(&ObjectId::from(id));
        let mut stays = gone.description.facts.iter().filter(|(name, fact)| is_handed(name, fact));
        if memo.is_none() && !gone.important && stays.clone().next().is_none() {
            return None;
        }
        let heir = self.said.iter_mut().max_by_key(|said| shared(&said.after, gone));
        let Some(heir) = heir.filter(|heir| shared(&heir.after, gone) > 0) else {
            return Some(false);
        };
        heir.after.important |= gone.important;
        stays.by_ref().for_each(|(name, fact)| take_over(&mut heir.after, name, fact));
        let own = self.session.memos.get(&ObjectId::from(heir.id)).map_or(0, String::len);
        let there: usize = heir.memos.iter().map(|(_, memo)| memo.len() + 2).sum();
        if let Some(memo) = memo {
            if own + 2 + there + memo.len() > LONGEST_MEMO {
                return Some(false);
            }
            heir.memos.push((id, memo.as_str()));
        }
        Some(true)
    }

    /// Plans a segment with the memos that are handed on to it; `needs` has the change for each of those.
    fn write(
        &self,
        draft: &mut Draft,
        said: &Said<'_>,
        why: &Why<'_>,
        needs: &mut BTreeMap<SegmentId, String>,
    ) {
        let name = (why.name)(said.after.source);
        let reason = if said.before.is_some() { why.gone } else { why.said };
        let mut change = Vec::new();
        if said.before != Some(&said.after) {
            let edit = Edit::new(said.id, said.before.cloned(), Some(said.after.clone()));
            change.push(draft.change(Change::SetSegment(edit), name.clone(), reason));
        }
        if said.memos.is_empty() {
            return;
        }
        let on = ObjectId::from(said.id);
        let before = self.session.memos.get(&on).cloned();
        let all = before.iter().map(String::as_str).chain(said.memos.iter().map(|(_, memo)| *memo));
        let after = all.collect::<Vec<_>>().join("\n\n");
        let memo = Change::SetMemo(Edit::new(on, before, Some(after)));
        let memo = draft.dependent(memo, name, "it was written on the words before", change);
        needs.extend(said.memos.iter().map(|(id, _)| (*id, memo.clone())));
    }

    /// Plans the removal of a segment. Its memo is saved first.
    fn take_out(
        &self,
        draft: &mut Draft,
        (id, segment): (SegmentId, &Segment),
        why: &Why<'_>,
        needs: &BTreeMap<SegmentId, String>,
    ) {
        let name = (why.name)(segment.source);
        let mut first: Vec<String> = needs.get(&id).cloned().into_iter().collect();
        if let Some(memo) = self.session.memos.get(&ObjectId::from(id)) {
            let change = Change::SetMemo(Edit::new(id.into(), Some(memo.clone()), None));
            first = vec![draft.dependent(change, name.clone(), why.gone, first)];
        }
        let change = Change::SetSegment(Edit::remove(id, segment.clone()));
        draft.dependent(change, name, why.gone, first);
    }
}

/// Of the words that go, those at most of whose time `said` is said.
pub(crate) fn heir_of<'a>(
    said: &Segment,
    gone: &[(SegmentId, &'a Segment)],
) -> Option<&'a Segment> {
    // A left-out stretch belongs to nobody.
    let spoken = gone.iter().filter(|(_, before)| !before.words.is_empty());
    let most = spoken.max_by_key(|(_, before)| shared(said, before));
    most.map(|(_, before)| *before).filter(|before| shared(said, before) > 0)
}

/// The number of frames that two segments share; 0 or less if they share none.
fn shared(one: &Segment, other: &Segment) -> i64 {
    let shared = one.end().min(other.end()) - one.start.max(other.start);
    shared.0 * i64::from(one.source == other.source)
}

fn is_of_the_words(fact: &Fact) -> bool {
    OF_THE_WORDS.contains(&fact.by.as_str())
}

/// Whether a fact moves to the segment that is now said there. [`heard_so`] decides the microphone owner
/// again.
fn is_handed(name: &str, fact: &Fact) -> bool {
    name != BLEED_OF && !is_of_the_words(fact)
}

/// A segment with the bleed mark of the segments that it replaces. A segment with another speaker does not
/// inherit it.
fn heard_so(mut said: Segment, gone: &[(SegmentId, &Segment)]) -> Segment {
    let before = heir_of(&said, gone).filter(|before| before.speaker == said.speaker);
    if let Some(fact) = before.and_then(|before| before.description.facts.get(BLEED_OF)) {
        said.description.facts.insert(BLEED_OF.into(), fact.clone());
    }
    said
}

/// Takes over a fact, unless one like it was taken over from before.
fn take_over(heir: &mut Segment, name: &str, fact: &Fact) {
    let facts = &mut heir.description.facts;
    if facts.get(name).is_none_or(is_of_the_words) {
        facts.insert(name.to_owned(), fact.clone());
    }
}

/// The new segment, with the facts that still hold of the one whose id it takes.
fn inherited(before: &Segment, now: Segment) -> Segment {
    let same = before.words == now.words && before.length == now.length;
    let mut after =
        Segment { words: now.words, length: now.length, speaker: now.speaker, ..before.clone() };
    let facts = &mut after.description.facts;
    facts.retain(|_, fact| same || !is_of_the_words(fact));
    if after.speaker != before.speaker {
        facts.remove(BLEED_OF);
    }
    for (name, fact) in now.description.facts {
        facts.entry(name).or_insert(fact);
    }
    after
}

pub(crate) fn fresh(session: &Session, ids: &mut IdSeed) -> SegmentId {
    let mut id = SegmentId::new(ids.next_bits());
    while session.segments.contains_key(&id) {
        id = SegmentId::new(ids.next_bits());
    }
    id
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::desk_at;
    use deskhand_session::Word;
    use deskhand_toolkit::testing::Desk;

    fn segment(source: SourceId, from: i64, to: i64, text: &str) -> Segment {
        let word =
            Word { text: text.into(), start: Frames(from), end: Frames(to), confidence: None };
        Segment { words: vec![word], ..Segment::new(source, Frames(from), Frames(to - from)) }
    }

    /// A recording with segments of 100 frames, each written on and marked, and one memo and no mark on the last.
    fn desk() -> (Desk, SourceId) {
        let mut desk = desk_at(48_000);
        let source = desk.recording("talk.wav", 1_000);
        for at in 0..3 {
            let mut segment = segment(source, at * 100, at * 100 + 100, "before");
            segment.important = at < 2;
            let fact =
                |by: &str| Fact { value: "x".into(), unit: None, confidence: None, by: by.into() };
            let facts = [
                ("level".to_owned(), fact("tool_describe_speech")),
                ("tone".to_owned(), fact("cmd_set_description")),
            ];
            segment.description.facts = facts.into();
            let id = SegmentId::new(at as u64);
            desk.session.segments.insert(id, segment);
            desk.session.memos.insert(id.into(), format!("memo {at}"));
        }
        (desk, source)
    }

    fn anew(desk: &mut Desk, said: Vec<Segment>) -> Draft {
        let gone = desk.session.segments.iter().map(|(id, segment)| (*id, segment)).collect();
        let mut draft = Draft::default();
        let why = Why { name: &|_| "talk".into(), said: "new", gone: "anew" };
        Anew::new(&desk.session, &mut IdSeed::new("x", "", 0), gone, said).plan(&mut draft, &why);
        desk.apply(&draft);
        draft
    }

    fn is_whole(session: &Session) {
        assert!(session.memos.keys().all(|on| session.takes_memo(*on)), "{:?}", session.memos);
    }

    #[test]
    fn who_begins_where_another_began_keeps_its_id_and_what_is_known() {
        let (mut desk, source) = desk();
        let said = (0..3).map(|at| segment(source, at * 100, at * 100 + 90, "after")).collect();
        let draft = anew(&mut desk, said);
        assert_eq!((draft.changes.len(), draft.warnings.len()), (3, 0));
        let first = &desk.session.segments[&SegmentId::new(0)];
        assert!(first.important && first.text() == "after" && first.length == Frames(90));
        assert_eq!(first.description.facts.keys().collect::<Vec<_>>(), ["tone"]);
        assert_eq!(desk.session.memos.len(), 3);
        is_whole(&desk.session);
    }

    #[test]
    fn memos_and_marks_are_handed_on_to_what_is_said_there() {
        let (mut desk, source) = desk();
        let draft = anew(
            &mut desk,
            vec![segment(source, 5, 190, "after"), segment(source, 200, 300, "same")],
        );
        let told = "what was marked or written on 2 segments goes to the words that are there now";
        assert_eq!(draft.warnings, [told]);
        let (id, heir) =
            desk.session.segments.iter().find(|(_, it)| it.start == Frames(5)).unwrap();
        assert!(heir.important);
        assert_eq!(desk.session.memos[&ObjectId::from(*id)], "memo 0\n\nmemo 1");
        assert_eq!(desk.session.memos[&ObjectId::from(SegmentId::new(2))], "memo 2");
        assert_eq!(desk.session.segments.len(), 2);
        is_whole(&desk.session);
    }

    #[test]
    fn what_a_microphone_heard_of_another_stays_so_however_it_is_parted() {
        let parted = vec![(5, 150, "Ann"), (160, 380, "Ann"), (385, 900, "Bob")];
        let as_one = vec![(5, 900, "Bob")];
        for (said, expected) in [(parted, vec![true, true, false]), (as_one, vec![false])] {
            let mut desk = desk_at(48_000);
            let source = desk.recording("talk.wav", 1_000);
            let named = |(from, to, who): (i64, i64, &str)| {
                let own = segment(source, from, to, "word");
                Segment { speaker: Some(who.into()), ..own }
            };
            let mut bleed = named((0, 400, "Ann"));
            let by = "tool_mark_speakers".into();
            let fact = Fact { value: "Ann".into(), unit: None, confidence: None, by };
            bleed.description.facts.insert(BLEED_OF.into(), fact);
            let before = [bleed, named((400, 900, "Bob"))];
            desk.session.segments.extend((1..).map(SegmentId::new).zip(before));
            let draft = anew(&mut desk, said.iter().copied().map(named).collect());
            assert_eq!(draft.warnings, Vec::<String>::new());
            let mut now: Vec<&Segment> = desk.session.segments.values().collect();
            now.sort_by_key(|segment| segment.start);
            let now: Vec<bool> = now.into_iter().map(Segment::is_bleed).collect();
            assert_eq!(now, expected, "{said:?}");
        }
    }

    #[test]
    fn where_nothing_is_said_any_more_they_go_and_the_plan_says_so() {
        let (mut desk, source) = desk();
        let draft = anew(&mut desk, vec![segment(source, 600, 700, "elsewhere")]);
        let told = "what was marked or written on 3 segments has no place any more and goes too";
        assert_eq!(draft.warnings, [told]);
        assert!(desk.session.memos.is_empty());
        is_whole(&desk.session);
    }
}
