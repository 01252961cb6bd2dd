//! The two questions: may it run, and shall it be applied?

use deskhand_protocol::{Apply, Op};
use deskhand_session::Author;
use deskhand_toolkit::Trust;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Whose connection it is. It belongs to the connection, never to what is sent over it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Authority {
    /// A person.
    Person,
    /// A model.
    Agent,
    /// The model that the conversation is with.
    Conversation,
    /// Someone who only looks.
    Observer,
}

/// What happens to a measured plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It is applied, and told with undo.
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
            | Op::HostGain { .. }
            | Op::HostName { .. }
            | Op::Clock { .. }
            | Op::Captured { .. }
            | Op::LocalOnly { .. } => self == Self::Person,
        }
    }

    /// Under whose name its steps stand.
    #[must_use]
    pub(crate) fn author(self) -> Author {
        match self {
            Self::Person => Author::User,
            Self::Agent | Self::Conversation | Self::Observer => Author::Agent,
        }
    }
}

/// What a rule says of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    /// Its plans are applied and told.
    Allow,
    /// Its plans wait for a person.
    Confirm,
    /// A model may not call it.
    Deny,
}

/// What the person decided ahead, for tools by name. It comes from the person's own configuration, never from
/// a session folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    rules: BTreeMap<String, Rule>,
}

impl Policy {
    /// A policy of these rules; among those for one tool deny outranks confirm outranks allow.
    pub fn new(rules: impl IntoIterator<Item = (String, Rule)>) -> Self {
        let mut policy = Self::default();
        for (tool, rule) in rules {
            policy.add(tool, rule);
        }
        policy
    }

    /// Adds a rule.
    pub fn add(&mut self, tool: String, rule: Rule) {
        let known = self.rules.entry(tool).or_insert(rule);
        *known = rule.max(*known);
    }

    /// Whether plans of the tool are applied by a rule.
    pub(crate) fn allows(&self, tool: &str) -> bool {
        self.rules.get(tool) == Some(&Rule::Allow)
    }

    /// Whether a model may call the tool.
    pub(crate) fn is_denied(&self, tool: &str) -> bool {
        self.rules.get(tool) == Some(&Rule::Deny)
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
        match (wish, authority, trust, self.rules.get(tool)) {
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
}
