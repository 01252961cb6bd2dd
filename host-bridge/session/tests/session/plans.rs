//! Plans against sessions that moved on.

use crate::build::{base, steps, walk};
use deskhand_dsp::Decibels;
use deskhand_session::change::Edit;
use deskhand_session::plan::Refusal;
use deskhand_session::*;
use proptest::prelude::*;

/// A sealed plan of some changes.
pub(crate) fn plan_of(session: &Session, changes: &[Change]) -> Plan {
    let planned = changes.iter().enumerate().map(|(n, change)| {
        let name = session.name_of(change.target());
        PlannedChange::new(n + 1, change.clone(), name, "measured".into())
    });
    let plan = Plan {
        format: plan::FORMAT.into(),
        id: PlanId::new(1),
        digest: String::new(),
        tool: "tool_test".into(),
        params: serde_json::json!({}),
        session: session.id,
        base_revision: RevisionId(3),
        summary: "A test".into(),
        changes: planned.collect(),
        parts: Vec::new(),
        reads: Vec::new(),
        findings: Vec::new(),
        predicted: Vec::new(),
        artifacts: Vec::new(),
        warnings: Vec::new(),
        notes: Vec::new(),
        offers: Vec::new(),
        derived_from: None,
    };
    plan.sealed()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_plan_that_fits_does_what_its_changes_do(seed: u64, steps in steps(20)) {
        let session = base(seed);
        let walked = walk(&session, &steps);
        let changes: Vec<_> = walked.iter().map(|(change, _)| change.clone()).collect();
        let plan = plan_of(&session, &changes);
        let last = walked.last().map_or(&session, |(_, state)| state);
        let applied = plan.applied_to(&session);
        prop_assert_eq!(applied.as_ref(), Ok(last));
        let again = Plan::from_json(&serde_json::to_string_pretty(&plan).unwrap());
        prop_assert_eq!(again, Ok(plan));
    }

    #[test]
    fn one_false_precondition_is_named_and_nothing_changes(seed: u64, steps in steps(8), at: u8) {
        let session = base(seed);
        let walked = walk(&session, &steps);
        let Some((last, moved_on)) = walked.last() else { return Ok(()) };
        let ripple = matches!(last, Change::RippleDelete(_) | Change::RippleInsert(_));
        let whole = matches!(last.target(), ObjectId::Session(_));
        prop_assume!(!last.is_identity() && !ripple && !whole);
        let gains = [-1.0, -2.0, -3.0].map(|db| moved_on.master_gain + Decibels(db));
        let mut before = moved_on.master_gain;
        let mut changes: Vec<Change> = Vec::new();
        for gain in gains {
            changes.push(Change::SetMasterGain(Edit::new(session.id, before, gain)));
            before = gain;
        }
        let at = usize::from(at) % (changes.len() + 1);
        changes.insert(at, last.clone());
        let plan = plan_of(&session, &changes);
        let untouched = moved_on.clone();
        let refusal = plan.applied_to(moved_on).unwrap_err();
        let Refusal::Conflicts(conflicts) = refusal else {
            return Err(TestCaseError::fail(format!("{refusal}")));
        };
        let named: Vec<_> = conflicts.iter().map(|c| (c.change.clone(), c.target)).collect();
        prop_assert_eq!(named, [(Some(format!("c{}", at + 1)), last.target())]);
        prop_assert_eq!(&untouched, moved_on);
    }

    #[test]
    fn the_digest_is_of_the_content(seed: u64, steps in steps(6)) {
        let session = base(seed);
        let changes: Vec<_> = walk(&session, &steps).into_iter().map(|(change, _)| change).collect();
        let plan = plan_of(&session, &changes);
        let elsewhere = Plan { id: PlanId::new(9), session: SessionId::new(9), ..plan.clone() };
        prop_assert_eq!(elsewhere.sealed().digest, plan.digest.clone());
        let other = Plan { summary: "Another".into(), ..plan.clone() };
        prop_assert_ne!(other.sealed().digest, plan.digest);
    }
}

#[test]
fn a_read_that_moved_on_is_named() {
    let session = base(4);
    let (clip, _) = session.clips.first_key_value().unwrap();
    let mut plan = plan_of(&session, &[]);
    plan.reads = vec![Read::audio(&session, *clip)];
    assert_eq!(plan.applied_to(&session), Ok(session.clone()));
    let mut moved_on = session.clone();
    moved_on.clips.get_mut(clip).unwrap().length = deskhand_dsp::Frames(1);
    let Err(Refusal::Conflicts(conflicts)) = plan.applied_to(&moved_on) else {
        panic!("applied");
    };
    assert_eq!(conflicts.len(), 1);
    assert_eq!(conflicts[0].target, ObjectId::Clip(*clip));
    let mut elsewhere = session.clone();
    elsewhere.clips.get_mut(clip).unwrap().gain = Decibels(-1.0);
    let applied = plan.applied_to(&elsewhere);
    assert_eq!(applied, Ok(elsewhere), "its own gain is behind the measured point");
}
