//! Tool calls of the model: a line each, three and more in a row folded, the opened call in mono.

use super::block;
use crate::action::{Action, Actions};
use crate::icons;
use crate::kit::controls::{Button, Kind, progress};
use crate::kit::{Cut, Cx};
use crate::missing::{self, Install};
use crate::model::{Entry, Model, ToolLine};
use crate::theme::{Theme, Type, radius};
use crate::tools::title;
use deskhand_session::PlanState;
use egui::{Color32, Rect, Sense, Ui, pos2, vec2};
use std::collections::BTreeMap;

/// From this many finished calls in a row on they are folded.
const FOLDED: usize = 3;

/// Whether a call goes on.
pub(super) fn is_running(entries: &[Entry]) -> bool {
    entries.iter().filter_map(Entry::tool).any(|line| line.result.is_none())
}

/// The number of the waiting plan of each call that has one, by the id of the call.
pub(super) type Awaited = BTreeMap<String, usize>;

/// Draws a run of consecutive calls. The first is at `place` in the conversation.
pub(super) fn show(
    ui: &mut Ui,
    model: &mut Model,
    (run, place): (&mut [Entry], usize),
    awaited: &Awaited,
    out: &mut Actions,
) {
    let space = std::mem::replace(&mut ui.spacing_mut().item_spacing.y, 0.0);
    let done = run.iter().filter_map(Entry::tool).filter(|line| line.result.is_some()).count();
    let is_open = model.unfolded.contains(&place);
    if done >= FOLDED {
        fold(ui, model, run, done, place);
    }
    for entry in run.iter_mut() {
        let Entry::Tool(line) = entry else { continue };
        if let Some(question) = line.question() {
            let question = model.without_ids(&question);
            asks(ui, model, &question);
        } else if line.result.is_none() || is_open || done < FOLDED {
            let plan = awaited.get(&line.id).copied();
            tool_line(ui, model, (line, plan), out);
        }
    }
    ui.spacing_mut().item_spacing.y = space;
    ui.add_space(8.0);
}

fn fold(ui: &mut Ui, model: &mut Model, run: &[Entry], done: usize, place: usize) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 24.0), Sense::click());
    let failed = run.iter().filter_map(Entry::tool).filter(|line| line.has_failed()).count();
    let took = span(run);
    let took = if took > 0 { format!(", {}", duration(took)) } else { String::new() };
    let words = match failed {
        0 => format!("{done} steps{took}"),
        _ => format!("{done} steps, {failed} failed{took}"),
    };
    let is_open = model.unfolded.contains(&place);
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, is_open, &words));
    let cx = Cx::new(ui);
    let (icon, color) =
        if failed > 0 { (icons::WARNING_CIRCLE, cx.t.warn) } else { (icons::CHECK, cx.t.ok) };
    cx.icon(rect.left_mid(8.0), icon, 14.0, color);
    let text = cx.left(rect.left_mid(24.0), &words, Type::SMALL, cx.t.text_2);
    let caret = if is_open { icons::CARET_DOWN } else { icons::CARET_RIGHT };
    cx.icon(pos2(text.right() + 12.0, rect.center().y), caret, 10.0, cx.t.text_3);
    cx.ring(&response, rect, radius::CONTROL);
    if response.clicked() && !model.unfolded.remove(&place) {
        model.unfolded.insert(place);
    }
}

/// From the first call to the last result, ms: calls that ran side by side count once.
fn span(run: &[Entry]) -> i64 {
    let of = |line: &ToolLine| Some((line.begun_ms, line.begun_ms + line.took_ms?));
    let all: Vec<_> = run.iter().filter_map(Entry::tool).filter_map(of).collect();
    let begun = all.iter().map(|(from, _)| *from).min().unwrap_or_default();
    all.iter().map(|(_, to)| *to).max().unwrap_or_default() - begun
}

/// How long something took: seconds with one decimal.
fn duration(ms: i64) -> String {
    if ms < 100 { "<\u{a0}0.1\u{a0}s".into() } else { format!("{:.1}\u{a0}s", ms as f64 / 1000.0) }
}

/// The icon, color and text of a call. `plan` is the number of its waiting plan; while it waits, nothing
/// runs.
fn look(
    theme: &Theme,
    model: &Model,
    line: &ToolLine,
    plan: Option<usize>,
) -> (char, Color32, String) {
    let name = title(&line.name);
    let Some((said, failed)) = &line.result else {
        return match plan {
            Some(plan) => {
                (icons::HAND, theme.text, format!("{name}: waits for your decision on plan {plan}"))
            }
            None if !model.is_turn_running() => {
                (icons::X_CIRCLE, theme.text_3, format!("{name}: interrupted"))
            }
            None => (icons::CIRCLE_NOTCH, theme.text, name),
        };
    };
    let (icon, color, stands) = match failed {
        _ if line.is_declined => (icons::X_CIRCLE, theme.text_3, ""),
        true => (icons::WARNING_CIRCLE, theme.danger, ""),
        false => standing(theme, model, line),
    };
    let words =
        if said.is_empty() { name } else { model.without_ids(&model.tools.for_person(said)) };
    let words = if stands.is_empty() { words } else { format!("{words}: {stands}") };
    (icon, color, words)
}

/// The state of what a call planned. A call without a card is done.
fn standing(theme: &Theme, model: &Model, line: &ToolLine) -> (char, Color32, &'static str) {
    let done = (icons::CHECK, theme.ok, "");
    let Some(card) = line.plan.and_then(|id| model.cards.get(&id)) else { return done };
    match card.stored.state {
        PlanState::Waiting | PlanState::Applying => (icons::HAND, theme.text_2, "planned"),
        PlanState::Applied => done,
        PlanState::Rejected if !card.view.ticks.taken.rows.is_empty() => {
            (icons::CHECK, theme.ok, "applied in part")
        }
        PlanState::Rejected => (icons::X_CIRCLE, theme.text_3, "rejected"),
        PlanState::RolledBack => (icons::X_CIRCLE, theme.danger, "rolled back"),
        PlanState::Undone => (icons::ARROW_U_UP_LEFT, theme.text_2, "undone"),
        PlanState::Conflict => (icons::WARNING_CIRCLE, theme.danger, "not applied"),
    }
}

/// A call of the model, or of the offline planner, with the number of its plan if that waits.
fn tool_line(
    ui: &mut Ui,
    model: &Model,
    (line, plan): (&mut ToolLine, Option<usize>),
    out: &mut Actions,
) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 24.0), Sense::click());
    let is_running = line.result.is_none();
    let (icon, color, words) = look(Theme::of(ui.visuals()), model, line, plan);
    response.widget_info(|| {
        egui::WidgetInfo::selected(egui::Role::Button, true, line.is_open, words.as_str())
    });
    let cx = Cx::new(ui);
    cx.icon(rect.left_mid(8.0), icon, 14.0, color);
    let tone = if is_running { cx.t.text } else { cx.t.text_2 };
    let right = match line.took_ms {
        None if is_running && plan.is_none() => goes_on(&cx, model, rect, response.id.value(), out),
        None => rect.right(),
        Some(ms) => cx.right(rect.right_mid(0.0), &duration(ms), Type::CAPTION, cx.t.text_3).left(),
    };
    let room = right - rect.left() - 48.0;
    let text = cx.elided(rect.left_mid(24.0), &words, Type::SMALL, tone, room);
    let caret = if line.is_open { icons::CARET_DOWN } else { icons::CARET_RIGHT };
    cx.icon(pos2(text.right() + 12.0, rect.center().y), caret, 10.0, cx.t.text_3);
    cx.ring(&response, rect, radius::CONTROL);
    drop(cx);
    if response.clicked() {
        line.is_open = !line.is_open;
    }
    if line.is_open {
        opened(ui, line);
    }
    if let Some((said, true)) = &line.result {
        install(ui, model, said, out);
    }
}

/// A question of the model, which waits at the foot of the lanes: a click leads to the field for its answer.
fn asks(ui: &mut Ui, model: &mut Model, question: &str) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 24.0), Sense::click());
    let words = format!("Waits for your answer: {question}");
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &words));
    let cx = Cx::new(ui);
    cx.icon(rect.left_mid(8.0), icons::QUESTION, 14.0, cx.t.text);
    let words = cx.elided(rect.left_mid(24.0), &words, Type::SMALL, cx.t.text, rect.width() - 48.0);
    if response.hovered() {
        cx.hline(words.left(), words.right(), words.bottom(), cx.t.text_3);
    }
    cx.ring(&response, rect, radius::CONTROL);
    model.toasts.goes_to_question |= response.clicked();
    response.on_hover_text(format!("{question}\nA click leads to the field for your answer"));
}

/// Where words say that a model is missing, the button that installs it.
pub(super) fn install(ui: &mut Ui, model: &Model, words: &str, out: &mut Actions) {
    let Some(offer) = missing::of(model, words) else { return };
    let size = vec2(ui.available_width(), missing::ROW);
    let (mut row, response) = ui.allocate_exact_size(size, Sense::hover());
    row.cut_left(24.0);
    Install::of(&offer).show(&Cx::new(ui), row, response.id.value(), out);
}

/// How far a running call is, and the button that stops it; gives where they begin.
fn goes_on(cx: &Cx<'_>, model: &Model, rect: Rect, salt: u64, out: &mut Actions) -> f32 {
    let stop = Button::new(Kind::Quiet, "Cancel").salt(salt);
    let width = stop.width(cx);
    let cell = rect.row_box(rect.right() - width + 12.0, vec2(width, 24.0));
    // The calls of a turn are the model's: stopping one stops the turn.
    if model.is_turn_running() && stop.show(cx, cell).clicked() {
        out.push(Action::StopTurn);
    }
    let Some((fraction, _)) = &model.turn_progress else { return cell.left() };
    let bar = Rect::from_min_size(pos2(cell.left() - 72.0, rect.center().y - 2.0), vec2(64.0, 4.0));
    progress(cx, bar, *fraction as f32);
    bar.left()
}

fn opened(ui: &mut Ui, line: &ToolLine) {
    let call = format!("{} {}", line.name, line.arguments);
    let rect = block(ui, &call, 8.0, Type::CODE);
    let cx = Cx::new(ui);
    cx.fill(rect, radius::CONTROL, cx.t.well);
    let at = rect.min + vec2(8.0, 8.0);
    cx.para(at, &call, Type::CODE, cx.t.text_2, rect.width() - 20.0);
}

/// The model thinks, or something runs for it, or it waits for what the person decides on a plan.
pub(super) fn working(ui: &mut Ui, model: &Model, out: &mut Actions) {
    let plan = model.awaited_plan().map(|card| card.number);
    let (icon, words) = match (plan, &model.turn_progress) {
        (Some(number), _) => (icons::HAND, format!("Waits for your decision on plan {number}")),
        (None, Some((_, what))) if !what.is_empty() => (icons::CIRCLE_NOTCH, what.clone()),
        (None, _) => (icons::CIRCLE_NOTCH, "Working".into()),
    };
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 24.0), Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &words));
    let cx = Cx::new(ui);
    cx.icon(rect.left_mid(8.0), icon, 14.0, cx.t.text);
    let right = match plan.is_none() && model.turn_progress.is_some() {
        true => goes_on(&cx, model, rect, response.id.value(), out),
        false => rect.right(),
    };
    let room = right - rect.left() - 32.0;
    cx.elided(rect.left_mid(24.0), &words, Type::SMALL, cx.t.text, room);
}
