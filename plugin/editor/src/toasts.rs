//! Notices: one sentence each, bottom left of the lanes; a question has a field for the answer.

use crate::action::Action;
use crate::icons;
use crate::kit::controls::{Button, Kind, State};
use crate::kit::{Cut, Cx};
use crate::missing::{self, Install};
use crate::model::Model;
use crate::theme::{Theme, Type, radius};
use deskhand_protocol::CallId;
use deskhand_protocol::desk::{Notice, NoticeKind};
use egui::{Rect, TextEdit, Ui, pos2, vec2};

/// At most this many are shown, the newest lowest.
const SHOWN: usize = 3;
/// The button of a notice is another one than that of a line.
const NOTICE: u64 = u64::MAX;
/// Notices of this window's own failures start with it: the hub does not know them.
const OWN: &str = "window:";

/// The notice of a submission that failed.
pub(crate) fn failure(call: CallId, message: &str) -> Notice {
    let (notice_id, message) = (format!("{OWN}{}", call.0), message.to_owned());
    Notice { notice_id, message, kind: NoticeKind::Error, duration_ms: 0 }
}

/// The id of words of the application about `what`.
pub(crate) fn own(what: &str) -> String {
    format!("{OWN}{what}")
}

/// Draws the newest notices.
pub(crate) fn show(
    ui: &mut Ui,
    theme: &Theme,
    model: &mut Model,
    area: Rect,
    out: &mut Vec<Action>,
) {
    let notices: Vec<Notice> = model.notices.iter().rev().take(SHOWN).cloned().collect();
    let mut bottom = area.bottom() - 12.0;
    for notice in notices {
        let height = toast(ui, theme, model, &notice, pos2(area.left() + 12.0, bottom), area, out);
        bottom -= height + 8.0;
    }
}

fn toast(
    ui: &mut Ui,
    theme: &Theme,
    model: &mut Model,
    notice: &Notice,
    at: egui::Pos2,
    area: Rect,
    out: &mut Vec<Action>,
) -> f32 {
    let is_query = notice.kind == NoticeKind::Query;
    let width = (area.width() - 24.0).min(480.0);
    let words = Cx::new(ui, theme).para_height(&notice.message, Type::SMALL, width - 80.0);
    let offer = missing::of(model, &notice.message).filter(|offer| !offer.is_busy);
    let has_row = is_query || offer.is_some();
    let height = words + 20.0 + if has_row { 40.0 } else { 0.0 };
    let rect = Rect::from_min_size(pos2(at.x, at.y - height), vec2(width, height));
    let cx = Cx::new(ui, theme);
    // The toast takes clicks that fall on it, so that they do not reach what lies below.
    let whole = cx.interact(rect, ("toast", &notice.notice_id), egui::Sense::click());
    whole.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &notice.message));
    cx.shadow(rect, radius::CARD);
    cx.fill(rect, radius::CARD, theme.raised);
    cx.border(rect, radius::CARD, theme.line_strong);
    let (icon, color) = look(theme, notice.kind);
    cx.icon_fill(rect.min + vec2(20.0, 18.0), icon, 16.0, color);
    cx.para(rect.min + vec2(36.0, 10.0), &notice.message, Type::SMALL, theme.text, width - 80.0);
    let close =
        Rect::from_center_size(pos2(rect.right() - 18.0, rect.top() + 18.0), vec2(24.0, 24.0));
    let closed = close_button(&cx, close, &notice.notice_id);
    drop(cx);
    if closed {
        put_away(model, notice, out);
    }
    if is_query {
        let mut row = rect.pad(12.0, 8.0);
        answer(ui, theme, model, notice, row.cut_bottom(32.0), out);
    }
    if let Some(offer) = offer {
        let mut row = rect.pad(12.0, 8.0);
        let mut row = row.cut_bottom(missing::ROW);
        row.cut_left(24.0);
        if Install::of(&offer).show(&Cx::new(ui, theme), row, NOTICE, out) {
            put_away(model, notice, out);
        }
    }
    height
}

fn look(theme: &Theme, kind: NoticeKind) -> (char, egui::Color32) {
    match kind {
        NoticeKind::Success => (icons::CHECK_CIRCLE, theme.ok),
        NoticeKind::Error => (icons::WARNING_CIRCLE, theme.danger),
        NoticeKind::Info | NoticeKind::Progress => (icons::INFO, theme.text_2),
        NoticeKind::Query => (icons::QUESTION, theme.text_2),
    }
}

fn close_button(cx: &Cx<'_>, rect: Rect, id: &str) -> bool {
    let response = cx.interact(rect, ("close", id), egui::Sense::click());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, "Put away"));
    let color = if response.hovered() { cx.t.text } else { cx.t.text_3 };
    cx.icon(rect.center(), icons::X, 12.0, color);
    response.clicked()
}

/// A failure of this window is known here alone; the hub is told of the others.
fn put_away(model: &mut Model, notice: &Notice, out: &mut Vec<Action>) {
    model.notices.retain(|known| known.notice_id != notice.notice_id);
    if !notice.notice_id.starts_with(OWN) {
        let notice_id = notice.notice_id.clone();
        out.push(Action::AnswerNotice { notice_id, answer: None });
    }
}

fn answer(
    ui: &mut Ui,
    theme: &Theme,
    model: &mut Model,
    notice: &Notice,
    row: Rect,
    out: &mut Vec<Action>,
) {
    let text = model.answers.entry(notice.notice_id.clone()).or_default();
    let mut field = row;
    let button_rect = field.cut_right(80.0);
    let edit = TextEdit::singleline(text).hint_text("Your answer").font(Type::SMALL.font());
    let response = ui.put(field, edit.margin(egui::Margin::symmetric(8, 6)));
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Your answer"));
    let words = text.trim().to_owned();
    let cx = Cx::new(ui, theme);
    let state = if words.is_empty() { State::Disabled } else { State::Normal };
    let button = Button::new(Kind::Secondary, "Answer").state(state);
    let clicked = button.show(&cx, button_rect.row_box(button_rect.left() + 8.0, vec2(72.0, 28.0)));
    let enter = response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
    if (clicked.clicked() || enter) && !words.is_empty() {
        model.answers.remove(&notice.notice_id);
        model.notices.retain(|known| known.notice_id != notice.notice_id);
        let notice_id = notice.notice_id.clone();
        out.push(Action::AnswerNotice { notice_id, answer: Some(words) });
    }
}
