//! Walks on the tree of revisions.

use crate::build::{Dice, base, change};
use deskhand_dsp::Decibels;
use deskhand_session::change::Edit;
use deskhand_session::*;
use proptest::prelude::*;
use std::collections::BTreeMap;

/// A session and its history, with the state at every revision as the model.
struct Walk {
    session: Session,
    history: History,
    states: BTreeMap<RevisionId, Session>,
}

impl Walk {
    fn new(session: Session) -> Self {
        let states = BTreeMap::from([(RevisionId(0), session.clone())]);
        Self { session, history: History::default(), states }
    }

    fn commit(&mut self, author: Author, change: Change) -> RevisionId {
        let id = self.history.next_id();
        self.session = self.session.with([&change]).unwrap();
        self.history.push(Revision {
            id,
            parent: self.history.head(),
            author,
            label: format!("{} {id}", change.op()),
            plan: None,
            changes: vec![change],
            takes: None,
            is_loaded: false,
            time_ms: 0,
        });
        self.states.insert(id, self.session.clone());
        id
    }

    fn gain(&mut self, db: f64) -> RevisionId {
        let edit = Edit::new(self.session.id, self.session.master_gain, Decibels(db));
        self.commit(Author::User, Change::SetMasterGain(edit))
    }

    fn select(&mut self, clips: Vec<ClipId>) -> RevisionId {
        let after = Selection { clips, ..Selection::default() };
        let edit = Edit::new(self.session.id, self.session.selection.clone(), after);
        self.commit(Author::User, Change::SetSelection(edit))
    }

    fn go(&mut self, step: Option<HeadMove>, takes: fn(RevisionId) -> Takes) -> Option<RevisionId> {
        let step = step?;
        assert_eq!(step.from, self.history.head());
        assert_eq!(Some(&step.label), self.history.get(step.named).map(|named| &named.label));
        self.session = self.session.with(&step.changes).ok()?;
        match step.course {
            Course::Along => {
                self.history.move_head(step.to);
                assert_eq!(self.session, self.states[&step.to], "not the state at {}", step.to);
            }
            Course::OnTop => self.on_top(&step, takes(step.named)),
        }
        assert_eq!(self.history.head(), step.to);
        Some(step.named)
    }

    fn on_top(&mut self, step: &HeadMove, takes: Takes) {
        self.history.push(Revision {
            id: step.to,
            parent: step.from,
            author: Author::User,
            label: step.label.clone(),
            plan: None,
            changes: step.changes.clone(),
            takes: Some(takes),
            is_loaded: false,
            time_ms: 0,
        });
        self.states.insert(step.to, self.session.clone());
    }

    fn undo(&mut self) -> Option<RevisionId> {
        self.go(self.history.undo(), Takes::Back)
    }

    fn redo(&mut self) -> Option<RevisionId> {
        self.go(self.history.redo(), Takes::Again)
    }

    /// A pass of a recording: it touches what no other step of these tests does.
    fn record(&mut self, author: Author) -> RevisionId {
        let id = MarkerId::new(1_000 + self.history.next_id().0);
        let marker = Marker {
            name: "pass".into(),
            position: deskhand_dsp::Frames::ZERO,
            length: deskhand_dsp::Frames::ZERO,
            code: None,
        };
        self.commit(author, Change::AddMarker(Edit::create(id, marker)))
    }

    fn standing(&self) -> Vec<RevisionId> {
        self.history.standing().map(|step| step.id).collect()
    }

    fn passes(&self) -> usize {
        self.session.markers.values().filter(|marker| marker.name == "pass").count()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn the_session_is_always_that_of_the_head(seed: u64, steps in prop::collection::vec((0..9u8, 0..Change::OPS.len(), any::<u64>()), 1..40)) {
        let mut walk = Walk::new(base(seed));
        let mut committed = 0;
        for (what, op, seed) in steps {
            match what {
                0 | 1 => drop(walk.undo()),
                2 | 3 => drop(walk.redo()),
                4 => drop(walk.select(Vec::new())),
                _ => {
                    if let Some(change) = change(&walk.session, Change::OPS[op], &mut Dice(seed)) {
                        walk.commit(Author::Agent, change);
                    }
                }
            }
            prop_assert!(walk.history.iter().count() >= committed, "a revision was lost");
            committed = walk.history.iter().count();
            prop_assert_eq!(&walk.session, &walk.states[&walk.history.head()]);
        }
        // Everything can be taken back, and done again.
        let standing = walk.standing();
        let mut back = Vec::new();
        while let Some(named) = walk.undo() {
            back.push(named);
        }
        prop_assert_eq!(&standing, &back);
        let mut forth = Vec::new();
        while let Some(named) = walk.redo() {
            forth.push(named);
        }
        back.reverse();
        prop_assert_eq!(&forth[..back.len()], &back[..]);
    }
}

#[test]
fn two_undos_go_two_steps_back_and_redo_returns() {
    let mut walk = Walk::new(base(1));
    let [one, two, three] = [-1.0, -2.0, -3.0].map(|db| walk.gain(db));
    assert_eq!((walk.undo(), walk.undo()), (Some(three), Some(two)));
    assert_eq!(walk.history.head(), one);
    assert_eq!((walk.redo(), walk.redo(), walk.redo()), (Some(two), Some(three), None));
    assert_eq!((walk.undo(), walk.undo(), walk.undo()), (Some(three), Some(two), Some(one)));
    assert_eq!(walk.undo(), None);
}

#[test]
fn an_edit_after_undo_keeps_the_old_branch() {
    let mut walk = Walk::new(base(1));
    let [one, two] = [-1.0, -2.0].map(|db| walk.gain(db));
    walk.undo();
    let three = walk.gain(-3.0);
    assert_eq!(walk.history.get(two).unwrap().parent, one);
    assert_eq!(walk.history.get(three).unwrap().parent, one);
    assert_eq!((walk.undo(), walk.redo()), (Some(three), Some(three)));
}

#[test]
fn undo_passes_over_what_was_only_selected() {
    let mut walk = Walk::new(base(1));
    let one = walk.gain(-1.0);
    walk.select(vec![ClipId::new(3)]);
    walk.select(vec![ClipId::new(4)]);
    assert_eq!(walk.undo(), Some(one));
    assert_eq!(walk.redo(), Some(one));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_step_ever_loses_what_was_recorded(steps in prop::collection::vec((0..8u8, -9..9i8), 1..60)) {
        let mut walk = Walk::new(base(1));
        let mut passes = 0;
        for (what, db) in steps {
            match what {
                0..=2 => drop(walk.undo()),
                3 | 4 => drop(walk.redo()),
                5 => {
                    walk.record(if db < 0 { Author::Host } else { Author::Capture });
                    passes += 1;
                }
                6 => drop(walk.select(Vec::new())),
                _ => drop(walk.gain(f64::from(db))),
            }
            prop_assert_eq!(walk.passes(), passes);
            prop_assert_eq!(&walk.session, &walk.states[&walk.history.head()]);
        }
        // All steps of the person can still be taken back.
        while walk.undo().is_some() {}
        prop_assert_eq!(walk.history.undo(), None);
        prop_assert_eq!(walk.session.master_gain, base(1).master_gain);
        prop_assert_eq!(walk.passes(), passes);
    }
}

#[test]
fn undo_steps_over_a_recording_and_names_what_it_takes_back() {
    let mut walk = Walk::new(base(1));
    let before = walk.session.master_gain;
    let [one, two] = [-1.0, -2.0].map(|db| walk.gain(db));
    walk.record(Author::Capture);
    walk.select(Vec::new());
    assert_eq!(walk.standing(), [two, one]);
    assert_eq!((walk.undo(), walk.undo(), walk.undo()), (Some(two), Some(one), None));
    let last = walk.history.get(walk.history.head()).unwrap();
    assert_eq!(last.takes, Some(Takes::Back(one)));
    assert_eq!(walk.standing(), []);
    assert_eq!(walk.history.undone().collect::<Vec<_>>(), [one, two]);
    assert_eq!((walk.session.master_gain, walk.passes()), (before, 1));
    assert_eq!((walk.redo(), walk.redo(), walk.redo()), (Some(one), Some(two), None));
    assert_eq!((walk.session.master_gain, walk.passes()), (Decibels(-2.0), 1));
    assert_eq!(walk.history.iter().count(), 8, "each of them is a revision");
}

#[test]
fn what_was_undone_ahead_of_a_recording_can_still_be_done_again() {
    let mut walk = Walk::new(base(1));
    let [_, two] = [-1.0, -2.0].map(|db| walk.gain(db));
    walk.undo();
    walk.record(Author::Capture);
    assert_eq!(walk.redo(), Some(two));
    assert_eq!((walk.session.master_gain, walk.passes()), (Decibels(-2.0), 1));
    let again = walk.history.head();
    assert_eq!((walk.undo(), walk.history.redo().unwrap().named), (Some(again), again));
}

#[test]
fn a_revision_that_could_not_be_stored_leaves_redo_as_it_was() {
    let mut walk = Walk::new(base(1));
    let [_, two] = [-1.0, -2.0].map(|db| walk.gain(db));
    walk.undo();
    let before = walk.history.clone();
    let state = walk.session.clone();
    walk.gain(-3.0);
    walk.history.drop_last();
    walk.session = state;
    assert_eq!(walk.history, before);
    assert_eq!(walk.redo(), Some(two));
}
