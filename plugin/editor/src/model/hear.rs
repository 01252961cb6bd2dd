//! Events into the model.

use super::story::{self, Entry};
use super::{Card, Model, Steps};
use crate::action::Action;
use crate::card::{CardView, parts};
use crate::found::Found;
use crate::ways::title;
use deskhand_protocol::desk::TurnReason;
use deskhand_protocol::{CallId, Event, Followed, Mirror, News, Op, Read, ToolInfo, ToolResult};
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

impl Model {
    /// Takes an event, and gives what to submit for it.
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
            News::Done { result } => self.done(event, result),
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
            | News::Media { .. }
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
        if let Some(job) = call.and_then(|call| self.jobs.get_mut(&call)) {
            (job.fraction, job.what) = (fraction, what.to_owned());
        }
        let is_ours = call.is_some_and(|call| self.jobs.contains_key(&call));
        if !is_ours && self.is_turn_running() {
            self.turn_progress = Some((fraction, what.to_owned()));
        }
        let deciding = |card: &&mut Card| call.is_some() && card.view.call == call;
        if let Some(card) = self.cards.values_mut().find(deciding) {
            card.view.progress = fraction;
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
        }
        self.turn_progress = None;
        story::add(&mut self.entries, said);
    }

    fn ended(&mut self, reason: TurnReason, message: &str) -> Vec<Op> {
        self.turn_progress = None;
        self.saying.clear();
        let next = self.says_next.take().and_then(|text| Action::Say(text).op());
        if next.is_none() && reason != TurnReason::Finished && !message.is_empty() {
            self.entries.push(Entry::Ended(message.to_owned()));
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
        self.add_card(stored);
        self.cards.values_mut().filter_map(|card| parts::replaced(card, plan)).collect()
    }

    /// Adds or renews a card; a new one stands at the end of the conversation.
    fn add_card(&mut self, stored: StoredPlan) {
        let id = stored.plan.id;
        if let Some(card) = self.cards.get_mut(&id) {
            card.stored = stored;
            return;
        }
        // What a person did with the mouse is told by the desk and the history, not by a card; what waits, as one that
        // was asked for at a terminal, is for a card.
        let is_done = stored.state != PlanState::Waiting;
        if is_done && stored.author == Author::User && stored.plan.tool.starts_with("cmd_") {
            return;
        }
        let number = self.cards.len() + 1;
        let view = CardView::of(&stored.plan);
        self.cards.insert(id, Card { stored, number, view });
        self.entries.push(Entry::Plan(id));
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
                card.view.settled(state);
            }
            None => unknown.push(plan),
        }
        unknown.retain(|id| !self.cards.contains_key(id));
        unknown.into_iter().map(|plan| Op::Read { what: Read::Plan { plan } }).collect()
    }

    fn done(&mut self, event: &Event, result: &ToolResult) {
        self.found.end(event.call);
        let Some(call) = event.call else { return };
        let job = self.jobs.remove(&call);
        if let (Some(job), None) = (&job, &result.plan) {
            self.cards.values_mut().for_each(|card| parts::is_not_there(card, &job.tool));
        }
        let read = self.asked.remove(&call);
        // A decision that failed can be made again.
        for card in self.cards.values_mut().filter(|card| card.view.call == Some(call)) {
            card.view.call = None;
            card.view.was_sent &= result.error.is_none();
        }
        if let Some(error) = &result.error {
            let said = job.map_or_else(String::new, |job| format!("{}: ", title(&job.tool)));
            self.notices.push(crate::toasts::failure(call, &format!("{said}{error}")));
            return;
        }
        self.notices.extend(crate::toasts::warning(call, &result.warnings));
        if let Some(read) = read {
            self.answer(&read, event.number, result);
        }
    }

    fn answer(&mut self, read: &Read, number: u64, result: &ToolResult) {
        match read {
            Read::Snapshot => {
                self.mirror = read_answer(result).map(|snapshot| Mirror::new(snapshot, number));
                self.take_up_windows();
            }
            Read::Plan { .. } => {
                if let Some(stored) = read_answer::<StoredPlan>(result) {
                    self.add_card(stored);
                }
            }
            Read::Plans => self.all_plans(read_answer(result).unwrap_or_default()),
            Read::Conversation => {
                self.whole_story(&read_answer::<Vec<Said>>(result).unwrap_or_default());
            }
            Read::History => {
                if let Some(past) = read_answer::<Past>(result) {
                    self.history = past.revisions;
                    self.steps = Steps::new(&self.history, past.undo, &past.redo);
                    let head = self.head().unwrap_or(RevisionId(0));
                    self.silent = crate::history::silent(&self.history, head);
                }
            }
            // Who asks for them takes them.
            Read::Peaks { .. } => {}
            Read::Tools => {
                let tools = read_answer::<Vec<ToolInfo>>(result).unwrap_or_default();
                self.tools = tools.into_iter().map(|tool| (tool.name, tool.trust)).collect();
            }
        }
    }

    /// Windows that were open before this one came stand on it too; those that were closed meanwhile do not.
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

    fn all_plans(&mut self, plans: Vec<StoredPlan>) {
        plans.into_iter().for_each(|stored| self.add_card(stored));
    }

    /// The stored conversation, with the plans where they were made.
    fn whole_story(&mut self, said: &[Said]) {
        let mut plans: Vec<&Card> = self.cards.values().collect();
        plans.sort_by_key(|card| (card.stored.time_ms, card.number));
        let mut plans = plans.into_iter().peekable();
        let mut entries = Vec::new();
        for said in said {
            while let Some(card) = plans.next_if(|card| card.stored.time_ms <= said.time_ms) {
                entries.push(Entry::Plan(card.stored.plan.id));
            }
            story::add(&mut entries, said);
        }
        entries.extend(plans.map(|card| Entry::Plan(card.stored.plan.id)));
        self.entries = entries;
    }
}

fn read_answer<T: DeserializeOwned>(result: &ToolResult) -> Option<T> {
    serde_json::from_value(result.answer.clone()?).ok()
}
