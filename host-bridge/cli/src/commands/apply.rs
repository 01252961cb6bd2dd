//! `deskhand apply` and `deskhand reject`: a person's decisions.

use super::plan::{find, print, print_waiting, say_to_hear, warn_of_answer};
use crate::advance_approval::{self, Ahead};
use crate::card::{is_part, value_edit};
use crate::desk::Desk;
use crate::exit::{Exit, Failure};
use crate::leave;
use crate::output::Output;
use crate::table;
use deskhand_protocol::{Apply, Decision, Status, ToolResult};
use deskhand_session::plan::ValueEdit;
use deskhand_session::{Measured, Plan, PlanState, Receipt, Session};
use serde_json::{Value, json};
use std::path::Path;

/// The part of a plan to take.
pub(crate) struct Taken {
    pub(crate) only: Option<Vec<String>>,
    pub(crate) set: Vec<String>,
    pub(crate) ahead: Ahead,
}

/// The decided plan and the result.
struct Done {
    plan: Plan,
    result: ToolResult,
    /// The note about parts left out because a person must hear them first.
    left: Option<String>,
}

/// Applies a plan, or a part of it.
pub(crate) fn run(
    dir: &Path,
    plan: Option<&str>,
    taken: Taken,
    output: Output,
) -> Result<Exit, Failure> {
    let ahead = taken.ahead;
    let parts = parts(&taken)?;
    let decision = if parts.is_some() { Decision::Apply } else { decision(taken)? };
    let mut desk = Desk::open(dir, output)?;
    let chosen = named(&mut desk, plan).and_then(|plan| match parts {
        Some(parts) => narrowed(dir, &mut desk, (&plan, &parts), ahead, output),
        None => Ok(plan),
    });
    let done = chosen.and_then(|plan| decide(&mut desk, plan, decision, ahead, output));
    if let Ok(done) = &done {
        show(done, desk.session(), output);
        desk.draw_made(&done.plan, output);
    }
    desk.close()?;
    done.map(|done| exit(&done.result))
}

fn decide(
    desk: &mut Desk,
    plan: Plan,
    decision: Decision,
    ahead: Ahead,
    output: Output,
) -> Result<Done, Failure> {
    if ahead.yes {
        say_to_hear(&plan, output);
    } else {
        confirm(&plan, desk, output)?;
    }
    let (result, left) = advance_approval::take(desk, &plan, ahead, decision)?;
    Ok(Done { plan, result, left })
}

/// The parts to apply, if `only` names parts. Their plan has new changes that nobody has seen yet. A value
/// for a change of the whole plan would apply to another change.
fn parts(taken: &Taken) -> Result<Option<Vec<String>>, Failure> {
    let only = taken.only.as_ref().filter(|only| only.iter().any(|id| is_part(id)));
    if only.is_some() && !taken.set.is_empty() {
        let message =
            "--set does not go with parts: Deskhand plans the parts again, with other changes";
        let fix = "first apply the parts without --yes, then use --set on the plan that waits";
        return Err(Failure::new("bad_params", message, fix));
    }
    Ok(only.cloned())
}

/// The plan of some parts of `plan` alone, which takes its place.
fn narrowed(
    dir: &Path,
    desk: &mut Desk,
    (plan, parts): (&Plan, &[String]),
    ahead: Ahead,
    output: Output,
) -> Result<Plan, Failure> {
    let fix = format!(
        "list the parts with `deskhand plans DIR {}`; name parts or changes, not both",
        plan.id
    );
    let narrowed = plan.narrowed(parts);
    let narrowed = narrowed.map_err(|error| Failure::new("bad_params", error.to_string(), fix))?;
    leave::given(dir, desk, (&plan.tool, &narrowed.params), ahead.yes, output)?;
    let result = desk.call(&plan.tool, narrowed.params, Apply::Never)?;
    let Some(made) = result.plan.filter(|made| !made.changes.is_empty()) else {
        return Err(Failure::new("no_target", result.summary, "plan again"));
    };
    if let Err(error) = desk.decide(plan.id, Decision::Reject { reason: narrowed.reason }) {
        // It was decided already: nothing of it should wait.
        let reason = format!("{} was decided already", plan.id);
        desk.decide(made.id, Decision::Reject { reason })?;
        return Err(error);
    }
    Ok(*made)
}

/// The plan of that name, or the only one that waits.
fn named(desk: &mut Desk, plan: Option<&str>) -> Result<Plan, Failure> {
    if let Some(plan) = plan {
        return find(desk, plan);
    }
    let mut plans = desk.plans()?;
    plans.retain(|stored| stored.state == PlanState::Waiting);
    let fix = "name a plan from `deskhand plans DIR`";
    match plans.len() {
        0 => Err(Failure::new(
            "no_target",
            "no plan waits",
            "make a plan: see `deskhand plan --help`",
        )),
        1 => Ok(plans.remove(0).plan),
        number => Err(Failure::new("no_target", format!("{number} plans wait"), fix)),
    }
}

/// Shows a plan and asks; where nobody can be asked, that is the answer.
fn confirm(plan: &Plan, desk: &Desk, output: Output) -> Result<(), Failure> {
    if !output.can_ask() {
        let message = format!("{} waits for a person's decision", plan.id);
        let said = format!("\"{}\" waits for a person's decision", plan.summary);
        let failure =
            Failure::decision(message, "add --yes, or decide on a terminal. Nothing was changed.");
        return Err(failure.said(said));
    }
    print(plan, desk.session(), output);
    if output.ask("Apply it?") {
        return Ok(());
    }
    let fix =
        format!("the plan still waits; to reject it: `deskhand reject DIR {} --reason …`", plan.id);
    Err(Failure::decision("not applied", fix))
}

fn decision(taken: Taken) -> Result<Decision, Failure> {
    let Taken { only, set, .. } = taken;
    let set = set.iter().map(|text| edit(text)).collect::<Result<Vec<_>, _>>()?;
    if only.is_none() && set.is_empty() {
        return Ok(Decision::Apply);
    }
    Ok(Decision::ApplyPart { only, set })
}

fn edit(text: &str) -> Result<ValueEdit, Failure> {
    value_edit(text).ok_or_else(|| {
        let message = format!("--set {text} is not of the form c1=VALUE");
        Failure::new("bad_params", message, "write --set c1=-2.5")
    })
}

/// The receipt in the shape of `apply --json`.
pub(crate) fn receipt_json(receipt: &Receipt) -> Value {
    let measured: Vec<_> = receipt.measured.iter().map(measured_json).collect();
    let mut told = json!({
        "revision": receipt.revision, "plan": receipt.plan, "state": receipt.state,
        "applied": receipt.applied, "skipped": receipt.skipped, "measured": measured,
        "rolled_back": receipt.rolled_back, "undo_label": receipt.undo_label,
    });
    if let Some(landed) = &receipt.landed {
        told["landed"] = json!(landed);
    }
    if !receipt.played.is_empty() {
        told["played"] = receipt.played.iter().map(|it| measured_json(&it.measured)).collect();
    }
    told
}

fn measured_json(m: &Measured) -> Value {
    json!({
        "target": m.target, "measure": m.measure, "predicted": m.predicted,
        "measured": m.measured, "tolerance": m.tolerance, "within": m.within,
    })
}

/// A receipt for people.
pub(crate) fn print_receipt(result: &ToolResult, receipt: &Receipt, output: Output) {
    let verb = if receipt.rolled_back { "rolled back" } else { "applied" };
    output.say(format!("{verb}, revision {}: {}", receipt.revision, result.summary));
    if let Some(rule) = &receipt.rule {
        output.say(format!("your rule \"{rule}\" applied the plan without asking"));
    }
    if let Some(landed) = &receipt.landed {
        output.say(landed.words());
    }
    if !receipt.measured.is_empty() {
        output.say(format!("\n{}\n", table::receipt(output, receipt)));
    }
    if !receipt.skipped.is_empty() {
        output.say(format!("left out: {}", receipt.skipped.join(", ")));
    }
}

fn show(Done { result, left, .. }: &Done, session: &Session, output: Output) {
    match (&result.receipt, &result.plan) {
        (Some(receipt), _) => {
            let mut told = receipt_json(receipt);
            if left.is_some() {
                told["warnings"] = json!(result.warnings);
            }
            output.json(&told);
            print_receipt(result, receipt, output);
            left.iter().for_each(|left| output.warn(left));
        }
        // A call that was let run: what it planned waits in its turn, or it is done.
        (None, Some(plan)) if result.status == Status::Waiting => {
            output.json(result);
            print(plan, session, output);
            print_waiting(plan, output);
        }
        (None, _) => {
            output.json(result);
            output.say(&result.summary);
            warn_of_answer(result, output);
        }
    }
}

/// How a decision ends for the shell.
pub(crate) fn exit(result: &ToolResult) -> Exit {
    match result.status {
        Status::RolledBack | Status::Error => Exit::Failed,
        Status::Conflict => Exit::Conflict,
        Status::Waiting | Status::Running => Exit::Decision,
        Status::Ok | Status::Planned | Status::Applied | Status::Rejected => Exit::Done,
    }
}

/// Rejects a plan with a reason.
pub(crate) fn reject(
    dir: &Path,
    plan: Option<&str>,
    reason: String,
    output: Output,
) -> Result<Exit, Failure> {
    let mut desk = Desk::open(dir, output)?;
    let rejecting = Decision::Reject { reason: reason.clone() };
    let result = named(&mut desk, plan).and_then(|plan| {
        desk.decide(plan.id, rejecting)?;
        Ok(plan)
    });
    if let Ok(plan) = &result {
        output.json(&json!({"plan": plan.id, "state": "rejected", "reason": reason}));
        let summary = &plan.summary;
        output.say(format!("rejected \"{summary}\"; the plan is kept with the reason"));
    }
    desk.close()?;
    result.map(|_| Exit::Done)
}
