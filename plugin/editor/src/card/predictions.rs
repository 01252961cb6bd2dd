//! What a plan predicts after values were edited or parts unticked. A level that depends only on the gain
//! of its own object is computed at once. Everything else is measured when the plan is applied. Until then
//! the old prediction stays in gray with its reason, and it is live again once the card is back to the plan
//! as made.

use crate::card::view::Card;
use crate::kit::scale::{is_over, level};
use crate::theme::Theme;
use deskhand_session::{Change, ObjectId, PlannedChange, Prediction};
use egui::Color32;

/// The predictions that the card shows: without applied ones, and without those of a single unticked
/// object.
pub(super) fn all(card: &Card) -> impl Iterator<Item = &Prediction> {
    let view = &card.view;
    let is_open = move |it: &&Prediction| {
        let is_unticked =
            |id: &String| view.ticks.off.contains(id) && !view.ticks.stale.ticked.contains(id);
        let is_gone =
            |id: &String| view.ticks.taken.rows.contains(id) || !is_mix(it) && is_unticked(id);
        it.from.is_empty() || !it.from.iter().all(is_gone)
    };
    card.stored.plan.predicted.iter().filter(is_open)
}

pub(super) fn is_mix(it: &Prediction) -> bool {
    matches!(it.target, ObjectId::Session(_))
}

/// What numbers are of that only measuring tells with the ticks and values of the card.
pub(super) fn aside(card: &Card) -> String {
    let (plan, view) = (&card.stored.plan, &card.view);
    if !view.ticks.stale.rows.is_empty() {
        return "before the session changed".into();
    }
    let waits = |id: &String| !view.ticks.taken.rows.contains(id);
    match view.ticks.rows(plan) {
        _ if !view.ticks.off.iter().any(waits) => "with the planned values".into(),
        1 => "with the change".into(),
        all => format!("for all {all} changes"),
    }
}

/// The predicted value for the card's ticks and edits. `None` if only measuring can give it.
pub(crate) fn value(card: &Card, it: &Prediction) -> Option<f64> {
    let view = &card.view;
    let is_taken = |id: &String| view.ticks.taken.rows.contains(id);
    let is_missing = |id: &String| view.ticks.off.contains(id) && !is_taken(id);
    if it.from.iter().any(|id| view.ticks.stale.rows.contains(id) || is_missing(id)) {
        return None;
    }
    let is_touched = |id: &String| match is_taken(id) {
        true => view.ticks.taken.edited.contains(id),
        false => view.values.edits.contains_key(id),
    };
    if !it.from.iter().any(is_touched) {
        return Some(it.value);
    }
    let plan = &card.stored.plan;
    let [id] = it.from.as_slice() else { return None };
    let planned = plan.changes.iter().find(|planned| planned.id == *id)?;
    let after = gain(planned).filter(|_| planned.change.target() == it.target)?;
    let set = *view.values.edits.get(id).unwrap_or(&after);
    // A range of levels moves with no gain.
    let by = if it.unit == "LU" { 0.0 } else { set - after };
    Some(it.value + by)
}

/// A prediction as the card shows it.
pub(super) struct Shown<'p> {
    it: &'p Prediction,
    /// The predicted value, or the value from the plan if only measuring gives one.
    pub(super) value: f64,
    is_about: bool,
    /// The state it belongs to instead, if only measuring can give the new value.
    aside: Option<String>,
}

impl<'p> Shown<'p> {
    pub(super) fn of(card: &Card, it: &'p Prediction) -> Self {
        let known = value(card, it);
        let aside = known.is_none().then(|| aside(card));
        let value = known.unwrap_or(it.value);
        // Of a value that was set by hand it is reckoned, where the planned one was measured.
        let is_set = |id: &String| {
            card.view.values.edits.contains_key(id) && !card.view.ticks.off.contains(id)
        };
        let is_about = value != it.value && it.from.iter().any(is_set);
        Self { it, value, is_about, aside }
    }

    pub(super) fn unit(&self) -> &'p str {
        &self.it.unit
    }

    pub(super) fn tolerance(&self) -> f32 {
        self.it.tolerance as f32
    }

    /// The word before a number that was not measured.
    pub(super) fn about(&self) -> &'static str {
        if self.is_about { "about " } else { "" }
    }

    pub(super) fn words(&self) -> String {
        format!("{}{}", self.about(), level(self.value as f32, &self.it.unit))
    }

    /// The words after the number: which selection it belongs to, if that is not what is ticked.
    pub(super) fn behind(&self) -> String {
        self.aside.as_ref().map_or_else(String::new, |aside| format!(" {aside}"))
    }

    pub(super) fn color(&self, theme: &Theme) -> Color32 {
        let is_over = is_over(self.value as f32, &self.it.unit);
        if is_over && self.aside.is_none() { theme.warn } else { self.mark(theme) }
    }

    pub(super) fn mark(&self, theme: &Theme) -> Color32 {
        if self.aside.is_some() { theme.text_3 } else { theme.accent }
    }
}

/// The note about grayed predictions among the listed ones. `None` if all are known.
pub(super) fn note(card: &Card, listed: &[&Prediction]) -> Option<String> {
    match listed.iter().filter(|it| value(card, it).is_none()).count() {
        0 => None,
        count if count == listed.len() => Some(aside(card)),
        _ => Some(format!("gray: {}", aside(card))),
    }
}

/// The gain that a change sets, dB. It comes after all nonlinear processing.
fn gain(planned: &PlannedChange) -> Option<f64> {
    match &planned.change {
        Change::SetClipGain(edit) => Some(edit.after.0),
        Change::SetTrackGain(edit) => Some(edit.after.0),
        Change::SetMasterGain(edit) => Some(edit.after.0),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::view::CardView;
    use crate::testing::gain_plan;
    use deskhand_session::{Author, Measure, PlanState, StoredPlan};

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
        // The plan sets 4.5 dB instead of the current value.
        assert_eq!(Shown::of(&card, &it).words(), "−16.0");
        card.view.values.edits.insert("c1".into(), 3.0);
        assert_eq!(value(&card, &it), Some(-17.5));
        assert_eq!(Shown::of(&card, &it).words(), "about −17.5", "it is reckoned");
        let range = Prediction { unit: "LU".into(), ..it.clone() };
        assert_eq!(value(&card, &range), Some(-16.0));
        let of_both = Prediction { from: vec!["c1".into(), "c2".into()], ..it.clone() };
        assert_eq!(value(&card, &of_both), None, "only measuring tells");
        let other = Prediction { from: vec!["c2".into()], ..it.clone() };
        assert_eq!(value(&card, &other), Some(-16.0), "nothing of it was touched");
        card.view.ticks.stale.rows.insert("c1".into());
        assert_eq!(value(&card, &it), None, "what it was measured on is not there any more");
        card.view.ticks.stale.rows.clear();
        card.view.ticks.off.insert("c1".into());
        assert_eq!(value(&card, &it), None, "nothing is promised of what is not taken");
        assert_eq!(all(&card).count(), 0, "nor is it shown");
    }

    #[test]
    fn a_number_of_the_mix_is_put_aside_as_soon_as_ticks_or_values_differ_and_comes_back() {
        let mut card = card();
        let mix = ObjectId::Session(card.stored.plan.session);
        let from = vec!["c1".into(), "c2".into()];
        let it = Prediction::now(mix, Measure::TruePeak, 8.5, 0.3, from);
        card.stored.plan.predicted = vec![it.clone()];
        let shown = |card: &Card| {
            let shown = Shown::of(card, &it);
            (shown.behind(), shown.color(&Theme::DARK))
        };
        let dim = |aside: &str| (format!(" {aside}"), Theme::DARK.text_3);
        let live = (String::new(), Theme::DARK.warn);
        assert_eq!(shown(&card), live);
        card.view.ticks.off.insert("c2".into());
        assert_eq!(shown(&card), dim("for all 2 changes"));
        card.view.ticks.off.insert("c1".into());
        assert_eq!((shown(&card), all(&card).count()), (dim("for all 2 changes"), 1));
        card.view.ticks.off.clear();
        card.view.values.edits.insert("c1".into(), 3.0);
        assert_eq!(shown(&card), dim("with the planned values"));
        card.view.values.edits.clear();
        assert_eq!(shown(&card), live);
        for set in [&mut card.view.ticks.stale.rows, &mut card.view.ticks.off] {
            set.insert("c1".into());
        }
        assert_eq!(shown(&card), dim("before the session changed"));
    }

    #[test]
    fn of_rows_that_lost_their_tick_as_stale_the_numbers_stand_on_in_gray() {
        let mut card = card();
        let view = &mut card.view;
        for set in [&mut view.ticks.stale.rows, &mut view.ticks.stale.ticked, &mut view.ticks.off] {
            set.insert("c1".into());
        }
        let shown: Vec<_> = all(&card).map(|it| Shown::of(&card, it).color(&Theme::DARK)).collect();
        assert_eq!(shown, [Theme::DARK.text_3]);
    }
}
