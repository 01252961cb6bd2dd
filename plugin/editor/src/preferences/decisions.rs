//! Which plans of a model wait, and the person's rules for tools.

mod new_rule;

use crate::action::{Action, Actions};
use crate::icons;
use crate::kit::choice::{SegmentedChoice, segmented};
use crate::kit::controls::icon_button;
use crate::kit::{Cut, Cx, rows};
use crate::model::Model;
use crate::settings::{Changes, SettingsChange};
use crate::theme::Type;
use crate::tools;
use deskhand_protocol::{Asking, Rule, ToolRule};
use egui::{Sense, Ui, pos2, vec2};

/// The label of each rule, and its effect.
const RULES: [(Rule, &str); 3] = [
    (Rule::Allow, "applied without asking"),
    (Rule::Confirm, "always asked"),
    (Rule::Deny, "not for models"),
];

const BIGGER: &str = "A plan that sets one number of one object is applied, and you see it with an Undo button. \
                      What reaches outside the session always waits.";
const ALWAYS: &str = "Every plan waits for you.";
const EXCEPT: &str = "Every plan waits for you, except those that a rule below allows.";
/// The height of a rule, points.
const ROW: f32 = 36.0;

fn words(rule: Rule) -> &'static str {
    match rule {
        Rule::Allow => RULES[0].1,
        Rule::Confirm => RULES[1].1,
        Rule::Deny => RULES[2].1,
    }
}

/// Draws the settings for the open session.
pub(super) fn show(ui: &mut Ui, model: &mut Model, out: &mut Actions) {
    let Some(mirror) = &model.mirror else { return };
    let mut changes = Vec::new();
    let is_allowed = |it: &ToolRule| it.rule == Rule::Allow;
    let note = match mirror.snapshot.asking {
        Asking::BiggerChanges => BIGGER,
        Asking::Always if mirror.snapshot.rules.iter().any(is_allowed) => EXCEPT,
        Asking::Always => ALWAYS,
    };
    rows::heading(ui, "Decisions in this session", note);
    asking(ui, mirror.snapshot.asking, &mut changes);
    ui.add_space(16.0);
    rows::section(ui, "Rules for tools");
    rows::group(ui, |ui| {
        for rule in &mirror.snapshot.rules {
            known(ui, rule, &mut changes);
            rows::line(ui);
        }
        new_rule::show(ui, &mut model.preferences.rule, &model.tools, &mut changes);
    });
    out.extend(changes.into_iter().map(Action::Settings));
}

fn asking(ui: &mut Ui, before: Asking, changes: &mut Changes) {
    let all = [(Asking::Always, "Ask always"), (Asking::BiggerChanges, "Ask for bigger changes")];
    let wide = ui.available_width().min(320.0);
    let (rect, _) = ui.allocate_exact_size(vec2(wide, 28.0), Sense::hover());
    let choice = |(_, label)| SegmentedChoice { label, key: "", is_planned: false, why_not: None };
    let now = all.iter().position(|(asking, _)| *asking == before);
    let taken = segmented(&Cx::new(ui), rect, &all.map(choice), now, "asking");
    let taken = taken.map(|index| all[index].0).filter(|asking| *asking != before);
    changes.extend(taken.map(SettingsChange::Asking));
}

/// A rule that holds. One of the configuration is changed there.
fn known(ui: &mut Ui, it: &ToolRule, changes: &mut Changes) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
    let cx = Cx::new(ui);
    let title = tools::title(&it.tool);
    let middle = rect.left() + rect.width() * 0.45;
    cx.elided(
        rect.left_mid(0.0),
        &title,
        Type::SMALL_STRONG,
        cx.t.text,
        middle - rect.left() - 8.0,
    );
    let (icon, color) = match it.rule {
        Rule::Allow => (icons::CHECK, cx.t.ok),
        Rule::Confirm => (icons::HAND, cx.t.text_2),
        Rule::Deny => (icons::LOCK_SIMPLE, cx.t.text_2),
    };
    cx.icon(pos2(middle + 7.0, rect.center().y), icon, 14.0, color);
    let at = pos2(middle + 22.0, rect.center().y);
    cx.left(at, words(it.rule), Type::SMALL, cx.t.text_2);
    cx.label(rect, ("rule", &it.tool), format!("{title}: {}", words(it.rule)));
    if !it.is_here {
        cx.right(rect.right_mid(0.0), "by the configuration", Type::CAPTION, cx.t.text_3);
        return;
    }
    let place = rect.row_box(rect.right() - 24.0, vec2(24.0, 24.0));
    if icon_button(&cx, place, icons::TRASH, &format!("Remove the rule for {title}")).clicked() {
        changes.push(SettingsChange::Rule { tool: it.tool.clone(), rule: None });
    }
}
