//! `deskhand plan` and `deskhand plans`: make a plan, list plans.

use super::data;
use super::serve::state_word;
use crate::desk::{Desk, no_plan};
use crate::exit::{Exit, Failure, for_terminal};
use crate::interrupt;
use crate::leave;
use crate::output::Output;
use crate::table;
use comfy_table::Cell;
use deskhand_protocol::{Apply, Decision, Status, ToolResult};
use deskhand_session::{
    Change, ObjectId, Plan, PlanId, PlanState, PlannedChange, Prediction, Receipt, Session,
    StoredPlan,
};
use serde_json::{Map, Value, json};
use std::path::Path;

/// Predictions that are shown; the rest is counted.
const PREDICTIONS: usize = 12;

/// Parameters from `--params` and `key=value` words; the words win.
pub(crate) fn parse(params: Option<&str>, values: &[String]) -> Result<Value, Failure> {
    let bad = |message: String| {
        Failure::new("bad_params", message, "see `deskhand tools TOOL` for the parameters")
    };
    let params = params.map(serde_json::from_str::<Map<String, Value>>).transpose();
    let params = params.map_err(|error| bad(format!("--params is not a JSON object: {error}")))?;
    let mut params = params.unwrap_or_default();
    for word in values {
        let (key, value) = word
            .split_once('=')
            .ok_or_else(|| bad(format!("\"{word}\" is not of the form key=value")))?;
        let value = serde_json::from_str(value).unwrap_or_else(|_| Value::String(value.into()));
        params.insert(key.into(), value);
    }
    Ok(Value::Object(params))
}

/// Runs a tool; its plan waits. A tool that reaches outside the session runs if the person allows it.
pub(crate) fn run(
    dir: &Path,
    (tool, params): (&str, Value),
    file: Option<&Path>,
    yes: bool,
    output: Output,
) -> Result<Exit, Failure> {
    let mut desk = Desk::open(dir, output)?;
    let result = leave::given(dir, &desk, (tool, &params), yes, output)
        .and_then(|()| desk.call(tool, params, Apply::Never))
        .and_then(|result| let_run(&mut desk, result, yes, output))
        .and_then(|result| unless_stopped(result, desk.session(), output));
    if let Ok(result) = &result {
        show(result, desk.session(), output);
    }
    let saved = match (&result, file) {
        (Ok(ToolResult { plan: Some(plan), .. }), Some(file)) => save(plan, file),
        _ => Ok(()),
    };
    desk.close()?;
    let result = result?;
    let exit = if call_that_waits(&result).is_some() { Exit::Decision } else { Exit::Done };
    saved.map(|()| exit)
}

/// The plan of a call that waits for leave to run.
fn call_that_waits(result: &ToolResult) -> Option<&Plan> {
    let plan = result.plan.as_deref().filter(|plan| plan.changes.is_empty());
    plan.filter(|_| result.status == Status::Waiting)
}

/// Runs a call that waits for permission, if the person gave it or gives it now.
fn let_run(
    desk: &mut Desk,
    result: ToolResult,
    yes: bool,
    output: Output,
) -> Result<ToolResult, Failure> {
    let Some(plan) = call_that_waits(&result) else {
        return Ok(result);
    };
    let asked = || output.can_ask() && output.ask(&format!("{}?", plan.summary));
    match yes || asked() {
        true => desk.decide(plan.id, Decision::Apply),
        false => Ok(result),
    }
}

/// After Ctrl-C, the findings until then wait as an incomplete plan, for a tool that shows its findings.
fn unless_stopped(
    result: ToolResult,
    session: &Session,
    output: Output,
) -> Result<ToolResult, Failure> {
    let made = result.plan.as_deref().filter(|plan| !plan.changes.is_empty());
    let Some(plan) = made.filter(|_| interrupt::was_pressed()) else { return Ok(result) };
    print(plan, session, output);
    Err(stopped(plan.id))
}

/// The failure of a call that Ctrl-C stopped while a part of its plan waits.
pub(crate) fn stopped(part: PlanId) -> Failure {
    let fix = format!(
        "`deskhand apply DIR {part}` applies them, `deskhand reject DIR {part}` rejects them; plan again for all"
    );
    let message = format!("stopped: the results so far wait as {part}");
    Failure::new("cancelled", message, fix).said("stopped: the results so far wait for you".into())
}

fn save(plan: &Plan, file: &Path) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(plan).unwrap_or_default();
    std::fs::write(file, text).map_err(|error| {
        let message = format!("the plan cannot be written to {}: {error}", file.display());
        Failure::new("write", message, "it is stored in the session: `deskhand plans DIR`")
    })
}

fn show(result: &ToolResult, session: &Session, output: Output) {
    match &result.plan {
        Some(plan) => {
            output.json(&with_found(plan, result));
            print(plan, session, output);
            if let Some(found) = found(result) {
                data::print(found, output);
            }
            if !plan.changes.is_empty() || result.status == Status::Waiting {
                print_waiting(plan, output);
            }
        }
        None => {
            output.json(&result.answer);
            output.say(&result.summary);
            warn_of_answer(result, output);
        }
    }
}

/// The answer of a tool, unless the plan's table shows it: a plan of cuts has a row for each.
pub(crate) fn found(result: &ToolResult) -> Option<&Value> {
    let is_told = result.plan.as_ref().is_some_and(|plan| plan.cuts().is_some());
    result.answer.as_ref().filter(|_| !is_told)
}

/// A plan as JSON, with the tool's answer as an extra field if it has both.
fn with_found(plan: &Plan, result: &ToolResult) -> Value {
    let mut value = json!(plan);
    if let Some(found) = &result.answer {
        value["answer"] = found.clone();
    }
    value
}

/// A plan for people: sentence, table, warnings, and what to type next.
pub(crate) fn print(plan: &Plan, session: &Session, output: Output) {
    output.say(&plan.summary);
    if plan.changes.is_empty() {
        return warnings(plan, output);
    }
    output.say(format!("\n{}", table::plan(output, plan, session)));
    let parts = crate::card::parts(plan);
    if !parts.is_empty() {
        output.say("\nparts; apply some of them with --only p1,p2:");
        parts.iter().for_each(|part| output.say(part));
    }
    say_to_hear(plan, output);
    if !plan.predicted.is_empty() {
        output.say("");
    }
    predictions(plan, session).iter().for_each(|line| output.say(line));
    warnings(plan, output);
}

/// Names the changes that need hearing first, and how to hear them. In JSON the plan contains this.
pub(crate) fn say_to_hear(plan: &Plan, output: Output) {
    let lines = crate::card::to_hear(plan);
    if !lines.is_empty() {
        output.say(format!("\n{}", lines.join("\n")));
    }
}

/// What a person should know of a plan; in JSON it is in the plan.
pub(crate) fn warnings(plan: &Plan, output: Output) {
    if !output.is_json() {
        for warning in &plan.warnings {
            output.warn(for_terminal(warning));
            let ways = crate::card::ways_out(plan, warning);
            ways.for_each(|way| output.note(format!("  {way}")));
        }
        plan.notes.iter().for_each(|note| output.note(note));
    }
}

/// The warnings of an answer; also printed with JSON, which holds only the answer.
pub(crate) fn warn_of_answer(result: &ToolResult, output: Output) {
    result.warnings.iter().for_each(|warning| output.warn(for_terminal(warning)));
}

/// What will be measured after applying.
pub(crate) fn predictions(plan: &Plan, session: &Session) -> Vec<String> {
    let line = |prediction: &Prediction| {
        format!(
            "  predicted: {} of {} {:.2} ± {} {}",
            prediction.measure.title(),
            name_in(plan, session, prediction.target),
            prediction.value,
            prediction.tolerance,
            prediction.unit,
        )
    };
    let mut lines: Vec<_> = plan.predicted.iter().take(PREDICTIONS).map(line).collect();
    let more = plan.predicted.len().saturating_sub(PREDICTIONS);
    if more > 0 {
        lines.push(format!("  and {more} more predictions"));
    }
    lines
}

/// The name of an object of the session, or of one that the plan makes.
fn name_in(plan: &Plan, session: &Session, id: ObjectId) -> String {
    let known = session.name_of(id);
    let made = plan.changes.iter().find(|planned| planned.change.target() == id);
    match made {
        Some(planned) if known == id.to_string() => planned.name.clone(),
        Some(_) | None => known,
    }
}

/// What to type next.
pub(crate) fn print_waiting(plan: &Plan, output: Output) {
    output.say(format!("\n{}", waiting(plan)));
}

/// What to type next.
pub(crate) fn waiting(plan: &Plan) -> String {
    let id = plan.id;
    format!("The plan waits for a decision: `deskhand apply DIR {id}`, or `reject`")
}

/// Lists plans with their states.
pub(crate) fn list(dir: &Path, output: Output) -> Result<Exit, Failure> {
    let mut desk = Desk::look(dir, output)?;
    let plans = desk.plans()?;
    output.json(&plans.iter().map(to_json).collect::<Vec<_>>());
    let shown: Vec<_> = plans.iter().filter(|stored| !is_selecting(stored)).cloned().collect();
    let none = shown.is_empty();
    output.say(if none { "no plans yet".into() } else { plans_table(&shown, output) });
    desk.close()?;
    Ok(Exit::Done)
}

/// Whether all it did was to select something: that is nothing to look up later.
fn is_selecting(stored: &StoredPlan) -> bool {
    let selects = |planned: &PlannedChange| matches!(planned.change, Change::SetSelection(_));
    let changes = &stored.plan.changes;
    !changes.is_empty() && changes.iter().all(selects) && stored.state != PlanState::Waiting
}

/// Plans, one a row.
pub(crate) fn plans_table(plans: &[StoredPlan], output: Output) -> String {
    let mut rows = table::new(output, &["plan", "state", "changes", "summary", "because"]);
    for stored in plans {
        rows.add_row([
            Cell::new(stored.plan.id),
            Cell::new(state_word(stored.state)),
            table::number(stored.plan.changes.len().to_string()),
            Cell::new(&stored.plan.summary),
            Cell::new(stored.reason.as_deref().unwrap_or_default()),
        ]);
    }
    rows.to_string()
}

/// Shows one plan completely, and its state.
pub(crate) fn one(dir: &Path, id: &str, output: Output) -> Result<Exit, Failure> {
    let mut desk = Desk::look(dir, output)?;
    let found = id.parse().map_err(|_| no_plan(id)).and_then(|id| desk.plan(id));
    let shown = found.map(|stored| {
        output.json(&to_json(&stored));
        print(&stored.plan, desk.session(), output);
        let because = stored.reason.as_deref().map(|why| format!(": {why}")).unwrap_or_default();
        output.say(format!("\nThe plan is {}{because}", state_word(stored.state)));
        let is_told = |it: &Receipt| !(it.measured.is_empty() && it.played.is_empty());
        if let Some(receipt) = stored.receipt.filter(is_told) {
            output.say(format!("\n{}", table::receipt(output, &receipt)));
            if receipt.plays_as_promised() == Some(false) {
                output.say(
                    "something before Deskhand in the signal chain has changed: measure again",
                );
            }
        }
    });
    desk.close()?;
    shown.map(|()| Exit::Done)
}

fn to_json(stored: &StoredPlan) -> Value {
    json!({
        "plan": stored.plan,
        "state": stored.state,
        "author": stored.author,
        "reason": stored.reason,
        "receipt": stored.receipt,
    })
}

/// The plan that `text` names: an id of a stored plan, or a file, which is then stored.
pub(crate) fn find(desk: &mut Desk, text: &str) -> Result<Plan, Failure> {
    if let Ok(id) = text.parse::<PlanId>() {
        return Ok(desk.plan(id)?.plan);
    }
    let plan = read(Path::new(text))?;
    if desk.only_looks() {
        return Ok(plan);
    }
    let result = desk.add_plan(plan)?;
    result.plan.map(|plan| *plan).ok_or_else(|| Failure::plain("invalid", result.summary))
}

fn read(file: &Path) -> Result<Plan, Failure> {
    let unreadable = |cause: &dyn std::fmt::Display| {
        let message =
            format!("{} is neither a plan id nor a readable file: {cause}", file.display());
        Failure::new("no_target", message, "list the plans with `deskhand plans DIR`")
    };
    // Check the file type before opening: opening a pipe would block, and a device has no end.
    let metadata = std::fs::metadata(file).map_err(|error| unreadable(&error))?;
    if !metadata.is_file() {
        return Err(unreadable(&"it is not a file"));
    }
    let text = std::fs::read_to_string(file).map_err(|error| unreadable(&error))?;
    Plan::from_json(&text)
        .map_err(|error| Failure::plain("bad_params", format!("{}: {error}", file.display())))
}
