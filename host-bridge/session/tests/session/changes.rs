//! Every change, on random sessions: valid results, exact inverses, one written form.

use crate::build::{base, steps, walk};
use deskhand_session::apply::{ApplyError, inverses};
use deskhand_session::*;
use proptest::prelude::*;
use std::collections::BTreeSet;

fn read_again<T: serde::Serialize + serde::de::DeserializeOwned>(value: &T) -> T {
    serde_json::from_str(&serde_json::to_string(value).unwrap()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_change_and_its_inverse_are_nothing(seed: u64, steps in steps(40)) {
        let start = base(seed);
        prop_assert_eq!(start.validate(), Ok(()));
        let mut before = start.clone();
        let walked = walk(&start, &steps);
        for (change, after) in &walked {
            prop_assert_eq!(after.validate(), Ok(()), "{:?}", change);
            let back = after.with([&change.clone().inverse()]);
            prop_assert_eq!(back.as_ref(), Ok(&before), "{:?}", change);
            let forth = before.with([&change.clone().inverse().inverse()]);
            prop_assert_eq!(forth.as_ref(), Ok(after));
            before = after.clone();
        }
        let all: Vec<_> = walked.into_iter().map(|(change, _)| change).collect();
        prop_assert_eq!(before.with(&inverses(&all)), Ok(start));
    }

    #[test]
    fn all_or_nothing(seed: u64, steps in steps(12)) {
        let start = base(seed);
        let walked = walk(&start, &steps);
        let Some((last, _)) = walked.last() else { return Ok(()) };
        // The same again no longer holds, where it changes anything that it names.
        let ripple = matches!(last, Change::RippleDelete(_) | Change::RippleInsert(_));
        prop_assume!(!last.is_identity() && !ripple);
        let mut changes: Vec<_> = walked.iter().map(|(change, _)| change.clone()).collect();
        changes.push(last.clone());
        let untouched = start.clone();
        let error = start.with(&changes).unwrap_err();
        let refused = match &error {
            ApplyError::Conflict(conflict) => conflict.target,
            ApplyError::Invalid(invalid) => invalid.target,
        };
        prop_assert_eq!(refused, last.target(), "{}", error);
        prop_assert_eq!(start, untouched);
    }

    #[test]
    fn what_is_written_reads_the_same(seed: u64, steps in steps(30)) {
        let start = base(seed);
        prop_assert_eq!(&read_again(&start), &start);
        for (change, after) in walk(&start, &steps) {
            prop_assert_eq!(&read_again(&change), &change);
            prop_assert_eq!(read_again(&after), after);
            prop_assert!(Change::OPS.contains(&change.op()));
        }
    }
}

/// Otherwise the properties would say nothing of the ops that were never built.
#[test]
fn every_op_is_built() {
    let mut built = BTreeSet::new();
    for seed in 0..20 {
        let steps: Vec<_> = (0..Change::OPS.len()).map(|op| (op, seed * 77 + op as u64)).collect();
        let walked = walk(&base(seed), &steps);
        built.extend(walked.iter().map(|(change, _)| change.op()));
    }
    let missing: Vec<_> = Change::OPS.iter().filter(|op| !built.contains(**op)).collect();
    assert!(missing.is_empty(), "never built: {missing:?}");
}
