//! No id is shown to a person. A new object is shown by its future name, others by their kind.

use crate::toasts::names;
use deskhand_session::{Change, ObjectId, Plan, TrackId, TrackKind, plain_words};
use std::collections::{BTreeMap, BTreeSet};

/// The names of objects that a plan makes, for its other changes that mention them: the session does not
/// know them yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Made {
    names: BTreeMap<ObjectId, String>,
    buses: BTreeSet<TrackId>,
}

impl Made {
    pub(crate) fn of(plan: &Plan) -> Self {
        let name = |change: &Change| match change {
            Change::SetCode(edit) => edit.after.as_ref().map(|code| code.name.clone()),
            Change::SetGroup(edit) => edit.after.as_ref().map(|group| group.name.clone()),
            Change::AddTrack(edit) => edit.after.as_ref().map(|placed| placed.track.name.clone()),
            Change::AddSource(edit) => edit.after.as_ref().map(|source| source.name.clone()),
            _ => None,
        };
        let bus = |change: &Change| match change {
            Change::AddTrack(edit) => {
                let bus = edit.after.as_ref().filter(|it| it.track.kind == TrackKind::Bus);
                bus.map(|_| edit.target)
            }
            _ => None,
        };
        let changes = plan.changes.iter().map(|planned| &planned.change);
        let buses = changes.clone().filter_map(bus).collect();
        let names = changes.filter_map(|change| Some((change.target(), name(change)?)));
        Self { names: names.filter(|(_, name)| !name.is_empty()).collect(), buses }
    }

    /// The name of a track that it makes.
    pub(super) fn track(&self, id: TrackId) -> Option<&str> {
        self.names.get(&id.into()).map(String::as_str)
    }

    /// The names of all tracks that it makes.
    pub(super) fn tracks(&self) -> impl Iterator<Item = (TrackId, &str)> {
        self.names.iter().filter_map(|(id, name)| match id {
            ObjectId::Track(id) => Some((*id, name.as_str())),
            _ => None,
        })
    }

    pub(super) fn is_bus(&self, id: TrackId) -> bool {
        self.buses.contains(&id)
    }

    /// The same text with names in the place of ids.
    pub(crate) fn named(&self, text: &str) -> String {
        let name = |id: ObjectId| {
            let known = self.names.get(&id).cloned();
            Some(known.unwrap_or_else(|| match id {
                ObjectId::Session(_) => "the session".to_owned(),
                _ => format!("a {}", plain_words::kind(id)),
            }))
        };
        plain_words::without_ids(text, &name, &|_| names::OTHER.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::gain_plan;
    use deskhand_session::{Code, CodeId, Coding, Edit, PlannedChange, SegmentId};

    /// A plan that makes a code and puts it on the first phrase.
    fn coding() -> (Plan, deskhand_session::Session) {
        let session = crate::testing::spoken();
        let (id, said) = (CodeId::new(0xd9ae), SegmentId::new(1));
        let before = session.segments[&said].clone();
        let mut after = before.clone();
        after.codings.push(Coding::new(id, None));
        let made = Change::SetCode(Edit::create(id, Code::new("Budget")));
        let coded = Change::SetSegment(Edit::new(said, Some(before), Some(after)));
        let changes = [made, coded].into_iter().zip(1..);
        let changes = changes.map(|(change, number)| {
            PlannedChange::new(number, change, String::new(), String::new())
        });
        (Plan { changes: changes.collect(), ..gain_plan() }, session)
    }

    #[test]
    fn a_code_that_the_plan_makes_goes_by_its_name_where_it_is_put() {
        let (plan, session) = coding();
        let told = crate::describe::told(&plan.changes[1], &session, &Made::of(&plan));
        assert_eq!([told.what, told.before, told.after], ["codes", "none", "Budget"]);
        let alone = crate::describe::told(&plan.changes[1], &session, &Made::default());
        assert_eq!(alone.after, "a code", "its plan is not known");
    }

    #[test]
    fn ids_in_the_midst_of_words_are_what_they_are_of_and_all_else_stays() {
        let names = [(CodeId::new(1).into(), "Budget".to_owned())].into();
        let made = Made { names, ..Made::default() };
        let text = format!("{} by Anna, {}: over_all, ü", CodeId::new(1), SegmentId::new(2));
        assert_eq!(made.named(&text), "Budget by Anna, a passage: over_all, ü");
    }
}
