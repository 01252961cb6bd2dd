//! Rows that rest on a value which is not there any more: they are to be measured again, the rest stays
//! applicable.

use super::applied_rows::Taken;
use super::ticks::Ticks;
use deskhand_session::plan::Refusal;
use deskhand_session::{Conflict, Plan, RevisionId, Session};
use std::collections::BTreeSet;

/// What of a plan does not fit the session any more.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stale {
    pub(crate) rows: BTreeSet<String>,
    /// The rows that lost their tick because of that: stale rows with a tick, and rows that need them.
    pub(super) ticked: BTreeSet<String>,
    /// What moved on, in words; empty while everything fits.
    pub(crate) why: String,
    looked_at: Option<RevisionId>,
}

impl Stale {
    /// The waiting part of the plan has changed.
    pub(super) fn look_again(&mut self) {
        self.looked_at = None;
    }
}

/// Looks once for each revision.
pub(super) fn settle(ticks: &mut Ticks, plan: &Plan, session: &Session, head: RevisionId) {
    if ticks.stale.looked_at == Some(head) {
        return;
    }
    let was = std::mem::take(&mut ticks.stale);
    let (mut rows, why) = look(plan, &ticks.taken, session);
    if ticks.cuts.are_rows() {
        widen(plan, &mut rows);
    }
    // What fits again, as after an undo, has the ticks that it had.
    let back: Vec<String> = was.ticked.into_iter().collect();
    ticks.tick_all(plan, &back, true);
    let had = ticks.off.clone();
    let gone: Vec<String> = rows.iter().cloned().collect();
    let went_along = ticks.went_along.clone();
    ticks.tick_all(plan, &gone, false);
    // The person unticked these only because of another row.
    ticks.went_along.extend(went_along);
    let ticked = ticks.off.difference(&had).cloned().collect();
    ticks.stale = Stale { rows, ticked, why, looked_at: Some(head) };
}

/// A cut holds only as a whole: what needs a stale change is stale with it.
fn widen(plan: &Plan, rows: &mut BTreeSet<String>) {
    loop {
        let known = rows.len();
        for change in &plan.changes {
            if change.needs.iter().any(|id| rows.contains(id)) {
                rows.insert(change.id.clone());
            }
        }
        if rows.len() == known {
            return;
        }
    }
}

/// Only rows that are not applied can be stale, and an applied row never makes them stale.
fn look(plan: &Plan, taken: &Taken, session: &Session) -> (BTreeSet<String>, String) {
    if taken.rows.is_empty() {
        return look_at(plan, session);
    }
    let ids = plan.changes.iter().map(|change| &change.id);
    let left: Vec<String> = ids.filter(|id| !taken.rows.contains(*id)).cloned().collect();
    match plan.derived(&left, &[]) {
        Ok(rest) => look_at(&rest.beside(&taken.changes, session), session),
        Err(error) => (left.into_iter().collect(), error.to_string()),
    }
}

fn look_at(plan: &Plan, session: &Session) -> (BTreeSet<String>, String) {
    let all = || plan.changes.iter().map(|change| change.id.clone()).collect();
    match plan.applied_to(session) {
        Ok(_) => (BTreeSet::new(), String::new()),
        Err(Refusal::Conflicts(conflicts)) => {
            let why = conflicts.first().map_or_else(String::new, |it| moved(plan, it));
            let mut rows = BTreeSet::new();
            for conflict in &conflicts {
                match &conflict.change {
                    Some(id) => {
                        rows.insert(id.clone());
                    }
                    // Something the plan read: what it was measured for rests on it.
                    None => rows.extend(resting_on(plan, conflict.target)),
                }
            }
            (rows, why)
        }
        Err(Refusal::Invalid(invalid)) => (all(), invalid.reason),
        Err(refusal @ Refusal::OtherSession { .. }) => (all(), refusal.to_string()),
    }
}

/// What changed. A removed object has no name in the session, so the plan's name is used.
fn moved(plan: &Plan, it: &Conflict) -> String {
    let id = it.target.to_string();
    let row = plan.changes.iter().find(|row| row.change.target() == it.target);
    let name = row.map_or("what it rests on", |row| row.name.as_str());
    let is_gone = it.found.is_null() && it.name.contains(&id);
    format!("{} {}", it.name.replace(&id, name), if is_gone { "is gone" } else { "changed" })
}

/// The rows that depend on the reading of an object: those on it, or all if none is.
fn resting_on(plan: &Plan, target: deskhand_session::ObjectId) -> Vec<String> {
    let all = plan.changes.iter();
    let on: Vec<String> = all
        .clone()
        .filter(|change| change.change.target() == target)
        .map(|change| change.id.clone())
        .collect();
    if on.is_empty() { all.map(|change| change.id.clone()).collect() } else { on }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::prelude::*;
    use crate::testing::session;
    use deskhand_session::Read;

    #[test]
    fn several_stale_rows_are_measured_again_by_one_button_and_promise_nothing_until_then() {
        let gain = |clip| Edit::new(ClipId::new(clip), Decibels::UNITY, Decibels(1.0));
        let changes = [1, 2].map(|clip| Change::SetClipGain(gain(clip))).into();
        let (from, to, label) = (RevisionId(1), RevisionId(2), "Clip gain".into());
        let mut model = with_plan();
        drop(model.hear(&event(3, None, News::Moved { from, to, label, changes, at: None })));
        let mut harness = harness(model);
        assert!(harness.query_by_label("Measure again").is_none(), "no row has one of its own");
        for row in ["Change 1", "Change 2"] {
            let words = format!("{row} is to be measured again");
            assert!(harness.query_by_label(&words).is_some(), "{words}");
        }
        let number = "Vocal take, integrated loudness, predicted from −20.5 to −16.0 LUFS";
        assert!(harness.query_by_label(number).is_none());
        let aside = format!("{number} before the session changed");
        assert!(harness.query_by_label(&aside).is_some());
        for _ in 0..2 {
            harness.click_on("Measure all again");
        }
        let (tool, params) = (gain_plan().tool, gain_plan().params);
        assert_eq!(harness.state().actions, [Action::Measure { tool, params }], "once");
    }

    #[test]
    fn a_row_that_went_along_with_another_one_comes_back_with_it_though_it_was_stale_meanwhile() {
        let mut model = with_plan();
        let card = model.cards.get_mut(&gain_plan().id).unwrap();
        card.stored.plan.changes[1].needs = vec!["c1".into()];
        let plan = card.stored.plan.clone();
        card.view.ticks.tick(&plan, "c1");
        assert_eq!(card.view.ticks.off, ["c1", "c2"].map(str::to_owned).into());
        let mut moved = session();
        moved.clips.get_mut(&ClipId::new(2)).unwrap().gain = Decibels(1.0);
        settle(&mut card.view.ticks, &plan, &moved, RevisionId(2));
        assert_eq!(card.view.ticks.stale.rows, ["c2".to_owned()].into());
        settle(&mut card.view.ticks, &plan, &session(), RevisionId(3));
        card.view.ticks.tick(&plan, "c1");
        assert!(card.view.ticks.off.is_empty(), "{:?}", card.view.ticks.off);
    }

    #[test]
    fn what_is_gone_is_called_as_the_plan_calls_it() {
        let mut session = session();
        session.clips.remove(&ClipId::new(2));
        let (rows, why) = look(&gain_plan(), &Taken::default(), &session);
        assert_eq!((rows, why.as_str()), (["c2".to_owned()].into(), "Guitar take is gone"));
    }

    #[test]
    fn the_rest_of_a_plan_is_not_stale_by_what_was_taken_of_it() {
        let before = session();
        let plan = Plan { reads: vec![Read::audio(&before, before.id)], ..gain_plan() };
        let part = plan.derived(&["c1".into()], &[]).unwrap();
        let now = before.with(part.bare_changes()).unwrap();
        let taken = Taken::by(&plan, std::iter::once(&part));
        assert_eq!(look(&plan, &taken, &now), (BTreeSet::new(), String::new()));
        let mut rows = taken;
        rows.changes.clear();
        assert_eq!(look(&plan, &rows, &now).1, "audio of the mix changed", "what it would be");
    }
}
