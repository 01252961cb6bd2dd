//! The foot of a card: apply, reject, with a reason or without, always allow; while it applies, how far it is.

use super::deciding::Rejecting;
use super::measure_again;
use super::place::{FOOTER, Place};
use crate::action::{Action, Actions};
use crate::card::view::Card;
use crate::icons;
use crate::kit::choice::chip;
use crate::kit::controls::{Button, Kind, State, hint, progress};
use crate::kit::{Cut, Cx, field};
use crate::theme::{Type, radius, space};
use deskhand_protocol::Decision;
use deskhand_session::{PlanState, Session};
use egui::{Rect, Response, TextEdit, Ui, pos2, vec2};

const REASONS: [&str; 4] = ["Too much", "Wrong track", "Wrong place", "I prefer it now"];
/// Between two buttons.
const GAP: f32 = 8.0;
const ALWAYS: &str =
    "Apply it, and from now on what this tool plans in this session without asking";
/// Why a plan that is not taken as it came has no rule.
const ALL_OR_NONE: &str = "It takes the plan as it came: tick every change and leave its values, or apply this part \
                           and allow the tool in the preferences";
/// Why a plan with rows that nobody heard has no rule.
const UNHEARD: &str = "Hear each row that is to be heard first: no rule takes what nobody heard";
/// Why a plan without ticks is not applied.
const NO_TICK: &str = "Tick a change to apply it";
/// How a plan that was taken can be taken back.
const ONE_STEP: &str = "One undo step";
/// The height of the question for a reason, above the buttons.
const REASON: f32 = 108.0;

pub(super) fn height(card: &Card) -> f32 {
    if card.view.deciding.rejecting.is_some() { FOOTER + REASON } else { FOOTER }
}

/// Sends the decision that the ticks and edits make. Text that is being typed counts, because the card
/// shows it.
pub(super) fn apply(card: &mut Card, session: &Session, out: &mut Actions) {
    let is_open = card.stored.state == PlanState::Waiting && !card.view.deciding.was_sent;
    if !is_open || !card.view.values.settle(&card.stored.plan, session) {
        return;
    }
    if card.view.parts.is_narrowed() {
        return measure_again::narrow(card, out);
    }
    if let Some(decision) = card.view.decision(&card.stored.plan) {
        send(card, decision, out);
    }
}

fn send(card: &mut Card, decision: Decision, out: &mut Actions) {
    card.view.deciding.was_sent = true;
    card.view.hearing.end_steps(out);
    out.push(Action::Decide { plan: card.stored.plan.id, decision });
}

/// Draws the foot; says whether the keyboard is in it.
pub(super) fn show(
    ui: &mut Ui,
    place: &Place<'_>,
    card: &mut Card,
    rect: Rect,
    out: &mut Actions,
) -> bool {
    let mut rest = rect;
    let foot = rest.cut_bottom(FOOTER);
    if card.view.deciding.rejecting.is_some() {
        return reject(ui, place, card, rest, foot, out);
    }
    let cx = Cx::new(ui);
    cx.hline(foot.left() + 1.0, foot.right() - 1.0, foot.top(), cx.t.line);
    if card.stored.state == PlanState::Applying || card.view.deciding.is_let_run() {
        applying(&cx, card, foot, out);
    } else {
        let left = buttons(&cx, place, card, foot, out);
        if place.is_wide && !card.stored.plan.changes.is_empty() {
            note(&cx, left);
        }
    }
    cx.focused.get()
}

/// Backspace asks for the reason of a rejection; the person sends it.
pub(super) fn reject_by_key(ui: &Ui, card: &mut Card) {
    let is_open = card.stored.state == PlanState::Waiting && !card.view.deciding.was_sent;
    let pressed = |ui: &Ui| {
        ui.input_mut(|input| input.consume_key(egui::Modifiers::NONE, egui::Key::Backspace))
    };
    if is_open && !ui.ctx().text_edit_focused() && pressed(ui) {
        ask_why(card);
    }
}

/// Opens the question for a reason; one line has no room for it.
fn ask_why(card: &mut Card) {
    let rejecting = Rejecting { reason: String::new(), takes_keyboard: true };
    card.view.deciding.rejecting = Some(rejecting);
    card.view.folds.is_whole = true;
}

/// Writes the number of steps that applying the plan makes, in the part of the foot that the buttons leave
/// free.
fn note(cx: &Cx<'_>, left: Rect) {
    if cx.width(ONE_STEP, Type::CAPTION) + 2.0 * space::M < left.width() {
        cx.right(left.right_mid(space::M), ONE_STEP, Type::CAPTION, cx.t.text_3);
    }
}

/// Draws the buttons. Returns the part of the foot that they leave free.
fn buttons(cx: &Cx<'_>, place: &Place<'_>, card: &mut Card, foot: Rect, out: &mut Actions) -> Rect {
    let asks_to_run = card.stored.plan.changes.is_empty();
    let is_on = match narrowing(card) {
        Some((_, is_on)) => is_on,
        None if asks_to_run => !card.view.deciding.was_sent,
        None => card.view.can_apply(&card.stored.plan),
    };
    let room = foot.width() - 2.0 * space::M;
    let sizes = [Size::Whole, Size::WithoutKey, Size::FewWords, Size::Least];
    let labels = sizes.map(|size| Labels::of(card, size));
    let fits = |labels: &&Labels| labels.width(cx) <= room;
    let Some(labels) = labels.iter().find(fits).or(labels.last()) else { return Rect::NOTHING };
    let salt = card.number as u64;
    let height = if place.is_wide { 32.0 } else { 28.0 };
    let mut x = foot.left() + space::M;
    let mut cell = |button: &Button<'_>| {
        let width = button.width(cx);
        x += width + GAP;
        foot.row_box(x - width - GAP, vec2(width, height))
    };
    let state = if is_on { State::Normal } else { State::Disabled };
    let button = labels.apply().state(state).salt(salt);
    let response = button.show(cx, cell(&button));
    let applies = with_hint(response, card).clicked();
    let button = labels.reject().salt(salt);
    let rejects = button.show(cx, cell(&button)).clicked();
    let allows = labels.always().is_some_and(|button| {
        let (is_whole, hint) = whole(card);
        let state = if is_whole && is_on { State::Normal } else { State::Disabled };
        let button = button.state(state).salt(salt);
        button.show(cx, cell(&button)).on_hover_text(hint).clicked()
    });
    if applies {
        apply(card, place.session, out);
    } else if rejects {
        ask_why(card);
    } else if allows && !card.view.deciding.was_sent && is_as_planned(card, place.session) {
        send(card, Decision::ApplyAlways, out);
    }
    foot.with_min_x(x)
}

/// Has the button that applies say why it cannot, where nothing is ticked.
fn with_hint(response: Response, card: &Card) -> Response {
    let plan = &card.stored.plan;
    let is_bare = !plan.changes.is_empty() && !card.view.has_tick(plan);
    if is_bare { hint(response, NO_TICK) } else { response }
}

/// The label of the apply button while some parts are unticked, and whether the button is enabled.
fn narrowing(card: &Card) -> Option<(String, bool)> {
    card.view.parts.narrowing(&card.stored.plan, card.view.deciding.was_sent)
}

/// Whether the plan is taken without edits. Text that is being typed counts, because the card shows it.
fn is_as_planned(card: &mut Card, session: &Session) -> bool {
    card.view.values.settle(&card.stored.plan, session) && card.view.takes_all()
}

/// Whether taking the plan can make a rule, and the text about that.
fn whole(card: &Card) -> (bool, &'static str) {
    if !card.view.takes_all() {
        (false, ALL_OR_NONE)
    } else if !card.view.hearing.is_all_heard(&card.stored.plan) {
        (false, UNHEARD)
    } else {
        (true, ALWAYS)
    }
}

/// How much the buttons say: the hint of the key goes first, then words.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Size {
    Whole,
    WithoutKey,
    FewWords,
    Least,
}

struct Labels {
    apply: String,
    has_key: bool,
    reject: &'static str,
    /// No rule lowers what must always be asked.
    always: Option<&'static str>,
}

impl Labels {
    fn of(card: &Card, size: Size) -> Self {
        let asks_to_run = card.stored.plan.changes.is_empty();
        let always = match size {
            Size::Whole | Size::WithoutKey => "Always allow",
            Size::FewWords | Size::Least => "Always",
        };
        Self {
            apply: apply_label(card, size),
            has_key: size == Size::Whole,
            reject: if asks_to_run { "Refuse…" } else { "Reject…" },
            always: (!asks_to_run).then_some(always),
        }
    }

    fn apply(&self) -> Button<'_> {
        let button = Button::new(Kind::Apply, &self.apply).icon(icons::CHECK);
        if self.has_key { button.key("Ctrl ⏎") } else { button }
    }

    fn reject(&self) -> Button<'_> {
        Button::new(Kind::Secondary, self.reject)
    }

    fn always(&self) -> Option<Button<'_>> {
        self.always.map(|label| Button::new(Kind::Quiet, label))
    }

    fn width(&self, cx: &Cx<'_>) -> f32 {
        let always = self.always().map_or(0.0, |button| button.width(cx) + GAP);
        self.apply().width(cx) + GAP + self.reject().width(cx) + always
    }
}

fn applying(cx: &Cx<'_>, card: &Card, foot: Rect, out: &mut Actions) {
    let what = if card.view.deciding.is_let_run() { "Running" } else { "Applying" };
    let percent = format!("{what}, {:.0} %", card.view.deciding.progress * 100.0);
    let text = cx.left(foot.left_mid(space::M), &percent, Type::SMALL_STRONG, cx.t.text);
    cx.label(text, ("applying", card.number), &percent);
    let cancel = Button::new(Kind::Secondary, "Cancel").salt(card.number as u64);
    let width = cancel.width(cx);
    let cell = foot.row_box(foot.right() - space::M - width, vec2(width, 28.0));
    let bar = Rect::from_min_max(
        pos2(text.right() + space::M, foot.center().y - 2.0),
        pos2(cell.left() - space::M, foot.center().y + 2.0),
    );
    progress(cx, bar, card.view.deciding.progress as f32);
    if let Some(call) = card.view.deciding.call()
        && cancel.show(cx, cell).clicked()
    {
        out.push(Action::Cancel(call));
    }
}

fn apply_label(card: &Card, size: Size) -> String {
    let plan = &card.stored.plan;
    if let Some((label, _)) = narrowing(card) {
        return label;
    }
    match card.view.ticks.count(plan) {
        _ if plan.changes.is_empty() => "Allow and run".into(),
        0 => "Nothing ticked".into(),
        ticked if size == Size::Least => format!("Apply {ticked}"),
        1 => format!("Apply 1 {}", noun(card)),
        ticked => format!("Apply {ticked} {}s", noun(card)),
    }
}

/// What a row of the card is.
fn noun(card: &Card) -> &'static str {
    if card.view.ticks.cuts.are_cuts() { "cut" } else { "change" }
}

fn reject(
    ui: &mut Ui,
    place: &Place<'_>,
    card: &mut Card,
    rect: Rect,
    foot: Rect,
    out: &mut Actions,
) -> bool {
    let mut area = rect.pad(space::M, 0.0);
    let title = area.cut_top(36.0);
    let chips = area.cut_top(28.0);
    let frame = area.cut_top(32.0);
    let Some(rejecting) = &mut card.view.deciding.rejecting else { return false };
    let reason = &mut rejecting.reason;
    let cx = Cx::new(ui);
    cx.hline(rect.left() + 1.0, rect.right() - 1.0, rect.top(), cx.t.line);
    cx.left(title.left_mid(0.0), "Why not this plan?", Type::BODY_STRONG, cx.t.text);
    let mut at = pos2(chips.left(), chips.top() + 10.0);
    for label in REASONS {
        let response = chip(&cx, at, None, label, Some(reason.starts_with(label)));
        at.x = response.rect.right() + 6.0;
        if response.clicked() {
            label.clone_into(reason);
        }
    }
    cx.fill(frame, radius::CONTROL, cx.t.input);
    cx.border(frame, radius::CONTROL, cx.t.line_strong);
    drop(cx);
    let edit = TextEdit::singleline(reason).hint_text(reason_hint(place));
    let edit = edit.font(Type::SMALL.font());
    let response = field::put(ui, frame, egui::Align::Min, edit);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Reason"));
    if std::mem::take(&mut rejecting.takes_keyboard) {
        response.request_focus();
    }
    let left_by = |key| response.lost_focus() && ui.input(|input| input.key_pressed(key));
    let enter = left_by(egui::Key::Enter);
    if left_by(egui::Key::Escape) {
        // Nothing is rejected.
        (card.view.deciding.rejecting, card.view.focus.takes_keyboard) = (None, true);
        return true;
    }
    answer(ui, card, foot, enter, out);
    false
}

/// The hint that says who reads the optional reason.
fn reason_hint(place: &Place<'_>) -> &'static str {
    let has_model = place.settings.is_some_and(|settings| settings.provider.is_some());
    if has_model { "optional; the model reads this" } else { "optional" }
}

/// The buttons below a reason.
fn answer(ui: &Ui, card: &mut Card, foot: Rect, enter: bool, out: &mut Actions) {
    let salt = card.number as u64;
    let reason = card.view.deciding.rejecting.as_ref().map_or("", |it| it.reason.trim()).to_owned();
    let cx = Cx::new(ui);
    let reject = Button::new(Kind::Danger, "Reject").salt(salt);
    let back = Button::new(Kind::Quiet, "Back").salt(salt);
    let mut x = foot.left() + space::M;
    let width = reject.width(&cx);
    let is_sent = reject.show(&cx, foot.row_box(x, vec2(width, 28.0))).clicked();
    x += width + 8.0;
    let goes_back = back.show(&cx, foot.row_box(x, vec2(back.width(&cx), 28.0))).clicked();
    if is_sent || enter {
        send(card, Decision::Reject { reason }, out);
        card.view.deciding.rejecting = None;
    } else if goes_back {
        (card.view.deciding.rejecting, card.view.focus.takes_keyboard) = (None, true);
    }
}
