//! Keys of a card that has the keyboard: J and K step through its changes, each heard from 2 s ahead to 2 s
//! behind; X ticks, Enter edits. What repeated before repeats again once that is over.

use super::value::Editing;
use super::{CardView, Place, audition, decide, row_words};
use crate::action::Action;
use crate::describe::span_of;
use crate::model::Card;
use deskhand_dsp::Frames;
use deskhand_protocol::desk::Play;
use egui::{Key, Modifiers, Ui};

/// Heard ahead of a change and behind it, seconds.
const AROUND: i64 = 2;

/// What repeated before a change did.
#[derive(Clone, Copy, Debug)]
pub(super) struct Before(Option<(Frames, Frames)>);

impl CardView {
    /// No change is stepped to any more: what repeated before repeats again.
    pub(crate) fn end_steps(&mut self, out: &mut Vec<Action>) {
        if let Some(Before(range)) = self.stepped.take() {
            out.push(Action::Play(Play::Loop { range }));
        }
    }
}

pub(super) fn keys(ui: &Ui, place: &Place<'_>, card: &mut Card, out: &mut Vec<Action>) {
    if ui.ctx().text_edit_focused() || card.view.rejecting.is_some() {
        return;
    }
    audition::keys(ui, place.live, card, out);
    decide::reject_by_key(ui, card);
    let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
    let hears = [(Key::J, true), (Key::K, false)].into_iter().find(|(key, _)| pressed(*key));
    let moves = [(Key::ArrowDown, true), (Key::ArrowUp, false)];
    let moves = moves.into_iter().find(|(key, _)| pressed(*key));
    if let Some((_, is_forward)) = hears.or(moves)
        && let Some(row) = card.view.lines.step(card.view.current, is_forward)
    {
        (card.view.current, card.view.wanted) = (Some(row), Some(row));
        go(place, card, row, hears.is_some(), out);
    }
    if card.view.stepped.is_some() && pressed(Key::Escape) {
        card.view.end_steps(out);
    }
    let Some(row) = card.view.current else { return };
    let Some(id) = card.stored.plan.changes.get(row).map(|change| change.id.clone()) else {
        return;
    };
    if pressed(Key::X) {
        card.view.tick(&card.stored.plan, &id);
    }
    // A control that has the keyboard takes Enter itself.
    let is_free = ui.memory(egui::Memory::focused).is_some_and(|id| is_card(ui, card, id));
    if is_free
        && pressed(Key::Enter)
        && !card.view.off.contains(&id)
        && let Some(number) = row_words(card, row, place.session).and_then(|told| told.number)
    {
        card.view.editing = Some(Editing::of(&id, number));
    }
}

fn is_card(ui: &Ui, card: &Card, id: egui::Id) -> bool {
    card.view.whole == Some(id) && ui.is_enabled()
}

/// Goes to a change, and lets its place be heard.
fn go(place: &Place<'_>, card: &mut Card, row: usize, is_heard: bool, out: &mut Vec<Action>) {
    let Some(planned) = card.stored.plan.changes.get(row) else { return };
    let Some((start, end)) = span_of(&planned.change, place.session) else {
        // There is no place to hear: not that of another row either.
        return card.view.end_steps(out);
    };
    let around = Frames(AROUND * i64::from(place.session.rate.0));
    let from = Frames((start.0 - around.0).max(0));
    if !place.live.is_hosted() {
        out.push(Action::Play(Play::Seek { at: from }));
    }
    if !is_heard || !place.live.has_transport() {
        return card.view.end_steps(out);
    }
    card.view.stepped.get_or_insert(Before(place.live.cycle));
    // A long change is heard where it begins.
    let end = Frames(end.0.min(start.0 + 2 * around.0) + around.0);
    out.push(Action::Play(Play::Loop { range: Some((from, end)) }));
    let which = audition::planned(&card.view);
    out.push(Action::Play(Play::Hear { plan: card.stored.plan.id, which }));
    out.push(Action::Play(Play::Start));
}
