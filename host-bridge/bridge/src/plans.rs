//! The plans of a session and their states.

use deskhand_protocol::{Status, ToolResult};
use deskhand_session::{Author, Plan, PlanId, PlanState, Receipt, RevisionId, StoredPlan};
use deskhand_store::{Event, PlanDecided, PlanMade};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Every plan, in the order they were made.
#[derive(Debug, Default)]
pub(crate) struct Plans {
    stored: Vec<StoredPlan>,
}

impl Plans {
    pub(crate) fn new(stored: Vec<StoredPlan>) -> Self {
        Self { stored }
    }

    pub(crate) fn all(&self) -> &[StoredPlan] {
        &self.stored
    }

    pub(crate) fn get(&self, id: PlanId) -> Option<&StoredPlan> {
        self.stored.iter().find(|stored| stored.plan.id == id)
    }

    /// Plans that wait for a person, oldest first.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = PlanId> {
        let waiting = self.stored.iter().filter(|stored| stored.state == PlanState::Waiting);
        waiting.map(|stored| stored.plan.id)
    }

    /// The plan that waits for leave to run this very call.
    pub(crate) fn asks_to_run(&self, tool: &str, params: &Value) -> Option<PlanId> {
        let asks = self.stored.iter().find(|stored| {
            let plan = &stored.plan;
            stored.state == PlanState::Waiting
                && plan.changes.is_empty()
                && plan.tool == tool
                && plan.params == *params
        });
        asks.map(|stored| stored.plan.id)
    }

    /// Whether a plan can still be decided on: one that was undone can be applied again.
    pub(crate) fn can_be_taken(&self, id: PlanId) -> bool {
        self.get(id).is_some_and(|stored| match stored.state {
            PlanState::Waiting | PlanState::Conflict | PlanState::Undone => true,
            PlanState::Applying
            | PlanState::Applied
            | PlanState::RolledBack
            | PlanState::Rejected => false,
        })
    }

    /// Gives `plan` its digest and an id that no other plan of the session has, and keeps it as
    /// waiting. The id follows from the digest and the number of plans so far.
    pub(crate) fn add(&mut self, plan: Plan, author: Author) -> (PlanId, Event) {
        let (mut plan, time_ms) = (plan.sealed(), now_ms());
        let mut salt = self.stored.len() as u64;
        while self.get(plan_id(&plan.digest, salt)).is_some() {
            salt += 1;
        }
        plan.id = plan_id(&plan.digest, salt);
        let id = plan.id;
        self.stored.push(StoredPlan {
            plan: plan.clone(),
            state: PlanState::Waiting,
            author,
            reason: None,
            receipt: None,
            follows: None,
            time_ms,
            decided_ms: None,
        });
        (id, Event::Plan(PlanMade { plan, author, time_ms }))
    }

    /// Sets the state of a plan.
    pub(crate) fn decide(&mut self, decided: PlanDecided) -> Event {
        let mut stored = self.stored.iter_mut();
        if let Some(stored) = stored.find(|stored| stored.plan.id == decided.plan) {
            decided.settle(stored);
        }
        Event::PlanState(decided)
    }

    /// Puts a plan back as it was before a decision that could not be stored.
    pub(crate) fn restore(&mut self, before: StoredPlan) {
        let mut stored = self.stored.iter_mut();
        if let Some(stored) = stored.find(|stored| stored.plan.id == before.plan.id) {
            *stored = before;
        }
    }

    /// Forgets a plan that could not be stored.
    pub(crate) fn forget(&mut self, id: PlanId) {
        self.stored.retain(|stored| stored.plan.id != id);
    }
}

/// The new state of a plan, decided now.
pub(crate) fn decision(plan: PlanId, state: PlanState) -> PlanDecided {
    PlanDecided { plan, state, reason: None, receipt: None, follows: None, time_ms: now_ms() }
}

/// A receipt without measurements.
pub(crate) fn unmeasured(
    plan: &Plan,
    revision: RevisionId,
    state: PlanState,
    skipped: Vec<String>,
) -> Receipt {
    Receipt {
        revision,
        plan: plan.id,
        state,
        applied: plan.changes.iter().map(|change| change.id.clone()).collect(),
        skipped,
        measured: Vec::new(),
        played: Vec::new(),
        rolled_back: false,
        undo_label: plan.summary.clone(),
        rule: None,
        landed: None,
    }
}

/// The result of a plan that was applied.
pub(crate) fn applied(plan: Plan, receipt: Receipt) -> ToolResult {
    let result = ToolResult::new(Status::Applied, plan.summary.clone(), receipt.revision);
    ToolResult { plan: Some(Box::new(plan)), receipt: Some(receipt), ..result }
}

/// Whether a value is the same after it was written and read.
pub(crate) fn survives<T: Serialize + DeserializeOwned + PartialEq>(value: &T) -> bool {
    let written = serde_json::to_string(value);
    written.is_ok_and(|text| serde_json::from_str::<T>(&text).is_ok_and(|again| again == *value))
}

/// Milliseconds since 1970.
pub(crate) fn now_ms() -> i64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.ok().and_then(|time| i64::try_from(time.as_millis()).ok()).unwrap_or(0)
}

fn plan_id(digest: &str, salt: u64) -> PlanId {
    let mut hasher = blake3::Hasher::new();
    hasher.update(digest.as_bytes()).update(&salt.to_le_bytes());
    let mut bits = [0; 8];
    hasher.finalize_xof().fill(&mut bits);
    PlanId::new(u64::from_le_bytes(bits))
}
