//! The plan card: what would change, why, and the only controls that touch the session. Its header, its
//! audition row and its foot stay in place; the part between them scrolls if it does not fit.

pub(crate) mod applied_rows;
mod audition;
mod body;
pub(crate) mod carry_over;
mod cuts;
mod decide;
pub(crate) mod deciding;
pub(crate) mod dials;
mod filter;
pub(crate) mod focus;
pub(crate) mod hearing;
mod keyboard;
pub(crate) mod label;
mod lines;
mod listen_first;
pub(crate) mod measure_again;
pub(crate) mod narrowing;
mod parts;
mod permission;
pub(crate) mod place;
pub(crate) mod predictions;
pub(crate) mod requests;
pub(crate) mod row_list;
pub(crate) mod row_words;
mod rows;
mod section;
mod single_value;
pub(crate) mod stale;
mod step;
mod summary_line;
mod takes;
mod thumbnails;
pub(crate) mod ticks;
mod title;
mod track_wide;
mod value;
pub(crate) mod values;
pub(crate) mod view;
pub(crate) mod warning_offer;
mod warnings;
pub(crate) mod wide;

use crate::action::Actions;
use crate::icons;
use crate::kit::controls::{Urgency, announce, icon_button};
use crate::kit::{Cut, Cx};
use crate::live::SoundOutput;
use crate::theme::{Type, radius, space};
use body::Body;
use deskhand_session::PlanState;
use egui::{Rect, Ui, UiBuilder, Vec2, pos2, vec2};
pub(crate) use keyboard::keys;
use keyboard::{apply_by_key, keep_arrows};
use place::{AUDITION, Place, STRIP, has_room};
use view::Card;

/// The margin around a card that is alone in view.
const MARGIN: f32 = 36.0;
/// The line below a card in the conversation that says what the turn waits for.
const AWAITED: f32 = 28.0;
/// The header's text for a plan without ticks.
const NOTHING_TICKED: &str = "Nothing is ticked: tick a change to hear or apply it";
/// The button that takes a card out of the conversation.
const WIDEN: Vec2 = vec2(24.0, 24.0);
/// The least that scrolls between the pinned parts.
const LEAST: f32 = 120.0;

/// The heights of the parts of a card.
struct Parts {
    header: f32,
    body: Body,
    /// Of what the body shows at once.
    view: f32,
    strip: f32,
    audition: f32,
    foot: f32,
}

impl Parts {
    fn of(cx: &Cx<'_>, place: &Place<'_>, card: &Card, width: f32) -> Self {
        let beside = if place.is_wide { MARGIN } else { MARGIN + AWAITED };
        let room = (cx.p.clip_rect().height() - beside).max(0.0);
        let body = Body::of(cx, place, card, width);
        let foot = decide::height(card);
        let header = place.header() + title::more(cx, place, card, width);
        let pinned = header + AUDITION + foot;
        let is_short = body.height() + pinned > room;
        // Predictions that are already in view are not repeated in the strip.
        let has_strip = is_short && summary_line::is_needed(card)
            || place.is_compact && predictions::all(card).next().is_some();
        let strip = if has_strip { STRIP } else { 0.0 };
        let view = body.height().min((room - pinned - strip).max(LEAST));
        Self { header, body, view, strip, audition: AUDITION, foot }
    }

    fn height(&self) -> f32 {
        self.header + self.view + self.strip + self.audition + self.foot
    }
}

/// Draws the card of a waiting plan, and returns its rectangle.
pub(crate) fn waiting(ui: &mut Ui, place: &Place<'_>, card: &mut Card, out: &mut Actions) -> Rect {
    if card.stored.plan.changes.is_empty() {
        return permission::show(ui, place, card, out);
    }
    stale::settle(&mut card.view.ticks, &card.stored.plan, place.session, place.head);
    if !place.is_wide && single_value::is_one_line(card) {
        return single_value::show(ui, place, card, out);
    }
    let (plan, view) = (&card.stored.plan, &mut card.view);
    view.list.settle(plan, &view.ticks.cuts, place.session, place.row());
    let width = ui.available_width();
    let sizes = Parts::of(&Cx::new(ui), place, card, width);
    let size = vec2(width, sizes.height());
    let (rect, _) = ui.allocate_exact_size(size, egui::Sense::hover());
    let had = card.view.focus.had_focus;
    apply_by_key(ui, place.session, card, rect, out);
    if card.view.focus.had_focus {
        keep_arrows(ui);
        step::keys(ui, place, card, out);
    }
    let mut child = ui.new_child(UiBuilder::new().max_rect(rect).id_salt(("card", card.number)));
    card.view.focus.had_focus = paint(&mut child, place, card, rect, &sizes, out);
    card.view.keep_steps(had, (place.live, place.session.rate), out);
    rect
}

fn paint(
    ui: &mut Ui,
    place: &Place<'_>,
    card: &mut Card,
    rect: Rect,
    sizes: &Parts,
    out: &mut Actions,
) -> bool {
    let mut rest = rect;
    let focused;
    {
        let cx = Cx::new(ui);
        if !place.is_wide {
            cx.fill(rect, radius::CARD, cx.t.raised);
        }
        // A click anywhere gives the card the keyboard.
        let whole = cx.interact(rect, "card", egui::Sense::click());
        let name = format!("Card of plan {}", card.number);
        whole.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Group, true, &name));
        if whole.clicked() || std::mem::take(&mut card.view.focus.takes_keyboard) {
            whole.request_focus();
        }
        card.view.focus.whole = whole.has_focus().then_some(whole.id);
        header(&cx, place, card, rest.cut_top(sizes.header));
        if !place.is_wide {
            cx.border(rect, radius::CARD, cx.t.line_strong);
        }
        cx.ring(&whole, rect, radius::CARD);
        focused = cx.focused;
    }
    let view = rest.cut_top(sizes.view);
    let in_body = body::show(ui, place, card, view, &sizes.body, out);
    let cx = Cx::new(ui);
    summary_line::show(&cx, rest.cut_top(sizes.strip), card, place);
    audition::show(&cx, place, card, rest.cut_top(sizes.audition), out);
    let in_audition = cx.focused.get();
    drop(cx);
    let in_foot = decide::show(ui, place, card, rest, out);
    focused.get() || in_body || in_audition || in_foot
}

fn header(cx: &Cx<'_>, place: &Place<'_>, card: &mut Card, rect: Rect) {
    let can_widen = !place.is_wide && has_room(cx.ui);
    let x = rect.left() + space::M;
    let summary = title::words(card);
    let y = title::show(cx, place, &summary, rect);
    let number = format!("Plan {}", card.number);
    let tag = cx.left(pos2(x, y), &number, Type::SMALL_STRONG, cx.t.accent);
    let (state, color) = state_words(cx, place, card);
    let room = rect.right() - 112.0 - tag.right();
    cx.elided(pos2(tag.right() + 8.0, y), &state, Type::SMALL, color, room);
    let node = Rect::from_min_max(rect.min, pos2(rect.right() - 40.0, y - 10.0));
    let words = format!("{number}: {summary}. {state}");
    let node = cx.label(node, "title", &words);
    announce(&node, Urgency::InTurn);
    node.on_hover_text(format!("{summary}\n{state}"));
    body::findings_switch(cx, pos2(rect.right() - space::M, y), card, place.is_wide);
    if can_widen {
        let cell = Rect::from_min_size(pos2(rect.right() - 36.0, rect.top() + 8.0), WIDEN);
        let name = format!("Plan {} in a window of its own", card.number);
        card.view.asks.is_taken_out =
            icon_button(cx, cell, icons::ARROWS_OUT_SIMPLE, &name).clicked();
    }
}

fn state_words(cx: &Cx<'_>, place: &Place<'_>, card: &Card) -> (String, egui::Color32) {
    let (plan, view) = (&card.stored.plan, &card.view);
    let all = view.ticks.rows(plan);
    let stale = view.ticks.stale_rows(plan);
    let waits = match all - view.ticks.left(plan) {
        0 if !view.has_tick(plan) && !plan.changes.iter().any(|change| change.to_hear) => {
            NOTHING_TICKED.to_owned()
        }
        0 => "Not applied".to_owned(),
        taken => format!("{taken} of {all} applied, the rest not"),
    };
    if card.view.deciding.was_sent || card.stored.state == PlanState::Applying {
        ("Applying".into(), cx.t.text_2)
    } else if stale > 0 {
        (format!("{stale} to measure again: {}", card.view.ticks.stale.why), cx.t.warn)
    } else if let Some((row, why)) = &view.hearing.unheard
        && view.list.current == Some(*row)
    {
        let number = view.ticks.cuts.number(*row) + 1;
        (format!("Change {number} is not heard: {why}"), cx.t.text_2)
    } else if let (SoundOutput::Host { name }, Some(row)) =
        (&place.live.output, card.view.list.current)
    {
        // Nothing here starts the transport.
        let number = view.ticks.cuts.number(row) + 1;
        (format!("{waits}. Play in {name} to hear change {number}"), cx.t.text_2)
    } else {
        (waits, cx.t.text_2)
    }
}

#[cfg(test)]
mod menu_tests;
#[cfg(test)]
mod tests;
