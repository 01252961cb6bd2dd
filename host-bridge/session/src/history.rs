//! The tree of revisions.
//!
//! Every committed step is a node whose parent is the revision it was made on; the head is where the
//! session is. Undo moves the head towards the root, redo back along the branch it came from, so two
//! undos go two steps back, and an edit after an undo grows a new branch: nothing is lost.
//!
//! Limits: the whole tree is in memory; branches are never merged.

use crate::apply::inverses;
use crate::change::Change;
use crate::ids::PlanId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// Number of a revision, counted from 1 over the session's life; 0 is the empty session.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct RevisionId(pub u64);

impl fmt::Display for RevisionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Who made a revision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Author {
    /// The person.
    User,
    /// A model, by a plan that was decided by a person or a rule of the person's.
    Agent,
    /// A DAW.
    Host,
    /// A recording.
    Capture,
}

/// One committed step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Revision {
    /// Its number.
    pub id: RevisionId,
    /// The revision it was made on.
    pub parent: RevisionId,
    /// Who made it.
    pub author: Author,
    /// What it did, as undo names it.
    pub label: String,
    /// The plan it applied, if it came from one.
    #[serde(default)]
    pub plan: Option<PlanId>,
    /// The changes, in order.
    pub changes: Vec<Change>,
    /// When it was committed, ms since 1970.
    pub time_ms: i64,
}

impl Revision {
    /// Whether undo passes over it: recordings, and revisions that only selected something.
    #[must_use]
    pub fn is_passed_over(&self) -> bool {
        let only_selects = self
            .changes
            .iter()
            .all(|change| matches!(change, Change::SetSelection(_) | Change::SetCurrentSource(_)));
        only_selects || self.author == Author::Capture
    }
}

/// A move of the head by undo or redo.
#[derive(Clone, Debug, PartialEq)]
pub struct HeadMove {
    /// Where the head was.
    pub from: RevisionId,
    /// Where it goes.
    pub to: RevisionId,
    /// The revision that is undone or done again, by which people know the step.
    pub named: RevisionId,
    /// Its label.
    pub label: String,
    /// The plan it applied.
    pub plan: Option<PlanId>,
    /// What to apply to get there.
    pub changes: Vec<Change>,
}

/// The tree of revisions and the head.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    revisions: BTreeMap<RevisionId, Revision>,
    head: RevisionId,
    /// For a revision with children: the one that redo goes to.
    next: BTreeMap<RevisionId, RevisionId>,
}

impl History {
    /// Where the session is.
    #[must_use]
    pub fn head(&self) -> RevisionId {
        self.head
    }

    /// A revision by its number.
    #[must_use]
    pub fn get(&self, id: RevisionId) -> Option<&Revision> {
        self.revisions.get(&id)
    }

    /// All revisions by number, those of abandoned branches too.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Revision> {
        self.revisions.values()
    }

    /// The number the next revision gets.
    #[must_use]
    pub fn next_id(&self) -> RevisionId {
        RevisionId(self.revisions.last_key_value().map_or(0, |(id, _)| id.0) + 1)
    }

    /// Adds a revision and moves the head to it.
    pub fn push(&mut self, revision: Revision) {
        self.next.insert(revision.parent, revision.id);
        self.head = revision.id;
        self.revisions.insert(revision.id, revision);
    }

    /// Takes back the last revision, which could not be stored. The head goes to its parent.
    pub fn drop_last(&mut self) -> Option<Revision> {
        let (_, last) = self.revisions.pop_last()?;
        // Redo goes where it went before: to the newest of the other children.
        let sibling = self.revisions.values().rev().find(|other| other.parent == last.parent);
        let sibling = sibling.map(|sibling| (last.parent, sibling.id));
        self.next.remove(&last.parent);
        self.next.extend(sibling);
        self.head = last.parent;
        Some(last)
    }

    /// Moves the head, remembering the way back for redo.
    pub fn move_head(&mut self, to: RevisionId) {
        for revision in self.trail(self.head, to) {
            self.next.insert(revision.parent, revision.id);
        }
        self.head = to;
    }

    /// The step that undo takes: back over the last revision that is not passed over.
    #[must_use]
    pub fn undo(&self) -> Option<HeadMove> {
        let mut steps = Vec::new();
        let mut revision = self.get(self.head)?;
        while revision.is_passed_over() {
            steps.push(revision);
            revision = self.get(revision.parent)?;
        }
        steps.push(revision);
        let changes = steps.iter().flat_map(|step| inverses(&step.changes)).collect();
        Some(self.head_move(revision.parent, revision, changes))
    }

    /// The step that redo takes: forward along the branch the head came from, to the next revision that
    /// is not passed over.
    #[must_use]
    pub fn redo(&self) -> Option<HeadMove> {
        let mut changes = Vec::new();
        let mut at = self.head;
        loop {
            let revision = self.get(*self.next.get(&at)?)?;
            changes.extend(revision.changes.iter().cloned());
            if !revision.is_passed_over() {
                return Some(self.head_move(revision.id, revision, changes));
            }
            at = revision.id;
        }
    }

    fn head_move(&self, to: RevisionId, named: &Revision, changes: Vec<Change>) -> HeadMove {
        let (label, plan) = (named.label.clone(), named.plan);
        HeadMove { from: self.head, to, named: named.id, label, plan, changes }
    }

    /// The revisions from `from` (included) back to `to` (not included), newest first; empty if `to` is
    /// no ancestor.
    fn trail(&self, from: RevisionId, to: RevisionId) -> Vec<Revision> {
        let mut trail = Vec::new();
        let mut at = from;
        while at != to {
            let Some(revision) = self.get(at) else {
                return Vec::new();
            };
            trail.push(revision.clone());
            at = revision.parent;
        }
        trail
    }
}
