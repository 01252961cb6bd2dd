//! The receipt of a plan: predicted against measured values, its changes, and undo.

mod changes;
mod table;

use crate::action::{Action, Actions, Gesture, call};
use crate::card::measure_again::AGAIN;
use crate::card::place::Place;
use crate::card::view::Card;
use crate::icons;
use crate::kit::controls::{Button, Kind, Urgency, announce, hint};
use crate::kit::scale::{is_over, level};
use crate::kit::{Cut, Cx};
use crate::model::Stands;
use crate::theme::{Theme, Type, radius, space};
use chrono::{DateTime, Datelike as _, Local};
use deskhand_session::{Measured, ObjectId, PlanState, RevisionId, Verify};
use egui::{Color32, Pos2, Rect, Sense, Ui, pos2, vec2};
use serde_json::json;
use std::borrow::Cow;

const HEAD: f32 = 40.0;
/// Where the text of the head begins, after its icon.
const TEXT: f32 = 24.0;
const ROW: f32 = 20.0;
const FOOT: f32 = 4.0;
/// The height of a line of the summary, and the most lines shown; the text below it has as many.
const LINE: f32 = 16.0;
const SUMMARY_LINES: usize = 4;
/// Why a host plays something else than the recording that was measured.
const AHEAD: &str = "something before Deskhand in the host's chain changed: measure again";
/// The text for a rest that was dropped because it does not fit, if nothing more is known.
const NO_FIT: &str = "the rest does not fit any more";
/// The reason why a plan was not applied, if no other is known.
const MOVED_ON: &str = "the session moved on";

/// Draws what became of a decided plan.
pub(crate) fn show(
    ui: &mut Ui,
    place: &Place<'_>,
    card: &mut Card,
    reason: &str,
    standing: (Stands<'_>, Option<i64>),
    out: &mut Actions,
) -> Rect {
    let fold = changes::height(card);
    let (rect, turns) = decided(ui, card, (reason, fold), standing, out);
    card.view.folds.lists_measured ^= turns;
    let mut inner = rect.pad(space::M, 0.0);
    let room = inner.cut_bottom(fold + if fold > 0.0 { FOOT } else { 0.0 });
    changes::show(ui, place.session, card, room);
    rect
}

/// All but the changes, with room for them at the foot; whether the person wants more or fewer of its numbers.
fn decided(
    ui: &mut Ui,
    card: &Card,
    (reason, fold): (&str, f32),
    standing: (Stands<'_>, Option<i64>),
    out: &mut Actions,
) -> (Rect, bool) {
    let reason = because(card, reason);
    let table = table::height(card);
    let over = over(card);
    let summary = &crate::describe::summary(&card.stored.plan);
    let wide = (ui.available_width() - 2.0 * space::M, SUMMARY_LINES);
    let cx = Cx::new(ui);
    let head = Head::of(&cx, card, standing, wide.0);
    let summary_height = ROW - LINE + cx.lines_height(summary, Type::SMALL, wide).max(LINE);
    let reason_height = said_height(&cx, Some(&*reason).filter(|it| !it.is_empty()), wide);
    let over_height = said_height(&cx, over.as_deref(), (wide.0 - TEXT, wide.1));
    drop(cx);
    let said = summary_height + over_height + reason_height;
    let tall = head.height() + said + table + fold + FOOT;
    let size = vec2(ui.available_width(), tall);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    let cx = Cx::new(ui);
    cx.border(rect, radius::CARD, cx.t.line_strong);
    let mut rest = rect.pad(space::M, 0.0);
    let words = head.words(cx.t);
    let top = rest.cut_top(head.height());
    head.show(&cx, top, out);
    let words = read_out(words, &reason, over.as_deref());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &words));
    announce(&response, Urgency::InTurn);
    let lines = rest.cut_top(summary_height);
    let at = lines.min + vec2(0.0, (ROW - LINE) / 2.0);
    said_in(&cx, at, (summary, cx.t.text_2), wide, card.number);
    if let Some(over) = &over {
        warned(&cx, rest.cut_top(over_height), over, wide, card.number);
    }
    if !reason.is_empty() {
        let at = rest.cut_top(reason_height).min + vec2(0.0, 4.0);
        said_in(&cx, at, (&reason, cx.t.text_3), wide, card.number);
    }
    drop(cx);
    (rect, table::show(ui, card, rest))
}

/// What a person is warned of, with its sign.
fn warned(cx: &Cx<'_>, block: Rect, over: &str, wide: (f32, usize), number: usize) {
    let first = pos2(block.left() + 8.0, block.top() + 4.0 + LINE / 2.0);
    cx.icon_fill(first, icons::WARNING, 14.0, cx.t.warn);
    let at = block.min + vec2(TEXT, 4.0);
    said_in(cx, at, (over, cx.t.warn), (wide.0 - TEXT, wide.1), number);
}

/// The height of the text below the summary.
fn said_height(cx: &Cx<'_>, said: Option<&str>, wide: (f32, usize)) -> f32 {
    said.map_or(0.0, |said| cx.lines_height(said, Type::SMALL, wide) + 8.0)
}

/// The text for a screen reader.
fn read_out(mut words: String, reason: &str, over: Option<&str>) -> String {
    if !reason.is_empty() {
        words += &format!(", {reason}");
    }
    if let Some(over) = over {
        words += &format!(". {over}");
    }
    words
}

/// Draws text of a receipt within a width and a number of lines. Text that does not fit is in the hint.
fn said_in(
    cx: &Cx<'_>,
    at: Pos2,
    (words, color): (&str, Color32),
    wide: (f32, usize),
    number: usize,
) {
    cx.lines(at, words, Type::SMALL, color, wide);
    let tall = cx.lines_height(words, Type::SMALL, wide);
    if cx.para_height(words, Type::SMALL, wide.0) > tall {
        let block = Rect::from_min_size(at, vec2(wide.0, tall));
        hint(cx.interact(block, ("said", number, words), Sense::hover()), words);
    }
}

/// The head of a receipt: the outcome of the plan, how it compares with the prediction, and the offered
/// action.
struct Head<'c> {
    card: &'c Card,
    title: String,
    verdict: Verdict,
    way: Option<WayOut>,
    /// The verdict does not fit next to the title, and goes below it.
    is_tall: bool,
}

impl<'c> Head<'c> {
    fn of(
        cx: &Cx<'_>,
        card: &'c Card,
        (stands, when): (Stands<'_>, Option<i64>),
        width: f32,
    ) -> Self {
        let verdict = verdict(card);
        let (_, _, state) = look(cx.t, card.stored.state, verdict);
        let when = when.and_then(wall_clock).map_or_else(String::new, |when| format!(" {when}"));
        let title = match in_part(card) {
            Some((taken, all)) => format!("Plan {}: {taken} of {all} applied", card.number),
            None => format!("Plan {} {state}{when}", card.number),
        };
        let way = way_out(card, stands, verdict);
        let mut head = Self { card, title, verdict, way, is_tall: false };
        let button = head.button().map_or(0.0, |button| button.width(cx));
        let title = TEXT + cx.width(&head.title, Type::BODY_STRONG);
        let (said, _) = verdict_words(cx.t, verdict);
        let needed = title + 8.0 + cx.width(said, Type::SMALL) + button;
        head.is_tall = !said.is_empty() && needed > width;
        head
    }

    fn button(&self) -> Option<Button<'_>> {
        let way = self.way.as_ref()?;
        Some(Button::new(Kind::Quiet, &way.label).icon(way.icon).salt(self.card.number as u64))
    }

    fn height(&self) -> f32 {
        if self.is_tall { HEAD + LINE } else { HEAD }
    }

    /// The text for a screen reader.
    fn words(&self, theme: &Theme) -> String {
        match verdict_words(theme, self.verdict) {
            ("", _) => self.title.clone(),
            (said, _) => format!("{}, {said}", self.title),
        }
    }

    fn show(self, cx: &Cx<'_>, rect: Rect, out: &mut Actions) {
        let mut below = rect;
        let row = below.cut_top(HEAD);
        let (icon, color, _) = look(cx.t, self.card.stored.state, self.verdict);
        let is_part = in_part(self.card).is_some();
        let (icon, color) = if is_part { (icons::CHECK_CIRCLE, cx.t.ok) } else { (icon, color) };
        cx.icon_fill(row.left_mid(8.0), icon, 16.0, color);
        let width = self.button().map_or(0.0, |button| button.width(cx));
        let title = self.show_title(cx, row, row.width() - TEXT - width);
        let beside = pos2(title.right() + 8.0, row.center().y);
        let at = if self.is_tall { below.left_mid(TEXT) } else { beside };
        let (said, color) = verdict_words(cx.t, self.verdict);
        cx.elided(at, said, Type::SMALL, color, row.right() - at.x);
        let Some(button) = self.button() else { return };
        let cell = row.row_box(row.right() - width + 8.0, vec2(width, 24.0));
        let mut response = button.show(cx, cell);
        let Some(way) = self.way else { return };
        if !way.hint.is_empty() {
            response = response.on_hover_text(&way.hint);
        }
        if response.clicked() {
            out.extend(way.actions);
        }
    }

    /// Draws the title in the room that the button leaves. A title that does not fit is in the hint.
    fn show_title(&self, cx: &Cx<'_>, row: Rect, room: f32) -> Rect {
        let ty = Type::BODY_STRONG;
        let drawn = cx.elided(row.left_mid(TEXT), &self.title, ty, cx.t.text, room);
        if cx.width(&self.title, ty) > room {
            hint(cx.interact(drawn, ("receipt", self.card.number), Sense::hover()), &self.title);
        }
        drawn
    }
}

struct WayOut {
    label: String,
    icon: char,
    hint: String,
    actions: Vec<Action>,
}

fn way_out(card: &Card, stands: Stands<'_>, verdict: Verdict) -> Option<WayOut> {
    let step = |gesture, revision: &RevisionId| call(gesture, json!({"revision": revision.0}));
    let (label, icon, hint, actions) = match (card.stored.state, stands) {
        (_, Stands::Under([only])) => {
            let (label, icon) = ("Undo".to_owned(), icons::ARROW_COUNTER_CLOCKWISE);
            (label, icon, String::new(), vec![step(Gesture::UndoStep, only)])
        }
        // Later steps build on it. Undo takes them too, so it is offered only if there is a reason.
        (_, Stands::Under(steps)) if is_amber(verdict) => {
            let (label, icon) =
                (format!("Undo {} steps", steps.len()), icons::ARROW_COUNTER_CLOCKWISE);
            let hint = match steps.len() - 1 {
                1 => "Takes this plan back, and the step that came after it".into(),
                later => format!("Takes this plan back, and the {later} steps that came after it"),
            };
            (label, icon, hint, steps.iter().map(|id| step(Gesture::UndoStep, id)).collect())
        }
        (_, Stands::Undone(steps)) => {
            let (label, hint) = match steps.len() - 1 {
                0 => ("Redo".to_owned(), String::new()),
                1 => ("Redo 2 steps".into(), "Brings back the step before, and this plan".into()),
                earlier => (
                    format!("Redo {} steps", steps.len()),
                    format!("Brings back the {earlier} steps before, and this plan"),
                ),
            };
            let redone = steps.iter().map(|id| step(Gesture::RedoStep, id)).collect();
            (label, icons::ARROW_CLOCKWISE, hint, redone)
        }
        // Its rest is planned again already.
        (PlanState::Rejected, _) if is_replaced(card) => return None,
        // The same call again: its plan waits like any other.
        (PlanState::Rejected | PlanState::RolledBack | PlanState::Conflict, _) => {
            let plan = &card.stored.plan;
            let (tool, params) = (plan.tool.clone(), plan.params.clone());
            let (label, icon) = ("Plan again".to_owned(), icons::ARROW_CLOCKWISE);
            (label, icon, String::new(), vec![Action::Measure { tool, params }])
        }
        (_, Stands::Under(_) | Stands::Else) => return None,
    };
    Some(WayOut { label, icon, hint, actions })
}

fn is_amber(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Missed | Verdict::PlayedOther)
}

/// The number of applied rows and of all rows, if the rest was rejected or no longer fits.
fn in_part(card: &Card) -> Option<(usize, usize)> {
    let (plan, view) = (&card.stored.plan, &card.view);
    let all = view.ticks.rows(plan);
    let taken = all - view.ticks.left(plan);
    let is_settled = matches!(card.stored.state, PlanState::Rejected | PlanState::Conflict);
    (is_settled && taken > 0).then_some((taken, all))
}

/// Whether another plan took the place of it or of its rest.
fn is_replaced(card: &Card) -> bool {
    card.stored.reason.as_ref().is_some_and(|reason| reason.starts_with(AGAIN))
}

/// The text below the head.
fn because<'a>(card: &Card, reason: &'a str) -> Cow<'a, str> {
    let is_part = in_part(card).is_some();
    if is_part && card.stored.state == PlanState::Rejected {
        return match reason {
            "" => "the rest rejected".into(),
            _ if is_replaced(card) => format!("the rest {reason}").into(),
            _ => format!("the rest rejected: {reason}").into(),
        };
    }
    match card.stored.state {
        PlanState::Conflict if reason.is_empty() && is_part => NO_FIT.into(),
        PlanState::Conflict if reason.is_empty() => MOVED_ON.into(),
        _ if reason.is_empty() && verdict(card) == Verdict::PlayedOther => AHEAD.into(),
        PlanState::Applied if reason.is_empty() => {
            let landed = card.stored.receipt.as_ref().and_then(|it| it.landed.as_ref());
            landed.map_or_else(String::new, |landed| landed.words()).into()
        }
        _ => without_ids(reason).into(),
    }
}

/// The reason, without the ids after the names of objects.
fn without_ids(why: &str) -> String {
    let (mut told, mut rest) = (String::with_capacity(why.len()), why);
    while let Some((ahead, behind)) = rest.split_once(" (") {
        told += ahead;
        rest = match behind.split_once(')') {
            Some((id, after)) if id.parse::<ObjectId>().is_ok() => after,
            Some(_) | None => {
                told += " (";
                behind
            }
        };
    }
    told + rest
}

/// A time of day here, with the day if it is not today, from ms since 1970. Of another year, the day alone.
pub(crate) fn wall_clock(ms: i64) -> Option<String> {
    let then = DateTime::from_timestamp_millis(ms)?.with_timezone(&Local);
    let now = Local::now();
    let format = match (then.date_naive() == now.date_naive(), then.year() == now.year()) {
        (true, _) => "%H:%M",
        (false, true) => "%b %-d, %H:%M",
        (false, false) => "%Y-%m-%d",
    };
    Some(then.format(format).to_string())
}

/// How the measured values compare with the predictions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// Nothing was predicted, or the plan is not applied.
    None,
    /// All within the stated tolerances.
    Kept,
    /// As predicted for a part. The part was predicted again when it was taken, so the card showed other
    /// numbers.
    KeptOfPart,
    /// All within the stated tolerances, but its host did not play it yet.
    Later,
    /// Its host played it as stated.
    Played,
    /// Its host played it otherwise.
    PlayedOther,
    /// Outside the stated tolerance, but still applied.
    Missed,
}

fn verdict(card: &Card) -> Verdict {
    let Some(receipt) = card.stored.receipt.as_ref() else { return Verdict::None };
    if card.stored.state != PlanState::Applied {
        return Verdict::None;
    }
    if receipt.measured.iter().any(|it| !it.within) {
        return Verdict::Missed;
    }
    let live = card.stored.plan.predicted.iter().filter(|it| it.verify == Verify::Playback);
    let is_heard = live.clone().all(|it| receipt.is_heard(it.target));
    match receipt.plays_as_promised() {
        Some(false) => Verdict::PlayedOther,
        Some(true) if is_heard => Verdict::Played,
        _ if receipt.measured.is_empty() => Verdict::None,
        _ if live.count() > 0 => Verdict::Later,
        _ if card.stored.plan.derived_from.is_some() => Verdict::KeptOfPart,
        _ => Verdict::Kept,
    }
}

fn verdict_words(theme: &Theme, verdict: Verdict) -> (&'static str, Color32) {
    match verdict {
        Verdict::None => ("", theme.text_3),
        Verdict::Kept => ("as predicted", theme.ok),
        Verdict::KeptOfPart => ("as predicted for this part", theme.ok),
        Verdict::Later => ("as predicted, not played yet", theme.ok),
        Verdict::Played => ("as predicted, and played so", theme.ok),
        Verdict::PlayedOther => ("plays other than predicted", theme.warn),
        Verdict::Missed => ("other than predicted", theme.warn),
    }
}

fn look(theme: &Theme, state: PlanState, verdict: Verdict) -> (char, Color32, &'static str) {
    match state {
        PlanState::Applied if is_amber(verdict) => (icons::WARNING, theme.warn, "applied"),
        PlanState::Waiting | PlanState::Applying => (icons::CIRCLE_NOTCH, theme.text_2, "waits"),
        PlanState::Applied => (icons::CHECK_CIRCLE, theme.ok, "applied"),
        PlanState::RolledBack => (icons::X_CIRCLE, theme.danger, "rolled back"),
        PlanState::Rejected => (icons::X_CIRCLE, theme.text_3, "rejected"),
        PlanState::Undone => (icons::ARROW_U_UP_LEFT, theme.text_2, "undone"),
        PlanState::Conflict => (icons::WARNING_CIRCLE, theme.danger, "not applied"),
    }
}

/// A true peak that was measured over full scale, dBTP.
fn peaks_over(it: &Measured) -> Option<f64> {
    it.measured.filter(|value| is_over(*value as f32, &it.unit))
}

/// The highest true peak over full scale in what is applied, in words; `None` if there is none.
fn over(card: &Card) -> Option<String> {
    let receipt = card.stored.receipt.as_ref()?;
    if card.stored.state != PlanState::Applied {
        return None;
    }
    let played = receipt.played.iter().map(|played| &played.measured);
    let all = receipt.measured.iter().chain(played);
    let highest = all.filter_map(|it| Some((peaks_over(it)?, it)));
    let (value, it) = highest.max_by(|one, other| one.0.total_cmp(&other.0))?;
    let peak = level(value as f32, &it.unit);
    Some(format!("Peaks of {} reach {peak} {}: over 0", it.name, it.unit))
}

#[cfg(test)]
mod tests;
