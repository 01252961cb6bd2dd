//! Keys of a focused card. J and K step through the changes; X ticks; Enter edits. Each step shows a change
//! on the timeline and plays it from 2 s before to 2 s after. Of a long change it plays the beginning
//! first, then the end. A change without a place in time, such as a fader, plays from the player's
//! position. A loop that played before continues afterwards.

use super::place::Place;
use super::row_words::row_words;
use super::values::Editing;
use super::{audition, decide, listen_first, track_wide};
use crate::action::{Action, Actions};
use crate::card::view::Card;
use crate::live::{Live, SoundOutput};
use crate::timeline;
use deskhand_dsp::{Frames, SampleRate};
use deskhand_protocol::desk::Play;
use deskhand_session::{Change, Plan};
use egui::{Key, Modifiers, Ui};

/// Seconds played before and after a change.
const AROUND: i64 = 2;
/// The stretches to play for a change from `start` to `end`.
pub(super) fn stretches(start: Frames, end: Frames, rate: SampleRate) -> Vec<(Frames, Frames)> {
    let around = Frames(AROUND * i64::from(rate.0));
    let from = |at: Frames| (at - around).max(Frames::ZERO);
    if end - start <= around + around {
        return vec![(from(start), end + around)];
    }
    vec![(from(start), start + around), (from(end), end + around)]
}

pub(super) fn keys(ui: &Ui, place: &Place<'_>, card: &mut Card, out: &mut Actions) {
    let is_typing = ui.ctx().text_edit_focused() || card.view.values.is_typing(ui);
    if is_typing || card.view.deciding.rejecting.is_some() {
        return;
    }
    audition::keys(ui, place.live, card, out);
    decide::reject_by_key(ui, card);
    let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
    let hears = [(Key::J, true), (Key::K, false)].into_iter().find(|(key, _)| pressed(*key));
    let moves = [(Key::ArrowDown, true), (Key::ArrowUp, false)];
    let moves = moves.into_iter().find(|(key, _)| pressed(*key));
    if let Some((_, is_forward)) = hears.or(moves)
        && let Some(row) = gone_to(card, is_forward, hears.is_some())
    {
        card.view.list.go_to(row);
        card.view.list.shown = Some(row);
        go(place, card, row, hears.is_some(), out);
    }
    if let Some(row) = card.view.hearing.asked.take() {
        go(place, card, row, true, out);
    }
    if card.view.hearing.is_stepping() && pressed(Key::Escape) {
        card.view.hearing.end_steps(out);
    }
    let Some(row) = card.view.list.current else { return };
    let Some(id) = card.stored.plan.changes.get(row).map(|change| change.id.clone()) else {
        return;
    };
    if pressed(Key::X) {
        listen_first::tick(card, &id);
    }
    // A control that has the keyboard takes Enter itself.
    let is_free = ui.memory(egui::Memory::focused).is_some_and(|id| is_card(ui, card, id));
    if is_free
        && pressed(Key::Enter)
        && !card.view.ticks.off.contains(&id)
        && let Some(number) = row_words(card, row, place.session).and_then(|told| told.number)
    {
        // Out of view its field would have neither the keyboard nor Escape.
        card.view.list.go_to(row);
        card.view.values.editing = Some(Editing::of(&id, number));
    }
}

/// J and K on the line of a plan with one change: there is no other to go to, so it is played.
pub(super) fn keys_of_line(ui: &Ui, place: &Place<'_>, card: &mut Card, out: &mut Actions) {
    if ui.ctx().text_edit_focused() {
        return;
    }
    let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
    if pressed(Key::J) || pressed(Key::K) {
        (card.view.list.current, card.view.list.shown) = (Some(0), Some(0));
        go(place, card, 0, true, out);
    }
    // One line has no room to say why it is not heard.
    card.view.folds.is_whole |= card.view.hearing.unheard.is_some();
    if card.view.hearing.is_stepping() && pressed(Key::Escape) {
        card.view.hearing.end_steps(out);
    }
}

/// The row to go to. At the end it is the current row, which is played again.
fn gone_to(card: &Card, is_forward: bool, is_heard: bool) -> Option<usize> {
    let here = || card.view.list.current.filter(|row| is_heard && card.view.list.lines.has(*row));
    next(card, is_forward, is_heard).or_else(here)
}

fn next(card: &Card, is_forward: bool, is_heard: bool) -> Option<usize> {
    let lines = &card.view.list.lines;
    let mut row = lines.step(card.view.list.current, is_forward)?;
    while is_passed_over(card, row, is_heard) {
        row = lines.step(Some(row), is_forward)?;
    }
    Some(row)
}

/// Applied rows are skipped.
fn is_passed_over(card: &Card, row: usize, is_heard: bool) -> bool {
    let plan = &card.stored.plan;
    let planned = plan.changes.get(row);
    planned.is_some_and(|planned| card.view.ticks.taken.rows.contains(&planned.id))
        || is_heard && is_heard_with_another(plan, row)
}

/// A split alone changes no sound: it is heard with the change that needs it.
fn is_heard_with_another(plan: &Plan, row: usize) -> bool {
    let Some(planned) = plan.changes.get(row) else { return false };
    matches!(planned.change, Change::SplitClip(_))
        && plan.changes.iter().any(|other| other.needs.contains(&planned.id))
}

fn is_card(ui: &Ui, card: &Card, id: egui::Id) -> bool {
    card.view.focus.whole == Some(id) && ui.is_enabled()
}

/// Goes to a change and plays its place. Shows a reason if it cannot play.
fn go(place: &Place<'_>, card: &mut Card, row: usize, is_heard: bool, out: &mut Actions) {
    card.view.hearing.row = None;
    let why = silence(place.live).or_else(|| no_tick(card, row));
    card.view.hearing.unheard = why.filter(|_| is_heard).map(|why| (row, why));
    let is_heard = is_heard && !is_without_tick(card, row);
    let Some((start, end)) = timeline::Place::of(card, place.session, row).span else {
        // This row has no place to play, and the previous row's must not continue.
        card.view.hearing.end_steps(out);
        if is_heard {
            hear_untimed(place, card, row, out);
        }
        return;
    };
    let stretches = stretches(start, end, place.session.rate);
    let range = stretches.first().copied();
    if let Some((from, _)) = range.filter(|_| !place.live.is_hosted()) {
        out.push(Action::Play(Play::Seek { at: from }));
    }
    if !is_heard || !place.live.has_transport() {
        return card.view.hearing.end_steps(out);
    }
    card.view.hearing.repeat(stretches, place.live);
    out.push(Action::Play(Play::Loop { range }));
    start_hearing(card, row, out);
}

/// Why nothing can be heard at all.
fn silence(live: &Live) -> Option<String> {
    match &live.output {
        SoundOutput::None { why } => Some(why.clone()),
        SoundOutput::Device { .. } | SoundOutput::Host { .. } => None,
    }
}

/// Whether nothing of the plan would sound because nothing has a tick. A row to hear plays without one.
fn is_without_tick(card: &Card, row: usize) -> bool {
    let plan = &card.stored.plan;
    let is_to_hear = plan.changes.get(row).is_some_and(|change| change.to_hear);
    !is_to_hear && !card.view.has_tick(plan)
}

fn no_tick(card: &Card, row: usize) -> Option<String> {
    is_without_tick(card, row).then(|| "nothing is ticked".to_owned())
}

/// Lets a change be heard that has no place in time.
fn hear_untimed(place: &Place<'_>, card: &mut Card, row: usize, out: &mut Actions) {
    let plan = &card.stored.plan;
    let Some(planned) = plan.changes.get(row) else { return };
    let now = place.live.position;
    match track_wide::heard_from(plan, &planned.change, place.session, now) {
        Err(why) => card.view.hearing.unheard = Some((row, why.to_owned())),
        Ok(_) if !place.live.has_transport() => {}
        Ok(from) => {
            if from != now {
                out.push(Action::Play(Play::Seek { at: from }));
            }
            start_hearing(card, row, out);
        }
    }
}

/// Plays with the plan, from where the player is.
fn start_hearing(card: &mut Card, row: usize, out: &mut Actions) {
    if let Some(change) = card.stored.plan.changes.get(row) {
        card.view.hearing.hears(change);
    }
    card.view.hearing.row = Some(row);
    let which = card.view.hearing.planned();
    out.push(Action::Play(Play::Hear { plan: card.stored.plan.id, which }));
    out.push(Action::Play(Play::Start));
}
