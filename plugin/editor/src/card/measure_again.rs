//! Asks for a plan in place of another: the same call again, with other parameters, or of the ticked parts alone. Once it
//! waits, the original is rejected.

use super::view::Card;
use crate::action::{Action, Actions};
use deskhand_protocol::{Decision, Op};
use deskhand_session::plan::Narrowed;
use deskhand_session::{Plan, PlanState};
use serde_json::Value;

/// The beginning of the reason with which a plan is rejected when a newly measured plan replaces it.
pub(crate) const AGAIN: &str = "measured again";

/// Asks for a plan of the ticked parts alone.
pub(super) fn narrow(card: &mut Card, out: &mut Actions) {
    let plan = &card.stored.plan;
    let ticked = card.view.parts.ticked(plan);
    let is_asked = card.view.parts.asked.is_some();
    if let (false, false, Ok(narrowed)) = (ticked.is_empty(), is_asked, plan.narrowed(&ticked)) {
        ask(card, narrowed, out);
    }
}

/// Requests the same call again, once. Its plan replaces this one.
pub(super) fn same(card: &mut Card, out: &mut Actions) {
    if card.view.parts.asked.as_ref().is_some_and(|asked| asked.reason == AGAIN) {
        return;
    }
    let params = card.stored.plan.params.clone();
    ask(card, Narrowed { params, reason: AGAIN.to_owned() }, out);
}

/// Requests the same call with other parameters, once. Its plan replaces this one; `label` says what is different.
pub(super) fn with(card: &mut Card, label: &str, params: Value, out: &mut Actions) {
    if card.view.parts.asked.is_none() {
        ask(card, Narrowed { params, reason: format!("planned again: {label}") }, out);
    }
}

fn ask(card: &mut Card, asked: Narrowed, out: &mut Actions) {
    let tool = card.stored.plan.tool.clone();
    out.push(Action::Measure { tool, params: asked.params.clone() });
    card.view.parts.asked = Some(asked);
}

/// The plan that was requested in place of `card` waits. Returns the operation for the old one.
pub(crate) fn replaced(card: &mut Card, by: &Plan) -> Option<Op> {
    let old = &card.stored;
    let asked = card.view.parts.asked.as_ref().filter(|asked| asked.params == by.params)?;
    let is_other = old.plan.tool == by.tool && old.plan.id != by.id;
    if !is_other || old.state != PlanState::Waiting {
        return None;
    }
    let reason = match asked.reason.as_str() {
        AGAIN => format!("{AGAIN} as {}", by.id),
        reason => reason.to_owned(),
    };
    let decision = Decision::Reject { reason };
    card.view.deciding.was_sent = true;
    Some(Op::Decide { plan: old.plan.id, decision })
}

/// A call of `tool` ended: if its plan did not take the place of this one, it can be asked for again.
pub(crate) fn is_over(card: &mut Card, tool: &str) {
    if card.stored.plan.tool == tool {
        card.view.parts.asked = None;
    }
}
