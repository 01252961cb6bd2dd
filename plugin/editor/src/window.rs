//! The window: top bar, timeline, mixer, conversation, status.

use crate::action::Action;
use crate::kit::controls::{icon_button, progress};
use crate::kit::{Cut, Cx};
use crate::model::Model;
use crate::theme::{Theme, Type, size};
use crate::waves::Waves;
use crate::{
    areas, card, conversation, empty, history, icons, library, mixer, preferences, timeline,
    toasts, topbar, windows, words,
};
use egui::{Key, Modifiers, Rect, Ui, pos2, vec2};
use serde_json::json;

/// Draws everything in `rect`.
pub(crate) fn show(
    ui: &mut Ui,
    theme: &Theme,
    model: &mut Model,
    waves: &dyn Waves,
    rect: Rect,
    out: &mut Vec<Action>,
) {
    Cx::new(ui, theme).fill(rect, 0.0, theme.void);
    meters(ui, model);
    areas::keys(ui, model);
    let mut rest = rect;
    topbar::show(ui, theme, model, rest.cut_top(size::TOPBAR_H), out);
    rest.cut_top(size::GAP);
    status_bar(ui, theme, model, rest.cut_bottom(size::STATUS_H), out);
    let talk = rest.cut_right(size::CHAT_W.min(rect.width() * 0.45));
    areas::begin(ui, model, "Conversation", talk);
    conversation::show(ui, theme, model, talk, conversation::Size::Full, out);
    rest.cut_right(size::GAP);
    let (is_open, mut shelf) = (model.desk.library.is_open && model.mirror.is_some(), rest);
    if is_open {
        shelf = rest.cut_left(library::WIDTH);
        rest.cut_left(size::GAP);
    }
    let rest = work(ui, theme, model, waves, rest, out);
    if is_open {
        areas::begin(ui, model, "Library", shelf);
        library::show(ui, theme, model, waves, shelf, out);
    }
    if model.shows_history {
        history::show(ui, theme, model, rest, out);
    }
    words::window(ui, theme, model, waves, rest, out);
    windows::show(ui, theme, model, waves, rest, out);
    card::wide::show(ui, theme, model, out);
    preferences::show(ui, theme, model, out);
    toasts::show(ui, theme, model, rest, out);
    areas::ring(ui, theme, model);
    keys(ui, model, out);
}

/// Timeline and mixer, or the way to begin; gives where the first of them stands.
fn work(
    ui: &mut Ui,
    theme: &Theme,
    model: &mut Model,
    waves: &dyn Waves,
    rect: Rect,
    out: &mut Vec<Action>,
) -> Rect {
    let mut rest = rect;
    if model.session().is_none_or(|session| session.track_order.is_empty()) {
        areas::begin(ui, model, "Work", rest);
        empty::show(ui, theme, model, rest, out);
        return rest;
    }
    let faders = rest.cut_bottom(size::MIXER_H.min(rest.height() * 0.45));
    rest.cut_bottom(size::GAP);
    areas::begin(ui, model, "Work", rest);
    timeline::show(ui, theme, model, waves, rest, timeline::Density::WINDOW, out);
    areas::begin(ui, model, "Mixer", faders);
    mixer::show(ui, theme, model, faders, out);
    rest
}

fn status_bar(ui: &Ui, theme: &Theme, model: &Model, rect: Rect, out: &mut Vec<Action>) {
    let cx = Cx::new(ui, theme);
    cx.fill(rect, 0.0, theme.panel);
    cx.hline(rect.left(), rect.right(), rect.top(), theme.line);
    let (words, color) = status(theme, model);
    let left = cx.left(rect.left_mid(16.0), &words, Type::CAPTION, color);
    if let Some((call, job)) = model.jobs.iter().find(|(_, job)| job.fraction > 0.0) {
        let at = pos2(left.right() + 24.0, rect.center().y);
        let words = if job.what.is_empty() { &job.tool } else { &job.what };
        let label = cx.elided(at, words, Type::CAPTION, theme.text_2, 260.0);
        let bar = Rect::from_min_size(pos2(label.right() + 12.0, at.y - 2.0), vec2(120.0, 4.0));
        progress(&cx, bar, job.fraction as f32);
        let percent = format!("{:.0}\u{a0}%", job.fraction * 100.0);
        let at = pos2(bar.right() + 8.0, at.y);
        let text = cx.left(at, &percent, Type::CAPTION, theme.text_2);
        let cell = rect.row_box(text.right() + 6.0, vec2(20.0, 20.0));
        let name = format!("Cancel {words}");
        if icon_button(&cx, cell, icons::X, false, &name).clicked() {
            out.push(Action::Cancel(*call));
        }
    }
    if let Some(session) = model.session() {
        let rate = f64::from(session.rate.0) / 1000.0;
        let text = format!(
            "{rate} kHz · {} · {}",
            count(session.tracks.len(), "track"),
            count(session.clips.len(), "clip")
        );
        cx.right(rect.right_mid(16.0), &text, Type::CAPTION, theme.text_3);
    }
}

fn status(theme: &Theme, model: &Model) -> (String, egui::Color32) {
    if let Some(why) = &model.gone {
        return (why.clone(), theme.danger);
    }
    let read_only = model.mirror.as_ref().and_then(|mirror| mirror.snapshot.read_only.clone());
    if let Some(why) = read_only {
        return (why, theme.warn);
    }
    let words = match model.open_plan() {
        Some(card) => format!("Plan {} waiting for you", card.number),
        None if model.mirror.is_some() => "Everything is stored".into(),
        None => "Ready. Nothing leaves this computer unless you allow it.".into(),
    };
    (words, theme.text_3)
}

/// Meters move while the player measures, and fall until they rest; then nothing is painted.
pub(crate) fn meters(ui: &Ui, model: &mut Model) {
    let time = ui.input(|input| input.time);
    if model.desk.meters.follow(&model.live, time) {
        ui.ctx().request_repaint_after(std::time::Duration::from_millis(16));
    }
}

/// Undo and redo, and the keys of sound, unless they belong to a text field.
pub(crate) fn keys(ui: &Ui, model: &mut Model, out: &mut Vec<Action>) {
    let was_typing = std::mem::replace(&mut model.was_typing, ui.ctx().text_edit_focused());
    if !was_typing && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape)) {
        escape(model, out);
    }
    if ui.ctx().text_edit_focused() {
        return;
    }
    let redo = Modifiers::COMMAND | Modifiers::SHIFT;
    if ui.input_mut(|input| input.consume_key(redo, Key::Z)) {
        out.push(Action::Redo);
    } else if ui.input_mut(|input| input.consume_key(Modifiers::COMMAND, Key::Z)) {
        out.push(Action::Undo);
    }
    topbar::keys(ui, model, out);
    card::keys(ui, model, out);
}

/// Closes what lies on top: the card that was taken out, a window, a panel; else no clip is chosen any more.
fn escape(model: &mut Model, out: &mut Vec<Action>) {
    if model.wide.take().is_some() {
        return;
    }
    if let Some((window_id, _)) = model.windows.open.pop_last() {
        out.push(Action::Call { tool: "close_window", params: json!({"window_id": window_id}) });
        return;
    }
    let words_stand = model.desk.words.is_open && !model.live.is_hosted();
    if model.desk.inserts.open.take().is_some() {
    } else if words_stand {
        model.desk.words.is_open = false;
    } else if model.shows_history {
        model.shows_history = false;
    } else if let Some(mirror) = &model.mirror {
        timeline::deselect(&mirror.snapshot.session, out);
    }
}

/// "1 clip", "2 clips".
pub(crate) fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}
