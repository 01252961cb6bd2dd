//! How a session was looked at when its window closed, for the window that opens it again.

use crate::card::ticks::Ticks;
use crate::card::view::{Card, CardView};
use deskhand_dsp::Frames;
use deskhand_session::{Plan, PlanId, PlanState};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The number of turns whose end is kept.
const TURNS: usize = 20;
/// The number of cards whose ticks and edits are kept.
const CARDS: usize = 20;
/// The number of plans whose numbers are kept.
const NUMBERS: usize = 1_000;
/// The most text that is kept of words that were being typed, bytes.
pub(crate) const DRAFT: usize = 20_000;

/// How a session was looked at.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Seen {
    /// Points per second of the timeline; `None` shows the whole session.
    pub zoom: Option<f64>,
    /// The second at its left edge.
    pub left: f64,
    /// Points that it is scrolled down.
    pub down: f32,
    pub has_library: bool,
    pub has_words: bool,
    pub position: Frames,
    /// The loop: its first frame and the frame after its last.
    pub cycle: Option<(Frames, Frames)>,
    /// The last loop, while none is on.
    pub last_loop: Option<(Frames, Frames)>,
    /// The text being typed to the model, 20 000 bytes at most.
    pub draft: String,
    /// Why turns ended otherwise than by themselves, the newest 20 of them.
    pub ended: Vec<EndedTurn>,
    /// The settings of waiting plans' cards, of 20 at most.
    pub cards: Vec<SeenCard>,
    /// The numbers that plans with a card had, from 1, of the 1000 newest at most.
    pub numbers: BTreeMap<PlanId, usize>,
}

/// The settings of a waiting plan's card.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeenCard {
    pub plan: PlanId,
    /// Ids of the changes whose tick was taken off.
    #[serde(default)]
    pub off: BTreeSet<String>,
    /// Values in place of the planned ones, by the id of the change.
    #[serde(default)]
    pub values: BTreeMap<String, f64>,
}

impl SeenCard {
    /// The ticks and edits of a card; `None` if there are none. Applied rows do not count.
    pub(crate) fn of(card: &Card) -> Option<Self> {
        if card.stored.state != PlanState::Waiting {
            return None;
        }
        let (plan, view) = (&card.stored.plan, &card.view);
        let fresh = Ticks::of(plan).off;
        let is_open = |id: &String| !view.ticks.taken.rows.contains(id);
        let mut off = view.ticks.unticked();
        off.retain(|id| is_open(id) && !fresh.contains(id));
        let mut values = view.values.edits.clone();
        values.retain(|id, _| is_open(id));
        let is_set = !off.is_empty() || !values.is_empty();
        is_set.then_some(Self { plan: plan.id, off, values })
    }

    pub(crate) fn restore(self, plan: &Plan, view: &mut CardView) {
        let off: Vec<String> = self.off.into_iter().collect();
        view.ticks.tick_all(plan, &off, false);
        let ids: BTreeSet<&String> = plan.changes.iter().map(|change| &change.id).collect();
        view.ticks.off.retain(|id| ids.contains(id));
        view.values.edits = self.values;
        view.values.edits.retain(|id, _| ids.contains(id));
    }
}

/// Why a turn ended otherwise than by itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct EndedTurn {
    /// How often the person had said something by then.
    pub asked: usize,
    /// Why, in words for the person.
    pub words: String,
}

impl Seen {
    /// The same without values that are out of range: a file may hold anything.
    #[must_use]
    pub fn checked(mut self) -> Self {
        let is_place = |at: f64| at.is_finite() && at >= 0.0;
        self.zoom = self.zoom.filter(|zoom| zoom.is_finite() && *zoom > 0.0);
        self.left = if is_place(self.left) { self.left } else { 0.0 };
        self.down = if is_place(f64::from(self.down)) { self.down } else { 0.0 };
        self.position = self.position.max(Frames::ZERO);
        let is_range = |(from, to): &(Frames, Frames)| Frames::ZERO <= *from && from < to;
        self.cycle = self.cycle.filter(is_range);
        self.last_loop = self.last_loop.filter(is_range);
        self.draft.truncate(self.draft.floor_char_boundary(DRAFT));
        let many = self.ended.len().saturating_sub(TURNS);
        self.ended.drain(..many);
        let many = self.cards.len().saturating_sub(CARDS);
        self.cards.drain(..many);
        let newest = self.numbers.values().max().map_or(0, |newest| newest.saturating_sub(NUMBERS));
        self.numbers.retain(|_, number| *number > newest);
        let values = self.cards.iter_mut().map(|card| &mut card.values);
        values.for_each(|values| values.retain(|_, value| value.is_finite()));
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::desk_tests::desk;
    use crate::model::Entry;
    use crate::testing::prelude::*;
    use deskhand_protocol::Read;
    use deskhand_protocol::desk::{TurnEnd, TurnReason};
    use deskhand_session::{Author, Said, StoredPlan};

    fn said(role: &str, text: &str) -> Said {
        let message = json!({"role": role, "parts": [{"type": "text", "text": text}]});
        Said { author: Author::User, message, time_ms: 0 }
    }

    /// The hub sends the conversation to the model.
    fn tell(model: &mut Model, said: &[Said]) {
        let result = ToolResult {
            answer: Some(json!(said)),
            ..ToolResult::new(Status::Ok, "read", RevisionId(1))
        };
        let done = News::Done { result: Box::new(result) };
        model.sent(CallId(5), &Op::Read { what: Read::Conversation });
        assert_eq!(model.hear(&event(2, Some(CallId(5)), done)), []);
    }

    fn fail(model: &mut Model, message: &str) {
        let end = TurnEnd {
            reason: TurnReason::Failed,
            message: message.into(),
            reply: String::new(),
            turns: 1,
            input_tokens: 0,
            output_tokens: 0,
            pending: Vec::new(),
        };
        drop(model.hear(&event(3, None, News::TurnEnded { end })));
    }

    #[test]
    fn a_session_that_is_opened_again_is_looked_at_as_before() {
        let mut model = open_model();
        model.live.position = Frames(8 * 48_000);
        model.live.cycle = Some((Frames(48_000), Frames(96_000)));
        (model.desk.library.is_open, model.desk.words.is_open) = (true, true);
        model.desk.timeline.last_loop = Some((Frames(0), Frames(48_000)));
        (model.desk.timeline.zoom, model.desk.timeline.left) = (Some(400.0), 4.0);
        model.draft = "make the gui".into();
        let seen = model.seen();
        let mut again = open_model();
        again.look_again(seen.clone());
        let desk = desk(again);
        assert_eq!(desk.state().model.seen(), seen, "nothing scrolls to the playhead");
        for name in ["Close the library", "Close the words"] {
            assert!(desk.query_by_label(name).is_some(), "{name}");
        }
        assert_eq!((seen.zoom, seen.left, seen.position), (Some(400.0), 4.0, Frames(384_000)));
        assert_eq!(desk.state().model.draft(), "make the gui", "it can be typed on");
    }

    /// The hub tells the model of all plans.
    fn tell_plans(model: &mut Model, plans: &[StoredPlan]) {
        let result = ToolResult {
            answer: Some(json!(plans)),
            ..ToolResult::new(Status::Ok, "read", RevisionId(1))
        };
        let done = News::Done { result: Box::new(result) };
        model.sent(CallId(6), &Op::Read { what: Read::Plans });
        assert_eq!(model.hear(&event(2, Some(CallId(6)), done)), []);
    }

    #[test]
    fn plans_have_the_cards_and_the_numbers_that_they_had_when_the_session_was_open_last() {
        let plan = |number: u64, tool: &str| StoredPlan {
            plan: Plan { id: PlanId::new(number), tool: tool.into(), ..gain_plan() },
            state: PlanState::Waiting,
            author: Author::User,
            reason: None,
            receipt: None,
            follows: None,
            time_ms: 0,
            decided_ms: None,
        };
        // The second plan waited, was applied elsewhere and taken back. The last one arrived since.
        let mut plans = vec![plan(1, "tool_eq"), plan(2, "cmd_pan"), plan(3, "tool_duck")];
        let mut model = open_model();
        tell_plans(&mut model, &plans);
        let kept = model.seen();
        plans[1].state = PlanState::Undone;
        plans.push(plan(4, "tool_duck"));
        let mut again = open_model();
        again.look_again(kept);
        tell_plans(&mut again, &plans);
        let numbers: Vec<_> =
            again.cards.values().map(|card| (card.stored.plan.id, card.number)).collect();
        assert_eq!(numbers, [1, 2, 3, 4].map(|number| (PlanId::new(number as u64), number)));
    }

    #[test]
    fn a_failed_turn_says_why_in_the_next_window_too() {
        let conversation = [said("user", "louder"), said("assistant", "No."), said("user", "more")];
        let mut model = open_model();
        tell(&mut model, &conversation[..1]);
        fail(&mut model, "The key was refused.");
        let kept = model.seen();
        assert_eq!(kept.ended.len(), 1);
        let mut again = open_model();
        again.look_again(kept);
        tell(&mut again, &conversation);
        let why = Entry::Ended("The key was refused.".into());
        let at = again.entries.iter().position(|entry| *entry == why);
        let next = again.entries.iter().position(|entry| *entry == Entry::Asked("more".into()));
        assert!(at.is_some() && at < next, "{:?}", again.entries);
        assert_eq!(again.last_asked, "more", "Ask again knows what was asked");
    }

    #[test]
    fn what_is_out_of_its_range_is_as_at_first() {
        let kept = Seen {
            zoom: Some(f64::NAN),
            left: f64::INFINITY,
            down: -4.0,
            position: Frames(-1),
            cycle: Some((Frames(9), Frames(9))),
            last_loop: Some((Frames(-9), Frames(9))),
            draft: "ü".repeat(DRAFT),
            ended: vec![EndedTurn::default(); 40],
            ..Seen::default()
        };
        let (ended, draft) = (vec![EndedTurn::default(); TURNS], "ü".repeat(DRAFT / 2));
        assert_eq!(kept.checked(), Seen { draft, ended, ..Seen::default() });
    }
}
