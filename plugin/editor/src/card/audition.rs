//! Controls to hear a plan against the session: play, which side, and at which level.

use super::place::Place;
use crate::action::{Action, Actions};
use crate::card::view::Card;
use crate::icons;
use crate::kit::choice::{SegmentedChoice, segmented, switch};
use crate::kit::controls::hint;
use crate::kit::scale::{MINUS, signed};
use crate::kit::{Cut, Cx};
use crate::live::{Live, Motion, SoundOutput};
use crate::theme::{Type, radius, space};
use deskhand_protocol::desk::{Play, Which};
use egui::{Rect, Sense, pos2, vec2};

/// Why a plan without ticks is not heard.
pub(super) const NO_TICK: &str = "Tick a change to hear the plan";

/// Why the plan cannot be heard now.
fn why_not(card: &Card) -> Option<&'static str> {
    (!card.view.has_tick(&card.stored.plan)).then_some(NO_TICK)
}

/// Returns to the session's sound once the last tick of the auditioned plan is removed.
fn hush(live: &Live, card: &mut Card, out: &mut Actions) {
    let is_planned = heard(live, card).is_some_and(|which| which != Which::Current);
    let is_bare = is_planned && card.view.hearing.row.is_none() && why_not(card).is_some();
    if is_bare && !card.view.hearing.was_hushed {
        out.push(hear(card, Which::Current));
    }
    card.view.hearing.was_hushed = is_bare;
}

pub(super) fn show(cx: &Cx<'_>, place: &Place<'_>, card: &mut Card, rect: Rect, out: &mut Actions) {
    cx.hline(rect.left() + 1.0, rect.right() - 1.0, rect.top(), cx.t.line);
    if let SoundOutput::None { why } = &place.live.output {
        let words = format!("Not heard: {why}");
        let room = rect.width() - 24.0;
        cx.elided(rect.left_mid(space::M), &words, Type::SMALL, cx.t.text_3, room);
        return;
    }
    hush(place.live, card, out);
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

pub(super) fn play(cx: &Cx<'_>, place: &Place<'_>, card: &mut Card, rect: Rect, out: &mut Actions) {
    let is_playing = place.live.motion != Motion::Stopped;
    let is_here = heard(place.live, card).is_some() && is_playing;
    let (icon, name) =
        if is_here { (icons::PAUSE, "Stop hearing") } else { (icons::PLAY, "Hear the plan") };
    // Playback can be stopped, whatever is ticked.
    let why_not = why_not(card).filter(|_| !is_here);
    let sense = if why_not.is_some() { Sense::hover() } else { Sense::click() };
    let response = cx.interact(rect, "hear", sense);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, why_not.is_none(), name));
    let is_lit = response.hovered() && why_not.is_none();
    cx.fill(rect, radius::CONTROL, if is_lit { cx.t.hover } else { cx.t.control });
    let color = if why_not.is_some() { cx.t.disabled } else { cx.t.text };
    cx.icon_fill(rect.center(), icon, 14.0, color);
    cx.ring(&response, rect, radius::CONTROL);
    if !hint(response, why_not.unwrap_or(name)).clicked() {
        return;
    }
    card.view.hearing.row = None;
    if is_here {
        out.push(Action::Play(Play::Stop));
        return;
    }
    if heard(place.live, card).is_none() {
        out.push(hear(card, card.view.hearing.planned()));
    }
    if !is_playing {
        out.push(Action::Play(Play::Start));
    }
}

fn sides(cx: &Cx<'_>, place: &Place<'_>, card: &mut Card, rect: Rect, out: &mut Actions) {
    let why_not = why_not(card);
    // The way back is open as long as the plan is heard.
    let is_heard = heard(place.live, card).is_some();
    let no_way_back = why_not.filter(|_| !is_heard);
    let items = [
        SegmentedChoice { label: "Current", key: "1", is_planned: false, why_not: no_way_back },
        SegmentedChoice { label: "Plan", key: "2", is_planned: true, why_not },
    ];
    let chosen = match heard(place.live, card) {
        Some(Which::Plan | Which::LevelMatched) => 1,
        Some(Which::Current) | None => 0,
    };
    let wanted = segmented(cx, rect, &items, Some(chosen), "audition");
    if wanted.is_some() {
        card.view.hearing.row = None;
    }
    match wanted {
        Some(0) => out.push(hear(card, Which::Current)),
        Some(_) => out.push(hear(card, card.view.hearing.planned())),
        None => {}
    }
}

fn level_match(cx: &Cx<'_>, place: &Place<'_>, card: &mut Card, rect: Rect, out: &mut Actions) {
    let is_on = !card.view.hearing.is_unmatched;
    let knob = rect.row_box(rect.right() - space::M - 28.0, vec2(28.0, 16.0));
    if switch(cx, knob, is_on, "Level match").clicked() {
        card.view.hearing.is_unmatched = is_on;
        if heard(place.live, card).is_some_and(|which| which != Which::Current) {
            out.push(hear(card, card.view.hearing.planned()));
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
pub(super) fn keys(ui: &egui::Ui, live: &Live, card: &mut Card, out: &mut Actions) {
    if let SoundOutput::None { .. } = &live.output {
        return;
    }
    let pressed = |key| ui.input_mut(|input| input.consume_key(egui::Modifiers::NONE, key));
    let is_free = why_not(card).is_none();
    if pressed(egui::Key::Num1) && (is_free || heard(live, card).is_some()) {
        card.view.hearing.row = None;
        out.push(hear(card, Which::Current));
    }
    if pressed(egui::Key::Num2) && is_free {
        card.view.hearing.row = None;
        out.push(hear(card, card.view.hearing.planned()));
    }
    if pressed(egui::Key::L) {
        card.view.hearing.is_unmatched = !card.view.hearing.is_unmatched;
        if heard(live, card).is_some_and(|which| which != Which::Current) {
            out.push(hear(card, card.view.hearing.planned()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::prelude::*;

    /// A card whose rows have no tick.
    fn bare(set: impl FnOnce(&mut crate::Model)) -> Harness<'static, Desk> {
        let mut model = with_plan();
        model.live.output = SoundOutput::Device { name: "Speakers".into() };
        let card = model.cards.get_mut(&gain_plan().id).unwrap();
        card.view.ticks.off = card.stored.plan.changes.iter().map(|it| it.id.clone()).collect();
        set(&mut model);
        harness(model)
    }

    fn is_drawn(harness: &Harness<'_, Desk>, words: &str) -> bool {
        harness.output().shapes.iter().any(|clipped| {
            matches!(&clipped.shape, egui::Shape::Text(text) if text.galley.text() == words)
        })
    }

    #[test]
    fn a_plan_without_ticks_is_neither_heard_nor_applied_and_says_why() {
        let mut harness = bare(|_| {});
        for name in ["Hear the plan", "Current", "Plan", "Nothing ticked"] {
            assert!(harness.get_by_label(name).accesskit_node().is_disabled(), "{name}");
            harness.click_on(name);
        }
        for key in [Key::Num1, Key::Num2] {
            harness.press(key);
        }
        assert_eq!(harness.state().actions, []);
        assert!(harness.query_by_label_contains("Nothing is ticked: tick a change").is_some());
        for (name, why) in [("Plan", NO_TICK), ("Nothing ticked", "Tick a change to apply it")] {
            harness.get_by_label(name).hover();
            harness.run_steps(60);
            assert!(is_drawn(&harness, why), "{why}");
        }
        let (model, id) = (&harness.state().model, gain_plan().id);
        assert_eq!(model.plan_to_hear(id, Which::Plan), None);
        assert_eq!(model.plan_to_hear(id, Which::Current), Some(gain_plan()));
    }

    #[test]
    fn stepping_to_a_row_of_a_plan_without_ticks_says_why_it_is_not_heard() {
        let mut harness = bare(|model| {
            model.cards.get_mut(&gain_plan().id).unwrap().view.focus.takes_keyboard = true;
        });
        harness.press(Key::J);
        assert!(
            harness.query_by_label_contains("Change 1 is not heard: nothing is ticked").is_some()
        );
        let is_heard = |it: &Action| matches!(it, Action::Play(Play::Hear { .. } | Play::Start));
        assert!(!harness.state().actions.iter().any(is_heard));
    }

    #[test]
    fn once_the_last_tick_of_what_plays_is_gone_the_session_is_heard_and_can_be_stopped() {
        let plan = gain_plan().id;
        let mut harness = bare(|model| {
            model.live.motion = Motion::Playing;
            model.live.hearing = Some((plan, Which::LevelMatched));
        });
        let current = Action::Play(Play::Hear { plan, which: Which::Current });
        assert_eq!(harness.state().actions, std::slice::from_ref(&current), "once");
        harness.state_mut().model.live.hearing = Some((plan, Which::Current));
        harness.run_steps(2);
        harness.click_on("Stop hearing");
        assert_eq!(harness.state().actions[1..], [Action::Play(Play::Stop)]);
    }

    #[test]
    fn a_row_that_is_to_be_heard_is_heard_without_its_tick_and_not_applied() {
        let mut harness = bare(|model| {
            let card = model.cards.get_mut(&gain_plan().id).unwrap();
            card.stored.plan.changes[1].to_hear = true;
            card.view.focus.takes_keyboard = true;
        });
        for _ in 0..2 {
            harness.press(Key::J);
        }
        let model = &harness.state().model;
        let heard = model.plan_to_hear(gain_plan().id, Which::LevelMatched).unwrap();
        let [change] = heard.changes.as_slice() else { panic!("{heard:?}") };
        assert_eq!(change.change, gain_plan().changes[1].change);
        let view = &model.cards[&gain_plan().id].view;
        assert_eq!(view.decision(&gain_plan()), None::<Decision>);
    }
}
