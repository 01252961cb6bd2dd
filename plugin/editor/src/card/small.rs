//! The card of a plan that sets one number of one object: one line, with Enter.

use super::{Place, audition, decide, label, row_words, step};
use crate::action::Action;
use crate::describe::{hue_of, track_of};
use crate::icons;
use crate::kit::controls::{Button, Kind, State, arrow, icon_button, row_tag};
use crate::kit::scale::minus;
use crate::kit::{Cut, Cx};
use crate::model::Card;
use crate::theme::{Type, radius, space};
use egui::{Rect, Role, Sense, Ui, UiBuilder, WidgetInfo, pos2, vec2};

const HEIGHT: f32 = 44.0;
/// Below this width the key of the button is not named.
const TIGHT: f32 = 372.0;

/// Whether the card is one line: small, and nothing about it asks for more room.
pub(super) fn is_one_line(card: &Card) -> bool {
    let view = &card.view;
    deskhand_protocol::is_small(&card.stored.plan)
        && !view.is_whole
        && view.stale.rows.is_empty()
        && view.edits.is_empty()
        && view.remarks.is_empty()
}

/// Draws the line: what changes, from where to where, and Apply.
pub(super) fn show(ui: &mut Ui, place: &Place<'_>, card: &mut Card, out: &mut Vec<Action>) -> Rect {
    let size = vec2(ui.available_width(), HEIGHT);
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let had = card.view.had_focus;
    super::apply_by_key(ui, card, rect, out);
    if card.view.had_focus {
        audition::keys(ui, place.live, card, out);
        decide::reject_by_key(ui, card);
        step::keys_of_line(ui, place, card, out);
    }
    let child = ui.new_child(UiBuilder::new().max_rect(rect).id_salt(("card", card.number)));
    let cx = Cx::new(&child, place.theme);
    cx.fill(rect, radius::CARD, cx.t.raised);
    let whole = cx.interact(rect, "card", Sense::click());
    if whole.clicked() || std::mem::take(&mut card.view.takes_keyboard) {
        whole.request_focus();
    }
    card.view.whole = whole.has_focus().then_some(whole.id);
    if whole.contains_pointer() {
        card.view.point_at(ui, 0);
    }
    if whole.clicked() {
        card.view.shown = Some(0);
    }
    let is_pointed = !place.link.pointed(card.stored.plan.id).is_empty();
    cx.border(rect, radius::CARD, if is_pointed { cx.t.text_2 } else { cx.t.line_strong });
    let right = buttons(&cx, place, card, rect, out);
    words(&cx, place, card, Rect::from_min_max(rect.min, pos2(right, rect.bottom())));
    if whole.has_focus() {
        cx.focus_ring(rect, radius::CARD);
    }
    card.view.had_focus = cx.focused.get();
    card.view.keep_steps(had, place, out);
    rect
}

/// The buttons at the right; gives where they begin.
fn buttons(
    cx: &Cx<'_>,
    place: &Place<'_>,
    card: &mut Card,
    rect: Rect,
    out: &mut Vec<Action>,
) -> f32 {
    let mut x = rect.right() - space::S - 24.0;
    let name = format!("All of plan {}", card.number);
    if icon_button(cx, rect.row_box(x, vec2(24.0, 24.0)), icons::CARET_DOWN, false, &name).clicked()
    {
        card.view.is_whole = true;
    }
    let is_on = card.view.can_apply(&card.stored.plan);
    let state = if is_on { State::Normal } else { State::Disabled };
    let label = if is_on { "Apply" } else { "Applying" };
    let mut apply = Button::new(Kind::Apply, label).state(state).salt(card.number as u64);
    if rect.width() >= TIGHT {
        apply = apply.key("⏎");
    }
    let width = apply.width(cx);
    x -= width + 4.0;
    if apply.show(cx, rect.row_box(x, vec2(width, 28.0))).clicked() {
        decide::apply(card, out);
    }
    if place.live.has_transport() {
        x -= 32.0;
        audition::play(cx, place, card, rect.row_box(x, vec2(28.0, 28.0)), out);
    }
    x
}

fn words(cx: &Cx<'_>, place: &Place<'_>, card: &Card, rect: Rect) {
    let Some(told) = row_words(card, 0, place.session) else { return };
    let planned = &card.stored.plan.changes[0];
    let hue = hue_of(track_of(&planned.change, place.session), place.session);
    let y = rect.center().y;
    let said = format!("Plan {}: {}. {}", card.number, told.words(), planned.reason);
    let node = cx.interact(rect.pad(2.0, 8.0), "title", Sense::hover());
    node.widget_info(|| WidgetInfo::labeled(Role::Label, true, &said));
    node.on_hover_text(format!("{}\n{}", minus(&card.stored.plan.summary), told.in_full()));
    row_tag(cx, pos2(rect.left() + space::M, y), 1, true);
    let edge = rect.right() - space::M - 20.0;
    cx.left(pos2(edge + 4.0, y), &told.unit, Type::SMALL, cx.t.text_3);
    let after = cx.right(pos2(edge, y), &told.after, Type::SMALL_STRONG, cx.t.accent);
    arrow(cx, pos2(after.left() - 12.0, y), cx.t.text_3);
    let before = cx.right(pos2(after.left() - 24.0, y), &told.before, Type::SMALL, cx.t.text_2);
    let left = rect.left() + space::M + 24.0;
    let room = before.left() - left - space::S;
    let (types, colors) = ([Type::SMALL_STRONG, Type::SMALL], [cx.t.hues[hue].strong, cx.t.text]);
    label::show(cx, pos2(left, y), (&told.name, &told.what), types, colors, room);
}
