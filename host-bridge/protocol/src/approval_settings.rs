//! What a person decides before plans come: how much is asked, and rules for tools.

use deskhand_session::Plan;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Which plans of a model wait for the person.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Asking {
    /// Every plan waits.
    #[default]
    Always,
    /// A plan that sets one number of one object is applied with a notice; every other waits.
    BiggerChanges,
}

/// The effect of a rule on a tool. Of several the strictest applies: deny, confirm, allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    /// Its plans are applied with a notice.
    Allow,
    /// Its plans wait for a person.
    Confirm,
    /// A model may not call it.
    Deny,
}

/// A rule for a tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolRule {
    /// The tool.
    pub tool: String,
    /// What holds.
    pub rule: Rule,
    /// It was made for this session and can be removed. Otherwise it is in the configuration.
    pub is_here: bool,
}

/// Whether a plan sets one number of one object and there is nothing else to say of it: then it reads as one line, and is no
/// bigger change.
#[must_use]
pub fn is_small(plan: &Plan) -> bool {
    let [change] = plan.changes.as_slice() else { return false };
    let written = serde_json::to_value(&change.change).unwrap_or_default();
    let is_number = |key: &str| written.get(key).is_some_and(Value::is_number);
    is_number("before")
        && is_number("after")
        && plan.warnings.is_empty()
        && plan.notes.is_empty()
        && plan.artifacts.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn plan(changes: Value, warnings: Value) -> Plan {
        let plan = json!({"format": "deskhand.plan/1", "id": "plan_000000000001", "digest": "",
            "tool": "cmd_set_track_gain", "params": {}, "session": "session_000000000001",
            "base_revision": 0, "summary": "", "changes": changes, "warnings": warnings});
        serde_json::from_value(plan).unwrap()
    }

    fn gain(id: &str) -> Value {
        json!({"id": id, "op": "set_track_gain", "target": "track_000000000001",
            "before": 0.0, "after": -3.0})
    }

    #[test]
    fn one_number_of_one_object_is_small() {
        assert!(is_small(&plan(json!([gain("c1")]), json!([]))));
        assert!(!is_small(&plan(json!([gain("c1"), gain("c2")]), json!([]))));
        assert!(!is_small(&plan(json!([]), json!([]))));
        let name = json!({"id": "c1", "op": "rename_track", "target": "track_000000000001",
            "before": "a", "after": "b"});
        assert!(!is_small(&plan(json!([name]), json!([]))), "a word is no number");
        let warned = json!(["True peak would be 0.3 dB over -1.0 dBTP"]);
        assert!(!is_small(&plan(json!([gain("c1")]), warned)), "a warning is to be read first");
        let noted =
            Plan { notes: vec!["a desk gain".into()], ..plan(json!([gain("c1")]), json!([])) };
        assert!(!is_small(&noted), "a note too");
    }
}
