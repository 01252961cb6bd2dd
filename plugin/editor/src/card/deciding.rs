//! The decision on a plan, from the reason that is being written to the answer.

use deskhand_protocol::CallId;

/// A rejection whose reason is being written.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rejecting {
    pub(crate) reason: String,
    /// The field should get the keyboard.
    pub(crate) takes_keyboard: bool,
}

/// The submission that decides a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Submitted {
    Decision(CallId),
    /// It lets the call run that the plan asks for.
    Run(CallId),
}

/// How far the decision on a plan is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Deciding {
    pub(crate) rejecting: Option<Rejecting>,
    /// Decided here; the answer is on its way.
    pub(crate) was_sent: bool,
    pub(crate) submitted: Option<Submitted>,
    pub(crate) progress: f64,
}

impl Deciding {
    /// The submission that decides, while it runs.
    pub(crate) fn call(&self) -> Option<CallId> {
        self.submitted.map(|(Submitted::Decision(call) | Submitted::Run(call))| call)
    }

    /// Whether the call that the plan asks leave for runs, let by this window.
    pub(crate) fn is_let_run(&self) -> bool {
        matches!(self.submitted, Some(Submitted::Run(_)))
    }

    pub(super) fn settled(&mut self) {
        *self = Self { submitted: self.submitted, ..Self::default() };
    }

    pub(super) fn lost(&mut self) {
        *self = Self { rejecting: self.rejecting.take(), ..Self::default() };
    }
}
