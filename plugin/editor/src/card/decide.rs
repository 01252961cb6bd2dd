//! The foot of a card: apply, reject with a reason, always allow; while it applies, how far it is.

use super::FOOTER;
use crate::action::Action;
use crate::icons;
use crate::kit::choice::chip;
use crate::kit::controls::{Button, Kind, State, progress};
use crate::kit::{Cut, Cx};
use crate::model::Card;
use crate::theme::{Theme, Type, radius, space};
use deskhand_protocol::Decision;
use deskhand_session::PlanState;
use egui::{Rect, TextEdit, Ui, pos2, vec2};

const REASONS: [&str; 4] = ["Too much", "Wrong track", "Wrong place", "I prefer it now"];
/// The height of the question for a reason, above the buttons.
const REASON: f32 = 108.0;

/// The height of the foot.
pub(super) fn height(card: &Card) -> f32 {
    if card.view.rejecting.is_some() { FOOTER + REASON } else { FOOTER }
}

/// Sends the decision that the ticks and edits stand for.
pub(super) fn apply(card: &mut Card, out: &mut Vec<Action>) {
    if card.view.was_sent || card.stored.state != PlanState::Waiting {
        return;
    }
    if let Some(decision) = card.view.decision(&card.stored.plan) {
        send(card, decision, out);
    }
}

fn send(card: &mut Card, decision: Decision, out: &mut Vec<Action>) {
    card.view.was_sent = true;
    out.push(Action::Decide { plan: card.stored.plan.id, decision });
}

/// Draws the foot; says whether the keyboard is in it.
pub(super) fn show(
    ui: &mut Ui,
    theme: &Theme,
    card: &mut Card,
    rect: Rect,
    out: &mut Vec<Action>,
) -> bool {
    let mut rest = rect;
    let foot = rest.cut_bottom(FOOTER);
    if card.view.rejecting.is_some() {
        return reject(ui, theme, card, rest, foot, out);
    }
    let cx = Cx::new(ui, theme);
    cx.hline(foot.left() + 1.0, foot.right() - 1.0, foot.top(), theme.line);
    if card.stored.state == PlanState::Applying {
        applying(&cx, card, foot, out);
    } else {
        buttons(&cx, card, foot, out);
    }
    cx.focused.get()
}

/// Backspace asks for the reason of a rejection; it is the person who sends it.
pub(super) fn reject_by_key(ui: &Ui, card: &mut Card) {
    let is_open = card.stored.state == PlanState::Waiting && !card.view.was_sent;
    let pressed = |ui: &Ui| {
        ui.input_mut(|input| input.consume_key(egui::Modifiers::NONE, egui::Key::Backspace))
    };
    if is_open && !ui.ctx().text_edit_focused() && pressed(ui) {
        ask_why(card);
    }
}

/// Opens the question for a reason; one line has no room for it.
fn ask_why(card: &mut Card) {
    (card.view.rejecting, card.view.asks_why) = (Some(String::new()), true);
    card.view.is_whole = true;
}

fn buttons(cx: &Cx<'_>, card: &mut Card, foot: Rect, out: &mut Vec<Action>) {
    let asks_to_run = card.stored.plan.changes.is_empty();
    let label = apply_label(card);
    let is_on =
        if asks_to_run { !card.view.was_sent } else { card.view.can_apply(&card.stored.plan) };
    let state = if is_on { State::Normal } else { State::Disabled };
    let salt = card.number as u64;
    let reject = if asks_to_run { "Refuse…" } else { "Reject…" };
    let mut buttons = vec![
        Button::new(Kind::Apply, &label).icon(icons::CHECK).key("Ctrl ⏎").state(state),
        Button::new(Kind::Secondary, reject),
    ];
    // No rule lowers what must always be asked.
    if !asks_to_run {
        buttons.push(Button::new(Kind::Quiet, "Always allow"));
    }
    let mut x = foot.left() + space::M;
    let mut clicked = None;
    for (index, button) in buttons.into_iter().enumerate() {
        let button = button.salt(salt);
        let mut width = button.width(cx);
        let button = if index == 0 && foot.width() < 372.0 {
            let button = button.without_key();
            width = button.width(cx);
            button
        } else {
            button
        };
        if x + width > foot.right() {
            break;
        }
        if button.show(cx, foot.row_box(x, vec2(width, 28.0))).clicked() {
            clicked = Some(index);
        }
        x += width + 8.0;
    }
    match clicked {
        Some(0) => apply(card, out),
        Some(1) => ask_why(card),
        Some(_) if !card.view.was_sent => send(card, Decision::ApplyAlways, out),
        Some(_) | None => {}
    }
}

fn applying(cx: &Cx<'_>, card: &Card, foot: Rect, out: &mut Vec<Action>) {
    let percent = format!("Applying, {:.0} %", card.view.progress * 100.0);
    let text = cx.left(foot.left_mid(space::M), &percent, Type::SMALL_STRONG, cx.t.text);
    let node = cx.interact(text, ("applying", card.number), egui::Sense::hover());
    node.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &percent));
    let cancel = Button::new(Kind::Secondary, "Cancel").salt(card.number as u64);
    let width = cancel.width(cx);
    let cell = foot.row_box(foot.right() - space::M - width, vec2(width, 28.0));
    let bar = Rect::from_min_max(
        pos2(text.right() + space::M, foot.center().y - 2.0),
        pos2(cell.left() - space::M, foot.center().y + 2.0),
    );
    progress(cx, bar, card.view.progress as f32);
    if let Some(call) = card.view.call
        && cancel.show(cx, cell).clicked()
    {
        out.push(Action::Cancel(call));
    }
}

fn apply_label(card: &Card) -> String {
    let plan = &card.stored.plan;
    match card.view.count(plan) {
        _ if plan.changes.is_empty() => "Allow and run".into(),
        0 => "Nothing ticked".into(),
        1 => "Apply 1 change".into(),
        ticked => format!("Apply {ticked} changes"),
    }
}

fn reject(
    ui: &mut Ui,
    theme: &Theme,
    card: &mut Card,
    rect: Rect,
    foot: Rect,
    out: &mut Vec<Action>,
) -> bool {
    let mut area = rect.pad(space::M, 0.0);
    let title = area.cut_top(36.0);
    let chips = area.cut_top(28.0);
    let field = area.cut_top(32.0);
    let Some(reason) = &mut card.view.rejecting else { return false };
    let cx = Cx::new(ui, theme);
    cx.hline(rect.left() + 1.0, rect.right() - 1.0, rect.top(), theme.line);
    cx.left(title.left_mid(0.0), "Why not this plan?", Type::BODY_STRONG, theme.text);
    let mut at = pos2(chips.left(), chips.top() + 10.0);
    for label in REASONS {
        let response = chip(&cx, at, None, label, reason.starts_with(label));
        at.x = response.rect.right() + 6.0;
        if response.clicked() {
            label.clone_into(reason);
        }
    }
    drop(cx);
    let edit = TextEdit::singleline(reason).hint_text("the model reads this");
    let edit = edit.font(Type::SMALL.font()).margin(egui::Margin::symmetric(8, 6));
    let response = ui.put(field, edit);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Reason"));
    if std::mem::take(&mut card.view.asks_why) {
        response.request_focus();
    }
    let left_by = |key| response.lost_focus() && ui.input(|input| input.key_pressed(key));
    let enter = left_by(egui::Key::Enter);
    if left_by(egui::Key::Escape) {
        // Nothing is rejected.
        (card.view.rejecting, card.view.takes_keyboard) = (None, true);
        return true;
    }
    Cx::new(ui, theme).border(field, radius::CONTROL, theme.line_strong);
    answer(ui, theme, card, foot, enter, out);
    false
}

/// The buttons below a reason.
fn answer(ui: &Ui, theme: &Theme, card: &mut Card, foot: Rect, enter: bool, out: &mut Vec<Action>) {
    let salt = card.number as u64;
    let reason = card.view.rejecting.as_deref().unwrap_or_default().trim().to_owned();
    let cx = Cx::new(ui, theme);
    let state = if reason.is_empty() { State::Disabled } else { State::Normal };
    let reject = Button::new(Kind::Danger, "Reject").state(state).salt(salt);
    let back = Button::new(Kind::Quiet, "Back").salt(salt);
    let mut x = foot.left() + space::M;
    let width = reject.width(&cx);
    let is_sent = reject.show(&cx, foot.row_box(x, vec2(width, 28.0))).clicked();
    x += width + 8.0;
    let goes_back = back.show(&cx, foot.row_box(x, vec2(back.width(&cx), 28.0))).clicked();
    if (is_sent || enter) && !reason.is_empty() {
        send(card, Decision::Reject { reason }, out);
        card.view.rejecting = None;
    } else if goes_back {
        (card.view.rejecting, card.view.takes_keyboard) = (None, true);
    }
}
