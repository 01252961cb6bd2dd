//! What a plan promises once values were edited and parts left out: known at once where a level follows from the
//! gain of its own object alone, for all else measured when the plan is applied.

use crate::kit::scale::{is_over, level};
use crate::model::Card;
use crate::theme::Theme;
use deskhand_session::{Change, PlannedChange, Prediction};
use egui::Color32;

/// What the card promises on: not what was taken already.
pub(super) fn all(card: &Card) -> impl Iterator<Item = &Prediction> {
    let taken = &card.view.taken.rows;
    let is_open =
        move |it: &&Prediction| it.from.is_empty() || !it.from.iter().all(|id| taken.contains(id));
    card.stored.plan.predicted.iter().filter(is_open)
}

/// The value that is promised with the ticks and edits of the card; none where only measuring tells.
pub(crate) fn value(card: &Card, it: &Prediction) -> Option<f64> {
    let view = &card.view;
    if it.from.iter().any(|id| view.stale.rows.contains(id)) {
        return None;
    }
    let is_touched = |id: &String| match view.taken.rows.contains(id) {
        true => view.taken.edited.contains(id),
        false => view.off.contains(id) || view.edits.contains_key(id),
    };
    if !it.from.iter().any(is_touched) {
        return Some(it.value);
    }
    let plan = &card.stored.plan;
    let [id] = it.from.as_slice() else { return None };
    let planned = plan.changes.iter().find(|planned| planned.id == *id)?;
    let (before, after) = gain(planned).filter(|_| planned.change.target() == it.target)?;
    let set = if view.off.contains(id) { before } else { *view.edits.get(id).unwrap_or(&after) };
    // A range of levels moves with no gain.
    let by = if it.unit == "LU" { 0.0 } else { set - after };
    Some(it.value + by)
}

/// A prediction as the card shows it.
pub(super) struct Shown<'p> {
    it: &'p Prediction,
    /// The promised value; the one that came with the plan where only measuring tells.
    pub(super) value: f64,
    is_about: bool,
}

impl<'p> Shown<'p> {
    pub(super) fn of(card: &Card, it: &'p Prediction) -> Self {
        let value = value(card, it).unwrap_or(it.value);
        // Of a value that was set by hand it is reckoned, where the planned one was measured.
        let is_set = |id: &String| card.view.edits.contains_key(id) && !card.view.off.contains(id);
        let is_about = value != it.value && it.from.iter().any(is_set);
        Self { it, value, is_about }
    }

    pub(super) fn unit(&self) -> &'p str {
        &self.it.unit
    }

    pub(super) fn tolerance(&self) -> f32 {
        self.it.tolerance as f32
    }

    /// What stands ahead of a number that was not measured.
    pub(super) fn about(&self) -> &'static str {
        if self.is_about { "about " } else { "" }
    }

    /// The value as it reads.
    pub(super) fn words(&self) -> String {
        format!("{}{}", self.about(), level(self.value as f32, &self.it.unit))
    }

    /// Whether it is a true peak over full scale.
    pub(super) fn is_over(&self) -> bool {
        is_over(self.value as f32, &self.it.unit)
    }

    /// What it is drawn in.
    pub(super) fn color(&self, theme: &Theme) -> Color32 {
        if self.is_over() { theme.warn } else { theme.accent }
    }
}

/// Whether the values of those that are listed are known.
pub(super) fn is_known(card: &Card, listed: &[&Prediction]) -> bool {
    listed.iter().all(|it| value(card, it).is_some())
}

/// Both sides of a change of a gain, dB: behind all that is not linear.
fn gain(planned: &PlannedChange) -> Option<(f64, f64)> {
    match &planned.change {
        Change::SetClipGain(edit) => Some((edit.before.0, edit.after.0)),
        Change::SetTrackGain(edit) => Some((edit.before.0, edit.after.0)),
        Change::SetMasterGain(edit) => Some((edit.before.0, edit.after.0)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::CardView;
    use crate::testing::gain_plan;
    use deskhand_session::{Author, PlanState, StoredPlan};

    fn card() -> Card {
        let (plan, state, author) = (gain_plan(), PlanState::Waiting, Author::Agent);
        let (reason, receipt, follows) = (None, None, None);
        let stored = StoredPlan {
            plan,
            state,
            author,
            reason,
            receipt,
            follows,
            time_ms: 0,
            decided_ms: None,
        };
        Card { stored, number: 1, view: CardView::default() }
    }

    #[test]
    fn a_level_follows_the_gain_of_its_own_object() {
        let mut card = card();
        let it = card.stored.plan.predicted[0].clone();
        assert_eq!((it.value, value(&card, &it)), (-16.0, Some(-16.0)));
        // Planned are 4.5 dB in place of what is there.
        assert_eq!(Shown::of(&card, &it).words(), "−16.0");
        card.view.edits.insert("c1".into(), 3.0);
        assert_eq!(value(&card, &it), Some(-17.5));
        assert_eq!(Shown::of(&card, &it).words(), "about −17.5", "it is reckoned");
        let range = Prediction { unit: "LU".into(), ..it.clone() };
        assert_eq!(value(&card, &range), Some(-16.0));
        let of_both = Prediction { from: vec!["c1".into(), "c2".into()], ..it.clone() };
        assert_eq!(value(&card, &of_both), None, "only measuring tells");
        let other = Prediction { from: vec!["c2".into()], ..it.clone() };
        assert_eq!(value(&card, &other), Some(-16.0), "nothing of it was touched");
        card.view.stale.rows.insert("c1".into());
        assert_eq!(value(&card, &it), None, "what it was measured on is not there any more");
        card.view.stale.rows.clear();
        card.view.off.insert("c1".into());
        let (before, after) = gain(&card.stored.plan.changes[0]).unwrap();
        assert_eq!(value(&card, &it), Some(-16.0 + before - after));
    }
}
