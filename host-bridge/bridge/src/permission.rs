//! "May it run?" A call that a model may not start by itself waits as a plan without changes that names the
//! call. Applying that plan runs the call, and the result is a plan of its own.

use crate::bridge::Bridge;
use crate::builtin_calls;
use crate::builtin_calls::Found;
use crate::commits::Then;
use crate::effect::Effect;
use crate::ids::Asker;
use crate::jobs::Leave;
use crate::plans::decision;
use crate::policy::Authority;
use crate::policy::Policy;
use crate::programs::{is_as_asked, reason_of_program};
use crate::rules::Rules;
use crate::unfinished::{UnfinishedCall, why_again};
use deskhand_protocol::{Apply, Rule};
use deskhand_session::{Plan, PlanId, PlanState, StoredPlan};
use deskhand_store::PlanDecided;
use deskhand_toolkit::{Draft, Prepared, ToolSpec, Trust};
use serde_json::Value;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A model's call that takes longer is asked about first.
const LONG_S: f64 = 60.0;

/// A model's call that writes more is asked about first.
const BIG_BYTES: u64 = 500_000_000;

/// What became of a call that was let run.
pub(crate) enum Outcome {
    /// It made a plan of its own.
    Made(PlanId),
    /// The call succeeded, with this message.
    Done(String),
    /// It failed.
    Failed(String),
}

impl Bridge {
    /// Sets the person's advance decisions.
    pub fn set_policy(&mut self, policy: Policy, rules: Option<Arc<dyn Rules>>) {
        self.permissions.set_policy(policy, rules);
    }

    /// Shares the switch that keeps everything on this machine with the senders. Its state stays.
    pub fn share_local_only(&mut self, switch: Arc<AtomicBool>) {
        self.permissions.share_local_only(switch);
    }

    /// Makes or takes away a rule for a tool in this session, for a person.
    pub(crate) fn set_rule(&mut self, asker: Asker, tool: String, rule: Option<Rule>) {
        // A misspelled rule would guard nothing, so it is refused. A rule for a removed tool can be removed
        // too.
        if rule.is_some()
            && let Err(error) = builtin_calls::spec(&self.registry, &tool)
        {
            return self.fail(asker, error);
        }
        let effects = self.permissions.set_rule(asker, tool, rule);
        self.carry_out(effects);
    }

    /// The first file that a call reads outside of the folders that a person opened.
    pub(crate) fn outside(&self, prepared: &Prepared) -> Option<PathBuf> {
        self.commits.outside_of_opened(
            &prepared.outside,
            &self.files.folder,
            &self.permissions.opened,
        )
    }

    /// Why a person has to agree before the call runs, if so.
    pub(crate) fn reason_to_ask(
        &self,
        asker: Asker,
        spec: &ToolSpec,
        prepared: &Prepared,
    ) -> Option<String> {
        match self.authority_of(asker.connection) {
            Authority::Person => None,
            Authority::Agent | Authority::Conversation | Authority::Observer => {
                let name = spec.name;
                let outside = self.outside(prepared).map(|file| {
                    format!("{name} reads {file:?}, outside of the folders that were opened")
                });
                outside
                    .or_else(|| reason_of_program(&self.registry, spec))
                    .or_else(|| reason_of_call(spec, prepared))
            }
        }
    }

    /// Keeps a call as a plan that waits for leave to run.
    pub(crate) fn park_call(&mut self, asker: Asker, spec: &ToolSpec, params: Value, why: String) {
        let summary = format!("Run {} ({})", spec.name, spec.title);
        let draft = Draft { warnings: vec![why], ..Draft::new(summary) };
        let base = self.commits.history.head();
        let plan = self.on_hosts().plan_of(draft, spec.name.into(), params, base);
        self.park_in_place(asker, plan);
    }

    /// Turns calls that ran when the session was left into plans that ask to run.
    pub(crate) fn park_unfinished(&mut self) {
        for UnfinishedCall { tool, params, author } in self.unfinished.calls() {
            let Ok(spec) = self.registry.get(&tool).map(|tool| tool.spec().clone()) else {
                continue;
            };
            if self.plans.asks_to_run(&tool, &params).is_none() {
                self.park_call(Asker::nobody(author), &spec, params, why_again(&spec));
            }
        }
    }

    /// Notes which long calls run, for the case that the session is left.
    pub(crate) fn note_unfinished(&mut self) {
        let noted = self.unfinished.note(self.jobs.all());
        self.carry_out(noted);
    }

    /// The permission for a call. If the same call waits for it, a person who makes the call grants it.
    pub(crate) fn leave_of(&self, asker: Asker, tool: &str, params: &Value) -> Leave {
        match self.authority_of(asker.connection) {
            Authority::Person => {
                self.plans.asks_to_run(tool, params).map_or(Leave::NotNeeded, Leave::Given)
            }
            Authority::Agent | Authority::Conversation | Authority::Observer => Leave::NotNeeded,
        }
    }

    /// Runs a call that a person agreed to.
    pub(crate) fn run_permitted(&mut self, asker: Asker, stored: &StoredPlan) {
        let Plan { id, tool, params, .. } = &stored.plan;
        let leave = Leave::Given(*id);
        // The person lets it run; the result still belongs to the asker.
        let asker = Asker { author: stored.author, ..asker };
        let run = match self.found(asker, tool, params) {
            Ok(Found::House(house)) => self.run_house(asker, house, params.clone(), leave),
            Ok(Found::Planning(tool)) => {
                let prepared = self.prepare(asker, tool.as_ref(), params);
                let agreed = is_as_asked(&self.registry, tool.spec(), &stored.plan);
                agreed.and(prepared).map(|prepared| {
                    let (spec, wish) = (tool.spec(), Apply::ByPolicy);
                    self.start(asker, spec, prepared, params.clone(), wish, leave);
                })
            }
            Err(error) => Err(error),
        };
        if let Err(error) = run {
            self.carry_out(leave.settled(asker, Outcome::Failed(error.to_string())));
            self.fail(asker, error);
        }
    }
}

impl Leave {
    /// Notes what became of a call that was let run.
    pub(crate) fn settled(self, asker: Asker, outcome: Outcome) -> Option<Effect> {
        let Self::Given(id) = self else {
            return None;
        };
        let (state, reason, follows) = match outcome {
            Outcome::Made(plan) => (PlanState::Applied, None, Some(plan)),
            Outcome::Done(what) => (PlanState::Applied, Some(what), None),
            Outcome::Failed(why) => (PlanState::Conflict, Some(why), None),
        };
        let decided = PlanDecided { reason, follows, ..decision(id, state) };
        Some(Effect::Decide(asker, decided, Then::Rest))
    }
}

/// Why a person has to agree to what a call does, or to how long it takes.
fn reason_of_call(spec: &ToolSpec, prepared: &Prepared) -> Option<String> {
    let (name, estimate) = (spec.name, prepared.estimate);
    if spec.trust == Trust::Require || prepared.trust == Some(Trust::Require) {
        Some(format!("{name} reaches outside the session"))
    } else if estimate.seconds > LONG_S {
        Some(format!("{name} will take about {:.0} s", estimate.seconds))
    } else if estimate.bytes > BIG_BYTES {
        Some(format!("{name} will write about {} MB", estimate.bytes / 1_000_000))
    } else {
        None
    }
}
