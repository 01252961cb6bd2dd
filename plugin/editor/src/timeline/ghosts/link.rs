//! What the pointer does with the ghosts, for the rows of their card.

use deskhand_session::PlanId;

/// What the pointer does with the ghosts.
#[derive(Default)]
pub(crate) struct GhostLink {
    /// The rows whose ghosts are under the pointer, by their place in the plan.
    pub(super) pointed: Option<(PlanId, Vec<usize>)>,
    /// A click asked for a row.
    pub(super) asked: Option<Asked>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Asked {
    pub(crate) plan: PlanId,
    pub(crate) row: usize,
    /// It went to the number, and to nothing else that is there.
    pub(crate) is_number: bool,
}

impl GhostLink {
    /// The rows of a plan whose ghosts are under the pointer.
    pub(crate) fn pointed(&self, plan: PlanId) -> &[usize] {
        match &self.pointed {
            Some((of, rows)) if *of == plan => rows,
            Some(_) | None => &[],
        }
    }

    /// The row that a click asked for; returned once.
    pub(crate) fn take_asked(&mut self) -> Option<Asked> {
        self.asked.take()
    }

    /// No ghost is drawn.
    pub(in crate::timeline) fn clear(&mut self) {
        self.pointed = None;
    }
}
