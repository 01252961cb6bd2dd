//! The changes of a plan that was decided: a line that counts them, and opens them.

use crate::card::label;
use crate::card::row_words::row_words;
use crate::card::view::Card;
use crate::describe::{Told, hue_of, track_of};
use crate::icons;
use crate::kit::controls::arrow;
use crate::kit::{Cut, Cx};
use crate::theme::{Type, radius};
use deskhand_session::{PlannedChange, Session};
use egui::{Color32, Pos2, Rect, ScrollArea, Sense, Ui, UiBuilder, pos2, vec2};

/// The line that counts them.
const FOLD: f32 = 24.0;
const ROW: f32 = 20.0;
/// The most room for a value. The hint has all of it.
const VALUE: f32 = 120.0;
/// Rows in view at once; the others are scrolled to.
const IN_VIEW: usize = 10;

/// How much room they take.
pub(super) fn height(card: &Card) -> f32 {
    match card.view.ticks.rows(&card.stored.plan) {
        0 => 0.0,
        count if card.view.folds.is_unfolded => FOLD + ROW * count.min(IN_VIEW) as f32 + 4.0,
        _ => FOLD,
    }
}

/// Draws them into room of that height.
pub(super) fn show(ui: &mut Ui, session: &Session, card: &mut Card, rect: Rect) {
    let count = card.view.ticks.rows(&card.stored.plan);
    if count == 0 {
        return;
    }
    let mut rest = rect;
    fold(ui, card, rest.cut_top(FOLD));
    if !card.view.folds.is_unfolded {
        return;
    }
    let mut child = ui.new_child(UiBuilder::new().max_rect(rest).id_salt(("did", card.number)));
    child.set_clip_rect(rest.intersect(ui.clip_rect()));
    child.spacing_mut().item_spacing.y = 0.0;
    let area = ScrollArea::vertical().auto_shrink(false).id_salt("changes");
    area.show_rows(&mut child, ROW, count, |ui, seen| {
        for number in seen {
            row(ui, session, card, number);
        }
    });
}

fn fold(ui: &Ui, card: &mut Card, rect: Rect) {
    let cx = Cx::new(ui);
    let words = match card.view.ticks.rows(&card.stored.plan) {
        1 => "1 change".to_owned(),
        count => format!("{count} changes"),
    };
    let is_open = card.view.folds.is_unfolded;
    let name = format!("{words} of plan {}", card.number);
    let response = cx.toggle(rect, ("changes of", card.number), is_open, &name);
    let caret = if is_open { icons::CARET_DOWN } else { icons::CARET_RIGHT };
    cx.icon(rect.left_mid(5.0), caret, 10.0, cx.t.text_3);
    let color = if response.hovered() { cx.t.text } else { cx.t.text_2 };
    cx.left(rect.left_mid(16.0), &words, Type::SMALL, color);
    cx.ring(&response, rect, radius::CONTROL);
    if response.clicked() {
        card.view.folds.is_unfolded = !is_open;
    }
}

/// The row of a number, from 0.
fn row(ui: &mut Ui, session: &Session, card: &Card, number: usize) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
    let cuts = &card.view.ticks.cuts;
    let row = cuts.row(number);
    let Some(planned) = card.stored.plan.changes.get(row) else { return };
    // An applied row shows the value that was set by hand.
    let taken = card.view.ticks.taken.rows.contains(&planned.id);
    let told = if taken { row_words(card, row, session) } else { None };
    let told = told.unwrap_or_else(|| cuts.told(planned, session));
    let is_out = is_left_out(card, planned);
    let said = words(number, &told, is_out);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &said));
    response.on_hover_text(told.in_full());
    let cx = Cx::new(ui);
    let y = rect.center().y;
    let number = format!("{}", number + 1);
    cx.right(pos2(rect.left() + 20.0, y), &number, Type::CAPTION, cx.t.text_3);
    let (strong, plain) = if is_out {
        (cx.t.text_3, cx.t.text_3)
    } else {
        (cx.t.hues[hue_of(track_of(&planned.change, session), session)].strong, cx.t.text_2)
    };
    let left = values(&cx, &told, pos2(rect.right() - 8.0, y), plain);
    let room = left - rect.left() - 40.0;
    let what = if is_out { format!("{}, left out", told.what) } else { told.what };
    let (at, types) = (pos2(rect.left() + 28.0, y), [Type::SMALL; 2]);
    label::show(&cx, at, (&told.name, &what), types, [strong, plain], room);
}

/// Draws both values of a change, their right middle at `at`. Returns their left edge. A cut has one value
/// only.
fn values(cx: &Cx<'_>, told: &Told, at: Pos2, color: Color32) -> f32 {
    let place = |right: f32, text: &str| pos2(right - value_width(cx, text), at.y);
    let after = format!("{} {}", told.after, told.unit);
    let after = cx.elided(place(at.x, &after), &after, Type::SMALL, color, VALUE).left();
    if told.before.is_empty() {
        return after;
    }
    arrow(cx, pos2(after - 10.0, at.y), cx.t.text_3);
    let before = place(after - 20.0, &told.before);
    cx.elided(before, &told.before, Type::SMALL, cx.t.text_3, VALUE).left()
}

fn value_width(cx: &Cx<'_>, value: &str) -> f32 {
    cx.width(value, Type::SMALL).min(VALUE)
}

/// Whether the person took the plan without this change.
pub(super) fn is_left_out(card: &Card, planned: &PlannedChange) -> bool {
    let (receipt, taken) = (card.stored.receipt.as_ref(), &card.view.ticks.taken.rows);
    let is_rest = !taken.is_empty() && !taken.contains(&planned.id);
    is_rest || receipt.is_some_and(|receipt| receipt.skipped.contains(&planned.id))
}

fn words(number: usize, told: &Told, is_out: bool) -> String {
    let out = if is_out { ", left out" } else { "" };
    format!("{}: {}{out}", number + 1, told.words())
}
