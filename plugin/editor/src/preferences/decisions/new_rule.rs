//! A rule that is being made: for which tool, found by a part of its name, and what becomes of its plans.

use super::{RULES, words};
use crate::kit::controls::{Button, Kind, State};
use crate::kit::select::Select;
use crate::kit::{Cut, Cx, field, menu, rows};
use crate::preferences::pick::{self, FIELD};
use crate::preferences::view::Draft;
use crate::settings::{Changes, SettingsChange};
use crate::theme::{Theme, Type, size, space};
use crate::tools::{self, Tools};
use deskhand_protocol::Rule;
use deskhand_session::Trust;
use egui::{Key, Sense, Ui, vec2};

/// The field above the tools.
const FIND: &str = "Find a tool";
const WAITS: &str =
    "It reaches outside the session, so its plans always wait. No rule changes that.";

pub(super) fn show(ui: &mut Ui, draft: &mut Draft, tools: &Tools, changes: &mut Changes) {
    if tools.is_empty() {
        return;
    }
    let shown = draft.tool.as_deref().map_or_else(|| "Choose a tool".into(), tools::title);
    let rect = rows::setting(ui, "Rule for", "", FIELD.min(ui.available_width() * 0.6));
    let select = Select { name: "Rule for", shown: &shown };
    if select.with(&Cx::new(ui), rect, |ui| found(ui, draft, tools)).is_none() {
        draft.is_open = false;
        draft.search.clear();
    }
    let shown = draft.rule.map_or("Choose a rule", words);
    let now = RULES.iter().position(|(rule, _)| draft.rule == Some(*rule));
    let all = RULES.map(|(_, words)| words);
    if let Some(index) = pick::list(ui, ("Its plans are", ""), shown, (&all, now)) {
        draft.rule = Some(RULES[index].0);
    }
    add(ui, draft, tools, changes);
}

/// The tools by what a person calls them.
fn in_order(tools: &Tools) -> Vec<(String, &str)> {
    let mut named: Vec<_> =
        tools.all().map(|it| (tools::title(&it.name), it.name.as_str())).collect();
    named.sort_unstable();
    named
}

/// The field that finds a tool, and the tools that it finds. Enter takes the first of them.
fn found(ui: &mut Ui, draft: &mut Draft, tools: &Tools) {
    let theme = Theme::of(ui.visuals());
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 28.0), Sense::hover());
    let field = field::line(ui, rect, &mut draft.search, (FIND, FIND));
    ui.add_space(4.0);
    // In the first frame a list is only measured.
    if !ui.is_sizing_pass() && !std::mem::replace(&mut draft.is_open, true) {
        field.request_focus();
    }
    let wanted = draft.search.trim().to_lowercase();
    let mut named = in_order(tools);
    named.retain(|(title, _)| title.to_lowercase().contains(&wanted));
    let enter = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    let first = named.first().filter(|_| enter && !wanted.is_empty());
    if let Some((_, tool)) = first {
        draft.tool = Some((*tool).to_owned());
        ui.close();
        return;
    }
    if named.is_empty() {
        rows::para(ui, "No tool has this in its name.", (Type::SMALL, theme.text_3));
    }
    for (title, tool) in named {
        if menu::choice(ui, draft.tool.as_deref() == Some(tool), &title).clicked() {
            draft.tool = Some(tool.to_owned());
        }
    }
}

fn add(ui: &mut Ui, draft: &mut Draft, tools: &Tools, changes: &mut Changes) {
    let trust = draft.tool.as_deref().and_then(|tool| tools.trust(tool));
    let always_waits = trust == Some(Trust::Require);
    let is_idle = always_waits && draft.rule == Some(Rule::Allow);
    let is_whole = draft.tool.is_some() && draft.rule.is_some() && !is_idle;
    let (row, _) = ui.allocate_exact_size(vec2(ui.available_width(), 44.0), Sense::hover());
    let cx = Cx::new(ui);
    let state = if is_whole { State::Normal } else { State::Disabled };
    let button = Button::new(Kind::Secondary, "Add rule").state(state);
    let wide = button.width(&cx);
    let place = row.row_box(row.right() - wide, vec2(wide, size::CONTROL_H));
    if is_idle {
        let room = row.width() - wide - space::M;
        let at = cx.elided(row.left_mid(0.0), WAITS, Type::CAPTION, cx.t.warn, room);
        cx.label(at, "always waits", WAITS);
    }
    if button.show(&cx, place).clicked() {
        let Draft { tool, rule, .. } = std::mem::take(draft);
        changes.extend(tool.map(|tool| SettingsChange::Rule { tool, rule }));
    }
}
