//! The receipt of a plan that was taken without its fourth change, and came out near the prediction.

use deskhand_session::{Measured, Plan, PlanState, Prediction, Receipt, RevisionId};

#[must_use]
pub fn receipt(plan: &Plan) -> Receipt {
    let measured = |it: &Prediction| Measured {
        target: it.target,
        name: "the mix".into(),
        measure: it.measure,
        predicted: it.value,
        measured: Some(it.value + 0.1),
        tolerance: it.tolerance,
        unit: it.unit.clone(),
        within: true,
    };
    let ids = plan.changes.iter().map(|change| change.id.clone());
    let (applied, skipped) = ids.partition(|id| id != "c4");
    Receipt {
        revision: RevisionId(1),
        plan: plan.id,
        state: PlanState::Applied,
        applied,
        skipped,
        measured: plan.predicted.iter().map(measured).collect(),
        played: Vec::new(),
        rolled_back: false,
        undo_label: plan.summary.clone(),
        rule: None,
        landed: None,
    }
}
