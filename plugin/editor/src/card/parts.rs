//! Plans whose changes only make sense together in parts. The ticked parts are planned again as a plan of
//! their own, to hear and decide.

use super::narrowing::PartsView;
use super::place::SECTION;
use super::section::section;
use super::view::Card;
use crate::kit::controls::{State, hint, tick};
use crate::kit::{Cut, Cx};
use crate::theme::{Type, size, space};
use deskhand_session::{Plan, PlanPart};
use egui::{Rect, pos2, vec2};

const ROW: f32 = 24.0;
pub(super) fn height(plan: &Plan) -> f32 {
    match plan.requests().count() {
        0 => 0.0,
        count => SECTION + ROW * count as f32 + 8.0,
    }
}

/// Draws the parts that are between two heights of `rect`.
pub(super) fn show(cx: &Cx<'_>, card: &mut Card, rect: Rect, seen: (f32, f32)) {
    let plan = &card.stored.plan;
    let (ticked, all) = (card.view.parts.ticked(plan).len(), plan.requests().count());
    let note = match ticked == all {
        true => format!("{ticked} of {all} ticked"),
        false => format!("{ticked} of {all} ticked: plan these first"),
    };
    let mut rest = rect;
    section(cx, rest.cut_top(SECTION), "Parts", &note);
    let mut toggled = None;
    for part in plan.requests() {
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
    use crate::testing::prelude::*;
    use deskhand_session::PlanId;

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
        let reason = "planned again with 2 of its 3 parts".into();
        let decision = Decision::Reject { reason };
        assert_eq!(hear(9, wanted), [Op::Decide { plan: plan.id, decision }]);
    }

    #[test]
    fn without_a_ticked_part_there_is_nothing_to_plan_and_with_all_the_plan_is_applied() {
        let plan = plan_in_parts();
        let mut view = PartsView::default();
        assert_eq!(view.narrowing(&plan, false), None);
        plan.parts.iter().for_each(|part| view.toggle(&part.id));
        assert_eq!(view.narrowing(&plan, false), Some(("Nothing ticked".into(), false)));
        plan.parts.iter().for_each(|part| view.toggle(&part.id));
        assert_eq!(view.narrowing(&plan, false), None);
    }
}
