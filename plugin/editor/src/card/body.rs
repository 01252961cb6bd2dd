//! The scrolling part of a card: findings, changes, predictions, warnings and notes, each with a known
//! height.

use super::label::fitted;
use super::place::{LINE, Place, SECTION, UNITS, WIDE_RAIL_ROW};
use super::predictions::{Shown, is_mix};
use super::section::{node, section};
use super::warnings::{self, Heights};
use super::{dials, filter, listen_first, measure_again, parts, predictions, rows, takes};
use crate::action::Actions;
use crate::card::view::Card;
use crate::describe::named;
use crate::icons;
use crate::kit::controls::{Button, Kind};
use crate::kit::rail::Rail;
use crate::kit::scale::{is_over, level, num};
use crate::kit::{Cut, Cx};
use crate::theme::{Type, radius, space};
use deskhand_session::{Finding, ObjectId, Plan, Prediction, Session, text};
use egui::{Color32, Pos2, Rect, ScrollArea, Sense, Ui, UiBuilder, pos2, vec2};

/// Findings and predictions that are listed; the rest is counted.
const LISTED: usize = 6;
const RAIL_ROW: f32 = 24.0;

pub(super) struct Body {
    findings: f32,
    parts: f32,
    head: f32,
    lines: f32,
    predicted: f32,
    told: Heights,
}

fn listed(count: usize, row: f32) -> f32 {
    match count {
        0 => 0.0,
        _ if count > LISTED => SECTION + row * LISTED as f32 + LINE + 8.0,
        _ => SECTION + row * count as f32 + 8.0,
    }
}

impl Body {
    pub(super) fn of(cx: &Cx<'_>, place: &Place<'_>, card: &Card, width: f32) -> Self {
        let plan = &card.stored.plan;
        let has_findings = shows_findings(card, place.is_wide);
        let predicted = if place.is_compact { 0 } else { predictions::all(card).count() };
        Self {
            findings: if has_findings { listed(plan.findings.len(), place.line()) } else { 0.0 },
            parts: parts::height(plan),
            head: SECTION
                + listen_first::height(plan)
                + takes::height(place.tools, plan)
                + dials::height(place.tools, card)
                + filter::height(card),
            lines: filter::rows_height(card) + 8.0,
            predicted: listed(predicted, rail_row(place)),
            told: Heights::of(cx, place, card, width),
        }
    }

    /// The height above the changes.
    fn above(&self) -> f32 {
        self.findings + self.parts + self.head
    }

    pub(super) fn height(&self) -> f32 {
        self.above() + self.lines + self.predicted + self.told.all()
    }
}

fn rail_row(place: &Place<'_>) -> f32 {
    if place.is_wide { WIDE_RAIL_ROW } else { RAIL_ROW }
}

/// Findings of a plan with few changes are listed from the start, and where there is room for them.
fn shows_findings(card: &Card, is_wide: bool) -> bool {
    card.view
        .folds
        .shows_findings
        .unwrap_or(is_wide || card.view.ticks.rows(&card.stored.plan) <= 3)
}

/// Draws the visible part. Returns whether the keyboard is in it.
pub(super) fn show(
    ui: &mut Ui,
    place: &Place<'_>,
    card: &mut Card,
    rect: Rect,
    body: &Body,
    out: &mut Actions,
) -> bool {
    let mut child = ui.new_child(UiBuilder::new().max_rect(rect).id_salt("body"));
    child.set_clip_rect(rect.intersect(ui.clip_rect()));
    child.spacing_mut().item_spacing.y = 0.0;
    let mut area = ScrollArea::vertical().auto_shrink(false).id_salt("rows");
    if let Some(row) = card.view.list.wanted.take()
        && let Some(top) = card.view.list.lines.reveal(row)
    {
        let at = body.above() + top - rect.height() / 2.0;
        area = area.vertical_scroll_offset(at.clamp(0.0, (body.height() - rect.height()).max(0.0)));
    }
    let drawn = area.show_viewport(&mut child, |ui, view| {
        let size = vec2(ui.available_width(), body.height());
        // The list would take clicks meant for the card under it.
        let (content, behind) = ui.allocate_exact_size(size, Sense::CLICK);
        card.view.focus.takes_keyboard |= behind.clicked();
        blocks(ui, place, card, content, view, body, out)
    });
    if body.height() > rect.height() && child.rect_contains_pointer(rect) {
        // At its end, too, the wheel moves nothing around the card.
        child.input_mut(|input| input.smooth_scroll_delta.y = 0.0);
    }
    drawn.inner
}

fn blocks(
    ui: &mut Ui,
    place: &Place<'_>,
    card: &mut Card,
    content: Rect,
    view: Rect,
    body: &Body,
    out: &mut Actions,
) -> bool {
    let mut rest = content;
    let top = rest.cut_top(body.findings);
    if body.findings > 0.0 && view.top() < body.findings {
        findings(&Cx::new(ui), place, top, &card.stored.plan);
    }
    let list = rest.cut_top(body.parts);
    if body.parts > 0.0 {
        let seen = (view.top() - body.findings, view.bottom() - body.findings);
        parts::show(&Cx::new(ui), card, list, seen);
    }
    let head = rest.cut_top(body.head);
    let mut focused = changes_head(ui, place, card, head, out);
    let lines = rest.cut_top(body.lines);
    let above = body.above();
    let seen = (view.top() - above, view.bottom() - above);
    focused |= match filter::matches_nothing(card) {
        true => filter::nothing(ui, card, lines),
        false => rows::show(ui, place, card, lines, seen, out),
    };
    let cx = Cx::new(ui);
    if body.predicted > 0.0 {
        let all = rest.cut_top(body.predicted);
        predicted(&cx, place, all, card);
    }
    warnings::show(&cx, place, rest, card, &body.told, out);
    focused || cx.focused.get()
}

fn changes_head(
    ui: &mut Ui,
    place: &Place<'_>,
    card: &mut Card,
    rect: Rect,
    out: &mut Actions,
) -> bool {
    let plan = &card.stored.plan;
    let note = format!("{} of {} ticked", card.view.ticks.count(plan), card.view.ticks.left(plan));
    let mut rest = rect;
    let (head, label) = (rest.cut_top(SECTION), "Changes");
    let dialed = rest.cut_top(dials::height(place.tools, card));
    let (line, way) =
        (rest.cut_top(listen_first::height(plan)), rest.cut_top(takes::height(place.tools, plan)));
    let cx = Cx::new(ui);
    section(&cx, head, label, &note);
    again(&cx, card, (head, label), out);
    let mut focused = cx.focused.get();
    drop(cx);
    focused |= dials::show(ui, place, card, dialed, out);
    focused |= listen_first::show(ui, card, line) | takes::show(ui, card, way);
    let has_filter = filter::height(card) > 0.0;
    focused | (has_filter && filter::show(ui, card, rest))
}

/// Shows and hides the findings; `at` is its right middle.
pub(super) fn findings_switch(cx: &Cx<'_>, at: Pos2, card: &mut Card, is_wide: bool) {
    let count = card.stored.plan.findings.len();
    if count == 0 {
        return;
    }
    let is_open = shows_findings(card, is_wide);
    let words = text::count(count, "finding");
    let caret = if is_open { icons::CARET_UP } else { icons::CARET_DOWN };
    cx.icon(pos2(at.x - 4.0, at.y), caret, 10.0, cx.t.text_3);
    let text = cx.right(pos2(at.x - 14.0, at.y), &words, Type::SMALL, cx.t.text_2);
    let area = Rect::from_min_max(text.min - vec2(4.0, 4.0), pos2(at.x, text.bottom() + 4.0));
    let response = cx.toggle(area, "findings", is_open, words.as_str());
    cx.ring(&response, area, radius::CONTROL);
    if response.clicked() {
        card.view.folds.shows_findings = Some(!is_open);
    }
}

/// A name, some words, and a number at the number edge with its unit. The words after the unit are read out
/// but not drawn.
fn fact(
    cx: &Cx<'_>,
    is_wide: bool,
    row: Rect,
    words: &str,
    (value, unit, behind): (&str, &str, &str),
    color: Color32,
) {
    let (edge, plain, strong) = if is_wide {
        (row.right() - space::M - UNITS, Type::BODY, Type::BODY_STRONG)
    } else {
        (row.right() - 52.0, Type::SMALL, Type::SMALL_STRONG)
    };
    let room = edge - row.left() - 68.0;
    let fitted = fitted(cx, words, plain, room);
    cx.elided(row.left_mid(space::M), &fitted, plain, cx.t.text, room);
    cx.right(pos2(edge, row.center().y), value, strong, color);
    cx.left(pos2(edge + 4.0, row.center().y), unit, Type::SMALL, cx.t.text_3);
    node(cx, row, &format!("{words} {value} {unit}{behind}"));
}

fn more(cx: &Cx<'_>, rest: &mut Rect, count: usize) {
    if count > LISTED {
        let row = rest.cut_top(LINE);
        let text = format!("and {} more", count - LISTED);
        cx.left(row.left_mid(space::M), &text, Type::SMALL, cx.t.text_3);
    }
}

fn findings(cx: &Cx<'_>, place: &Place<'_>, rect: Rect, plan: &Plan) {
    let Some(first) = plan.findings.first() else { return };
    let mut rest = rect;
    let is_one = plan.findings.iter().all(|finding| finding.method == first.method);
    let method = if is_one { first.method.as_str() } else { "" };
    section(cx, rest.cut_top(SECTION), "Measured", method);
    for finding in plan.findings.iter().take(LISTED) {
        let words = subject(place.session, plan, finding.target, &finding.title());
        let value =
            finding.value.map_or("−∞".into(), |value| level(value as f32, &finding.unit));
        let row = rest.cut_top(place.line());
        fact(cx, place.is_wide, row, &words, (&value, &finding.unit, ""), cx.t.text);
    }
    more(cx, &mut rest, plan.findings.len());
}

/// The object of a number, and its measure.
pub(super) fn subject(session: &Session, plan: &Plan, target: ObjectId, measured: &str) -> String {
    format!("{}, {measured}", name(session, plan, target))
}

/// The name of an object, or its name when the plan was made if the object is gone.
pub(super) fn name(session: &Session, plan: &Plan, target: ObjectId) -> String {
    if matches!(target, ObjectId::Session(_)) {
        return "Mix".into();
    }
    let now = session.name_of(target);
    if now != target.to_string() {
        return now;
    }
    let planned = plan.changes.iter().find(|planned| planned.change.target() == target);
    planned
        .and_then(|planned| named(planned, session))
        .unwrap_or_else(|| "something that is gone".into())
}

/// The current measurement of the same thing.
fn now<'p>(plan: &'p Plan, it: &Prediction) -> Option<&'p Finding> {
    plan.findings.iter().find(|known| known.target == it.target && known.measure == it.measure)
}

/// The listed predictions: those of the mix first. If there are too many, true peaks over full scale come
/// next.
fn listed_of(card: &Card) -> Vec<&Prediction> {
    let mut all: Vec<&Prediction> = predictions::all(card).collect();
    let is_cut = all.len() > LISTED;
    let is_later = |it: &Prediction| is_cut && !is_over(it.value as f32, &it.unit);
    all.sort_by_key(|it| (!is_mix(it), is_later(it)));
    all.truncate(LISTED);
    all
}

fn predicted(cx: &Cx<'_>, place: &Place<'_>, rect: Rect, card: &Card) {
    let mut rest = rect;
    let plan = &card.stored.plan;
    // The rest is measured again once it is applied.
    let listed = listed_of(card);
    let note = predictions::note(card, &listed).unwrap_or_default();
    section(cx, rest.cut_top(SECTION), "Predicted", &note);
    for it in listed {
        let row = rest.cut_top(rail_row(place));
        let words = subject(place.session, plan, it.target, it.measure.title());
        let shown = Shown::of(card, it);
        match now(plan, it).and_then(|finding| finding.value) {
            Some(before) if place.is_wide => moving_wide(cx, row, &words, before as f32, &shown),
            Some(before) => moving(cx, row, &words, before as f32, &shown),
            None => {
                let after = shown.words();
                let color = shown.color(cx.t);
                let behind = shown.behind();
                let number = (after.as_str(), it.unit.as_str(), behind.as_str());
                fact(cx, place.is_wide, row, &words, number, color);
            }
        }
    }
    more(cx, &mut rest, predictions::all(card).count());
}

/// A predicted value next to the current one, on one scale.
fn moving(cx: &Cx<'_>, row: Rect, words: &str, before: f32, it: &Shown<'_>) {
    let y = row.center().y;
    let edge = row.right() - 52.0;
    let (was, after) = (level(before, it.unit()), it.words());
    cx.left(pos2(edge + 4.0, y), it.unit(), Type::SMALL, cx.t.text_3);
    cx.right(pos2(edge, y), &after, Type::SMALL_STRONG, it.color(cx.t));
    // The words before the number shorten the scale.
    let left_of = edge - cx.width(it.about(), Type::SMALL_STRONG);
    crate::kit::controls::arrow(cx, pos2(left_of - 44.0, y), cx.t.text_3);
    cx.right(pos2(left_of - 54.0, y), &was, Type::SMALL, cx.t.text_2);
    let left = row.left() + space::M;
    let rail_left = edge - 180.0;
    let room = rail_left - left - 8.0;
    cx.elided(pos2(left, y), &fitted(cx, words, Type::SMALL, room), Type::SMALL, cx.t.text_2, room);
    let rail = Rect::from_min_max(pos2(rail_left, y - 4.0), pos2(left_of - 96.0, y + 4.0));
    Rail::around(before, it.value as f32, it.tolerance()).show(cx, rail, it.mark(cx.t));
    said(cx, row, words, (&was, &after), it);
}

/// The accessible text of a prediction next to the current value.
fn said(cx: &Cx<'_>, row: Rect, words: &str, (was, after): (&str, &str), it: &Shown<'_>) {
    let number = format!("{after} {}{}", it.unit(), it.behind());
    node(cx, row, &format!("{words}, predicted from {was} to {number}"));
}

/// The same with more room: numbers on the scale, and how far the measurement may differ.
fn moving_wide(cx: &Cx<'_>, row: Rect, words: &str, before: f32, it: &Shown<'_>) {
    let y = row.top() + 12.0;
    let edge = row.right() - space::M - UNITS;
    let (was, after) = (level(before, it.unit()), it.words());
    cx.left(pos2(edge + 4.0, y), it.unit(), Type::SMALL, cx.t.text_3);
    cx.right(pos2(edge, y), &after, Type::BODY_STRONG, it.color(cx.t));
    let left_of = edge - cx.width(it.about(), Type::BODY_STRONG);
    crate::kit::controls::arrow(cx, pos2(left_of - 64.0, y), cx.t.text_3);
    cx.right(pos2(left_of - 74.0, y), &was, Type::BODY, cx.t.text_2);
    let spread = format!("±{}", num(it.tolerance(), 1));
    cx.right(pos2(edge, y + 18.0), &spread, Type::CAPTION, cx.t.text_3);
    let left = row.left() + space::M;
    let rail_left = left + 136.0;
    let room = rail_left - left - 8.0;
    cx.elided(pos2(left, y), &fitted(cx, words, Type::BODY, room), Type::BODY, cx.t.text_2, room);
    let bar = Rect::from_min_max(pos2(rail_left, y - 4.0), pos2(left_of - 144.0, y + 4.0));
    let rail = Rail::around(before, it.value as f32, it.tolerance());
    rail.show(cx, bar, it.mark(cx.t));
    rail.ticks(cx, bar);
    said(cx, row, words, (&was, &after), it);
}

/// The button that measures again, in the head above the stale rows, after its `label`. The same call again
/// measures all rows.
fn again(cx: &Cx<'_>, card: &mut Card, (head, label): (Rect, &str), out: &mut Actions) {
    if card.view.ticks.stale_rows(&card.stored.plan) < 2 {
        return;
    }
    let button = Button::new(Kind::Quiet, "Measure all again").salt(card.number as u64);
    let left = head.left() + 2.0 * space::M + cx.width(label, Type::CAPTION_STRONG);
    let cell = head.row_box(left + 12.0, vec2(button.width(cx), 20.0));
    cx.icon_fill(pos2(left + 6.0, head.center().y), icons::WARNING, 12.0, cx.t.warn);
    if button.show(cx, cell).clicked() {
        measure_again::same(card, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::prelude::*;
    use deskhand_session::Measure;

    #[test]
    fn that_a_value_is_as_it_came_is_told_of_what_is_listed() {
        let mut model = with_plan();
        let card = model.cards.get_mut(&gain_plan().id).unwrap();
        let predicted = &mut card.stored.plan.predicted;
        let first = predicted[0].clone();
        predicted.resize(LISTED, first);
        let from = vec!["c1".to_owned(), "c2".to_owned()];
        predicted.push(Prediction::now(ClipId::new(2), Measure::TruePeak, 0.8, 0.3, from));
        assert_eq!(predictions::note(card, &listed_of(card)), None);
        card.view.ticks.off.insert("c2".into());
        let listed = listed_of(card);
        assert_eq!((listed.len(), listed[0].measure), (LISTED, Measure::TruePeak));
        let note = predictions::note(card, &listed);
        assert_eq!(note.as_deref(), Some("gray: for all 2 changes"), "only measuring tells it");
    }

    #[test]
    fn each_predicted_number_says_what_it_is_of_and_the_mix_comes_first() {
        let mut model = with_plan();
        let card = model.cards.get_mut(&gain_plan().id).unwrap();
        let plan = &mut card.stored.plan;
        let mix = ObjectId::Session(plan.session);
        let from = vec!["c1".to_owned(), "c2".to_owned()];
        let loudness = Prediction::now(mix, Measure::IntegratedLoudness, -14.0, 0.1, from);
        plan.predicted.push(loudness);
        plan.warnings.clear();
        let mut harness = harness(model);
        let top = |words: &str| harness.get_by_label(words).rect().top();
        let of_mix = "Mix, integrated loudness −14.0 LUFS";
        let of_clip = "Vocal take, integrated loudness, predicted from −20.5 to −16.0 LUFS";
        assert!(top(of_mix) < top(of_clip));
        harness.click_on("Change 1: Vocal take, clip gain, from 0.0 to +4.5 dB");
        assert!(harness.query_by_label(of_clip).is_none(), "it has no tick");
        assert!(harness.query_by_label(of_mix).is_none());
        assert!(harness.query_by_label(&format!("{of_mix} for all 2 changes")).is_some());
    }
}
