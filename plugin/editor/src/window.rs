//! The window: top bar, timeline, mixer, conversation, status.

mod splits;
mod status;
mod talk;

use crate::action::{Action, Actions, Gesture, call};
use crate::kit::{Cut, Cx};
use crate::model::Model;
use crate::theme::{Theme, size};
use crate::timeline::view::Density;
use crate::waves::Waves;
use crate::{
    areas, card, empty, history, inserts, library, mixer, timeline, toasts, topbar, windows, words,
    zoom,
};
use egui::{Context, Id, Key, Modifiers, Rect, Ui};
use serde_json::json;
use splits::{Dock, Edge, Lower};

pub(crate) fn show(
    ui: &mut Ui,
    model: &mut Model,
    waves: &dyn Waves,
    rect: Rect,
    out: &mut Actions,
) {
    Cx::new(ui).fill(rect, 0.0, Theme::of(ui.visuals()).void);
    zoom::settle(ui.ctx(), model, out);
    name(ui.ctx());
    meters(ui, model);
    asks(model);
    areas::keys(ui, &mut model.areas);
    let mut rest = rect;
    topbar::show(ui, model, rest.cut_top(size::TOPBAR_H), out);
    rest.cut_top(size::GAP);
    let status = rest.cut_bottom(size::STATUS_H);
    let talk = talk::show(ui, model, &mut rest, out);
    let rest = desk(ui, model, waves, rest, out);
    talk.edge(ui, model, out);
    status::show(ui, model, status, out);
    floating(ui, model, waves, rest, out);
    areas::ring(ui, &model.areas);
    keys(ui, model, out);
}

/// What a reader of the screen calls the window.
pub(crate) fn name(context: &Context) {
    context.accesskit_node_builder(egui::accesskit_root_id(), |node| node.set_label("Deskhand"));
}

/// Gives the keyboard to the composer if the person wants to ask about what is selected. Returns whether
/// they do.
pub(crate) fn asks(model: &mut Model) -> bool {
    let asks = std::mem::take(&mut model.desk.timeline.asks);
    model.wants_composer |= asks;
    asks
}

/// Draws the library if it is open, and the work next to it. Returns the place of the first part of the
/// work.
fn desk(ui: &mut Ui, model: &mut Model, waves: &dyn Waves, rect: Rect, out: &mut Actions) -> Rect {
    if !has_library(model) {
        return work(ui, model, waves, rect, out);
    }
    let mut rest = rect;
    let shelf = rest.cut_left(library::WIDTH);
    rest.cut_left(size::GAP);
    let first = work(ui, model, waves, rest, out);
    areas::begin(ui, &mut model.areas, "Library", shelf);
    library::show(ui, model, waves, shelf, out);
    first
}

/// Whether the library takes room.
fn has_library(model: &Model) -> bool {
    model.desk.library.is_open && model.mirror.is_some()
}

/// Draws what is above the areas; `rest` is the place of the timeline.
fn floating(ui: &mut Ui, model: &mut Model, waves: &dyn Waves, rest: Rect, out: &mut Actions) {
    if model.shows_history {
        history::show(ui, model, rest, out);
    }
    inserts::show(ui, model, out);
    windows::show(ui, model, waves, rest, out);
    card::wide::show(ui, model, waves, out);
    windows::raise(ui.ctx(), model);
    // Over the lanes: the heads of the tracks stay at hand.
    let mut lanes = rest;
    if model.has_timeline() {
        lanes.cut_left(Density::WINDOW.header);
    }
    toasts::show(ui, model, lanes, out);
}

/// Draws timeline, mixer and words, or the start page. Returns the place of the first of them.
fn work(ui: &mut Ui, model: &mut Model, waves: &dyn Waves, rect: Rect, out: &mut Actions) -> Rect {
    let mut rest = rect;
    let dock = splits::dock(model, ui.max_rect().width(), rect);
    match dock {
        Dock::Away | Dock::Below => tracks(ui, model, waves, (rect, dock), out),
        Dock::Beside => {
            let column = rest.cut_right(splits::words_width(splits::layout(model), rect.width()));
            let edge = rest.cut_right(size::GAP);
            let first = tracks(ui, model, waves, (rest, dock), out);
            words::show_docked(ui, model, waves, column, out);
            Edge::Words(rect.width()).show(&Cx::new(ui), model, (edge, column), out);
            first
        }
    }
}

/// Draws the timeline or the start page, and below it the mixer, processors or the words. Returns the place of the first.
fn tracks(
    ui: &mut Ui,
    model: &mut Model,
    waves: &dyn Waves,
    (rect, dock): (Rect, Dock),
    out: &mut Actions,
) -> Rect {
    let mut rest = rect;
    let shown = splits::lower(model, dock);
    model.desk.inserts.is_docked = shown == Lower::Processors;
    if shown == Lower::Nothing {
        upper(ui, model, waves, rest, out);
        mixer::put_away(ui, model, out);
        return rest;
    }
    let lower = rest.cut_bottom(splits::height(splits::layout(model), shown, rect.height()));
    let gap = rest.cut_bottom(size::GAP);
    upper(ui, model, waves, rest, out);
    match shown {
        Lower::Mixer => {
            areas::begin(ui, &mut model.areas, "Mixer", lower);
            mixer::show(ui, model, lower, out);
            Edge::Mixer(rect.height()).show(&Cx::new(ui), model, (gap, lower), out);
            return rest;
        }
        Lower::Processors => {
            areas::begin(ui, &mut model.areas, "Processors", lower);
            inserts::show_docked(ui, model, lower, out);
            Edge::Processors(rect.height()).show(&Cx::new(ui), model, (gap, lower), out);
        }
        Lower::Words | Lower::Nothing => words::show_docked(ui, model, waves, lower, out),
    }
    mixer::put_away(ui, model, out);
    rest
}

/// Draws the timeline, or the start page.
fn upper(ui: &mut Ui, model: &mut Model, waves: &dyn Waves, rect: Rect, out: &mut Actions) {
    areas::begin(ui, &mut model.areas, "Work", rect);
    if model.has_timeline() {
        let density = Density { lane: splits::layout(model).track, ..Density::WINDOW };
        timeline::show(ui, model, waves, rect, density, out);
    } else {
        empty::show(ui, model, rect, out);
    }
}

/// Meters move while the player measures, and fall until they rest; then nothing is painted.
pub(crate) fn meters(ui: &Ui, model: &mut Model) {
    let time = ui.input(|input| input.time);
    if model.desk.meters.follow(&model.live, time) {
        ui.ctx().request_repaint_after(std::time::Duration::from_millis(16));
    }
}

/// Undo and redo, and the keys of sound, unless they belong to a text field or to a menu that is open.
pub(crate) fn keys(ui: &Ui, model: &mut Model, out: &mut Actions) {
    let was_typing = std::mem::replace(&mut model.was_typing, ui.ctx().text_edit_focused());
    if !was_typing && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape)) {
        escape(ui.ctx(), model, out);
    }
    if ui.ctx().text_edit_focused() || egui::Popup::is_any_open(ui.ctx()) {
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

/// A view above the desk that Esc closes.
enum Floating {
    /// The card that was taken out.
    Card,
    Window(String),
    Processors,
}

fn topmost(context: &Context, model: &Model) -> Option<Floating> {
    let layers: Vec<Id> = context.memory(|it| it.layer_ids().map(|layer| layer.id).collect());
    let place = |id: &Id| layers.iter().position(|layer| layer == id);
    let card = model.wide.map(|plan| (card::wide::id(plan), Floating::Card));
    let windows = model.windows.open.keys();
    let windows = windows.map(|id| (windows::view::id(id), Floating::Window(id.clone())));
    let processors = model.desk.inserts.open.map(|_| (inserts::id(), Floating::Processors));
    let all = windows.chain(processors).chain(card);
    all.max_by_key(|(id, _)| place(id)).map(|(_, what)| what)
}

/// Closes the topmost view: a window, then a panel. Without one, it deselects the clips.
fn escape(context: &Context, model: &mut Model, out: &mut Actions) {
    match topmost(context, model) {
        Some(Floating::Card) => model.wide = None,
        Some(Floating::Window(window_id)) => {
            model.windows.open.remove(&window_id);
            let params = json!({"window_id": window_id});
            out.push(call(Gesture::CloseWindow, params));
        }
        Some(Floating::Processors) => model.desk.inserts.open = None,
        None if model.shows_history => model.shows_history = false,
        None => {
            if let Some(mirror) = &model.mirror {
                timeline::deselect(&mirror.snapshot.session, out);
            }
        }
    }
}
