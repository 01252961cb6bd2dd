//! A plan of which a part was applied, and one that is measured again.

use super::*;
use crate::Model;
use crate::action::Action;
use crate::card::{CardView, foreseen};
use crate::model::Entry;
use crate::testing::gain_plan;
use crate::ui_tests::{event, harness, with_plan};
use deskhand_dsp::Decibels;
use deskhand_protocol::{CallId, Decision, News, Op, Read, Status, ToolResult};
use deskhand_session::{Author, ClipId, Edit, PlanId, PlanState, RevisionId, StoredPlan};
use egui_kittest::kittest::Queryable as _;

const PART: PlanId = PlanId::new(70);

fn decided(plan: PlanId, state: PlanState) -> News {
    let (reason, receipt, follows, time_ms) = (None, None, None, None);
    News::Decided { plan, state, reason, receipt, follows, time_ms }
}

/// The gain of the first clip, from one value to another.
fn moved(from: f64, to: f64, (head, next): (u64, u64)) -> News {
    let gain = Edit::new(ClipId::new(1), Decibels(from), Decibels(to));
    News::Moved {
        from: RevisionId(head),
        to: RevisionId(next),
        label: "Clip gain".into(),
        changes: vec![Change::SetClipGain(gain)],
        at: None,
    }
}

/// The first change was applied as a part; the rest waits on.
fn partly() -> Model {
    let mut model = with_plan();
    let part = gain_plan().derived(&["c1".into()], &[]).unwrap();
    let part = Plan { id: PART, ..part };
    let news = [
        News::Review { plan: Box::new(part) },
        moved(0.0, 4.5, (1, 2)),
        decided(PART, PlanState::Applied),
        decided(gain_plan().id, PlanState::Waiting),
    ];
    for (number, news) in (3..).zip(news) {
        drop(model.hear(&event(number, None, news)));
    }
    model
}

#[test]
fn of_a_plan_that_was_taken_in_part_the_rest_alone_waits() {
    let plan = gain_plan().id;
    let mut harness = harness(partly());
    harness.run_steps(4);
    let card = &harness.state().model.cards[&plan];
    assert!(card.view.stale.rows.is_empty(), "{:?}", card.view.stale);
    assert_eq!(foreseen::all(card).count(), 0, "what was promised of the first is told");
    assert!(harness.query_by_label("Measure again").is_none());
    let row = "Change 1: Vocal take, clip gain, from 0.0 to +4.5 dB, applied";
    assert!(harness.query_by_label(row).is_some());
    assert!(harness.query_by_label_contains("1 of 2 applied, the rest not").is_some());
    harness.get_by_label("Apply 1 change").click();
    harness.run_steps(2);
    let decision = Decision::ApplyPart { only: Some(vec!["c2".into()]), set: Vec::new() };
    assert_eq!(harness.state().actions, [Action::Decide { plan, decision }]);
}

#[test]
fn what_is_undone_waits_again_with_its_tick() {
    let mut model = partly();
    let plan = gain_plan().id;
    assert_eq!(model.cards[&plan].view.off, ["c1".to_owned()].into());
    drop(model.hear(&event(7, None, moved(4.5, 0.0, (2, 3)))));
    drop(model.hear(&event(8, None, decided(PART, PlanState::Undone))));
    let view = &model.cards[&plan].view;
    assert_eq!((view.off.len(), &view.taken), (0, &Taken::default()));
}

#[test]
fn a_part_stands_ahead_of_the_plan_that_waits_on_for_the_rest() {
    let model = partly();
    assert_eq!(model.entries, [Entry::Plan(PART), Entry::Plan(gain_plan().id)]);
    assert_eq!(model.reason_of(PART), "a part of plan 1");
}

#[test]
fn what_was_taken_of_the_plan_of_a_command_has_its_receipt() {
    let mut model = with_plan();
    let part = gain_plan().derived(&["c1".into()], &[]).unwrap();
    let stored = StoredPlan {
        plan: Plan { id: PART, tool: "cmd_set_clip_gain".into(), ..part },
        state: PlanState::Applied,
        author: Author::User,
        reason: None,
        receipt: None,
        follows: None,
        time_ms: 0,
        decided_ms: None,
    };
    let answer = Some(serde_json::to_value(&stored).unwrap());
    let result = ToolResult { answer, ..ToolResult::new(Status::Ok, "read", RevisionId(2)) };
    model.sent(CallId(9), &Op::Read { what: Read::Plan { plan: PART } });
    drop(model.hear(&event(3, Some(CallId(9)), News::Done { result: Box::new(result) })));
    assert_eq!(model.entries, [Entry::Plan(PART), Entry::Plan(gain_plan().id)]);
}

#[test]
fn a_row_that_needs_a_taken_one_has_it() {
    let mut plan = gain_plan();
    plan.changes[1].needs = vec!["c1".into()];
    let mut view = CardView::default();
    view.taken.rows.insert("c1".into());
    view.off.insert("c1".into());
    view.tick(&plan, "c2");
    assert_eq!(view.count(&plan), 0);
    view.tick(&plan, "c2");
    assert_eq!((view.count(&plan), view.off.contains("c1")), (1, true));
}

#[test]
fn a_value_that_was_taken_as_another_is_not_what_was_promised() {
    let mut plan = gain_plan();
    let other = Edit::new(ClipId::new(1), Decibels(0.0), Decibels(3.0));
    let part = Plan { changes: vec![plan.changes[0].clone()], ..gain_plan() };
    let same = Taken::by(&plan, std::iter::once(&part));
    assert_eq!((same.rows.len(), same.edited.len()), (1, 0));
    plan.changes[0].change = Change::SetClipGain(other);
    let edited = Taken::by(&plan, std::iter::once(&part));
    assert_eq!((edited.rows.len(), edited.edited.len()), (1, 1));
}

#[test]
fn a_plan_that_is_measured_again_gives_way_to_the_new_one() {
    let plan = gain_plan();
    let mut model = with_plan();
    drop(model.hear(&event(3, None, moved(0.0, 1.0, (1, 2)))));
    let mut harness = harness(model);
    harness.run_steps(3);
    harness.get_by_label("Measure again").click();
    harness.run_steps(2);
    let (tool, params) = (plan.tool.clone(), plan.params.clone());
    assert_eq!(harness.state().actions, [Action::Measure { tool, params }]);
    let new = Plan { id: PlanId::new(71), ..plan.clone() };
    let review = News::Review { plan: Box::new(new) };
    let asked = harness.state_mut().model.hear(&event(4, None, review));
    let decision = Decision::Reject { reason: format!("measured again as {}", PlanId::new(71)) };
    assert_eq!(asked, [Op::Decide { plan: plan.id, decision }]);
}

#[test]
fn of_a_plan_whose_rest_is_measured_again_it_is_told_what_stands_and_which_plan_it_is() {
    let mut model = partly();
    let again = Plan { id: PlanId::new(71), ..gain_plan() };
    drop(model.hear(&event(7, None, News::Review { plan: Box::new(again) })));
    let reason = Some(format!("measured again as {}", PlanId::new(71)));
    let (receipt, follows, time_ms) = (None, None, None);
    let (plan, state) = (gain_plan().id, PlanState::Rejected);
    let rejected = News::Decided { plan, state, reason, receipt, follows, time_ms };
    drop(model.hear(&event(8, None, rejected)));
    let mut harness = harness(model);
    harness.run_steps(4);
    let told = "Plan 1: 1 of 2 applied, the rest measured again as plan 3";
    assert!(harness.query_by_label(told).is_some());
    assert!(harness.query_by_label("Plan again").is_none(), "it is planned again");
    harness.get_by_label("2 changes of plan 1").click();
    harness.run_steps(3);
    let left = "2: Guitar take, clip gain, from 0.0 to −3.0 dB, left out";
    assert!(harness.query_by_label(left).is_some());
    let taken = "1: Vocal take, clip gain, from 0.0 to +4.5 dB";
    assert!(harness.query_by_label(taken).is_some());
}
