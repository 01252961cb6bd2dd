//! Rules that a person makes while deciding: "always allow this tool here".

use crate::bridge::Bridge;
use crate::connection::Asker;
use crate::input::Input;
use crate::policy::{Policy, Rule};
use deskhand_session::{Author, Plan, PlanId};
use std::sync::Arc;

/// Where a person's rules for this session are kept: in the person's configuration, not in the session.
pub trait Rules: Send + Sync {
    /// Keeps the rule that `tool` is always allowed in this session. Called on a worker.
    ///
    /// # Errors
    /// Why it could not be kept; it holds until the session is closed.
    fn keep_allowed(&self, tool: &str) -> Result<(), String>;
}

impl Bridge {
    /// Sets what the person decided ahead.
    pub fn set_policy(&mut self, policy: Policy, rules: Option<Arc<dyn Rules>>) {
        self.policy = policy;
        self.rules = rules;
    }

    /// The rule by which a model's plan is applied without a person, if that is how it comes to be applied.
    pub(crate) fn rule_for(&self, asker: Asker, plan: &Plan) -> Option<String> {
        let is_ruled = asker.author == Author::Agent && self.policy.allows(&plan.tool);
        is_ruled.then(|| format!("allow {}", plan.tool))
    }

    /// Always allows the tool of a plan, from now on.
    pub(crate) fn allow_always(&mut self, id: PlanId) {
        let Some(tool) = self.plans.get(id).map(|stored| stored.plan.tool.clone()) else {
            return;
        };
        if let Some(rules) = self.rules.clone() {
            let (inbox, kept) = (self.inbox.0.clone(), tool.clone());
            self.short_pool.submit(
                move || rules.keep_allowed(&kept),
                move |outcome| {
                    let outcome = outcome.and_then(|kept| kept);
                    drop(inbox.send(Input::RuleKept { outcome }));
                },
            );
        }
        self.policy.add(tool, Rule::Allow);
    }

    /// Tells when a rule could not be kept.
    pub(crate) fn rule_kept(&mut self, outcome: Result<(), String>) {
        if let Err(why) = outcome {
            let message =
                format!("\"always allow\" holds only until this session is closed: {why}");
            self.notify_error(message);
        }
    }
}
