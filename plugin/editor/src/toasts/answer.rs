//! The answer to a question: its choices as buttons, and below them a field for other words.

use crate::action::{Action, Actions};
use crate::kit::controls::{Button, Kind, State};
use crate::kit::{Cut, Cx, field};
use crate::model::Model;
use deskhand_protocol::desk::Notice;
use egui::{Rect, Ui, pos2, vec2};
use std::hash::{DefaultHasher, Hash, Hasher};

const FIELD: f32 = 32.0;
/// Height of a choice, and the gap next to and below it.
const CHOICE: f32 = 28.0;
const GAP: f32 = 8.0;

/// The height of the answer in a notice with an inner width of `width`.
pub(super) fn height(cx: &Cx<'_>, notice: &Notice, width: f32) -> f32 {
    let place = Rect::from_min_size(pos2(0.0, 0.0), vec2(width, 0.0));
    places(cx, notice, place).last().map_or(0.0, |last| last.bottom() + GAP) + FIELD
}

/// Draws the choices and the field into `place`.
pub(super) fn show(
    ui: &mut Ui,
    model: &mut Model,
    notice: &Notice,
    mut place: Rect,
    out: &mut Actions,
) {
    let row = place.cut_bottom(FIELD);
    let taken = choices(&Cx::new(ui), notice, place);
    let written = field(ui, model, notice, row);
    let Some(words) = taken.or(written) else { return };
    model.toasts.answers.remove(&notice.notice_id);
    model.notices.retain(|known| known.notice_id != notice.notice_id);
    let notice_id = notice.notice_id.clone();
    out.push(Action::AnswerNotice { notice_id, answer: Some(words) });
}

/// The places of the choices: side by side, as many as fit in a row.
fn places(cx: &Cx<'_>, notice: &Notice, place: Rect) -> Vec<Rect> {
    let mut at = place.left_top();
    let place_of = |words: &String| {
        let width = button(notice, words).width(cx).min(place.width());
        if at.x + width > place.right() {
            at = pos2(place.left(), at.y + CHOICE + GAP);
        }
        let rect = Rect::from_min_size(at, vec2(width, CHOICE));
        at.x += width + GAP;
        rect
    };
    notice.choices.iter().map(place_of).collect()
}

fn button<'s>(notice: &Notice, words: &'s str) -> Button<'s> {
    Button::new(Kind::Secondary, words).salt(salt(notice))
}

/// Tells the buttons of two questions apart.
fn salt(notice: &Notice) -> u64 {
    let mut salt = DefaultHasher::new();
    notice.notice_id.hash(&mut salt);
    salt.finish()
}

fn choices(cx: &Cx<'_>, notice: &Notice, place: Rect) -> Option<String> {
    let mut taken = None;
    for (words, rect) in notice.choices.iter().zip(places(cx, notice, place)) {
        if button(notice, words).show(cx, rect).clicked() {
            taken = Some(words.clone());
        }
    }
    taken
}

/// The words that were written, once they are sent.
fn field(ui: &mut Ui, model: &mut Model, notice: &Notice, mut row: Rect) -> Option<String> {
    let text = model.toasts.answers.entry(notice.notice_id.clone()).or_default();
    let button_rect = row.cut_right(80.0);
    let hint = if notice.choices.is_empty() { "Your answer" } else { "Or in your words" };
    let place = row.row_box(row.left(), vec2(row.width(), CHOICE));
    let response = field::line(ui, place, text, ("Your answer", hint));
    let words = text.trim().to_owned();
    if std::mem::take(&mut model.toasts.goes_to_question) {
        response.request_focus();
    }
    let state = if words.is_empty() { State::Disabled } else { State::Normal };
    let button = button(notice, "Answer").state(state);
    let place = button_rect.row_box(button_rect.left() + 8.0, vec2(72.0, 28.0));
    let clicked = button.show(&Cx::new(ui), place).clicked();
    let enter = response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
    ((clicked || enter) && !words.is_empty()).then_some(words)
}
