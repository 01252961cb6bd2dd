//! A tool call: checked, planned on a worker, parked or applied.

use crate::bridge::{Bridge, now_ms};
use crate::front::Asker;
use crate::input::Input;
use crate::jobs::{Job, JobId, Work, panicked};
use crate::policy::{Verdict, may_run, shall_apply};
use deskhand_protocol::{Apply, News, Status, ToolResult};
use deskhand_session::plan::FORMAT;
use deskhand_session::tool_error::{Code, ToolError};
use deskhand_session::{Plan, PlanId};
use deskhand_toolkit::{CancelToken, Draft, Prepared, Request, Tool, registry};
use serde_json::Value;
use std::sync::Arc;

impl Bridge {
    /// Starts a call.
    pub(crate) fn call(&mut self, asker: Asker, tool: &str, params: Value, apply: Apply) {
        match self.prepare(asker, tool, &params) {
            Ok((tool, prepared)) => self.start(asker, &tool, prepared, params, apply),
            Err(error) => self.fail(asker, error),
        }
    }

    fn prepare(
        &self,
        asker: Asker,
        name: &str,
        params: &Value,
    ) -> Result<(Arc<dyn Tool>, Prepared), ToolError> {
        let tool = Arc::clone(self.parts.registry.get(name)?);
        if !may_run(self.authority_of(asker.connection), tool.spec().trust) {
            let message = format!("{name} reaches outside the session: a person has to call it");
            let fix = "ask the person to do it";
            return Err(ToolError::prepare(Code::DecisionNeeded, message, fix));
        }
        registry::validate(tool.as_ref(), params)?;
        let base = self.history.head();
        let prepared = tool.prepare(&Request {
            session: &self.session,
            base,
            params,
        })?;
        match self.busy_on(&prepared.targets) {
            Some(job) => Err(in_progress(job)),
            None => Ok((tool, prepared)),
        }
    }

    fn start(
        &mut self,
        asker: Asker,
        tool: &Arc<dyn Tool>,
        prepared: Prepared,
        params: Value,
        apply: Apply,
    ) {
        let id = self.next_job();
        let spec = tool.spec();
        let cancel = CancelToken::new(spec.timeout);
        let session = Arc::clone(&self.session);
        let context = self.context(id, session, spec.name, &params, cancel.clone());
        let base = self.history.head();
        let work = Work::Plan {
            params,
            base,
            trust: spec.trust,
            apply,
        };
        let Prepared { task, targets, .. } = prepared;
        self.jobs.insert(
            id,
            Job {
                asker,
                tool: spec.name.into(),
                targets,
                cancel,
                work,
            },
        );
        self.tell(
            asker.author,
            Some(asker),
            News::Planning {
                tool: spec.name.into(),
            },
        );
        let inbox = self.inbox.0.clone();
        self.parts.pool.submit(
            move || task.run(&context),
            move |outcome| {
                let outcome = outcome.unwrap_or_else(|message| Err(panicked(message)));
                drop(inbox.send(Input::Planned { job: id, outcome }));
            },
        );
    }

    /// Takes what a worker planned. A call that was cancelled or given up meanwhile gets nothing more.
    pub(crate) fn planned(&mut self, job: JobId, outcome: Result<Draft, ToolError>) {
        let Some(Job {
            asker,
            tool,
            work,
            cancel,
            ..
        }) = self.jobs.remove(&job)
        else {
            return;
        };
        let Work::Plan {
            params,
            base,
            trust,
            apply,
        } = work
        else {
            return;
        };
        let stopped = cancel.check().map_err(|stopped| stopped.with_finished(""));
        let draft = match outcome.and_then(|draft| stopped.map(|()| draft)) {
            Ok(draft) => draft,
            Err(error) => return self.fail(asker, error),
        };
        if draft.answer.is_some() {
            let result = ToolResult {
                answer: draft.answer,
                ..self.ok(draft.summary)
            };
            return self.answer(asker, result);
        }
        let plan = self.plan_of(draft, tool, params, base);
        if plan.changes.is_empty() {
            return self.answer_empty(asker, plan);
        }
        let authority = self.authority_of(asker.connection);
        let id = self.park(
            asker,
            plan,
            shall_apply(authority, trust, apply) == Verdict::Wait,
        );
        if shall_apply(authority, trust, apply) == Verdict::Apply {
            self.apply(asker, id, Vec::new());
        }
    }

    fn plan_of(
        &self,
        draft: Draft,
        tool: String,
        params: Value,
        base: deskhand_session::RevisionId,
    ) -> Plan {
        Plan {
            format: FORMAT.into(),
            id: PlanId::new(0),
            digest: String::new(),
            tool,
            params,
            session: self.session.id,
            base_revision: base,
            summary: draft.summary,
            changes: draft.changes,
            reads: draft.reads,
            findings: draft.findings,
            predicted: draft.predicted,
            artifacts: draft.artifacts,
            warnings: draft.warnings,
            derived_from: None,
        }
    }

    /// A plan without changes is an answer: there is nothing to decide and nothing to store.
    fn answer_empty(&mut self, asker: Asker, plan: Plan) {
        let plan = plan.sealed();
        let result = ToolResult::new(Status::Planned, plan.summary.clone(), self.history.head());
        self.answer(
            asker,
            ToolResult {
                plan: Some(Box::new(plan)),
                ..result
            },
        );
    }

    /// Keeps a plan as waiting. With `ask` the submission is answered once it is stored.
    pub(crate) fn park(&mut self, asker: Asker, plan: Plan, ask: bool) -> PlanId {
        let (id, event) = self.plans.add(plan, asker.author, now_ms());
        let answer = ask.then(|| self.waiting(id)).flatten();
        self.commit_plan(asker, id, event, answer);
        id
    }

    /// The result of a plan that waits.
    pub(crate) fn waiting(&self, id: PlanId) -> Option<ToolResult> {
        let plan = &self.plans.get(id)?.plan;
        let result = ToolResult::new(Status::Waiting, plan.summary.clone(), self.history.head());
        Some(ToolResult {
            plan: Some(Box::new(plan.clone())),
            ..result
        })
    }
}

fn in_progress(job: &Job) -> ToolError {
    let who = match job.asker.author {
        deskhand_session::Author::User => "you",
        deskhand_session::Author::Agent => "the agent",
        deskhand_session::Author::Host => "the host",
        deskhand_session::Author::Capture => "a recording",
    };
    let message = format!(
        "already in progress: {} by {who} on the same targets",
        job.tool
    );
    ToolError::prepare(Code::InProgress, message, "wait for it, or cancel it")
}
