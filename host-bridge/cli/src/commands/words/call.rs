//! One call of a tool for a command that names it: shown, decided on, applied.

use crate::args::words::Decided;
use crate::commands::apply::{exit, print_receipt};
use crate::commands::{data, plan};
use crate::desk::Desk;
use crate::exit::{Exit, Failure};
use crate::output::Output;
use deskhand_protocol::{Apply, Decision, Status, ToolResult};
use deskhand_session::{Plan, PlanState};
use serde_json::{Map, Value};
use std::path::Path;

/// A tool with its parameters.
pub(super) struct Call {
    tool: &'static str,
    params: Map<String, Value>,
    /// Parameters that are called otherwise on the command line, with what they are called there.
    names: Vec<(&'static str, &'static str)>,
    yes: bool,
    /// Whether `yes` is not meant for what is to be heard first.
    leaves_unheard: bool,
}

impl Call {
    /// A call that a person has not decided on yet.
    pub(super) fn of(tool: &'static str) -> Self {
        Self { tool, params: Map::new(), names: Vec::new(), yes: false, leaves_unheard: false }
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

    /// What a parameter is called on the command line, where that is another name.
    pub(super) fn named(mut self, param: &'static str, flag: &'static str) -> Self {
        self.names.push((param, flag));
        self
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

    /// Whether what nobody should take unheard is left out where the person decided ahead.
    pub(super) fn leaving_unheard(self, leaves_unheard: bool) -> Self {
        Self { leaves_unheard, ..self }
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
        let Self { tool, params, names, yes, leaves_unheard } = self;
        let apply = match yes {
            true if leaves_unheard => Apply::Never,
            true => Apply::Now,
            false => Apply::ByPolicy,
        };
        let named = |text: &str| {
            names.iter().fold(text.to_owned(), |text, (param, flag)| text.replace(param, flag))
        };
        let called = desk.call(tool, Value::Object(params), apply);
        let mut result =
            called.map_err(|failure| Failure { message: named(&failure.message), ..failure })?;
        result.warnings.iter_mut().for_each(|warning| *warning = named(warning));
        let shown = |result: &ToolResult| output.json(result);
        if !output.is_json() {
            let of_plan = result.plan.iter_mut().flat_map(|plan| &mut plan.warnings);
            of_plan.for_each(|warning| *warning = named(warning));
            show(&result, desk, output);
        }
        let waits = result.plan.as_ref().filter(|_| result.status == Status::Waiting);
        let Some(plan) = waits else {
            shown(&result);
            return Ok(exit(&result));
        };
        if yes && leaves_unheard {
            return take_heard(desk, plan, output);
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

/// Takes what of a plan needs no ear, and says what waits to be heard.
fn take_heard(desk: &mut Desk, plan: &Plan, output: Output) -> Result<Exit, Failure> {
    let unheard = plan.changes.iter().filter(|change| change.to_hear).count();
    let only = without_unheard(plan);
    let decision = match unheard {
        0 => Decision::Apply,
        _ if only.is_empty() => {
            let message = format!("nothing was applied: {}", left_out(unheard));
            return Err(Failure::decision(message, way_to_take(plan, PlanState::Waiting)));
        }
        _ => Decision::ApplyPart { only: Some(only), set: Vec::new() },
    };
    let mut applied = desk.decide(plan.id, decision)?;
    print_outcome(&applied, output);
    if unheard > 0 {
        let way = way_to_take(plan, desk.plan(plan.id)?.state);
        let told = format!("{}; {way}", left_out(unheard));
        output.warn(&told);
        applied.warnings.push(told);
    }
    output.json(&applied);
    Ok(exit(&applied))
}

/// The cuts of a plan that are taken without any that is to be heard first, by the changes that stand for them.
fn without_unheard(plan: &Plan) -> Vec<String> {
    let is_unheard =
        |id: &String| plan.changes.iter().any(|change| change.id == *id && change.to_hear);
    let heads = plan.cuts().into_iter().flatten().map(|step| step.head.id.clone());
    let needs_no_ear = |id: &String| {
        let all = plan.closure(std::slice::from_ref(id));
        all.is_ok_and(|all| !all.iter().any(is_unheard))
    };
    heads.filter(needs_no_ear).collect()
}

fn left_out(unheard: usize) -> String {
    let is = if unheard == 1 { "cut is" } else { "cuts are" };
    format!("{unheard} {is} to be heard first and left out")
}

fn way_to_take(plan: &Plan, state: PlanState) -> String {
    let first = plan.changes.iter().find(|change| change.to_hear);
    let first = first.map(|change| change.id.as_str()).unwrap_or_default();
    let way = match state {
        PlanState::Waiting => format!("deskhand apply DIR {} --only {first}", plan.id),
        _ => "deskhand assemble tighten DIR".to_owned(),
    };
    format!("hear and take each with `{way}`, or all of them with --unheard")
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_to_be_heard_and_what_needs_it_is_not_taken_ahead() {
        let side = |length: i64| json!({"tracks": [], "at": 0, "length": length, "clips": {}});
        let cut = |id: &str, needs: &[&str], to_hear: bool| {
            json!({"id": id, "op": "ripple_delete", "target": "group_000000000001", "before": side(9),
                "after": side(0), "needs": needs, "to_hear": to_hear})
        };
        let changes = [
            cut("c1", &[], false),
            cut("c2", &[], true),
            cut("c3", &["c2"], false),
            cut("c4", &["c1"], false),
        ];
        let plan: Plan = serde_json::from_value(json!({
            "format": deskhand_session::plan::FORMAT, "id": "plan_0123456789ab", "digest": "", "tool": "tool_tighten",
            "params": {}, "session": "session_000000000001", "base_revision": 1, "summary": "", "changes": changes,
        }))
        .unwrap();
        assert_eq!(without_unheard(&plan), ["c4", "c1"]);
        let way = way_to_take(&plan, PlanState::Waiting);
        assert!(way.contains("`deskhand apply DIR plan_0123456789ab --only c2`"), "{way}");
        assert!(way_to_take(&plan, PlanState::Conflict).contains("assemble tighten"));
    }
}
