//! Reading a plan from JSON that anyone may have written.

use super::{FORMAT, Plan};
use crate::change::Change;
use crate::digest::plan_digest;
use serde_json::Value;

/// Why a plan file is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanFileError {
    /// It is no JSON.
    #[error("the plan is not valid JSON: {0}; write it with `deskhand plan … -o plan.json`")]
    NotJson(String),
    /// It is no plan of this version.
    #[error("the plan has the format {0}; this version reads \"{FORMAT}\"")]
    Format(String),
    /// A change this version does not know.
    #[error("change {id} has the unknown op \"{op}\"; a newer version may know it")]
    UnknownOp {
        /// Id of the change.
        id: String,
        /// Its op.
        op: String,
    },
    /// A field is missing or of the wrong kind.
    #[error("the plan is malformed: {0}")]
    Shape(String),
    /// It was edited after it was made.
    #[error(
        "the plan was edited after it was made (its digest does not match); \
         make a new plan, or change values with `deskhand apply --set`"
    )]
    Digest,
}

impl Plan {
    /// Reads a plan and checks its format, its ops and its digest.
    ///
    /// # Errors
    /// One [`PlanFileError`], which names the problem.
    pub fn from_json(text: &str) -> Result<Self, PlanFileError> {
        let json: Value = serde_json::from_str(text)
            .map_err(|error| PlanFileError::NotJson(error.to_string()))?;
        check_format(&json)?;
        check_ops(&json)?;
        let plan: Self = serde_json::from_value(json.clone())
            .map_err(|error| PlanFileError::Shape(error.to_string()))?;
        if plan.digest == plan_digest(&json) { Ok(plan) } else { Err(PlanFileError::Digest) }
    }
}

fn check_format(json: &Value) -> Result<(), PlanFileError> {
    match json.get("format") {
        Some(Value::String(format)) if format == FORMAT => Ok(()),
        Some(other) => Err(PlanFileError::Format(other.to_string())),
        None => Err(PlanFileError::Shape("the field \"format\" is missing".into())),
    }
}

/// Names an unknown op, which serde would hide in the list of all ops.
fn check_ops(json: &Value) -> Result<(), PlanFileError> {
    let changes = json.get("changes").and_then(Value::as_array);
    for change in changes.into_iter().flatten() {
        let text = |key: &str| change.get(key).and_then(Value::as_str).unwrap_or("").to_owned();
        if !Change::OPS.contains(&text("op").as_str()) {
            return Err(PlanFileError::UnknownOp { id: text("id"), op: text("op") });
        }
    }
    Ok(())
}
