//! Notices: one sentence each, bottom left of the lanes; a question has a field for the answer.

mod names;

use crate::action::Action;
use crate::icons;
use crate::kit::controls::{Button, Kind, Said, State, announce};
use crate::kit::{Cut, Cx, above};
use crate::missing::{self, Install};
use crate::model::Model;
use crate::theme::{Theme, Type, radius};
use crate::ways::for_person;
use deskhand_protocol::CallId;
use deskhand_protocol::desk::{Notice, NoticeKind};
use deskhand_session::Session;
use egui::{Rect, TextEdit, Ui, pos2, vec2};
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// At most this many are shown; the rest is counted.
const SHOWN: usize = 3;
/// Height of the line that counts it.
const MORE: f32 = 32.0;
/// The button of a notice is another one than that of a line.
const NOTICE: u64 = u64::MAX;
/// Notices of this window's own failures start with it: the hub does not know them.
const OWN: &str = "window:";

/// The notice of a submission that failed.
pub(crate) fn failure(call: CallId, message: &str) -> Notice {
    let (notice_id, message) = (format!("{OWN}{}", call.0), message.to_owned());
    Notice { notice_id, message, kind: NoticeKind::Error, duration_ms: 0 }
}

/// The notice of what a person should know of an answer, until it is put away; none where there is nothing.
pub(crate) fn warning(call: CallId, warnings: &[String]) -> Option<Notice> {
    let (notice_id, message) = (format!("{OWN}{}", call.0), warnings.join(". "));
    let notice = Notice { notice_id, message, kind: NoticeKind::Info, duration_ms: 0 };
    (!warnings.is_empty()).then_some(notice)
}

/// The notice that a call found nothing to do; none where it did something.
pub(crate) fn nothing(call: CallId, summary: &str) -> Option<Notice> {
    let (notice_id, message) = (format!("{OWN}{}", call.0), summary.to_owned());
    let notice = Notice { notice_id, message, kind: NoticeKind::Info, duration_ms: 8000 };
    summary.starts_with("Nothing to change").then_some(notice)
}

/// The id of words of the application about `what`.
pub(crate) fn own(what: &str) -> String {
    format!("{OWN}{what}")
}

/// What notices keep between frames.
#[derive(Default)]
pub(crate) struct ToastsView {
    /// Answers that are being typed.
    answers: BTreeMap<String, String>,
    /// When those that go by themselves were shown first, s.
    since: BTreeMap<String, f64>,
    /// The field for the answer to the first question shall have the keyboard.
    pub(crate) goes_to_question: bool,
}

impl ToastsView {
    /// Words that were said before are said anew: they stay as long as others.
    pub(crate) fn begins_anew(&mut self, notice_id: &str) {
        self.since.remove(notice_id);
    }
}

/// A notice, and how often the same was said.
struct Heap {
    notice: Notice,
    times: usize,
}

/// Words that begin as a sentence does. What begins with a name in quotes or a path stays as it is.
fn sentence(words: &str) -> String {
    let mut rest = words.chars();
    let first = rest.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    first + rest.as_str()
}

impl Heap {
    /// What a person reads.
    fn words(&self, session: Option<&Session>) -> String {
        let words = for_person(&self.notice.message);
        let words = sentence(&session.map_or_else(|| words.clone(), |it| names::of(&words, it)));
        if self.times > 1 { format!("{words} ({} times)", self.times) } else { words }
    }

    fn is_of(&self, notice: &Notice) -> bool {
        let is_query = notice.kind == NoticeKind::Query;
        !is_query && (self.notice.kind, &self.notice.message) == (notice.kind, &notice.message)
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
pub(crate) fn show(
    ui: &mut Ui,
    theme: &Theme,
    model: &mut Model,
    area: Rect,
    out: &mut Vec<Action>,
) {
    expire(ui, model);
    let heaps = heaps(&model.notices);
    if heaps.is_empty() {
        return;
    }
    let ui = &mut above::ui(ui, area);
    let mut bottom = area.bottom() - 12.0;
    for heap in heaps.iter().take(SHOWN) {
        let height = toast(ui, theme, model, heap, pos2(area.left() + 12.0, bottom), area, out);
        bottom -= height + 8.0;
    }
    let more: usize = heaps.iter().skip(SHOWN).map(|heap| heap.times).sum();
    if more > 0 {
        let top_left = pos2(area.left() + 12.0, bottom - MORE);
        let rect = Rect::from_min_size(top_left, vec2(width(area), MORE));
        self::more(&Cx::new(ui, theme), model, rect, more, out);
        bottom -= MORE + 8.0;
    }
    let low = pos2(area.left() + 12.0 + width(area), area.bottom() - 12.0);
    above::cover(ui.ctx(), Rect::from_min_max(pos2(area.left() + 12.0, bottom + 8.0), low));
}

/// Those that go by themselves go when their time is over.
fn expire(ui: &Ui, model: &mut Model) {
    let now = ui.input(|input| input.time);
    let notices = &mut model.notices;
    let since = &mut model.toasts.since;
    notices.retain(|notice| {
        if notice.duration_ms == 0 {
            return true;
        }
        let first = *since.entry(notice.notice_id.clone()).or_insert(now);
        let left = first + notice.duration_ms as f64 / 1000.0 - now;
        if left > 0.0 {
            ui.ctx().request_repaint_after_secs(left as f32);
        }
        left > 0.0
    });
    since.retain(|id, _| notices.iter().any(|notice| notice.notice_id == *id));
}

fn width(area: Rect) -> f32 {
    (area.width() - 24.0).min(480.0)
}

/// How many are not shown, and a button that puts away all but the questions.
fn more(cx: &Cx<'_>, model: &mut Model, rect: Rect, count: usize, out: &mut Vec<Action>) {
    ground(cx, rect);
    let words = format!("and {count} more");
    let text = cx.left(rect.left_mid(12.0), &words, Type::SMALL, cx.t.text_2);
    let node = cx.interact(text, "more notices", egui::Sense::hover());
    node.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &words));
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
    theme: &Theme,
    model: &mut Model,
    heap: &Heap,
    at: egui::Pos2,
    area: Rect,
    out: &mut Vec<Action>,
) -> f32 {
    let (notice, words) = (&heap.notice, heap.words(model.session()));
    let is_query = notice.kind == NoticeKind::Query;
    let width = width(area);
    let tall = Cx::new(ui, theme).para_height(&words, Type::SMALL, width - 80.0);
    let offer = missing::of(model, &notice.message).filter(|offer| !offer.is_busy);
    let has_row = is_query || offer.is_some();
    let height = tall + 20.0 + if has_row { 40.0 } else { 0.0 };
    let rect = Rect::from_min_size(pos2(at.x, at.y - height), vec2(width, height));
    let cx = Cx::new(ui, theme);
    // The toast takes clicks that fall on it, so that they do not reach what lies below.
    let whole = cx.interact(rect, ("toast", &notice.notice_id), egui::Sense::CLICK);
    whole.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &words));
    let is_error = notice.kind == NoticeKind::Error;
    announce(&whole, if is_error { Said::Urgently } else { Said::InTurn });
    ground(&cx, rect);
    let (icon, color) = look(theme, notice.kind);
    cx.icon_fill(rect.min + vec2(20.0, 18.0), icon, 16.0, color);
    cx.para(rect.min + vec2(36.0, 10.0), &words, Type::SMALL, theme.text, width - 80.0);
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

/// A failure of this window is known here alone, and the hub forgets at once what goes by itself; it is told of the
/// others.
fn put_away(model: &mut Model, notice: &Notice, out: &mut Vec<Action>) {
    model.notices.retain(|known| known.notice_id != notice.notice_id);
    if !notice.notice_id.starts_with(OWN) && notice.duration_ms == 0 {
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
    let text = model.toasts.answers.entry(notice.notice_id.clone()).or_default();
    let mut field = row;
    let button_rect = field.cut_right(80.0);
    let edit = TextEdit::singleline(text).hint_text("Your answer").font(Type::SMALL.font());
    let response = ui.put(field, edit.margin(egui::Margin::symmetric(8, 6)));
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Your answer"));
    let words = text.trim().to_owned();
    if std::mem::take(&mut model.toasts.goes_to_question) {
        response.request_focus();
    }
    let cx = Cx::new(ui, theme);
    let state = if words.is_empty() { State::Disabled } else { State::Normal };
    let mut salt = DefaultHasher::new();
    notice.notice_id.hash(&mut salt);
    let button = Button::new(Kind::Secondary, "Answer").salt(salt.finish()).state(state);
    let clicked = button.show(&cx, button_rect.row_box(button_rect.left() + 8.0, vec2(72.0, 28.0)));
    let enter = response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
    if (clicked.clicked() || enter) && !words.is_empty() {
        model.toasts.answers.remove(&notice.notice_id);
        model.notices.retain(|known| known.notice_id != notice.notice_id);
        let notice_id = notice.notice_id.clone();
        out.push(Action::AnswerNotice { notice_id, answer: Some(words) });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui_tests::{Desk, event, harness, open_model};
    use deskhand_protocol::News;
    use egui::accesskit::Live;
    use egui_kittest::Harness;
    use egui_kittest::kittest::{NodeT as _, Queryable as _};

    fn shown(notices: &[(&str, NoticeKind, u64)]) -> Harness<'static, Desk> {
        let mut model = open_model();
        for (number, (message, kind, duration_ms)) in (2_u64..).zip(notices) {
            let (notice_id, message) = (format!("notice_{number}"), (*message).to_owned());
            let notice = Notice { notice_id, message, kind: *kind, duration_ms: *duration_ms };
            drop(model.hear(&event(number, None, News::Notice { notice })));
        }
        let mut harness = harness(model);
        harness.run_steps(3);
        harness
    }

    fn answered(number: u64, answer: Option<&str>) -> Action {
        let answer = answer.map(str::to_owned);
        Action::AnswerNotice { notice_id: format!("notice_{number}"), answer }
    }

    #[test]
    fn what_goes_by_itself_goes_and_the_hub_is_not_told() {
        let notices = [("Done", NoticeKind::Info, 3000), ("Saved", NoticeKind::Info, 60_000)];
        let mut harness = shown(&notices);
        assert!(harness.query_by_label("Done").is_some());
        // A quarter of a second each.
        harness.run_steps(20);
        assert!(harness.query_by_label("Done").is_none());
        assert!(harness.query_by_label("Saved").is_some());
        harness.get_by_label("Put away").click();
        harness.run_steps(2);
        assert!(harness.query_by_label("Saved").is_none());
        assert_eq!(harness.state().actions, []);
    }

    #[test]
    fn what_stays_is_put_away_and_the_hub_is_told() {
        let mut harness = shown(&[("Look here", NoticeKind::Info, 0)]);
        harness.get_by_label("Put away").click();
        harness.run_steps(2);
        assert!(harness.query_by_label("Look here").is_none());
        assert_eq!(harness.state().actions, [answered(2, None)]);
    }

    #[test]
    fn a_question_stays_in_view_and_is_answered() {
        let told = |words| (words, NoticeKind::Info, 0);
        let question = ("Which take?", NoticeKind::Query, 0);
        let mut harness = shown(&[question, told("One"), told("Two"), told("Three")]);
        assert!(harness.query_by_label("Which take?").is_some());
        assert!(harness.query_by_label("One").is_none());
        harness.get_by_label("Your answer").focus();
        harness.run_steps(2);
        harness.get_by_label("Your answer").type_text("the second");
        harness.run_steps(2);
        harness.get_by_label("Answer").click();
        harness.run_steps(2);
        assert_eq!(harness.state().actions, [answered(2, Some("the second"))]);
        assert!(harness.query_by_label("Which take?").is_none());
        assert!(harness.query_by_label("One").is_some(), "there is room for it again");
    }

    #[test]
    fn of_two_questions_each_is_answered_by_its_own_field_and_button() {
        let question = |words| (words, NoticeKind::Query, 0);
        let mut harness = shown(&[question("Which take?"), question("How loud?")]);
        harness.get_all_by_label("Answer").next().unwrap().click();
        harness.run_steps(2);
        assert_eq!(harness.state().actions, [], "nothing was typed");
        // The first stands lowest.
        let fields = |harness: &Harness<'_, Desk>| {
            let mut all: Vec<_> =
                harness.get_all_by_label("Your answer").map(|node| node.rect().center()).collect();
            all.sort_by(|a, b| b.y.total_cmp(&a.y));
            all
        };
        for (place, words) in ["the second", "-16"].into_iter().enumerate() {
            let at = fields(&harness)[place];
            harness.hover_at(at);
            harness.drag_at(at);
            harness.drop_at(at);
            harness.run_steps(2);
            harness.event(egui::Event::Text(words.into()));
            harness.run_steps(2);
        }
        let lower = fields(&harness)[0];
        let buttons = harness.get_all_by_label("Answer");
        let of_first = buttons.min_by_key(|node| (node.rect().center().y - lower.y).abs() as i32);
        of_first.unwrap().click();
        harness.run_steps(2);
        assert_eq!(harness.state().actions, [answered(2, Some("the second"))]);
        harness.get_by_label("Your answer").focus();
        harness.run_steps(2);
        harness.key_press(egui::Key::Enter);
        harness.run_steps(2);
        assert_eq!(harness.state().actions[1..], [answered(3, Some("-16"))]);
    }

    #[test]
    fn a_question_that_is_put_away_has_no_answer() {
        let mut harness = shown(&[("Which take?", NoticeKind::Query, 0)]);
        harness.get_by_label("Your answer").focus();
        harness.run_steps(2);
        harness.get_by_label("Your answer").type_text("the second");
        harness.run_steps(2);
        harness.get_by_label("Put away").click();
        harness.run_steps(2);
        assert_eq!(harness.state().actions, [answered(2, None)]);
        assert!(harness.query_by_label("Which take?").is_none());
    }

    #[test]
    fn the_same_words_stand_once_and_go_at_once() {
        let same = ("there is nothing to take back", NoticeKind::Error, 0);
        let mut harness = shown(&[same, same, same]);
        assert!(harness.query_by_label("There is nothing to take back (3 times)").is_some());
        harness.get_by_label("Put away").click();
        harness.run_steps(2);
        assert_eq!(harness.state().actions, [2, 3, 4].map(|number| answered(number, None)));
        assert!(harness.state().model.notices.is_empty());
    }

    #[test]
    fn what_is_not_shown_is_counted_and_put_away_with_the_rest_but_for_questions() {
        let told = |words| (words, NoticeKind::Info, 0);
        let question = ("Which take?", NoticeKind::Query, 0);
        let all = [told("One"), question, told("Two"), told("Three"), told("Four")];
        let mut harness = shown(&all);
        assert!(harness.query_by_label("and 2 more").is_some());
        harness.get_by_label("Put all away").click();
        harness.run_steps(3);
        assert!(harness.query_by_label("Put all away").is_none());
        assert!(harness.query_by_label("Which take?").is_some());
        assert_eq!(harness.state().actions.len(), 4);
    }

    #[test]
    fn what_comes_is_said_by_a_screen_reader_and_an_error_at_once() {
        let harness = shown(&[("Done", NoticeKind::Info, 0), ("It failed", NoticeKind::Error, 0)]);
        let live = |words: &str| harness.get_by_label(words).accesskit_node().live();
        assert_eq!(["Done", "It failed"].map(live), [Live::Polite, Live::Assertive]);
    }

    #[test]
    fn a_tool_is_named_by_what_a_person_says_for_it() {
        let words = "nothing is written down there yet; transcribe it first: tool_transcribe";
        let harness = shown(&[(words, NoticeKind::Error, 0)]);
        let told =
            "Nothing is written down there yet; transcribe it first: say \"transcribe everything\"";
        assert!(harness.query_by_label(told).is_some());
    }
}
