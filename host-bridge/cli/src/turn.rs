//! One turn of the conversation: the person's words, and what happens until the model has answered.

use crate::commands::receipt_json;
use crate::desk::{Guest, gone};
use crate::exit::Failure;
use crate::interrupt;
use crossbeam_channel::RecvTimeoutError;
use deskhand_protocol::desk::TurnEnd;
use deskhand_protocol::{CallId, Decision, Event, News, Op};
use deskhand_session::{Author, Plan, PlanId, PlanState};
use serde_json::{Value, json};
use std::time::Duration;

/// How often Ctrl-C is looked for while nothing is heard.
const GLANCE: Duration = Duration::from_millis(50);

/// What is said, and what becomes of plans meanwhile.
pub(crate) struct Ask<'a> {
    words: &'a str,
    provider: Option<&'a str>,
    plans: Plans,
}

/// What becomes of a plan that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Plans {
    /// It waits on.
    Wait,
    /// It is applied: the person said so ahead.
    Apply,
}

impl<'a> Ask<'a> {
    /// Nobody is there to decide: plans wait.
    pub(crate) fn unattended(words: &'a str, provider: Option<&'a str>) -> Self {
        Self { words, provider, plans: Plans::Wait }
    }

    /// The person decided ahead to take every plan.
    pub(crate) fn taking_all(words: &'a str, provider: Option<&'a str>) -> Self {
        Self { words, provider, plans: Plans::Apply }
    }
}

/// A turn that is over.
pub(crate) struct Turn {
    /// How it ended.
    pub(crate) end: TurnEnd,
    /// The plans it made, in order.
    pub(crate) plans: Vec<PlanId>,
    /// Receipts of those that were applied.
    pub(crate) receipts: Vec<Value>,
}

impl Turn {
    /// Says the words and waits until the model has answered; `hear` sees everything that happens meanwhile.
    /// Ctrl-C stops the turn.
    pub(crate) fn take(
        guest: &mut Guest,
        ask: &Ask<'_>,
        hear: &mut dyn FnMut(&Event, &Guest),
    ) -> Result<Self, Failure> {
        let said = guest.link().submit(Op::Say {
            text: ask.words.to_owned(),
            provider: ask.provider.map(str::to_owned),
            attended: ask.plans == Plans::Apply,
        });
        let mut running = Running { said, plans: Vec::new(), receipts: Vec::new() };
        loop {
            let event = next(guest)?;
            guest.follow(&event)?;
            hear(&event, guest);
            if let Some(end) = running.hear(&event, guest, ask)? {
                let Running { plans, receipts, .. } = running;
                return Ok(Self { end, plans, receipts });
            }
        }
    }
}

/// A turn so far.
struct Running {
    said: CallId,
    plans: Vec<PlanId>,
    receipts: Vec<Value>,
}

impl Running {
    fn hear(
        &mut self,
        event: &Event,
        guest: &Guest,
        ask: &Ask<'_>,
    ) -> Result<Option<TurnEnd>, Failure> {
        match &event.news {
            News::Done { result } if event.call == Some(self.said) && result.error.is_some() => {
                return Err(Failure::of_result(result));
            }
            News::Review { plan } if event.author == Author::Agent => {
                self.note(plan.id);
                if ask.plans == Plans::Apply {
                    let decision = decision(plan);
                    guest.link().submit(Op::Decide { plan: plan.id, decision });
                }
            }
            News::Decided { plan, state, receipt, .. } => {
                let is_over = !matches!(state, PlanState::Waiting | PlanState::Applying);
                if let (true, Some(receipt)) = (is_over, receipt) {
                    self.note(*plan);
                    // A later one says more of the same: how a host played it.
                    self.receipts.retain(|known| known["plan"] != json!(receipt.plan));
                    self.receipts.push(receipt_json(receipt));
                }
            }
            News::TurnEnded { end } => return Ok(Some(end.clone())),
            _ => {}
        }
        Ok(None)
    }

    fn note(&mut self, plan: PlanId) {
        if !self.plans.contains(&plan) {
            self.plans.push(plan);
        }
    }
}

/// What "yes to all" means: leave to reach outside of the session is never given ahead.
fn decision(plan: &Plan) -> Decision {
    if plan.changes.is_empty() {
        let reason = "nobody is here to let that run; leave it, or ask the person to do it";
        return Decision::Reject { reason: reason.into() };
    }
    Decision::Apply
}

/// The next event; Ctrl-C stops the turn.
fn next(guest: &Guest) -> Result<Event, Failure> {
    loop {
        if interrupt::take() {
            guest.link().submit(Op::StopTurn);
        }
        match guest.link().events().recv_timeout(GLANCE) {
            Ok(event) => return Ok(event),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Err(gone()),
        }
    }
}
