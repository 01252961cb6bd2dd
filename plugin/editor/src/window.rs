//! The window: top bar, timeline, mixer, conversation, status.

use crate::action::Action;
use crate::kit::{Cut, Cx};
use crate::model::Model;
use crate::theme::{Theme, Type, size};
use crate::waves::Waves;
use crate::{
    areas, card, conversation, empty, history, inserts, jobs, library, mixer, preferences,
    timeline, toasts, topbar, windows, words,
};
use egui::{Context, Id, Key, Modifiers, Rect, Ui};
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
    card::wide::show(ui, theme, model, waves, out);
    preferences::show(ui, theme, model, out);
    windows::raise(ui.ctx(), model);
    // Over the lanes: the heads of the tracks stay at hand.
    let mut lanes = rest;
    if model.has_timeline() {
        lanes.cut_left(timeline::Density::WINDOW.header);
    }
    toasts::show(ui, theme, model, lanes, out);
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
    if !model.has_timeline() {
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

fn status_bar(ui: &Ui, theme: &Theme, model: &mut Model, rect: Rect, out: &mut Vec<Action>) {
    let cx = Cx::new(ui, theme);
    cx.fill(rect, 0.0, theme.panel);
    cx.hline(rect.left(), rect.right(), rect.top(), theme.line);
    let (words, color) = status(theme, model);
    let left = cx.left(rect.left_mid(16.0), &words, Type::CAPTION, color);
    jobs::show(&cx, model, rect, left.right() + 24.0, out);
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
        escape(ui.ctx(), model, out);
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

/// What lies over the desk and closes by Esc.
enum Floating {
    /// The card that was taken out.
    Card,
    Window(String),
    Processors,
    Words,
}

/// The one that lies on top.
fn topmost(context: &Context, model: &Model) -> Option<Floating> {
    let layers: Vec<Id> = context.memory(|it| it.layer_ids().map(|layer| layer.id).collect());
    let place = |id: &Id| layers.iter().position(|layer| layer == id);
    let card = model.wide.map(|plan| (card::wide::id(plan), Floating::Card));
    let windows = model.windows.open.keys();
    let windows = windows.map(|id| (windows::id(id), Floating::Window(id.clone())));
    let processors = model.desk.inserts.open.map(|_| (inserts::id(), Floating::Processors));
    let has_words = model.desk.words.is_open && !model.live.is_hosted();
    let words = has_words.then(|| (words::id(), Floating::Words));
    let all = windows.chain(words).chain(processors).chain(card);
    all.max_by_key(|(id, _)| place(id)).map(|(_, what)| what)
}

/// Closes what lies on top: a window, then a panel; else no clip is chosen any more.
fn escape(context: &Context, model: &mut Model, out: &mut Vec<Action>) {
    match topmost(context, model) {
        Some(Floating::Card) => model.wide = None,
        Some(Floating::Window(window_id)) => {
            model.windows.open.remove(&window_id);
            let params = json!({"window_id": window_id});
            out.push(Action::Call { tool: "close_window", params });
        }
        Some(Floating::Processors) => model.desk.inserts.open = None,
        Some(Floating::Words) => model.desk.words.is_open = false,
        None if model.shows_history => model.shows_history = false,
        None => {
            if let Some(mirror) = &model.mirror {
                timeline::deselect(&mirror.snapshot.session, out);
            }
        }
    }
}

/// "1 clip", "2 clips".
pub(crate) fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}
