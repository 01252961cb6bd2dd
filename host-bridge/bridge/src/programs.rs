//! Tools that start a program: why a person has to agree, and how far their plan is trusted.

use deskhand_session::Plan;
use deskhand_session::tool_error::{Code, ToolError};
use deskhand_toolkit::{Program, Registry, ToolSpec, Trust};

/// The program that a tool starts, if it starts one.
pub(crate) fn program_of<'a>(registry: &'a Registry, spec: &ToolSpec) -> Option<&'a Program> {
    registry.get(spec.name).ok().and_then(|tool| tool.program())
}

/// Why a person has to agree before the tool runs, if it starts a program.
pub(crate) fn reason_of_program(registry: &Registry, spec: &ToolSpec) -> Option<String> {
    let program = program_of(registry, spec)?;
    Some(format!("{} starts a program: {program}", spec.name))
}

/// Whether the program that would start is the one that the person was asked about: the session may have been
/// opened again since, and the program changed.
///
/// # Errors
/// When it is another one.
pub(crate) fn is_as_asked(
    registry: &Registry,
    spec: &ToolSpec,
    asked: &Plan,
) -> Result<(), ToolError> {
    match reason_of_program(registry, spec) {
        Some(why) if !asked.warnings.contains(&why) => {
            let message = format!("the program of {} was changed since you were asked", spec.name);
            let fix = "nothing was started; call it again, and look at what it starts now";
            Err(ToolError::prepare(Code::Refused, message, fix))
        }
        Some(_) | None => Ok(()),
    }
}

/// The trust of a tool's plan. The run of the program was permitted before; its plan is decided like
/// every other.
pub(crate) fn trust_of_plan(registry: &Registry, spec: &ToolSpec) -> Trust {
    match program_of(registry, spec) {
        Some(_) => Trust::Suggest,
        None => spec.trust,
    }
}
