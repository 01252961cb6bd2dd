//! What the application asks of a model, and tells it.

use super::Model;
use crate::action::{Action, Actions};
use crate::card::view::Card;
use crate::live_findings::Found;
use crate::toasts::notices::own;
use deskhand_protocol::desk::{Notice, NoticeKind, Which};
use deskhand_protocol::{Hearing, Op};
use deskhand_session::plan::ValueEdit;
use deskhand_session::{Plan, PlanId, PlanState, RevisionId, TrackId};
use std::hash::{DefaultHasher, Hash, Hasher};

/// How long words stay that go by themselves.
const MENTIONED_MS: u64 = 6_000;

impl Model {
    /// A plan with the ticks and values of its card, and the row that is heard in place. `None` if it is
    /// unknown, does not wait, or has no tick.
    #[must_use]
    pub fn plan_as_ticked(&self, id: PlanId) -> Option<Plan> {
        let card = self.cards.get(&id)?;
        let plan = &card.stored.plan;
        if card.stored.state != PlanState::Waiting {
            return None;
        }
        let Some((ticked, edits)) = self.ticks(id) else { return Some(plan.clone()) };
        if ticked.is_empty() {
            return None;
        }
        let (part, mirror) = (plan.derived(&ticked, &edits).ok()?, self.mirror.as_ref()?);
        Some(part.beside(&card.view.ticks.taken.changes, &mirror.snapshot.session))
    }

    /// The plan to play for one side. For the session side, ticks do not matter.
    #[must_use]
    pub fn plan_to_hear(&self, id: PlanId, which: Which) -> Option<Plan> {
        let waits = |card: &&Card| card.stored.state == PlanState::Waiting;
        let whole = || self.cards.get(&id).filter(waits).map(|card| card.stored.plan.clone());
        match which {
            Which::Current => self.plan_as_ticked(id).or_else(whole),
            Which::Plan | Which::LevelMatched => self.plan_as_ticked(id),
        }
    }

    /// The ticked changes of a card and its edited values. `None` if the whole plan is taken unchanged.
    #[must_use]
    pub fn ticks(&self, id: PlanId) -> Option<(Vec<String>, Vec<ValueEdit>)> {
        let card = self.cards.get(&id)?;
        if card.view.ticks.off.is_empty() && card.view.values.edits.is_empty() {
            return None;
        }
        let plan = &card.stored.plan;
        let heard = card.view.hearing.without_tick(plan, &card.view.ticks);
        let ticked: Vec<String> = plan.changes.iter().map(|change| change.id.clone()).collect();
        let ticked: Vec<String> = ticked
            .into_iter()
            .filter(|id| !card.view.ticks.off.contains(id) || heard.contains(id))
            .collect();
        let edits = card.view.values.edits.iter().filter(|(id, _)| ticked.contains(id));
        let edits: Vec<ValueEdit> = edits
            .map(|(id, value)| ValueEdit { change: id.clone(), after: (*value).into() })
            .collect();
        Some((ticked, edits))
    }

    #[must_use]
    pub fn heard_in_host(&self) -> Option<&Hearing> {
        self.mirror.as_ref()?.snapshot.hearing.as_deref()
    }

    /// A value that changes whenever the ticks or the values of a card do; `None` if the plan is unknown.
    #[must_use]
    pub fn ticks_of(&self, id: PlanId) -> Option<u64> {
        let card = self.cards.get(&id)?;
        let view = &card.view;
        let mut hasher = DefaultHasher::new();
        view.ticks.off.hash(&mut hasher);
        view.hearing.without_tick(&card.stored.plan, &view.ticks).hash(&mut hasher);
        for (change, value) in &view.values.edits {
            (change, value.to_bits()).hash(&mut hasher);
        }
        Some(hasher.finish())
    }

    /// The plan that waits and was brought into view, else the newest that waits.
    #[must_use]
    pub fn waiting(&self) -> Option<PlanId> {
        self.open_plan().map(|card| card.stored.plan.id)
    }

    /// The revision of [`Self::session`].
    #[must_use]
    pub fn head(&self) -> Option<RevisionId> {
        self.mirror.as_ref().map(|mirror| mirror.snapshot.head)
    }

    /// A hub answers again. Calls, questions and decisions without an answer were lost with the old hub.
    /// Returns the requests to submit.
    #[must_use]
    pub fn found(&mut self) -> Vec<Op> {
        self.gone = None;
        self.jobs.clear();
        self.export.lost();
        self.asked.clear();
        self.saying.clear();
        self.turn_progress = None;
        // Nobody says any more that the turn is over: the person may send the words that waited for it.
        if let Some(words) = self.says_next.take()
            && self.draft.is_empty()
        {
            self.draft = words;
        }
        self.found = Found::default();
        self.cards.values_mut().for_each(|card| card.view.lost());
        Self::start()
    }

    /// The second at a point of the lanes, and the audio track there if there is one. `None` outside the
    /// lanes.
    #[must_use]
    pub fn place_at(&self, at: egui::Pos2) -> Option<(f64, Option<TrackId>)> {
        let session = self.session().filter(|session| !session.track_order.is_empty())?;
        self.desk.timeline.place_at(session, at)
    }

    /// Whether something goes on in the session that would stop with its last window: a call, a plan that is applied or
    /// runs, a turn of the conversation.
    #[must_use]
    pub fn is_at_work(&self) -> bool {
        let is_deciding = |card: &Card| {
            card.stored.state == PlanState::Applying
                || card.view.deciding.was_sent && card.view.deciding.submitted.is_some()
        };
        let runs = self.mirror.as_ref().is_some_and(|mirror| !mirror.snapshot.running.is_empty());
        let is_reached = self.gone.is_none();
        let is_deciding = self.cards.values().any(is_deciding);
        is_reached && (!self.jobs.is_empty() || is_deciding || runs || self.is_turn_running())
    }

    /// Shows an error of the application to the person. It replaces the previous message `about` the same
    /// thing.
    pub fn tell(&mut self, about: &str, message: impl Into<String>) {
        self.put_own(about, message.into(), NoticeKind::Error, 0);
    }

    /// Shows information of the application that is no error. It replaces the previous message `about` the
    /// same thing.
    pub fn inform(&mut self, about: &str, message: impl Into<String>) {
        self.put_own(about, message.into(), NoticeKind::Info, 0);
    }

    /// The same for a moment: it goes by itself.
    pub(crate) fn mention(&mut self, about: &str, message: impl Into<String>) {
        self.put_own(about, message.into(), NoticeKind::Info, MENTIONED_MS);
    }

    /// Shows the words that are among what the person did.
    pub(crate) fn take_words(&mut self, context: &egui::Context, actions: &mut Actions) {
        for action in std::mem::take(actions) {
            match action {
                Action::Inform { about, words } => {
                    self.mention(about, words);
                    // They are drawn in the next frame.
                    context.request_repaint();
                }
                other => actions.push(other),
            }
        }
    }

    fn put_own(&mut self, about: &str, message: String, kind: NoticeKind, duration_ms: u64) {
        self.untell(about);
        let notice_id = own(about);
        self.toasts.begins_anew(&notice_id);
        self.notices.push(Notice::new(notice_id, kind, message, duration_ms));
    }

    /// Removes the notice `about` something.
    pub fn untell(&mut self, about: &str) {
        let notice_id = own(about);
        self.notices.retain(|known| known.notice_id != notice_id);
    }
}
