//! A plan is measured again: the person's settings on its card continue on the new one.

use super::{same_rows, untold};
use crate::card::view::CardView;
use crate::testing::prelude::*;
use deskhand_session::{PlanId, PlannedChange};

const AGAIN: PlanId = PlanId::new(71);

fn gain(from: f64, to: f64) -> Change {
    Change::SetClipGain(Edit::new(ClipId::new(1), Decibels(from), Decibels(to)))
}

/// The gain of the first clip was moved by hand.
fn moved((from, to): (f64, f64), (head, next): (u64, u64)) -> News {
    let (label, changes) = ("Clip gain".into(), vec![gain(from, to)]);
    let (from, to) = (RevisionId(head), RevisionId(next));
    News::Moved { from, to, label, changes, at: None }
}

/// The plan as it comes again: its rows in another order, the first clip from where it is now.
fn again() -> Plan {
    let mut plan = Plan { id: AGAIN, predicted: Vec::new(), ..gain_plan() };
    plan.changes.reverse();
    for (number, planned) in (1..).zip(&mut plan.changes) {
        planned.id = format!("c{number}");
    }
    plan.changes[1].change = gain(1.0, 4.5);
    plan
}

/// The first row is stale; the person sets something on the card and has it measured again.
fn measured_again(set: impl FnOnce(&mut CardView), now: Plan) -> Harness<'static, Desk> {
    let mut model = with_plan();
    drop(model.hear(&event(3, None, moved((0.0, 1.0), (1, 2)))));
    let mut harness = harness(model);
    let card = harness.state_mut().model.cards.get_mut(&gain_plan().id).unwrap();
    set(&mut card.view);
    harness.click_on("Measure again");
    let review = News::Review { plan: Box::new(now) };
    drop(harness.state_mut().model.hear(&event(4, None, review)));
    harness.run_steps(3);
    harness
}

fn new(harness: &Harness<'static, Desk>) -> CardView {
    harness.state().model.cards[&AGAIN].view.clone()
}

#[test]
fn values_that_were_typed_are_there_again_that_of_the_stale_row_too() {
    let set = |view: &mut CardView| {
        view.values.edits.insert("c1".into(), 6.5);
        view.values.edits.insert("c2".into(), -9.0);
    };
    let harness = measured_again(set, again());
    assert_eq!(
        new(&harness).values.edits,
        [("c1".to_owned(), -9.0), ("c2".to_owned(), 6.5)].into()
    );
    assert!(new(&harness).remarks.is_empty());
    let row = "Change 1: Guitar take, clip gain, from 0.0 to −9.0 dB";
    assert!(harness.query_by_label(row).is_some());
}

#[test]
fn a_tick_that_was_taken_off_stays_off_and_the_stale_row_has_its_own() {
    let harness = measured_again(|view| view.ticks.tick(&gain_plan(), "c2"), again());
    assert_eq!(new(&harness).ticks.off, ["c1".to_owned()].into());
    assert!(harness.query_by_label("Apply 1 change").is_some());
}

#[test]
fn a_value_that_has_no_row_any_more_is_told() {
    let mut now = again();
    now.changes.remove(0);
    let set = |view: &mut CardView| {
        view.values.edits.insert("c2".into(), -9.0);
    };
    let harness = measured_again(set, now);
    assert!(new(&harness).values.edits.is_empty());
    let told = "Guitar take was set to −9.0 dB on plan 1: no row here takes that";
    assert!(harness.query_by_label(told).is_some());
}

#[test]
fn what_was_applied_already_has_no_tick_and_says_why() {
    let set = |view: &mut CardView| {
        view.ticks.taken.rows.insert("c2".into());
        view.ticks.off.insert("c2".into());
        view.values.edits.insert("c2".into(), -9.0);
    };
    let harness = measured_again(set, again());
    assert_eq!(new(&harness).ticks.off, ["c1".to_owned()].into());
    assert!(new(&harness).values.edits.is_empty(), "it is no wish any more");
    let told = "Applied with plan 1, so without a tick here: Guitar take";
    assert!(harness.query_by_label(told).is_some());
}

#[test]
fn of_many_that_were_applied_already_some_are_named() {
    let mut model = with_plan();
    let card = model.cards.get_mut(&gain_plan().id).unwrap();
    let row = |number: u64| {
        let edit = Edit::new(ClipId::new(number), Decibels(0.0), Decibels(1.0));
        let (change, name) = (Change::SetClipGain(edit), format!("Clip {number}"));
        PlannedChange::new(number as usize, change, name, String::new())
    };
    let plan = Plan { changes: (1..=10).map(row).collect(), ..gain_plan() };
    card.view.ticks.taken.rows = plan.changes.iter().map(|row| row.id.clone()).collect();
    card.view.ticks.off = card.view.ticks.taken.rows.clone();
    card.stored.plan = plan.clone();
    let told = untold(card, &plan, &same_rows(&plan, &plan), &card.view.ticks.unticked());
    let names: Vec<String> = (1..=8).map(|number| format!("Clip {number}")).collect();
    let names = names.join(", ");
    assert_eq!(told, [format!("Applied with plan 1, so without a tick here: {names} and 2 more")]);
}

#[test]
fn of_several_rows_of_one_object_those_are_known_that_are_as_they_were() {
    let (mut was, mut now) = (gain_plan(), gain_plan());
    was.changes[1].change = gain(4.5, -3.0);
    now.changes[1].change = gain(4.5, -2.0);
    assert_eq!(same_rows(&was, &now), [("c1".to_owned(), "c1".to_owned())].into());
    now.changes.remove(1);
    assert_eq!(same_rows(&now, &now).len(), 1);
}

#[test]
fn what_needs_a_stale_row_has_its_tick_again_when_that_fits() {
    let mut model = with_plan();
    let card = model.cards.get_mut(&gain_plan().id).unwrap();
    card.stored.plan.changes[1].needs = vec!["c1".into()];
    drop(model.hear(&event(3, None, moved((0.0, 1.0), (1, 2)))));
    let mut harness = harness(model);
    let view = |harness: &Harness<'static, Desk>| {
        harness.state().model.cards[&gain_plan().id].view.clone()
    };
    assert_eq!((view(&harness).ticks.off.len(), view(&harness).ticks.unticked().len()), (2, 0));
    drop(harness.state_mut().model.hear(&event(4, None, moved((1.0, 0.0), (2, 3)))));
    harness.run_steps(3);
    assert_eq!(view(&harness).ticks.off.len(), 0);
}
