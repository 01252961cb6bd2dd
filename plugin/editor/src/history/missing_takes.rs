//! Revisions whose clips play takes that were removed from the disk since, to make room: going there is silent.

use deskhand_session::{Author, Change, Revision, RevisionId, SourceId};
use serde_json::Value;
use std::collections::BTreeMap;

/// Operations whose values hold clips.
const OF_CLIPS: [&str; 6] =
    ["add_clip", "remove_clip", "duplicate_clip", "split_clip", "ripple_delete", "ripple_insert"];

/// The number of removed takes that clips still play, for each revision up to `head`. Revisions without any
/// are left out.
pub(crate) fn silent(history: &[Revision], head: RevisionId) -> BTreeMap<RevisionId, usize> {
    let by_id: BTreeMap<RevisionId, &Revision> =
        history.iter().map(|revision| (revision.id, revision)).collect();
    let trail = std::iter::successors(by_id.get(&head), |it| by_id.get(&it.parent));
    let mut clips: BTreeMap<SourceId, i64> = BTreeMap::new();
    let mut found = BTreeMap::new();
    for revision in trail {
        let takes = clips.values().filter(|count| **count > 0).count();
        if takes > 0 {
            found.insert(revision.id, takes);
        }
        // The state before this revision follows. No clip plays a take when it is removed.
        clips.extend(removed(revision).map(|source| (source, 0)));
        if !clips.is_empty() {
            take_back(&mut clips, revision);
        }
    }
    found
}

/// Takes that a revision removed to make room.
fn removed(revision: &Revision) -> impl Iterator<Item = SourceId> + '_ {
    let changes = revision.changes.iter().filter(|_| revision.author == Author::Capture);
    changes.filter_map(|change| match change {
        Change::RemoveSource(edit) if edit.before.is_some() => Some(edit.target),
        _ => None,
    })
}

fn take_back(clips: &mut BTreeMap<SourceId, i64>, revision: &Revision) {
    for change in revision.changes.iter().filter_map(|it| serde_json::to_value(it).ok()) {
        if !change["op"].as_str().is_some_and(|op| OF_CLIPS.contains(&op)) {
            continue;
        }
        for (source, count) in clips.iter_mut() {
            let id = source.to_string();
            *count += plays(&change["before"], &id) - plays(&change["after"], &id);
        }
    }
}

/// How many clips inside of a value play a source.
fn plays(value: &Value, id: &str) -> i64 {
    match value {
        Value::Object(map) => {
            let own = i64::from(map.get("source").and_then(Value::as_str) == Some(id));
            own + map.values().map(|inner| plays(inner, id)).sum::<i64>()
        }
        Value::Array(all) => all.iter().map(|inner| plays(inner, id)).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use deskhand_session::{ClipId, Edit};

    fn revision(id: u64, author: Author, change: Change) -> Revision {
        Revision { author, ..testing::revision(id, vec![change]) }
    }

    #[test]
    fn a_revision_with_a_clip_of_a_take_that_was_removed_is_found_and_no_other() {
        let session = testing::session();
        let (id, clip) = session.clips.iter().next().unwrap();
        let source = session.sources[&clip.source].clone();
        let add = Change::AddClip(Edit::create(*id, clip.clone()));
        let split = {
            let parts =
                deskhand_session::SplitState::parts(clip, ClipId::new(9), deskhand_dsp::Frames(10));
            let whole = deskhand_session::SplitState::Whole {
                clip: clip.clone(),
                right_id: ClipId::new(9),
            };
            Change::SplitClip(Edit::new(*id, whole, parts))
        };
        let mut right = clip.clone();
        right.length = deskhand_dsp::Frames(10);
        let history = [
            revision(1, Author::User, Change::AddSource(Edit::create(clip.source, source.clone()))),
            revision(2, Author::User, add),
            revision(3, Author::User, split),
            revision(4, Author::User, Change::RemoveClip(Edit::remove(*id, clip.clone()))),
            revision(5, Author::User, Change::RemoveClip(Edit::remove(ClipId::new(9), right))),
            revision(6, Author::Capture, Change::RemoveSource(Edit::remove(clip.source, source))),
            revision(
                7,
                Author::User,
                Change::AddClip(Edit::create(
                    ClipId::new(8),
                    session.clips[&ClipId::new(2)].clone(),
                )),
            ),
        ];
        let found = silent(&history, RevisionId(7));
        let ids: Vec<u64> = found.keys().map(|id| id.0).collect();
        assert_eq!(ids, [2, 3, 4], "from the clip's coming to its going");
        assert!(found.values().all(|takes| *takes == 1));
        assert!(silent(&history[..5], RevisionId(5)).is_empty(), "nothing was removed");
    }
}
