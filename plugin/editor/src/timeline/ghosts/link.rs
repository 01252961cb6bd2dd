//! What the pointer does with the ghosts, for the rows of their card.

use crate::kit::number::Turned;
use deskhand_session::PlanId;

/// What the pointer does with the ghosts.
#[derive(Default)]
pub(crate) struct GhostLink {
    /// The rows whose ghosts are under the pointer, by their place in the plan.
    pub(super) pointed: Option<(PlanId, Vec<usize>)>,
    /// A click asked for a row.
    pub(super) asked: Option<Asked>,
    /// The floor of a planned gain that is dragged.
    pub(super) floor: Option<FloorDrag>,
    /// What the drag of a floor asks for.
    pub(super) deepened: Option<Deepened>,
}

/// A drag of the floor of a planned gain.
#[derive(Clone, Copy, Debug)]
pub(super) struct FloorDrag {
    /// The value of the dial, finer than it is shown.
    pub(super) value: f64,
    /// Esc took it back; it lasts until the button is let go.
    pub(super) is_cancelled: bool,
}

/// The dial of a plan that the drag of a floor turns.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Deepened {
    pub(crate) plan: PlanId,
    pub(crate) param: String,
    /// `None` gives it back.
    pub(crate) to: Option<Turned>,
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

    /// Where a floor was dragged; returned once.
    pub(crate) fn take_deepened(&mut self) -> Option<Deepened> {
        self.deepened.take()
    }

    /// No ghost is drawn.
    pub(in crate::timeline) fn clear(&mut self) {
        self.pointed = None;
    }
}
