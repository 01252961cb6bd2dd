//! One turn of the conversation: the person's words, and the events until the model has answered.

use crate::advance_approval::{self, Ahead};
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

/// The words for the model, and how plans are handled meanwhile.
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
    /// It is applied: the person approved in advance.
    Apply(Ahead),
}

impl<'a> Ask<'a> {
    /// Nobody is there to decide: plans wait.
    pub(crate) fn unattended(words: &'a str, provider: Option<&'a str>) -> Self {
        Self { words, provider, plans: Plans::Wait }
    }

    /// The person decided on every plan in advance.
    pub(crate) fn decided(words: &'a str, provider: Option<&'a str>, ahead: Ahead) -> Self {
        Self { words, provider, plans: Plans::Apply(ahead) }
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
    /// The note about the parts left out because a person must hear them first.
    pub(crate) left: Vec<String>,
    /// Whether all of a plan was left out.
    pub(crate) needs_decision: bool,
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
            attended: ask.plans != Plans::Wait,
        });
        let mut running = Running::new(said);
        loop {
            let event = next(guest)?;
            guest.follow(&event)?;
            hear(&event, guest);
            if let Some(end) = running.hear(&event, guest, ask)? {
                let Running { plans, receipts, left, needs_decision, .. } = running;
                return Ok(Self { end, plans, receipts, left, needs_decision });
            }
        }
    }
}

/// A turn so far.
struct Running {
    said: CallId,
    plans: Vec<PlanId>,
    receipts: Vec<Value>,
    left: Vec<String>,
    needs_decision: bool,
}

impl Running {
    fn new(said: CallId) -> Self {
        let (plans, receipts, left) = (Vec::new(), Vec::new(), Vec::new());
        Self { said, plans, receipts, left, needs_decision: false }
    }

    fn hear(
        &mut self,
        event: &Event,
        guest: &Guest,
        ask: &Ask<'_>,
    ) -> Result<Option<TurnEnd>, Failure> {
        match &event.news {
            News::Done { result } if event.call == Some(self.said) && result.error.is_some() => {
                return Err(Failure::of_result(result).by_name(guest.session()));
            }
            News::Review { plan } if event.author == Author::Agent => {
                self.note(plan.id);
                if let Plans::Apply(ahead) = ask.plans {
                    let decision = self.decision(plan, ahead);
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

    /// What an advance yes means. It never allows to reach outside of the session. The model waits for its
    /// answer, so a plan that a person must hear completely is sent back.
    fn decision(&mut self, plan: &Plan, ahead: Ahead) -> Decision {
        if plan.changes.is_empty() {
            let reason = "nobody is here to allow this; skip it, or ask the person to run it";
            return Decision::Reject { reason: reason.into() };
        }
        match ahead.share(plan, Decision::Apply) {
            Ok(share) => {
                self.left.extend(share.told(plan, PlanState::Conflict));
                share.decision
            }
            Err(needed) => {
                self.needs_decision = true;
                self.left.push(advance_approval::given_up(&needed));
                let reason = "nobody has heard these cuts; leave the decision to the person";
                Decision::Reject { reason: reason.into() }
            }
        }
    }

    fn note(&mut self, plan: PlanId) {
        if !self.plans.contains(&plan) {
            self.plans.push(plan);
        }
    }
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
