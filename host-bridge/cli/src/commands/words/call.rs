//! One call of the tool that declares a command: shown, decided on, applied.

use crate::advance_approval::{self, Ahead};
use crate::commands::apply::{exit, print_receipt};
use crate::commands::{data, plan};
use crate::declared::Declared;
use crate::desk::Desk;
use crate::exit::{Exit, Failure};
use crate::output::Output;
use deskhand_protocol::{Apply, Decision, Status, ToolResult};
use deskhand_session::Plan;
use deskhand_session::command_line::Reads;
use serde_json::{Map, Value};

/// A call of the tool that declares a command.
pub(super) struct Call {
    pub(super) declared: Declared,
    pub(super) params: Map<String, Value>,
    /// The person's advance decision.
    pub(super) ahead: Ahead,
}

impl Call {
    /// Calls the tool. Shows a waiting plan, and applies it if the person has agreed or agrees now.
    pub(super) fn make(self, desk: &mut Desk, output: Output) -> Result<Exit, Failure> {
        let Self { declared, params, ahead } = self;
        let tool = declared.spec.name;
        let named = |text: &str| named(declared, text);
        let called = desk.call(tool, Value::Object(params), wish(ahead));
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
fn wish(ahead: Ahead) -> Apply {
    match ahead.yes {
        true if ahead.leaves_unheard() => Apply::Never,
        true => Apply::Now,
        false => Apply::ByPolicy,
    }
}

/// A text in which parameters have the names of the command's arguments.
fn named(declared: Declared, text: &str) -> String {
    let arguments = declared.line.arguments.iter().filter(|argument| !argument.param.is_empty());
    arguments.fold(text.to_owned(), |text, argument| {
        let (param, called) = (argument.param, argument.called());
        match &argument.reads {
            Reads::Flag(Value::String(value)) => {
                text.replace(&format!("`{param}` \"{value}\""), &called)
            }
            // A word with `_` is a parameter without quotes too.
            _ if param.contains('_') => text.replace(param, &called),
            _ => text.replace(&format!("`{param}`"), &called),
        }
    })
}

/// A way out in which the parameters of the tool are the options of the command that calls it.
fn with_options(tool: &str, fix: &str) -> String {
    fix.replace(&format!("`deskhand tools {tool}` for its parameters"), "`--help` for its options")
}

/// Applies the changes that need no hearing, and lists those that do.
fn take_heard(desk: &mut Desk, plan: &Plan, ahead: Ahead, output: Output) -> Result<Exit, Failure> {
    let (applied, left) = advance_approval::take(desk, plan, ahead, Decision::Apply)?;
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
