//! Change rows: tick, number, name, what, why, before and after.

use super::{ROW, ROWS, SECTION, row_words, section};
use crate::action::Action;
use crate::describe::{Told, hue_of, track_of};
use crate::kit::controls::{State, arrow, row_tag, tick};
use crate::kit::{Cut, Cx};
use crate::model::Card;
use crate::theme::{Theme, Type, size, space};
use deskhand_session::Session;
use egui::{Rect, ScrollArea, Sense, TextEdit, Ui, UiBuilder, pos2, vec2};

/// Draws the rows, only those in view; says whether the keyboard is in one of them.
pub(super) fn show(
    ui: &mut Ui,
    theme: &Theme,
    session: &Session,
    card: &mut Card,
    rect: Rect,
    out: &mut Vec<Action>,
) -> bool {
    let count = card.stored.plan.changes.len();
    if count == 0 {
        return false;
    }
    let mut rest = rect;
    let note = format!("{} of {count} ticked", count - card.view.off.len());
    section(&Cx::new(ui, theme), rest.cut_top(SECTION), "Changes", &note);
    rest.cut_bottom(8.0);
    let mut focused = false;
    let mut child = ui.new_child(UiBuilder::new().max_rect(rest));
    child.spacing_mut().item_spacing.y = 0.0;
    ScrollArea::vertical().max_height(ROW * ROWS as f32).auto_shrink(false).show_rows(
        &mut child,
        ROW,
        count,
        |ui, range| {
            for index in range {
                let size = vec2(ui.available_width(), ROW);
                let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
                focused |= row(ui, theme, session, card, index, rect, out);
            }
        },
    );
    focused
}

fn row(
    ui: &mut Ui,
    theme: &Theme,
    session: &Session,
    card: &mut Card,
    index: usize,
    rect: Rect,
    _: &mut Vec<Action>,
) -> bool {
    let Some(told) = row_words(card, index, session) else { return false };
    let planned = card.stored.plan.changes[index].clone();
    let is_on = !card.view.off.contains(&planned.id);
    let y = rect.top() + 12.0;
    let cx = Cx::new(ui, theme);
    let center = pos2(rect.left() + space::M + 8.0, y);
    let box_rect = Rect::from_center_size(center, vec2(size::TICK, size::TICK));
    let name = accessible_name(index, &told);
    if tick(&cx, box_rect, is_on, State::Normal, &name).clicked() {
        card.view.tick(&card.stored.plan.clone(), &planned.id);
    }
    row_tag(&cx, pos2(box_rect.right() + 16.0, y), index + 1, is_on);
    let hue = hue_of(track_of(&planned.change, session), session);
    let left = box_rect.right() + 32.0;
    labels(&cx, Rect::from_min_max(pos2(left, rect.top()), rect.max), &told, hue, is_on);
    let was = card.view.edits.contains_key(&planned.id);
    let why = if was { format!("edited. {}", planned.reason) } else { planned.reason.clone() };
    let room = rect.right() - left - space::M;
    cx.elided(pos2(left, y + 16.0), &why, Type::CAPTION, theme.text_3, room);
    let edge = rect.right() - space::M - 20.0;
    before(&cx, pos2(edge, y), &told, is_on);
    let focused = cx.focused.get();
    drop(cx);
    value(ui, theme, card, &planned.id, &told, pos2(edge, y), is_on) || focused
}

fn accessible_name(index: usize, told: &Told) -> String {
    let Told { name, what, before, after, unit, .. } = told;
    format!("Change {}: {name}, {what}, from {before} to {after} {unit}", index + 1)
        .trim_end()
        .to_owned()
}

fn labels(cx: &Cx<'_>, rect: Rect, told: &Told, hue: usize, is_on: bool) {
    let y = rect.top() + 12.0;
    let strong = if is_on { cx.t.hues[hue].strong } else { cx.t.text_2 };
    let plain = if is_on { cx.t.text } else { cx.t.text_2 };
    let room = rect.width() - space::M - values_width(cx, told) - 20.0;
    let name = cx.elided(pos2(rect.left(), y), &told.name, Type::SMALL_STRONG, strong, room);
    let left = room - name.width() - 8.0;
    if left > 24.0 {
        cx.elided(pos2(name.right() + 8.0, y), &told.what, Type::SMALL, plain, left);
    }
}

fn values_width(cx: &Cx<'_>, told: &Told) -> f32 {
    let width = |text: &str| cx.width(text, Type::SMALL_STRONG).min(120.0);
    width(&told.before) + width(&told.after) + 48.0
}

fn before(cx: &Cx<'_>, at: egui::Pos2, told: &Told, is_on: bool) {
    let color = if is_on { cx.t.text_2 } else { cx.t.text_3 };
    let after = cx.width(&told.after, Type::SMALL_STRONG).clamp(34.0, 120.0);
    let x = at.x - after - 10.0;
    arrow(cx, pos2(x, at.y), cx.t.text_3);
    cx.right(pos2(x - 10.0, at.y), &told.before, Type::SMALL, color);
}

/// The planned value: a click on a number makes it a field. Enter sets it, Escape leaves it.
fn value(
    ui: &mut Ui,
    theme: &Theme,
    card: &mut Card,
    id: &str,
    told: &Told,
    at: egui::Pos2,
    is_on: bool,
) -> bool {
    if card.view.editing.as_ref().is_some_and(|(row, _)| row == id) {
        return field(ui, card, id, at);
    }
    let cx = Cx::new(ui, theme);
    cx.left(pos2(at.x + 4.0, at.y), &told.unit, Type::SMALL, theme.text_3);
    let color = if is_on { theme.accent } else { theme.text_3 };
    let text = cx.right(at, &told.after, Type::SMALL_STRONG, color);
    let Some(number) = told.number.filter(|_| is_on) else { return false };
    let response = cx.interact(text.expand(5.0), ("edit", id), Sense::click());
    let name = format!("Edit the value of {id}");
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &name));
    if response.hovered() {
        cx.hline(text.left(), text.right(), text.bottom() - 2.0, color);
    }
    if response.on_hover_text("Click to change the value").clicked() {
        card.view.editing = Some((id.to_owned(), format!("{number:.1}")));
    }
    cx.focused.get()
}

fn field(ui: &mut Ui, card: &mut Card, id: &str, at: egui::Pos2) -> bool {
    let Some((_, text)) = &mut card.view.editing else { return false };
    let rect = Rect::from_min_max(pos2(at.x - 48.0, at.y - 11.0), pos2(at.x + 24.0, at.y + 11.0));
    let edit = TextEdit::singleline(text).font(Type::SMALL_STRONG.font());
    let response = ui.put(rect, edit.align(egui::Align2::RIGHT_CENTER));
    if ui.input(|input| input.key_pressed(egui::Key::Escape)) {
        card.view.editing = None;
        return true;
    }
    if response.lost_focus() {
        let number = text.replace('−', "-").replace(',', ".").trim().parse::<f64>();
        if let Ok(number) = number
            && number.is_finite()
        {
            card.view.edits.insert(id.to_owned(), number);
        }
        card.view.editing = None;
    } else if !response.has_focus() {
        response.request_focus();
    }
    true
}
