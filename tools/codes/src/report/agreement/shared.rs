//! Codings that coders did not make independently. If two of them had a coding when a session was copied,
//! it says nothing about their agreement. It is left out for that code on both sides, and so is each unit
//! that it covers. Compared with a third coder, who did not have it, it counts for both.

use crate::report::coded::{Coded, One};
use deskhand_session::{CodeId, Coding, SourceId};
use std::collections::{BTreeMap, BTreeSet};

/// A coding that several coders have from before a session was copied, and the units that it covers.
pub(super) struct Shared<'a> {
    coding: &'a Coding,
    units: Vec<usize>,
}

impl<'a> Shared<'a> {
    /// `None` if only its coder has it.
    pub(super) fn of(one: &One<'a>, units: &[usize]) -> Option<Self> {
        let coding = one.coding;
        (!coding.shared_with.is_empty()).then(|| Self { coding, units: units.to_vec() })
    }
}

/// The units that had each code when both coders began.
pub(super) fn begun(shared: &[Shared<'_>], coders: [&str; 2]) -> BTreeMap<CodeId, BTreeSet<usize>> {
    let mut units: BTreeMap<CodeId, BTreeSet<usize>> = BTreeMap::new();
    for one in shared.iter().filter(|one| is_of_both(one.coding, coders)) {
        units.entry(one.coding.code).or_default().extend(&one.units);
    }
    units
}

/// How many codings are left out of the comparison of some two of the coders.
pub(super) fn left_out(shared: &[Shared<'_>], coded: &Coded<'_>) -> usize {
    let is_here = |who: &String| coded.coders.contains_key(who.as_str());
    shared.iter().filter(|one| one.coding.shared_with.iter().any(is_here)).count()
}

/// The sources that one of two coders coded anything of, since they have been two.
pub(super) fn worked_on(coded: &Coded<'_>, coders: [&str; 2]) -> BTreeSet<SourceId> {
    let is_own = |coding: &Coding| {
        coders.into_iter().any(|who| has(coding, who)) && !is_of_both(coding, coders)
    };
    let segments = coded.session.segments.values();
    segments.filter(|it| it.codings.iter().any(is_own)).map(|it| it.source).collect()
}

/// Whether two coders both had a coding when a session was copied.
fn is_of_both(coding: &Coding, coders: [&str; 2]) -> bool {
    coders.into_iter().all(|who| has(coding, who))
}

/// Whether somebody gave a coding, or had it when a session was copied.
fn has(coding: &Coding, who: &str) -> bool {
    coding.coder_name() == who || coding.shared_with.iter().any(|it| it == who)
}
