//! The two questions of the policy: may a call run, and should its plan be applied?

use deskhand_protocol::{Apply, Asking, Op, Rule, ToolRule, is_small};
use deskhand_session::{Author, Plan};
use deskhand_toolkit::Trust;
use std::collections::{BTreeMap, BTreeSet};

/// The kind of a connection. It belongs to the connection, never to the messages on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Authority {
    /// A person.
    Person,
    /// A model.
    Agent,
    /// The model that the conversation is with.
    Conversation,
    /// A connection that only watches.
    Observer,
}

/// What happens to a measured plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It is applied, and reported with an undo.
    Apply,
    /// It waits for a person.
    Wait,
}

impl Authority {
    /// Whether its connection may ask for this at all.
    pub(crate) fn admits(self, op: &Op) -> bool {
        match op {
            Op::Read { .. } => true,
            Op::Call { .. } | Op::Cancel { .. } | Op::Undo | Op::Redo => self != Self::Observer,
            Op::Speak { .. } => self == Self::Conversation,
            Op::Decide { .. }
            | Op::AddPlan { .. }
            | Op::GoTo { .. }
            | Op::Say { .. }
            | Op::StopTurn
            | Op::AnswerNotice { .. }
            | Op::Player { .. }
            | Op::Join { .. }
            | Op::Leave { .. }
            | Op::HostGain { .. }
            | Op::HostName { .. }
            | Op::HostTempo { .. }
            | Op::Clock { .. }
            | Op::Captured { .. }
            | Op::MakeRoom { .. }
            | Op::Capturing { .. }
            | Op::Switches { .. }
            | Op::Trouble { .. }
            | Op::LocalOnly { .. }
            | Op::Asking { .. }
            | Op::SetRule { .. }
            | Op::Recorded { .. } => self == Self::Person,
        }
    }

    /// The author of its steps.
    #[must_use]
    pub(crate) fn author(self) -> Author {
        match self {
            Self::Person => Author::User,
            Self::Agent | Self::Conversation | Self::Observer => Author::Agent,
        }
    }
}

/// The person's advance decisions for tools, by name. They come from the person's own configuration, never
/// from a session folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    /// Of the configuration.
    rules: BTreeMap<String, Rule>,
    /// Made for this session.
    here: BTreeMap<String, Rule>,
    asking: Asking,
}

impl Policy {
    /// A policy of these rules; among those for one tool deny outranks confirm outranks allow.
    pub fn new(rules: impl IntoIterator<Item = (String, Rule)>) -> Self {
        let mut policy = Self::default();
        for (tool, rule) in rules {
            add(&mut policy.rules, tool, rule);
        }
        policy
    }

    /// The same with the decisions for one session.
    #[must_use]
    pub fn with_session(
        mut self,
        rules: impl IntoIterator<Item = (String, Rule)>,
        asking: Asking,
    ) -> Self {
        for (tool, rule) in rules {
            add(&mut self.here, tool, rule);
        }
        Self { asking, ..self }
    }

    /// Sets the rule for this session; `None` removes it.
    pub(crate) fn set(&mut self, tool: String, rule: Option<Rule>) {
        match rule {
            Some(rule) => drop(self.here.insert(tool, rule)),
            None => drop(self.here.remove(&tool)),
        }
    }

    /// Sets which plans of a model wait; whether that is another answer than before.
    pub(crate) fn set_asking(&mut self, asking: Asking) -> bool {
        std::mem::replace(&mut self.asking, asking) != asking
    }

    pub(crate) fn asking(&self) -> Asking {
        self.asking
    }

    /// What holds for a tool.
    fn rule(&self, tool: &str) -> Option<Rule> {
        self.rules.get(tool).copied().max(self.here.get(tool).copied())
    }

    /// Every rule that holds, by tool.
    pub(crate) fn in_force(&self) -> Vec<ToolRule> {
        let tools: BTreeSet<_> = self.rules.keys().chain(self.here.keys()).collect();
        let ruled = tools.into_iter().filter_map(|tool| {
            let rule = self.rule(tool)?;
            let is_here = self.here.get(tool) == Some(&rule);
            Some(ToolRule { tool: tool.clone(), rule, is_here })
        });
        ruled.collect()
    }

    /// Whether plans of the tool are applied by a rule.
    pub(crate) fn allows(&self, tool: &str) -> bool {
        self.rule(tool) == Some(Rule::Allow)
    }

    /// Whether a model may call the tool.
    pub(crate) fn is_denied(&self, tool: &str) -> bool {
        self.rule(tool) == Some(Rule::Deny)
    }

    /// Whether a model's plan is small enough to be applied when a person wants to be asked for bigger
    /// ones. A rule for the tool has priority. A plan that always waits is never small.
    pub(crate) fn takes_small(&self, plan: &Plan, trust: Trust) -> bool {
        self.asking == Asking::BiggerChanges
            && trust == Trust::Suggest
            && self.rule(&plan.tool).is_none()
            && is_small(plan)
    }

    /// Whether a measured plan is applied at once.
    #[must_use]
    pub(crate) fn shall_apply_plan(
        &self,
        authority: Authority,
        plan: &Plan,
        trust: Trust,
        wish: Apply,
    ) -> Verdict {
        let is_model = matches!(authority, Authority::Agent | Authority::Conversation);
        if is_model && wish != Apply::Never && self.takes_small(plan, trust) {
            return Verdict::Apply;
        }
        self.shall_apply(authority, &plan.tool, trust, wish)
    }

    /// Whether a plan is applied at once. A person's call may carry the decision; nobody else's can.
    #[must_use]
    pub(crate) fn shall_apply(
        &self,
        authority: Authority,
        tool: &str,
        trust: Trust,
        wish: Apply,
    ) -> Verdict {
        match (wish, authority, trust, self.rule(tool)) {
            (Apply::Never, ..) | (_, Authority::Observer, ..) => Verdict::Wait,
            (Apply::Now, Authority::Person, ..) => Verdict::Apply,
            // No rule lowers it.
            (_, _, Trust::Require, _) => Verdict::Wait,
            (.., Some(Rule::Allow)) => Verdict::Apply,
            (.., Some(Rule::Confirm | Rule::Deny)) => Verdict::Wait,
            (_, _, Trust::Autonomous | Trust::Notify, None) => Verdict::Apply,
            (_, _, Trust::Suggest, None) => Verdict::Wait,
        }
    }
}

fn add(rules: &mut BTreeMap<String, Rule>, tool: String, rule: Rule) {
    let known = rules.entry(tool).or_insert(rule);
    *known = rule.max(*known);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by_default(authority: Authority, trust: Trust, wish: Apply) -> Verdict {
        Policy::default().shall_apply(authority, "tool", trust, wish)
    }

    #[test]
    fn only_a_person_can_decide_with_the_call() {
        for trust in [Trust::Suggest, Trust::Require] {
            assert_eq!(by_default(Authority::Person, trust, Apply::Now), Verdict::Apply);
            assert_eq!(by_default(Authority::Agent, trust, Apply::Now), Verdict::Wait);
            assert_eq!(by_default(Authority::Conversation, trust, Apply::Now), Verdict::Wait);
            assert_eq!(by_default(Authority::Observer, trust, Apply::Now), Verdict::Wait);
        }
    }

    #[test]
    fn small_visible_edits_are_applied_and_told() {
        let verdict = by_default(Authority::Agent, Trust::Notify, Apply::ByPolicy);
        assert_eq!(verdict, Verdict::Apply);
        assert_eq!(by_default(Authority::Person, Trust::Notify, Apply::Never), Verdict::Wait);
    }

    #[test]
    fn a_rule_replaces_the_default_and_the_strictest_wins() {
        let rules =
            [("a", Rule::Allow), ("b", Rule::Allow), ("b", Rule::Confirm), ("c", Rule::Deny)];
        let policy = Policy::new(rules.map(|(tool, rule)| (tool.to_owned(), rule)));
        let asked =
            |tool, trust| policy.shall_apply(Authority::Agent, tool, trust, Apply::ByPolicy);
        assert_eq!(asked("a", Trust::Suggest), Verdict::Apply);
        assert_eq!(asked("b", Trust::Notify), Verdict::Wait);
        assert_eq!(asked("c", Trust::Notify), Verdict::Wait);
        assert!(policy.is_denied("c") && !policy.is_denied("b"));
        assert_eq!(asked("a", Trust::Require), Verdict::Wait, "no rule lowers it");
    }

    #[test]
    fn a_rule_of_the_session_is_taken_away_and_one_of_the_configuration_stays() {
        let one = |rule| [("a".to_owned(), rule)];
        let mut policy =
            Policy::new(one(Rule::Confirm)).with_session(one(Rule::Deny), Asking::Always);
        let known = |rule, is_here| vec![ToolRule { tool: "a".into(), rule, is_here }];
        assert_eq!(policy.in_force(), known(Rule::Deny, true));
        policy.set("a".into(), Some(Rule::Allow));
        assert_eq!(policy.in_force(), known(Rule::Confirm, false), "the strictest holds");
        policy.set("a".into(), None);
        assert!(!policy.allows("a") && !policy.is_denied("a"));
        assert_eq!(policy.in_force(), known(Rule::Confirm, false));
    }
}
