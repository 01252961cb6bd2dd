//! The words of a row of a card.

use super::values;
use super::view::Card;
use crate::describe::Told;
use crate::words;
use deskhand_session::Session;

/// The words of a row, with an edited value in its place.
pub(crate) fn row_words(card: &Card, index: usize, session: &Session) -> Option<Told> {
    let planned = card.stored.plan.changes.get(index)?;
    let mut told = card.view.ticks.cuts.told(planned, session);
    if let Some(take) = words::take_of(&card.stored.plan, planned, session) {
        told.name = format!("{take} · {}", told.name);
    } else if let Some(when) = card.view.ticks.cuts.when(planned, session) {
        told.name = format!("{} at {when}", told.name);
    }
    if let Some(value) = card.view.values.edits.get(&planned.id) {
        told.was = Some(std::mem::take(&mut told.after));
        told.after = values::text(*value, &told.unit);
        told.number = Some(*value);
    }
    Some(told)
}
