//! One call of a tool for a command that names it: shown, decided on, applied.

use crate::ahead::{self, Ahead};
use crate::args::words::Decided;
use crate::commands::apply::{exit, print_receipt};
use crate::commands::{data, plan};
use crate::desk::Desk;
use crate::exit::{Exit, Failure};
use crate::output::Output;
use deskhand_protocol::{Apply, Decision, Status, ToolResult};
use deskhand_session::Plan;
use serde_json::{Map, Value};
use std::path::Path;

/// A tool with its parameters.
pub(super) struct Call {
    tool: &'static str,
    params: Map<String, Value>,
    /// Parameters with another name on the command line: parameter and flag.
    names: Vec<(&'static str, &'static str)>,
    /// It waits for the person's decision, whatever trust says.
    asks: bool,
    ahead: Ahead,
}

impl Call {
    /// A call that a person has not decided on yet.
    pub(super) fn of(tool: &'static str) -> Self {
        let (params, names) = (Map::new(), Vec::new());
        Self { tool, params, names, asks: false, ahead: Ahead::default() }
    }

    /// Sets a parameter.
    pub(super) fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.params.insert(name.into(), value.into());
        self
    }

    /// Sets a parameter if there is a value; otherwise the tool uses its default.
    pub(super) fn maybe(self, name: &str, value: Option<impl Into<Value>>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// Sets the command-line name of a parameter, if it differs.
    pub(super) fn named(mut self, param: &'static str, flag: &'static str) -> Self {
        self.names.push((param, flag));
        self
    }

    /// Whether it waits for the person's decision, also where trust would apply it.
    pub(super) fn asking(self, asks: bool) -> Self {
        Self { asks, ..self }
    }

    /// Names of clips, tracks or sources; without any all of them.
    pub(super) fn on(self, targets: Vec<String>) -> Self {
        match targets.is_empty() {
            true => self.with("targets", "all"),
            false => self.with("targets", targets),
        }
    }

    /// Whether the person approved in advance, on a tool whose plans need no hearing first.
    pub(super) fn decided(self, decided: Decided) -> Self {
        self.ahead(Ahead { yes: decided.yes, unheard: decided.yes })
    }

    /// The person's advance decision.
    pub(super) fn ahead(self, ahead: Ahead) -> Self {
        Self { ahead, ..self }
    }

    /// Opens the session, calls, and closes it.
    pub(super) fn run(self, dir: &Path, output: Output) -> Result<Exit, Failure> {
        let mut desk = Desk::open(dir, output)?;
        let done = self.make(&mut desk, output);
        desk.close()?;
        done
    }

    /// Calls the tool. Shows a waiting plan, and applies it if the person has agreed or agrees now.
    pub(super) fn make(self, desk: &mut Desk, output: Output) -> Result<Exit, Failure> {
        let Self { tool, params, names, asks, ahead } = self;
        let named = |text: &str| {
            names.iter().fold(text.to_owned(), |text, (param, flag)| text.replace(param, flag))
        };
        let called = desk.call(tool, Value::Object(params), wish(ahead, asks));
        let mut result = called.map_err(|failure| {
            let fix = named(&with_options(tool, &failure.fix));
            let said = failure.said.as_deref().map(|said| named(said).into());
            Failure { message: named(&failure.message), fix, said, ..failure }
        })?;
        result.warnings.iter_mut().for_each(|warning| *warning = named(warning));
        let shown = |result: &ToolResult| output.json(result);
        if !output.is_json() {
            if let Some(plan) = &mut result.plan {
                plan.warnings.iter_mut().for_each(|warning| *warning = named(warning));
                let offers = plan.offers.iter_mut();
                offers.for_each(|offer| offer.warning = named(&offer.warning));
            }
            show(&result, desk, output);
        }
        let waits = result.plan.as_ref().filter(|_| result.status == Status::Waiting);
        let Some(plan) = waits else {
            shown(&result);
            return Ok(exit(&result));
        };
        if ahead.leaves_unheard() {
            return take_heard(desk, plan, ahead, output);
        }
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

/// Whether a plan is applied with the call.
fn wish(ahead: Ahead, asks: bool) -> Apply {
    match ahead.yes {
        true if ahead.leaves_unheard() => Apply::Never,
        true => Apply::Now,
        false if asks => Apply::Never,
        false => Apply::ByPolicy,
    }
}

/// A way out in which the parameters of the tool are the options of the command that calls it.
fn with_options(tool: &str, fix: &str) -> String {
    fix.replace(&format!("`deskhand tools {tool}` for its parameters"), "`--help` for its options")
}

/// Applies the changes that need no hearing, and lists those that do.
fn take_heard(desk: &mut Desk, plan: &Plan, ahead: Ahead, output: Output) -> Result<Exit, Failure> {
    let (applied, left) = ahead::take(desk, plan, ahead, Decision::Apply)?;
    print_outcome(&applied, output);
    left.iter().for_each(|told| output.warn(told));
    output.json(&applied);
    Ok(exit(&applied))
}

/// Prints the plan and the findings, for people.
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
