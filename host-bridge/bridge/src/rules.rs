//! Rules that a person makes while deciding: "always allow this tool here".

use crate::effect::Effect;
use crate::ids::Asker;
use crate::input::Input;
use crate::policy::Policy;
use deskhand_protocol::desk::{Notice, NoticeKind};
use deskhand_protocol::{Asking, News, Rule};
use deskhand_session::tool_error::{Code, ToolError};
use deskhand_session::{Author, Plan};
use deskhand_toolkit::{Network, Tool, ToolSpec, Trust};
use std::path::PathBuf;
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

/// The person's advance decisions, and where they are kept.
#[derive(Default)]
pub(crate) struct Permissions {
    pub(crate) policy: Policy,
    keeper: Option<Arc<dyn Rules>>,
    /// Nothing may be sent off this machine. Whoever sends shares it.
    local_only: Arc<AtomicBool>,
    /// Folders that the person opened, apart from the session's own.
    pub(crate) opened: Vec<PathBuf>,
}

impl Permissions {
    /// Without rules; the person opened these folders.
    pub(crate) fn new(opened: Vec<PathBuf>) -> Self {
        Self { opened, ..Self::default() }
    }

    pub(crate) fn set_policy(&mut self, policy: Policy, keeper: Option<Arc<dyn Rules>>) {
        (self.policy, self.keeper) = (policy, keeper);
    }

    pub(crate) fn share_local_only(&mut self, switch: Arc<AtomicBool>) {
        self.local_only = switch;
    }

    pub(crate) fn is_local_only(&self) -> bool {
        self.local_only.load(Ordering::Relaxed)
    }

    /// The rule by which a model's plan is applied without a person, if that is how it comes to be applied.
    pub(crate) fn rule_for(&self, author: Author, plan: &Plan, trust: Trust) -> Option<String> {
        if author != Author::Agent {
            return None;
        }
        if self.policy.allows(&plan.tool) {
            return Some(format!("allow {}", plan.tool));
        }
        self.policy.takes_small(plan, trust).then(|| "ask for bigger changes".to_owned())
    }

    /// Tells the person of a small plan that was applied without asking.
    pub(crate) fn tell_small(&self, plan: &Plan, trust: Trust) -> Option<Effect> {
        self.policy.takes_small(plan, trust).then(|| {
            let message = format!("Applied without asking: {}. Undo takes it back.", plan.summary);
            // A dropped notice is no loss: the receipt is in the conversation.
            let notice = Notice::new(String::new(), NoticeKind::Success, message, TOLD_MS);
            Effect::Notify(Author::Agent, notice)
        })
    }

    /// Makes or takes away a rule for a tool in this session.
    pub(crate) fn set(&mut self, tool: String, rule: Option<Rule>) -> Vec<Effect> {
        let kept = tool.clone();
        let keep = self.keep(move |keeper| {
            let outcome = keeper.keep_rule(&kept, rule);
            outcome.map_err(|why| {
                format!("the rule for {kept} holds only until this session is closed: {why}")
            })
        });
        self.policy.set(tool, rule);
        keep.into_iter().chain([self.tell()]).collect()
    }

    /// The same for a person who asked for it.
    pub(crate) fn set_rule(
        &mut self,
        asker: Asker,
        tool: String,
        rule: Option<Rule>,
    ) -> Vec<Effect> {
        let summary = match rule {
            Some(Rule::Allow) => {
                format!(
                    "plans of {tool} are applied, and you see them; what always waits still does"
                )
            }
            Some(Rule::Confirm) => format!("plans of {tool} wait for you"),
            Some(Rule::Deny) => format!("a model may not call {tool}"),
            None => format!("the rule for {tool} that was made here is gone"),
        };
        let mut effects = self.set(tool, rule);
        effects.push(Effect::done(asker, summary));
        effects
    }

    /// Sets which plans of a model wait, for a person.
    pub(crate) fn set_asking(&mut self, asker: Asker, asking: Asking) -> Vec<Effect> {
        let mut effects = Vec::new();
        if self.policy.set_asking(asking) {
            effects.push(self.tell());
            effects.extend(self.keep(move |keeper| {
                let outcome = keeper.keep_asking(asking);
                outcome.map_err(|why| {
                    format!("what is asked holds only until this session is closed: {why}")
                })
            }));
        }
        let summary = match asking {
            Asking::Always => "every plan of a model waits for you",
            Asking::BiggerChanges => {
                "a plan that sets one number of one object is applied, and you see it; bigger ones wait"
            }
        };
        effects.push(Effect::done(asker, summary));
        effects
    }

    fn tell(&self) -> Effect {
        let (asking, rules) = (self.policy.asking(), self.policy.in_force());
        Effect::Tell(Author::User, None, News::Policy { asking, rules })
    }

    /// Turns the switch that keeps everything on this machine, for a person.
    pub(crate) fn set_local_only(&mut self, asker: Asker, on: bool) -> Vec<Effect> {
        let mut effects = Vec::new();
        if self.local_only.swap(on, Ordering::Relaxed) != on {
            effects.push(Effect::Tell(asker.author, Some(asker), News::LocalOnly { on }));
            effects.extend(self.keep(move |keeper| {
                let outcome = keeper.keep_local_only(on);
                outcome.map_err(|why| {
                    format!("local only holds only until this session is closed: {why}")
                })
            }));
        }
        let summary = if on {
            "local only: nothing is sent off this machine"
        } else {
            "what is configured may be reached over the network"
        };
        effects.push(Effect::done(asker, summary));
        effects
    }

    /// Writes something of the person's down, on a worker.
    fn keep(
        &self,
        keep: impl FnOnce(&dyn Rules) -> Result<(), String> + Send + 'static,
    ) -> Option<Effect> {
        let keeper = self.keeper.clone()?;
        Some(Effect::ask_short(
            move || keep(keeper.as_ref()),
            |outcome| Input::RuleKept { outcome: outcome.and_then(|kept| kept) },
        ))
    }

    /// Whether the program of a tool may be started while nothing is sent off this machine.
    ///
    /// # Errors
    /// When it wants the network; for everybody.
    pub(crate) fn admit_program(&self, tool: &dyn Tool) -> Result<(), ToolError> {
        match tool.program() {
            Some(program) => self.admit(tool.spec(), program.network, "starts a program that uses"),
            None => Ok(()),
        }
    }

    /// The same for a call that itself talks to another machine.
    ///
    /// # Errors
    /// When it does; for everybody.
    pub(crate) fn admit_network(&self, spec: &ToolSpec, network: Network) -> Result<(), ToolError> {
        self.admit(spec, network, "uses")
    }

    fn admit(&self, spec: &ToolSpec, network: Network, how: &str) -> Result<(), ToolError> {
        if network == Network::Closed || !self.is_local_only() {
            return Ok(());
        }
        let message = format!(
            "{} {how} the network, and nothing of this session is sent off this machine",
            spec.name
        );
        let fix = "turn \"local only\" off, or use another tool";
        Err(ToolError::prepare(Code::Refused, message, fix))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::HOUSE;

    #[test]
    fn a_rule_is_told_and_answered_and_what_stays_as_it_was_is_not_told() {
        let mut permissions = Permissions::default();
        let asker = Asker::nobody(HOUSE);
        let effects = permissions.set_rule(asker, "a".into(), Some(Rule::Deny));
        let [Effect::Tell(Author::User, None, News::Policy { rules, .. }), Effect::Answer(..)] =
            &effects[..]
        else {
            panic!("it is told, then answered");
        };
        assert_eq!((rules.len(), rules[0].rule), (1, Rule::Deny));
        assert!(permissions.policy.is_denied("a"));
        assert_eq!(permissions.set_local_only(asker, true).len(), 2);
        assert_eq!(permissions.set_local_only(asker, true).len(), 1);
        assert!(permissions.is_local_only());
    }
}
