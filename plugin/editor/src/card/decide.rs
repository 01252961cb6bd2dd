//! The foot of a card: apply, reject with a reason, always allow.

use super::FOOTER;
use crate::action::Action;
use crate::icons;
use crate::kit::controls::{Button, Kind, State};
use crate::kit::{Cut, Cx};
use crate::model::Card;
use crate::theme::{Theme, Type, radius, space};
use deskhand_protocol::Decision;
use egui::{Rect, TextEdit, Ui, vec2};

/// Sends the decision that the ticks and edits stand for.
pub(super) fn apply(card: &mut Card, out: &mut Vec<Action>) {
    if card.view.was_sent {
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
    let label = apply_label(card);
    let is_off = card.view.was_sent || card.view.decision(&card.stored.plan).is_none();
    let state = if is_off { State::Disabled } else { State::Normal };
    let salt = card.number as u64;
    let buttons = [
        Button::new(Kind::Apply, &label).icon(icons::CHECK).key("Ctrl ⏎").state(state),
        Button::new(Kind::Secondary, "Reject…"),
        Button::new(Kind::Quiet, "Always allow"),
    ];
    let mut x = foot.left() + space::M;
    let clicked = buttons.map(|button| {
        let button = button.salt(salt);
        let width = button.width(&cx);
        let response = button.show(&cx, foot.row_box(x, vec2(width, 28.0)));
        x += width + 8.0;
        response.clicked()
    });
    match clicked {
        [true, _, _] => apply(card, out),
        [_, true, _] => card.view.rejecting = Some(String::new()),
        [_, _, true] if !card.view.was_sent => send(card, Decision::ApplyAlways, out),
        [_, _, _] => {}
    }
    cx.focused.get()
}

fn apply_label(card: &Card) -> String {
    let plan = &card.stored.plan;
    let ticked = plan.changes.len() - card.view.off.len();
    match ticked {
        _ if plan.changes.is_empty() => "Allow and run".into(),
        0 => "Nothing ticked".into(),
        1 => "Apply 1 change".into(),
        _ => format!("Apply {ticked} changes"),
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
    let salt = card.number as u64;
    let mut area = rect.pad(space::M, 0.0);
    let title = area.cut_top(32.0);
    Cx::new(ui, theme).left(
        title.left_mid(0.0),
        "Why not this plan?",
        Type::BODY_STRONG,
        theme.text,
    );
    let field = area.cut_top(32.0);
    let Some(reason) = &mut card.view.rejecting else { return false };
    let hint = "the model reads this";
    let edit = TextEdit::singleline(reason).hint_text(hint).font(Type::SMALL.font());
    let response = ui.put(field, edit.margin(egui::Margin::symmetric(8, 6)));
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Reason"));
    let reason = reason.trim().to_owned();
    let cx = Cx::new(ui, theme);
    cx.border(field, radius::CONTROL, theme.line_strong);
    let state = if reason.is_empty() { State::Disabled } else { State::Normal };
    let send_it = Button::new(Kind::Danger, "Reject").state(state).salt(salt);
    let back = Button::new(Kind::Quiet, "Back").salt(salt);
    let mut x = foot.left() + space::M;
    let width = send_it.width(&cx);
    let is_sent = send_it.show(&cx, foot.row_box(x, vec2(width, 28.0))).clicked();
    x += width + 8.0;
    let goes_back = back.show(&cx, foot.row_box(x, vec2(back.width(&cx), 28.0))).clicked();
    if is_sent && !reason.is_empty() {
        send(card, Decision::Reject { reason }, out);
        card.view.rejecting = None;
    } else if goes_back {
        card.view.rejecting = None;
    }
    false
}
