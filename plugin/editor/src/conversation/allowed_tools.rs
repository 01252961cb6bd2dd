//! Tools whose plans the person's rules apply without asking: a chip above the switches of the composer.

use crate::icons;
use crate::kit::Cx;
use crate::kit::choice::chip;
use crate::model::Model;
use crate::theme::Type;
use crate::tools::title;
use deskhand_protocol::Rule;
use egui::{Rect, pos2};

const LINE: f32 = 28.0;
/// The room of a chip apart from its text.
const BESIDE: f32 = 28.0;

/// The tools whose plans are applied by a rule, as people call them.
fn tools(model: &Model) -> Vec<String> {
    let rules = model.mirror.as_ref().map(|mirror| &mirror.snapshot.rules[..]).unwrap_or_default();
    rules.iter().filter(|it| it.rule == Rule::Allow).map(|it| title(&it.tool)).collect()
}

/// Whether there is such a rule: not all is asked then.
pub(super) fn is_any(model: &Model) -> bool {
    !tools(model).is_empty()
}

pub(super) fn height(model: &Model) -> f32 {
    if is_any(model) { LINE } else { 0.0 }
}

/// Draws it; a click leads to the rules.
pub(super) fn show(cx: &Cx<'_>, model: &mut Model, rect: Rect) {
    let tools = tools(model);
    if tools.is_empty() {
        return;
    }
    let at = pos2(rect.left(), rect.bottom() - 10.0);
    let words = words(cx, &tools, rect.width() - BESIDE);
    let all = format!("Applied without asking: {}. A click leads to the rules", tools.join(", "));
    let response = chip(cx, at, Some(icons::CHECK), &words, None).on_hover_text(all);
    if response.clicked() && model.settings.is_some() {
        model.preferences.open_rules();
    }
}

/// As many of their names as there is room for.
fn words(cx: &Cx<'_>, tools: &[String], room: f32) -> String {
    let with = |count: usize| {
        let names = tools[..count].join(", ");
        match tools.len() - count {
            0 => format!("Allowed: {names}"),
            more => format!("Allowed: {names} and {more} more"),
        }
    };
    let fits = |words: &String| cx.width(words, Type::CAPTION_STRONG) <= room;
    let counted = || format!("Allowed: {} tools", tools.len());
    (1..=tools.len()).rev().map(with).find(fits).unwrap_or_else(counted)
}
