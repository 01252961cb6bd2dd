//! A warning's offer on a plan card: a call that Deskhand makes first, then it plans again.

use super::measure_again;
use super::view::{Card, Offered};
use crate::action::{Action, Actions};
use crate::tools::title;
use deskhand_protocol::{Apply, CallId, Op, ToolResult};
use deskhand_session::{OfferStep, PlanOffer};

/// What becomes of the plan, for the button's tip.
pub(super) fn hint(offer: &PlanOffer) -> String {
    match offer.step {
        OfferStep::First => format!("{}, then plan this again", title(&offer.tool)),
        OfferStep::Instead => "Plan it again in this way. What you edited is kept.".to_owned(),
        OfferStep::Beside => "Make a second plan. Apply both.".to_owned(),
    }
}

/// Takes an offer. The calls that replace the plan are made once.
pub(super) fn take(card: &mut Card, offer: PlanOffer, out: &mut Actions) {
    let PlanOffer { tool, params, label, step, .. } = offer;
    match step {
        OfferStep::First if card.view.offered.is_some() => {}
        OfferStep::First => {
            let asked = Offered::Asked { tool: tool.clone(), params: params.clone() };
            card.view.offered = Some(asked);
            out.push(Action::Offered { tool, params });
        }
        OfferStep::Instead => measure_again::with(card, &label, params, out),
        OfferStep::Beside => out.push(Action::Measure { tool, params }),
    }
}

pub(crate) fn sent(card: &mut Card, call: CallId, op: &Op) {
    if let (Some(Offered::Asked { tool, params }), Op::Call { tool: sent, params: with, .. }) =
        (&card.view.offered, op)
        && (tool, params) == (sent, with)
    {
        card.view.offered = Some(Offered::Runs(call));
    }
}

/// The op that plans again after the answer to `call`, if this card waited for that call and it succeeded.
pub(crate) fn answered(card: &mut Card, call: CallId, result: &ToolResult) -> Option<Op> {
    if card.view.offered != Some(Offered::Runs(call)) {
        return None;
    }
    card.view.offered = None;
    if result.error.is_some() || result.status.is_failure() {
        return None;
    }
    let mut again = Vec::new();
    measure_again::same(card, &mut again);
    let Some(Action::Measure { tool, params }) = again.pop() else { return None };
    Some(Op::Call { tool, params, apply: Apply::Never })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::prelude::*;
    use deskhand_session::PlanId;
    use deskhand_session::tool_error::{Code, ToolError};

    fn offering() -> Model {
        let mut model = with_plan();
        let plan = &mut model.cards.get_mut(&gain_plan().id).unwrap().stored.plan;
        let warning = "\"Guest\" stays, and will not be in sync with \"Host\" any more.";
        plan.warnings = vec![warning.into()];
        let call = ("tool_of_anybody", json!({"name": "Talk"}));
        let label = "Group and keep in sync";
        plan.offers = vec![PlanOffer::new(warning, label, OfferStep::First, call)];
        model
    }

    fn clicked() -> (Model, Op) {
        let mut harness = harness(offering());
        for _ in 0..2 {
            harness.click_on("Group and keep in sync");
        }
        let [action] = &harness.state().actions[..] else { panic!("it is asked once") };
        let action = action.clone();
        let mut model = std::mem::take(&mut harness.state_mut().model);
        let op = model.op(action).unwrap();
        model.sent(CallId(5), &op);
        (model, op)
    }

    fn done(result: ToolResult) -> News {
        News::Done { result: Box::new(result) }
    }

    #[test]
    fn what_is_offered_is_done_by_the_person_and_the_plan_asked_for_again() {
        let (mut model, op) = clicked();
        let (tool, params) = ("tool_of_anybody".to_owned(), json!({"name": "Talk"}));
        assert_eq!(op, Op::Call { tool, params, apply: Apply::Now });
        let applied = ToolResult::new(Status::Applied, "Grouped", RevisionId(2));
        let again = model.hear(&event(3, Some(CallId(5)), done(applied)));
        let (tool, params) = ("tool_normalize".to_owned(), json!({}));
        assert_eq!(again, [Op::Call { tool, params, apply: Apply::Never }]);
        model.sent(CallId(6), &again[0]);
        let plan = Plan { id: PlanId::new(8), ..gain_plan() };
        let asked = model.hear(&event(4, None, News::Review { plan: Box::new(plan) }));
        let [Op::Decide { plan, decision: Decision::Reject { .. } }] = &asked[..] else {
            panic!("{asked:?}")
        };
        assert_eq!(*plan, gain_plan().id, "the new one takes its place");
    }

    #[test]
    fn what_is_offered_and_fails_leaves_the_plan_and_can_be_asked_for_again() {
        let (mut model, _) = clicked();
        let mut failed = ToolResult::new(Status::Error, "", RevisionId(1));
        failed.error = Some(ToolError::run(Code::Refused, "read-only", "free some space"));
        assert_eq!(model.hear(&event(3, Some(CallId(5)), done(failed))), []);
        assert_eq!(model.cards[&gain_plan().id].view.offered, None);
    }
}
