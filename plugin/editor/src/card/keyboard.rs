//! Keys of cards: the keys that play the open plan, the key that applies it, and the arrows.

use super::{audition, decide, single_value};
use crate::action::Actions;
use crate::card::view::Card;
use crate::model::Model;
use deskhand_session::Session;
use egui::{Rect, Ui};

/// The keys that let the open plan be heard, while no control has the keyboard.
pub(crate) fn keys(ui: &Ui, model: &mut Model, out: &mut Actions) {
    if !model.is_desk(ui) {
        return;
    }
    let may_hear = |card: &&Card| {
        let view = &card.view;
        // A line with the keyboard hears its own keys: a digit begins its number.
        let is_line = view.focus.is_focused(ui) && single_value::is_one_line(card);
        let is_typing = view.deciding.rejecting.is_some() || view.values.is_typing(ui);
        !card.stored.plan.changes.is_empty() && !is_line && !is_typing
    };
    let open = model.open_plan().filter(may_hear);
    let open = open.map(|card| card.stored.plan.id);
    if let Some(card) = open.and_then(|id| model.cards.get_mut(&id)) {
        audition::keys(ui, &model.live, card, out);
    }
}

/// The arrows go from change to change, not to the next control. A text field has its own way with them.
pub(super) fn keep_arrows(ui: &Ui) {
    if ui.ctx().text_edit_focused() {
        return;
    }
    let filter = egui::EventFilter {
        horizontal_arrows: true,
        vertical_arrows: true,
        ..egui::EventFilter::default()
    };
    ui.memory_mut(|memory| {
        if let Some(id) = memory.focused() {
            memory.set_focus_lock_filter(id, filter);
        }
    });
}

/// Takes the key before the rows do: Enter would also untick the focused row. If the card is partly out of
/// view, it scrolls into view first, so nobody applies what they did not see.
pub(super) fn apply_by_key(
    ui: &Ui,
    session: &Session,
    card: &mut Card,
    rect: Rect,
    out: &mut Actions,
) {
    let stands = card.view.focus.stands(ui);
    // An open menu goes first.
    card.view.focus.had_focus &= stands && !egui::Popup::is_any_open(ui.ctx());
    // A click elsewhere takes the keyboard and later keys, even if a slow frame receives both at once.
    let seen = rect.intersect(ui.clip_rect());
    let is_elsewhere = |at: egui::Pos2| !seen.contains(at);
    card.view.focus.had_focus &= !ui.input(|input| {
        input.pointer.any_pressed() && input.pointer.interact_pos().is_none_or(is_elsewhere)
    });
    let is_in_view = ui.clip_rect().expand(1.0).contains_rect(rect);
    let is_seen = card.view.focus.is_seen(is_in_view && stands, ui.input(|input| input.time));
    // One line needs no second key, while the card itself has the keyboard and nothing is typed.
    let is_typing = card.view.values.editing.is_some();
    let is_line = card.view.focus.is_focused(ui) && !is_typing && single_value::is_one_line(card);
    let pressed = |ui: &Ui| {
        ui.input_mut(|input| {
            input.consume_key(egui::Modifiers::COMMAND, egui::Key::Enter)
                || is_line && input.consume_key(egui::Modifiers::NONE, egui::Key::Enter)
        })
    };
    if !card.view.focus.had_focus || !pressed(ui) {
        return;
    }
    if is_seen {
        decide::apply(card, session, out);
    } else if !is_in_view {
        ui.scroll_to_rect(rect, Some(egui::Align::Center));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::live::SoundOutput;
    use crate::testing::prelude::*;
    use deskhand_protocol::desk::{Play, Which};
    use deskhand_session::PlannedChange;

    fn card<'a>(harness: &'a mut Harness<'static, Desk>) -> &'a mut Card {
        harness.state_mut().model.cards.get_mut(&gain_plan().id).unwrap()
    }

    /// A card that has the keyboard and was seen, once the plan is as `set` makes it.
    fn seen(set: impl FnOnce(&mut Card)) -> Harness<'static, Desk> {
        let mut model = with_plan();
        model.live.output = SoundOutput::Device { name: "Speakers".into() };
        let card = model.cards.get_mut(&gain_plan().id).unwrap();
        set(card);
        card.view.focus.takes_keyboard = true;
        let mut harness = harness(model);
        harness.run_steps(10);
        harness
    }

    /// A card with more rows than fit.
    fn long() -> Harness<'static, Desk> {
        let row = |number: usize| {
            let [before, after] = [number - 1, number].map(|level| Decibels(level as f64));
            let edit = Change::SetClipGain(Edit::new(ClipId::new(1), before, after));
            PlannedChange::new(number, edit, "Vocal take".into(), String::new())
        };
        seen(|card| card.stored.plan.changes = (1..=30).map(row).collect())
    }

    #[test]
    fn a_card_that_was_not_drawn_is_to_be_seen_again_before_its_key_applies() {
        let mut harness = seen(|_| {});
        let entries = std::mem::take(&mut harness.state_mut().model.entries);
        harness.run_steps(3);
        harness.state_mut().model.entries = entries;
        card(&mut harness).view.focus.takes_keyboard = true;
        harness.run_steps(1);
        harness.press_with(Modifiers::COMMAND, Key::Enter);
        assert_eq!(harness.state().actions, [], "it is there for a moment");
        harness.run_steps(4);
        harness.press_with(Modifiers::COMMAND, Key::Enter);
        let decided = Action::Decide { plan: gain_plan().id, decision: Decision::Apply };
        assert_eq!(harness.state().actions, [decided]);
    }

    #[test]
    fn digits_hear_the_plan_again_once_its_line_is_not_drawn_any_more() {
        let mut harness = seen(|card| {
            card.stored.plan.changes.truncate(1);
            card.stored.plan.warnings.clear();
        });
        harness.state_mut().model.entries.clear();
        harness.run_steps(3);
        harness.press(Key::Num1);
        let (plan, which) = (gain_plan().id, Which::Current);
        assert_eq!(harness.state().actions, [Action::Play(Play::Hear { plan, which })]);
    }

    #[test]
    fn enter_brings_the_field_of_a_row_into_view() {
        let mut harness = long();
        card(&mut harness).view.list.current = Some(29);
        harness.press(Key::Enter);
        assert!(harness.get_by_label("New value").is_focused());
    }

    #[test]
    fn a_field_that_is_scrolled_out_of_view_leaves_the_keys_to_the_card() {
        let mut harness = long();
        harness.click_on("Edit the value of c1");
        assert!(harness.get_by_label("New value").is_focused());
        let view = &mut card(&mut harness).view;
        view.list.go_to(29);
        view.focus.takes_keyboard = true;
        harness.run_steps(3);
        assert!(harness.query_by_label("New value").is_none());
        harness.press(Key::K);
        assert_eq!(card(&mut harness).view.list.current, Some(28));
    }
}
