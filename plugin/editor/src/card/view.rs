//! A plan as the views show it, with what the person did on its card so far.

use super::applied_rows::Taken;
use super::deciding::Deciding;
use super::focus::Focus;
use super::hearing::Hearing;
use super::narrowing::PartsView;
use super::row_list::RowList;
use super::ticks::Ticks;
use super::values::Values;
use crate::action::Actions;
use crate::live::Live;
use deskhand_dsp::SampleRate;
use deskhand_protocol::{CallId, Decision};
use deskhand_session::plan::ValueEdit;
use deskhand_session::{Plan, PlannedChange, StoredPlan};
use serde_json::Value;

/// A plan as the views show it.
pub(crate) struct Card {
    pub(crate) stored: StoredPlan,
    /// Its number in this session, from 1.
    pub(crate) number: usize,
    pub(crate) view: CardView,
}

impl Card {
    /// The changes that have a tick.
    pub(crate) fn ticked(&self) -> impl Iterator<Item = &PlannedChange> {
        let is_ticked = |planned: &&PlannedChange| !self.view.ticks.off.contains(&planned.id);
        self.stored.plan.changes.iter().filter(is_ticked)
    }
}

/// What the person did with a card so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct CardView {
    pub(crate) ticks: Ticks,
    pub(crate) values: Values,
    /// Its parts, where it has some.
    pub(crate) parts: PartsView,
    pub(crate) hearing: Hearing,
    pub(crate) list: RowList,
    pub(crate) deciding: Deciding,
    pub(crate) focus: Focus,
    pub(crate) folds: Folds,
    pub(crate) asks: Asks,
    /// The offered action was requested. The plan is made again once that is done.
    pub(crate) offered: Option<Offered>,
    /// The dial that is being dragged, by its parameter, and where it is.
    pub(crate) turned: Option<(String, f64)>,
    /// The settings that were not carried over from the replaced card.
    pub(crate) remarks: Vec<String>,
    pub(crate) was_brought: bool,
}

/// The progress of an offer that the person took.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Offered {
    /// Not yet sent to the hub.
    Asked { tool: String, params: Value },
    /// Sent; the call runs.
    Runs(CallId),
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Folds {
    /// A plan that would be one line is shown whole.
    pub(super) is_whole: bool,
    /// All warnings are shown, not the first alone.
    pub(super) tells_all: bool,
    /// Whether findings are listed; by room when the person did not say.
    pub(super) shows_findings: Option<bool>,
    /// The changes of a decided plan are listed.
    pub(crate) is_unfolded: bool,
    /// All numbers of a receipt are listed.
    pub(crate) lists_measured: bool,
}

/// What a card asks of the rest of the window.
#[derive(Clone, Debug, Default)]
pub(crate) struct Asks {
    /// Words for the composer that a button of the card asked for.
    pub(crate) wish: Option<String>,
    /// The takes that the plan marks should be shown side by side.
    pub(crate) opens_takes: bool,
    /// It asks for a window of its own.
    pub(crate) is_taken_out: bool,
    /// The keyboard came to it: its ghosts are to be drawn.
    pub(crate) is_taken_up: bool,
}

impl CardView {
    /// A card as nobody touched it yet.
    pub(crate) fn of(plan: &Plan) -> Self {
        Self { ticks: Ticks::of(plan), ..Self::default() }
    }

    pub(crate) fn settled(&mut self) {
        self.deciding.settled();
        self.values.editing = None;
    }

    /// The hub that would have answered a decision is gone, so the decision can be made again.
    pub(crate) fn lost(&mut self) {
        self.deciding.lost();
        self.parts.lost();
        self.offered = None;
    }

    /// Notes the applied rows of the plan: they have no tick and are not stepped to.
    pub(crate) fn take(&mut self, plan: &Plan, taken: Taken) {
        if self.ticks.taken == taken {
            return;
        }
        self.ticks.take(plan, taken);
        // Applied values are shown, also in a window that did not see them set.
        let taken = &self.ticks.taken;
        self.values.edits.extend(taken.numbers.iter().map(|(id, number)| (id.clone(), *number)));
        let current = self.list.current.and_then(|row| plan.changes.get(row));
        if current.is_some_and(|planned| taken.rows.contains(&planned.id)) {
            self.list.current = None;
        }
    }

    /// Continues stepping while the card has the keyboard, and ends it otherwise. `had` is whether it had
    /// the keyboard in the last frame.
    pub(super) fn keep_steps(
        &mut self,
        had: bool,
        (live, rate): (&Live, SampleRate),
        out: &mut Actions,
    ) {
        self.asks.is_taken_up |= self.focus.had_focus && !had;
        match self.focus.had_focus {
            true => self.hearing.follow(live, rate, out),
            false => self.hearing.end_steps(out),
        }
    }

    /// Whether some change would be taken, and so heard.
    pub(crate) fn has_tick(&self, plan: &Plan) -> bool {
        plan.changes.iter().any(|change| !self.ticks.off.contains(&change.id))
            && !self.parts.is_bare(plan)
    }

    /// Whether Apply would do something. It does nothing while a field holds an invalid value.
    pub(crate) fn can_apply(&self, plan: &Plan) -> bool {
        !self.deciding.was_sent && self.ticks.count(plan) > 0 && !self.values.is_wrong()
    }

    /// Whether the plan is applied unchanged: every row, and no edited value.
    pub(super) fn takes_all(&self) -> bool {
        self.ticks.off.is_empty() && self.values.edits.is_empty() && !self.parts.is_narrowed()
    }

    /// The decision that the Apply button makes; `None` if nothing is ticked.
    pub(super) fn decision(&self, plan: &Plan) -> Option<Decision> {
        let ticked: Vec<String> = plan
            .changes
            .iter()
            .filter(|change| !self.ticks.off.contains(&change.id))
            .map(|change| change.id.clone())
            .collect();
        if ticked.is_empty() && !plan.changes.is_empty() {
            return None;
        }
        let set: Vec<ValueEdit> = self
            .values
            .edits
            .iter()
            .filter(|(id, _)| !self.ticks.off.contains(*id))
            .map(|(id, value)| ValueEdit { change: id.clone(), after: (*value).into() })
            .collect();
        let whole = ticked.len() == plan.changes.len();
        Some(match (whole, set.is_empty()) {
            (true, true) => Decision::Apply,
            (true, false) => Decision::ApplyPart { only: None, set },
            (false, _) => Decision::ApplyPart { only: Some(ticked), set },
        })
    }
}
