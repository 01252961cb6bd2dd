//! The two questions: may it run, and shall it be applied?

use deskhand_protocol::Apply;
use deskhand_session::Author;
use deskhand_toolkit::Trust;

/// Whose connection it is. It belongs to the connection, never to what is sent over it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Authority {
    /// A person.
    Person,
    /// A model.
    Agent,
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
    /// Under whose name its steps stand.
    #[must_use]
    pub(crate) fn author(self) -> Author {
        match self {
            Self::Person => Author::User,
            Self::Agent | Self::Observer => Author::Agent,
        }
    }
}

/// Whether a call may start: what reaches outside the session needs a person's call.
#[must_use]
pub(crate) fn may_run(authority: Authority, trust: Trust) -> bool {
    match (authority, trust) {
        (Authority::Person, _) | (Authority::Agent, Trust::Autonomous) => true,
        (Authority::Agent, Trust::Notify | Trust::Suggest) => true,
        (Authority::Agent, Trust::Require) | (Authority::Observer, _) => false,
    }
}

/// Whether a plan is applied at once. A person's call may carry the decision; nobody else's can.
#[must_use]
pub(crate) fn shall_apply(authority: Authority, trust: Trust, wish: Apply) -> Verdict {
    match (wish, authority, trust) {
        (Apply::Never, _, _) => Verdict::Wait,
        (Apply::Now, Authority::Person, _) => Verdict::Apply,
        (_, Authority::Observer, _) => Verdict::Wait,
        (Apply::ByPolicy | Apply::Now, _, Trust::Autonomous | Trust::Notify) => Verdict::Apply,
        (Apply::ByPolicy | Apply::Now, _, Trust::Suggest | Trust::Require) => Verdict::Wait,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_person_can_decide_with_the_call() {
        for trust in [Trust::Suggest, Trust::Require] {
            assert_eq!(shall_apply(Authority::Person, trust, Apply::Now), Verdict::Apply);
            assert_eq!(shall_apply(Authority::Agent, trust, Apply::Now), Verdict::Wait);
            assert_eq!(shall_apply(Authority::Observer, trust, Apply::Now), Verdict::Wait);
        }
    }

    #[test]
    fn small_visible_edits_are_applied_and_told() {
        let verdict = shall_apply(Authority::Agent, Trust::Notify, Apply::ByPolicy);
        assert_eq!(verdict, Verdict::Apply);
        assert_eq!(shall_apply(Authority::Person, Trust::Notify, Apply::Never), Verdict::Wait);
    }

    #[test]
    fn a_model_starts_nothing_that_reaches_outside() {
        assert!(!may_run(Authority::Agent, Trust::Require));
        assert!(may_run(Authority::Person, Trust::Require));
        assert!(!may_run(Authority::Observer, Trust::Autonomous));
    }
}
