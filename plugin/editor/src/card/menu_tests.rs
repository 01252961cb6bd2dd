//! Keys that are for an open menu, and a card that has the keyboard.

use crate::testing::prelude::*;

/// How often the key answers a card that asks whether its call may run, with or without an open menu.
fn answered(has_menu: bool) -> usize {
    let mut model = with_plan();
    let card = model.cards.get_mut(&gain_plan().id).unwrap();
    card.stored.plan.changes.clear();
    card.view.focus.takes_keyboard = true;
    model.desk.words.is_open = true;
    let mut harness = harness(model);
    harness.run_steps(8);
    if has_menu {
        harness.click_on("Import a transcript…");
        assert!(harness.query_by_label("Of which recording?").is_some());
    }
    harness.press_with(Modifiers::COMMAND, Key::Enter);
    harness.state().actions.len()
}

#[test]
fn a_call_is_not_let_run_by_a_key_while_a_menu_is_open() {
    assert_eq!(answered(false), 1);
    assert_eq!(answered(true), 0);
}
