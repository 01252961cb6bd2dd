//! Branches of the history side by side. The line through the head is the trunk. Every other branch has a
//! lane of its own, which starts at the step it was made on.

use super::Tree;
use crate::kit::Cx;
use deskhand_session::{Revision, RevisionId};
use egui::Rect;
use std::collections::BTreeMap;

/// From lane to lane, points.
const STEP: f32 = 12.0;
/// The most lanes next to the trunk; further branches share the last.
const MOST: usize = 4;

/// A line down a lane, by its rows: from its newest step to the one that it comes out of.
struct Line {
    lane: usize,
    top: usize,
    bottom: usize,
    /// The lane of the step that it comes out of.
    out_of: usize,
}

/// The layout of the steps in lanes.
pub(super) struct Lanes {
    lines: Vec<Line>,
    /// The lane of each step that is not on the trunk, which is lane 0.
    beside: BTreeMap<RevisionId, usize>,
}

impl Lanes {
    /// The lanes of a history, given the row of each of its revisions, from 0 at the newest.
    pub(super) fn of(
        tree: &Tree<'_>,
        history: &[Revision],
        row: impl Fn(RevisionId) -> usize,
    ) -> Self {
        let mut ids = history.iter().rev().map(|revision| revision.id);
        let newest = ids.find(|id| tree.is_on_trunk(*id)).unwrap_or_default();
        let trunk = Line { lane: 0, top: row(newest), bottom: row(RevisionId(0)), out_of: 0 };
        let mut lanes = Self { lines: vec![trunk], beside: BTreeMap::new() };
        // Of each lane the last row that is not free.
        let mut taken: Vec<usize> = Vec::new();
        for leaf in history.iter().rev() {
            let is_known = |id| tree.is_on_trunk(id) || lanes.beside.contains_key(&id);
            let branch = tree.trail(leaf.id).take_while(|it| !is_known(it.id));
            let branch: Vec<_> = branch.collect();
            let Some(oldest) = branch.last() else { continue };
            let (top, bottom) = (row(leaf.id), row(oldest.parent));
            let free = taken.iter().position(|until| *until < top).unwrap_or(taken.len());
            taken.resize(taken.len().max(free + 1), 0);
            taken[free] = bottom;
            let (lane, out_of) = (free + 1, lanes.at(oldest.parent));
            lanes.lines.push(Line { lane, top, bottom, out_of });
            lanes.beside.extend(branch.iter().map(|it| (it.id, lane)));
        }
        lanes
    }

    /// The lane of a revision; 0 is the trunk.
    pub(super) fn at(&self, id: RevisionId) -> usize {
        self.beside.get(&id).copied().unwrap_or(0)
    }

    /// The width of the lanes next to the trunk, points.
    pub(super) fn width(&self) -> f32 {
        let most = self.lines.iter().map(|line| line.lane).max().unwrap_or(0);
        STEP * most.min(MOST) as f32
    }

    /// Draws what passes through a row, begins or ends there.
    pub(super) fn paint(&self, cx: &Cx<'_>, rect: Rect, row: usize) {
        let (middle, color) = (rect.center().y, cx.t.line_strong);
        let passes =
            |line: &&Line| line.top < line.bottom && (line.top..=line.bottom).contains(&row);
        for line in self.lines.iter().filter(passes) {
            let x = lane_x(rect, line.lane);
            let from = if row == line.top { middle } else { rect.top() };
            let to = if row == line.bottom { middle } else { rect.bottom() };
            cx.vline(x, from, to, color);
            if row == line.bottom {
                let joined = lane_x(rect, line.out_of);
                cx.hline(x.min(joined), x.max(joined), middle, color);
            }
        }
    }
}

/// Where a lane runs down a row.
pub(super) fn lane_x(row: Rect, lane: usize) -> f32 {
    row.left() + 8.0 + STEP * lane.min(MOST) as f32
}

#[cfg(test)]
mod tests {
    use super::super::tests::revision;
    use super::*;

    /// The lines of a history whose rows are its revisions, by lane, top, bottom, and lane that they come out of.
    fn lines(history: &[Revision], head: u64, redo: &[u64]) -> Vec<(usize, usize, usize, usize)> {
        let redo: Vec<_> = redo.iter().copied().map(RevisionId).collect();
        let silent = BTreeMap::new();
        let tree = Tree::new(history, RevisionId(head), &redo, &silent);
        let lanes = Lanes::of(&tree, history, |id| history.len() - id.0 as usize);
        lanes.lines.iter().map(|it| (it.lane, it.top, it.bottom, it.out_of)).collect()
    }

    #[test]
    fn two_branches_stand_beside_each_other_and_come_out_of_one_step() {
        let history = [revision(1, 0, false), revision(2, 1, false), revision(3, 1, false)];
        assert_eq!(lines(&history, 1, &[2]), [(0, 1, 3, 0), (1, 0, 2, 0)]);
        assert_eq!(lines(&history, 3, &[]), [(0, 0, 3, 0), (1, 1, 2, 0)]);
        let line = [revision(1, 0, false), revision(2, 1, false)];
        assert_eq!(lines(&line, 1, &[2]), [(0, 0, 2, 0)], "one line is one");
    }

    #[test]
    fn a_branch_of_a_branch_has_a_lane_and_a_lane_that_is_over_is_taken_again() {
        // 1 - 2 - 3, 4 on 2, 5 and 6 on 1, 7 on 6: the head is 7.
        let parents = [(1, 0), (2, 1), (3, 2), (4, 2), (5, 1), (6, 1), (7, 6)];
        let history = parents.map(|(id, parent)| revision(id, parent, false));
        let found = lines(&history, 7, &[]);
        assert_eq!(found, [(0, 0, 7, 0), (1, 2, 6, 0), (2, 3, 6, 0), (3, 4, 5, 2)]);
        let one_after_another = [(1, 0), (2, 1), (3, 1), (4, 3), (5, 3)];
        let history = one_after_another.map(|(id, parent)| revision(id, parent, false));
        assert_eq!(lines(&history, 5, &[]), [(0, 0, 5, 0), (1, 1, 2, 0), (1, 3, 4, 0)]);
    }
}
