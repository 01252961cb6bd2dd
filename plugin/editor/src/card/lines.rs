//! The lines of a card: rows in groups by track and op, filtered, all with known places, so that only
//! visible lines are drawn.

use super::cuts::{self, Cuts};
use crate::describe::{named, track_of, what};
use deskhand_session::{Plan, Session};
use std::collections::{BTreeMap, BTreeSet};

/// Height of a change row.
pub(crate) const ROW: f32 = 40.0;
/// Height of the head of a group.
pub(crate) const GROUP: f32 = 28.0;
/// From this many changes on a card has groups and a filter.
pub(crate) const MANY: usize = 13;
/// From this many changes on its groups are closed at first.
const FOLDED: usize = 41;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// The head of a group, by its place in [`Lines::groups`].
    Group(usize),
    /// A change, by its place in the plan.
    Row(usize),
}

/// Changes of one kind on one track.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Group {
    pub(crate) name: String,
    pub(crate) hue: usize,
    pub(crate) rows: Vec<usize>,
}

/// The lines of a card with their places.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lines {
    pub(crate) groups: Vec<Group>,
    pub(crate) lines: Vec<Line>,
    /// The top of each line, and last the bottom of the last line.
    tops: Vec<f32>,
    /// The rows that match the filter, in order without group heads.
    order: Vec<usize>,
    /// How many rows there are, whatever the filter is.
    all: usize,
    /// Each group is one row: its head would only say the same.
    is_flat: bool,
    filter: String,
    closed: BTreeSet<usize>,
    row: f32,
    is_stale: bool,
    /// How often all changes were gone through.
    pub(crate) built: usize,
}

impl Lines {
    /// Brings the lines up to date with the filter; costs nothing while nothing changed.
    pub(crate) fn settle(
        &mut self,
        plan: &Plan,
        cuts: &Cuts,
        session: &Session,
        filter: &str,
        row: f32,
    ) {
        let is_new = self.built == 0;
        self.is_stale |= self.row != row;
        self.row = row;
        if !is_new && !self.is_stale && self.filter == filter {
            return;
        }
        if is_new || self.filter != filter {
            self.group(plan, cuts, session, filter);
            if is_new {
                self.is_flat = self.groups.iter().all(|group| group.rows.len() == 1);
            }
            if is_new && self.all >= FOLDED && self.groups.len() > 1 && !self.is_flat {
                self.closed = (0..self.groups.len()).collect();
            }
            if self.filter != filter {
                self.closed.clear();
            }
            filter.clone_into(&mut self.filter);
        }
        self.place();
    }

    fn group(&mut self, plan: &Plan, cuts: &Cuts, session: &Session, filter: &str) {
        self.built += 1;
        self.groups.clear();
        self.order.clear();
        let all = cuts.rows(plan.changes.len());
        self.all = all.len();
        let words = filter.trim().to_lowercase();
        let mut known: BTreeMap<(String, &str), usize> = BTreeMap::new();
        let rows = all.into_iter().filter_map(|row| Some((row, plan.changes.get(row)?)));
        for (index, planned) in rows {
            let track = track_of(&planned.change, session);
            let name = match track.and_then(|id| session.tracks.get(&id)) {
                Some(track) => track.name.clone(),
                None => named(planned, session).unwrap_or_else(|| "Session".into()),
            };
            let op = if cuts.are_cuts() { "cut" } else { what(&planned.change) };
            let matches = |text: &str| text.to_lowercase().contains(&words);
            let kind = cuts::kind(planned);
            let texts = [name.as_str(), &planned.name, &planned.reason, op, kind];
            if !words.is_empty() && !texts.into_iter().any(matches) {
                continue;
            }
            let hue = crate::describe::hue_of(track, session);
            let place = *known.entry((name.clone(), op)).or_insert_with(|| {
                self.groups.push(Group { name: format!("{name}, {op}"), hue, rows: Vec::new() });
                self.groups.len() - 1
            });
            self.groups[place].rows.push(index);
            self.order.push(index);
        }
    }

    fn place(&mut self) {
        self.is_stale = false;
        self.lines.clear();
        self.tops = vec![0.0];
        if self.all < MANY || self.is_flat {
            let rows = self.order.clone();
            rows.into_iter().for_each(|row| self.add(Line::Row(row), self.row));
            return;
        }
        for index in 0..self.groups.len() {
            self.add(Line::Group(index), GROUP);
            if !self.closed.contains(&index) {
                let rows = self.groups[index].rows.clone();
                rows.into_iter().for_each(|row| self.add(Line::Row(row), self.row));
            }
        }
    }

    fn add(&mut self, line: Line, height: f32) {
        self.lines.push(line);
        self.tops.push(self.height() + height);
    }

    pub(crate) fn height(&self) -> f32 {
        self.tops.last().copied().unwrap_or(0.0)
    }

    /// The lines between two heights, with their places.
    pub(crate) fn between(&self, from: f32, to: f32) -> Vec<(Line, f32, f32)> {
        let first = self.tops.partition_point(|top| *top <= from).saturating_sub(1);
        let lines = self.lines.iter().enumerate().skip(first);
        let placed = lines.map(|(index, line)| (*line, self.tops[index], self.tops[index + 1]));
        placed.take_while(|(_, top, _)| *top < to).collect()
    }

    /// Whether a row is among those that match the filter.
    pub(crate) fn has(&self, row: usize) -> bool {
        self.groups.iter().any(|group| group.rows.contains(&row))
    }

    /// Opens the group of a row and returns the row's position.
    pub(crate) fn reveal(&mut self, row: usize) -> Option<f32> {
        let group = self.groups.iter().position(|group| group.rows.contains(&row))?;
        if self.closed.remove(&group) {
            self.place();
        }
        let line = self.lines.iter().position(|line| *line == Line::Row(row))?;
        self.tops.get(line).copied()
    }

    /// The row before or after another one, in display order. Rows of closed groups count too.
    pub(crate) fn step(&self, from: Option<usize>, is_forward: bool) -> Option<usize> {
        let has_heads = self.lines.iter().any(|line| matches!(line, Line::Group(_)));
        let rows: Vec<usize> = match has_heads {
            true => self.groups.iter().flat_map(|group| group.rows.iter().copied()).collect(),
            false => self.order.clone(),
        };
        let at = from.and_then(|row| rows.iter().position(|known| *known == row));
        match (at, is_forward) {
            (None, true) => rows.first().copied(),
            (None, false) => rows.last().copied(),
            (Some(at), true) => rows.get(at + 1).copied(),
            (Some(at), false) => at.checked_sub(1).and_then(|at| rows.get(at).copied()),
        }
    }

    pub(crate) fn is_closed(&self, group: usize) -> bool {
        self.closed.contains(&group)
    }

    /// Opens or closes a group.
    pub(crate) fn toggle(&mut self, group: usize) {
        if !self.closed.remove(&group) {
            self.closed.insert(group);
        }
        self.is_stale = true;
    }
}
