//! Preferences, keyboard help and about: one floating sheet at a time.

mod about;
mod capture;
mod keys;
mod models;
mod policy;
pub(crate) mod provider;
mod rows;
mod tools;
pub(crate) mod view;

use crate::action::{Action, Actions};
use crate::layout::TRACKS;
use crate::model::Model;
use crate::preferences::rows::{choice, entry, list, title};
use crate::preferences::view::Page;
use crate::settings::{Settings, SettingsChange};
use crate::theme::Theme;
use crate::zoom;
use egui::{Key, Label, Modifiers, RichText, Ui, vec2};

/// Room for the scroll bar.
const BAR: f32 = 14.0;

/// The key that opens the help, and the one that closes a sheet. They run before everything below the
/// sheet.
pub(crate) fn keys(ui: &Ui, model: &mut Model) {
    let is_free = !ui.ctx().text_edit_focused() && !egui::Popup::is_any_open(ui.ctx());
    if is_free && ui.input(|input| input.key_pressed(Key::Questionmark)) {
        model.preferences.toggle(Page::Keys);
    }
    // The first Esc in a field leaves the field.
    let is_open = model.preferences.page.is_some() && !model.was_typing;
    if is_open && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape)) {
        model.preferences.page = None;
    }
}

pub(crate) fn id() -> egui::Id {
    egui::Id::unique("preferences")
}

/// Draws the open sheet.
pub(crate) fn show(ui: &Ui, theme: &Theme, model: &mut Model, out: &mut Actions) {
    let Some(page) = model.preferences.page else { return };
    let title = match page {
        Page::Settings => "Preferences",
        Page::Keys => "Keyboard",
        Page::About => "About Deskhand",
    };
    let mut is_open = true;
    let size = ui.ctx().content_rect().size();
    egui::Window::new(title)
        .id(id())
        .open(&mut is_open)
        .collapsible(false)
        .resizable(false)
        .fixed_size(vec2(440.0 + BAR, (size.y - 120.0).min(700.0)))
        .anchor(egui::Align2::CENTER_CENTER, vec2(0.0, 0.0))
        .show(ui.ctx(), |ui| {
            egui::ScrollArea::vertical().auto_shrink([false, true]).show(ui, |ui| {
                // The scroll bar covers the content.
                ui.set_max_width(ui.available_width() - BAR);
                match page {
                    Page::Settings => settings(ui, theme, model, out),
                    Page::Keys => keys::show(ui, theme, model),
                    Page::About => about::show(ui),
                }
            });
        });
    if !is_open {
        model.preferences.page = None;
    }
}

fn settings(ui: &mut Ui, theme: &Theme, model: &mut Model, out: &mut Actions) {
    let Some(mut settings) = model.settings.take() else { return };
    let mut changes = Vec::new();
    sound(ui, theme, &mut settings, &mut changes);
    capture::show(ui, theme, &mut settings, &mut changes);
    provider::show(ui, theme, &mut settings, &mut model.preferences.typed, &mut changes);
    out.extend(changes.drain(..).map(Action::Settings));
    policy::show(ui, theme, model, out);
    tools::show(ui, theme, &settings, &mut changes);
    models::show(ui, theme, &settings, &mut changes);
    looks(ui, theme, &mut settings, model.preferences.zoom, &mut changes);
    ui.add_space(12.0);
    if ui.button("About and licenses").clicked() {
        model.preferences.page = Some(Page::About);
    }
    model.is_light = settings.is_light;
    model.settings = Some(settings);
    out.extend(changes.into_iter().map(Action::Settings));
}

fn sound(ui: &mut Ui, theme: &Theme, it: &mut Settings, changes: &mut Vec<SettingsChange>) {
    if it.devices.is_empty() && it.rates.is_empty() && it.buffers.is_empty() {
        return;
    }
    title(ui, theme, "Sound");
    let device = |name: &String| name.clone();
    if choice(ui, "Output", &mut it.device, &it.devices, "As the system has it", device) {
        changes.push(SettingsChange::Device(it.device.clone()));
    }
    let hertz = |rate: &u32| format!("{} kHz", f64::from(*rate) / 1000.0);
    if choice(ui, "Rate", &mut it.rate, &it.rates, "The session's", hertz) {
        changes.push(SettingsChange::Rate(it.rate));
    }
    let frames = |frames: &u32| format!("{frames} samples");
    if choice(ui, "Buffer", &mut it.buffer, &it.buffers, "The device's", frames) {
        changes.push(SettingsChange::Buffer(it.buffer));
    }
}

/// `shown` is the zoom that the window is drawn at.
fn looks(
    ui: &mut Ui,
    theme: &Theme,
    it: &mut Settings,
    shown: Option<f32>,
    changes: &mut Vec<SettingsChange>,
) {
    title(ui, theme, "Looks");
    let before = it.is_light;
    ui.horizontal(|ui| {
        ui.radio_value(&mut it.is_light, false, "Dark");
        ui.radio_value(&mut it.is_light, true, "Light");
    });
    if it.is_light != before {
        changes.push(SettingsChange::Light(it.is_light));
    }
    let before = it.zoom;
    list(ui, "Zoom", zoom::name(before), |ui| {
        for size in zoom::ALL {
            entry(ui, &mut it.zoom, size, zoom::name(size));
        }
    });
    if it.zoom != before {
        changes.push(SettingsChange::Zoom(it.zoom));
    }
    if let Some(why) = zoom::limit(it.zoom, shown) {
        ui.add(Label::new(RichText::new(why).color(theme.text_3)).wrap());
    }
    if shown.is_some() {
        tracks(ui, it, changes);
    }
    if ui.checkbox(&mut it.reduces_motion, "Reduce motion").changed() {
        changes.push(SettingsChange::ReduceMotion(it.reduces_motion));
    }
}

/// How high the tracks on the timeline of the app are.
fn tracks(ui: &mut Ui, it: &mut Settings, changes: &mut Vec<SettingsChange>) {
    let before = it.layout.checked().track;
    let known = TRACKS.iter().find(|(height, _)| *height == before);
    let shown = known.map_or_else(|| format!("{before:.0} points"), |(_, name)| (*name).to_owned());
    list(ui, "Tracks", shown, |ui| {
        for (height, name) in TRACKS {
            entry(ui, &mut it.layout.track, height, name);
        }
    });
    if it.layout.checked().track != before {
        changes.push(SettingsChange::Layout(it.layout.checked()));
    }
}

#[cfg(test)]
mod tests;
