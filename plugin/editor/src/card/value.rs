//! A planned value, edited in place: a click makes it a field, Enter sets it, Escape leaves it, Up and Down
//! step by a tenth, with Shift by a whole.

use super::Place;
use crate::describe::Told;
use crate::icons;
use crate::kit::Cx;
use crate::kit::controls::icon_button;
use crate::kit::scale::{num, signed};
use crate::model::Card;
use crate::theme::{Theme, Type, radius};
use egui::{Key, Modifiers, Pos2, Rect, Sense, TextEdit, Ui, pos2, vec2};

/// A value that is being edited.
#[derive(Clone, Debug, Default)]
pub(crate) struct Editing {
    /// Id of the row.
    pub(crate) row: String,
    /// The text so far.
    pub(crate) text: String,
    had_focus: bool,
}

impl Editing {
    pub(super) fn of(row: &str, number: f64) -> Self {
        Self { row: row.to_owned(), text: format!("{number:.1}"), had_focus: false }
    }
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
        return field(ui, theme, card, id, at);
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
        place.is_wide && icon_button(&cx, pencil, icons::PENCIL_SIMPLE, false, &name).clicked();
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

fn field(ui: &mut Ui, theme: &Theme, card: &mut Card, id: &str, at: Pos2) -> bool {
    let Some(editing) = &mut card.view.editing else { return false };
    let by = stepped(ui);
    if by != 0.0
        && let Some(number) = parsed(&editing.text)
    {
        editing.text = format!("{:.1}", number + by);
    }
    if ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape)) {
        (card.view.editing, card.view.takes_keyboard) = (None, true);
        return true;
    }
    let rect = Rect::from_min_max(at + vec2(-48.0, -11.0), at + vec2(24.0, 11.0));
    let edit = TextEdit::singleline(&mut editing.text).font(Type::SMALL_STRONG.font());
    let edit = edit.id_salt(("value", id)).margin(egui::Margin::symmetric(6, 3));
    let response = ui.put(rect, edit.align(egui::Align2::RIGHT_CENTER));
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, "New value"));
    let typed = parsed(&editing.text);
    let edge = if typed.is_some() { theme.focus } else { theme.danger };
    Cx::new(ui, theme).stroke(rect, radius::CONTROL, 1.5, edge);
    if !editing.had_focus {
        editing.had_focus = true;
        response.request_focus();
    } else if response.lost_focus() {
        if let Some(number) = typed {
            card.view.edits.insert(id.to_owned(), number);
        }
        card.view.editing = None;
        // Tab and a click took the keyboard elsewhere.
        card.view.takes_keyboard = ui.input(|input| input.key_pressed(Key::Enter));
    }
    true
}
