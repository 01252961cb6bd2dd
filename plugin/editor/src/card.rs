//! The plan card: what would change, why, and the only controls that touch the session.

mod decide;
mod rows;

use crate::action::Action;
use crate::describe::{Told, told};
use crate::kit::scale::{num, signed};
use crate::kit::{Cut, Cx};
use crate::model::Card;
use crate::theme::{Theme, Type, radius, space};
use deskhand_protocol::Decision;
use deskhand_session::plan::ValueEdit;
use deskhand_session::{Plan, PlanState, Session};
use egui::{Rect, Ui, UiBuilder, pos2, vec2};
use std::collections::{BTreeMap, BTreeSet};

/// More rows than this scroll inside the card.
const ROWS: usize = 8;
const ROW: f32 = 40.0;
const HEADER: f32 = 56.0;
const SECTION: f32 = 28.0;
const LINE: f32 = 20.0;
const FOOTER: f32 = 52.0;
/// Findings and predictions that are listed; the rest is counted.
const LISTED: usize = 6;
/// How long a card must have been in full view before its key applies, seconds.
const SEEN: f64 = 0.5;

/// What the person did with a card so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct CardView {
    /// Rows without a tick.
    pub(crate) off: BTreeSet<String>,
    /// Values to apply in place of the planned ones.
    pub(crate) edits: BTreeMap<String, f64>,
    /// The row whose value is being edited, and the text so far.
    pub(crate) editing: Option<(String, String)>,
    /// The words of a rejection, while it is being written.
    pub(crate) rejecting: Option<String>,
    pub(crate) was_brought: bool,
    /// Decided here; the answer is on its way.
    pub(crate) was_sent: bool,
    in_view_since: Option<f64>,
    had_focus: bool,
}

impl CardView {
    /// The plan has another state.
    pub(crate) fn settled(&mut self, _: PlanState) {
        (self.was_sent, self.rejecting, self.editing) = (false, None, None);
    }

    /// The ticked rows with all they need, or none when one needs an unticked row.
    fn ticked(&self, plan: &Plan) -> Vec<String> {
        let ids = plan.changes.iter().map(|change| &change.id);
        ids.filter(|id| !self.off.contains(*id)).cloned().collect()
    }

    /// Ticks or unticks a row. What a ticked row needs is ticked too; what needs an unticked row is not.
    pub(crate) fn tick(&mut self, plan: &Plan, id: &str) {
        if self.off.contains(id) {
            let needed = plan.closure(&[id.to_owned()]).unwrap_or_default();
            needed.iter().for_each(|id| {
                self.off.remove(id);
            });
            return;
        }
        self.off.insert(id.to_owned());
        let dependents = plan.changes.iter().filter(|change| {
            let one = std::slice::from_ref(&change.id);
            plan.closure(one).is_ok_and(|needed| needed.iter().any(|needed| needed == id))
        });
        self.off.extend(dependents.map(|change| change.id.clone()));
    }

    /// The decision that the Apply button stands for; none when nothing is ticked.
    fn decision(&self, plan: &Plan) -> Option<Decision> {
        let ticked = self.ticked(plan);
        if ticked.is_empty() && !plan.changes.is_empty() {
            return None;
        }
        let set: Vec<ValueEdit> = self
            .edits
            .iter()
            .filter(|(id, _)| ticked.contains(id))
            .map(|(id, value)| ValueEdit { change: id.clone(), after: (*value).into() })
            .collect();
        let whole = ticked.len() == plan.changes.len();
        Some(match (whole, set.is_empty()) {
            (true, true) => Decision::Apply,
            (true, false) => Decision::ApplyPart { only: None, set },
            (false, _) => Decision::ApplyPart { only: Some(ticked), set },
        })
    }

    /// Whether the card has been in full view long enough.
    fn is_seen(&mut self, is_in_view: bool, now: f64) -> bool {
        if !is_in_view {
            self.in_view_since = None;
            return false;
        }
        now - *self.in_view_since.get_or_insert(now) >= SEEN
    }
}

/// The heights of the parts of a card.
struct Parts {
    findings: f32,
    rows: f32,
    predicted: f32,
    warnings: f32,
    reject: f32,
}

fn listed(count: usize) -> f32 {
    match count {
        0 => 0.0,
        _ if count > LISTED => SECTION + LINE * (LISTED + 1) as f32 + 8.0,
        _ => SECTION + LINE * count as f32 + 8.0,
    }
}

fn parts(cx: &Cx<'_>, card: &Card, width: f32) -> Parts {
    let plan = &card.stored.plan;
    let rows = plan.changes.len().min(ROWS) as f32 * ROW;
    Parts {
        findings: listed(plan.findings.len()),
        rows: if rows > 0.0 { SECTION + rows + 8.0 } else { 0.0 },
        predicted: listed(plan.predicted.len()),
        warnings: plan
            .warnings
            .iter()
            .map(|text| cx.para_height(text, Type::SMALL, width - 64.0) + 24.0)
            .sum(),
        reject: if card.view.rejecting.is_some() { 76.0 } else { 0.0 },
    }
}

/// Draws the card of a plan that waits, and gives what the person decided.
pub(crate) fn waiting(
    ui: &mut Ui,
    theme: &Theme,
    session: &Session,
    card: &mut Card,
    out: &mut Vec<Action>,
) -> Rect {
    let width = ui.available_width();
    let sizes = parts(&Cx::new(ui, theme), card, width);
    let height = HEADER + sizes.findings + sizes.rows + sizes.predicted + sizes.warnings;
    let size = vec2(width, height + sizes.reject + FOOTER);
    let (rect, _) = ui.allocate_exact_size(size, egui::Sense::hover());
    apply_by_key(ui, card, rect, out);
    let mut child = ui.new_child(UiBuilder::new().max_rect(rect).id_salt(("card", card.number)));
    card.view.had_focus = paint(&mut child, theme, session, card, rect, &sizes, out);
    rect
}

/// The key is taken ahead of the rows: Enter would also untick the row that has the keyboard.
fn apply_by_key(ui: &Ui, card: &mut Card, rect: Rect, out: &mut Vec<Action>) {
    let is_in_view = ui.clip_rect().expand(1.0).contains_rect(rect);
    let is_seen = card.view.is_seen(is_in_view, ui.input(|input| input.time));
    let command = egui::Modifiers::COMMAND;
    if card.view.had_focus
        && ui.input_mut(|input| input.consume_key(command, egui::Key::Enter))
        && is_seen
    {
        decide::apply(card, out);
    }
}

fn paint(
    ui: &mut Ui,
    theme: &Theme,
    session: &Session,
    card: &mut Card,
    rect: Rect,
    sizes: &Parts,
    out: &mut Vec<Action>,
) -> bool {
    let mut rest = rect;
    let focused;
    {
        let cx = Cx::new(ui, theme);
        cx.fill(rect, radius::CARD, theme.raised);
        // A click anywhere gives the card the keyboard.
        let whole = cx.interact(rect, "card", egui::Sense::click());
        if whole.clicked() {
            whole.request_focus();
        }
        header(&cx, rest.cut_top(HEADER), card);
        findings(&cx, rest.cut_top(sizes.findings), &card.stored.plan, session);
        cx.border(rect, radius::CARD, theme.line_strong);
        if whole.has_focus() {
            cx.focus_ring(rect, radius::CARD);
        }
        focused = cx.focused;
    }
    let in_rows = rows::show(ui, theme, session, card, rest.cut_top(sizes.rows), out);
    {
        let cx = Cx::new(ui, theme);
        predicted(&cx, rest.cut_top(sizes.predicted), &card.stored.plan, session);
        warnings(&cx, rest.cut_top(sizes.warnings), &card.stored.plan);
    }
    let in_foot = decide::show(ui, theme, card, rest, out);
    focused.get() || in_rows || in_foot
}

fn header(cx: &Cx<'_>, rect: Rect, card: &Card) {
    let x = rect.left() + space::M;
    let plan = &card.stored.plan;
    let at = pos2(x, rect.top() + 20.0);
    cx.elided(at, &plan.summary, Type::TITLE, cx.t.text, rect.width() - 24.0);
    let y = rect.top() + 40.0;
    let number = format!("Plan {}", card.number);
    let tag = cx.left(pos2(x, y), &number, Type::SMALL_STRONG, cx.t.accent);
    let state = if card.view.was_sent { "Applying" } else { "Not applied" };
    let state = if plan.changes.is_empty() { "Not run: applying runs it" } else { state };
    cx.left(pos2(tag.right() + 8.0, y), state, Type::SMALL, cx.t.text_2);
    let id = cx.interact(rect, "title", egui::Sense::hover());
    id.widget_info(|| {
        egui::WidgetInfo::labeled(egui::Role::Label, true, format!("{number}: {}", plan.summary))
    });
}

fn section(cx: &Cx<'_>, rect: Rect, label: &str, note: &str) {
    cx.hline(rect.left() + 1.0, rect.right() - 1.0, rect.top(), cx.t.line);
    cx.left(rect.left_mid(space::M), label, Type::CAPTION_STRONG, cx.t.text_2);
    cx.right(rect.right_mid(space::M), note, Type::CAPTION, cx.t.text_3);
}

/// A name, words, and a number at the number edge with its unit.
fn fact(cx: &Cx<'_>, row: Rect, words: &str, value: &str, unit: &str, color: egui::Color32) {
    let edge = row.right() - 52.0;
    cx.elided(row.left_mid(space::M), words, Type::SMALL, cx.t.text, row.width() - 120.0);
    cx.right(pos2(edge, row.center().y), value, Type::SMALL_STRONG, color);
    cx.left(pos2(edge + 4.0, row.center().y), unit, Type::SMALL, cx.t.text_3);
}

fn more(cx: &Cx<'_>, rest: &mut Rect, count: usize) {
    if count > LISTED {
        let row = rest.cut_top(LINE);
        let text = format!("and {} more", count - LISTED);
        cx.left(row.left_mid(space::M), &text, Type::SMALL, cx.t.text_3);
    }
}

fn findings(cx: &Cx<'_>, rect: Rect, plan: &Plan, session: &Session) {
    let Some(first) = plan.findings.first() else { return };
    let mut rest = rect;
    section(cx, rest.cut_top(SECTION), "Measured", &first.method);
    for finding in plan.findings.iter().take(LISTED) {
        let words = format!("{}, {}", session.name_of(finding.target), finding.measure.title());
        let value = finding.value.map_or("−∞".into(), |value| num(value as f32, 1));
        fact(cx, rest.cut_top(LINE), &words, &value, &finding.unit, cx.t.text);
    }
    more(cx, &mut rest, plan.findings.len());
}

fn predicted(cx: &Cx<'_>, rect: Rect, plan: &Plan, session: &Session) {
    let mut rest = rect;
    if plan.predicted.is_empty() {
        return;
    }
    section(cx, rest.cut_top(SECTION), "Predicted", "");
    for it in plan.predicted.iter().take(LISTED) {
        let words = format!("{}, {}", session.name_of(it.target), it.measure.title());
        let value = num(it.value as f32, 1);
        fact(cx, rest.cut_top(LINE), &words, &value, &it.unit, cx.t.accent);
    }
    more(cx, &mut rest, plan.predicted.len());
}

fn warnings(cx: &Cx<'_>, rect: Rect, plan: &Plan) {
    let mut rest = rect.pad(space::M, 0.0);
    for text in &plan.warnings {
        let width = rest.width() - 40.0;
        let block = rest.cut_top(cx.para_height(text, Type::SMALL, width) + 24.0);
        let block = block.pad(0.0, 4.0);
        cx.fill(block, radius::CONTROL, cx.t.warn_soft);
        cx.icon_fill(block.left_mid(16.0), crate::icons::WARNING, 16.0, cx.t.warn);
        cx.para(pos2(block.left() + 32.0, block.top() + 8.0), text, Type::SMALL, cx.t.text, width);
    }
}

/// The words of a row, with an edited value in its place.
fn row_words(card: &Card, index: usize, session: &Session) -> Option<Told> {
    let planned = card.stored.plan.changes.get(index)?;
    let mut told = told(planned, session);
    if let Some(value) = card.view.edits.get(&planned.id) {
        told.after = signed(*value as f32, 1);
        told.number = Some(*value);
    }
    Some(told)
}

#[cfg(test)]
mod tests;
