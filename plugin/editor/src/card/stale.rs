//! Rows that rest on a value which is not there any more: they are to be measured again, the rest stays
//! applicable.

use crate::model::Card;
use deskhand_session::plan::Refusal;
use deskhand_session::{Conflict, Plan, RevisionId, Session};
use std::collections::BTreeSet;

/// What of a plan does not fit the session any more.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stale {
    /// Ids of its rows.
    pub(crate) rows: BTreeSet<String>,
    /// What lost its tick for that: those of them that had one, and what needs them.
    pub(super) ticked: BTreeSet<String>,
    /// What moved on, in words; empty while everything fits.
    pub(crate) why: String,
    looked_at: Option<RevisionId>,
}

impl Stale {
    /// What waits is another part of the plan than before.
    pub(super) fn look_again(&mut self) {
        self.looked_at = None;
    }
}

/// Looks once for each revision.
pub(super) fn settle(card: &mut Card, session: &Session, head: RevisionId) {
    if card.view.stale.looked_at == Some(head) {
        return;
    }
    let was = std::mem::take(&mut card.view.stale);
    let plan = &card.stored.plan;
    let (mut rows, why) = look(plan, &card.view.taken.rows, session);
    if card.view.cuts.are_rows() {
        widen(plan, &mut rows);
    }
    // What fits again, as after an undo, has the ticks that it had.
    let back: Vec<String> = was.ticked.into_iter().collect();
    card.view.tick_all(plan, &back, true);
    let had = card.view.off.clone();
    let gone: Vec<String> = rows.iter().cloned().collect();
    card.view.tick_all(plan, &gone, false);
    let ticked = card.view.off.difference(&had).cloned().collect();
    card.view.stale = Stale { rows, ticked, why, looked_at: Some(head) };
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

/// What was taken stands, and moved on by that alone: only the rest can be stale.
fn look(plan: &Plan, taken: &BTreeSet<String>, session: &Session) -> (BTreeSet<String>, String) {
    if taken.is_empty() {
        return look_at(plan, session);
    }
    let ids = plan.changes.iter().map(|change| &change.id);
    let left: Vec<String> = ids.filter(|id| !taken.contains(*id)).cloned().collect();
    match plan.derived(&left, &[]) {
        Ok(rest) => look_at(&rest, session),
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

/// What moved on. What is gone has no name in the session any more, and is called as the plan calls it.
fn moved(plan: &Plan, it: &Conflict) -> String {
    let id = it.target.to_string();
    let row = plan.changes.iter().find(|row| row.change.target() == it.target);
    let name = row.map_or("what it rests on", |row| row.name.as_str());
    let is_gone = it.found.is_null() && it.name.contains(&id);
    format!("{} {}", it.name.replace(&id, name), if is_gone { "is gone" } else { "changed" })
}

/// The rows that rest on what was read of an object: those on it, or all when none is.
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
    use crate::testing::{gain_plan, session};
    use deskhand_session::ClipId;

    #[test]
    fn what_is_gone_is_called_as_the_plan_calls_it() {
        let mut session = session();
        session.clips.remove(&ClipId::new(2));
        let (rows, why) = look(&gain_plan(), &BTreeSet::new(), &session);
        assert_eq!((rows, why.as_str()), (["c2".to_owned()].into(), "Guitar take is gone"));
    }
}
