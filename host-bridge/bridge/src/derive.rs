//! Taking a part of a plan, or editing a value: the part becomes a plan of its own, predicted anew.

use crate::bridge::Bridge;
use crate::decide::apply_error;
use crate::front::Asker;
use crate::input::Input;
use crate::jobs::{Job, JobId, Work, panicked};
use deskhand_session::plan::ValueEdit;
use deskhand_session::tool_error::{Code, ToolError};
use deskhand_session::{Plan, PlanId, Prediction, Verify};
use deskhand_toolkit::levels::level_of;
use deskhand_toolkit::{CancelToken, PlanContext};
use std::sync::Arc;
use std::time::Duration;

/// Measuring a whole session again may take this long.
pub(crate) const MEASURING: Duration = Duration::from_secs(1_800);

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
        let all = || {
            plan.changes
                .iter()
                .map(|change| change.id.clone())
                .collect::<Vec<_>>()
        };
        let derived = plan
            .closure(&only.unwrap_or_else(all))
            .and_then(|ids| Ok((plan.derived(&ids, edits)?, ids)));
        let (part, ids) = match derived {
            Ok(derived) => derived,
            Err(error) => {
                let fix = "see the plan's changes with `deskhand plans DIR`";
                return self.fail(asker, apply_error(Code::BadParams, error.to_string(), fix));
            }
        };
        let skipped = all().into_iter().filter(|id| !ids.contains(id)).collect();
        self.predict(asker, plan, part, skipped);
    }

    fn predict(&mut self, asker: Asker, whole: Plan, part: Plan, skipped: Vec<String>) {
        let id = self.next_job();
        let cancel = CancelToken::new(MEASURING);
        let session = Arc::clone(&self.session);
        let context = self.context(id, session, "derive", &part.params, cancel.clone());
        let work = Work::Derive { skipped };
        let tool = part.tool.clone();
        self.jobs.insert(
            id,
            Job {
                asker,
                tool,
                targets: Vec::new(),
                cancel,
                work,
            },
        );
        let inbox = self.inbox.0.clone();
        self.parts.pool.submit(
            move || predicted_anew(&context, &whole, part),
            move |outcome| {
                let outcome = outcome.unwrap_or_else(|message| Err(panicked(message)));
                drop(inbox.send(Input::Derived {
                    job: id,
                    outcome: outcome.map(Box::new),
                }));
            },
        );
    }

    /// Takes the derived plan, keeps it and applies it: the decision was made with the part.
    pub(crate) fn derived(&mut self, job: JobId, outcome: Result<Box<Plan>, ToolError>) {
        let Some(Job {
            asker,
            work: Work::Derive { skipped },
            ..
        }) = self.jobs.remove(&job)
        else {
            return;
        };
        match outcome {
            Ok(plan) => {
                let id = self.park(asker, *plan, false);
                self.apply(asker, id, skipped);
            }
            Err(error) => self.fail(asker, error),
        }
    }
}

/// Measures what the dropped predictions of `whole` become with `part` applied. A part that does not
/// fit the session is left as it is: applying it says what conflicts.
fn predicted_anew(context: &PlanContext, whole: &Plan, mut part: Plan) -> Result<Plan, ToolError> {
    let Ok(after) = part.applied_to(&context.session) else {
        return Ok(part);
    };
    let kept: Vec<_> = part
        .predicted
        .iter()
        .map(|p| (p.target, p.measure))
        .collect();
    let dropped = whole
        .predicted
        .iter()
        .filter(|p| !kept.contains(&(p.target, p.measure)));
    for old in dropped {
        let from: Vec<String> = old
            .from
            .iter()
            .filter(|id| part.changes.iter().any(|change| change.id == **id))
            .cloned()
            .collect();
        if from.is_empty() || old.verify != Verify::Now {
            continue;
        }
        let levels = context.levels_in(&after, old.target)?;
        if let Some(value) = level_of(&levels, old.measure) {
            let value = (value * 100.0).round() / 100.0;
            part.predicted.push(Prediction {
                value,
                from,
                ..old.clone()
            });
        }
    }
    Ok(part)
}
