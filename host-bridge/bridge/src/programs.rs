//! Tools that start a program: whether it may be started at all, and how far its plan is trusted.

use crate::bridge::Bridge;
use deskhand_session::Plan;
use deskhand_session::tool_error::{Code, ToolError};
use deskhand_toolkit::{Network, Program, Registry, Tool, ToolSpec, Trust};
use std::sync::atomic::Ordering;

/// The program that a tool starts, if it starts one.
pub(crate) fn program_of<'a>(registry: &'a Registry, spec: &ToolSpec) -> Option<&'a Program> {
    registry.get(spec.name).ok().and_then(|tool| tool.program())
}

impl Bridge {
    /// Whether the program of a tool may be started while nothing is sent off this machine.
    ///
    /// # Errors
    /// When it wants the network; for everybody.
    pub(crate) fn admit_program(&self, tool: &dyn Tool) -> Result<(), ToolError> {
        match tool.program() {
            Some(program) => self.admit(tool.spec(), program.network, "starts a program that uses"),
            None => Ok(()),
        }
    }

    /// The same for a call that itself talks to another machine.
    ///
    /// # Errors
    /// When it does; for everybody.
    pub(crate) fn admit_network(&self, spec: &ToolSpec, network: Network) -> Result<(), ToolError> {
        self.admit(spec, network, "uses")
    }

    fn admit(&self, spec: &ToolSpec, network: Network, how: &str) -> Result<(), ToolError> {
        if network == Network::Closed || !self.local_only.load(Ordering::Relaxed) {
            return Ok(());
        }
        let message = format!(
            "{} {how} the network, and nothing of this session is sent off this machine",
            spec.name
        );
        let fix = "turn \"local only\" off, or use another tool";
        Err(ToolError::prepare(Code::Refused, message, fix))
    }

    /// Why a person has to agree before the tool runs, if it starts a program.
    pub(crate) fn reason_of_program(&self, spec: &ToolSpec) -> Option<String> {
        let program = program_of(&self.registry, spec)?;
        Some(format!("{} starts a program: {program}", spec.name))
    }

    /// Whether the program that would start is the one that the person was asked about: the session may have been
    /// opened again since, and the program changed.
    ///
    /// # Errors
    /// When it is another one.
    pub(crate) fn is_as_asked(&self, spec: &ToolSpec, asked: &Plan) -> Result<(), ToolError> {
        match self.reason_of_program(spec) {
            Some(why) if !asked.warnings.contains(&why) => {
                let message =
                    format!("the program of {} was changed since you were asked", spec.name);
                let fix = "nothing was started; call it again, and look at what it starts now";
                Err(ToolError::prepare(Code::Refused, message, fix))
            }
            Some(_) | None => Ok(()),
        }
    }

    /// The trust of a tool's plan. The run of the program was permitted before; its plan is decided like
    /// every other.
    pub(crate) fn trust_of_plan(&self, spec: &ToolSpec) -> Trust {
        match program_of(&self.registry, spec) {
            Some(_) => Trust::Suggest,
            None => spec.trust,
        }
    }
}
