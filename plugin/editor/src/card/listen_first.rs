//! Changes that need hearing before they are applied. They start without a tick. A click plays them in
//! place, and ticking an unheard one plays it too. One box ticks all of them.

use super::ticks::listen_first;
use super::view::CardView;
use crate::card::view::Card;
use crate::kit::controls::{State, tick as tick_box};
use crate::kit::{Cut, Cx};
use crate::theme::{Type, size, space};
use deskhand_session::{Plan, PlannedChange};
use egui::{Rect, Ui, pos2, vec2};

/// Height of the line that says so.
const LINE: f32 = 28.0;

/// How many were heard, and how many are to be.
fn heard_of(card: &Card) -> (usize, usize) {
    let ids = listen_first(&card.stored.plan);
    (ids.iter().filter(|id| card.view.hearing.heard.contains(*id)).count(), ids.len())
}

/// Ticks or unticks a row; the first that gets its tick unheard is heard.
pub(super) fn tick(card: &mut Card, id: &str) {
    if card.view.ticks.taken.rows.contains(id) {
        return;
    }
    let plan = &card.stored.plan;
    let is_unheard = |view: &CardView, change: &PlannedChange| {
        view.ticks.off.contains(&change.id) && view.hearing.was_heard(change) == Some(false)
    };
    let all = plan.changes.iter().enumerate();
    let unheard: Vec<usize> =
        all.filter(|(_, it)| is_unheard(&card.view, it)).map(|(row, _)| row).collect();
    card.view.ticks.tick(plan, id);
    if plan.changes.iter().any(|change| change.id == id && change.to_hear) {
        // Changes that only served this one lose their tick with it.
        card.view.ticks.untick_idle(plan);
    }
    let is_on = |row: &usize| !card.view.ticks.off.contains(&plan.changes[*row].id);
    if let Some(row) = unheard.into_iter().find(is_on) {
        card.view.list.go_to(row);
        card.view.list.shown = Some(row);
        ask_to_hear(card, row);
    }
}

/// The row is heard once the card has the keyboard, without which stepping ends.
pub(super) fn ask_to_hear(card: &mut Card, row: usize) {
    (card.view.hearing.asked, card.view.focus.takes_keyboard) = (Some(row), true);
}

pub(super) fn height(plan: &Plan) -> f32 {
    if plan.changes.iter().any(|change| change.to_hear) { LINE } else { 0.0 }
}

/// Draws the line: one box for all of them, and the number that were heard.
pub(super) fn show(ui: &Ui, card: &mut Card, rect: Rect) -> bool {
    let (heard, all) = heard_of(card);
    if all == 0 {
        return false;
    }
    let cx = Cx::new(ui);
    let mut ids = listen_first(&card.stored.plan);
    ids.retain(|id| !card.view.ticks.taken.rows.contains(id));
    let is_all = ids.iter().all(|id| !card.view.ticks.off.contains(id));
    let center = pos2(rect.left() + space::M + 8.0, rect.center().y);
    let cell = Rect::from_center_size(center, vec2(size::TICK, size::TICK));
    // If all of them are applied, none is left to tick.
    let state = if ids.is_empty() { State::Disabled } else { State::Normal };
    if tick_box(&cx, cell, is_all, state, "Tick all").clicked() && !ids.is_empty() {
        card.view.focus.takes_keyboard = true;
        card.view.ticks.toggle_all(&card.stored.plan, &ids);
        if ids.iter().all(|id| card.view.ticks.off.contains(id)) {
            card.view.ticks.untick_idle(&card.stored.plan);
        }
    }
    let at = pos2(cell.right() + space::S, rect.center().y);
    let label = cx.left(at, "Tick all", Type::SMALL, cx.t.text);
    let words = format!("Hear each in place, then tick it: {heard} of {all} heard");
    let room = rect.right() - space::M - label.right() - space::M;
    let width = cx.width(&words, Type::CAPTION).min(room);
    let at = rect.right_mid(space::M) - vec2(width, 0.0);
    let drawn = cx.elided(at, &words, Type::CAPTION, cx.t.text_2, room);
    super::section::node(&cx, drawn, &words);
    cx.focused.get()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::live::SoundOutput;
    use crate::testing::prelude::*;
    use deskhand_protocol::desk::Play;

    /// The second of two changes is to be heard, and needs a third that serves nothing else.
    fn plan() -> Plan {
        let mut plan = gain_plan();
        let fader = Edit::new(TrackId::new(2), Decibels(0.0), Decibels(-3.0));
        let change = Change::SetTrackGain(fader);
        let served = PlannedChange::new(3, change, "Guitar".into(), "as it needs".into());
        plan.changes[1].to_hear = true;
        plan.changes[1].needs = vec!["c3".into()];
        plan.changes.push(served);
        plan
    }

    fn opened() -> Harness<'static, Desk> {
        let plan = plan();
        let mut model = with_plan();
        model.live.output = SoundOutput::Device { name: "Speakers".into() };
        let card = model.cards.get_mut(&plan.id).unwrap();
        card.view = CardView::of(&plan);
        card.stored.plan = plan;
        harness(model)
    }

    fn view<'h>(harness: &'h Harness<'_, Desk>) -> &'h CardView {
        &harness.state().model.cards[&gain_plan().id].view
    }

    /// The stretches that were asked to play.
    fn played(harness: &Harness<'_, Desk>) -> usize {
        let starts = harness.state().actions.iter();
        starts.filter(|action| **action == Action::Play(Play::Start)).count()
    }

    const ROW: &str = "Change 2: Guitar take, clip gain, from 0.0 to −3.0 dB";

    #[test]
    fn what_is_to_be_heard_begins_without_a_tick_and_so_does_what_only_serves_it() {
        let plan = plan();
        let mut view = CardView::of(&plan);
        assert_eq!(view.ticks.off, ["c2".to_owned(), "c3".to_owned()].into());
        let only = Some(vec!["c1".to_owned()]);
        let set = Vec::new();
        assert_eq!(view.decision(&plan), Some(Decision::ApplyPart { only, set }));
        view.ticks.tick(&plan, "c2");
        assert_eq!(view.decision(&plan), Some(Decision::Apply), "a tick brings what it needs");
        assert_eq!(
            CardView::of(&gain_plan()).ticks.off.len(),
            0,
            "other plans begin with all ticks"
        );
    }

    #[test]
    fn a_tick_on_what_nobody_heard_lets_it_be_heard_too_and_the_next_one_does_not() {
        let mut harness = opened();
        harness.get_by_label("Hear each in place, then tick it: 0 of 1 heard");
        harness.get_by_label(&format!("{ROW}, not heard yet")).click();
        harness.run_steps(5);
        assert!(view(&harness).ticks.off.is_empty());
        assert_eq!(played(&harness), 1);
        harness.get_by_label("Hear each in place, then tick it: 1 of 1 heard");
        for _ in 0..2 {
            harness.get_by_label(&format!("{ROW}, heard")).click();
            harness.run_steps(5);
        }
        assert_eq!(played(&harness), 1, "it was heard");
    }

    #[test]
    fn stepping_marks_what_it_lets_be_heard_and_leaves_the_tick_to_the_person() {
        let mut harness = opened();
        let id = gain_plan().id;
        harness.state_mut().model.cards.get_mut(&id).unwrap().view.focus.takes_keyboard = true;
        harness.run_steps(3);
        for _ in 0..2 {
            harness.press(Key::J);
        }
        harness.get_by_label("Hear each in place, then tick it: 1 of 1 heard");
        assert!(view(&harness).ticks.off.contains("c2"));
    }

    #[test]
    fn no_rule_is_made_by_taking_what_nobody_heard() {
        let mut harness = opened();
        harness.click_on("Tick all");
        harness.click_on("Always allow");
        assert_eq!(harness.state().actions, [], "all is ticked, and one row was not heard");
        let card = harness.state_mut().model.cards.get_mut(&gain_plan().id).unwrap();
        card.view.hearing.heard.insert("c2".into());
        harness.run_steps(2);
        harness.click_on("Always allow");
        let (plan, decision) = (gain_plan().id, Decision::ApplyAlways);
        assert_eq!(harness.state().actions, [Action::Decide { plan, decision }]);
    }

    #[test]
    fn where_all_of_them_were_taken_there_is_nothing_to_tick() {
        let mut harness = opened();
        let card = harness.state_mut().model.cards.get_mut(&gain_plan().id).unwrap();
        card.view.ticks.taken.rows = ["c2".to_owned(), "c3".to_owned()].into();
        harness.run_steps(2);
        assert!(harness.get_by_label("Tick all").accesskit_node().is_disabled());
    }

    #[test]
    fn one_box_ticks_all_of_them_and_back() {
        let mut harness = opened();
        harness.click_on("Tick all");
        assert!(view(&harness).ticks.off.is_empty());
        assert_eq!(played(&harness), 0);
        harness.click_on("Tick all");
        assert_eq!(view(&harness).ticks.off, ["c2".to_owned(), "c3".to_owned()].into());
    }
}
