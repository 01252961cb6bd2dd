//! Phrases that leave the order of an assembly.

use deskhand_session::{Assembly, PhraseId};
use std::collections::BTreeSet;

/// Without `ids`; phrases that are already out stay out.
pub fn without(assembly: &Assembly, ids: &[PhraseId]) -> Assembly {
    let mut after = Assembly { finished: None, ..assembly.clone() };
    let gone: BTreeSet<_> = ids.iter().collect();
    let is_chosen = |id: &PhraseId| assembly.duplicates.iter().any(|group| group.chosen == *id);
    let takes: BTreeSet<_> = ids.iter().copied().filter(|id| !is_chosen(id)).collect();
    after.order.retain(|id| !gone.contains(id));
    let fresh: Vec<_> = ids.iter().filter(|id| !assembly.removed.contains(id)).copied().collect();
    after.removed.extend(fresh);
    leave_takes(&mut after, &takes);
    after
}

/// Removes phrases from their sets of takes. A single remaining take is no set any more.
pub fn leave_takes(assembly: &mut Assembly, ids: &BTreeSet<PhraseId>) {
    for group in &mut assembly.duplicates {
        group.takes.retain(|take| !ids.contains(take));
    }
    assembly.duplicates.retain(|group| group.takes.len() >= 2);
}
