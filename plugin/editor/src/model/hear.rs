//! Events into the model.

use super::seen::with_ends;
use super::story::{self, Entry};
use super::{AT_WORK, Model, Steps, by_hand};
use crate::action::{Action, Gesture};
use crate::card::applied_rows::Taken;
use crate::card::view::{Card, CardView};
use crate::card::{carry_over, measure_again, warning_offer};
use crate::describe::learn_hues;
use crate::fixes::at_window;
use crate::live_findings::Found;
use crate::scene::Job;
use crate::toasts::notices;
use crate::tools::{Tools, title};
use deskhand_protocol::desk::TurnReason;
use deskhand_protocol::{CallId, Event, Followed, Mirror, News, Op, Read, Status, ToolResult};
use deskhand_session::{
    Author, Plan, PlanId, PlanState, Receipt, Revision, RevisionId, Said, StoredPlan,
};
use serde::Deserialize;
use serde::de::DeserializeOwned;

#[derive(Deserialize)]
struct Past {
    revisions: Vec<Revision>,
    undo: Vec<RevisionId>,
    redo: Vec<RevisionId>,
}

/// The order of a plan among the others: a part comes before its whole.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    time_ms: i64,
    of: usize,
    is_whole: bool,
    number: usize,
}

impl Model {
    /// Handles an event, and returns the operations to submit for it.
    #[must_use]
    pub fn hear(&mut self, event: &Event) -> Vec<Op> {
        let followed = self.mirror.as_mut().map(|mirror| mirror.hear(event));
        let mut wanted = match followed {
            Some(Followed::Lost) => Self::start(),
            Some(Followed::Yes) | None => Vec::new(),
        };
        wanted.extend(self.take(event));
        wanted
    }

    fn take(&mut self, event: &Event) -> Vec<Op> {
        match &event.news {
            News::Planning { .. } => {}
            News::Provisional { found } => self.found.add(event.call, found),
            News::Progress { fraction, what } => self.progress(event.call, *fraction, what),
            News::Done { result } => return self.answered(event, result),
            News::Review { plan } => return self.review(plan, event.author),
            News::Decided { plan, state, reason, receipt, follows, time_ms } => {
                self.note_time(*plan, *state, *time_ms);
                return self.decided(*plan, *state, reason, receipt.as_ref(), *follows);
            }
            News::Moved { .. } => {
                // A call of another front end has no number here: its end is the step it makes.
                self.found.end(None);
                return vec![Op::Read { what: Read::History }];
            }
            News::Said { said } => self.said(said),
            News::Saying { text } => self.saying.push_str(text),
            News::TurnEnded { end } => return self.ended(end.reason, &end.message),
            News::Notice { notice } => {
                self.notices.retain(|known| known.notice_id != notice.notice_id);
                self.notices.push(notice.clone());
            }
            News::Media { source, .. } => self.preparing.end(*source),
            News::Window { window } => self.windows.put(window),
            News::WindowClosed { window_id } => {
                self.windows.open.remove(window_id);
            }
            News::NoticeAnswered { notice_id, .. } => {
                self.notices.retain(|known| known.notice_id != *notice_id);
            }
            // The mirror takes them, or there is nothing to show for them yet.
            News::TurnAsked { .. }
            | News::StopTurn
            | News::ReadOnly { .. }
            | News::Play { .. }
            | News::Instances { .. }
            | News::Hearing { .. }
            | News::LocalOnly { .. }
            | News::Policy { .. } => {}
            News::Lagged => self.found = Found::default(),
        }
        Vec::new()
    }

    fn progress(&mut self, call: Option<CallId>, fraction: f64, what: &str) {
        if let (None, Some(mirror)) = (call, &self.mirror)
            && self.preparing.progress(&mirror.snapshot.session, fraction, what)
        {
            return;
        }
        if let Some(job) = call.and_then(|call| self.jobs.get_mut(&call)) {
            (job.fraction, job.what) = (fraction, what.to_owned());
        }
        let is_ours = call.is_some_and(|call| self.jobs.contains_key(&call));
        let deciding = |card: &&mut Card| call.is_some() && card.view.deciding.call() == call;
        let decided = self.cards.values_mut().find(deciding);
        // A turn continues with a decision made here.
        let is_of_turn = decided.is_some() || !is_ours;
        if let Some(card) = decided {
            card.view.deciding.progress = fraction;
        }
        if is_of_turn && self.is_turn_running() {
            self.turn_progress = Some((fraction, what.to_owned()));
        }
    }

    fn said(&mut self, said: &Said) {
        if said.message["role"] == "assistant" {
            self.saying.clear();
        }
        let asked = said.message["parts"].as_array().into_iter().flatten();
        if said.message["role"] == "user"
            && let Some(text) = asked.clone().find_map(|part| part["text"].as_str())
        {
            text.clone_into(&mut self.last_asked);
            self.goes_to_newest = true;
        }
        self.turn_progress = None;
        self.note_measured(said);
        story::add(&mut self.entries, said, self.tools.of(Gesture::TellPerson));
    }

    /// Notes which levels were measured by calls of the model.
    fn note_measured(&mut self, said: &Said) {
        let parts = said.message["parts"].as_array().into_iter().flatten();
        for part in parts {
            crate::library::hear_measured(self, &part["content"]["answer"]);
        }
    }

    fn ended(&mut self, reason: TurnReason, message: &str) -> Vec<Op> {
        self.turn_progress = None;
        self.saying.clear();
        self.untell(AT_WORK);
        let next = self.says_next.take().and_then(|text| self.op(Action::Say(text)));
        if next.is_none() && reason != TurnReason::Finished && !message.is_empty() {
            self.end_turn(self.without_ids(&at_window(message)));
        }
        next.into_iter().collect()
    }

    /// A plan waits; one that it was asked for in place of is given up.
    fn review(&mut self, plan: &Plan, author: Author) -> Vec<Op> {
        let stored = StoredPlan {
            plan: plan.clone(),
            state: PlanState::Waiting,
            author,
            reason: None,
            receipt: None,
            follows: None,
            time_ms: 0,
            decided_ms: None,
        };
        self.make_way(plan);
        self.add_card(stored);
        let Some(mut new) = self.cards.remove(&plan.id) else { return Vec::new() };
        let session = self.mirror.as_ref().map(|mirror| &mirror.snapshot.session);
        let mut asked = Vec::new();
        for old in self.cards.values_mut() {
            if let Some(decided) = measure_again::replaced(old, plan) {
                carry_over::over(old, &mut new, session);
                asked.push(decided);
            }
        }
        self.cards.insert(plan.id, new);
        asked
    }

    /// Adds or updates a card. A new card goes to the end of the conversation.
    fn add_card(&mut self, stored: StoredPlan) {
        let id = stored.plan.id;
        if let Some(card) = self.cards.get_mut(&id) {
            card.stored = stored;
            return self.settle_taken(id);
        }
        let number = self.number_for(id);
        let mut view = CardView::of(&stored.plan);
        if let Some(at) = self.kept_cards.iter().position(|kept| kept.plan == id) {
            self.kept_cards.swap_remove(at).restore(&stored.plan, &mut view);
        }
        self.put_entry(id, stored.plan.derived_from);
        self.cards.insert(id, Card { stored, number, view });
        self.settle_taken(id);
    }

    /// A plan goes to the end. A part goes before the plan it was taken from, which waits for the rest.
    fn put_entry(&mut self, plan: PlanId, whole: Option<PlanId>) {
        let entries = &self.entries;
        let at = whole.and_then(|whole| entries.iter().rposition(|it| *it == Entry::Plan(whole)));
        let at = at.unwrap_or(entries.len());
        self.entries.insert(at, Entry::Plan(plan));
        let moved = |place: &usize| place + usize::from(*place >= at);
        self.unfolded = self.unfolded.iter().map(moved).collect();
    }

    /// Records the applied parts of a plan, or of the plan that it is a part of.
    fn settle_taken(&mut self, plan: PlanId) {
        let whole = self.cards.get(&plan).and_then(|card| card.stored.plan.derived_from);
        for of in [Some(plan), whole].into_iter().flatten() {
            let Some(card) = self.cards.get(&of) else { continue };
            let took = |part: &&Card| {
                let stands = matches!(part.stored.state, PlanState::Applying | PlanState::Applied);
                stands && part.stored.plan.derived_from == Some(of)
            };
            let parts = self.cards.values().filter(took).map(|part| &part.stored.plan);
            let known = Taken::by(&card.stored.plan, parts);
            if let Some(card) = self.cards.get_mut(&of) {
                card.view.take(&card.stored.plan, known);
            }
        }
    }

    /// A receipt that only says more leaves the time of the decision.
    fn note_time(&mut self, plan: PlanId, state: PlanState, time_ms: Option<i64>) {
        if let Some(card) = self.cards.get_mut(&plan)
            && card.stored.state != state
        {
            card.stored.decided_ms = time_ms;
        }
    }

    fn decided(
        &mut self,
        plan: PlanId,
        state: PlanState,
        reason: &Option<String>,
        receipt: Option<&Receipt>,
        follows: Option<PlanId>,
    ) -> Vec<Op> {
        let mut unknown: Vec<PlanId> = follows.into_iter().collect();
        match self.cards.get_mut(&plan) {
            Some(card) => {
                card.stored.state = state;
                card.stored.reason.clone_from(reason);
                if let Some(receipt) = receipt {
                    card.stored.receipt = Some(receipt.clone());
                }
                card.view.settled();
                self.settle_taken(plan);
            }
            None => unknown.push(plan),
        }
        unknown.retain(|id| !self.cards.contains_key(id));
        unknown.into_iter().map(|plan| Op::Read { what: Read::Plan { plan } }).collect()
    }

    /// A submission is answered. Cards that waited for their offered action are planned again.
    fn answered(&mut self, event: &Event, result: &ToolResult) -> Vec<Op> {
        let cards = self.cards.values_mut();
        let again = cards.filter_map(|card| warning_offer::answered(card, event.call?, result));
        let mut ops: Vec<Op> = again.collect();
        self.done(event, result);
        if !self.tools.is_empty() {
            let early = std::mem::take(&mut self.early).into_iter();
            ops.extend(early.filter_map(|action| self.op(action)));
        }
        ops
    }

    fn done(&mut self, event: &Event, result: &ToolResult) {
        self.found.end(event.call);
        let Some(call) = event.call else { return };
        let job = self.jobs.remove(&call);
        if self.export.hear(call, result) {
            return;
        }
        if let Some(job) = &job {
            self.cards.values_mut().for_each(|card| measure_again::is_over(card, &job.tool));
        }
        let read = self.asked.remove(&call);
        // A decision that failed can be made again.
        for card in self.cards.values_mut().filter(|card| card.view.deciding.call() == Some(call)) {
            card.view.deciding.submitted = None;
            card.view.deciding.was_sent &= result.error.is_none();
        }
        if let Some(error) = &result.error {
            let said = job.map_or_else(String::new, |job| format!("{}: ", title(&job.tool)));
            self.notices.push(notices::failure(call, &format!("{said}{error}")));
            return;
        }
        if let Some(job) = job.as_ref().filter(|_| !result.status.is_failure()) {
            let params = result.plan.as_ref().map_or(&serde_json::Value::Null, |it| &it.params);
            self.notices.retain(|known| !notices::is_over(known, &job.tool, params));
        }
        self.notices.extend(notices::warning(call, &warned(job.as_ref(), result)));
        if job.is_some() {
            self.notices.extend(notices::nothing(call, &result.summary));
        }
        if let Some(job) = &job {
            crate::words::hear_report(self, &job.tool, result);
        }
        if let (Some(answer), true) = (&result.answer, job.is_some()) {
            crate::library::hear_measured(self, answer);
        }
        if job.is_some_and(|job| self.tools.writes_path(&job.tool)) {
            self.notices.extend(notices::written(call, result));
        }
        if let Some(read) = read {
            self.answer(&read, event.number, result);
        }
    }

    fn answer(&mut self, read: &Read, number: u64, result: &ToolResult) {
        match read {
            Read::Snapshot => {
                self.mirror = read_answer(result).map(|snapshot| Mirror::new(snapshot, number));
                self.take_up_windows();
                if let Some(mirror) = &self.mirror {
                    self.preparing.begin(&mirror.snapshot);
                }
            }
            Read::Plan { .. } => {
                if let Some(stored) = read_answer::<StoredPlan>(result)
                    && (self.cards.contains_key(&stored.plan.id)
                        || !by_hand::is_told(&self.tools, &stored))
                {
                    self.add_card(stored);
                }
            }
            Read::Plans => self.all_plans(read_answer(result).unwrap_or_default()),
            Read::Conversation => {
                self.whole_story(&read_answer::<Vec<Said>>(result).unwrap_or_default());
            }
            Read::History => {
                if let Some(past) = read_answer::<Past>(result) {
                    self.remember(past);
                }
            }
            // The caller who asked for them takes them.
            Read::Peaks { .. } => {}
            Read::Tools => {
                self.tools = Tools::new(read_answer(result).unwrap_or_default());
                let about = |tool| crate::windows::about(&self.tools, tool);
                let named = self.tools.all().map(|tool| (tool.name.clone(), about(tool)));
                self.about_tools = named.collect();
            }
        }
    }

    /// Stores the history so far and what follows from it.
    fn remember(&mut self, past: Past) {
        self.history = past.revisions;
        self.steps = Steps::new(&self.history, past.undo, past.redo);
        let head = self.head().unwrap_or(RevisionId(0));
        self.silent = crate::history::silent(&self.history, head);
        if let Some(session) = self.session() {
            learn_hues(session, &self.history);
        }
    }

    /// Takes over windows that were open before this one connected, and drops those that were closed
    /// meanwhile.
    fn take_up_windows(&mut self) {
        let Some(mirror) = &self.mirror else { return };
        let open = &mirror.snapshot.windows;
        self.windows.open.retain(|id, _| open.iter().any(|window| window.window_id == *id));
        for window in open {
            if self.windows.open.get(&window.window_id).is_none_or(|(known, _)| known != window) {
                self.windows.put(window);
            }
        }
    }

    /// All plans of a session. Those that others refer to have a card as when they waited.
    fn all_plans(&mut self, plans: Vec<StoredPlan>) {
        let named = by_hand::named(&plans);
        for stored in plans {
            let id = stored.plan.id;
            let had_card = self.cards.contains_key(&id) || self.kept_numbers.contains_key(&id);
            let has_card = had_card || named.contains(&id);
            if has_card || !by_hand::is_told(&self.tools, &stored) {
                self.add_card(stored);
            }
        }
        // Settings of missing plans are dropped.
        self.kept_cards.clear();
        self.kept_numbers.clear();
    }

    /// The stored conversation, with the plans where they were made.
    fn whole_story(&mut self, said: &[Said]) {
        let mut plans: Vec<(Place, PlanId)> =
            self.cards.values().map(|card| (self.place_of(card), card.stored.plan.id)).collect();
        plans.sort_unstable();
        let mut plans = plans.into_iter().peekable();
        let mut entries = Vec::new();
        for said in said {
            self.note_measured(said);
            while let Some((_, id)) = plans.next_if(|(place, _)| place.time_ms <= said.time_ms) {
                entries.push(Entry::Plan(id));
            }
            story::add(&mut entries, said, self.tools.of(Gesture::TellPerson));
        }
        entries.extend(plans.map(|(_, id)| Entry::Plan(id)));
        let asked = entries.iter().rev().find_map(Entry::asked);
        self.last_asked = asked.unwrap_or_default().to_owned();
        self.entries = with_ends(entries, &self.ended);
    }

    fn place_of(&self, card: &Card) -> Place {
        let whole = card.stored.plan.derived_from.and_then(|id| self.cards.get(&id));
        let (of, is_whole) = (whole.unwrap_or(card), whole.is_none());
        let Card { stored, number, .. } = of;
        Place { time_ms: stored.time_ms, of: *number, is_whole, number: card.number }
    }
}

/// The warnings of an answer. If this window applied a plan at once, no card showed the plan's warnings, so
/// they are included.
fn warned(job: Option<&Job>, result: &ToolResult) -> Vec<String> {
    let unasked = job.filter(|_| result.status == Status::Applied).and(result.plan.as_deref());
    let of_plan = unasked.into_iter().flat_map(|plan| &plan.warnings);
    of_plan.chain(&result.warnings).cloned().collect()
}

fn read_answer<T: DeserializeOwned>(result: &ToolResult) -> Option<T> {
    serde_json::from_value(result.answer.clone()?).ok()
}
