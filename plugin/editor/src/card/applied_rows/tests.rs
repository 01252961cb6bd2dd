//! A plan that was applied in part, and one that is measured again.

use super::*;
use crate::card::predictions;
use crate::card::view::CardView;
use crate::model::Entry;
use crate::testing::prelude::*;
use deskhand_protocol::Read;
use deskhand_session::plan::ValueEdit;
use deskhand_session::{Author, PlanId, PlanState, StoredPlan};

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
    let card = &harness.state().model.cards[&plan];
    assert!(card.view.ticks.stale.rows.is_empty(), "{:?}", card.view.ticks.stale);
    assert_eq!(predictions::all(card).count(), 0, "what was promised of the first is told");
    assert!(harness.query_by_label("Measure again").is_none());
    let row = "Change 1: Vocal take, clip gain, from 0.0 to +4.5 dB, applied";
    assert!(harness.query_by_label(row).is_some());
    assert!(harness.query_by_label_contains("1 of 2 applied, the rest not").is_some());
    harness.click_on("Apply 1 change");
    let decision = Decision::ApplyPart { only: Some(vec!["c2".into()]), set: Vec::new() };
    assert_eq!(harness.state().actions, [Action::Decide { plan, decision }]);
}

#[test]
fn what_is_undone_waits_again_with_its_tick() {
    let mut model = partly();
    let plan = gain_plan().id;
    assert_eq!(model.cards[&plan].view.ticks.off, ["c1".to_owned()].into());
    drop(model.hear(&event(7, None, moved(4.5, 0.0, (2, 3)))));
    drop(model.hear(&event(8, None, decided(PART, PlanState::Undone))));
    let view = &model.cards[&plan].view;
    assert_eq!((view.ticks.off.len(), &view.ticks.taken), (0, &Taken::default()));
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
    view.ticks.taken.rows.insert("c1".into());
    view.ticks.off.insert("c1".into());
    view.ticks.tick(&plan, "c2");
    assert_eq!(view.ticks.count(&plan), 0);
    view.ticks.tick(&plan, "c2");
    assert_eq!((view.ticks.count(&plan), view.ticks.off.contains("c1")), (1, true));
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
    harness.click_on("Measure again");
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
    let told = "Plan 1: 1 of 2 applied, the rest measured again as plan 3";
    assert!(harness.query_by_label(told).is_some());
    assert!(harness.query_by_label("Plan again").is_none(), "it is planned again");
    harness.click_on("2 changes of plan 1");
    let left = "2: Guitar take, clip gain, from 0.0 to −3.0 dB, left out";
    assert!(harness.query_by_label(left).is_some());
    let taken = "1: Vocal take, clip gain, from 0.0 to +4.5 dB";
    assert!(harness.query_by_label(taken).is_some());
}

/// The stored plans of a session, as the hub tells them to a window that opens it.
fn opened(plans: &[StoredPlan]) -> Model {
    let mut model = open_model();
    tell_plans(&mut model, plans);
    model
}

fn tell_plans(model: &mut Model, plans: &[StoredPlan]) {
    let answer = Some(serde_json::to_value(plans).unwrap());
    let result = ToolResult { answer, ..ToolResult::new(Status::Ok, "read", RevisionId(2)) };
    model.sent(CallId(9), &Op::Read { what: Read::Plans });
    drop(model.hear(&event(2, Some(CallId(9)), News::Done { result: Box::new(result) })));
}

fn stored(plan: Plan, state: PlanState) -> StoredPlan {
    let (author, reason, receipt, follows) = (Author::User, None, None, None);
    let (time_ms, decided_ms) = (0, None);
    StoredPlan { plan, state, author, reason, receipt, follows, time_ms, decided_ms }
}

#[test]
fn what_was_taken_with_another_value_is_shown_with_it_in_a_window_that_comes_later() {
    let plan = gain_plan();
    let edit = ValueEdit { change: "c1".into(), after: (-9.0_f64).into() };
    let part = Plan { id: PART, ..plan.derived(&["c1".into()], &[edit]).unwrap() };
    let plans = [stored(plan, PlanState::Waiting), stored(part, PlanState::Applied)];
    let harness = harness(opened(&plans));
    let row = "Change 1: Vocal take, clip gain, from 0.0 to −9.0 dB, applied";
    assert!(harness.query_by_label(row).is_some());
    assert_eq!(harness.state().model.cards[&gain_plan().id].view.values.edits["c1"], -9.0);
}

#[test]
fn plans_that_were_measured_again_come_back_with_their_numbers() {
    let again = |number: u64| PlanId::new(80 + number);
    let by = |number: u64| Some(format!("measured again as {}", again(number)));
    let command =
        |number: u64| Plan { id: again(number), tool: "cmd_remove_track".into(), ..gain_plan() };
    let first = StoredPlan { reason: by(1), ..stored(gain_plan(), PlanState::Rejected) };
    let second = StoredPlan { reason: by(2), ..stored(command(1), PlanState::Rejected) };
    let third = stored(command(2), PlanState::Applied);
    let by_hand = stored(command(3), PlanState::Applied);
    let last = stored(Plan { id: again(4), ..gain_plan() }, PlanState::Waiting);
    let model = opened(&[by_hand, first, second, third, last]);
    let numbers = [1, 2, 4].map(|number| model.cards[&again(number)].number);
    assert_eq!((numbers, model.cards.len()), ([2, 3, 4], 4));
    assert_eq!(model.reason_of(gain_plan().id), "measured again as plan 2");
    let gone = format!("Rejected: measured again as {}. Nothing was changed.", again(9));
    let told = "Rejected: measured again as another plan. Nothing was changed.";
    assert_eq!(model.without_ids(&gone), told);
}

#[test]
fn what_the_model_tells_of_a_plan_has_its_number() {
    let mut model = with_plan();
    let words = format!("Rejected: measured again as {}. Nothing was changed.", gain_plan().id);
    model.entries.push(Entry::Told(words));
    let harness = harness(model);
    let told = "Rejected: measured again as plan 1. Nothing was changed.";
    assert!(harness.query_by_label(told).is_some());
}

#[test]
fn what_was_coded_by_hand_has_no_card_and_what_a_model_coded_has_one() {
    let coded = |id: u64| {
        let plan = Plan { id: PlanId::new(id), tool: "tool_code_region".into(), ..gain_plan() };
        stored(plan, PlanState::Applied)
    };
    let of_model = StoredPlan { author: Author::Agent, ..coded(91) };
    let mut model = opened(&[coded(90), of_model]);
    let known: Vec<PlanId> = model.cards.keys().copied().collect();
    assert_eq!(known, [PlanId::new(91)]);
    let answer = Some(serde_json::to_value(coded(92)).unwrap());
    let result = ToolResult { answer, ..ToolResult::new(Status::Ok, "read", RevisionId(2)) };
    let plan = PlanId::new(92);
    model.sent(CallId(10), &Op::Read { what: Read::Plan { plan } });
    drop(model.hear(&event(3, Some(CallId(10)), News::Done { result: Box::new(result) })));
    assert_eq!(model.cards.len(), 1);
}

#[test]
fn ticks_and_values_of_a_card_are_there_when_the_session_is_opened_again() {
    let mut model = with_plan();
    let view = &mut model.cards.get_mut(&gain_plan().id).unwrap().view;
    view.ticks.tick(&gain_plan(), "c2");
    view.values.edits.insert("c1".into(), 3.0);
    let seen = model.seen();
    assert_eq!(seen.cards.len(), 1);
    let mut again = open_model();
    again.look_again(seen.clone());
    assert_eq!(again.seen().cards, seen.cards, "its plans did not come yet");
    tell_plans(&mut again, &[stored(gain_plan(), PlanState::Waiting)]);
    let view = &again.cards[&gain_plan().id].view;
    assert_eq!((view.ticks.count(&gain_plan()), view.values.edits["c1"]), (1, 3.0));
    assert_eq!(again.seen().cards, seen.cards);
    tell_plans(&mut again, &[stored(gain_plan(), PlanState::Applied)]);
    assert_eq!(again.seen().cards, [], "it is decided");
}
