//! The card of a call that asks whether it may run: nothing was measured yet and nothing is changed.

use super::decide;
use super::place::{FOOTER, HEADER, Place};
use crate::action::Actions;
use crate::card::view::Card;
use crate::describe::{summary, why, writes};
use crate::icons;
use crate::kit::controls::{Button, Kind};
use crate::kit::{Cut, Cx};
use crate::theme::{Type, radius, space};
use deskhand_session::Plan;
use egui::{Rect, Sense, Ui, UiBuilder, pos2, vec2};

/// Characters of the parameters that are shown until the person asks for all.
const SHOWN: usize = 600;
/// The height of the button that shows all.
const MORE: f32 = 28.0;

/// Draws the card: what would run, why it asks, and the two answers.
pub(super) fn show(ui: &mut Ui, place: &Place<'_>, card: &mut Card, out: &mut Actions) -> Rect {
    let width = ui.available_width();
    let (call, hidden) = call_of(card);
    let cx = Cx::new(ui);
    let inner = width - 2.0 * space::M;
    let more = if hidden > 0 { MORE } else { 0.0 };
    let code = cx.para_height(&call, Type::CODE, inner - 16.0) + 16.0 + more;
    let words = Words::of(&cx, place, &card.stored.plan, inner);
    drop(cx);
    let foot = decide::height(card);
    let height = HEADER + code + 12.0 + words.height() + foot.max(FOOTER);
    let (rect, _) = ui.allocate_exact_size(vec2(width, height), Sense::hover());
    super::apply_by_key(ui, place.session, card, rect, out);
    if card.view.focus.had_focus {
        decide::reject_by_key(ui, card);
    }
    let mut child = ui.new_child(UiBuilder::new().max_rect(rect).id_salt(("card", card.number)));
    let mut rest = rect;
    let mut focused = paint_head(&child, card, rect, rest.cut_top(HEADER));
    let cx = Cx::new(&child);
    words.paint_file(&cx, &mut rest, inner);
    let block = Rect::from_min_size(rest.min + vec2(space::M, 0.0), vec2(inner, code));
    cx.fill(block, radius::CONTROL, cx.t.well);
    cx.para(block.min + vec2(8.0, 8.0), &call, Type::CODE, cx.t.text_2, inner - 16.0);
    if hidden > 0 {
        show_all(&cx, card, block, hidden);
    }
    rest.cut_top(code + 12.0);
    words.paint_reasons(&cx, &mut rest, inner);
    drop(cx);
    focused |= decide::show(&mut child, place, card, rest, out);
    card.view.focus.had_focus = focused;
    rect
}

/// The texts above and below a call, each with its height.
struct Words {
    file: Option<(String, f32)>,
    reasons: Vec<(String, f32)>,
}

impl Words {
    fn of(cx: &Cx<'_>, place: &Place<'_>, plan: &Plan, inner: f32) -> Self {
        let file = writes(place.tools, plan, place.folder).map(|words| {
            let height = cx.para_height(&words, Type::SMALL, inner) + 8.0;
            (words, height)
        });
        let reasons = plan.warnings.iter().map(|reason| {
            let words = why(plan, reason);
            let height = cx.para_height(&words, Type::SMALL, inner - 40.0) + 24.0;
            (words, height)
        });
        Self { file, reasons: reasons.collect() }
    }

    fn height(&self) -> f32 {
        self.file.iter().chain(&self.reasons).map(|(_, height)| height).sum()
    }

    fn paint_file(&self, cx: &Cx<'_>, rest: &mut Rect, inner: f32) {
        let Some((words, height)) = &self.file else { return };
        let at = rest.cut_top(*height).min + vec2(space::M, 0.0);
        let drawn = cx.para(at, words, Type::SMALL, cx.t.text, inner);
        cx.label(drawn, "file", words);
    }

    fn paint_reasons(&self, cx: &Cx<'_>, rest: &mut Rect, inner: f32) {
        for (words, height) in &self.reasons {
            let block = rest.cut_top(*height).pad(space::M, 4.0);
            cx.fill(block, radius::CONTROL, cx.t.warn_soft);
            cx.icon_fill(block.left_mid(16.0), icons::WARNING, 16.0, cx.t.warn);
            let at = pos2(block.left() + 32.0, block.top() + 8.0);
            cx.para(at, words, Type::SMALL, cx.t.text, inner - 40.0);
        }
    }
}

/// The call as it would be made, and how many characters of it are not shown.
fn call_of(card: &Card) -> (String, usize) {
    let plan = &card.stored.plan;
    let params = plan.params.to_string();
    let length = params.chars().count();
    let shown = if card.view.folds.is_whole { length } else { length.min(SHOWN) };
    let mark = if shown < length { "…" } else { "" };
    let words: String = params.chars().take(shown).collect();
    (format!("{} {words}{mark}", plan.tool), length - shown)
}

/// The way to the rest of a long call, at the foot of its block.
fn show_all(cx: &Cx<'_>, card: &mut Card, block: Rect, hidden: usize) {
    let label = format!("Show {hidden} more characters");
    let button = Button::new(Kind::Quiet, &label).salt(card.number as u64);
    let at = pos2(block.left(), block.bottom() - MORE);
    let cell = Rect::from_min_size(at, vec2(button.width(cx), 24.0));
    if button.show(cx, cell).clicked() {
        card.view.folds.is_whole = true;
    }
}

fn paint_head(ui: &Ui, card: &mut Card, rect: Rect, head: Rect) -> bool {
    let cx = Cx::new(ui);
    cx.fill(rect, radius::CARD, cx.t.raised);
    let whole = cx.interact(rect, "card", Sense::click());
    let name = format!("Card of plan {}", card.number);
    whole.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Group, true, &name));
    if whole.clicked() || std::mem::take(&mut card.view.focus.takes_keyboard) {
        whole.request_focus();
    }
    cx.border(rect, radius::CARD, cx.t.line_strong);
    cx.ring(&whole, rect, radius::CARD);
    let x = head.left() + space::M;
    let summary = summary(&card.stored.plan);
    let at = pos2(x, head.top() + 20.0);
    cx.elided(at, &summary, Type::TITLE, cx.t.text, head.width() - 24.0);
    let (asks, state) = if card.view.deciding.is_let_run() {
        ("It runs", "It runs: you allowed it.")
    } else {
        ("May it run?", "May it run? Nothing was changed.")
    };
    let words = format!("Plan {}: {summary}. {asks}", card.number);
    let node = cx.label(head, "title", &words);
    node.on_hover_text(summary);
    let number = format!("Plan {}", card.number);
    let y = head.top() + 40.0;
    let tag = cx.left(pos2(x, y), &number, Type::SMALL_STRONG, cx.t.accent);
    cx.left(pos2(tag.right() + 8.0, y), state, Type::SMALL, cx.t.text_2);
    cx.focused.get()
}

#[cfg(test)]
mod tests {
    use crate::testing::prelude::*;
    use crate::testing::tool_of;

    #[test]
    fn of_a_call_that_writes_a_file_it_is_read_what_and_where() {
        let tool = tool_of(Gesture::ExportMix);
        let summary = format!("Run {tool} (Export for delivery)");
        let params = serde_json::json!({"or_next_free": true, "path": "mix.wav"});
        let warnings = vec![format!("{tool} reaches outside the session")];
        let plan = Plan { params, summary, warnings, changes: Vec::new(), ..gain_plan() };
        let plan = Plan { tool, ..plan };
        let mut model = open_model();
        drop(model.hear(&event(2, None, News::Review { plan: Box::new(plan) })));
        let harness = harness(model);
        assert!(harness.query_by_label("Plan 1: Export for delivery. May it run?").is_some());
        let words = harness.get_by_label_contains("Writes /music/mix.wav, or mix-2.wav");
        let card = harness.get_by_label("Card of plan 1").rect();
        assert!(card.contains_rect(words.rect()), "{} in {card}", words.rect());
        let drawn = |words: &str| {
            harness.output().shapes.iter().any(|it| match &it.shape {
                egui::Shape::Text(text) => text.galley.text().contains(words),
                _ => false,
            })
        };
        assert!(drawn("A report goes next to it: mix.report.html and mix.report.json."));
        assert!(drawn("It reaches outside the session"));
        assert!(drawn("{\"or_next_free\":true,\"path\":\"mix.wav\"}"), "and all of the call");
    }

    #[test]
    fn a_call_that_was_let_run_says_how_far_it_is_and_asks_no_more() {
        let plan = Plan { changes: Vec::new(), tool: "tool_transcribe".into(), ..gain_plan() };
        let (id, call) = (plan.id, CallId(9));
        let mut model = open_model();
        drop(model.hear(&event(2, None, News::Review { plan: Box::new(plan) })));
        let mut harness = harness(model);
        assert!(harness.query_by_label_contains("May it run?").is_some());
        let model = &mut harness.state_mut().model;
        model.sent(call, &Op::Decide { plan: id, decision: Decision::Apply });
        let progress = News::Progress { fraction: 0.34, what: "listening".into() };
        drop(model.hear(&event(3, Some(call), progress)));
        harness.run_steps(3);
        assert!(harness.query_by_label_contains("May it run?").is_none());
        assert!(harness.query_by_label("Plan 1 running").is_some(), "the line at the bottom too");
        assert!(harness.query_by_label("Running, 34 %").is_some());
        harness.click_on("Cancel");
        assert_eq!(harness.state().actions, [Action::Cancel(call)]);
    }
}
