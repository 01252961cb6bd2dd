//! Plans that anyone may have written: refused or applied exactly, never a panic, never a session that
//! could not be undone.

use crate::build::{Dice, base, steps, walk};
use crate::plans::plan_of;
use deskhand_session::apply::inverses;
use deskhand_session::digest::plan_digest;
use deskhand_session::*;
use proptest::prelude::*;
use serde_json::{Value, json};

/// Every place in a JSON value, as pointers.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Array(items) => {
            for (n, item) in items.iter().enumerate() {
                places(item, &format!("{at}/{n}"), found);
            }
        }
        Value::Object(fields) => {
            for (key, field) in fields {
                places(field, &format!("{at}/{key}"), found);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn nasty(dice: &mut Dice) -> Value {
    let values = [
        json!(null),
        json!(i64::MAX),
        json!(i64::MIN),
        json!(u64::MAX),
        json!(-1),
        json!(0),
        json!(1),
        json!(3),
        json!(1i64 << 41),
        json!(1e308),
        json!(0.5),
        json!(""),
        json!("\u{0}"),
        json!("../../x"),
        json!([]),
        json!({}),
        json!(true),
        json!("remove_clip"),
        json!("add_clip"),
        json!("add_track"),
        json!("split_clip"),
        json!("ripple_insert"),
        json!("set_track_gain"),
    ];
    values[dice.index(values.len())].clone()
}

/// Replaces one place: with a nasty value, or with the value of another place.
fn mutate(json: &mut Value, dice: &mut Dice) {
    let mut found = Vec::new();
    places(&json["changes"], "/changes", &mut found);
    // A false `before` is soon detected, so mostly forge the values to write.
    if dice.index(5) > 0 {
        found.retain(|at| at.contains("/after") || at.ends_with("/op") || at.ends_with("/target"));
    }
    if found.is_empty() {
        return;
    }
    let (at, from) = (&found[dice.index(found.len())], &found[dice.index(found.len())]);
    let put = if dice.coin() { nasty(dice) } else { json.pointer(from).unwrap().clone() };
    *json.pointer_mut(at).unwrap() = put;
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn a_forged_plan_is_refused_or_can_be_undone(seed: u64, steps in steps(5), forge: u64) {
        let session = base(seed);
        let changes: Vec<_> = walk(&session, &steps).into_iter().map(|(change, _)| change).collect();
        let mut json = serde_json::to_value(plan_of(&session, &changes)).unwrap();
        let mut dice = Dice(forge);
        for _ in 0..=dice.index(2) {
            mutate(&mut json, &mut dice);
        }
        json["digest"] = json!(plan_digest(&json));
        let Ok(plan) = Plan::from_json(&json.to_string()) else { return Ok(()) };
        let Ok(next) = plan.applied_to(&session) else { return Ok(()) };
        prop_assert_eq!(next.validate(), Ok(()), "{}", json["changes"]);
        let changes: Vec<_> = plan.bare_changes().cloned().collect();
        let back = next.with(&inverses(&changes));
        prop_assert_eq!(back, Ok(session), "{}", json["changes"]);
    }

    #[test]
    fn text_that_is_no_plan_is_refused(text in ".{0,200}", at: u64, byte: u8) {
        prop_assert!(Plan::from_json(&text).is_err());
        let mut golden = include_str!("../golden/plan-1.json").as_bytes().to_vec();
        let mut dice = Dice(at);
        let at = dice.index(golden.len());
        golden[at] = byte;
        // Either the byte was white space, or the plan is refused.
        if let Ok(text) = String::from_utf8(golden) && let Ok(plan) = Plan::from_json(&text) {
            prop_assert_eq!(plan.computed_digest(), crate::golden::DIGEST);
        }
    }
}

#[test]
fn deep_nesting_is_refused() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(matches!(
        Plan::from_json(&deep),
        Err(deskhand_session::plan::PlanFileError::NotJson(_))
    ));
}
