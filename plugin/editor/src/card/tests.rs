//! Ticks, edits and the decision they stand for.

use super::*;
use crate::testing::gain_plan;
use deskhand_protocol::Decision;
use deskhand_session::plan::ValueEdit;

#[test]
fn a_row_takes_what_needs_it_along() {
    let mut plan = gain_plan();
    plan.changes[1].needs = vec!["c1".into()];
    let mut view = CardView::default();
    view.tick(&plan, "c1");
    assert_eq!(view.count(&plan), 0);
    assert_eq!(view.decision(&plan), None);
    view.tick(&plan, "c2");
    assert_eq!(view.count(&plan), 2);
    assert_eq!(view.decision(&plan), Some(Decision::Apply));
}

#[test]
fn an_edited_value_goes_with_the_decision() {
    let plan = gain_plan();
    let mut view = CardView::default();
    view.edits.insert("c2".into(), -2.5);
    let set = vec![ValueEdit { change: "c2".into(), after: (-2.5).into() }];
    assert_eq!(view.decision(&plan), Some(Decision::ApplyPart { only: None, set }));
    view.tick(&plan, "c2");
    let only = Some(vec!["c1".to_owned()]);
    assert_eq!(view.decision(&plan), Some(Decision::ApplyPart { only, set: Vec::new() }));
}

#[test]
fn a_card_counts_as_seen_after_half_a_second_in_view() {
    let mut view = CardView::default();
    assert!(!view.is_seen(true, 1.0));
    assert!(!view.is_seen(true, 1.4));
    assert!(view.is_seen(true, 1.5));
    assert!(!view.is_seen(false, 1.6));
    assert!(!view.is_seen(true, 1.7));
}
