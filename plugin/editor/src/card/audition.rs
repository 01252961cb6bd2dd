//! Hearing a plan beside the session: play, which side, and at which level.

use super::{CardView, Place};
use crate::action::Action;
use crate::icons;
use crate::kit::choice::{Segment, segmented, switch};
use crate::kit::controls::hint;
use crate::kit::scale::{MINUS, signed};
use crate::kit::{Cut, Cx};
use crate::live::{Live, Motion, SoundOutput};
use crate::model::Card;
use crate::theme::{Type, radius, space};
use deskhand_protocol::desk::{Play, Which};
use egui::{Rect, Sense, pos2, vec2};

/// The planned side as this card hears it.
pub(super) fn planned(view: &CardView) -> Which {
    if view.is_unmatched { Which::Plan } else { Which::LevelMatched }
}

/// Draws the row.
pub(super) fn show(
    cx: &Cx<'_>,
    place: &Place<'_>,
    card: &mut Card,
    rect: Rect,
    out: &mut Vec<Action>,
) {
    cx.hline(rect.left() + 1.0, rect.right() - 1.0, rect.top(), cx.t.line);
    if let SoundOutput::None { why } = &place.live.output {
        let words = format!("Not heard: {why}");
        let room = rect.width() - 24.0;
        cx.elided(rect.left_mid(space::M), &words, Type::SMALL, cx.t.text_3, room);
        return;
    }
    let mut x = rect.left() + space::M;
    // In a host sound runs when the host does: only the side is ours to choose.
    if place.live.has_transport() {
        play(cx, place, card, rect.row_box(x, vec2(28.0, 28.0)), out);
        x += 36.0;
    }
    let width = if place.is_wide { 216.0 } else { 148.0 };
    sides(cx, place, card, rect.row_box(x, vec2(width, 28.0)), out);
    level_match(cx, place, card, rect, out);
}

/// The side of this plan that is heard.
fn heard(live: &Live, card: &Card) -> Option<Which> {
    let (plan, which) = live.hearing?;
    (plan == card.stored.plan.id).then_some(which)
}

fn hear(card: &Card, which: Which) -> Action {
    Action::Play(Play::Hear { plan: card.stored.plan.id, which })
}

pub(super) fn play(
    cx: &Cx<'_>,
    place: &Place<'_>,
    card: &mut Card,
    rect: Rect,
    out: &mut Vec<Action>,
) {
    let is_playing = place.live.motion != Motion::Stopped;
    let is_here = heard(place.live, card).is_some() && is_playing;
    let (icon, name) =
        if is_here { (icons::PAUSE, "Stop hearing") } else { (icons::PLAY, "Hear the plan") };
    let response = cx.interact(rect, "hear", Sense::click());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, name));
    let back = if response.hovered() { cx.t.hover } else { cx.t.control };
    cx.fill(rect, radius::CONTROL, back);
    cx.icon_fill(rect.center(), icon, 14.0, cx.t.text);
    if response.has_focus() {
        cx.focus_ring(rect, radius::CONTROL);
    }
    if !hint(response, name).clicked() {
        return;
    }
    if is_here {
        out.push(Action::Play(Play::Stop));
        return;
    }
    if heard(place.live, card).is_none() {
        out.push(hear(card, planned(&card.view)));
    }
    if !is_playing {
        out.push(Action::Play(Play::Start));
    }
}

fn sides(cx: &Cx<'_>, place: &Place<'_>, card: &Card, rect: Rect, out: &mut Vec<Action>) {
    let items = [
        Segment { label: "Current", key: "1", is_planned: false },
        Segment { label: "Plan", key: "2", is_planned: true },
    ];
    let chosen = match heard(place.live, card) {
        Some(Which::Plan | Which::LevelMatched) => 1,
        Some(Which::Current) | None => 0,
    };
    let wanted = segmented(cx, rect, &items, Some(chosen), "audition");
    match wanted {
        Some(0) => out.push(hear(card, Which::Current)),
        Some(_) => out.push(hear(card, planned(&card.view))),
        None => {}
    }
}

fn level_match(cx: &Cx<'_>, place: &Place<'_>, card: &mut Card, rect: Rect, out: &mut Vec<Action>) {
    let is_on = !card.view.is_unmatched;
    let knob = rect.row_box(rect.right() - space::M - 28.0, vec2(28.0, 16.0));
    if switch(cx, knob, is_on, "Level match").clicked() {
        card.view.is_unmatched = is_on;
        if heard(place.live, card).is_some_and(|which| which != Which::Current) {
            out.push(hear(card, planned(&card.view)));
        }
    }
    let y = rect.center().y;
    let mut x = knob.left() - 8.0;
    let gain = place.live.match_gain.filter(|_| is_on && heard(place.live, card).is_some());
    if let Some(gain) = gain {
        let words = format!("{}\u{a0}dB", signed(gain.0 as f32, 1));
        let words = if gain.0.is_finite() { words } else { format!("{MINUS}∞\u{a0}dB") };
        x = cx.right(pos2(x, y), &words, Type::SMALL, cx.t.text_3).left() - 6.0;
    }
    cx.right(pos2(x, y), "Level match", Type::SMALL, cx.t.text_2);
}

/// The keys 1, 2 and L.
pub(super) fn keys(ui: &egui::Ui, live: &Live, card: &mut Card, out: &mut Vec<Action>) {
    if let SoundOutput::None { .. } = &live.output {
        return;
    }
    let pressed = |key| ui.input_mut(|input| input.consume_key(egui::Modifiers::NONE, key));
    if pressed(egui::Key::Num1) {
        out.push(hear(card, Which::Current));
    }
    if pressed(egui::Key::Num2) {
        out.push(hear(card, planned(&card.view)));
    }
    if pressed(egui::Key::L) {
        card.view.is_unmatched = !card.view.is_unmatched;
        if heard(live, card).is_some_and(|which| which != Which::Current) {
            out.push(hear(card, planned(&card.view)));
        }
    }
}
