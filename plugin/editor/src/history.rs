//! The history panel: every step, newest first. A click goes to a step: by undo or redo if they lead there,
//! and directly if it is on another branch.

mod lanes;
mod missing_takes;
mod rows;

pub(crate) use missing_takes::silent;
pub(crate) use rows::list;

use crate::action::{Action, Actions, Gesture, call};
use crate::kit::controls::{State, icon_button, icon_button_in};
use crate::kit::{Cut, Cx};
use crate::model::Model;
use crate::theme::{Theme, Type, radius, space};
use crate::{icons, topbar};
use deskhand_session::history::Takes;
use deskhand_session::{Author, Revision, RevisionId};
use egui::{Color32, Rect, Sense, Ui, vec2};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

const WIDTH: f32 = 420.0;

/// Undo and redo: how far from the right edge, and the icon.
const STEPS: [(f32, char); 2] =
    [(100.0, icons::ARROW_COUNTER_CLOCKWISE), (68.0, icons::ARROW_CLOCKWISE)];

/// The place of a revision relative to the head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Head,
    /// Undo goes there.
    Behind,
    /// Before the head, but nothing is undone on the way: only recordings, host changes or undone steps lie
    /// between.
    Around,
    /// On the path that redo takes, or the newest one made on the head.
    Ahead,
    /// On another branch.
    Beside,
}

impl Place {
    fn can_be_reached(self) -> bool {
        match self {
            Self::Behind | Self::Ahead | Self::Beside => true,
            Self::Head | Self::Around => false,
        }
    }

    /// Whether a click does something; where it leads nowhere, it says why.
    fn sense(self) -> Sense {
        if self == Self::Head { Sense::hover() } else { Sense::click() }
    }

    fn color(self, theme: &Theme) -> Color32 {
        match self {
            Self::Head => theme.text,
            Self::Behind | Self::Around => theme.text_2,
            Self::Ahead | Self::Beside => theme.text_3,
        }
    }

    /// What a click does, in words.
    fn hint(self) -> &'static str {
        match self {
            Self::Head => "The session is here",
            Self::Behind => "Undo back to here; what was captured since stays",
            Self::Around => {
                "No step that can be undone lies between: what was captured, what a host did and \
                 what was taken back already stays"
            }
            Self::Ahead => "Go forward to here",
            Self::Beside => {
                "Go to this branch, which was left when something else was done instead"
            }
        }
    }
}

/// Whether undo can name it: neither a selection, nor what a host or a recording did, nor an undo.
fn is_step(revision: &Revision) -> bool {
    let is_own = match revision.author {
        Author::User | Author::Agent => true,
        Author::Host | Author::Capture => false,
    };
    is_own && !revision.is_passed_over() && !matches!(revision.takes, Some(Takes::Back(_)))
}

struct Tree<'a> {
    /// Takes that are gone and that clips play there.
    silent: &'a BTreeMap<RevisionId, usize>,
    by_id: BTreeMap<RevisionId, &'a Revision>,
    head: RevisionId,
    behind: BTreeSet<RevisionId>,
    /// The revisions to redo, the next one first.
    redo: &'a [RevisionId],
    ahead: BTreeSet<RevisionId>,
}

impl<'a> Tree<'a> {
    fn new(
        history: &'a [Revision],
        head: RevisionId,
        redo: &'a [RevisionId],
        silent: &'a BTreeMap<RevisionId, usize>,
    ) -> Self {
        let by_id = history.iter().map(|revision| (revision.id, revision)).collect();
        let (behind, ahead) = (BTreeSet::new(), BTreeSet::new());
        let mut tree = Self { silent, by_id, head, behind, redo, ahead };
        tree.behind = tree.trail(head).map(|revision| revision.id).collect();
        tree.ahead = tree.line_ahead();
        tree
    }

    /// The line that goes on from the head: to the last that redo does, else to the newest that was made on it.
    fn line_ahead(&self) -> BTreeSet<RevisionId> {
        let mut descend = BTreeSet::from([self.head]);
        // A child's number is higher than its parent's.
        for (id, revision) in self.by_id.range(RevisionId(self.head.0 + 1)..) {
            if descend.contains(&revision.parent) {
                descend.insert(*id);
            }
        }
        let last_redone = self.redo.iter().rev().find(|id| descend.contains(*id));
        let end = last_redone.or(descend.last()).copied().unwrap_or(self.head);
        let line = self.trail(end).map(|revision| revision.id);
        line.take_while(|id| *id != self.head).collect()
    }

    /// Whether it is on the line that goes through the head.
    fn is_on_trunk(&self, id: RevisionId) -> bool {
        id == RevisionId(0) || self.behind.contains(&id) || self.ahead.contains(&id)
    }

    /// A revision and those it was made on, newest first.
    fn trail(&self, from: RevisionId) -> impl Iterator<Item = &'a Revision> {
        let first = self.by_id.get(&from).copied();
        std::iter::successors(first, |revision| self.by_id.get(&revision.parent).copied())
    }

    fn place(&self, id: RevisionId) -> Place {
        if id == self.head {
            Place::Head
        } else if id == RevisionId(0) || self.behind.contains(&id) {
            let leads = self.only_selects_since(id) || !self.undone_to(id).is_empty();
            if leads { Place::Behind } else { Place::Around }
        } else if self.ahead.contains(&id) {
            Place::Ahead
        } else {
            Place::Beside
        }
    }

    /// How many takes are silent there: of a branch as many as where it was left.
    fn silent_at(&self, id: RevisionId) -> usize {
        let known = self.trail(id).find(|it| self.behind.contains(&it.id));
        known.and_then(|it| self.silent.get(&it.id)).copied().unwrap_or(0)
    }

    /// Whether only selections were made since a revision before the head.
    fn only_selects_since(&self, id: RevisionId) -> bool {
        let mut since = self.trail(self.head).take_while(|revision| revision.id != id);
        since.all(|it| it.is_passed_over() && !it.is_stepped_over() && it.takes.is_none())
    }

    /// The steps that undo takes back on the way to a revision, without those that are already taken back.
    fn undone_to(&self, to: RevisionId) -> Vec<&'a Revision> {
        let mut back = BTreeSet::new();
        let undone = self.trail(self.head).take_while(|revision| revision.id != to);
        let undone = undone.filter(|revision| {
            if let Some(Takes::Back(taken)) = revision.takes {
                back.insert(taken);
            }
            is_step(revision) && !back.contains(&revision.id)
        });
        undone.collect()
    }

    /// The steps to a revision, each refused unless it is the next. If undo and redo do not reach it, one
    /// step names the revision, because redo only follows its own branch.
    fn steps(&self, to: RevisionId) -> Vec<Action> {
        let step = |gesture, revision: &Revision| call(gesture, json!({"revision": revision.id.0}));
        match self.place(to) {
            Place::Head => Vec::new(),
            Place::Around => {
                vec![Action::Inform { about: "history", words: Place::Around.hint().into() }]
            }
            Place::Beside => vec![Action::GoTo(to)],
            Place::Behind if self.only_selects_since(to) => vec![Action::GoTo(to)],
            Place::Behind => {
                self.undone_to(to).into_iter().map(|it| step(Gesture::UndoStep, it)).collect()
            }
            Place::Ahead => match self.redone_to(to) {
                Some(done) => done.into_iter().map(|it| step(Gesture::RedoStep, it)).collect(),
                None => vec![Action::GoTo(to)],
            },
        }
    }

    /// The steps that redo takes to a later revision; `None` if redo does not end there.
    fn redone_to(&self, to: RevisionId) -> Option<Vec<&'a Revision>> {
        let done = self.trail(to).take_while(|revision| revision.id != self.head);
        let mut done: Vec<_> = done.filter(|it| is_step(it)).collect();
        done.reverse();
        let leads = self.redo.iter().copied().take(done.len()).eq(done.iter().map(|it| it.id));
        let ends = done.last().is_some_and(|last| last.id == to);
        (leads && ends).then_some(done)
    }
}

/// Draws the panel over the right edge of `area`.
pub(crate) fn show(ui: &mut Ui, model: &mut Model, area: Rect, out: &mut Actions) {
    let mut rest = area;
    let rect = rest.cut_right(WIDTH.min(area.width())).shrink(8.0);
    let cx = Cx::new(ui);
    // The panel takes the clicks that fall on it.
    cx.interact(rect, "history", Sense::CLICK);
    cx.shadow(rect, radius::WINDOW);
    cx.fill(rect, radius::WINDOW, cx.t.raised);
    cx.border(rect, radius::WINDOW, cx.t.line_strong);
    let mut body = rect;
    let head = body.cut_top(40.0);
    cx.left(head.left_mid(space::M), "History", Type::BODY_STRONG, cx.t.text);
    let close = head.row_box(head.right() - 36.0, vec2(28.0, 28.0));
    if icon_button(&cx, close, icons::X, "Close the history").clicked() {
        model.shows_history = false;
    }
    for ((right, icon), step) in STEPS.into_iter().zip(topbar::steps(model)) {
        let cell = head.row_box(head.right() - right, vec2(28.0, 28.0));
        let state = if step.does.is_some() { State::Normal } else { State::Disabled };
        let name = format!("{} the last step", step.name);
        let button = icon_button_in(&cx, cell, icon, false, &name, state);
        if step.hint(button).clicked() && step.does.is_some() {
            out.push(step.action);
        }
    }
    drop(cx);
    list(ui, model, body.shrink2(vec2(4.0, 4.0)), out);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use crate::testing::prelude::*;

    pub(super) fn revision(id: u64, parent: u64, only_selects: bool) -> Revision {
        let gain = Edit::new(SessionId::new(1), Decibels(0.0), Decibels(1.0));
        let changes = if only_selects { vec![] } else { vec![Change::SetMasterGain(gain)] };
        Revision { parent: RevisionId(parent), ..testing::revision(id, changes) }
    }

    fn said(actions: &[Action]) -> Vec<(Gesture, u64)> {
        let step = |action: &Action| match action {
            Action::Call { gesture, params } => (*gesture, params["revision"].as_u64().unwrap()),
            other => panic!("{other:?}"),
        };
        actions.iter().map(step).collect()
    }

    #[test]
    fn a_click_goes_back_over_what_is_passed_over_and_forward_again() {
        // 1 - 2 - 3 (selects) - 4, and 5 on 2.
        let history = [
            revision(1, 0, false),
            revision(2, 1, false),
            revision(3, 2, true),
            revision(4, 3, false),
            revision(5, 2, false),
        ];
        let silent = BTreeMap::from([(RevisionId(2), 1)]);
        let tree = Tree::new(&history, RevisionId(4), &[], &silent);
        assert_eq!([2, 4, 5].map(|id| tree.silent_at(RevisionId(id))), [1, 0, 1]);
        assert_eq!(
            said(&tree.steps(RevisionId(1))),
            [(Gesture::UndoStep, 4), (Gesture::UndoStep, 2)]
        );
        assert_eq!(
            said(&tree.steps(RevisionId(0))),
            [(Gesture::UndoStep, 4), (Gesture::UndoStep, 2), (Gesture::UndoStep, 1)]
        );
        assert_eq!(tree.place(RevisionId(5)), Place::Beside);
        assert_eq!(tree.steps(RevisionId(5)), [Action::GoTo(RevisionId(5))]);
        let tree = Tree::new(&history, RevisionId(3), &[], &silent);
        assert_eq!(tree.steps(RevisionId(2)), [Action::GoTo(RevisionId(2))], "a selection ahead");
        let redo = [RevisionId(2), RevisionId(4)];
        let tree = Tree::new(&history, RevisionId(1), &redo, &silent);
        assert_eq!(
            said(&tree.steps(RevisionId(4))),
            [(Gesture::RedoStep, 2), (Gesture::RedoStep, 4)]
        );
        assert_eq!(tree.steps(RevisionId(3)), [Action::GoTo(RevisionId(3))], "redo goes past it");
        assert_eq!(tree.place(RevisionId(5)), Place::Beside);
    }

    #[test]
    fn a_click_on_any_of_two_branches_goes_there_from_where_they_part() {
        // 2 and 3 on 1; 2 was undone last.
        let history = [revision(1, 0, false), revision(2, 1, false), revision(3, 1, false)];
        let silent = BTreeMap::new();
        let steps = |redo: &[RevisionId]| {
            let tree = Tree::new(&history, RevisionId(1), redo, &silent);
            let places = [2, 3].map(|id| tree.place(RevisionId(id)));
            (places, tree.steps(RevisionId(3)))
        };
        let goes = vec![Action::GoTo(RevisionId(3))];
        assert_eq!(steps(&[RevisionId(2)]), ([Place::Ahead, Place::Beside], goes.clone()));
        assert_eq!(steps(&[]), ([Place::Beside, Place::Ahead], goes), "there is nothing to redo");
        let redo = steps(&[RevisionId(3)]);
        assert_eq!(
            (redo.0, said(&redo.1)),
            ([Place::Beside, Place::Ahead], vec![(Gesture::RedoStep, 3)])
        );
    }

    #[test]
    fn a_click_goes_around_what_was_recorded_and_what_is_taken_back_already() {
        // 1 - 2 - 3 (recorded) - 4 (takes 2 back)
        let recorded = Revision { author: Author::Capture, ..revision(3, 2, false) };
        let back = Revision { takes: Some(Takes::Back(RevisionId(2))), ..revision(4, 3, false) };
        let history = [revision(1, 0, false), revision(2, 1, false), recorded, back];
        let silent = BTreeMap::new();
        let tree = Tree::new(&history, RevisionId(4), &[RevisionId(2)], &silent);
        assert_eq!([3, 2, 1].map(|id| tree.place(RevisionId(id))), [Place::Around; 3]);
        let steps = tree.steps(RevisionId(2));
        let [Action::Inform { words, .. }] = steps.as_slice() else {
            panic!("a click says why nothing happens");
        };
        assert!(words.contains("what was captured"), "{words}");
        assert_eq!(Place::Around.sense(), Sense::click());
        assert_eq!(said(&tree.steps(RevisionId(0))), [(Gesture::UndoStep, 1)]);
    }
}
