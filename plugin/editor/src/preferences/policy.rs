//! How much is asked: which plans of a model wait, and the person's rules for tools.

use super::rows;
use crate::action::{Action, Actions};
use crate::model::Model;
use crate::preferences::rows::{entry, title};
use crate::preferences::view::Draft;
use crate::settings::SettingsChange;
use crate::theme::Theme;
use crate::tools::{self, Tools};
use deskhand_protocol::{Asking, Rule, ToolRule};
use deskhand_session::Trust;
use egui::{Button, ComboBox, Grid, Key, PopupCloseBehavior, Role, TextEdit, Ui, WidgetInfo};

/// The height of the long list of tools, points.
const TALL: f32 = 400.0;
/// The field above them.
const FIND: &str = "Find a tool";

/// The label of each rule, and its effect.
const RULES: [(Rule, &str); 3] = [
    (Rule::Allow, "applied without asking"),
    (Rule::Confirm, "always asked"),
    (Rule::Deny, "not for models"),
];

fn words(rule: Rule) -> &'static str {
    match rule {
        Rule::Allow => RULES[0].1,
        Rule::Confirm => RULES[1].1,
        Rule::Deny => RULES[2].1,
    }
}

/// Draws the settings for the open session.
pub(super) fn show(ui: &mut Ui, theme: &Theme, model: &mut Model, out: &mut Actions) {
    let Some(mirror) = &model.mirror else { return };
    let mut changes = Vec::new();
    if !ui.is_sizing_pass() && std::mem::take(&mut model.preferences.goes_to_rules) {
        let at_once = egui::style::ScrollAnimation::none();
        ui.scroll_to_cursor_animation(Some(egui::Align::TOP), at_once);
    }
    title(ui, theme, "What is asked in this session");
    let is_allowed = |it: &ToolRule| it.rule == Rule::Allow;
    let always = match mirror.snapshot.rules.iter().any(is_allowed) {
        true => "Ask always, but for what is allowed below",
        false => "Ask always",
    };
    asking(ui, mirror.snapshot.asking, always, &mut changes);
    for rule in &mirror.snapshot.rules {
        known(ui, theme, rule, &mut changes);
    }
    new_rule(ui, &mut model.preferences.rule, &model.tools, &mut changes);
    out.extend(changes.into_iter().map(Action::Settings));
}

fn asking(ui: &mut Ui, before: Asking, always: &str, changes: &mut Vec<SettingsChange>) {
    let mut asking = before;
    ui.radio_value(&mut asking, Asking::Always, always);
    let bigger = ui.radio_value(&mut asking, Asking::BiggerChanges, "Ask for bigger changes");
    bigger.on_hover_text(
        "A plan that sets one number of one object is applied, and you see it with an Undo button. What reaches outside the session always waits.",
    );
    if asking != before {
        changes.push(SettingsChange::Asking(asking));
    }
}

/// A rule that holds. One of the configuration is changed there.
fn known(ui: &mut Ui, theme: &Theme, it: &ToolRule, changes: &mut Vec<SettingsChange>) {
    ui.horizontal(|ui| {
        ui.label(format!("{}: {}", tools::title(&it.tool), words(it.rule)));
        if !it.is_here {
            ui.colored_label(theme.text_3, "by the configuration");
            return;
        }
        let button = ui.small_button("Remove");
        let name = format!("Remove the rule for {}", tools::title(&it.tool));
        button.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
        if button.clicked() {
            changes.push(SettingsChange::Rule { tool: it.tool.clone(), rule: None });
        }
    });
}

/// The tools by what a person calls them.
fn in_order(tools: &Tools) -> Vec<(String, &str)> {
    let mut named: Vec<_> =
        tools.all().map(|it| (tools::title(&it.name), it.name.as_str())).collect();
    named.sort_unstable();
    named
}

/// The field that finds a tool by a part of its name, and the tools that it finds; whether Enter took the first of them.
fn found(ui: &mut Ui, draft: &mut Draft, tools: &Tools) -> bool {
    let edit = TextEdit::singleline(&mut draft.search).hint_text(FIND);
    let field = ui.add(edit.desired_width(rows::FIELD - 24.0));
    field.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, FIND));
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
        return true;
    }
    if named.is_empty() {
        ui.label("No tool is called so");
    }
    for (title, tool) in named {
        entry(ui, &mut draft.tool, Some(tool.to_owned()), title);
    }
    false
}

fn new_rule(ui: &mut Ui, draft: &mut Draft, tools: &Tools, changes: &mut Vec<SettingsChange>) {
    if tools.is_empty() {
        return;
    }
    Grid::new("new rule").num_columns(2).min_col_width(rows::LABEL).show(ui, |ui| {
        let label = ui.label("Rule for");
        let shown = draft.tool.as_deref().map_or_else(|| "Choose a tool".into(), tools::title);
        let combo = ComboBox::from_id_salt("tool").width(rows::FIELD).selected_text(shown);
        let combo = combo.height(TALL).close_behavior(PopupCloseBehavior::CloseOnClickOutside);
        let combo = combo.show_ui(ui, |ui| found(ui, draft, tools));
        if combo.inner == Some(true) {
            combo.response.request_focus();
        } else if combo.inner.is_none() {
            draft.is_open = false;
            draft.search.clear();
        }
        combo.response.labelled_by(label.id);
        ui.end_row();
        let label = ui.label("Its plans are");
        let shown = draft.rule.map_or("Choose a rule", words);
        let combo = ComboBox::from_id_salt("rule").width(rows::FIELD).selected_text(shown);
        let combo = combo.show_ui(ui, |ui| {
            for (rule, words) in RULES {
                entry(ui, &mut draft.rule, Some(rule), words);
            }
        });
        combo.response.labelled_by(label.id);
        ui.end_row();
    });
    add(ui, draft, tools, changes);
}

fn add(ui: &mut Ui, draft: &mut Draft, tools: &Tools, changes: &mut Vec<SettingsChange>) {
    let trust = draft.tool.as_deref().and_then(|tool| tools.trust(tool));
    let always_waits = trust == Some(Trust::Require);
    let is_idle = always_waits && draft.rule == Some(Rule::Allow);
    if is_idle {
        ui.label("It reaches outside the session, and always waits: no rule lowers that.");
    }
    let is_whole = draft.tool.is_some() && draft.rule.is_some() && !is_idle;
    if !ui.add_enabled(is_whole, Button::new("Add rule")).clicked() {
        return;
    }
    let Draft { tool, rule, .. } = std::mem::take(draft);
    changes.extend(tool.map(|tool| SettingsChange::Rule { tool, rule }));
}
