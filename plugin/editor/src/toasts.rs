//! Notices of one sentence, at the bottom left of the lanes, next to floating windows if there is room. A
//! question has choices and a field for the answer.

mod answer;
pub(crate) mod names;
pub(crate) mod notices;
pub(crate) mod view;

use crate::action::{Action, Actions};
use crate::icons;
use crate::kit::controls::{Button, Kind, Urgency, announce};
use crate::kit::{Cut, Cx, above};
use crate::missing::{self, Install};
use crate::model::Model;
use crate::theme::{Theme, Type, radius};
use deskhand_protocol::desk::{Notice, NoticeKind};
use egui::{Rect, Ui, pos2, vec2};
use notices::{OWN, sentence};

/// At most this many are shown; the rest is counted.
const SHOWN: usize = 3;
/// Height of the line that counts it.
const MORE: f32 = 32.0;
/// The distance between them and their surroundings, points.
const EDGE: f32 = 12.0;
/// The least and the most width of one, points.
const WIDTH: (f32, f32) = (220.0, 480.0);
/// The button of a notice needs another id than that of a line.
const NOTICE: u64 = u64::MAX;

/// A notice, and how often the same was said.
struct Heap {
    notice: Notice,
    times: usize,
}

impl Heap {
    /// The text for a person. If the notice `has_button`, a button next to it installs what is missing.
    fn words(&self, model: &Model, has_button: bool) -> String {
        let message = self.notice.message.as_str();
        let message = if has_button { missing::beside_button(message) } else { message };
        let words = model.tools.for_person(message);
        let words = sentence(&model.without_ids(&words));
        if self.times > 1 { format!("{words} ({} times)", self.times) } else { words }
    }

    fn is_of(&self, notice: &Notice) -> bool {
        is_same(&self.notice, notice)
    }
}

/// Questions in the order they came, then the others from the newest on, the same words once.
fn heaps(notices: &[Notice]) -> Vec<Heap> {
    let is_query = |notice: &&Notice| notice.kind == NoticeKind::Query;
    let asked = notices.iter().filter(is_query);
    let told = notices.iter().rev().filter(|it| !is_query(it));
    let mut heaps: Vec<Heap> = Vec::new();
    for notice in asked.chain(told) {
        match heaps.iter_mut().find(|heap| heap.is_of(notice)) {
            Some(heap) => heap.times += 1,
            None => heaps.push(Heap { notice: notice.clone(), times: 1 }),
        }
    }
    heaps
}

/// Draws the first notices from the bottom up, and how many more there are.
pub(crate) fn show(ui: &mut Ui, model: &mut Model, area: Rect, out: &mut Actions) {
    expire(ui, model);
    let heaps = heaps(&model.notices);
    if heaps.is_empty() {
        return;
    }
    let area = free(area, &above::windows(ui.ctx()), model.toasts.tall);
    let ui = &mut above::ui(ui, area);
    let mut bottom = area.bottom() - EDGE;
    for heap in heaps.iter().take(SHOWN) {
        let height = toast(ui, model, heap, pos2(area.left() + EDGE, bottom), area, out);
        bottom -= height + 8.0;
    }
    let more: usize = heaps.iter().skip(SHOWN).map(|heap| heap.times).sum();
    if more > 0 {
        let top_left = pos2(area.left() + EDGE, bottom - MORE);
        let rect = Rect::from_min_size(top_left, vec2(width(area), MORE));
        self::more(&Cx::new(ui), model, rect, more, out);
        bottom -= MORE + 8.0;
    }
    let low = pos2(area.left() + EDGE + width(area), area.bottom() - EDGE);
    let all = Rect::from_min_max(pos2(area.left() + EDGE, bottom + 8.0), low);
    model.toasts.tall = all.height();
    above::cover(ui.ctx(), all);
}

/// The part of `area` for notices of this height: beside the windows if there is room, so that their
/// buttons stay reachable.
fn free(area: Rect, windows: &[Rect], tall: f32) -> Rect {
    let band = area.with_min_y(area.bottom() - tall - 2.0 * EDGE);
    let mut taken: Vec<Rect> = windows.iter().copied().filter(|it| it.intersects(band)).collect();
    taken.sort_by(|one, other| one.left().total_cmp(&other.left()));
    let (mut from, mut gaps) = (area.left(), Vec::new());
    for window in &taken {
        gaps.push(area.with_min_x(from).with_max_x(window.left()));
        from = from.max(window.right());
    }
    gaps.push(area.with_min_x(from));
    let has = |gap: &&Rect, least: f32| gap.width() - 2.0 * EDGE >= least;
    let whole = gaps.iter().find(|gap| has(gap, width(area)));
    let widest = gaps.iter().max_by(|one, other| one.width().total_cmp(&other.width()));
    whole.or(widest.filter(|gap| has(gap, WIDTH.0))).copied().unwrap_or(area)
}

/// Removes notices that disappear by themselves, when their time is over.
fn expire(ui: &Ui, model: &mut Model) {
    let now = ui.input(|input| input.time);
    let since = &mut model.toasts.since;
    let mut left_of = |notice: &Notice| {
        if notice.duration_ms == 0 {
            return f64::INFINITY;
        }
        let first = *since.entry(notice.notice_id.clone()).or_insert(now);
        first + notice.duration_ms as f64 / 1000.0 - now
    };
    let all: Vec<(Notice, f64)> =
        model.notices.iter().map(|notice| (notice.clone(), left_of(notice))).collect();
    let staying = all.iter().map(|(_, left)| *left).filter(|left| *left > 0.0);
    let next = staying.fold(f64::INFINITY, f64::min);
    if next.is_finite() {
        ui.ctx().request_repaint_after_secs(next as f32);
    }
    // Equal messages are removed together, so that the count never drops.
    model
        .notices
        .retain(|notice| all.iter().any(|(other, left)| *left > 0.0 && is_same(notice, other)));
    let notices = &model.notices;
    model.toasts.since.retain(|id, _| notices.iter().any(|notice| notice.notice_id == *id));
}

/// Whether two notices are shown as one. Each question stays separate.
fn is_same(notice: &Notice, other: &Notice) -> bool {
    let is_told = notice.kind != NoticeKind::Query;
    let says_same = (notice.kind, &notice.message) == (other.kind, &other.message);
    notice.notice_id == other.notice_id || is_told && says_same
}

fn width(area: Rect) -> f32 {
    (area.width() - 2.0 * EDGE).min(WIDTH.1)
}

/// How many are not shown, and a button that puts away all but the questions.
fn more(cx: &Cx<'_>, model: &mut Model, rect: Rect, count: usize, out: &mut Actions) {
    ground(cx, rect);
    let words = format!("and {count} more");
    let text = cx.left(rect.left_mid(12.0), &words, Type::SMALL, cx.t.text_2);
    cx.label(text, "more notices", &words);
    let told = model.notices.iter().filter(|notice| notice.kind != NoticeKind::Query);
    let told: Vec<Notice> = told.cloned().collect();
    let button = Button::new(Kind::Quiet, "Put all away");
    let width = button.width(cx);
    let cell = rect.row_box(rect.right() - width - 4.0, vec2(width, 24.0));
    if !told.is_empty() && button.show(cx, cell).clicked() {
        told.iter().for_each(|notice| put_away(model, notice, out));
    }
}

fn ground(cx: &Cx<'_>, rect: Rect) {
    cx.shadow(rect, radius::CARD);
    cx.fill(rect, radius::CARD, cx.t.raised);
    cx.border(rect, radius::CARD, cx.t.line_strong);
}

fn toast(
    ui: &mut Ui,
    model: &mut Model,
    heap: &Heap,
    at: egui::Pos2,
    area: Rect,
    out: &mut Actions,
) -> f32 {
    let notice = &heap.notice;
    let offer = missing::of(model, &notice.message).filter(|offer| !offer.is_busy);
    let words = heap.words(model, offer.is_some());
    let is_query = notice.kind == NoticeKind::Query;
    let width = width(area);
    let cx = Cx::new(ui);
    let tall = cx.para_height(&words, Type::SMALL, width - 80.0);
    let below = below(&cx, notice, offer.is_some(), width);
    let height = tall + 20.0 + below;
    let rect = Rect::from_min_size(pos2(at.x, at.y - height), vec2(width, height));
    // The toast takes the clicks on it, so that they do not reach what is below.
    let whole = cx.interact(rect, ("toast", &notice.notice_id), egui::Sense::CLICK);
    whole.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &words));
    let is_error = notice.kind == NoticeKind::Error;
    announce(&whole, if is_error { Urgency::Urgently } else { Urgency::InTurn });
    ground(&cx, rect);
    let (icon, color) = look(cx.t, notice.kind);
    cx.icon_fill(rect.min + vec2(20.0, 18.0), icon, 16.0, color);
    cx.para(rect.min + vec2(36.0, 10.0), &words, Type::SMALL, cx.t.text, width - 80.0);
    let close =
        Rect::from_center_size(pos2(rect.right() - 18.0, rect.top() + 18.0), vec2(24.0, 24.0));
    let closed = close_button(&cx, close, &notice.notice_id);
    drop(cx);
    if closed {
        let same: Vec<Notice> = model.notices.iter().filter(|it| heap.is_of(it)).cloned().collect();
        let all = if same.is_empty() { std::slice::from_ref(notice) } else { &same };
        all.iter().for_each(|notice| put_away(model, notice, out));
    }
    if is_query {
        let place = rect.pad(12.0, 8.0).cut_bottom(below - 8.0);
        answer::show(ui, model, notice, place, out);
    }
    if let Some(offer) = offer {
        let mut row = rect.pad(12.0, 8.0);
        let mut row = row.cut_bottom(missing::ROW);
        row.cut_left(24.0);
        if Install::of(&offer).show(&Cx::new(ui), row, NOTICE, out) {
            put_away(model, notice, out);
        }
    }
    height
}

/// The height of what comes below the text: an answer field, or an offer.
fn below(cx: &Cx<'_>, notice: &Notice, has_offer: bool, width: f32) -> f32 {
    if notice.kind == NoticeKind::Query {
        return answer::height(cx, notice, width - 24.0) + 8.0;
    }
    if has_offer { missing::ROW + 8.0 } else { 0.0 }
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
    let response = cx.button(rect, ("close", id), "Put away");
    let color = if response.hovered() { cx.t.text } else { cx.t.text_3 };
    cx.icon(rect.center(), icons::X, 12.0, color);
    cx.ring(&response, rect.shrink(4.0), radius::CONTROL);
    response.clicked()
}

/// Closes a notice. The hub is told, except for two kinds: a failure that only this window knows, and a
/// notice that the hub drops by itself.
fn put_away(model: &mut Model, notice: &Notice, out: &mut Actions) {
    model.notices.retain(|known| known.notice_id != notice.notice_id);
    if !notice.notice_id.starts_with(OWN) && notice.duration_ms == 0 {
        let notice_id = notice.notice_id.clone();
        out.push(Action::AnswerNotice { notice_id, answer: None });
    }
}

#[cfg(test)]
mod tests;
