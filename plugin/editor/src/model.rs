//! Everything the views show, kept from the events that are heard.
//!
//! Thread: window. The application submits what [`Model::hear`] asks for, and tells every submission
//! with [`Model::sent`], so that its answer is understood.

mod application;
mod by_hand;
mod hear;
mod preparing;
mod requests;
mod seen;
mod steps;
mod story;

use preparing::Preparing;
pub(crate) use steps::{Stands, Steps};
pub use story::{Entry, ToolLine};

use crate::action::Action;
use crate::areas::{self, Areas};
use crate::card::deciding::Submitted;
use crate::card::view::Card;
use crate::card::warning_offer;
use crate::desk::DeskView;
use crate::export::view::Export;
use crate::kit::scale::minus;
use crate::live::Live;
use crate::live_findings::Found;
use crate::plugin::tab::Tab;
use crate::preferences::view::{Page, Preferences};
use crate::resources::Resources;
use crate::saved_view::{EndedTurn, SeenCard};
use crate::scene::{Job, Scene};
use crate::settings::Settings;
use crate::timeline;
use crate::toasts::names;
use crate::toasts::view::ToastsView;
use crate::tools::Tools;
use crate::windows::view::Windows;
use deskhand_protocol::desk::Notice;
use deskhand_protocol::{CallId, Decision, Mirror, Op, Read};
use deskhand_session::{Plan, PlanId, PlanState, Revision, RevisionId, Session, plain_words};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The notice about words that a working model does not receive.
pub(crate) const AT_WORK: &str = "at work";

/// Everything the views show.
#[derive(Default)]
pub struct Model {
    /// The values that move while sound plays. The application writes them before each frame.
    pub live: Live,
    pub(crate) mirror: Option<Mirror>,
    pub(crate) entries: Vec<Entry>,
    pub(crate) saying: String,
    pub(crate) cards: BTreeMap<PlanId, Card>,
    pub(crate) notices: Vec<Notice>,
    pub(crate) toasts: ToastsView,
    pub(crate) history: Vec<Revision>,
    pub(crate) steps: Steps,
    /// Revisions whose clips play missing takes, with the number of those.
    pub(crate) silent: BTreeMap<RevisionId, usize>,
    pub(crate) tools: Tools,
    /// Calls that were asked for before the tools are known.
    early: Vec<Action>,
    /// The description of each tool, in words.
    pub(crate) about_tools: BTreeMap<String, Arc<str>>,
    pub(crate) jobs: BTreeMap<CallId, Job>,
    /// Audio that is prepared after an import.
    pub(crate) preparing: Preparing,
    /// The findings of running calls.
    pub(crate) found: Found,
    asked: BTreeMap<CallId, Read>,
    /// Words that are being typed to the model.
    pub(crate) draft: String,
    /// The settings from the application; `None` if there are none.
    pub settings: Option<Settings>,
    /// What a drop of the files that are held over the window does, set by the application.
    pub held_files: Option<String>,
    /// The provider of window content, set by the application.
    pub resources: Option<Box<dyn Resources>>,
    pub(crate) windows: Windows,
    pub(crate) preferences: Preferences,
    /// The provider that was chosen in the composer, and waits for its key.
    pub(crate) asks_key_of: Option<String>,
    pub(crate) export: Export,
    /// The work view of the plugin.
    pub(crate) tab: Tab,
    pub(crate) areas: Areas,
    /// Rows of tool calls that are unfolded, by the place of the first.
    pub(crate) unfolded: BTreeSet<usize>,
    /// The person's last message.
    pub(crate) last_asked: String,
    /// The message to send as soon as the stopped turn is over.
    pub(crate) says_next: Option<String>,
    /// How far the call of the model's turn is.
    pub(crate) turn_progress: Option<(f64, String)>,
    /// A text field had the keyboard in the last frame: what Esc does now it did there.
    pub(crate) was_typing: bool,
    /// The composer should get the keyboard.
    pub(crate) wants_composer: bool,
    /// The conversation should scroll to the newest entry.
    pub(crate) goes_to_newest: bool,
    /// The height of the conversation while its end was in view, points. `None` while somebody reads older
    /// entries.
    pub(crate) newest_at: Option<f32>,
    /// What timeline, mixer and library keep between frames.
    pub(crate) desk: DeskView,
    /// The plan whose card has a window of its own.
    pub(crate) wide: Option<PlanId>,
    pub(crate) shows_history: bool,
    /// The person wants the views of coding, though the session may have no codes yet.
    pub(crate) shows_coding: bool,
    pub(crate) is_light: bool,
    focused_plan: Option<PlanId>,
    /// Why nothing answers any more.
    pub(crate) gone: Option<String>,
    /// Why turns ended otherwise than by themselves.
    pub(crate) ended: Vec<EndedTurn>,
    /// Settings of cards from the last time the session was open, for cards that are still to come.
    pub(crate) kept_cards: Vec<SeenCard>,
    /// The earlier numbers of plans that have not arrived yet.
    pub(crate) kept_numbers: BTreeMap<PlanId, usize>,
}

impl Model {
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    #[must_use]
    pub fn start() -> Vec<Op> {
        // The tools come first: they decide which plans have cards.
        [Read::Tools, Read::Snapshot, Read::Plans, Read::Conversation, Read::History]
            .map(|what| Op::Read { what })
            .into()
    }

    /// The request for an action; `None` if the application handles it itself. A call that comes before the
    /// tools are known waits for them.
    #[must_use]
    pub fn op(&mut self, action: Action) -> Option<Op> {
        if self.tools.is_empty() && matches!(action, Action::Call { .. } | Action::Plan { .. }) {
            self.early.push(action);
            return None;
        }
        action.op(&self.tools)
    }

    /// Notes a submission, so that its answer is understood.
    pub fn sent(&mut self, call: CallId, op: &Op) {
        if let Op::Read { what } = op {
            self.asked.insert(call, what.clone());
        }
        if let Op::Decide { plan, decision } = op
            && let Some(card) = self.cards.get_mut(plan)
        {
            let asks_to_run = card.stored.plan.changes.is_empty();
            let lets_run = asks_to_run && !matches!(decision, Decision::Reject { .. });
            let submitted = if lets_run { Submitted::Run(call) } else { Submitted::Decision(call) };
            card.view.deciding.submitted = Some(submitted);
            if lets_run {
                let tool = card.stored.plan.tool.clone();
                self.jobs.insert(call, Job { tool, fraction: 0.0, what: String::new() });
            }
        }
        self.cards.values_mut().for_each(|card| warning_offer::sent(card, call, op));
        self.export.sent(call, op, &self.tools);
        if let Op::Call { tool, .. } = op {
            let job = Job { tool: tool.clone(), fraction: 0.0, what: String::new() };
            self.jobs.insert(call, job);
        }
    }

    /// Brings a plan into view.
    pub fn focus_plan(&mut self, plan: PlanId) {
        self.focused_plan = Some(plan);
    }

    /// Says that nothing answers any more, and why.
    pub fn lost(&mut self, why: impl Into<String>) {
        self.gone = Some(why.into());
    }

    /// Light instead of dark.
    pub fn set_light(&mut self, is_light: bool) {
        self.is_light = is_light;
    }

    /// The session as of the last event.
    #[must_use]
    pub fn session(&self) -> Option<&Session> {
        self.mirror.as_ref().map(|mirror| &mirror.snapshot.session)
    }

    /// Whether the views of coding are shown: the session has codes, or the person asked for them.
    pub(crate) fn has_coding(&self) -> bool {
        self.shows_coding || self.session().is_some_and(|session| !session.codes.is_empty())
    }

    /// Whether nothing of the session may be sent off this machine.
    #[must_use]
    pub fn is_local_only(&self) -> bool {
        self.mirror.as_ref().is_some_and(|mirror| mirror.snapshot.local_only)
    }

    /// Whether the person looks at the preferences.
    #[must_use]
    pub fn shows_preferences(&self) -> bool {
        self.preferences.page == Some(Page::Settings)
    }

    pub(crate) fn is_turn_running(&self) -> bool {
        self.mirror.as_ref().is_some_and(|mirror| mirror.snapshot.is_turn_running)
    }

    /// The plan that the model's turn waits for: the last one after the last words. A plan that was applied
    /// in part has its answer and only waits for the person.
    pub(crate) fn awaited_plan(&self) -> Option<&Card> {
        self.awaited_plans().next()
    }

    /// All of those, the last first. Several wait at once where they do not depend on one another.
    pub(crate) fn awaited_plans(&self) -> impl Iterator<Item = &Card> {
        let is_running = self.is_turn_running();
        let plans = self.of_turn().iter().rev().filter_map(|entry| match entry {
            Entry::Plan(id) => self.cards.get(id),
            _ => None,
        });
        plans.filter(move |card| {
            let waits = card.stored.state == PlanState::Waiting;
            is_running
                && waits
                && card.view.ticks.taken.rows.is_empty()
                && !card.view.deciding.is_let_run()
        })
    }

    /// Calls without a result whose plans wait for the person: the number of the plan by the id of the call.
    pub(crate) fn awaiting_calls(&self) -> BTreeMap<String, usize> {
        let mut plans: Vec<&Card> = self.awaited_plans().collect();
        let mut found = BTreeMap::new();
        for line in self.open_calls() {
            // The last one is the oldest, and so is the first call.
            if let Some(at) = plans.iter().rposition(|card| line.is_of(&card.stored.plan.tool)) {
                found.insert(line.id.clone(), plans.remove(at).number);
            }
        }
        found
    }

    /// What came after the last words, or the last turn that ended early.
    fn of_turn(&self) -> &[Entry] {
        let is_end = |entry: &Entry| matches!(entry, Entry::Asked(_) | Entry::Ended(_));
        let from = self.entries.iter().rposition(is_end).map_or(0, |at| at + 1);
        self.entries.get(from..).unwrap_or_default()
    }

    /// Calls of the turn without a result.
    fn open_calls(&self) -> impl Iterator<Item = &ToolLine> {
        self.of_turn().iter().filter_map(Entry::tool).filter(|line| line.result.is_none())
    }

    /// Whether the turn does something: it does not only wait for the person's decisions.
    pub(crate) fn is_turn_at_work(&self) -> bool {
        let waits = self.awaited_plan().is_some();
        self.is_turn_running()
            && !(waits && self.awaiting_calls().len() == self.open_calls().count())
    }

    /// The plan whose ghosts are drawn: the one brought into view, else the newest that waits.
    pub(crate) fn open_plan(&self) -> Option<&Card> {
        open_plan(&self.cards, self.focused_plan)
    }

    /// Whether there is a track, or a row of the open plan whose ghost is to be seen.
    pub(crate) fn has_timeline(&self) -> bool {
        let has_track = |session: &Session| !session.track_order.is_empty();
        let has_row = |card: &Card| !card.stored.plan.changes.is_empty();
        self.session().is_some_and(has_track) || self.open_plan().is_some_and(has_row)
    }

    /// The data for the views of the desk; `None` without a session.
    pub(crate) fn look(&self) -> Option<Scene<'_>> {
        let snapshot = &self.mirror.as_ref()?.snapshot;
        Some(Scene {
            session: &snapshot.session,
            head: snapshot.head,
            live: &self.live,
            plan: self.open_plan(),
            found: &self.found,
            tools: &self.tools,
            has_coding: self.has_coding(),
            jobs: &self.jobs,
        })
    }

    /// The data for the views of the desk, and their state; `None` without a session.
    pub(crate) fn scene(&mut self) -> Option<(Scene<'_>, &mut DeskView)> {
        let snapshot = &self.mirror.as_ref()?.snapshot;
        let scene = Scene {
            session: &snapshot.session,
            head: snapshot.head,
            live: &self.live,
            plan: open_plan(&self.cards, self.focused_plan),
            found: &self.found,
            tools: &self.tools,
            has_coding: self.has_coding(),
            jobs: &self.jobs,
        };
        Some((scene, &mut self.desk))
    }

    /// The person is at the card of a plan: its ghosts are drawn from now on, and it stays where it is.
    pub(crate) fn keep_open(&mut self, plan: PlanId) {
        self.focused_plan = Some(plan);
        if let Some(card) = self.cards.get_mut(&plan) {
            card.view.was_brought = true;
        }
    }

    /// A plan came that waits: it is open, unless the person is at the card of another one.
    fn make_way(&mut self, plan: &Plan) {
        let is_at_it =
            |id: &PlanId| self.cards.get(id).is_some_and(|card| card.view.focus.had_focus);
        let is_new = plan.derived_from.is_none() && !self.cards.contains_key(&plan.id);
        self.focused_plan = self.focused_plan.filter(|id| !is_new || is_at_it(id));
    }

    /// Whether the keyboard is in no control that takes keys itself: nowhere, in an area, in the lanes or in a card as
    /// a whole.
    pub(crate) fn is_desk(&self, ui: &egui::Ui) -> bool {
        let cards = self.cards.values().filter_map(|card| card.view.focus.whole);
        areas::is_desk(ui, cards.chain(self.desk.timeline.lanes))
    }

    /// Brings a plan into view again.
    pub(crate) fn show_plan_again(&mut self, plan: PlanId) {
        self.focused_plan = Some(plan);
        if let Some(card) = self.cards.get_mut(&plan) {
            card.view.was_brought = false;
        }
    }

    /// Goes to a row of a card, which has the keyboard then if it `takes_keyboard`.
    pub(crate) fn go_to_row(&mut self, plan: PlanId, row: usize, takes_keyboard: bool) {
        if let Some(card) = self.cards.get_mut(&plan) {
            card.view.list.go_to(row);
            card.view.focus.takes_keyboard |= takes_keyboard;
            self.show_plan_again(plan);
        }
    }

    /// Where a change is that a card asks the timeline to show; asked once. The ghosts of its plan are drawn from then
    /// on.
    pub(crate) fn take_shown(&mut self) -> Option<timeline::Place> {
        let asks = |card: &mut Card| Some((card.stored.plan.id, card.view.list.shown.take()?));
        let (plan, row) = self.cards.values_mut().find_map(asks)?;
        // The person is at it.
        self.keep_open(plan);
        let card = self.cards.get(&plan)?;
        let session = &self.mirror.as_ref()?.snapshot.session;
        Some(timeline::Place::of(card, session, row))
    }

    /// Why a plan is where it is, without ids.
    pub(crate) fn reason_of(&self, plan: PlanId) -> String {
        let reason = self.cards.get(&plan).and_then(|card| card.stored.reason.clone());
        let reason = self.without_ids(&reason.unwrap_or_default());
        if reason.is_empty() { self.taken_of(plan).unwrap_or_default() } else { reason }
    }

    /// Words for a person: names and the numbers of plans in place of ids, and true minus signs.
    pub(crate) fn without_ids(&self, words: &str) -> String {
        let number = |plan: PlanId| match self.cards.get(&plan) {
            Some(card) => format!("plan {}", card.number),
            None => names::OTHER.to_owned(),
        };
        minus(&match self.session() {
            Some(session) => session.without_ids(words, &number),
            None => plain_words::without_ids(words, &|_| None, &number),
        })
    }

    /// The plan that a part belongs to, in words; `None` if the receipt says more.
    fn taken_of(&self, part: PlanId) -> Option<String> {
        let part = &self.cards.get(&part)?.stored;
        let whole = self.cards.get(&part.plan.derived_from?)?;
        let is_played = part.receipt.as_ref().is_some_and(|receipt| !receipt.played.is_empty());
        let is_whole = part.plan.changes.len() == whole.stored.plan.changes.len();
        let what = if is_whole { "as set by hand, of plan" } else { "a part of plan" };
        (!is_played).then(|| format!("{what} {}", whole.number))
    }

    /// Whether the receipts of its parts say everything about a plan.
    pub(crate) fn is_told_by_parts(&self, plan: PlanId) -> bool {
        let is_taken = |card: &Card| {
            let is_over = matches!(card.stored.state, PlanState::Applied | PlanState::Undone);
            is_over && card.stored.receipt.is_none()
        };
        let mut all = self.cards.values();
        self.cards.get(&plan).is_some_and(is_taken)
            && all.any(|card| card.stored.plan.derived_from == Some(plan))
    }

    /// The time of the outcome in a plan's receipt, ms since 1970. An applied plan has the time of its
    /// history step, even if it was undone and redone since.
    pub(crate) fn decided_at(&self, plan: PlanId) -> Option<i64> {
        let stored = &self.cards.get(&plan)?.stored;
        let applied = || {
            let revision = stored.receipt.as_ref()?.revision;
            self.history.iter().find(|step| step.id == revision).map(|step| step.time_ms)
        };
        match stored.state {
            PlanState::Applied => applied().or(stored.decided_ms),
            _ => stored.decided_ms.or_else(applied),
        }
    }

    /// The plan that asks to be brought into view; asked once.
    pub(crate) fn take_focused(&mut self, shown: PlanId) -> bool {
        self.focused_plan == Some(shown)
            && self
                .cards
                .get_mut(&shown)
                .is_some_and(|card| !std::mem::replace(&mut card.view.was_brought, true))
    }
}

fn open_plan(cards: &BTreeMap<PlanId, Card>, focused: Option<PlanId>) -> Option<&Card> {
    let waits = |card: &&Card| card.stored.state == PlanState::Waiting;
    let focused = focused.and_then(|id| cards.get(&id)).filter(waits);
    focused.or_else(|| cards.values().filter(waits).max_by_key(|card| card.number))
}
