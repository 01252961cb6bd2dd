//! What a card asks of the rest of the window.

use crate::model::Model;
use crate::words;
use deskhand_session::PlanId;

/// Handles a card's requests that other parts carry out: its own window, words in the composer, or its
/// ghosts.
pub(crate) fn carry_out(model: &mut Model, id: PlanId) {
    let Some(card) = model.cards.get_mut(&id) else { return };
    if std::mem::take(&mut card.view.asks.is_taken_out) {
        card.view.focus.takes_keyboard = true;
        model.wide = Some(id);
    }
    if let Some(wish) = card.view.asks.wish.take() {
        model.draft = wish;
        model.wants_composer = true;
    }
    let is_taken_up = std::mem::take(&mut card.view.asks.is_taken_up);
    if std::mem::take(&mut card.view.asks.opens_takes) {
        words::show_takes(model, id);
    }
    if is_taken_up {
        model.keep_open(id);
    }
}
