//! Rules that a person makes while deciding: "always allow this tool here".

use crate::bridge::Bridge;
use crate::ids::Asker;
use crate::input::Input;
use crate::policy::Policy;
use deskhand_protocol::desk::NoticeKind;
use deskhand_protocol::{Asking, News, Rule};
use deskhand_session::{Author, Plan, PlanId};
use deskhand_toolkit::Trust;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How long the notice of an applied small plan is shown, ms.
const TOLD_MS: u64 = 8_000;

/// Where a person's rules for this session are kept: in the person's configuration, not in the session.
pub trait Rules: Send + Sync {
    /// Keeps the rule for `tool` in this session, or forgets it. Called on a worker.
    ///
    /// # Errors
    /// Why it could not be kept; it holds until the session is closed.
    fn keep_rule(&self, tool: &str, rule: Option<Rule>) -> Result<(), String>;

    /// Keeps which plans of a model wait in this session. Called on a worker.
    ///
    /// # Errors
    /// Why it could not be kept; it holds until the session is closed.
    fn keep_asking(&self, asking: Asking) -> Result<(), String>;

    /// Keeps whether nothing of this session may be sent off this machine. Called on a worker.
    ///
    /// # Errors
    /// Why it could not be kept; it holds until the session is closed.
    fn keep_local_only(&self, on: bool) -> Result<(), String>;
}

impl Bridge {
    /// Sets the person's advance decisions.
    pub fn set_policy(&mut self, policy: Policy, rules: Option<Arc<dyn Rules>>) {
        self.policy = policy;
        self.rules = rules;
    }

    /// The rule by which a model's plan is applied without a person, if that is how it comes to be applied.
    pub(crate) fn rule_for(&self, asker: Asker, plan: &Plan) -> Option<String> {
        if asker.author != Author::Agent {
            return None;
        }
        if self.policy.allows(&plan.tool) {
            return Some(format!("allow {}", plan.tool));
        }
        let trust = crate::house::spec(&self.registry, &plan.tool).ok()?.trust;
        self.policy.takes_small(plan, trust).then(|| "ask for bigger changes".to_owned())
    }

    /// Tells the person of a small plan that was applied without asking.
    pub(crate) fn tell_small(&mut self, plan: &Plan, trust: Trust) {
        if self.policy.takes_small(plan, trust) {
            let message = format!("Applied without asking: {}. Undo takes it back.", plan.summary);
            // A dropped notice is no loss: the receipt is in the conversation.
            drop(self.notify(Author::Agent, message, NoticeKind::Success, TOLD_MS));
        }
    }

    /// Always allows the tool of a plan, from now on.
    pub(crate) fn allow_always(&mut self, id: PlanId) {
        let tool = self.plans.get(id).map(|stored| stored.plan.tool.clone());
        if let Some(tool) = tool {
            self.rule(tool, Some(Rule::Allow));
        }
    }

    /// Makes or takes away a rule for a tool in this session, for a person.
    pub(crate) fn set_rule(&mut self, asker: Asker, tool: String, rule: Option<Rule>) {
        // A misspelled rule would guard nothing, so it is refused. A rule for a removed tool can be removed
        // too.
        if rule.is_some()
            && let Err(error) = crate::house::spec(&self.registry, &tool)
        {
            return self.fail(asker, error);
        }
        let summary = match rule {
            Some(Rule::Allow) => {
                format!("plans of {tool} are applied and told; what always waits still does")
            }
            Some(Rule::Confirm) => format!("plans of {tool} wait for you"),
            Some(Rule::Deny) => format!("a model may not call {tool}"),
            None => format!("the rule for {tool} that was made here is gone"),
        };
        self.rule(tool, rule);
        let result = self.ok(summary);
        self.answer(asker, result);
    }

    fn rule(&mut self, tool: String, rule: Option<Rule>) {
        let kept = tool.clone();
        self.keep_rule(move |rules| {
            let outcome = rules.keep_rule(&kept, rule);
            outcome.map_err(|why| {
                format!("the rule for {kept} holds only until this session is closed: {why}")
            })
        });
        self.policy.set(tool, rule);
        self.tell_policy();
    }

    /// Sets which plans of a model wait, for a person.
    pub(crate) fn set_asking(&mut self, asker: Asker, asking: Asking) {
        if self.policy.set_asking(asking) {
            self.tell_policy();
            self.keep_rule(move |rules| {
                let outcome = rules.keep_asking(asking);
                outcome.map_err(|why| {
                    format!("what is asked holds only until this session is closed: {why}")
                })
            });
        }
        let result = self.ok(match asking {
            Asking::Always => "every plan of a model waits for you",
            Asking::BiggerChanges => {
                "a plan that sets one number of one object is applied and told; bigger ones wait"
            }
        });
        self.answer(asker, result);
    }

    fn tell_policy(&mut self) {
        let (asking, rules) = (self.policy.asking(), self.policy.in_force());
        self.tell(Author::User, None, News::Policy { asking, rules });
    }

    /// Shares the switch that keeps everything on this machine with the senders. Its state stays.
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
        self.jobs.ask_short(
            move || keep(rules.as_ref()),
            |outcome| Input::RuleKept { outcome: outcome.and_then(|kept| kept) },
        );
    }

    /// Tells when a rule could not be kept.
    pub(crate) fn rule_kept(&mut self, outcome: Result<(), String>) {
        if let Err(message) = outcome {
            self.notify_error(message);
        }
    }
}
