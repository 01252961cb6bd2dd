//! Errors that several parts of the bridge answer with.

use deskhand_session::PlanId;
use deskhand_session::tool_error::{Code, Phase, ToolError};
use deskhand_store::StoreError;

/// The error of a session that cannot be stored.
pub(crate) fn storage(error: &StoreError) -> ToolError {
    apply_error(Code::Storage, error.to_string(), "nothing that was acknowledged is lost")
}

pub(crate) fn apply_error(code: Code, message: String, fix: &str) -> ToolError {
    ToolError { phase: Phase::Apply, code, message, fix: fix.into() }
}

/// The error of a plan that is not there.
pub(crate) fn no_plan(id: PlanId) -> ToolError {
    let message = format!("there is no {id} in this session");
    apply_error(Code::NoTarget, message, "list the plans: list_plans, or `deskhand plans DIR`")
}

/// The error of a worker that panicked.
pub(crate) fn panicked(message: String) -> ToolError {
    let message = format!("the tool failed inside ({message})");
    ToolError::run(Code::Panicked, message, "nothing was changed; please report it")
}

/// The outcome of a worker; a panic is an error like others.
pub(crate) fn caught<T>(outcome: Result<Result<T, ToolError>, String>) -> Result<T, ToolError> {
    outcome.unwrap_or_else(|message| Err(panicked(message)))
}
