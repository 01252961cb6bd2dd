//! A plan as its card lists it. Each cut is one row, whatever changes it is made of, and has one number; so is each row
//! that the plan names, and one gain for all pieces of a recording.

use crate::describe::{Made, Told, span_of, told};
use crate::kit::scale::minus;
use deskhand_dsp::SampleRate;
use deskhand_session::plan::{CutKind, CutOut, Row};
use deskhand_session::text::clock;
use deskhand_session::{Change, Plan, PlannedChange, Session};
use std::collections::{BTreeMap, BTreeSet};

/// Which changes of a plan are rows, by their places in the plan; of a plan of no cuts all of them are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cuts {
    /// The changes that each represent a cut, in order of time.
    heads: Vec<usize>,
    /// For each change the index of the cut that owns its ghost; `None` if it has no ghost of its own.
    ghosts: Vec<Option<usize>>,
    /// The names of what the plan makes.
    made: Made,
    /// Whether the rows are cuts; else they may be several changes that read alike.
    are_cuts: bool,
    /// How many changes read like one, by its id.
    counts: BTreeMap<String, usize>,
    /// What the rows do that the plan names, by the ids of the changes that represent them.
    names: BTreeMap<String, String>,
    /// The ids of rows that would read like another one: they say when they play.
    twins: BTreeSet<String>,
}

impl Cuts {
    pub(super) fn of(plan: &Plan) -> Self {
        let cuts = Self::untimed(plan);
        let twins = if cuts.are_cuts { BTreeSet::new() } else { twins(plan, &cuts) };
        Self { twins, ..cuts }
    }

    fn untimed(plan: &Plan) -> Self {
        let Some(steps) = plan.cuts() else { return Self::of_rows(plan) };
        let ghosts = vec![None; plan.changes.len()];
        let made = Made::of(plan);
        let mut cuts = Self { ghosts, made, are_cuts: true, ..Self::default() };
        for (number, step) in steps.iter().enumerate() {
            let own = plan.changes.iter().enumerate().skip(step.at).take(step.changes);
            for (at, planned) in own {
                let is_head = planned.id == step.head.id;
                if is_head {
                    cuts.heads.push(at);
                }
                if is_head || matches!(planned.change, Change::RippleDelete(_)) {
                    cuts.ghosts[at] = Some(number);
                }
            }
        }
        cuts
    }

    /// Rows of a plan of no cuts. A change in none of them serves them, such as a file that they play.
    fn of_rows(plan: &Plan) -> Self {
        let (rows, made) = (plan.rows(), Made::of(plan));
        let is_each = |row: &Row<'_>| row.changes.len() == 1 && row.name.is_none();
        if rows.len() == plan.changes.len() && rows.iter().all(is_each) {
            return Self { made, ..Self::default() };
        }
        let mut ghosts = vec![None; plan.changes.len()];
        for (number, row) in rows.iter().enumerate() {
            row.changes.iter().for_each(|at| ghosts[*at] = Some(number));
        }
        let heads = rows.iter().filter_map(|row| row.changes.first().copied()).collect();
        let (named, alike): (Vec<_>, Vec<_>) = rows.iter().partition(|row| row.name.is_some());
        let name = |row: &&Row<'_>| Some((row.head.id.clone(), row.name?.to_owned()));
        let names = named.iter().filter_map(name).collect();
        let several = alike.iter().filter(|row| row.changes.len() > 1);
        let count = |row: &&Row<'_>| (row.head.id.clone(), row.changes.len());
        let counts = several.map(count).collect();
        Self { heads, ghosts, made, counts, names, ..Self::default() }
    }

    pub(crate) fn are_rows(&self) -> bool {
        !self.heads.is_empty()
    }

    pub(super) fn are_cuts(&self) -> bool {
        self.are_cuts
    }

    /// The rows of a plan with this many changes, in display order.
    pub(crate) fn rows(&self, changes: usize) -> Vec<usize> {
        if self.are_rows() { self.heads.clone() } else { (0..changes).collect() }
    }

    /// The changes that are rows; empty where all are.
    pub(super) fn heads(&self) -> &[usize] {
        &self.heads
    }

    /// The number of a row, from 0.
    pub(crate) fn number(&self, row: usize) -> usize {
        self.heads.iter().position(|head| *head == row).unwrap_or(row)
    }

    /// The row of a number, from 0.
    pub(crate) fn row(&self, number: usize) -> usize {
        self.heads.get(number).copied().unwrap_or(number)
    }

    /// The row, from 0, that a change's ghost on the timeline belongs to. `None` if the change has no
    /// ghost.
    pub(crate) fn ghost(&self, change: usize) -> Option<usize> {
        if self.are_rows() { self.ghosts.get(change).copied().flatten() } else { Some(change) }
    }

    pub(crate) fn told(&self, planned: &PlannedChange, session: &Session) -> Told {
        if self.are_cuts {
            return cut(planned, session.rate);
        }
        let mut told = match self.names.get(&planned.id) {
            Some(name) => named(planned, name),
            None => told(planned, session, &self.made),
        };
        if let Some(count) = self.counts.get(&planned.id) {
            told.name = format!("{}, {count} clips", told.name);
        }
        told
    }

    /// When a row plays that would read like another one.
    pub(super) fn when(&self, planned: &PlannedChange, session: &Session) -> Option<String> {
        let (from, _) = span_of(&planned.change, session)?;
        let is_one = self.twins.contains(&planned.id) && !self.counts.contains_key(&planned.id);
        is_one.then(|| clock(from, session.rate))
    }
}

/// The ids of rows that share the name of their object and the kind of change with another.
fn twins(plan: &Plan, cuts: &Cuts) -> BTreeSet<String> {
    let rows = cuts.rows(plan.changes.len());
    let rows: Vec<&PlannedChange> = rows.iter().filter_map(|at| plan.changes.get(*at)).collect();
    let kind = |planned: &PlannedChange| (planned.name.clone(), planned.change.op());
    let mut known: BTreeMap<_, usize> = BTreeMap::new();
    rows.iter().for_each(|row| *known.entry(kind(row)).or_default() += 1);
    let has_twin = |row: &&&PlannedChange| known.get(&kind(row)).is_some_and(|count| *count > 1);
    rows.iter().filter(has_twin).map(|row| row.id.clone()).collect()
}

/// A row with the plan's own words.
fn named(planned: &PlannedChange, what: &str) -> Told {
    let (name, reason) = (minus(&planned.name), minus(&planned.reason));
    Told { name, what: what.to_owned(), reason, ..Told::default() }
}

/// The ids of the changes in the row of a change.
pub(super) fn alike_with(plan: &Plan, id: &str) -> Vec<String> {
    let at = plan.changes.iter().position(|planned| planned.id == id);
    let row = plan.rows().into_iter().find(|row| at.is_some_and(|at| row.changes.contains(&at)));
    let places = row.into_iter().flat_map(|row| row.changes);
    places.map(|at| plan.changes[at].id.clone()).collect()
}

/// The row of a cut: what is removed and where, how long it is, and the words around it. A plan of an older
/// version only has the reason.
fn cut(planned: &PlannedChange, rate: SampleRate) -> Told {
    let out = planned.cut.as_ref();
    let place = |out: &CutOut| format!("{} at {}", out.what, clock(out.at, rate));
    let name = out.map_or_else(|| planned.reason.clone(), place);
    let after = out.map(|out| format!("{:.2}", out.length.seconds(rate).0)).unwrap_or_default();
    // A replaced clip has its own name, which may be the only text.
    let whose = match &planned.change {
        Change::RippleDelete(_) => planned.name.clone(),
        _ => String::new(),
    };
    let reason = [whose, out.map(around).unwrap_or_default()];
    let reason = reason.into_iter().filter(|words| !words.is_empty());
    Told {
        name: minus(&name),
        what: "cut".into(),
        before: String::new(),
        unit: if after.is_empty() { String::new() } else { "s".into() },
        after,
        reason: reason.collect::<Vec<_>>().join(", "),
        was: None,
        number: None,
    }
}

fn around(out: &CutOut) -> String {
    match (&out.before, &out.after) {
        (Some(before), Some(after)) => format!("between \"{before}\" and \"{after}\""),
        (Some(before), None) => format!("after \"{before}\""),
        (None, Some(after)) => format!("before \"{after}\""),
        (None, None) => String::new(),
    }
}

/// The kind of a cut, as people search for it.
pub(super) fn kind(planned: &PlannedChange) -> &'static str {
    match planned.cut.as_ref().map(|out| out.kind) {
        Some(CutKind::Filler) => "filler",
        Some(CutKind::FalseStart) => "false start",
        Some(CutKind::Pause) => "pause",
        Some(CutKind::Silence) => "silence",
        None => "",
    }
}

#[cfg(test)]
mod tests;
