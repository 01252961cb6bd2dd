//! The field that filters the rows of a long card, and the text shown if no row matches.

use super::lines::MANY;
use crate::card::view::Card;
use crate::icons;
use crate::kit::controls::{Button, Kind, icon_button};
use crate::kit::{Cut, Cx, field};
use crate::theme::{Type, radius, space};
use egui::{Align, Rect, Role, TextEdit, Ui, WidgetInfo, pos2, vec2};

/// Height of the field, and of the field with the gap below it.
const FIELD: f32 = 28.0;
const HEIGHT: f32 = FIELD + 8.0;
/// Height of the text shown if no row matches.
const NOTHING: f32 = 36.0;

/// The height of the field; 0 for a card with few rows.
pub(super) fn height(card: &Card) -> f32 {
    if card.view.ticks.rows(&card.stored.plan) >= MANY { HEIGHT } else { 0.0 }
}

/// The height of the rows, or of the text shown if no row matches.
pub(super) fn rows_height(card: &Card) -> f32 {
    if matches_nothing(card) { NOTHING } else { card.view.list.lines.height() }
}

pub(super) fn matches_nothing(card: &Card) -> bool {
    !card.view.list.filter.trim().is_empty() && card.view.list.lines.lines.is_empty()
}

/// Draws the field at the top of `rect`; says whether the keyboard is in it.
pub(super) fn show(ui: &mut Ui, card: &mut Card, rect: Rect) -> bool {
    let frame = Rect::from_min_size(rect.min, vec2(rect.width(), FIELD)).pad(space::M, 0.0);
    let cx = Cx::new(ui);
    cx.fill(frame, radius::CONTROL, cx.t.input);
    cx.border(frame, radius::CONTROL, cx.t.line_strong);
    let mut room = frame;
    let clear = room.cut_right(FIELD).row_box(frame.right() - 26.0, vec2(24.0, 24.0));
    let filter = &mut card.view.list.filter;
    if !filter.is_empty() && icon_button(&cx, clear, icons::X, "Clear the filter").clicked() {
        filter.clear();
    }
    let is_on_button = cx.focused.get();
    drop(cx);
    let edit = TextEdit::singleline(filter).hint_text("Filter by name, kind or reason");
    let edit = edit.font(Type::SMALL.font()).id_salt("filter");
    let response = field::put(ui, room, Align::Min, edit);
    response.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Filter changes"));
    is_on_button || response.has_focus()
}

/// Draws that nothing matches, and the way back; says whether the keyboard is on it.
pub(super) fn nothing(ui: &Ui, card: &mut Card, rect: Rect) -> bool {
    let cx = Cx::new(ui);
    let row = rect.with_max_y(rect.top() + NOTHING);
    let button = Button::new(Kind::Quiet, "Show all").salt(card.number as u64);
    let width = button.width(&cx);
    let cell = row.row_box(row.right() - space::M - width, vec2(width, 24.0));
    let words = format!("Nothing matches \"{}\"", card.view.list.filter.trim());
    let room = cell.left() - row.left() - 2.0 * space::M;
    cx.elided(pos2(row.left() + space::M, row.center().y), &words, Type::SMALL, cx.t.text_2, room);
    super::section::node(&cx, row.with_max_x(cell.left()), &words);
    if button.show(&cx, cell).clicked() {
        card.view.list.filter.clear();
        card.view.focus.takes_keyboard = true;
    }
    cx.focused.get()
}
