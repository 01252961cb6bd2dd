//! Plans whose changes only make sense together in parts. The ticked parts are planned again as a plan of
//! their own, to hear and decide. Once that plan waits, the original is rejected.

use super::body::section;
use super::{CardView, SECTION};
use crate::action::{Action, Actions};
use crate::kit::controls::{State, hint, tick};
use crate::kit::{Cut, Cx};
use crate::model::Card;
use crate::theme::{Type, size, space};
use deskhand_protocol::{Decision, Op};
use deskhand_session::plan::Narrowed;
use deskhand_session::{Plan, PlanPart, PlanState};
use egui::{Rect, pos2, vec2};
use std::collections::BTreeSet;

const ROW: f32 = 24.0;
/// The beginning of the reason with which a plan is rejected when a newly measured plan replaces it.
pub(crate) const AGAIN: &str = "measured again";

/// What the person did with the parts of a plan.
#[derive(Clone, Debug, Default)]
pub(crate) struct PartsView {
    /// Parts without a tick.
    off: BTreeSet<String>,
    /// The call that plans the ticked parts again, once it was made.
    asked: Option<Narrowed>,
}

impl PartsView {
    /// Whether some parts have no tick.
    pub(super) fn is_narrowed(&self) -> bool {
        !self.off.is_empty()
    }

    /// The hub that would have planned is gone.
    pub(super) fn lost(&mut self) {
        self.asked = None;
    }

    /// Takes the ticks over that `old` has on the same parts of `of`.
    pub(super) fn follow(&mut self, plan: &Plan, old: &Self, of: &Plan) {
        let is_off = |part: &&PlanPart| {
            let same = of.parts.iter().find(|it| it.id == part.id && it.name == part.name);
            same.is_some_and(|it| old.off.contains(&it.id))
        };
        self.off = plan.parts.iter().filter(is_off).map(|part| part.id.clone()).collect();
    }

    /// Whether no part has a tick.
    pub(super) fn is_bare(&self, plan: &Plan) -> bool {
        self.is_narrowed() && self.ticked(plan).is_empty()
    }

    fn toggle(&mut self, id: &str) {
        self.asked = None;
        if !self.off.remove(id) {
            self.off.insert(id.to_owned());
        }
    }

    fn ticked(&self, plan: &Plan) -> Vec<String> {
        let ids = plan.parts.iter().map(|part| &part.id);
        ids.filter(|id| !self.off.contains(*id)).cloned().collect()
    }
}

impl CardView {
    /// The label of the apply button while some parts are unticked, and whether the button is enabled.
    /// `None` if all parts are ticked.
    pub(super) fn narrowing(&self, plan: &Plan) -> Option<(String, bool)> {
        if !self.parts.is_narrowed() {
            return None;
        }
        let (ticked, all) = (self.parts.ticked(plan).len(), plan.parts.len());
        Some(match (ticked, &self.parts.asked) {
            (0, _) => ("Nothing ticked".into(), false),
            (_, Some(_)) => ("Planning…".into(), false),
            (_, None) => (format!("Plan {ticked} of {all}"), !self.was_sent),
        })
    }
}

/// Asks for a plan of the ticked parts alone.
pub(super) fn narrow(card: &mut Card, out: &mut Actions) {
    let plan = &card.stored.plan;
    let ticked = card.view.parts.ticked(plan);
    let is_asked = card.view.parts.asked.is_some();
    if let (false, false, Ok(narrowed)) = (ticked.is_empty(), is_asked, plan.narrowed(&ticked)) {
        out.push(Action::Measure { tool: plan.tool.clone(), params: narrowed.params.clone() });
        card.view.parts.asked = Some(narrowed);
    }
}

/// Requests the same call again, once. Its plan replaces this one.
pub(super) fn anew(card: &mut Card, out: &mut Actions) {
    if card.view.parts.asked.as_ref().is_some_and(|asked| asked.reason == AGAIN) {
        return;
    }
    let plan = &card.stored.plan;
    let (tool, params) = (plan.tool.clone(), plan.params.clone());
    let reason = AGAIN.to_owned();
    card.view.parts.asked = Some(Narrowed { params: params.clone(), reason });
    out.push(Action::Measure { tool, params });
}

/// Requests the same call with one more parameter. Its plan replaces this one; `with` describes it.
pub(super) fn with(
    card: &mut Card,
    (param, value): (&str, serde_json::Value),
    with: &str,
    out: &mut Actions,
) {
    let plan = &card.stored.plan;
    let (tool, mut params) = (plan.tool.clone(), plan.params.clone());
    let Some(given) = params.as_object_mut().filter(|_| card.view.parts.asked.is_none()) else {
        return;
    };
    given.insert(param.into(), value);
    let reason = format!("asked for anew {with}");
    card.view.parts.asked = Some(Narrowed { params: params.clone(), reason });
    out.push(Action::Measure { tool, params });
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
    card.view.was_sent = true;
    Some(Op::Decide { plan: old.plan.id, decision })
}

/// A call of `tool` ended: if its plan did not take the place of this one, it can be asked for again.
pub(crate) fn is_over(card: &mut Card, tool: &str) {
    if card.stored.plan.tool == tool {
        card.view.parts.asked = None;
    }
}

pub(super) fn height(plan: &Plan) -> f32 {
    if plan.parts.is_empty() { 0.0 } else { SECTION + ROW * plan.parts.len() as f32 + 8.0 }
}

/// Draws the parts that are between two heights of `rect`.
pub(super) fn show(cx: &Cx<'_>, card: &mut Card, rect: Rect, seen: (f32, f32)) {
    let plan = &card.stored.plan;
    let (ticked, all) = (card.view.parts.ticked(plan).len(), plan.parts.len());
    let note = match ticked == all {
        true => format!("{ticked} of {all} ticked"),
        false => format!("{ticked} of {all} ticked, to be planned anew"),
    };
    let mut rest = rect;
    section(cx, rest.cut_top(SECTION), "Parts", &note);
    let mut toggled = None;
    for part in &plan.parts {
        let row = rest.cut_top(ROW);
        let (top, bottom) = (row.top() - rect.top(), row.bottom() - rect.top());
        if bottom > seen.0 && top < seen.1 && line(cx, part, &card.view.parts, row) {
            toggled = Some(part.id.clone());
        }
    }
    if let Some(id) = toggled {
        card.view.parts.toggle(&id);
    }
}

/// Draws a part; says whether its tick was clicked.
fn line(cx: &Cx<'_>, part: &PlanPart, view: &PartsView, row: Rect) -> bool {
    let is_on = !view.off.contains(&part.id);
    let center = pos2(row.left() + space::M + 8.0, row.center().y);
    let box_rect = Rect::from_center_size(center, vec2(size::TICK, size::TICK));
    let name = format!("Part {}: {}", part.id.trim_start_matches('p'), part.name);
    let response = tick(cx, box_rect, is_on, State::Normal, &name);
    let color = if is_on { cx.t.text } else { cx.t.text_3 };
    let left = box_rect.right() + space::S;
    let room = row.right() - space::M - left;
    let at = pos2(left, row.center().y);
    cx.elided(at, &part.name, Type::SMALL, color, room);
    hint(response, &part.name).clicked()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{UserInput as _, gain_plan};
    use crate::ui_tests::{event, harness, with_plan};
    use deskhand_protocol::{CallId, News, Status, ToolResult};
    use deskhand_session::{PlanId, RevisionId};
    use serde_json::json;

    fn plan_in_parts() -> Plan {
        let items = ["the lamps", "the boats", "the sea"].map(|name| (name.into(), json!(name)));
        let plan = Plan { parts: PlanPart::each("among", items.into()), ..gain_plan() };
        Plan { params: json!({"deep": true}), ..plan }
    }

    #[test]
    fn ticked_parts_are_planned_anew_and_take_the_place_of_the_plan() {
        let plan = plan_in_parts();
        let mut model = with_plan();
        model.cards.get_mut(&plan.id).unwrap().stored.plan = plan.clone();
        let mut harness = harness(model);
        harness.click_on("Part 2: the boats");
        harness.click_on("Plan 2 of 3");
        let params = json!({"deep": true, "among": ["the lamps", "the sea"]});
        let measure = Action::Measure { tool: plan.tool.clone(), params: params.clone() };
        assert_eq!(harness.state().actions, std::slice::from_ref(&measure));
        harness.click_on("Planning…");
        assert_eq!(harness.state().actions.len(), 1, "it is asked for once");
        let (call, model) = (CallId(5), &mut harness.state_mut().model);
        let op = model.op(measure.clone()).unwrap();
        model.sent(call, &op);
        let none = ToolResult::new(Status::Planned, "nothing is there", RevisionId(1));
        drop(model.hear(&event(7, Some(call), News::Done { result: Box::new(none) })));
        harness.run_steps(3);
        harness.click_on("Plan 2 of 3");
        assert_eq!(
            harness.state().actions,
            [measure.clone(), measure],
            "it can be asked for again"
        );
        let other = Plan { id: PlanId::new(71), params: json!({}), ..plan.clone() };
        let wanted = Plan { id: PlanId::new(72), params, ..plan.clone() };
        let model = &mut harness.state_mut().model;
        let mut hear = |number, plan| {
            let asked = model.hear(&event(number, None, News::Review { plan: Box::new(plan) }));
            asked.into_iter().filter(|op| matches!(op, Op::Decide { .. })).collect::<Vec<_>>()
        };
        assert_eq!(hear(8, other), []);
        let reason = "asked for anew with 2 of its 3 parts".into();
        let decision = Decision::Reject { reason };
        assert_eq!(hear(9, wanted), [Op::Decide { plan: plan.id, decision }]);
    }

    #[test]
    fn without_a_ticked_part_there_is_nothing_to_plan_and_with_all_the_plan_is_applied() {
        let plan = plan_in_parts();
        let mut view = CardView::default();
        assert_eq!(view.narrowing(&plan), None);
        plan.parts.iter().for_each(|part| view.parts.toggle(&part.id));
        assert_eq!(view.narrowing(&plan), Some(("Nothing ticked".into(), false)));
        plan.parts.iter().for_each(|part| view.parts.toggle(&part.id));
        assert_eq!(view.narrowing(&plan), None);
    }
}
