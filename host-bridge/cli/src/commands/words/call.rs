//! One call of a tool for a command that names it: shown, decided on, applied.

use crate::args::words::Decided;
use crate::commands::apply::{exit, print_receipt};
use crate::commands::{data, plan};
use crate::desk::Desk;
use crate::exit::{Exit, Failure};
use crate::output::Output;
use deskhand_protocol::{Apply, Decision, Status, ToolResult};
use serde_json::{Map, Value};
use std::path::Path;

/// A tool with its parameters.
pub(super) struct Call {
    tool: &'static str,
    params: Map<String, Value>,
    yes: bool,
}

impl Call {
    /// A call that a person has not decided on yet.
    pub(super) fn of(tool: &'static str) -> Self {
        Self { tool, params: Map::new(), yes: false }
    }

    /// Sets a parameter.
    pub(super) fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.params.insert(name.into(), value.into());
        self
    }

    /// Sets a parameter where there is a value; the tool knows what is meant without.
    pub(super) fn maybe(self, name: &str, value: Option<impl Into<Value>>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// Names of clips, tracks or sources; without any all of them.
    pub(super) fn on(self, targets: Vec<String>) -> Self {
        match targets.is_empty() {
            true => self.with("targets", "all"),
            false => self.with("targets", targets),
        }
    }

    /// Whether the person decided ahead.
    pub(super) fn decided(self, decided: Decided) -> Self {
        Self { yes: decided.yes, ..self }
    }

    /// Opens the session, calls, and closes it.
    pub(super) fn run(self, dir: &Path, output: Output) -> Result<Exit, Failure> {
        let mut desk = Desk::open(dir, output)?;
        let done = self.make(&mut desk, output);
        desk.close()?;
        done
    }

    /// Calls; what waits is shown, and applied if the person said or says so.
    pub(super) fn make(self, desk: &mut Desk, output: Output) -> Result<Exit, Failure> {
        let apply = if self.yes { Apply::Now } else { Apply::ByPolicy };
        let result = desk.call(self.tool, Value::Object(self.params), apply)?;
        let shown = |result: &ToolResult| output.json(result);
        if !output.is_json() {
            show(&result, desk, output);
        }
        let waits = result.plan.as_ref().filter(|_| result.status == Status::Waiting);
        let Some(plan) = waits else {
            shown(&result);
            return Ok(exit(&result));
        };
        if !(output.can_ask() && output.ask("Apply it?")) {
            plan::print_waiting(plan, output);
            shown(&result);
            return Ok(Exit::Decision);
        }
        let applied = desk.decide(plan.id, Decision::Apply)?;
        print_outcome(&applied, output);
        Ok(exit(&applied))
    }
}

/// What is planned and what was found, for people.
fn show(result: &ToolResult, desk: &Desk, output: Output) {
    match &result.plan {
        Some(plan) => plan::print(plan, desk.session(), output),
        None => output.say(&result.summary),
    }
    plan::warn_of_answer(result, output);
    if let Some(found) = plan::found(result) {
        data::print(found, output);
    }
    if result.receipt.is_some() {
        print_outcome(result, output);
    }
}

fn print_outcome(result: &ToolResult, output: Output) {
    match &result.receipt {
        Some(receipt) => print_receipt(result, receipt, output),
        None => {
            output.say(&result.summary);
            plan::warn_of_answer(result, output);
        }
    }
}
