//! Models: what there is, how large it is, under which license, and installing it.

use crate::preferences::rows::{FIELD, title};
use crate::settings::{ModelOffer, Settings, SettingsChange};
use crate::theme::{Theme, space};
use egui::{Align, Button, Label, Layout, Role, Ui, WidgetInfo, vec2};

/// Height of a line with a name and its buttons.
const LINE: f32 = 20.0;

/// Draws the models that can be installed, and those that are.
pub(super) fn show(
    ui: &mut Ui,
    theme: &Theme,
    settings: &Settings,
    changes: &mut Vec<SettingsChange>,
) {
    if settings.models.is_empty() {
        return;
    }
    title(ui, theme, "Models");
    for (index, model) in settings.models.iter().enumerate() {
        if index > 0 {
            ui.add_space(space::S);
        }
        // The text about a model is closer to its name than to the next one.
        ui.scope(|ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            ui.spacing_mut().interact_size.y = LINE;
            one(ui, theme, model, changes);
        });
    }
}

fn one(ui: &mut Ui, theme: &Theme, model: &ModelOffer, changes: &mut Vec<SettingsChange>) {
    ui.horizontal(|ui| {
        // The buttons line up, however long the text before them is.
        let (size, layout) = (vec2(FIELD, LINE), Layout::left_to_right(Align::Center));
        ui.allocate_ui_with_layout(size, layout, |ui| {
            ui.set_min_width(FIELD);
            ui.add(Label::new(&model.title).truncate());
        });
        let word = if model.is_installed { "Remove" } else { "Install" };
        let name = format!("{word} the model {}", model.title);
        let button = ui.add_enabled(!model.is_busy, Button::new(word).small());
        button.widget_info(|| WidgetInfo::labeled(Role::Button, !model.is_busy, &name));
        if model.is_busy {
            ui.spinner();
            let cancel = ui.add(Button::new("Cancel").small());
            let name = format!("Cancel installing the model {}", model.title);
            cancel.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
            if cancel.clicked() {
                changes.push(SettingsChange::StopInstall { model: model.id.clone() });
            }
        }
        if button.clicked() {
            let id = model.id.clone();
            changes.push(if model.is_installed {
                SettingsChange::Uninstall { model: id }
            } else {
                SettingsChange::Install { model: id }
            });
        }
    });
    ui.colored_label(theme.text_3, facts(model));
    if !model.said.is_empty() {
        ui.add(Label::new(&model.said).wrap());
    }
}

/// What it is for, how large it is, and under which license.
fn facts(model: &ModelOffer) -> String {
    let ModelOffer { task, license, .. } = model;
    let size = if model.is_installed {
        format!("{} on this computer", size_words(model.size))
    } else {
        format!("{} to download", size_words(model.download))
    };
    format!("{task} · {size} · {license}")
}

fn size_words(bytes: u64) -> String {
    format!("{:.0}\u{a0}MB", bytes as f64 / 1e6)
}
