//! A plan of cuts as its card lists it: each cut is one row, whatever changes it is made of, and has one number.

use crate::describe::{Told, told};
use crate::kit::scale::minus;
use deskhand_session::{Change, Plan, PlannedChange, Session};

/// Which changes of a plan are rows, by their places in the plan; of a plan of no cuts all of them are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cuts {
    /// The changes that stand for cuts, the first in time first.
    heads: Vec<usize>,
    /// Of each change the number, from 0, of the cut whose ghost it is; none of what has no ghost of its own.
    ghosts: Vec<Option<usize>>,
}

impl Cuts {
    pub(super) fn of(plan: &Plan) -> Self {
        let Some(steps) = plan.cuts() else { return Self::default() };
        let mut cuts = Self { heads: Vec::new(), ghosts: vec![None; plan.changes.len()] };
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

    /// Whether rows are cuts.
    pub(crate) fn are_rows(&self) -> bool {
        !self.heads.is_empty()
    }

    /// The rows of a plan of so many changes, in the order in which they stand.
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

    /// The number, from 0, of the row whose ghost a change is; none where it has none.
    pub(crate) fn ghost(&self, change: usize) -> Option<usize> {
        if self.are_rows() { self.ghosts.get(change).copied().flatten() } else { Some(change) }
    }

    /// What a row says.
    pub(crate) fn told(&self, planned: &PlannedChange, session: &Session) -> Told {
        if self.are_rows() { cut(planned) } else { told(planned, session) }
    }
}

/// What goes and where, how long it is, and what stands beside it then. The tool says it in this order.
fn cut(planned: &PlannedChange) -> Told {
    let (name, after, around) = parts(&planned.reason).unwrap_or((planned.reason.as_str(), "", ""));
    // What is only replaced has the name of its clip, which may be all that is said in it.
    let whose = match &planned.change {
        Change::RippleDelete(_) => planned.name.as_str(),
        _ => "",
    };
    let reason = [whose, around].into_iter().filter(|words| !words.is_empty());
    Told {
        name: minus(name),
        what: "cut".into(),
        before: String::new(),
        after: after.to_owned(),
        unit: if after.is_empty() { String::new() } else { "s".into() },
        reason: reason.collect::<Vec<_>>().join(", "),
        was: None,
        number: None,
    }
}

/// `"um," at 0:01.900, 0.32 s, between "went" and "to"` in its three parts.
fn parts(reason: &str) -> Option<(&str, &str, &str)> {
    reason.match_indices(", ").find_map(|(at, comma)| {
        let (length, around) = reason[at + comma.len()..].split_once(" s")?;
        let is_length = length.parse::<f64>().is_ok();
        let is_end = around.is_empty() || around.starts_with(", ");
        (is_length && is_end).then(|| (&reason[..at], length, around.trim_start_matches(", ")))
    })
}

#[cfg(test)]
mod tests;
