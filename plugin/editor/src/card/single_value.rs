//! The card of a plan that sets one number of one object: one line, with Enter. Its number is edited in
//! place. Digits typed while the line has the keyboard edit that number.

use super::place::Place;
use super::row_words::row_words;
use super::values::Editing;
use super::{audition, decide, label, step, title, value};
use crate::action::Actions;
use crate::card::view::Card;
use crate::describe::{Told, hue_of, track_of};
use crate::icons;
use crate::kit::controls::{Button, Kind, State, arrow, icon_button, row_tag};
use crate::kit::{Cut, Cx};
use crate::theme::{Type, radius, space};
use deskhand_session::PlanState;
use egui::{Pos2, Rect, Sense, Ui, UiBuilder, pos2, vec2};

const HEIGHT: f32 = 44.0;
/// Below it, why a value was not taken.
const WRONG: f32 = 20.0;
/// Below this width the key of the button is not named.
const TIGHT: f32 = 372.0;

/// Whether the card is one line: small, and nothing about it asks for more room.
pub(super) fn is_one_line(card: &Card) -> bool {
    let view = &card.view;
    deskhand_protocol::is_small(&card.stored.plan)
        && !view.folds.is_whole
        && view.ticks.stale.rows.is_empty()
        && view.ticks.off.is_empty()
        && view.remarks.is_empty()
}

/// Draws the line: the change, its values before and after, and Apply.
pub(super) fn show(ui: &mut Ui, place: &Place<'_>, card: &mut Card, out: &mut Actions) -> Rect {
    let wrong = if problem(card).is_some() { WRONG } else { 0.0 };
    let size = vec2(ui.available_width(), HEIGHT + wrong);
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let had = card.view.focus.had_focus;
    keys(ui, place, card, rect, out);
    let mut child = ui.new_child(UiBuilder::new().max_rect(rect).id_salt(("card", card.number)));
    let mut focused = frame(&child, place, card, rect);
    let mut rest = rect;
    let line = rest.cut_top(HEIGHT);
    focused |= words(&mut child, place, card, line);
    let cx = Cx::new(&child);
    if let Some(problem) = problem(card) {
        let below = rest.translate(vec2(0.0, -6.0)).pad(space::M, 0.0);
        value::wrong(&cx, below, problem);
    }
    buttons(&cx, place, card, line, out);
    card.view.focus.had_focus = focused || cx.focused.get();
    card.view.keep_steps(had, (place.live, place.session.rate), out);
    rect
}

/// Why the typed text is invalid.
fn problem(card: &Card) -> Option<&String> {
    card.view.values.editing.as_ref()?.problem.as_ref()
}

fn keys(ui: &Ui, place: &Place<'_>, card: &mut Card, rect: Rect, out: &mut Actions) {
    begin(ui, place, card);
    super::apply_by_key(ui, place.session, card, rect, out);
    if card.view.focus.had_focus && !card.view.values.is_typing(ui) {
        audition::keys(ui, place.live, card, out);
        decide::reject_by_key(ui, card);
        step::keys_of_line(ui, place, card, out);
    }
}

/// The beginning of a number opens its field.
fn begin(ui: &Ui, place: &Place<'_>, card: &mut Card) {
    let view = &card.view;
    if !view.focus.is_focused(ui) || view.values.editing.is_some() || is_sent(card) {
        return;
    }
    let can_edit = row_words(card, 0, place.session).is_some_and(|told| told.number.is_some());
    if let (Some(planned), true) = (card.stored.plan.changes.first(), can_edit) {
        card.view.values.editing = value::typed(ui).map(|text| Editing::begun(&planned.id, text));
    }
}

/// Draws the background of the line. Returns whether the card itself has the keyboard.
fn frame(ui: &Ui, place: &Place<'_>, card: &mut Card, rect: Rect) -> bool {
    let cx = Cx::new(ui);
    cx.fill(rect, radius::CARD, cx.t.raised);
    let whole = cx.interact(rect, "card", Sense::click());
    if whole.clicked() || std::mem::take(&mut card.view.focus.takes_keyboard) {
        whole.request_focus();
    }
    card.view.focus.whole = whole.has_focus().then_some(whole.id);
    if whole.contains_pointer() {
        card.view.list.point_at(ui, 0);
    }
    if whole.clicked() {
        card.view.list.shown = Some(0);
    }
    let is_pointed = !place.link.pointed(card.stored.plan.id).is_empty();
    cx.border(rect, radius::CARD, if is_pointed { cx.t.text_2 } else { cx.t.line_strong });
    cx.ring(&whole, rect, radius::CARD);
    card.view.focus.whole.is_some()
}

/// Whether it is decided already, here or elsewhere.
fn is_sent(card: &Card) -> bool {
    card.view.deciding.was_sent || card.stored.state == PlanState::Applying
}

/// The button that applies. Below some width its key is not named.
fn apply_button(card: &Card, rect: Rect) -> Button<'static> {
    let is_on = !is_sent(card) && card.view.can_apply(&card.stored.plan);
    let state = if is_on { State::Normal } else { State::Disabled };
    let label = if is_sent(card) { "Applying" } else { "Apply" };
    let button = Button::new(Kind::Apply, label).state(state).salt(card.number as u64);
    if rect.width() >= TIGHT { button.key("⏎") } else { button }
}

/// Where the buttons at the right begin.
fn left_of_buttons(cx: &Cx<'_>, place: &Place<'_>, card: &Card, rect: Rect) -> f32 {
    let play = if place.live.has_transport() { 32.0 } else { 0.0 };
    rect.right() - space::S - 28.0 - apply_button(card, rect).width(cx) - play
}

fn buttons(cx: &Cx<'_>, place: &Place<'_>, card: &mut Card, rect: Rect, out: &mut Actions) {
    let mut x = rect.right() - space::S - 24.0;
    let name = format!("All of plan {}", card.number);
    if icon_button(cx, rect.row_box(x, vec2(24.0, 24.0)), icons::CARET_DOWN, &name).clicked() {
        card.view.folds.is_whole = true;
    }
    let apply = apply_button(card, rect);
    let width = apply.width(cx);
    x -= width + 4.0;
    if apply.show(cx, rect.row_box(x, vec2(width, 28.0))).clicked() {
        decide::apply(card, place.session, out);
    }
    if place.live.has_transport() {
        x -= 32.0;
        audition::play(cx, place, card, rect.row_box(x, vec2(28.0, 28.0)), out);
    }
}

/// The changed property, and its value, which is edited in place. Returns whether the value has the
/// keyboard.
fn words(ui: &mut Ui, place: &Place<'_>, card: &mut Card, line: Rect) -> bool {
    let Some(told) = row_words(card, 0, place.session) else { return false };
    let id = card.stored.plan.changes[0].id.clone();
    let cx = Cx::new(ui);
    let right = left_of_buttons(&cx, place, card, line);
    let rect = line.with_max_x(right);
    let unit = if told.unit.is_empty() { 0.0 } else { 20.0 };
    let edge = pos2(rect.right() - space::M - unit, rect.center().y);
    named(&cx, place, card, rect, &told, edge);
    drop(cx);
    let is_on = !is_sent(card);
    value::show(ui, place, card, &id, &told, edge, is_on)
}

/// The name of the change and its old value, left of a new value that ends at `edge`.
fn named(cx: &Cx<'_>, place: &Place<'_>, card: &Card, rect: Rect, told: &Told, edge: Pos2) {
    let planned = &card.stored.plan.changes[0];
    let hue = hue_of(track_of(&planned.change, place.session), place.session);
    let said = format!("Plan {}: {}. {}", card.number, told.words(), planned.reason);
    let node = cx.label(rect.pad(2.0, 8.0), "title", &said);
    node.on_hover_text(format!("{}\n{}", title::words(card), told.in_full()));
    row_tag(cx, pos2(rect.left() + space::M, edge.y), 1, true);
    let field = if card.view.values.editing.is_some() { value::FIELD } else { 0.0 };
    let after = edge.x - cx.width(&told.after, Type::SMALL_STRONG).max(field);
    arrow(cx, pos2(after - 12.0, edge.y), cx.t.text_3);
    let at = pos2(after - 24.0, edge.y);
    let before = cx.right(at, &told.before, Type::SMALL, cx.t.text_2);
    let left = rect.left() + space::M + 24.0;
    let room = before.left() - left - space::S;
    let (types, colors) = ([Type::SMALL_STRONG, Type::SMALL], [cx.t.hues[hue].strong, cx.t.text]);
    label::show(cx, pos2(left, edge.y), (&told.name, &told.what), types, colors, room);
}

#[cfg(test)]
mod tests {
    use crate::live::SoundOutput;
    use crate::testing::prelude::*;
    use deskhand_session::PlanState;
    use deskhand_session::plan::ValueEdit;
    use egui::Event;

    type Line = Harness<'static, Desk>;

    /// A line that has the keyboard and was seen, where there is something to hear with.
    fn line() -> Line {
        let mut model = with_plan();
        model.live.output = SoundOutput::Device { name: "Speakers".into() };
        let card = model.cards.get_mut(&gain_plan().id).unwrap();
        card.stored.plan.changes.truncate(1);
        card.stored.plan.warnings.clear();
        card.view.focus.takes_keyboard = true;
        let mut harness = harness(model);
        harness.run_steps(10);
        harness
    }

    /// Types as a keyboard does: each key, and its letter.
    fn types(line: &mut Line, keys: &[(Key, &str)]) {
        for (key, letter) in keys {
            let event = |pressed| Event::Key {
                key: *key,
                physical_key: None,
                pressed,
                repeat: false,
                modifiers: Modifiers::NONE,
            };
            let letter = Event::Text((*letter).to_owned());
            line.input_mut().events.extend([event(true), letter, event(false)]);
            line.run_steps(1);
        }
    }

    const LOWER: [(Key, &str); 3] = [(Key::Minus, "-"), (Key::Num2, "2"), (Key::Num0, "0")];

    /// The decision for the value that was typed.
    fn lowered() -> [Action; 1] {
        let set = vec![ValueEdit { change: "c1".into(), after: (-20.0).into() }];
        let decision = Decision::ApplyPart { only: None, set };
        [Action::Decide { plan: gain_plan().id, decision }]
    }

    #[test]
    fn the_value_is_edited_in_place_and_enter_applies_what_is_shown() {
        let value = "Edit the value of c1";
        let ways: [&dyn Fn(&mut Line); 3] = [
            &|line: &mut Line| line.get_by_label(value).click(),
            &|line: &mut Line| line.get_by_label(value).click_accesskit(),
            &|line: &mut Line| {
                line.press_with(Modifiers::NONE, Key::Tab);
                assert!(line.get_by_label(value).is_focused());
                line.press_with(Modifiers::NONE, Key::Enter);
            },
        ];
        for (way, opens) in ways.iter().enumerate() {
            let mut line = line();
            opens(&mut line);
            line.run_steps(3);
            types(&mut line, &LOWER);
            line.press_with(Modifiers::NONE, Key::Enter);
            assert_eq!(line.state().actions, [], "{way}: it is set, and nothing plays");
            let shown = "Plan 1: Vocal take, clip gain, from 0.0 to −20.0 dB";
            assert!(line.query_by_label_contains(shown).is_some(), "{way}");
            line.press_with(Modifiers::NONE, Key::Enter);
            assert_eq!(line.state().actions, lowered(), "{way}");
        }
    }

    #[test]
    fn what_is_typed_at_the_line_is_its_value_and_plays_and_zooms_nothing() {
        let mut line = line();
        types(&mut line, &LOWER[1..]);
        assert_eq!(line.state().actions, []);
        let editing = line.state().model.cards[&gain_plan().id].view.values.editing.clone();
        assert_eq!(editing.map(|it| it.text), Some("20".into()));
        line.press_with(Modifiers::NONE, Key::Escape);
        types(&mut line, &LOWER);
        assert_eq!(line.state().model.desk.timeline.zoom, None);
        line.press_with(Modifiers::COMMAND, Key::Enter);
        assert_eq!(line.state().actions, lowered(), "what stands in the field is what is shown");
    }

    #[test]
    fn a_line_that_is_applied_from_elsewhere_is_neither_edited_nor_applied_here() {
        let mut line = line();
        let card = line.state_mut().model.cards.get_mut(&gain_plan().id).unwrap();
        card.stored.state = PlanState::Applying;
        line.run_steps(3);
        assert!(line.get_by_label("Applying").accesskit_node().is_disabled());
        types(&mut line, &LOWER);
        assert!(line.query_by_label("New value").is_none());
    }

    #[test]
    fn a_value_that_cannot_be_taken_is_told_below_the_line_and_not_applied() {
        let mut line = line();
        types(&mut line, &[(Key::Num9, "9"), (Key::Num9, "9"), (Key::Num9, "9")]);
        let told = "a gain of 999 dB is outside −150 to 48 dB";
        for modifiers in [Modifiers::COMMAND, Modifiers::NONE] {
            line.press_with(modifiers, Key::Enter);
            assert!(line.query_by_label(told).is_some());
            assert_eq!(line.state().actions, []);
        }
        line.click_on("Apply");
        assert_eq!(line.state().actions, []);
    }
}
