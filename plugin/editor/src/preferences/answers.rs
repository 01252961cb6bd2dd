//! Who answers: the provider, its model, its key, and a test.

pub(crate) mod key;
pub(super) mod server;

use super::pick;
use crate::fixes::at_window;
use crate::icons;
use crate::kit::choice::radio;
use crate::kit::controls::{Button, Kind, hint};
use crate::kit::{Cut, Cx, field, rows};
use crate::preferences::view::Typed;
use crate::settings::{Changes, Provider, Settings, SettingsChange};
use crate::theme::{Theme, Type, size, space};
use egui::{Color32, Key, Rect, Sense, Ui, UiBuilder, pos2, vec2};

const WHAT: &str =
    "Deskhand measures and plans on this computer. A model only turns your words into a request.";
const OFFLINE: &str = "Without a model and without the network.";
/// The height of a provider, and where its words begin, points.
const ROW: f32 = 52.0;
const INDENT: f32 = 28.0;
/// The height of a field and its gap, points.
const LINE: f32 = 36.0;

pub(super) fn show(ui: &mut Ui, it: &mut Settings, typed: &mut Typed, changes: &mut Changes) {
    let theme = Theme::of(ui.visuals());
    rows::heading(ui, "Who answers", WHAT);
    let mut chosen = it.provider.clone();
    rows::group(ui, |ui| {
        if one(ui, ("Offline", OFFLINE), it.provider.is_none(), ("Built in", theme.text_3)) {
            chosen = None;
        }
        for known in &it.providers {
            rows::line(ui);
            let is_on = it.provider.as_ref() == Some(&known.id);
            let place = if known.is_local { "this computer" } else { "cloud" };
            let note = format!("{}, {place}", known.model);
            if one(ui, (&known.id, &note), is_on, state(theme, known)) {
                chosen = Some(known.id.clone());
            }
            if is_on {
                indented(ui, |ui| details(ui, known, typed, changes));
            }
        }
        if it.takes_servers {
            rows::line(ui);
            server::show(ui, &mut typed.server, changes);
        }
    });
    if chosen != it.provider {
        it.provider.clone_from(&chosen);
        changes.push(SettingsChange::Provider(chosen));
    }
}

/// One that can answer. Returns whether it was chosen.
fn one(
    ui: &mut Ui,
    (name, note): (&str, &str),
    is_on: bool,
    (state, color): (&str, Color32),
) -> bool {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
    let cx = Cx::new(ui);
    let response = radio(&cx, rect, rect.left_mid(8.0), is_on, name);
    let right = cx.right(rect.right_mid(0.0), state, Type::CAPTION, color);
    let room = right.left() - rect.left() - INDENT - space::M;
    let at = |y: f32| pos2(rect.left() + INDENT, rect.center().y + y);
    cx.elided(at(-8.0), name, Type::SMALL_STRONG, cx.t.text, room);
    let note_at = cx.elided(at(8.0), note, Type::CAPTION, cx.t.text_3, room);
    cx.label(note_at, ("note", name), note);
    if !state.is_empty() {
        cx.label(right, ("state", name), state);
    }
    response.clicked() && !is_on
}

/// What is known of a provider, in two words.
fn state(theme: &Theme, known: &Provider) -> (&'static str, Color32) {
    match known {
        it if it.needs_key && !it.has_key => ("No key yet", theme.warn),
        it if it.has_failed => ("Failed its test", theme.danger),
        it if it.needs_key => ("Key saved", theme.text_3),
        _ => ("", theme.text_3),
    }
}

/// Below the name of a provider.
fn indented(ui: &mut Ui, content: impl FnOnce(&mut Ui)) {
    let whole = ui.available_rect_before_wrap();
    let place = Rect::from_min_max(whole.min + vec2(INDENT, 0.0), whole.max);
    let below = ui.scope_builder(UiBuilder::new().max_rect(place), |ui| {
        content(ui);
        ui.add_space(space::M);
    });
    drop(below);
}

/// Its model, its key and its test.
fn details(ui: &mut Ui, known: &Provider, typed: &mut Typed, changes: &mut Changes) {
    model(ui, known, typed, changes);
    if known.needs_key {
        key::show(ui, known, typed, changes);
    }
    test(ui, known, changes);
}

/// The model: typed, or one that the provider listed.
fn model(ui: &mut Ui, known: &Provider, typed: &mut Typed, changes: &mut Changes) {
    let now = typed.model.take().filter(|(of, _)| *of == known.id);
    let mut name = now.map_or_else(|| known.model.clone(), |(_, name)| name);
    let set = |model: &str| {
        let (provider, model) = (known.id.clone(), model.trim().to_owned());
        SettingsChange::Model { provider, model }
    };
    let wide = pick::FIELD.min(ui.available_width() * 0.6);
    let rect = rows::setting(ui, "Model", "", wide);
    let response = field::line(ui, rect, &mut name, ("Model", "its name"));
    let is_sent = response.lost_focus() && !ui.input(|input| input.key_pressed(Key::Escape));
    if is_sent && !name.trim().is_empty() && name.trim() != known.model {
        changes.push(set(&name));
    }
    if response.has_focus() {
        typed.model = Some((known.id.clone(), name));
    }
    if !known.models.is_empty() {
        let now = known.models.iter().position(|model| *model == known.model);
        let all = (known.models.as_slice(), now);
        if let Some(index) = pick::list(ui, ("Its models", ""), &known.model, all) {
            changes.push(set(&known.models[index]));
        }
    }
}

/// Whether the provider answers, and its message.
fn test(ui: &mut Ui, known: &Provider, changes: &mut Changes) {
    let theme = Theme::of(ui.visuals());
    let (row, _) = ui.allocate_exact_size(vec2(ui.available_width(), LINE), Sense::hover());
    let cx = Cx::new(ui);
    let button = Button::new(Kind::Secondary, "Test");
    let place = row.row_box(row.left(), vec2(button.width(&cx), size::CONTROL_H));
    let clicked = button.show(&cx, place);
    if hint(clicked, "Sends one word, and asks which models there are").clicked() {
        changes.push(SettingsChange::Test { provider: known.id.clone() });
    }
    drop(cx);
    // On lines of its own: what went wrong may take several.
    if !known.tested.is_empty() {
        let color = if known.has_failed { theme.danger } else { theme.text_2 };
        rows::para(ui, &at_window(&known.tested), (Type::SMALL, color));
    }
}

/// A line of small words after a lock.
fn locked(ui: &mut Ui, words: &str, color: Color32) {
    let (row, _) = ui.allocate_exact_size(vec2(ui.available_width(), 20.0), Sense::hover());
    let cx = Cx::new(ui);
    cx.icon(row.left_mid(6.0), icons::LOCK_SIMPLE, 12.0, color);
    let at = cx.elided(row.left_mid(18.0), words, Type::CAPTION, color, row.width() - 18.0);
    cx.label(at, "lock", words);
}
