//! A plan for readers: if it cuts speech in many places, each cut is one row instead of its changes.

use super::{Plan, PlanPart, PlannedChange};
use crate::change::Change;
use std::collections::{BTreeMap, BTreeSet};

/// A set of changes of a plan that is accepted or left out as one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step<'a> {
    /// The change that represents the step. Taking it by its id takes the others along.
    pub head: &'a PlannedChange,
    /// The place of its first change in the plan, from 0.
    pub at: usize,
    /// How many changes it is, without those that only prepare cuts.
    pub changes: usize,
}

/// A row of a plan: a change, or several that are taken or left as one.
#[derive(Clone, Debug, PartialEq)]
pub struct Row<'a> {
    /// The change that represents the row. Taking it by its id takes the others along.
    pub head: &'a PlannedChange,
    /// What the row does, for people, if the plan names it.
    pub name: Option<&'a str>,
    /// The places of its changes in the plan, from 0, that of the head first. Without a name, they do the same.
    pub changes: Vec<usize>,
}

impl Plan {
    /// The rows of a plan, in its order. Beside rows that the plan names, a change that only serves others, such as
    /// a file that they play, is no row. Equal gains of clips, each tied to the one before it, are one.
    #[must_use]
    pub fn rows(&self) -> Vec<Row<'_>> {
        let mut rows = self.named_rows();
        let mut others = self.served(&rows);
        rows.iter().for_each(|row| others.extend(&row.changes));
        for at in (0..self.changes.len()).filter(|at| !others.contains(at)) {
            let last = rows.last_mut().filter(|row| row.name.is_none());
            let tied = last.filter(|row| row.changes.last().is_some_and(|it| self.ties(*it, at)));
            match (tied, self.changes.get(at)) {
                (Some(row), _) => row.changes.push(at),
                (None, Some(head)) => rows.push(Row { head, name: None, changes: vec![at] }),
                (None, None) => {}
            }
        }
        rows.sort_by_key(|row| row.changes.iter().min().copied());
        rows
    }

    fn named_rows(&self) -> Vec<Row<'_>> {
        let row = |part: &'_ PlanPart| {
            let changes: Vec<usize> = part.changes.iter().filter_map(|id| self.place(id)).collect();
            Some((*changes.first()?, changes))
        };
        let named = self.parts.iter().filter_map(|part| {
            let (head, changes) = row(part)?;
            Some(Row { head: self.changes.get(head)?, name: Some(part.name.as_str()), changes })
        });
        named.collect()
    }

    /// The places of changes that others need, if the plan names rows.
    fn served(&self, named: &[Row<'_>]) -> BTreeSet<usize> {
        let all = self.changes.iter().filter(|_| !named.is_empty());
        all.flat_map(|planned| planned.needs.iter().filter_map(|id| self.place(id))).collect()
    }

    fn place(&self, id: &str) -> Option<usize> {
        self.changes.iter().position(|planned| planned.id == *id)
    }

    /// Whether the change at `at` sets the same gain as the one at `before`, and goes with it.
    fn ties(&self, before: usize, at: usize) -> bool {
        let (Some(before), Some(planned)) = (self.changes.get(before), self.changes.get(at)) else {
            return false;
        };
        let is_same = match (&before.change, &planned.change) {
            (Change::SetClipGain(one), Change::SetClipGain(other)) => {
                (one.before, one.after) == (other.before, other.after)
            }
            _ => false,
        };
        is_same && before.name == planned.name && planned.needs.contains(&before.id)
    }

    /// The cuts of a plan, in order of time; `None` if it is no plan of cuts.
    #[must_use]
    pub fn cuts(&self) -> Option<Vec<Step<'_>>> {
        self.changes.iter().find(|planned| planned.cut.is_some())?;
        let mut steps = Vec::new();
        let mut rest = &self.changes[..];
        while let [first, behind @ ..] = rest {
            let length = ring(rest);
            if length == 1 && prepares(&first.change) {
                rest = behind;
                continue;
            }
            let (own, behind) = rest.split_at(length);
            let at = self.changes.len() - rest.len();
            steps.push(Step { head: head(own, first), at, changes: length });
            rest = behind;
        }
        // The tool plans the last cut first, so that earlier ones have not moved yet, and one track after another.
        steps.reverse();
        let at = |step: &Step<'_>| step.head.cut.as_ref().map(|cut| cut.at);
        if steps.iter().all(|step| at(step).is_some()) {
            steps.sort_by_key(at);
        }
        Some(steps)
    }

    /// The ids that take the whole plan except changes to hear first, and changes that need those. For a
    /// plan of cuts, they are the ids that represent its cuts. Ids in `meant` count as heard.
    #[must_use]
    pub fn without_unheard(&self, meant: &[String]) -> Vec<String> {
        let mut needed_by: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for change in &self.changes {
            for need in &change.needs {
                needed_by.entry(need).or_default().push(&change.id);
            }
        }
        let unheard = self.changes.iter().filter(|it| it.to_hear && !meant.contains(&it.id));
        let mut open: Vec<&str> = unheard.map(|change| change.id.as_str()).collect();
        let mut left = BTreeSet::new();
        while let Some(id) = open.pop() {
            if left.insert(id) {
                open.extend(needed_by.get(id).into_iter().flatten().copied());
            }
        }
        let heads: Vec<&str> = match self.cuts() {
            Some(steps) => steps.into_iter().map(|step| step.head.id.as_str()).collect(),
            None => self.rows().into_iter().map(|row| row.head.id.as_str()).collect(),
        };
        heads.into_iter().filter(|id| !left.contains(id)).map(str::to_owned).collect()
    }
}

/// The number of changes, from the first on, that need each other in a ring; 1 if it is in none.
fn ring(changes: &[PlannedChange]) -> usize {
    let Some((first, behind)) = changes.split_first() else { return 1 };
    let needs = |change: &PlannedChange, other: &PlannedChange| change.needs.contains(&other.id);
    let Some(last) = behind.iter().rposition(|other| needs(first, other)) else { return 1 };
    let ring = changes.get(..last + 2).unwrap_or_default();
    let is_tied = ring.windows(2).all(|pair| matches!(pair, [a, b] if needs(b, a)));
    if is_tied { ring.len() } else { 1 }
}

/// Whether a change is heard by nobody, and only makes room for cuts.
fn prepares(change: &Change) -> bool {
    matches!(change, Change::SplitClip(_) | Change::SetGroup(_) | Change::SetAssembly(_))
}

fn head<'a>(own: &'a [PlannedChange], first: &'a PlannedChange) -> &'a PlannedChange {
    let closes = |change: &&PlannedChange| matches!(change.change, Change::RippleDelete(_));
    let heard = own.iter().find(|change| change.to_hear);
    let marked = own.iter().find(|change| change.cut.is_some());
    heard.or(marked).or_else(|| own.iter().find(closes)).unwrap_or(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn plan(changes: Value) -> Plan {
        serde_json::from_value(json!({
            "format": super::super::FORMAT, "id": "plan_0123456789ab", "digest": "", "tool": "tool_tighten", "params": {},
            "session": "session_000000000001", "base_revision": 1, "summary": "", "changes": changes,
        }))
        .unwrap()
    }

    fn change(id: &str, op: &str, needs: &[&str]) -> Value {
        let (target, before, after) = match op {
            "ripple_delete" => {
                let side =
                    |length: i64| json!({"tracks": [], "at": 0, "length": length, "clips": {}});
                ("group_000000000001", side(9), side(0))
            }
            "set_group" => ("group_000000000001", Value::Null, json!({"name": "a", "tracks": []})),
            _ => ("track_000000000001", json!("a"), json!("b")),
        };
        json!({"id": id, "op": op, "target": target, "before": before, "after": after, "needs": needs})
    }

    fn shown(plan: &Plan) -> Option<Vec<(&str, usize)>> {
        let cuts = plan.cuts()?.into_iter();
        Some(cuts.map(|step| (step.head.id.as_str(), step.changes)).collect())
    }

    #[test]
    fn each_cut_is_one_step_the_first_in_time_first() {
        let mut changes = json!([
            change("c1", "set_group", &[]),
            change("c2", "ripple_delete", &["c1"]),
            change("c3", "rename_track", &["c1", "c5"]),
            change("c4", "ripple_delete", &["c3"]),
            change("c5", "rename_track", &["c4"]),
            change("c6", "rename_track", &["c8"]),
            change("c7", "rename_track", &["c6"]),
            change("c8", "rename_track", &["c7"]),
        ]);
        assert_eq!(shown(&plan(changes.clone())), None, "nothing says that it cuts speech");
        let pause = json!({"kind": "pause", "what": "a pause", "at": 0, "length": 9});
        changes[3]["cut"] = pause;
        let cuts = plan(changes.clone());
        assert_eq!(shown(&cuts), Some(vec![("c6", 3), ("c4", 3), ("c2", 1)]));
        changes[6]["to_hear"] = json!(true);
        let heard = plan(changes);
        assert_eq!(shown(&heard).unwrap()[0], ("c7", 3), "what is to be heard stands for the cut");
        assert_eq!(heard.closure(&["c7".into()]).unwrap(), ["c6", "c7", "c8"]);
        let begin = heard.cuts().unwrap().iter().map(|step| step.at).collect::<Vec<_>>();
        assert_eq!(begin, [5, 2, 1]);
    }

    #[test]
    fn all_but_what_is_to_be_heard_and_what_needs_it_is_taken() {
        let mut changes = json!([
            change("c1", "set_group", &[]),
            change("c2", "ripple_delete", &["c1"]),
            change("c3", "ripple_delete", &["c1"]),
            change("c4", "ripple_delete", &["c1", "c3"]),
        ]);
        changes[2]["to_hear"] = json!(true);
        changes[2]["cut"] = json!({"kind": "pause", "what": "a pause", "at": 0, "length": 9});
        let cuts = plan(changes);
        assert_eq!(cuts.without_unheard(&[]), ["c2"]);
        assert_eq!(cuts.without_unheard(&["c3".into()]), ["c4", "c3", "c2"]);
    }

    #[test]
    fn rows_that_a_plan_names_leave_out_what_only_serves_them() {
        let changes = json!([
            change("c1", "rename_track", &[]),
            change("c2", "rename_track", &["c1", "c3"]),
            change("c3", "rename_track", &["c2"]),
            change("c4", "rename_track", &[]),
        ]);
        let mut named = plan(changes);
        assert_eq!(named.rows().len(), 4);
        named.parts = serde_json::from_value(
            json!([{"id": "p1", "name": "2 stems", "changes": ["c3", "c2"]}]),
        )
        .unwrap();
        let rows = named.rows();
        let shown: Vec<_> = rows.iter().map(|it| (&*it.head.id, it.name, &*it.changes)).collect();
        assert_eq!(shown, [("c3", Some("2 stems"), &[2, 1][..]), ("c4", None, &[3])]);
        assert_eq!(named.closure(&["c3".into()]).unwrap(), ["c1", "c2", "c3"]);
        let derived = named.derived(&["c4".into()], &[]).unwrap();
        assert_eq!((derived.rows().len(), derived.parts.len()), (1, 0));
    }
}
