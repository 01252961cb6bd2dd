//! A tool call: checked, planned on a worker, parked or applied.

use crate::bridge::Bridge;
use crate::commits::Then;
use crate::errors::{apply_error, caught, panicked};
use crate::group_offer::note_recorded;
use crate::house::{self, Found};
use crate::ids::{Asker, JobId};
use crate::input::Input;
use crate::jobs::{Job, Leave, Work};
use crate::permission::Outcome;
use crate::policy::{Authority, Verdict};
use crate::programs::trust_of_plan;
use crate::progress::remains;
use deskhand_protocol::{Apply, News, Status, ToolResult};
use deskhand_session::plan::{FORMAT, Refusal};
use deskhand_session::tool_error::{Code, ToolError};
use deskhand_session::{Author, Plan, PlanId};
use deskhand_toolkit::{
    CancelToken, Draft, PlanContext, Prepared, Request, Tool, ToolSpec, Trust, registry,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

impl Bridge {
    /// Starts a call.
    pub(crate) fn call(&mut self, asker: Asker, tool: &str, params: Value, apply: Apply) {
        // Rules are for the name of a tool, whatever it is called.
        let tool = house::by_its_name(tool);
        let called = match self.found(asker, tool, &params) {
            Ok(Found::House(house)) => self.call_house(asker, house, params, apply),
            Ok(Found::Planning(planning)) => {
                let params = self.on_hosts().with_heard_gains(planning.spec(), params);
                let called = self.call_planning(asker, planning.as_ref(), params.clone(), apply);
                called.map_err(|error| {
                    let taken_in = self.tracks_being_taken_in();
                    self.on_hosts().with_way_to_record(tool, &params, &taken_in, error)
                })
            }
            Err(error) => Err(error),
        };
        self.fail_if(asker, called);
    }

    fn call_planning(
        &mut self,
        asker: Asker,
        tool: &dyn Tool,
        params: Value,
        apply: Apply,
    ) -> Result<(), ToolError> {
        let prepared = self.prepare(asker, tool, &params)?;
        match self.reason_to_ask(asker, tool.spec(), &prepared) {
            Some(why) => self.park_call(asker, tool.spec(), params, why),
            None => {
                let leave = self.leave_of(asker, tool.spec().name, &params);
                self.start(asker, tool.spec(), prepared, params, apply, leave);
            }
        }
        Ok(())
    }

    /// The tool of that name, if the asker may call it and its parameters fit.
    pub(crate) fn found(
        &self,
        asker: Asker,
        name: &str,
        params: &Value,
    ) -> Result<Found, ToolError> {
        let found = house::find(&self.registry, name)?;
        if self.authority_of(asker.connection) != Authority::Person
            && self.permissions.policy.is_denied(name)
        {
            let message = format!("{name} is denied by a rule of the person's");
            return Err(ToolError::prepare(
                Code::Refused,
                message,
                "do it another way, or ask the person",
            ));
        }
        registry::validate_for(found.spec(), params)?;
        Ok(found)
    }

    /// Prepares a call of a tool that plans.
    pub(crate) fn prepare(
        &self,
        asker: Asker,
        tool: &dyn Tool,
        params: &Value,
    ) -> Result<Prepared, ToolError> {
        self.permissions.admit_program(tool)?;
        let base = self.commits.history.head();
        let request = Request { session: &self.commits.session, base, params };
        let prepared = catch_unwind(AssertUnwindSafe(|| tool.prepare(&request)));
        let prepared = prepared.unwrap_or_else(|payload| Err(panicked(panic_message(payload))))?;
        self.permissions.admit_network(tool.spec(), prepared.network)?;
        match self.jobs.busy_on(&prepared.targets) {
            Some(job) => Err(in_progress(job, asker)),
            None => Ok(prepared),
        }
    }

    pub(crate) fn start(
        &mut self,
        asker: Asker,
        spec: &ToolSpec,
        prepared: Prepared,
        params: Value,
        apply: Apply,
        leave: Leave,
    ) {
        let id = self.jobs.next_id();
        let cancel = CancelToken::waiting(spec.timeout);
        let so_far = Arc::new(self.jobs.progress(id));
        let base = self.commits.history.head();
        // Only a person may import from elsewhere, whatever the rules say.
        let trust = match self.outside(&prepared) {
            Some(_) => Trust::Require,
            None => prepared.trust.unwrap_or_else(|| trust_of_plan(&self.registry, spec)),
        };
        let Prepared { task, targets, .. } = prepared;
        let context = self.context(id, &cancel, spec.name, &params);
        let progress = Arc::clone(&so_far) as Arc<_>;
        let context = PlanContext { author: self.coder_of(asker), progress, ..context };
        let work = Work::Plan { params, base, trust, apply, leave, so_far };
        let job = Job { asker, tool: spec.name.to_owned(), targets, cancel, work };
        self.tell(asker.author, Some(asker), News::Planning { tool: job.tool.clone() });
        let run = move || {
            context.check()?;
            task.run(&context).and_then(writable)
        };
        let input = |job, outcome| Input::Planned { job, outcome: caught(outcome) };
        self.jobs.run(id, job, run, input);
    }

    /// The coder of a call. If the person's words are turned into calls without a model, the person is the
    /// coder. The connection still decides what is allowed.
    fn coder_of(&self, asker: Asker) -> Author {
        let is_of_talk = self.authority_of(asker.connection) == Authority::Conversation;
        if is_of_talk && self.conversation.is_unaided() { Author::User } else { asker.author }
    }

    /// Takes a worker's plan. A call that was cancelled or given up in the meantime gets no further
    /// message.
    pub(crate) fn planned(&mut self, job: JobId, outcome: Result<Draft, ToolError>) {
        let Some(Job { asker, tool, work, cancel, .. }) = self.jobs.remove(job) else {
            return self.discard(outcome);
        };
        let Work::Plan { params, base, trust, apply, leave, so_far } = work else {
            return self.discard(outcome);
        };
        let taken_in = self.tracks_being_taken_in();
        let mut draft = match self.in_time(outcome, &cancel) {
            Ok(draft) => draft,
            Err(error) => match remains(&error, trust, &so_far) {
                Some(draft) => draft,
                None => {
                    let error =
                        self.on_hosts().with_way_to_record(&tool, &params, &taken_in, error);
                    self.settle_leave(asker, leave, Outcome::Failed(error.to_string()));
                    return self.fail(asker, error);
                }
            },
        };
        self.on_hosts().remark_unrecorded(&tool, &params, &taken_in, &mut draft);
        if draft.changes.is_empty() {
            self.settle_leave(asker, leave, Outcome::Done(with_warnings(&draft)));
        }
        if let (Some(_), true) = (&draft.answer, draft.changes.is_empty()) {
            let Draft { answer, warnings, summary, .. } = draft;
            return self.answer(asker, ToolResult { answer, warnings, ..self.ok(summary) });
        }
        let found = draft.answer.clone();
        let plan = self.plan_of(draft, tool, params, base);
        if plan.changes.is_empty() {
            return self.answer_empty(asker, plan);
        }
        if let Some(found) = found {
            self.connections.keep_value(asker, found);
        }
        let (known, summary) = (self.plans.all().len(), plan.summary.clone());
        self.apply_or_park(asker, plan, trust, apply);
        let made = self.plans.all().get(known).map(|stored| Outcome::Made(stored.plan.id));
        let failed = || Outcome::Failed(format!("what it planned cannot be applied: {summary}"));
        self.settle_leave(asker, leave, made.unwrap_or_else(failed));
    }

    /// The worker's draft, unless the call was stopped in the meantime.
    fn in_time(
        &self,
        outcome: Result<Draft, ToolError>,
        cancel: &CancelToken,
    ) -> Result<Draft, ToolError> {
        match (outcome, cancel.check()) {
            (Ok(draft), Err(stopped)) => {
                self.discard(Ok(draft));
                Err(stopped.with_finished(""))
            }
            (outcome, Ok(()) | Err(_)) => outcome,
        }
    }

    /// The second question, asked on the measured plan.
    fn apply_or_park(&mut self, asker: Asker, plan: Plan, trust: Trust, apply: Apply) {
        let authority = self.authority_of(asker.connection);
        let is_decided = authority == Authority::Person && apply == Apply::Now;
        match self.permissions.policy.shall_apply_plan(authority, &plan, trust, apply) {
            Verdict::Apply if !is_decided && plan.changes.iter().any(|it| it.to_hear) => {
                self.apply_heard(asker, plan);
            }
            Verdict::Apply => {
                if asker.author == Author::Agent {
                    let told = self.permissions.tell_small(&plan, trust);
                    self.carry_out(told);
                }
                self.park_and_apply(asker, plan, Vec::new());
            }
            Verdict::Wait => self.park_in_place(asker, plan),
        }
    }

    /// Applies the changes that need no hearing first. The others wait for the person; no rule takes them.
    fn apply_heard(&mut self, asker: Asker, mut plan: Plan) {
        let only = plan.without_unheard(&[]);
        if only.is_empty() {
            self.park(asker, plan);
            return;
        }
        let left = plan.changes.iter().filter(|it| it.to_hear).count();
        plan.notes.push(format!("no rule takes what is to be heard first: {left} of it waits"));
        let (id, event) = self.plans.add(plan, asker.author);
        self.commit_plan(asker, id, event, Then::Rest);
        self.tell_review(asker, id);
        self.derive(asker, id, Some(only), &[]);
    }

    /// A draft as a plan, without identity.
    pub(crate) fn plan_of(
        &self,
        draft: Draft,
        tool: String,
        params: Value,
        base: deskhand_session::RevisionId,
    ) -> Plan {
        let mut warnings = draft.warnings;
        let on_hosts = self.on_hosts();
        let predicted = self.hosts.to_be_played(&draft.changes, draft.predicted);
        warnings.extend(on_hosts.warnings(&draft.changes, &draft.findings, &predicted));
        let spec = self.registry.get(&tool).ok().map(|tool| tool.spec());
        let notes = spec.and_then(|spec| on_hosts.note_by_track(spec, &params)).into_iter();
        let notes = notes.chain(note_recorded(&self.commits.session, &draft.changes));
        let notes = notes.chain(on_hosts.notes(&draft.changes, &predicted)).collect();
        Plan {
            format: FORMAT.into(),
            id: PlanId::new(0),
            digest: String::new(),
            tool,
            params,
            session: self.commits.session.id,
            base_revision: base,
            summary: draft.summary,
            changes: draft.changes,
            parts: draft.parts,
            reads: draft.reads,
            findings: draft.findings,
            predicted,
            artifacts: draft.artifacts,
            warnings,
            notes,
            offers: draft.offers,
            derived_from: None,
        }
    }

    /// A plan without changes is an answer: there is nothing to decide and nothing to store.
    fn answer_empty(&mut self, asker: Asker, plan: Plan) {
        let plan = plan.sealed();
        let result =
            ToolResult::new(Status::Planned, plan.summary.clone(), self.commits.history.head());
        self.answer(asker, ToolResult { plan: Some(Box::new(plan)), ..result });
    }

    /// Keeps a plan as waiting; the submission is answered once it is stored.
    pub(crate) fn park(&mut self, asker: Asker, plan: Plan) -> PlanId {
        let (id, event) = self.plans.add(plan, asker.author);
        let then =
            self.waiting(id).map_or(Then::Rest, |waiting| Then::Review(id, Box::new(waiting)));
        self.commit_plan(asker, id, event, then);
        id
    }

    /// Keeps a plan that is decided already, and applies it. A plan that does not fit the session is not
    /// kept.
    pub(crate) fn park_and_apply(&mut self, asker: Asker, plan: Plan, skipped: Vec<String>) {
        if let Err(error) = self.commits.writable() {
            return self.fail(asker, error);
        }
        if let Err(Refusal::Invalid(invalid)) = plan.applied_to(&self.commits.session) {
            let error = apply_error(
                Code::Invalid,
                invalid.to_string(),
                "give a value inside of these bounds, or plan again",
            );
            return self.fail(asker, error);
        }
        let parent = plan.derived_from;
        let (id, event) = self.plans.add(plan, asker.author);
        self.commit_plan(asker, id, event, Then::Rest);
        self.tell_what_follows(asker, parent, id);
        self.apply(asker, id, skipped);
    }

    /// The result of a plan that waits.
    pub(crate) fn waiting(&self, id: PlanId) -> Option<ToolResult> {
        let plan = &self.plans.get(id)?.plan;
        let result =
            ToolResult::new(Status::Waiting, plan.summary.clone(), self.commits.history.head());
        Some(ToolResult { plan: Some(Box::new(plan.clone())), ..result })
    }
}

/// The summary of a call, and its warnings.
fn with_warnings(draft: &Draft) -> String {
    let said = std::iter::once(&draft.summary).chain(&draft.warnings);
    said.map(String::as_str).collect::<Vec<_>>().join(". ")
}

/// Refuses a draft that would read differently once written: a number that JSON cannot write.
fn writable(draft: Draft) -> Result<Draft, ToolError> {
    let is_same = survives(&draft.changes) && survives(&draft.findings);
    if is_same && survives(&draft.predicted) {
        return Ok(draft);
    }
    let message = "the tool gave a number that cannot be written, such as infinity";
    let fix = "nothing was changed; please report it";
    Err(ToolError::run(Code::Invalid, message, fix))
}

/// Whether a value is the same after it was written and read.
pub(crate) fn survives<T: Serialize + DeserializeOwned + PartialEq>(value: &T) -> bool {
    let written = serde_json::to_string(value);
    written.is_ok_and(|text| serde_json::from_str::<T>(&text).is_ok_and(|again| again == *value))
}

fn in_progress(job: &Job, asker: Asker) -> ToolError {
    let who = match job.asker.author {
        author if author == asker.author => "you",
        Author::User => "the person",
        Author::Agent => "the agent",
        Author::Host => "the host",
        Author::Capture => "a recording",
    };
    let message = format!("already in progress: {} by {who} on the same targets", job.tool);
    ToolError::prepare(Code::InProgress, message, "wait for it, or cancel it")
}

/// The message of a panic.
fn panic_message(payload: Box<dyn Any + Send>) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast::<String>().ok().map(|text| *text))
        .unwrap_or_else(|| "a panic without a message".into())
}
