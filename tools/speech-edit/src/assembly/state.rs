//! Steps on the state of an assembly: which phrase plays where. Every step keeps every phrase accounted for.

use deskhand_edit::assembly::order::leave_takes;
use deskhand_session::{Assembly, Duplicates, PhraseId, Session};
use deskhand_toolkit::{Code, ToolError};
use std::collections::BTreeSet;
use std::fmt;

/// The most ids that are named for each fault.
const NAMED: usize = 50;
/// As much of each, in characters.
const LONGEST: usize = 80;

/// The problems of a list of phrases.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Faults {
    /// No phrase has this id.
    unknown: Vec<String>,
    /// Given more than once.
    repeated: Vec<Called>,
    /// Plays, and was not given.
    missing: Vec<Called>,
    /// Was taken out.
    removed: Vec<Called>,
    /// A take that was not chosen.
    other_takes: Vec<Called>,
}

/// A phrase as somebody knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Called {
    id: PhraseId,
    /// Its place in the order, from 1; `None` if it does not play.
    number: Option<usize>,
    /// What it begins with.
    name: String,
}

/// Why a step is not taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum StepError {
    /// Nobody has found phrases yet.
    #[error("there is no assembly yet")]
    NoAssembly,
    /// The ids do not fit.
    #[error("{0}")]
    Ids(Faults),
    /// One take is no choice.
    #[error("{}", if *.0 == 0 { "no phrases are given" } else { "one phrase alone is no take of another" })]
    TooFew(usize),
    /// The recommended take is not among the takes.
    #[error("{0} is recommended and is not among the takes")]
    NotATake(PhraseId),
}

impl From<StepError> for ToolError {
    fn from(error: StepError) -> Self {
        let (code, fix) = match &error {
            StepError::NoAssembly => (Code::NoTarget, "find its phrases first: tool_find_phrases"),
            StepError::Ids(_) => (Code::BadParams, "see tool_list_phrases for what plays"),
            StepError::TooFew(_) => {
                let fix = "give at least two `group_ids`, or leave them out to have takes found";
                (Code::BadParams, fix)
            }
            StepError::NotATake(_) => {
                (Code::BadParams, "let `recommended_group_id` be one of `group_ids`")
            }
        };
        Self::prepare(code, error.to_string(), fix)
    }
}

impl Faults {
    /// The listed phrases, each once; those with a fault go into `self`.
    fn parsed(&mut self, session: &Session, ids: &[String]) -> Vec<PhraseId> {
        let (mut known, mut seen) = (Vec::new(), BTreeSet::new());
        for text in ids {
            let id = text.parse().ok().filter(|id| session.phrases.contains_key(id));
            match id {
                None if self.unknown.contains(text) => {}
                None => self.unknown.push(text.clone()),
                Some(id) if seen.insert(id) => known.push(id),
                Some(id) if self.repeated.iter().any(|called| called.id == id) => {}
                Some(id) => self.repeated.push(Called::new(session, id)),
            }
        }
        known
    }

    /// Those of the phrases that do not play.
    fn left_out(&mut self, session: &Session, assembly: &Assembly, ids: &[PhraseId]) {
        let playing: BTreeSet<_> = assembly.order.iter().collect();
        for id in ids.iter().filter(|id| !playing.contains(id)) {
            let is_out = assembly.removed.contains(id);
            let list = if is_out { &mut self.removed } else { &mut self.other_takes };
            list.push(Called::new(session, *id));
        }
    }

    fn none(self) -> Result<(), StepError> {
        if self == Self::default() { Ok(()) } else { Err(StepError::Ids(self)) }
    }
}

impl Called {
    fn new(session: &Session, id: PhraseId) -> Self {
        let order = &session.assembly.order;
        let number = order.iter().position(|other| *other == id).map(|at| at + 1);
        Self { id, number, name: session.name_of(id.into()) }
    }
}

impl fmt::Display for Called {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(number) = self.number {
            write!(f, "{number} ")?;
        }
        write!(f, "\"{}\"", self.name)
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts = |all: &[Called]| all.iter().map(ToString::to_string).collect::<Vec<_>>();
        let lists = [
            ("not a phrase", self.unknown.clone()),
            ("given more than once", texts(&self.repeated)),
            ("missing", texts(&self.missing)),
            ("removed, so it does not play", texts(&self.removed)),
            ("a take that was not chosen, so it does not play", texts(&self.other_takes)),
        ];
        let told = lists.iter().filter(|(_, ids)| !ids.is_empty()).map(|(what, ids)| {
            let shown: Vec<String> =
                ids.iter().take(NAMED).map(|id| id.chars().take(LONGEST).collect()).collect();
            let more = ids.len() - shown.len();
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            format!("{what}: {}{more}", shown.join(", "))
        });
        f.write_str(&told.collect::<Vec<_>>().join("; "))
    }
}

/// The assembly of a session.
///
/// # Errors
/// When there is no assembly.
pub(super) fn begun(session: &Session) -> Result<Assembly, StepError> {
    let assembly = Some(&session.assembly).filter(|assembly| !assembly.is_empty());
    assembly.cloned().ok_or(StepError::NoAssembly)
}

/// The phrases named by `ids`, each once.
///
/// # Errors
/// When an id is unknown or given twice; all of them are named.
pub(super) fn named(session: &Session, ids: &[String]) -> Result<Vec<PhraseId>, StepError> {
    let mut faults = Faults::default();
    let known = faults.parsed(session, ids);
    faults.none().map(|()| known)
}

/// The phrases named by `ids`, all of which play.
///
/// # Errors
/// When there is no assembly, or an id is unknown, given twice or does not play; all of them are named.
pub(super) fn playing(session: &Session, ids: &[String]) -> Result<Vec<PhraseId>, StepError> {
    let assembly = begun(session)?;
    let mut faults = Faults::default();
    let known = faults.parsed(session, ids);
    faults.left_out(session, &assembly, &known);
    faults.none().map(|()| known)
}

/// The phrases that play before one and after another; none if neither is given.
///
/// # Errors
/// When one of them does not play.
pub(super) fn beyond(
    session: &Session,
    before: Option<&String>,
    after: Option<&String>,
) -> Result<Vec<PhraseId>, StepError> {
    if before.or(after).is_none() {
        return Ok(Vec::new());
    }
    let order = begun(session)?.order;
    let place = |id: &String| {
        let id = playing(session, std::slice::from_ref(id))?;
        Ok(order.iter().position(|other| id.contains(other)).unwrap_or_default())
    };
    let start = after.map(place).transpose()?.map_or(0, |at| at + 1);
    let end = before.map(place).transpose()?.unwrap_or(order.len());
    Ok(order.get(start..end).unwrap_or_default().to_vec())
}

/// The playing phrases, in the order of `ids`.
///
/// # Errors
/// When `ids` are not exactly the playing phrases; all differences are named.
pub(super) fn reordered(session: &Session, ids: &[String]) -> Result<Assembly, StepError> {
    let mut after = begun(session)?;
    let mut faults = Faults::default();
    let order = faults.parsed(session, ids);
    let given: BTreeSet<_> = order.iter().copied().collect();
    let missing = after.order.iter().filter(|id| !given.contains(id));
    faults.missing.extend(missing.map(|id| Called::new(session, *id)));
    faults.left_out(session, &after, &order);
    faults.none()?;
    after.order = order;
    after.finished = None;
    Ok(after)
}

/// With `ids` playing, each before the phrase given with it, or at the end.
pub(super) fn with(assembly: &Assembly, ids: &[(PhraseId, Option<PhraseId>)]) -> Assembly {
    let mut after = Assembly { finished: None, ..assembly.clone() };
    let back: BTreeSet<PhraseId> = ids.iter().map(|(id, _)| *id).collect();
    after.removed.retain(|id| !back.contains(id));
    let others: BTreeSet<_> = assembly.duplicates.iter().flat_map(Duplicates::others).collect();
    leave_takes(&mut after, &(&back & &others));
    for (id, ahead_of) in ids {
        if after.order.contains(id) {
            continue;
        }
        let at = ahead_of.and_then(|next| after.order.iter().position(|other| *other == next));
        after.order.insert(at.unwrap_or(after.order.len()), *id);
    }
    after
}

/// With one more set of takes. `takes.chosen` plays in the place of the first of them. Sets that share a take with it
/// become a part of it.
///
/// # Errors
/// When there are fewer than two, or the chosen one is not among them.
pub(super) fn marked(assembly: &Assembly, takes: Duplicates) -> Result<Assembly, StepError> {
    if takes.takes.len() < 2 {
        return Err(StepError::TooFew(takes.takes.len()));
    }
    if !takes.takes.contains(&takes.chosen) {
        return Err(StepError::NotATake(takes.chosen));
    }
    let mut after = Assembly { finished: None, ..assembly.clone() };
    after.duplicates.retain(|old| !old.takes.iter().any(|take| takes.takes.contains(take)));
    let is_take = |id: &PhraseId| takes.takes.contains(id);
    match after.order.iter().position(is_take) {
        Some(first) => {
            // No takes come before the first, so its place stays the same.
            after.order.retain(|id| !is_take(id));
            after.order.insert(first, takes.chosen);
            after.removed.retain(|id| *id != takes.chosen);
        }
        None if after.removed.contains(&takes.chosen) => {}
        None => after.removed.push(takes.chosen),
    }
    let is_other = |id: &PhraseId| is_take(id) && *id != takes.chosen;
    after.removed.retain(|id| !is_other(id));
    after.duplicates.push(takes);
    Ok(after)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_take_that_was_spoken_later_plays_where_the_first_stood() {
        let id = PhraseId::new;
        let before = Assembly { order: [1, 2, 3, 4].map(id).into(), ..Assembly::default() };
        let takes = Duplicates {
            phrase: "welcome to the show".into(),
            takes: [1, 4].map(id).into(),
            chosen: id(4),
            reason: String::new(),
        };
        let after = marked(&before, takes.clone()).unwrap();
        assert_eq!(
            after.order,
            [4, 2, 3].map(id),
            "said again at the end, it still opens the show"
        );
        let back = marked(&after, Duplicates { chosen: id(1), ..takes }).unwrap();
        assert_eq!(back.order, [1, 2, 3].map(id));
    }
}
