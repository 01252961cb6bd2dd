//! Preferences, keyboard help and about: one floating sheet at a time.

mod about;
mod capture;
mod keys;
mod models;
mod policy;
mod provider;
mod tools;

use crate::action::Action;
use crate::kit::Cx;
use crate::model::Model;
use crate::settings::{Settings, SettingsChange};
use crate::theme::{Theme, Type};
use egui::{ComboBox, Grid, Key, Modifiers, Ui, vec2};

/// Labels and what stands beside them begin at the same places.
const LABEL: f32 = 96.0;
const FIELD: f32 = 260.0;
/// Room for the scroll bar.
const BAR: f32 = 14.0;

/// Which sheet is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Page {
    Settings,
    Keys,
    About,
}

/// What the sheets keep between frames.
#[derive(Default)]
pub(crate) struct Preferences {
    pub(crate) page: Option<Page>,
    typed: provider::Typed,
    /// A rule that is being made.
    rule: policy::Draft,
}

impl Preferences {
    pub(crate) fn toggle(&mut self, page: Page) {
        self.page = if self.page == Some(page) { None } else { Some(page) };
        self.typed = provider::Typed::default();
    }
}

/// The key that opens the help, and the one that closes a sheet: ahead of what lies below it.
pub(crate) fn keys(ui: &Ui, model: &mut Model) {
    if !ui.ctx().text_edit_focused() && ui.input(|input| input.key_pressed(Key::Questionmark)) {
        model.preferences.toggle(Page::Keys);
    }
    // The first Esc in a field leaves the field.
    let is_open = model.preferences.page.is_some() && !model.was_typing;
    if is_open && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape)) {
        model.preferences.page = None;
    }
}

/// What the sheet is known by.
pub(crate) fn id() -> egui::Id {
    egui::Id::unique("preferences")
}

/// Draws the open sheet.
pub(crate) fn show(ui: &Ui, theme: &Theme, model: &mut Model, out: &mut Vec<Action>) {
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
                // The scroll bar lies over what it moves.
                ui.set_max_width(ui.available_width() - BAR);
                match page {
                    Page::Settings => settings(ui, theme, model, out),
                    Page::Keys => keys::show(ui, theme, model.live.is_hosted()),
                    Page::About => about::show(ui),
                }
            });
        });
    if !is_open {
        model.preferences.page = None;
    }
}

fn title(ui: &mut Ui, theme: &Theme, text: &str) {
    ui.add_space(8.0);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 20.0), egui::Sense::hover());
    let cx = Cx::new(ui, theme);
    cx.left(rect.left_center(), text, Type::BODY_STRONG, theme.text);
    cx.hline(rect.left(), rect.right(), rect.bottom() + 2.0, theme.line);
}

/// One choice of many, or of what the system has.
fn choice<T: Clone + PartialEq>(
    ui: &mut Ui,
    name: &str,
    chosen: &mut Option<T>,
    all: &[T],
    none: &str,
    words: impl Fn(&T) -> String,
) -> bool {
    let before = chosen.clone();
    Grid::new(("choice", name)).num_columns(2).min_col_width(LABEL).show(ui, |ui| {
        let label = ui.label(name);
        let shown = chosen.as_ref().map_or_else(|| none.to_owned(), &words);
        let combo = ComboBox::from_id_salt(name).width(FIELD).selected_text(shown);
        let combo = combo.show_ui(ui, |ui| {
            ui.selectable_value(chosen, None, none);
            for one in all {
                ui.selectable_value(chosen, Some(one.clone()), words(one));
            }
        });
        combo.response.labelled_by(label.id);
    });
    *chosen != before
}

fn settings(ui: &mut Ui, theme: &Theme, model: &mut Model, out: &mut Vec<Action>) {
    let Some(mut settings) = model.settings.take() else { return };
    let mut changes = Vec::new();
    sound(ui, theme, &mut settings, &mut changes);
    capture::show(ui, theme, &mut settings, &mut changes);
    provider::show(ui, theme, &mut settings, &mut model.preferences.typed, &mut changes);
    out.extend(changes.drain(..).map(Action::Settings));
    policy::show(ui, theme, model, out);
    tools::show(ui, theme, &settings, &mut changes);
    models::show(ui, theme, &settings, &mut changes);
    looks(ui, theme, &mut settings, &mut changes);
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

fn looks(ui: &mut Ui, theme: &Theme, it: &mut Settings, changes: &mut Vec<SettingsChange>) {
    title(ui, theme, "Looks");
    let before = it.is_light;
    ui.horizontal(|ui| {
        ui.radio_value(&mut it.is_light, false, "Dark");
        ui.radio_value(&mut it.is_light, true, "Light");
    });
    if it.is_light != before {
        changes.push(SettingsChange::Light(it.is_light));
    }
    ui.horizontal(|ui| {
        ui.label(format!("Zoom {:.0}\u{a0}%", it.zoom * 100.0));
        // Steps, not a slider: a slider would move under the pointer while it zooms.
        let smaller = ui.add_enabled(it.zoom > 0.85, egui::Button::new("Smaller")).clicked();
        let larger = ui.add_enabled(it.zoom < 1.95, egui::Button::new("Larger")).clicked();
        if smaller || larger {
            let by = if larger { 0.1 } else { -0.1 };
            it.zoom = ((it.zoom + by) * 10.0).round() / 10.0;
            changes.push(SettingsChange::Zoom(it.zoom));
        }
    });
    if ui.checkbox(&mut it.reduces_motion, "Reduce motion").changed() {
        changes.push(SettingsChange::ReduceMotion(it.reduces_motion));
    }
}

#[cfg(test)]
mod tests;
