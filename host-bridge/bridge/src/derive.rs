//! Takes a part of a plan, or edits a value. The part becomes a plan of its own with new predictions.

use crate::bridge::Bridge;
use crate::errors::apply_error;
use crate::ids::{Asker, JobId};
use crate::input::Input;
use crate::jobs::{Job, Work};
use crate::parents::Taken;
use deskhand_session::plan::ValueEdit;
use deskhand_session::tool_error::{Code, ToolError};
use deskhand_session::{Plan, PlanId, PlanState, Prediction};
use deskhand_toolkit::PlanContext;
use deskhand_toolkit::levels::level_of;

impl Bridge {
    /// Starts to derive a part of a plan and to predict it.
    pub(crate) fn derive(
        &mut self,
        asker: Asker,
        id: PlanId,
        only: Option<Vec<String>>,
        edits: &[ValueEdit],
    ) {
        let Some(plan) = self.plans.get(id).map(|stored| stored.plan.clone()) else {
            return;
        };
        match part_of(&plan, &self.plans.taken_of(id), only, edits) {
            Ok((part, skipped)) => {
                let part = self.plans.beside_parts(part, id, &self.commits.session);
                self.predict(asker, plan, part, skipped);
            }
            Err(message) => {
                let fix = "see the plan's changes with `deskhand plans DIR`";
                self.fail(asker, apply_error(Code::BadParams, message, fix));
            }
        }
    }

    fn predict(&mut self, asker: Asker, whole: Plan, part: Plan, skipped: Vec<String>) {
        let job = Job::new(asker, &part.tool, Work::Derive { skipped });
        self.run(
            job,
            move |context| predicted_anew(&context, &whole, part).map(Box::new),
            |job, outcome| Input::Derived { job, outcome },
        );
    }

    /// Takes the derived plan, keeps it and applies it: the decision was made with the part.
    pub(crate) fn derived(&mut self, job: JobId, outcome: Result<Box<Plan>, ToolError>) {
        let Some(Job { asker, work: Work::Derive { skipped }, cancel, .. }) = self.jobs.remove(job)
        else {
            return;
        };
        let stopped = cancel.check().map_err(|stopped| stopped.with_finished(""));
        match outcome.and_then(|plan| stopped.map(|()| plan)) {
            Ok(plan) => match self.rejected_whole(&plan) {
                Some(whole) => {
                    let message = format!("{whole} was rejected while a part of it was taken");
                    self.fail(asker, apply_error(Code::Refused, message, "plan again"));
                }
                None => drop(self.park_and_apply(asker, *plan, skipped)),
            },
            Err(error) => self.fail(asker, error),
        }
    }

    /// The plan that a part belongs to, if that was rejected: its files are gone by now.
    fn rejected_whole(&self, part: &Plan) -> Option<PlanId> {
        let whole = part.derived_from.and_then(|id| self.plans.get(id));
        whole.filter(|it| it.state == PlanState::Rejected).map(|it| it.plan.id)
    }
}

/// The taken part of `plan`, with its edits, and the ids of the changes left out. Changes that are applied
/// already are not taken again.
fn part_of(
    plan: &Plan,
    taken: &Taken,
    only: Option<Vec<String>>,
    edits: &[ValueEdit],
) -> Result<(Plan, Vec<String>), String> {
    let all: Vec<String> = plan.changes.iter().map(|c| c.id.clone()).collect();
    let ids = plan.closure(&only.unwrap_or_else(|| all.clone()));
    let mut ids = ids.map_err(|error| error.to_string())?;
    let asked = ids.len();
    ids.retain(|id| !taken.contains(id));
    if ids.is_empty() && asked > 0 {
        return Err("all of that was taken already".into());
    }
    let part = plan.derived(&ids, edits).map_err(|error| error.to_string())?;
    if ids.is_empty() {
        return Err("no change was chosen".into());
    }
    if let Some(edit) = edits.iter().find(|edit| !ids.contains(&edit.change)) {
        let id = &edit.change;
        return Err(format!("{id} is given a value, but is not among the changes to take"));
    }
    let skipped = all.into_iter().filter(|id| !ids.contains(id)).collect();
    Ok((part, skipped))
}

/// Measures the dropped predictions of `whole` with `part` applied. A part that does not fit the session is
/// unchanged: applying it reports the conflict.
fn predicted_anew(context: &PlanContext, whole: &Plan, mut part: Plan) -> Result<Plan, ToolError> {
    let Ok(after) = part.applied_to(&context.session) else {
        return Ok(part);
    };
    let kept: Vec<_> = part.predicted.iter().map(|p| (p.target, p.measure)).collect();
    let dropped = whole.predicted.iter().filter(|p| !kept.contains(&(p.target, p.measure)));
    for old in dropped {
        let from: Vec<String> = old
            .from
            .iter()
            .filter(|id| part.changes.iter().any(|change| change.id == **id))
            .cloned()
            .collect();
        if from.is_empty() {
            continue;
        }
        let levels = context.levels_in(&after, old.target)?;
        if let Some(value) = level_of(&levels, old.measure) {
            let value = (value * 100.0).round() / 100.0;
            part.predicted.push(Prediction { value, from, ..old.clone() });
        }
    }
    Ok(part)
}
