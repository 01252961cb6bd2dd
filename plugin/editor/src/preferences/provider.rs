//! The provider: which one answers, its model, its key, and a test.

pub(super) mod server;

use crate::fixes::at_window;
use crate::preferences::rows::{FIELD, LABEL, choice, title};
use crate::preferences::view::Typed;
use crate::settings::{Provider, Settings, SettingsChange};
use crate::theme::Theme;
use egui::{Grid, Key, Label, Response, RichText, Role, TextEdit, Ui, WidgetInfo};

pub(super) fn show(
    ui: &mut Ui,
    theme: &Theme,
    it: &mut Settings,
    typed: &mut Typed,
    changes: &mut Vec<SettingsChange>,
) {
    if it.providers.is_empty() {
        return;
    }
    title(ui, theme, "Who answers");
    let ids: Vec<String> = it.providers.iter().map(|known| known.id.clone()).collect();
    let all = it.providers.clone();
    let words = |id: &String| {
        let known = all.iter().find(|known| known.id == *id);
        known.map_or(id.clone(), |known| {
            let place = if known.is_local { "this computer" } else { "cloud" };
            format!("{}, {place}", known.name())
        })
    };
    if choice(ui, "Provider", &mut it.provider, &ids, "Offline: no model", words) {
        changes.push(SettingsChange::Provider(it.provider.clone()));
    }
    if let Some(known) = all.iter().find(|known| Some(&known.id) == it.provider.as_ref()) {
        model(ui, known, typed, changes);
        if known.needs_key {
            key(ui, theme, known, typed, changes);
        }
        test(ui, theme, known, changes);
    }
    if it.takes_servers {
        server::show(ui, &mut typed.server, changes);
    }
}

/// The model: typed, or one that the provider listed.
fn model(ui: &mut Ui, known: &Provider, typed: &mut Typed, changes: &mut Vec<SettingsChange>) {
    let now = typed.model.take().filter(|(of, _)| *of == known.id);
    let mut name = now.map_or_else(|| known.model.clone(), |(_, name)| name);
    let set = |model: &str| {
        let (provider, model) = (known.id.clone(), model.trim().to_owned());
        SettingsChange::Model { provider, model }
    };
    let row = Grid::new("model").num_columns(2).min_col_width(LABEL);
    let is_typing = row.show(ui, |ui| {
        let label = ui.label("Model");
        let field = ui.add(TextEdit::singleline(&mut name).desired_width(FIELD));
        let field = field.labelled_by(label.id);
        let is_sent = field.lost_focus() && !ui.input(|input| input.key_pressed(Key::Escape));
        if is_sent && !name.trim().is_empty() && name.trim() != known.model {
            changes.push(set(&name));
        }
        field.has_focus()
    });
    if is_typing.inner {
        typed.model = Some((known.id.clone(), name));
    }
    if !known.models.is_empty() {
        let mut chosen = Some(known.model.clone());
        if choice(ui, "Its models", &mut chosen, &known.models, "", String::clone)
            && let Some(chosen) = chosen
        {
            changes.push(set(&chosen));
        }
    }
}

/// The field for the key of a provider; "Keep key" or Enter keeps it. Also drawn in the composer.
pub(crate) fn key(
    ui: &mut Ui,
    theme: &Theme,
    known: &Provider,
    typed: &mut Typed,
    changes: &mut Vec<SettingsChange>,
) -> Response {
    // One line in both cases, so the controls below it stay in place.
    let (words, color) = if known.has_key {
        (format!("A key of {} is kept.", known.id), theme.text_3)
    } else {
        (format!("{} has no key yet: paste one here, and keep it.", known.id), theme.warn)
    };
    ui.add(Label::new(RichText::new(words).color(color)).truncate());
    let row = ui.horizontal(|ui| {
        let hint = if known.has_key { "a key is kept; paste another" } else { "paste a key" };
        let edit = TextEdit::singleline(&mut typed.key).password(true).hint_text(hint);
        let response = ui.add(edit.desired_width(240.0));
        response
            .widget_info(|| WidgetInfo::labeled(Role::PasswordInput, true, "Key of the provider"));
        let is_typed = !typed.key.trim().is_empty();
        let is_entered = response.lost_focus() && ui.input(|it| it.key_pressed(Key::Enter));
        let is_clicked = ui.add_enabled(is_typed, egui::Button::new("Keep key")).clicked();
        if is_clicked || (is_entered && is_typed) {
            let key = std::mem::take(&mut typed.key).trim().to_owned();
            changes.push(SettingsChange::Key { provider: known.id.clone(), key });
        }
        response
    });
    row.inner
}

/// Whether the provider answers, and its message.
fn test(ui: &mut Ui, theme: &Theme, known: &Provider, changes: &mut Vec<SettingsChange>) {
    let button = ui.button("Test").on_hover_text("Sends one word, and asks which models there are");
    if button.clicked() {
        changes.push(SettingsChange::Test { provider: known.id.clone() });
    }
    // On lines of its own: what went wrong may take several.
    if !known.tested.is_empty() {
        let color = if known.has_failed { theme.danger } else { theme.text };
        let words = RichText::new(at_window(&known.tested)).color(color);
        ui.add(Label::new(words).wrap());
    }
}
