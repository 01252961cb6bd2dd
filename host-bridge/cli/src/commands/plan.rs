//! `deskhand plan` and `deskhand plans`: make a plan, list plans.

use crate::desk::Desk;
use crate::exit::{Exit, Failure};
use crate::output::Output;
use crate::table;
use comfy_table::Cell;
use deskhand_protocol::{Apply, ToolResult};
use deskhand_session::{Plan, PlanId, PlanState, Session, StoredPlan};
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
    let params = params.map_err(|error| bad(format!("--params is no JSON object: {error}")))?;
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

/// Has a tool plan; the plan waits.
pub(crate) fn run(
    dir: &Path,
    tool: &str,
    params: Value,
    file: Option<&Path>,
    output: Output,
) -> Result<Exit, Failure> {
    let mut desk = Desk::open(dir, output)?;
    let result = desk.call(tool, params, Apply::Never);
    if let Ok(result) = &result {
        show(result, desk.bridge.session(), output);
    }
    let saved = match (&result, file) {
        (Ok(ToolResult { plan: Some(plan), .. }), Some(file)) => save(plan, file),
        _ => Ok(()),
    };
    desk.close()?;
    result?;
    saved.map(|()| Exit::Done)
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
            output.json(plan);
            print(plan, session, output);
            if !plan.changes.is_empty() {
                print_waiting(plan, output);
            }
        }
        None => {
            output.json(&result.answer);
            output.say(&result.summary);
        }
    }
}

/// A plan for people: sentence, table, warnings, and what to type next.
pub(crate) fn print(plan: &Plan, session: &Session, output: Output) {
    output.say(&plan.summary);
    if plan.changes.is_empty() {
        return;
    }
    output.say(format!("\n{}", table::plan(output, plan, session)));
    print_predictions(plan, session, output);
    if !output.is_json() {
        plan.warnings.iter().for_each(|warning| output.warn(warning));
    }
}

/// What will be measured after applying.
fn print_predictions(plan: &Plan, session: &Session, output: Output) {
    if !plan.predicted.is_empty() {
        output.say("");
    }
    for prediction in plan.predicted.iter().take(PREDICTIONS) {
        output.say(format!(
            "  predicted: {} of {} {:.2} ± {} {}",
            prediction.measure.title(),
            session.name_of(prediction.target),
            prediction.value,
            prediction.tolerance,
            prediction.unit,
        ));
    }
    let more = plan.predicted.len().saturating_sub(PREDICTIONS);
    if more > 0 {
        output.say(format!("  and {more} more predictions"));
    }
}

/// What to type next.
pub(crate) fn print_waiting(plan: &Plan, output: Output) {
    output
        .say(format!("\n{} waits for a decision: `deskhand apply` or `deskhand reject`", plan.id));
}

/// Lists plans with their states.
pub(crate) fn list(dir: &Path, output: Output) -> Result<Exit, Failure> {
    let desk = Desk::open(dir, output)?;
    let plans: Vec<_> = desk.bridge.plans().iter().map(to_json).collect();
    output.json(&plans);
    let mut rows = table::new(output, &["plan", "state", "changes", "summary", "because"]);
    for stored in desk.bridge.plans() {
        rows.add_row([
            Cell::new(stored.plan.id),
            Cell::new(state(stored.state)),
            table::number(stored.plan.changes.len().to_string()),
            Cell::new(&stored.plan.summary),
            Cell::new(stored.reason.as_deref().unwrap_or_default()),
        ]);
    }
    let none = desk.bridge.plans().is_empty();
    output.say(if none { "no plans yet".into() } else { rows.to_string() });
    desk.close()?;
    Ok(Exit::Done)
}

/// Shows one plan whole, and what became of it.
pub(crate) fn one(dir: &Path, id: &str, output: Output) -> Result<Exit, Failure> {
    let desk = Desk::open(dir, output)?;
    let found = desk.bridge.plans().iter().find(|stored| stored.plan.id.to_string() == id);
    let shown = found.map(|stored| {
        output.json(&to_json(stored));
        print(&stored.plan, desk.bridge.session(), output);
        let because = stored.reason.as_deref().map(|why| format!(": {why}")).unwrap_or_default();
        output.say(format!("\n{id} is {}{because}", state(stored.state)));
    });
    desk.close()?;
    let fix = "list them with `deskhand plans DIR`";
    let missing = || Failure::new("no_target", format!("there is no {id} in this session"), fix);
    shown.map(|()| Exit::Done).ok_or_else(missing)
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

fn state(state: PlanState) -> String {
    let value = serde_json::to_value(state).unwrap_or_default();
    value.as_str().unwrap_or_default().replace('_', " ")
}

/// The plan that `text` names: an id of a stored plan, or a file, which is then stored.
pub(crate) fn find(desk: &mut Desk, text: &str) -> Result<Plan, Failure> {
    if let Ok(id) = text.parse::<PlanId>() {
        let stored = desk.bridge.plans().iter().find(|stored| stored.plan.id == id);
        return stored.map(|stored| stored.plan.clone()).ok_or_else(|| {
            let fix = "list them with `deskhand plans DIR`";
            Failure::new("no_target", format!("there is no {id} in this session"), fix)
        });
    }
    let plan = read(Path::new(text))?;
    let result = desk.add_plan(plan)?;
    result.plan.map(|plan| *plan).ok_or_else(|| Failure::plain("invalid", result.summary))
}

fn read(file: &Path) -> Result<Plan, Failure> {
    let text = std::fs::read_to_string(file).map_err(|error| {
        let message =
            format!("{} is neither a plan id nor a readable file: {error}", file.display());
        Failure::new("no_target", message, "list the plans with `deskhand plans DIR`")
    })?;
    Plan::from_json(&text)
        .map_err(|error| Failure::plain("bad_params", format!("{}: {error}", file.display())))
}
