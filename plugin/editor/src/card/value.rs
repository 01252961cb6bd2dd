//! A planned value, edited in place. A click makes it a field, Enter sets it and Escape cancels. Up and
//! Down step by a tenth, with Shift by a whole. If a value is invalid, the field says why and stays open.

use super::place::{Place, types};
use super::values::{Editing, parsed};
use crate::card::view::Card;
use crate::describe::Told;
use crate::icons;
use crate::kit::choice::select_all;
use crate::kit::controls::{Urgency, announce, hint, icon_button};
use crate::kit::scale::minus;
use crate::kit::{Cx, field};
use crate::theme::{Type, radius};
use deskhand_session::Session;
use egui::text::{CCursor, CCursorRange};
use egui::text_edit::TextEditState;
use egui::{Event, Key, Modifiers, Pos2, Rect, Response, TextEdit, Ui, pos2, vec2};

/// How far a field reaches to the left of where its number ends, points.
pub(super) const FIELD: f32 = 48.0;
/// What a number may begin with, other than a digit.
const SIGNS: &str = "+-−.,";
const KEYS: [Key; 15] = [
    Key::Num0,
    Key::Num1,
    Key::Num2,
    Key::Num3,
    Key::Num4,
    Key::Num5,
    Key::Num6,
    Key::Num7,
    Key::Num8,
    Key::Num9,
    Key::Minus,
    Key::Plus,
    Key::Equals,
    Key::Period,
    Key::Comma,
];

/// The beginning of a number that is typed into no field; its keys are for nobody else then.
pub(super) fn typed(ui: &Ui) -> Option<String> {
    ui.input_mut(|input| {
        let texts = input.events.iter().filter_map(|event| match event {
            Event::Text(text) => Some(text.as_str()),
            _ => None,
        });
        let text: String = texts.collect();
        let is_of_number = |letter: char| letter.is_ascii_digit() || SIGNS.contains(letter);
        if text.is_empty() || !text.chars().all(is_of_number) {
            return None;
        }
        input.events.retain(|event| match event {
            Event::Text(_) => false,
            Event::Key { key, .. } => !KEYS.contains(key),
            _ => true,
        });
        Some(text)
    })
}

/// Draws why a value was not taken.
pub(super) fn wrong(cx: &Cx<'_>, rect: Rect, problem: &str) {
    let words = minus(problem);
    let at = pos2(rect.left(), rect.center().y);
    cx.elided(at, &words, Type::CAPTION, cx.t.danger, rect.width());
    let node = cx.label(rect, "wrong value", &words);
    announce(&node, Urgency::Urgently);
    hint(node, &words);
}

/// Draws the value or its field; says whether the keyboard is in it.
pub(super) fn show(
    ui: &mut Ui,
    place: &Place<'_>,
    card: &mut Card,
    id: &str,
    told: &Told,
    at: Pos2,
    is_on: bool,
) -> bool {
    if card.view.values.editing.as_ref().is_some_and(|editing| editing.row == id) {
        return field(ui, place, card, &told.unit, at);
    }
    let cx = Cx::new(ui);
    let (plain, strong) = types(place.is_wide);
    cx.left(pos2(at.x + 4.0, at.y), &told.unit, plain, cx.t.text_3);
    let color = if is_on { cx.t.accent } else { cx.t.text_3 };
    let area = cx.right(at, &told.after, strong, color);
    let Some(number) = told.number.filter(|_| is_on) else { return false };
    let name = format!("Edit the value of {id}");
    let response = cx.button(area.expand(5.0), ("edit", id), &name);
    if response.hovered() {
        cx.hline(area.left(), area.right(), area.bottom() - 2.0, color);
    }
    cx.ring(&response, area, 3.0);
    let pencil = Rect::from_center_size(pos2(at.x + 64.0, at.y), vec2(24.0, 24.0));
    let name = format!("Pencil of {id}");
    let is_penciled =
        place.is_wide && icon_button(&cx, pencil, icons::PENCIL_SIMPLE, &name).clicked();
    if response.on_hover_text("Click to change the value").clicked() || is_penciled {
        card.view.values.editing = Some(Editing::of(id, number));
    }
    cx.focused.get()
}

/// How far the arrow keys step in this frame; the field does not see them.
fn stepped(ui: &Ui) -> f64 {
    let mut by = 0.0;
    ui.input_mut(|input| {
        for (key, sign) in [(Key::ArrowUp, 1.0), (Key::ArrowDown, -1.0)] {
            by += sign * input.count_and_consume_key(Modifiers::SHIFT, key) as f64;
            by += sign * 0.1 * input.count_and_consume_key(Modifiers::NONE, key) as f64;
        }
    });
    by
}

fn field(ui: &mut Ui, place: &Place<'_>, card: &mut Card, unit: &str, at: Pos2) -> bool {
    let Some(editing) = &mut card.view.values.editing else { return false };
    // Keys typed before the field has the keyboard go into it.
    let is_new = !editing.had_focus && !editing.is_begun && !ui.ctx().text_edit_focused();
    if let Some(text) = is_new.then(|| typed(ui)).flatten() {
        (editing.text, editing.is_begun) = (text, true);
    }
    let keys_are_its = editing.has_keys(ui);
    let by = if keys_are_its { stepped(ui) } else { 0.0 };
    if by != 0.0
        && let Some(number) = parsed(&editing.text)
    {
        (editing.text, editing.problem) = (format!("{:.1}", number + by), None);
    }
    if keys_are_its && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape)) {
        (card.view.values.editing, card.view.focus.takes_keyboard) = (None, true);
        return true;
    }
    let response = edit(ui, editing, unit, at);
    if !editing.had_focus {
        (editing.had_focus, editing.typed_in) = (true, Some(ui.ctx().cumulative_frame_nr()));
        match editing.is_begun {
            true => go_behind(ui, response.id, &editing.text),
            false => select_all(ui, response.id, &editing.text),
        }
        response.request_focus();
    } else if response.lost_focus() {
        // Tab and a click took the keyboard elsewhere.
        let is_entered = ui.input(|input| input.key_pressed(Key::Enter));
        set(card, place.session, is_entered, &response);
    }
    true
}

/// Moves the cursor of a field to the end of its text.
fn go_behind(ui: &Ui, field: egui::Id, text: &str) {
    let end = CCursorRange::one(CCursor::new(text.chars().count()));
    let mut state = TextEditState::load(ui.ctx(), field).unwrap_or_default();
    state.cursor.set_char_range(Some(end));
    state.store(ui.ctx(), field);
}

/// Draws the field in place of the value, and its unit after it.
fn edit(ui: &mut Ui, editing: &mut Editing, unit: &str, at: Pos2) -> Response {
    let is_wrong = editing.problem.is_some() || parsed(&editing.text).is_none();
    let rect = Rect::from_min_max(at + vec2(-FIELD, -11.0), at + vec2(6.0, 11.0));
    let cx = Cx::new(ui);
    cx.left(pos2(rect.right() + 4.0, at.y), unit, Type::SMALL, cx.t.text_3);
    cx.fill(rect, radius::CONTROL, cx.t.input);
    cx.stroke(rect, radius::CONTROL, 1.5, if is_wrong { cx.t.danger } else { cx.t.focus });
    drop(cx);
    let edit = TextEdit::singleline(&mut editing.text).font(Type::SMALL_STRONG.font());
    let edit = edit.id_salt(("value", editing.row.as_str()));
    let response = field::put(ui, rect, egui::Align::Max, edit);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, "New value"));
    editing.typed_in = response.has_focus().then(|| ui.ctx().cumulative_frame_nr());
    if response.changed() {
        editing.problem = None;
    }
    response
}

/// Takes the typed value, or says why not and keeps the field.
fn set(card: &mut Card, session: &Session, is_entered: bool, response: &Response) {
    if card.view.values.settle(&card.stored.plan, session) {
        card.view.focus.takes_keyboard = is_entered;
    } else if let Some(editing) = &mut card.view.values.editing {
        editing.typed_in = is_entered.then(|| response.ctx.cumulative_frame_nr());
        if is_entered {
            response.request_focus();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::prelude::*;

    fn typed(text: &str) -> Harness<'static, Desk> {
        let mut harness = harness(with_plan());
        harness.click_on("Edit the value of c1");
        harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
        harness.type_into("New value", text);
        harness.press(Key::Enter);
        harness
    }

    #[test]
    fn what_is_typed_before_the_field_has_the_keyboard_is_not_lost() {
        let mut harness = harness(with_plan());
        let card = harness.state_mut().model.cards.get_mut(&gain_plan().id).unwrap();
        card.view.values.editing = Some(Editing::of("c1", 4.5));
        for letter in ["-", "9"] {
            harness.input_mut().events.push(Event::Text(letter.to_owned()));
            harness.run_steps(1);
        }
        let view = &harness.state().model.cards[&gain_plan().id].view;
        assert_eq!(view.values.editing.as_ref().map(|it| it.text.as_str()), Some("-9"));
    }

    #[test]
    fn a_plan_whose_value_is_being_typed_is_not_allowed_always_as_it_came() {
        let mut harness = harness(with_plan());
        let card = harness.state_mut().model.cards.get_mut(&gain_plan().id).unwrap();
        card.view.values.editing = Some(Editing::begun("c1", "9.0".into()));
        harness.run_steps(2);
        harness.get_by_label("Always allow").click_accesskit();
        harness.run_steps(2);
        assert_eq!(harness.state().actions, []);
        let view = &harness.state().model.cards[&gain_plan().id].view;
        assert_eq!(view.values.edits.get("c1"), Some(&9.0));
    }

    #[test]
    fn a_value_that_is_typed_as_it_was_planned_is_none_in_its_place() {
        let harness = typed("4.5");
        let view = &harness.state().model.cards[&gain_plan().id].view;
        assert!(view.values.edits.is_empty() && view.values.editing.is_none());
    }

    #[test]
    fn what_is_no_number_or_out_of_range_is_told_at_the_field_which_stays_open() {
        for (text, told) in
            [("loud", "This is no number"), ("999", "a gain of 999 dB is outside −150 to 48 dB")]
        {
            let mut harness = typed(text);
            assert!(harness.query_by_label(told).is_some(), "{text}");
            assert!(harness.get_by_label("New value").is_focused(), "{text}");
            let view = &harness.state().model.cards[&gain_plan().id].view;
            assert!(view.values.edits.is_empty() && !view.can_apply(&gain_plan()), "{text}");
            harness.click_on("Apply 2 changes");
            assert_eq!(harness.state().actions, [], "{text}");
            harness.focus_on("New value");
            harness.press(Key::Escape);
            assert!(harness.query_by_label(told).is_none(), "{text}");
        }
        let harness = typed("6,5");
        assert_eq!(harness.state().model.cards[&gain_plan().id].view.values.edits["c1"], 6.5);
    }
}
