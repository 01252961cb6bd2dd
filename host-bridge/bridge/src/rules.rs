//! Rules that a person makes while deciding: "always allow this tool here".

use crate::bridge::Bridge;
use crate::connection::Asker;
use crate::input::Input;
use crate::policy::{Policy, Rule};
use deskhand_protocol::News;
use deskhand_session::{Author, Plan, PlanId};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Where a person's rules for this session are kept: in the person's configuration, not in the session.
pub trait Rules: Send + Sync {
    /// Keeps the rule that `tool` is always allowed in this session. Called on a worker.
    ///
    /// # Errors
    /// Why it could not be kept; it holds until the session is closed.
    fn keep_allowed(&self, tool: &str) -> Result<(), String>;

    /// Keeps whether nothing of this session may be sent off this machine. Called on a worker.
    ///
    /// # Errors
    /// Why it could not be kept; it holds until the session is closed.
    fn keep_local_only(&self, on: bool) -> Result<(), String>;
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
        let kept = tool.clone();
        self.keep_rule(move |rules| {
            let outcome = rules.keep_allowed(&kept);
            outcome.map_err(|why| {
                format!("\"always allow\" holds only until this session is closed: {why}")
            })
        });
        self.policy.add(tool, Rule::Allow);
    }

    /// Shares the switch for nothing being sent off this machine with who sends. It stands as it is.
    pub fn share_local_only(&mut self, switch: Arc<AtomicBool>) {
        self.local_only = switch;
    }

    /// Turns that switch, for a person.
    pub(crate) fn set_local_only(&mut self, asker: Asker, on: bool) {
        if self.local_only.swap(on, Ordering::Relaxed) != on {
            self.tell(asker.author, Some(asker), News::LocalOnly { on });
            self.keep_rule(move |rules| {
                let outcome = rules.keep_local_only(on);
                outcome.map_err(|why| {
                    format!("local only holds only until this session is closed: {why}")
                })
            });
        }
        let result = self.ok(if on {
            "local only: nothing is sent off this machine"
        } else {
            "what is configured may be reached over the network"
        });
        self.answer(asker, result);
    }

    /// Writes a rule of the person's down, on a worker.
    fn keep_rule(&self, keep: impl FnOnce(&dyn Rules) -> Result<(), String> + Send + 'static) {
        let Some(rules) = self.rules.clone() else {
            return;
        };
        let inbox = self.inbox.0.clone();
        self.short_pool.submit(
            move || keep(rules.as_ref()),
            move |outcome| {
                let outcome = outcome.and_then(|kept| kept);
                drop(inbox.send(Input::RuleKept { outcome }));
            },
        );
    }

    /// Tells when a rule could not be kept.
    pub(crate) fn rule_kept(&mut self, outcome: Result<(), String>) {
        if let Err(message) = outcome {
            self.notify_error(message);
        }
    }
}
