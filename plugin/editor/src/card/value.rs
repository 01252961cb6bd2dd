//! A planned value, edited in place. A click makes it a field, Enter sets it and Escape cancels. Up and
//! Down step by a tenth, with Shift by a whole. If a value is invalid, the field says why and stays open.

use super::{CardView, Place};
use crate::describe::Told;
use crate::icons;
use crate::kit::choice::select_all;
use crate::kit::controls::{Urgency, announce, hint, icon_button};
use crate::kit::scale::{minus, num, signed};
use crate::kit::{Cx, field};
use crate::model::Card;
use crate::theme::{Theme, Type, radius};
use deskhand_session::plan::{Refusal, ValueEdit};
use deskhand_session::{Change, Plan, Session};
use egui::text::{CCursor, CCursorRange};
use egui::text_edit::TextEditState;
use egui::{Event, Key, Modifiers, Pos2, Rect, Response, Sense, TextEdit, Ui, pos2, vec2};

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

/// A value that is being edited.
#[derive(Clone, Debug, Default)]
pub(crate) struct Editing {
    pub(crate) row: String,
    /// The text so far.
    pub(crate) text: String,
    /// Why the text was not taken.
    pub(crate) problem: Option<String>,
    had_focus: bool,
    /// The last frame in which it had the keyboard: the keys of the next one are for it.
    typed_in: Option<u64>,
    /// The field opened with a typed character, and typing continues after it.
    is_begun: bool,
}

impl Editing {
    pub(super) fn of(row: &str, number: f64) -> Self {
        Self { row: row.to_owned(), text: begins_as(number), ..Self::default() }
    }

    /// With the beginning of a number that was typed already.
    pub(super) fn begun(row: &str, text: String) -> Self {
        Self { row: row.to_owned(), text, is_begun: true, ..Self::default() }
    }

    /// Whether the keys are for it: it has the keyboard, or is about to have it. One that is out of view has not.
    fn has_keys(&self, ui: &Ui) -> bool {
        let now = ui.ctx().cumulative_frame_nr();
        !self.had_focus || self.typed_in.is_some_and(|frame| frame + 1 >= now)
    }
}

impl CardView {
    /// Whether a value is being typed: no key is for anything else then.
    pub(super) fn is_typing(&self, ui: &Ui) -> bool {
        self.editing.as_ref().is_some_and(|editing| editing.has_keys(ui))
    }
}

/// The text in a field before anything is typed.
fn begins_as(number: f64) -> String {
    format!("{number:.1}")
}

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

/// A number as its row says it.
pub(super) fn text(value: f64, unit: &str) -> String {
    if unit == "dB" { signed(value as f32, 1) } else { num(value as f32, 2) }
}

/// The number that was typed, if it is one.
fn parsed(text: &str) -> Option<f64> {
    let text = text.replace('−', "-").replace(',', ".");
    text.trim().parse::<f64>().ok().filter(|number| number.is_finite())
}

/// The number that was typed, if the session takes it; else why not.
fn taken(plan: &Plan, id: &str, text: &str, session: &Session) -> Result<f64, String> {
    let number = parsed(text).ok_or("This is no number")?;
    fits(plan, id, number, session)?;
    Ok(number)
}

/// Whether the session takes a number in place of the planned one; else why not.
pub(super) fn fits(plan: &Plan, id: &str, number: f64, session: &Session) -> Result<(), String> {
    let only = [id.to_owned()];
    let invalid = |edits: &[ValueEdit]| match plan.derived(&only, edits) {
        Ok(alone) => match alone.applied_to(session) {
            Err(Refusal::Invalid(invalid)) => Some(invalid.reason),
            Ok(_) | Err(_) => None,
        },
        Err(error) => Some(error.to_string()),
    };
    let edit = ValueEdit { change: id.to_owned(), after: number.into() };
    match invalid(&[edit]) {
        // An error that exists without the edit says nothing about the value.
        Some(reason) if invalid(&[]).is_none() => Err(reason),
        Some(_) | None => Ok(()),
    }
}

/// The number that a change sets; `None` if it sets something else.
pub(super) fn number_of(change: &Change) -> Option<f64> {
    serde_json::to_value(change).ok()?["after"].as_f64()
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
    let theme = place.theme;
    if card.view.editing.as_ref().is_some_and(|editing| editing.row == id) {
        return field(ui, place, card, &told.unit, at);
    }
    let cx = Cx::new(ui, theme);
    let (plain, strong) = super::wide::types(place.is_wide);
    cx.left(pos2(at.x + 4.0, at.y), &told.unit, plain, theme.text_3);
    let color = if is_on { theme.accent } else { theme.text_3 };
    let area = cx.right(at, &told.after, strong, color);
    let Some(number) = told.number.filter(|_| is_on) else { return false };
    let response = cx.interact(area.expand(5.0), ("edit", id), Sense::click());
    let name = format!("Edit the value of {id}");
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &name));
    if response.hovered() {
        cx.hline(area.left(), area.right(), area.bottom() - 2.0, color);
    }
    if response.has_focus() {
        cx.focus_ring(area, 3.0);
    }
    let pencil = Rect::from_center_size(pos2(at.x + 64.0, at.y), vec2(24.0, 24.0));
    let name = format!("Pencil of {id}");
    let is_penciled =
        place.is_wide && icon_button(&cx, pencil, icons::PENCIL_SIMPLE, &name).clicked();
    if response.on_hover_text("Click to change the value").clicked() || is_penciled {
        card.view.editing = Some(Editing::of(id, number));
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
    let Some(editing) = &mut card.view.editing else { return false };
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
        (card.view.editing, card.view.takes_keyboard) = (None, true);
        return true;
    }
    let response = edit(ui, place.theme, editing, unit, at);
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
fn edit(ui: &mut Ui, theme: &Theme, editing: &mut Editing, unit: &str, at: Pos2) -> Response {
    let is_wrong = editing.problem.is_some() || parsed(&editing.text).is_none();
    let rect = Rect::from_min_max(at + vec2(-FIELD, -11.0), at + vec2(6.0, 11.0));
    let cx = Cx::new(ui, theme);
    cx.left(pos2(rect.right() + 4.0, at.y), unit, Type::SMALL, theme.text_3);
    cx.fill(rect, radius::CONTROL, theme.input);
    cx.stroke(rect, radius::CONTROL, 1.5, if is_wrong { theme.danger } else { theme.focus });
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
    if settle(card, session) {
        card.view.takes_keyboard = is_entered;
    } else if let Some(editing) = &mut card.view.editing {
        editing.typed_in = is_entered.then(|| response.ctx.cumulative_frame_nr());
        if is_entered {
            response.request_focus();
        }
    }
}

/// Takes the value that is being typed, and returns whether no invalid one remains. The planned value is
/// not an edit.
pub(super) fn settle(card: &mut Card, session: &Session) -> bool {
    let Some(editing) = &mut card.view.editing else { return true };
    let plan = &card.stored.plan;
    match taken(plan, &editing.row, &editing.text, session) {
        Ok(number) => {
            let row = std::mem::take(&mut editing.row);
            let planned = plan.changes.iter().find(|planned| planned.id == row);
            let planned = planned.and_then(|planned| number_of(&planned.change));
            if planned.is_some_and(|it| number == it || editing.text == begins_as(it)) {
                card.view.edits.remove(&row);
            } else {
                card.view.edits.insert(row, number);
            }
            card.view.editing = None;
            true
        }
        Err(problem) => {
            editing.problem = Some(problem);
            false
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{UserInput as _, gain_plan};
    use crate::ui_tests::{Desk, harness, with_plan};
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable as _;

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
        card.view.editing = Some(Editing::of("c1", 4.5));
        for letter in ["-", "9"] {
            harness.input_mut().events.push(Event::Text(letter.to_owned()));
            harness.run_steps(1);
        }
        let view = &harness.state().model.cards[&gain_plan().id].view;
        assert_eq!(view.editing.as_ref().map(|it| it.text.as_str()), Some("-9"));
    }

    #[test]
    fn a_plan_whose_value_is_being_typed_is_not_allowed_always_as_it_came() {
        let mut harness = harness(with_plan());
        let card = harness.state_mut().model.cards.get_mut(&gain_plan().id).unwrap();
        card.view.editing = Some(Editing::begun("c1", "9.0".into()));
        harness.run_steps(2);
        harness.get_by_label("Always allow").click_accesskit();
        harness.run_steps(2);
        assert_eq!(harness.state().actions, []);
        let view = &harness.state().model.cards[&gain_plan().id].view;
        assert_eq!(view.edits.get("c1"), Some(&9.0));
    }

    #[test]
    fn a_value_that_is_typed_as_it_was_planned_is_none_in_its_place() {
        let harness = typed("4.5");
        let view = &harness.state().model.cards[&gain_plan().id].view;
        assert!(view.edits.is_empty() && view.editing.is_none());
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
            assert!(view.edits.is_empty() && !view.can_apply(&gain_plan()), "{text}");
            harness.click_on("Apply 2 changes");
            assert_eq!(harness.state().actions, [], "{text}");
            harness.focus_on("New value");
            harness.press(Key::Escape);
            assert!(harness.query_by_label(told).is_none(), "{text}");
        }
        let harness = typed("6,5");
        assert_eq!(harness.state().model.cards[&gain_plan().id].view.edits["c1"], 6.5);
    }
}
