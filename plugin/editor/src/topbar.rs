//! Top bar: session, transport, time, and the switches of the window.

mod transport;

use crate::action::{Action, Actions};
use crate::kit::controls::{State, icon_button, icon_button_in, icon_toggle, icon_toggle_in};
use crate::kit::scale::minus;
use crate::kit::{Cut, Cx};
use crate::live::SoundOutput;
use crate::model::Model;
use crate::preferences::view::Page;
use crate::settings::SettingsChange;
use crate::theme::{Type, space};
use crate::{icons, session_menu, words};
use egui::{Rect, Response, Ui, pos2, vec2};

pub(crate) use transport::keys;

const BUTTON: f32 = 32.0;

pub(crate) fn show(ui: &mut Ui, model: &mut Model, rect: Rect, out: &mut Actions) {
    let cx = Cx::new(ui);
    cx.fill(rect, 0.0, cx.t.panel);
    let left = identity(&cx, model, rect);
    let right = output(&cx, model, rect, switches_left(model, rect));
    transport::show(&cx, model, rect, left..right, out);
    switches(&cx, model, rect, out);
}

/// Logo and name; gives where they end.
fn identity(cx: &Cx<'_>, model: &Model, rect: Rect) -> f32 {
    let y = rect.center().y;
    logo(cx, Rect::from_center_size(pos2(rect.left() + 24.0, y), vec2(16.0, 16.0)));
    let name = cx.left(pos2(rect.left() + 40.0, y), "Deskhand", Type::BODY_STRONG, cx.t.text);
    let Some(mirror) = &model.mirror else { return name.right() };
    let x = name.right() + space::M;
    cx.vline(x, rect.top() + 14.0, rect.bottom() - 14.0, cx.t.line_strong);
    let folder = folder_name(&mirror.snapshot.folder);
    let room = (rect.center().x - 240.0 - x - space::M).clamp(60.0, 320.0);
    cx.elided(pos2(x + space::M, y), folder, Type::BODY, cx.t.text_2, room).right()
}

/// Where the buttons at the right begin.
fn switches_left(model: &Model, rect: Rect) -> f32 {
    let count = 8 + 2 * usize::from(model.settings.is_some());
    rect.right() - space::M - BUTTON * count as f32 + 4.0
}

/// The buttons at the right, from left to right, as Tab goes through them.
fn switches(cx: &Cx<'_>, model: &mut Model, rect: Rect, out: &mut Actions) {
    let is_open = model.mirror.is_some();
    let state = if is_open { State::Normal } else { State::Disabled };
    let mut x = switches_left(model, rect);
    let mut cell = || {
        let cell = rect.row_box(x, vec2(28.0, 28.0));
        x += BUTTON;
        cell
    };
    sessions_and_steps(cx, model, &mut cell, out);
    let shelves = [
        (icons::STACK, "Library", &mut model.desk.library.is_open),
        (icons::CHAT_TEXT, "Words", &mut model.desk.words.is_open),
    ];
    for (icon, name, shown) in shelves {
        *shown ^= icon_toggle_in(cx, cell(), icon, *shown, name, state).clicked() && is_open;
    }
    if model.settings.is_some() {
        mixer(cx, cell(), model, state, out);
    }
    let (icon, is_shown) = (icons::CLOCK_COUNTER_CLOCKWISE, model.shows_history);
    let history = icon_toggle_in(cx, cell(), icon, is_shown, "History", state);
    model.shows_history ^= history.clicked() && is_open;
    if icon_toggle(cx, cell(), icons::CIRCLE, model.is_light, "Light or dark").clicked() {
        turn_light(model, out);
    }
    sheets(cx, model, cell);
}

/// Puts the mixer away, and takes it out again.
fn mixer(cx: &Cx<'_>, cell: Rect, model: &mut Model, state: State, out: &mut Actions) {
    let Some(settings) = &mut model.settings else { return };
    let is_shown = !settings.layout.hides_mixer;
    let response = icon_toggle_in(cx, cell, icons::FADERS, is_shown, "Mixer", state);
    if response.clicked() && state == State::Normal {
        settings.layout.hides_mixer = is_shown;
        out.push(Action::Settings(SettingsChange::Layout(settings.layout)));
    }
}

/// The buttons of the sheets, each in the next cell; preferences where something can be set.
pub(crate) fn sheets(cx: &Cx<'_>, model: &mut Model, mut cell: impl FnMut() -> Rect) {
    let sheets = [
        (icons::KEYBOARD, "Keyboard", Page::Keys),
        (icons::GEAR_SIX, "Preferences", Page::Settings),
    ];
    let count = if model.settings.is_some() { 2 } else { 1 };
    for (icon, name, page) in sheets.into_iter().take(count) {
        let is_shown = model.preferences.page == Some(page);
        if icon_toggle(cx, cell(), icon, is_shown, name).clicked() {
            model.preferences.toggle(page);
        }
    }
}

fn turn_light(model: &mut Model, out: &mut Actions) {
    model.is_light = !model.is_light;
    if let Some(settings) = &mut model.settings {
        settings.is_light = model.is_light;
        out.push(Action::Settings(SettingsChange::Light(model.is_light)));
    }
}

/// The audio output, in words if there is room. Returns its left edge.
fn output(cx: &Cx<'_>, model: &Model, rect: Rect, right: f32) -> f32 {
    if model.mirror.is_none() {
        return right;
    }
    let (name, color) = match &model.live.output {
        SoundOutput::None { .. } => ("No sound", cx.t.text_3),
        SoundOutput::Device { name } | SoundOutput::Host { name } => (name.as_str(), cx.t.ok),
    };
    let y = rect.center().y;
    let (mut left, mut node) = (right - space::M, Rect::NOTHING);
    if rect.width() >= 1240.0 {
        left -= cx.width(name, Type::SMALL).min(140.0);
        node = cx.elided(pos2(left, y), name, Type::SMALL, cx.t.text_2, 140.0);
    }
    let dot = pos2(left - 10.0, y);
    cx.p.circle_filled(dot, 3.0, color);
    let node = node.union(Rect::from_center_size(dot, vec2(16.0, 16.0)));
    let words = format!("Sound: {name}");
    let response = cx.label(node, "output", &words);
    if let SoundOutput::None { why } = &model.live.output {
        response.on_hover_text(why);
    } else {
        response.on_hover_ui(|ui| drop(ui.label(words)));
    }
    left - 20.0
}

/// The last part of a path, whichever way its slashes lean.
pub(crate) fn folder_name(folder: &str) -> &str {
    folder.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next().unwrap_or(folder)
}

/// Three fader caps: the mark is drawn, so it follows the theme.
pub(crate) fn logo(cx: &Cx<'_>, rect: Rect) {
    for (index, height) in [0.62, 0.30, 0.78].iter().enumerate() {
        let x = rect.left() + 1.0 + index as f32 * 6.0;
        let slot = Rect::from_min_size(pos2(x, rect.top()), vec2(2.0, 16.0));
        cx.fill(slot, 1.0, cx.t.line_strong);
        let y = rect.top() + height * 14.0;
        let color = if index == 1 { cx.t.accent } else { cx.t.text };
        cx.fill(Rect::from_center_size(pos2(x + 1.0, y), vec2(5.0, 4.0)), 1.0, color);
    }
}

/// Undo or redo.
pub(crate) struct Step {
    pub(crate) name: &'static str,
    pub(crate) key: &'static str,
    pub(crate) action: Action,
    /// What it takes back or does again; `None` if there is nothing.
    pub(crate) does: Option<String>,
}

impl Step {
    /// Says what it does where the pointer is on its button, and its key.
    pub(crate) fn hint(&self, button: Response) -> Response {
        let nothing = || format!("Nothing to {}", self.name.to_lowercase());
        let does = self.does.clone().unwrap_or_else(nothing);
        button.on_hover_text(format!("{does} ({})", self.key))
    }
}

pub(crate) fn steps(model: &Model) -> [Step; 2] {
    let [undo, redo] = model.steps.labels().each_ref().map(|label| label.as_deref().map(minus));
    [
        Step { name: "Undo", key: "Ctrl Z", action: Action::Undo, does: undo },
        Step { name: "Redo", key: "Ctrl Shift Z", action: Action::Redo, does: redo },
    ]
}

/// The menu of sessions, undo and redo, each in the next `cell`.
pub(crate) fn sessions_and_steps(
    cx: &Cx<'_>,
    model: &mut Model,
    cell: &mut impl FnMut() -> Rect,
    out: &mut Actions,
) {
    let sessions = icon_button(cx, cell(), icons::FOLDER_OPEN, session_menu::NAME);
    if session_menu::hang(&sessions, model, out) {
        words::show_coding(model);
    }
    let is_open = model.mirror.is_some();
    let state = if is_open { State::Normal } else { State::Disabled };
    for (icon, step) in
        [icons::ARROW_COUNTER_CLOCKWISE, icons::ARROW_CLOCKWISE].into_iter().zip(steps(model))
    {
        let mut button = icon_button_in(cx, cell(), icon, false, step.name, state);
        if is_open {
            button = step.hint(button);
        }
        if button.clicked() && is_open {
            out.push(step.action);
        }
    }
}

#[cfg(test)]
mod tests;
