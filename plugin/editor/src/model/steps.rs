//! The next steps of undo and redo, as the hub reports them, and the buttons that a receipt can show for
//! them.

use crate::card::view::Card;
use deskhand_session::{PlanId, PlanState, Revision, RevisionId};

/// The steps that undo and redo take one after another, the next one first.
#[derive(Default)]
pub(crate) struct Steps {
    undo: Vec<RevisionId>,
    /// The plan of each of those steps, if it has one.
    plans: Vec<Option<PlanId>>,
    redo: Vec<RevisionId>,
    redo_plans: Vec<Option<PlanId>>,
    /// What the next steps of undo and of redo did.
    labels: [Option<String>; 2],
}

/// What the steps of the history let a receipt do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stands<'a> {
    /// Undo takes it back: as the last of these steps, the next one first.
    Under(&'a [RevisionId]),
    /// Redo brings it back: as the last of these steps, the next one first.
    Undone(&'a [RevisionId]),
    /// Neither does.
    Else,
}

impl Steps {
    pub(super) fn new(history: &[Revision], undo: Vec<RevisionId>, redo: Vec<RevisionId>) -> Self {
        // They come in the order of their numbers.
        let known = |id: RevisionId| history.binary_search_by_key(&id, |step| step.id).ok();
        let plan = |id: RevisionId| known(id).and_then(|place| history[place].plan);
        let all = |steps: &[RevisionId]| steps.iter().map(|id| plan(*id)).collect();
        let (plans, redo_plans) = (all(&undo), all(&redo));
        let label = |id: RevisionId| known(id).map(|place| history[place].label.clone());
        let labels = [&undo, &redo].map(|steps| steps.first().and_then(|id| label(*id)));
        Self { undo, plans, redo, redo_plans, labels }
    }

    /// What the next step of undo takes back, and what the next step of redo does again.
    pub(crate) fn labels(&self) -> &[Option<String>; 2] {
        &self.labels
    }

    /// The steps that redo takes, the next one first.
    pub(crate) fn redo(&self) -> &[RevisionId] {
        &self.redo
    }

    /// What the receipt of a card can do.
    pub(crate) fn of(&self, card: &Card) -> Stands<'_> {
        let plan = Some(card.stored.plan.id);
        let place = |plans: &[Option<PlanId>]| plans.iter().position(|known| *known == plan);
        match card.stored.state {
            PlanState::Applied => match place(&self.plans) {
                Some(place) => Stands::Under(&self.undo[..=place]),
                None => Stands::Else,
            },
            PlanState::Undone => match place(&self.redo_plans) {
                Some(place) => Stands::Undone(&self.redo[..=place]),
                None => Stands::Else,
            },
            _ => Stands::Else,
        }
    }
}
