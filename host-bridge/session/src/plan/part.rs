//! Taking a part of a plan, or editing a value in it.

use super::{Plan, PlannedChange};
use crate::change::{Change, Edit};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// How a summary begins to say what the mix will be.
const OF_MIX: &str = "; the mix will ";

/// A new value for one change: `c1=-2.5`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ValueEdit {
    /// Id of the change.
    pub change: String,
    /// Its new `after`.
    pub after: Value,
}

/// A call that asks for some parts of a plan alone; its plan takes the place of the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Narrowed {
    /// The parameters of the plan's tool.
    pub params: Value,
    /// Why the plan that it came from is rejected.
    pub reason: String,
}

/// Why a part of a plan could not be taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PartError {
    /// No change has that id.
    #[error("the plan has no change \"{id}\"; it has {known}")]
    UnknownChange {
        /// The requested id.
        id: String,
        /// The ids there are.
        known: String,
    },
    /// No part has that id.
    #[error("the plan has no part \"{id}\"; it has {known}")]
    UnknownPart {
        /// The requested id.
        id: String,
        /// The ids there are.
        known: String,
    },
    /// The value does not fit the change.
    #[error("{id} ({op}) cannot be set to {value}: {why}")]
    Value {
        /// Id of the change.
        id: String,
        /// Its op.
        op: &'static str,
        /// The requested value.
        value: String,
        /// The expected kind of value.
        why: String,
    },
}

impl Plan {
    /// The ids of the changes in `only`, with all changes that they need, in the plan's order. Includes the
    /// removal of a group that was made only for them.
    ///
    /// # Errors
    /// When an id is not in the plan.
    pub fn closure(&self, only: &[String]) -> Result<Vec<String>, PartError> {
        let mut taken: BTreeSet<&str> = BTreeSet::new();
        let mut open: Vec<&str> = only.iter().map(String::as_str).collect();
        while let Some(id) = open.pop() {
            let planned = self.changes.iter().find(|change| change.id == id);
            let planned = planned.ok_or_else(|| self.unknown(id))?;
            if taken.insert(id) {
                open.extend(planned.needs.iter().map(String::as_str));
            }
        }
        let returned = self.changes.iter().filter(|it| self.gives_back(it, &taken));
        let returned: Vec<&str> = returned.map(|change| change.id.as_str()).collect();
        taken.extend(returned);
        let ids = self.changes.iter().map(|change| &change.id);
        Ok(ids.filter(|id| taken.contains(id.as_str())).cloned().collect())
    }

    /// Whether a change removes a group that a taken change makes, and needs no change that is left.
    fn gives_back(&self, change: &PlannedChange, taken: &BTreeSet<&str>) -> bool {
        let Change::SetGroup(Edit { target, after: None, .. }) = &change.change else {
            return false;
        };
        let makes = |it: &&PlannedChange| matches!(&it.change, Change::SetGroup(Edit { target: made, before: None, .. }) if made == target);
        let mut made = self.changes.iter().filter(makes);
        made.any(|it| taken.contains(it.id.as_str()))
            && change.needs.iter().all(|id| taken.contains(id.as_str()))
    }

    /// Asks for only the parts in `ids`: a plan of their own, measured again.
    ///
    /// # Errors
    /// When an id is no part of the plan.
    pub fn narrowed(&self, ids: &[String]) -> Result<Narrowed, PartError> {
        if let Some(id) = ids.iter().find(|id| self.requests().all(|part| part.id != **id)) {
            let known: Vec<_> = self.requests().map(|part| part.id.as_str()).collect();
            let known = if known.is_empty() { "none".into() } else { known.join(", ") };
            return Err(PartError::UnknownPart { id: id.clone(), known });
        }
        let all = self.requests().count();
        let parts: Vec<_> = self.requests().filter(|part| ids.contains(&part.id)).collect();
        let mut lists: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
        for (name, items) in parts.iter().flat_map(|part| &part.params) {
            lists.entry(name).or_default().extend(items.iter().cloned());
        }
        let mut params = self.params.as_object().cloned().unwrap_or_default();
        params.extend(lists.into_iter().map(|(name, items)| (name.to_owned(), items.into())));
        let reason = format!("planned again with {} of its {all} parts", parts.len());
        Ok(Narrowed { params: params.into(), reason })
    }

    /// A plan with only the changes in `ids` and with `edits` made. Predictions that follow from a
    /// change left out or edited are dropped; the caller measures again. Not sealed.
    ///
    /// # Errors
    /// When an id is unknown or a value does not fit.
    pub fn derived(&self, ids: &[String], edits: &[ValueEdit]) -> Result<Self, PartError> {
        let mut plan = Self { derived_from: Some(self.id), ..self.clone() };
        plan.parts.retain(|part| {
            !part.changes.is_empty() && part.changes.iter().all(|id| ids.contains(id))
        });
        for edit in edits {
            plan.edit(edit)?;
        }
        plan.changes.retain(|change| ids.contains(&change.id));
        for change in &mut plan.changes {
            change.needs.retain(|needed| ids.contains(needed));
        }
        plan.summary = self.summary_of(plan.changes.len(), edits.len());
        plan.predicted.retain(|prediction| {
            prediction.from.iter().all(|id| ids.contains(id))
                && !edits.iter().any(|edit| prediction.from.contains(&edit.change))
        });
        Ok(plan)
    }

    /// The summary without the sentence on the mix, which describes the whole plan only.
    #[must_use]
    pub fn lasting_summary(&self) -> &str {
        self.summary.split_once(OF_MIX).map_or(self.summary.as_str(), |(lasting, _)| lasting)
    }

    /// The summary of a part, without what undo cannot take back: changes left out, values set by hand, the
    /// prediction for the mix.
    fn summary_of(&self, taken: usize, edited: usize) -> String {
        let whole = self.changes.len();
        let left = (taken < whole).then(|| format!("{taken} of {whole} changes"));
        let set = (edited > 0).then(|| format!("{edited} set by hand"));
        match left.into_iter().chain(set).collect::<Vec<_>>().join(", ") {
            notes if notes.is_empty() => self.summary.clone(),
            notes => format!("{} ({notes})", self.lasting_summary()),
        }
    }

    fn edit(&mut self, edit: &ValueEdit) -> Result<(), PartError> {
        let unknown = self.unknown(&edit.change);
        let planned = self.changes.iter_mut().find(|change| change.id == edit.change);
        let planned = planned.ok_or(unknown)?;
        let op = planned.change.op();
        let wrong = |why: String| PartError::Value {
            id: edit.change.clone(),
            op,
            value: edit.after.to_string(),
            why,
        };
        let mut json = serde_json::to_value(&planned.change).map_err(|e| wrong(e.to_string()))?;
        let old = std::mem::replace(&mut json["after"], edit.after.clone());
        let change = serde_json::from_value::<Change>(json).map_err(|_| wrong(takes(&old)))?;
        planned.change = change;
        planned.reason = format!("{}; set to {} by hand", planned.reason, edit.after);
        Ok(())
    }

    fn unknown(&self, id: &str) -> PartError {
        let known: Vec<_> = self.changes.iter().map(|change| change.id.as_str()).collect();
        PartError::UnknownChange { id: id.into(), known: known.join(", ") }
    }
}

/// The values that a change accepts in place of `old`, for people.
fn takes(old: &Value) -> String {
    match old {
        Value::Number(_) => format!("it takes a number, like {old}"),
        Value::String(_) => format!("it takes text, like {old}"),
        Value::Bool(_) => "it takes true or false".into(),
        Value::Object(parts) => {
            let parts: Vec<_> = parts.keys().map(String::as_str).collect();
            format!("it takes an object with {}, as in the plan", parts.join(", "))
        }
        Value::Null | Value::Array(_) => format!("it takes a value like the plan's, {old}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PlanPart;
    use crate::ids::{GroupId, SessionId, TrackId};
    use crate::track::Group;
    use crate::{PlanId, RevisionId};
    use deskhand_dsp::Decibels;
    use serde_json::json;

    fn plan_of(change: Change) -> Plan {
        Plan {
            format: super::super::FORMAT.into(),
            id: PlanId::new(1),
            digest: String::new(),
            tool: "tool_gain_stage".into(),
            params: Value::Null,
            session: SessionId::new(1),
            base_revision: RevisionId(0),
            summary: String::new(),
            changes: vec![PlannedChange::new(1, change, "Voice".into(), "as asked".into())],
            parts: Vec::new(),
            reads: Vec::new(),
            findings: Vec::new(),
            predicted: Vec::new(),
            artifacts: Vec::new(),
            warnings: Vec::new(),
            notes: Vec::new(),
            offers: Vec::new(),
            derived_from: None,
        }
    }

    fn refused(change: Change, after: Value) -> String {
        let edit = ValueEdit { change: "c1".into(), after };
        plan_of(change).derived(&["c1".into()], &[edit]).unwrap_err().to_string()
    }

    #[test]
    fn a_change_that_is_to_be_heard_says_so_and_one_of_an_older_plan_is_not() {
        let mute = Change::SetTrackMute(Edit::new(TrackId::new(1), false, true));
        let mut plan = plan_of(mute);
        let old = serde_json::to_value(&plan).unwrap();
        assert_eq!(old["changes"][0].get("to_hear"), None, "nothing new stands in other plans");
        assert_eq!(serde_json::from_value::<Plan>(old).unwrap(), plan);
        plan.changes[0].to_hear = true;
        let new = serde_json::to_value(&plan).unwrap();
        assert_eq!(new["changes"][0]["to_hear"], true);
        assert_eq!(serde_json::from_value::<Plan>(new).unwrap(), plan);
    }

    #[test]
    fn a_group_that_is_for_a_step_alone_goes_again_with_whatever_part_is_taken() {
        let id = GroupId::new(1);
        let group = Group { name: "Voice".into(), tracks: vec![TrackId::new(1)] };
        let mut plan = plan_of(Change::SetGroup(Edit::create(id, group.clone())));
        let mute = Change::SetTrackMute(Edit::new(TrackId::new(1), false, true));
        let more =
            [(mute.clone(), "c1"), (mute, "c1"), (Change::SetGroup(Edit::remove(id, group)), "c1")];
        for (number, (change, need)) in (2..).zip(more) {
            let mut planned = PlannedChange::new(number, change, String::new(), String::new());
            planned.needs = vec![need.into()];
            plan.changes.push(planned);
        }
        assert_eq!(plan.closure(&["c3".into()]).unwrap(), ["c1", "c3", "c4"]);
        plan.changes[3].needs.push("c2".into());
        assert_eq!(plan.closure(&["c3".into()]).unwrap(), ["c1", "c3"], "it needs what is left");
    }

    #[test]
    fn a_value_of_the_wrong_kind_is_told_plainly() {
        let track = TrackId::new(1);
        let gain = Change::SetTrackGain(Edit::new(track, Decibels(0.0), Decibels(-2.5)));
        assert_eq!(
            refused(gain, json!("abc")),
            "c1 (set_track_gain) cannot be set to \"abc\": it takes a number, like -2.5"
        );
        let name = Change::RenameTrack(Edit::new(track, "a".into(), "b".into()));
        assert!(refused(name, json!(5)).ends_with("it takes text, like \"b\""));
        let mute = Change::SetTrackMute(Edit::new(track, false, true));
        assert!(refused(mute, json!(5)).ends_with("it takes true or false"));
    }

    #[test]
    fn a_value_set_by_hand_is_not_called_what_was_planned() {
        let gain = Edit::new(TrackId::new(1), Decibels(0.0), Decibels(3.0));
        let mut plan = plan_of(Change::SetTrackGain(gain));
        plan.summary = "Bring Voice to -16 LUFS".into();
        let edit = ValueEdit { change: "c1".into(), after: json!(1.0) };
        let part = plan.derived(&["c1".into()], &[edit]).unwrap();
        assert_eq!(part.summary, "Bring Voice to -16 LUFS (1 set by hand)");
        assert_eq!(plan.derived(&["c1".into()], &[]).unwrap().summary, plan.summary);
    }

    #[test]
    fn a_part_does_not_promise_what_the_mix_would_be_with_the_whole() {
        let gain = Edit::new(TrackId::new(1), Decibels(0.0), Decibels(3.0));
        let mut plan = plan_of(Change::SetTrackGain(gain));
        plan.summary = "Bring 1 track to -18 dBFS; the mix will peak at +8.5 dBTP".into();
        let edit = ValueEdit { change: "c1".into(), after: json!(1.0) };
        let part = plan.derived(&["c1".into()], &[edit]).unwrap();
        assert_eq!(part.summary, "Bring 1 track to -18 dBFS (1 set by hand)");
        assert_eq!(plan.derived(&["c1".into()], &[]).unwrap().summary, plan.summary);
    }

    #[test]
    fn parts_join_their_lists_in_place_of_those_of_the_plan() {
        let change = Change::SetTrackGain(Edit {
            target: TrackId::new(1),
            before: Decibels(0.0),
            after: Decibels(-3.0),
        });
        let items = ["a", "b", "c"].map(|name| (name.to_owned(), json!(name)));
        let plan = Plan {
            params: json!({"deep": true, "group_ids": ["a", "b", "c"]}),
            parts: PlanPart::each("group_ids", items.into()),
            ..plan_of(change)
        };
        let ids = |ids: &[&str]| ids.iter().map(|id| (*id).to_owned()).collect::<Vec<_>>();
        let narrowed = plan.narrowed(&ids(&["p3", "p1"])).unwrap();
        assert_eq!(narrowed.params, json!({"deep": true, "group_ids": ["a", "c"]}));
        assert_eq!(narrowed.reason, "planned again with 2 of its 3 parts");
        let unknown = plan.narrowed(&ids(&["p1", "p4"])).unwrap_err();
        assert_eq!(unknown.to_string(), "the plan has no part \"p4\"; it has p1, p2, p3");
        let alone = PlanPart::each("group_ids", vec![("a".into(), json!("a"))]);
        assert_eq!(alone, [], "one part is the plan itself");
    }
}
