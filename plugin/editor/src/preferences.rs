//! Preferences: one sheet with its sections on the left. Every change holds at once.

mod about;
pub(crate) mod answers;
mod capture;
mod decisions;
mod keys;
mod looks;
mod models;
mod nav;
mod pick;
mod sound;
mod tools;
pub(crate) mod view;

use crate::action::{Action, Actions};
use crate::icons;
use crate::kit::Cut;
use crate::kit::sheet::{self, Sheet};
use crate::model::Model;
use crate::preferences::view::{Page, Section};
use crate::settings::Settings;
use egui::{Frame, Key, Margin, Modifiers, Rect, ScrollArea, Ui, UiBuilder, Vec2, vec2};

const SIZE: Vec2 = vec2(976.0, 768.0);
const NAV: f32 = 216.0;

/// The keys that open the sheet, and the one that closes it. They run before everything below it.
pub(crate) fn keys(ui: &Ui, model: &mut Model) {
    let is_free = !ui.ctx().text_edit_focused() && !egui::Popup::is_any_open(ui.ctx());
    if is_free && ui.input(|input| input.key_pressed(Key::Questionmark)) {
        model.preferences.toggle(Page::Keys);
    }
    if ui.input_mut(|input| input.consume_key(Modifiers::COMMAND, Key::Comma)) {
        model.preferences.toggle(Page::Settings);
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

/// Draws the sheet while it is open.
pub(crate) fn show(ui: &Ui, model: &mut Model, out: &mut Actions) {
    if model.preferences.page.is_none() {
        sheet::give_back(ui.ctx(), id());
        return;
    }
    let sections = shown(model);
    let now = model.preferences.section(model.settings.as_ref(), &sections);
    model.preferences.stay(now);
    let frame =
        Sheet { id: id(), title: "Preferences", subject: "", icon: icons::GEAR_SIX, size: SIZE };
    let shown = frame.show(ui.ctx(), |ui, parts| {
        let mut body = parts.body;
        let list = body.cut_left(NAV);
        if let Some(chosen) = nav::show(ui, model, (&sections, now), list) {
            model.preferences.go(chosen);
        }
        scrolled(ui, body, now, |ui| content(ui, model, now, out));
    });
    if shown.is_closed {
        model.preferences.page = None;
    }
}

/// The sections that have something to set here.
fn shown(model: &Model) -> Vec<Section> {
    let has = |test: fn(&Settings) -> bool| model.settings.as_ref().is_some_and(test);
    let is_shown = |section: &Section| match section {
        Section::Sound => has(Settings::has_sound),
        Section::Capture => has(|it| it.capture.is_some()),
        Section::Answers => has(|it| !it.providers.is_empty() || it.takes_servers),
        Section::Decisions => model.mirror.is_some(),
        Section::Models => has(|it| !it.models.is_empty()),
        Section::Tools => has(|it| !it.strangers.is_empty()),
        Section::Looks => model.settings.is_some(),
        Section::Keys | Section::About => true,
    };
    Section::ALL.into_iter().filter(is_shown).collect()
}

fn scrolled(ui: &mut Ui, body: Rect, section: Section, content: impl FnOnce(&mut Ui)) {
    let place = UiBuilder::new().max_rect(body.shrink2(vec2(1.0, 1.0)));
    ui.scope_builder(place, |ui| {
        let area = ScrollArea::vertical().id_salt(("page", section)).auto_shrink(false);
        area.show(ui, |ui| {
            Frame::NONE.inner_margin(Margin::symmetric(28, 20)).show(ui, |ui| {
                ui.set_width(ui.available_width());
                ui.spacing_mut().item_spacing = Vec2::ZERO;
                content(ui);
            });
        });
    });
}

fn content(ui: &mut Ui, model: &mut Model, section: Section, out: &mut Actions) {
    match section {
        Section::Decisions => return decisions::show(ui, model, out),
        Section::Keys => return keys::show(ui, model),
        Section::About => return about::show(ui),
        _ => {}
    }
    let Some(mut settings) = model.settings.take() else { return };
    let mut changes = Vec::new();
    let typed = &mut model.preferences.typed;
    match section {
        Section::Sound => sound::show(ui, &mut settings, &mut changes),
        Section::Capture => capture::show(ui, &mut settings, &mut changes),
        Section::Answers => answers::show(ui, &mut settings, typed, &mut changes),
        Section::Models => models::show(ui, &settings, &mut changes),
        Section::Tools => tools::show(ui, &settings, &mut changes),
        _ => looks::show(ui, &mut settings, model.preferences.zoom, &mut changes),
    }
    model.is_light = settings.is_light;
    model.settings = Some(settings);
    out.extend(changes.into_iter().map(Action::Settings));
}

#[cfg(test)]
mod tests;
