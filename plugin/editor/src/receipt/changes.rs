//! The changes of a plan that was decided: a line that counts them, and opens them.

use crate::describe::{Told, hue_of, told, track_of};
use crate::icons;
use crate::kit::controls::arrow;
use crate::kit::{Cut, Cx};
use crate::model::Card;
use crate::theme::{Theme, Type, radius};
use deskhand_session::{PlannedChange, Session};
use egui::{Rect, ScrollArea, Sense, Ui, UiBuilder, pos2, vec2};

/// The line that counts them.
const FOLD: f32 = 24.0;
const ROW: f32 = 20.0;
/// The most room of a value; the whole of it stands in the hint.
const VALUE: f32 = 120.0;
/// Rows in view at once; the others are scrolled to.
const IN_VIEW: usize = 10;

/// How much room they take.
pub(super) fn height(card: &Card) -> f32 {
    match card.stored.plan.changes.len() {
        0 => 0.0,
        count if card.view.is_unfolded => FOLD + ROW * count.min(IN_VIEW) as f32 + 4.0,
        _ => FOLD,
    }
}

/// Draws them into room of that height.
pub(super) fn show(ui: &mut Ui, theme: &Theme, session: &Session, card: &mut Card, rect: Rect) {
    let count = card.stored.plan.changes.len();
    if count == 0 {
        return;
    }
    let mut rest = rect;
    fold(ui, theme, card, rest.cut_top(FOLD));
    if !card.view.is_unfolded {
        return;
    }
    let mut child = ui.new_child(UiBuilder::new().max_rect(rest).id_salt(("did", card.number)));
    child.set_clip_rect(rest.intersect(ui.clip_rect()));
    child.spacing_mut().item_spacing.y = 0.0;
    let area = ScrollArea::vertical().auto_shrink(false).id_salt("changes");
    area.show_rows(&mut child, ROW, count, |ui, seen| {
        for index in seen {
            row(ui, theme, session, card, index);
        }
    });
}

fn fold(ui: &Ui, theme: &Theme, card: &mut Card, rect: Rect) {
    let cx = Cx::new(ui, theme);
    let response = cx.interact(rect, ("changes of", card.number), Sense::click());
    let words = match card.stored.plan.changes.len() {
        1 => "1 change".to_owned(),
        count => format!("{count} changes"),
    };
    let is_open = card.view.is_unfolded;
    let name = format!("{words} of plan {}", card.number);
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, is_open, &name));
    let caret = if is_open { icons::CARET_DOWN } else { icons::CARET_RIGHT };
    cx.icon(rect.left_mid(5.0), caret, 10.0, theme.text_3);
    let color = if response.hovered() { theme.text } else { theme.text_2 };
    cx.left(rect.left_mid(16.0), &words, Type::SMALL, color);
    if response.has_focus() {
        cx.focus_ring(rect, radius::CONTROL);
    }
    if response.clicked() {
        card.view.is_unfolded = !is_open;
    }
}

fn row(ui: &mut Ui, theme: &Theme, session: &Session, card: &Card, index: usize) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
    let Some(planned) = card.stored.plan.changes.get(index) else { return };
    let told = told(planned, session);
    let is_out = is_left_out(card, planned);
    let said = words(index, &told, is_out);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &said));
    response.on_hover_text(told.in_full(&planned.reason));
    let cx = Cx::new(ui, theme);
    let y = rect.center().y;
    let number = format!("{}", index + 1);
    cx.right(pos2(rect.left() + 20.0, y), &number, Type::CAPTION, theme.text_3);
    let (strong, plain) = if is_out {
        (theme.text_3, theme.text_3)
    } else {
        (theme.hues[hue_of(track_of(&planned.change, session), session)].strong, theme.text_2)
    };
    let after = format!("{} {}", told.after, told.unit);
    let edge = rect.right() - 8.0;
    let at = |right: f32, text: &str| pos2(right - value_width(&cx, text), y);
    let right = cx.elided(at(edge, &after), &after, Type::SMALL, plain, VALUE);
    arrow(&cx, pos2(right.left() - 10.0, y), theme.text_3);
    let before = at(right.left() - 20.0, &told.before);
    let left = cx.elided(before, &told.before, Type::SMALL, theme.text_3, VALUE).left();
    let room = left - rect.left() - 40.0;
    let name = cx.elided(pos2(rect.left() + 28.0, y), &told.name, Type::SMALL, strong, room);
    let rest = room - name.width() - 8.0;
    let what = if is_out { format!("{}, left out", told.what) } else { told.what };
    if rest > 24.0 {
        cx.elided(pos2(name.right() + 8.0, y), &what, Type::SMALL, plain, rest);
    }
}

fn value_width(cx: &Cx<'_>, value: &str) -> f32 {
    cx.width(value, Type::SMALL).min(VALUE)
}

/// Whether the person took the plan without this change.
pub(super) fn is_left_out(card: &Card, planned: &PlannedChange) -> bool {
    card.stored.receipt.as_ref().is_some_and(|receipt| receipt.skipped.contains(&planned.id))
}

fn words(index: usize, told: &Told, is_out: bool) -> String {
    let Told { name, what, before, after, unit, .. } = told;
    let out = if is_out { ", left out" } else { "" };
    let words = format!("{}: {name}, {what}, from {before} to {after} {unit}", index + 1);
    format!("{}{out}", words.trim_end())
}
