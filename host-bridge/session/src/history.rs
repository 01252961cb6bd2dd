//! The tree of revisions.
//!
//! Every committed step is a node; its parent is the revision it was made on. The head is the current
//! revision. Undo moves the head towards the root, redo back along the same branch, so two undos go two
//! steps back. An edit after an undo starts a new branch, and nothing is lost.
//!
//! Recordings, and changes by a host, are no steps of the person's: undo leaves them. If such a revision
//! came after the step to undo, the head does not move back. The inverse of that step is then a new
//! revision on top, which names what it takes back. Redo works likewise.
//!
//! Limits: the whole tree is in memory; branches are never merged.

use crate::apply::inverses;
use crate::change::Change;
use crate::ids::PlanId;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
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

/// The author of a revision.
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
    /// Its author.
    pub author: Author,
    /// What it did, as undo names it.
    pub label: String,
    /// The plan it applied, if it came from one.
    #[serde(default)]
    pub plan: Option<PlanId>,
    /// The changes, in order.
    pub changes: Vec<Change>,
    /// The step that it takes back, or does again, on top of later revisions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub takes: Option<Takes>,
    /// Whether a host loaded it with a state: unlike what a host moves, undo takes that back.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_loaded: bool,
    /// When it was committed, ms since 1970.
    pub time_ms: i64,
}

/// A revision on top that undoes an earlier one, or does an undone one again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Takes {
    /// It takes that revision back.
    Back(RevisionId),
    /// It does that revision again.
    Again(RevisionId),
}

impl Revision {
    /// Whether it only selected something: undo takes it back on its way.
    #[must_use]
    pub fn is_passed_over(&self) -> bool {
        let selects = |change: &Change| {
            matches!(change, Change::SetSelection(_) | Change::SetCurrentSource(_))
        };
        self.changes.iter().all(selects)
    }

    /// Whether undo steps over it: a recording, or a change by a host, which the host's own undo takes
    /// back. A state that a host loaded is not stepped over, because no undo of the host takes it back.
    #[must_use]
    pub fn is_stepped_over(&self) -> bool {
        match self.author {
            Author::Capture => true,
            Author::Host => !self.is_loaded,
            Author::User | Author::Agent => false,
        }
    }

    /// Whether undo can name it.
    fn is_step(&self) -> bool {
        let takes_back = matches!(self.takes, Some(Takes::Back(_)));
        !takes_back && !self.is_passed_over() && !self.is_stepped_over()
    }
}

/// How a step of the history is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Course {
    /// The head moves along the tree.
    Along,
    /// As a new revision, because later revisions stay.
    OnTop,
}

/// A step by undo or redo.
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
    /// Whether the head moves, or a revision is made.
    pub course: Course,
}

/// The tree of revisions and the head.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    revisions: BTreeMap<RevisionId, Revision>,
    head: RevisionId,
    /// The revisions to redo, the next one last.
    redo: Vec<RevisionId>,
    /// What redo would have done before a revision, if anything.
    forgone: BTreeMap<RevisionId, Vec<RevisionId>>,
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

    /// All revisions by number, also those of abandoned branches.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Revision> {
        self.revisions.values()
    }

    /// The number the next revision gets.
    #[must_use]
    pub fn next_id(&self) -> RevisionId {
        RevisionId(self.revisions.last_key_value().map_or(0, |(id, _)| id.0) + 1)
    }

    /// Adds a revision and moves the head to it. A new step leaves nothing to redo.
    pub fn push(&mut self, revision: Revision) {
        if !self.redo.is_empty() {
            self.forgone.insert(revision.id, self.redo.clone());
        }
        match revision.takes {
            Some(Takes::Back(of)) => self.redo.push(of),
            Some(Takes::Again(of)) => self.redo_is_done(of),
            None if revision.is_step() => self.redo.clear(),
            None => {}
        }
        self.head = revision.id;
        self.revisions.insert(revision.id, revision);
    }

    /// Takes back the last revision, which could not be stored. The head goes to its parent.
    pub fn drop_last(&mut self) -> Option<Revision> {
        let (_, last) = self.revisions.pop_last()?;
        self.redo = self.forgone.remove(&last.id).unwrap_or_default();
        self.head = last.parent;
        Some(last)
    }

    /// Moves the head, remembering the way back for redo.
    pub fn move_head(&mut self, to: RevisionId) {
        let back = steps_of(self.trail(self.head, to));
        let forth = steps_of(self.trail(to, self.head));
        if back.is_empty() && forth.is_empty() && !self.is_ahead(to) {
            self.redo.clear();
        }
        self.redo.extend(back);
        forth.into_iter().rev().for_each(|done| self.redo_is_done(done));
        self.head = to;
    }

    /// Whether `to` is on the way from the head to the root, or the head on the way from there.
    fn is_ahead(&self, to: RevisionId) -> bool {
        to == self.head
            || !self.trail(self.head, to).is_empty()
            || !self.trail(to, self.head).is_empty()
    }

    fn redo_is_done(&mut self, done: RevisionId) {
        if self.redo.pop() != Some(done) {
            self.redo.clear();
        }
    }

    /// The step that undo takes: the last one that is still done and is neither passed nor stepped over.
    #[must_use]
    pub fn undo(&self) -> Option<HeadMove> {
        let mut undone = BTreeSet::new();
        let mut passed = Vec::new();
        let mut course = Course::Along;
        let mut at = self.get(self.head)?;
        while !at.is_step() || undone.contains(&at.id) {
            if let Some(Takes::Back(of)) = at.takes {
                undone.insert(of);
            }
            if !at.is_passed_over() || at.is_stepped_over() {
                course = Course::OnTop;
            }
            passed.push(at);
            at = self.get(at.parent)?;
        }
        let taken: Vec<_> = match course {
            Course::Along => passed.into_iter().chain([at]).collect(),
            Course::OnTop => vec![at],
        };
        let changes = taken.iter().flat_map(|step| inverses(&step.changes)).collect();
        Some(self.head_move(at.parent, at, changes, course))
    }

    /// The revisions with a change that `touches`, the newest first, without those that were taken back.
    pub fn touched(&self, touches: impl Fn(&Change) -> bool) -> impl Iterator<Item = &Revision> {
        let mut undone = BTreeSet::new();
        let trail = std::iter::successors(self.get(self.head), |at| self.get(at.parent));
        trail.filter(move |at| match at.takes {
            Some(Takes::Back(of)) => {
                undone.insert(of);
                false
            }
            Some(Takes::Again(_)) | None => {
                !undone.contains(&at.id) && at.changes.iter().any(&touches)
            }
        })
    }

    /// The steps that undo would take in turn, the next one first.
    pub fn standing(&self) -> impl Iterator<Item = &Revision> {
        let mut undone = BTreeSet::new();
        let trail = std::iter::successors(self.get(self.head), |at| self.get(at.parent));
        trail.filter(move |at| {
            if let Some(Takes::Back(of)) = at.takes {
                undone.insert(of);
            }
            at.is_step() && !undone.contains(&at.id)
        })
    }

    /// The steps that redo would take in turn, the next one first.
    pub fn undone(&self) -> impl Iterator<Item = RevisionId> {
        self.redo.iter().rev().copied()
    }

    /// The step that redo takes: the last undone one, with the selections, recordings and host changes on
    /// the way there.
    #[must_use]
    pub fn redo(&self) -> Option<HeadMove> {
        let named = self.get(*self.redo.last()?)?;
        let mut path = vec![named];
        let mut at = named.parent;
        while at != self.head {
            match self.get(at) {
                Some(on) if on.is_passed_over() || on.is_stepped_over() => {
                    path.push(on);
                    at = on.parent;
                }
                Some(_) | None => {
                    let changes = named.changes.clone();
                    return Some(self.head_move(named.id, named, changes, Course::OnTop));
                }
            }
        }
        let changes = path.iter().rev().flat_map(|step| step.changes.iter().cloned()).collect();
        Some(self.head_move(named.id, named, changes, Course::Along))
    }

    /// The move to a revision anywhere in the tree; `None` if it does not exist, or is the head already.
    #[must_use]
    pub fn go_to(&self, to: RevisionId) -> Option<HeadMove> {
        let (back, forth) = self.way_to(to).filter(|_| to != self.head)?;
        let back = back.iter().flat_map(|step| inverses(&step.changes));
        let forth = forth.iter().flat_map(|step| step.changes.iter().cloned());
        let changes = back.chain(forth).collect();
        let (from, named, plan, course) = (self.head, to, None, Course::Along);
        let label = match to < from {
            true => format!("what came after revision {to}"),
            false => format!("to revision {to}"),
        };
        Some(HeadMove { from, to, named, label, plan, changes, course })
    }

    /// The revisions to undo on the way to another, newest first, and those to apply, oldest first; `None`
    /// if it does not exist.
    #[must_use]
    pub fn way_to(&self, to: RevisionId) -> Option<(Vec<&Revision>, Vec<&Revision>)> {
        let (mut back, mut forth) = (Vec::new(), Vec::new());
        let (mut from, mut to) = (self.head, to);
        // A child's number is higher than its parent's, so stepping from the higher one finds the fork.
        while from != to {
            if from > to {
                let revision = self.get(from)?;
                back.push(revision);
                from = revision.parent;
            } else {
                let revision = self.get(to)?;
                forth.push(revision);
                to = revision.parent;
            }
        }
        forth.reverse();
        Some((back, forth))
    }

    fn head_move(
        &self,
        along: RevisionId,
        named: &Revision,
        changes: Vec<Change>,
        course: Course,
    ) -> HeadMove {
        let to = match course {
            Course::Along => along,
            Course::OnTop => self.next_id(),
        };
        let (label, plan) = (named.label.clone(), named.plan);
        HeadMove { from: self.head, to, named: named.id, label, plan, changes, course }
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

/// The steps among revisions, in their order.
fn steps_of(trail: Vec<Revision>) -> Vec<RevisionId> {
    trail.iter().filter(|revision| revision.is_step()).map(|revision| revision.id).collect()
}
