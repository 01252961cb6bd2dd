//! A tool call: checked, planned on a worker, parked or applied.

use crate::bridge::Bridge;
use crate::builtin_calls::{self, Found};
use crate::commits::{Commits, Then};
use crate::errors::{apply_error, caught, panicked};
use crate::group_offer::note_recorded;
use crate::host_words::OnHosts;
use crate::ids::{Asker, JobId};
use crate::input::Input;
use crate::jobs::{Job, Leave, PlanCall, Work};
use crate::permission::Outcome;
use crate::plans::survives;
use crate::policy::{Authority, Verdict};
use crate::programs::trust_of_plan;
use crate::progress::remains;
use deskhand_protocol::{Apply, News, Status, ToolResult};
use deskhand_session::digest::canonical;
use deskhand_session::plan::{FORMAT, Refusal};
use deskhand_session::tool_error::{Code, ToolError};
use deskhand_session::{Author, Plan, PlanId, RevisionId};
use deskhand_toolkit::registry::validate;
use deskhand_toolkit::{
    CallRequest, CancelToken, Draft, PlanContext, Prepared, Tool, ToolSpec, Trust,
};
use serde_json::Value;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

impl Bridge {
    /// Starts a call.
    pub(crate) fn call(&mut self, asker: Asker, tool: &str, params: Value, apply: Apply) {
        let called = match self.found(asker, tool, &params) {
            Ok(Found::House(house)) => self.call_house(asker, house, params, apply),
            Ok(Found::Planning(planning)) => {
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

    /// The tool of that name, if the asker may call it. A tool that plans checks its parameters as it prepares.
    pub(crate) fn found(
        &self,
        asker: Asker,
        name: &str,
        params: &Value,
    ) -> Result<Found, ToolError> {
        let found = builtin_calls::find(&self.registry, name)?;
        // Rules are for the name of a tool, whatever it is called.
        let name = found.spec().name;
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
        if let Found::House(house) = &found {
            validate(&house.spec, params)?;
        }
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
        let inputs = self.hosts.inputs();
        let request = CallRequest { session: &self.commits.session, base, params, inputs: &inputs };
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
        let context = PlanContext {
            author: self.coder_of(asker),
            tool: spec.name,
            params: canonical(&params),
            progress: Arc::clone(&so_far) as Arc<_>,
            ..self.context(id, &cancel)
        };
        let call = PlanCall { params, base, trust, apply, leave, so_far };
        let work = Work::Plan(call);
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
        let Some(Job { asker, tool, work: Work::Plan(call), cancel, .. }) = self.jobs.remove(job)
        else {
            return self.discard(outcome);
        };
        let taken_in = self.tracks_being_taken_in();
        let draft = self.in_time(outcome, &cancel);
        let draft = draft.or_else(|error| remains(&error, call.trust, &call.so_far).ok_or(error));
        let mut draft = match draft {
            Ok(draft) => draft,
            Err(error) => {
                let on_hosts = self.on_hosts();
                let error = on_hosts.with_way_to_record(&tool, &call.params, &taken_in, error);
                self.carry_out(call.leave.settled(asker, Outcome::Failed(error.to_string())));
                return self.fail(asker, error);
            }
        };
        self.on_hosts().remark_unrecorded(&tool, &call.params, &taken_in, &mut draft);
        let PlanCall { params, base, trust, apply, leave, .. } = call;
        if draft.changes.is_empty() {
            self.carry_out(leave.settled(asker, Outcome::Done(with_warnings(&draft))));
            return self.answer_empty(asker, draft, tool, params, base);
        }
        if let Some(found) = draft.answer.take() {
            self.connections.keep_value(asker, found);
        }
        let plan = self.on_hosts().plan_of(draft, tool, params, base);
        let failed = format!("what it planned cannot be applied: {}", plan.summary);
        let made = self.apply_or_park(asker, plan, trust, apply);
        let became = made.map_or(Outcome::Failed(failed), Outcome::Made);
        self.carry_out(leave.settled(asker, became));
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

    /// The second question, asked on the measured plan. Returns the plan if it is kept.
    fn apply_or_park(
        &mut self,
        asker: Asker,
        plan: Plan,
        trust: Trust,
        apply: Apply,
    ) -> Option<PlanId> {
        let authority = self.authority_of(asker.connection);
        let is_decided = authority == Authority::Person && apply == Apply::Now;
        // What goes into the person's project waits for the person, whatever a rule says.
        let goes_out = self.goes_into_a_project(plan.bare_changes());
        let trust = if goes_out { Trust::Require } else { trust };
        match self.permissions.policy.shall_apply_plan(authority, &plan, trust, apply) {
            Verdict::Apply if !is_decided && plan.changes.iter().any(|it| it.to_hear) => {
                Some(self.apply_heard(asker, plan))
            }
            Verdict::Apply => {
                if asker.author == Author::Agent {
                    let told = self.permissions.tell_small(&plan, trust);
                    self.carry_out(told);
                }
                self.park_and_apply(asker, plan, Vec::new())
            }
            Verdict::Wait => Some(self.park_in_place(asker, plan)),
        }
    }

    /// Applies the changes that need no hearing first. The others wait for the person; no rule takes them.
    fn apply_heard(&mut self, asker: Asker, mut plan: Plan) -> PlanId {
        let only = plan.without_unheard(&[]);
        if only.is_empty() {
            return self.park(asker, plan);
        }
        let left = plan.changes.iter().filter(|it| it.to_hear).count();
        plan.notes.push(format!("no rule takes what is to be heard first: {left} of it waits"));
        let (id, event) = self.plans.add(plan, asker.author);
        self.commit_plan(asker, id, event, Then::Rest);
        self.tell_review(asker, id);
        self.derive(asker, id, Some(only), &[]);
        id
    }

    /// A plan without changes is an answer: there is nothing to decide and nothing to store.
    fn answer_empty(
        &mut self,
        asker: Asker,
        draft: Draft,
        tool: String,
        params: Value,
        base: RevisionId,
    ) {
        if draft.answer.is_some() {
            let Draft { answer, warnings, summary, .. } = draft;
            return self.answer(asker, ToolResult { answer, warnings, ..self.ok(summary) });
        }
        let plan = self.on_hosts().plan_of(draft, tool, params, base).sealed();
        let head = self.commits.history.head();
        let result = ToolResult::new(Status::Planned, plan.summary.clone(), head);
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
    pub(crate) fn park_and_apply(
        &mut self,
        asker: Asker,
        plan: Plan,
        skipped: Vec<String>,
    ) -> Option<PlanId> {
        if let Err(error) = self.commits.can_take(&plan) {
            self.fail(asker, error);
            return None;
        }
        let parent = plan.derived_from;
        let (id, event) = self.plans.add(plan, asker.author);
        self.commit_plan(asker, id, event, Then::Rest);
        self.tell_what_follows(asker, parent, id);
        self.apply(asker, id, skipped);
        Some(id)
    }

    /// The result of a plan that waits.
    pub(crate) fn waiting(&self, id: PlanId) -> Option<ToolResult> {
        let plan = &self.plans.get(id)?.plan;
        let result =
            ToolResult::new(Status::Waiting, plan.summary.clone(), self.commits.history.head());
        Some(ToolResult { plan: Some(Box::new(plan.clone())), ..result })
    }
}

impl Commits {
    /// Refuses a plan that cannot be stored, or that no session takes.
    fn can_take(&self, plan: &Plan) -> Result<(), ToolError> {
        self.writable()?;
        match plan.applied_to(&self.session) {
            Err(Refusal::Invalid(invalid)) => {
                let fix = "give a value inside of these bounds, or plan again";
                Err(apply_error(Code::Invalid, invalid.to_string(), fix))
            }
            Ok(_) | Err(Refusal::Conflicts(_) | Refusal::OtherSession { .. }) => Ok(()),
        }
    }
}

impl OnHosts<'_> {
    /// A draft as a plan, without identity.
    pub(crate) fn plan_of(
        &self,
        draft: Draft,
        tool: String,
        params: Value,
        base: RevisionId,
    ) -> Plan {
        let mut warnings = draft.warnings;
        let predicted = self.hosts.to_be_played(&draft.changes, draft.predicted);
        warnings.extend(self.warnings(&draft.changes, &draft.findings, &predicted));
        let notes = draft.notes.into_iter().chain(note_recorded(self.session, &draft.changes));
        let notes = notes.chain(self.notes(&draft.changes, &predicted)).collect();
        let offers = draft.offers.into_iter().map(|offer| offer.of_call(&tool, &params)).collect();
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
            parts: draft.parts,
            reads: draft.reads,
            findings: draft.findings,
            predicted,
            artifacts: draft.artifacts,
            warnings,
            notes,
            offers,
            derived_from: None,
        }
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
