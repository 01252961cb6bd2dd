//! Top bar: session, transport, time, and the switches of the window.

mod transport;

use crate::action::Action;
use crate::icons;
use crate::kit::controls::{State, icon_button, icon_button_in};
use crate::kit::{Cut, Cx};
use crate::live::SoundOutput;
use crate::model::Model;
use crate::preferences::Page;
use crate::session_menu;
use crate::settings::SettingsChange;
use crate::theme::{Theme, Type, space};
use egui::{Rect, Ui, pos2, vec2};

pub(crate) use transport::keys;

/// Draws the bar.
pub(crate) fn show(
    ui: &mut Ui,
    theme: &Theme,
    model: &mut Model,
    rect: Rect,
    out: &mut Vec<Action>,
) {
    let cx = Cx::new(ui, theme);
    cx.fill(rect, 0.0, theme.panel);
    let left = identity(&cx, model, rect);
    let right = switches(&cx, model, rect, out);
    let right = output(&cx, model, rect, right);
    transport::show(&cx, model, rect, left..right, out);
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

/// The buttons at the right; gives where they begin.
fn switches(cx: &Cx<'_>, model: &mut Model, rect: Rect, out: &mut Vec<Action>) -> f32 {
    let is_open = model.mirror.is_some();
    let state = if is_open { State::Normal } else { State::Disabled };
    let mut x = rect.right() - space::M - 28.0;
    let page = model.preferences.page;
    let mut button = |icon, name, is_on, state| {
        let cell = rect.row_box(x, vec2(28.0, 28.0));
        x -= 32.0;
        icon_button_in(cx, cell, icon, is_on, name, state).clicked()
    };
    let is_set = page == Some(Page::Settings);
    if model.settings.is_some() && button(icons::GEAR_SIX, "Preferences", is_set, State::Normal) {
        model.preferences.toggle(Page::Settings);
    }
    if button(icons::KEYBOARD, "Keyboard", page == Some(Page::Keys), State::Normal) {
        model.preferences.toggle(Page::Keys);
    }
    if button(icons::CIRCLE, "Light or dark", model.is_light, State::Normal) {
        turn_light(model, out);
    }
    if button(icons::CLOCK_COUNTER_CLOCKWISE, "History", model.shows_history, state) && is_open {
        model.shows_history = !model.shows_history;
    }
    let shelves = [
        (icons::CHAT_TEXT, "Words", &mut model.desk.words.is_open),
        (icons::STACK, "Library", &mut model.desk.library.is_open),
    ];
    for (icon, name, shown) in shelves {
        *shown ^= button(icon, name, *shown, state) && is_open;
    }
    if button(icons::ARROW_CLOCKWISE, "Redo", false, state) && is_open {
        out.push(Action::Redo);
    }
    if button(icons::ARROW_COUNTER_CLOCKWISE, "Undo", false, state) && is_open {
        out.push(Action::Undo);
    }
    let cell = rect.row_box(x, vec2(28.0, 28.0));
    let sessions = icon_button(cx, cell, icons::FOLDER_OPEN, false, session_menu::NAME);
    session_menu::hang(&sessions, model, out);
    x
}

fn turn_light(model: &mut Model, out: &mut Vec<Action>) {
    model.is_light = !model.is_light;
    if let Some(settings) = &mut model.settings {
        settings.is_light = model.is_light;
        out.push(Action::Settings(SettingsChange::Light(model.is_light)));
    }
}

/// Where the sound goes, in words; gives where they begin.
fn output(cx: &Cx<'_>, model: &Model, rect: Rect, right: f32) -> f32 {
    if model.mirror.is_none() || rect.width() < 1240.0 {
        return right;
    }
    let (name, color) = match &model.live.output {
        SoundOutput::None { .. } => ("No sound", cx.t.text_3),
        SoundOutput::Device { name } | SoundOutput::Host { name } => (name.as_str(), cx.t.ok),
    };
    let width = cx.width(name, Type::SMALL).min(140.0);
    let left = right - space::M - width;
    let y = rect.center().y;
    let text = cx.elided(pos2(left, y), name, Type::SMALL, cx.t.text_2, 140.0);
    cx.p.circle_filled(pos2(text.left() - 10.0, y), 3.0, color);
    if let SoundOutput::None { why } = &model.live.output {
        let response = cx.interact(text.expand(8.0), "output", egui::Sense::hover());
        response.on_hover_text(why);
    }
    text.left() - 20.0
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
