//! The chain: a row for each processor, in their order, and a button to add one. A row is dragged by its handle,
//! moved by Alt and an arrow key, and removed by its menu or by a key.

use super::added::{self, Added};
use super::page_title::switch;
use super::place::{KINDS, Place, parameter, titles};
use super::view::{InsertsView, Removed};
use crate::action::{Action, Actions, Gesture, call};
use crate::icons;
use crate::kit::choice;
use crate::kit::controls::{Button, Kind, row_tag, row_tag_width};
use crate::kit::cx::alpha;
use crate::kit::scale::num;
use crate::kit::{Cut, Cx, context, menu};
use crate::theme::Type;
use deskhand_dsp::effects::Effect;
use deskhand_session::{InsertId, PlacedInsert, Switch};
use egui::{CursorIcon, EventFilter, Key, Modifiers, Rect, Response, Sense, Ui, pos2, vec2};
use serde_json::json;

const ROW: f32 = 52.0;
const HANDLE: f32 = 24.0;
/// Where levels before and after are told.
const FOOT: f32 = 56.0;

/// A processor of the chain.
struct Row<'a> {
    id: InsertId,
    placed: &'a PlacedInsert,
    /// Its kind, with a number where there are more of it.
    title: String,
    at: usize,
}

pub(super) fn show(
    ui: &mut Ui,
    place: Place<'_>,
    view: &mut InsertsView,
    mut side: Rect,
    out: &mut Actions,
) {
    let head = side.cut_top(32.0);
    let foot = side.cut_bottom(FOOT);
    let cx = Cx::new(ui);
    cx.left(head.left_mid(12.0), "Chain", Type::CAPTION_STRONG, cx.t.text_2);
    cx.right(head.right_mid(12.0), "top to bottom", Type::CAPTION, cx.t.text_3);
    levels(&cx, place, view, foot);
    drop(cx);
    let content = egui::UiBuilder::new().max_rect(side).id_salt("chain");
    let mut inner = ui.new_child(content);
    egui::ScrollArea::vertical().show(&mut inner, |ui| {
        ui.spacing_mut().item_spacing = egui::Vec2::ZERO;
        let rows = rows(place);
        let tall = ROW * rows.len() as f32;
        let (all, _) = ui.allocate_exact_size(vec2(side.width() - 1.0, tall), Sense::hover());
        let cx = Cx::new(ui);
        for row in &rows {
            let top = all.top() + ROW * row.at as f32;
            let rect = Rect::from_min_size(pos2(all.left(), top), vec2(all.width(), ROW));
            one(&cx, place, view, (row, rows.len()), rect, out);
        }
        for row in &rows {
            drag(&cx, row, rows.len(), all, out);
        }
        drop(cx);
        for added in added::all(place) {
            planned(ui, view, &added);
        }
        add(ui, place, out);
        undo(ui, place, view, out);
    });
}

fn rows(place: Place<'_>) -> Vec<Row<'_>> {
    let placed = place.scene.session.inserts_on(place.owner);
    let titles = titles(placed.iter().map(|(_, placed)| &placed.effect));
    let row = |(at, ((id, placed), title))| Row { id, placed, title, at };
    placed.into_iter().zip(titles).enumerate().map(row).collect()
}

/// What a processor does now, else what it is set to.
fn doing(place: Place<'_>, row: &Row<'_>) -> String {
    if row.placed.switch == Switch::Off {
        return "Off".into();
    }
    let taken = place.scene.live.reductions.get(&row.id).map(|taken| num(-taken, 1));
    let level = |decibels: f64, unit: &str| format!("{} {unit}", num(decibels as f32, 1));
    match (&row.placed.effect, taken) {
        (Effect::Equalizer(it), _) => match it.bands.len() {
            0 => "No bands".into(),
            1 => "1 band".into(),
            count => format!("{count} bands"),
        },
        (Effect::DeEsser(it), Some(taken)) => {
            format!("{taken} dB at {:.1} kHz", it.frequency_hz / 1000.0)
        }
        (_, Some(taken)) => format!("{taken} dB"),
        (Effect::Compressor(it), None) => {
            format!("{}:1 over {}", num(it.ratio as f32, 1), level(it.threshold.0, "dBFS"))
        }
        (Effect::DeEsser(it), None) => format!("From {:.1} kHz", it.frequency_hz / 1000.0),
        (Effect::Gate(it), None) => format!("Below {}", level(it.threshold.0, "dBFS")),
        (Effect::Limiter(it), None) => format!("At {}", level(it.ceiling.0, "dBTP")),
    }
}

fn one(
    cx: &Cx<'_>,
    place: Place<'_>,
    view: &mut InsertsView,
    (row, count): (&Row<'_>, usize),
    rect: Rect,
    out: &mut Actions,
) {
    let is_shown = view.shown == Some(row.id);
    let said = doing(place, row);
    let response = cx.interact(rect, ("row", row.id), Sense::click());
    let name = format!("{}, {said}", row.title);
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, is_shown, &name));
    let fill = match is_shown {
        true => cx.t.control,
        false if response.hovered() => alpha(cx.t.control, 0.5),
        false => cx.t.panel,
    };
    cx.fill(rect, 0.0, fill);
    if is_shown {
        cx.fill(rect.with_max_x(rect.left() + 3.0), 0.0, cx.t.text);
    }
    cx.hline(rect.left(), rect.right(), rect.bottom() - 1.0, cx.t.line);
    let works = row.placed.switch == Switch::On;
    let color = if works { cx.t.text } else { cx.t.text_2 };
    let room = rect.width() - 28.0 - 52.0;
    let at = pos2(rect.left() + 28.0, rect.top() + 17.0);
    cx.elided(at, &row.title, Type::SMALL_STRONG, color, room);
    cx.elided(at + vec2(0.0, 17.0), &said, Type::CAPTION, cx.t.text_3, room + 8.0);
    if response.has_focus() {
        cx.focus_ring(rect.shrink(4.0), 3.0);
    }
    if response.clicked() {
        view.choose(row.id);
    }
    let place = rect.row_box(rect.right() - 40.0, vec2(28.0, 16.0));
    if choice::switch(cx, place, works, &format!("{} works", row.title)).clicked() {
        out.push(switch(row.id, row.placed.switch));
    }
    keys(cx, view, (row, count), &response, out);
}

/// The menu and the keys of a row.
fn keys(
    cx: &Cx<'_>,
    view: &mut InsertsView,
    (row, count): (&Row<'_>, usize),
    response: &Response,
    out: &mut Actions,
) {
    let arrows = EventFilter { vertical_arrows: true, ..EventFilter::default() };
    let has_keys = context::has_keys(response, arrows);
    let pressed =
        |modifiers, key| has_keys && cx.ui.input_mut(|input| input.consume_key(modifiers, key));
    let up = pressed(Modifiers::ALT, Key::ArrowUp);
    let down = pressed(Modifiers::ALT, Key::ArrowDown);
    let gone = pressed(Modifiers::NONE, Key::Delete) || pressed(Modifiers::NONE, Key::Backspace);
    let popup = context::menu(response, response.rect).style(menu::look());
    let chosen = popup.show(|ui| {
        let words = [("Move up", "Alt+Up"), ("Move down", "Alt+Down"), ("Remove", "Del")];
        words.map(|(words, key)| menu::entry_with_key(ui, words, key))
    });
    let [to_up, to_down, to_remove] = chosen.map(|chosen| chosen.inner).unwrap_or_default();
    if (up || to_up) && row.at > 0 {
        out.push(moved(row.id, row.at - 1));
    }
    if (down || to_down) && row.at + 1 < count {
        out.push(moved(row.id, row.at + 1));
    }
    if gone || to_remove {
        view.remove(row.id, &row.title, out);
    }
}

fn moved(id: InsertId, to: usize) -> Action {
    call(Gesture::SetInsert, json!({"insert": id, "index": to}))
}

/// The handle of a row: a line shows where the row goes.
fn drag(cx: &Cx<'_>, row: &Row<'_>, count: usize, all: Rect, out: &mut Actions) {
    let top = all.top() + ROW * row.at as f32;
    let rect = Rect::from_min_size(pos2(all.left(), top), vec2(HANDLE, ROW));
    let response = cx.interact(rect, ("handle", row.id), Sense::DRAG);
    for dot in 0..6 {
        let (column, line) = ((dot % 2) as f32, (dot / 2) as f32);
        let at = rect.center() + vec2(column * 4.0 - 2.0, line * 4.0 - 4.0);
        cx.p.circle_filled(at, 1.0, cx.t.text_3);
    }
    let response = response.on_hover_and_drag_cursor(CursorIcon::Grab);
    let held = response.dragged() || response.drag_stopped();
    let Some(at) = response.interact_pointer_pos().filter(|_| held) else { return };
    // The gap between rows that is nearest.
    let gap = ((at.y - all.top()) / ROW).round().clamp(0.0, count as f32) as usize;
    let y = all.top() + ROW * gap as f32;
    cx.fill(
        Rect::from_min_max(pos2(all.left(), y - 1.0), pos2(all.right(), y + 1.0)),
        0.0,
        cx.t.text,
    );
    let to = if gap > row.at { gap - 1 } else { gap };
    if response.drag_stopped() && to != row.at {
        out.push(moved(row.id, to));
    }
}

/// The row of a processor that the open plan would add.
fn planned(ui: &mut Ui, view: &mut InsertsView, added: &Added<'_>) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width() - 1.0, ROW), Sense::hover());
    let cx = Cx::new(ui);
    let is_shown = view.shown == Some(added.id);
    let response = cx.interact(rect, ("planned", added.id), Sense::click());
    let name = format!("{}, planned by change {}", added.title(), added.row);
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, is_shown, &name));
    if is_shown || response.hovered() {
        cx.fill(rect, 0.0, if is_shown { cx.t.control } else { alpha(cx.t.control, 0.5) });
    }
    let edge = [rect.left_top() + vec2(1.5, 0.0), rect.left_bottom() + vec2(1.5, 0.0)];
    cx.dashes(&edge, 1.5, cx.t.accent);
    cx.hline(rect.left(), rect.right(), rect.bottom() - 1.0, cx.t.line);
    let at = pos2(rect.left() + 28.0, rect.top() + 17.0);
    cx.left(at, added.title(), Type::SMALL_STRONG, cx.t.text);
    cx.left(at + vec2(0.0, 17.0), "Planned", Type::CAPTION, cx.t.accent);
    let (width, is_ticked) = (row_tag_width(&cx, added.row), true);
    row_tag(&cx, rect.right_mid(12.0 + width), added.row, is_ticked);
    cx.ring(&response, rect.shrink(4.0), 3.0);
    if response.clicked() {
        view.choose(added.id);
    }
}

fn add(ui: &mut Ui, place: Place<'_>, out: &mut Actions) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 48.0), Sense::hover());
    let cx = Cx::new(ui);
    let button = Button::new(Kind::Secondary, "Add processor").icon(icons::PLUS);
    let response =
        button.show(&cx, rect.row_box(rect.left() + 8.0, vec2(rect.width() - 17.0, 28.0)));
    menu::of(&response).show(|ui| {
        for (kind, title) in KINDS {
            if menu::entry(ui, title) {
                let params = json!({"on": parameter(place.owner), "effect": {"kind": kind}});
                out.push(call(Gesture::SetInsert, params));
            }
        }
    });
}

/// A processor that was removed comes back by one click, until something else is done.
fn undo(ui: &mut Ui, place: Place<'_>, view: &mut InsertsView, out: &mut Actions) {
    let Some(Removed { id, title, since }) = &mut view.removed else { return };
    let is_there = place.scene.session.inserts.contains_key(id);
    if !is_there && since.is_none() {
        *since = Some(place.scene.head);
    }
    if is_there || *since != Some(place.scene.head) {
        if since.is_some() {
            view.removed = None;
        }
        return;
    }
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 32.0), Sense::hover());
    let cx = Cx::new(ui);
    let words = format!("{title} removed");
    cx.elided(rect.left_mid(12.0), &words, Type::CAPTION, cx.t.text_2, rect.width() - 92.0);
    cx.label(rect.with_max_x(rect.right() - 80.0), "removed", &words);
    let button = Button::new(Kind::Secondary, "Restore");
    if button.show(&cx, rect.row_box(rect.right() - 73.0, vec2(64.0, 24.0))).clicked() {
        out.push(Action::Undo);
        view.removed = None;
    }
}

/// The levels before and after the processor that is shown.
fn levels(cx: &Cx<'_>, place: Place<'_>, view: &mut InsertsView, mut foot: Rect) {
    let Some(id) = view.shown else { return };
    let Some(reading) = place.reading(id) else { return };
    let time = cx.ui.input(|input| input.time);
    let taken = place.scene.live.reductions.get(&id).copied().unwrap_or(0.0);
    let shown = view.figures.at(id, time, Some(reading), taken);
    cx.hline(foot.left(), foot.right() - 1.0, foot.top(), cx.t.line);
    foot = foot.pad(12.0, 8.0);
    for (name, rms) in [("In", shown.rms[0]), ("Out", shown.rms[1])] {
        let row = foot.cut_top(20.0);
        let number = level(place, rms);
        cx.left(row.left_mid(0.0), name, Type::CAPTION, cx.t.text_3);
        let unit = cx.right(row.right_mid(0.0), "dBFS RMS", Type::CAPTION, cx.t.text_3);
        let at = pos2(unit.left() - 4.0, row.center().y);
        cx.right(at, &number, Type::SMALL_STRONG, cx.t.text);
        cx.label(row, ("level", name), format!("{name} {number} dBFS RMS"));
    }
}

/// A level as a number; nothing sounds while it stands.
fn level(place: Place<'_>, amplitude: f32) -> String {
    let is_silent = !place.moves() || amplitude < 1e-6;
    if is_silent { "−∞".into() } else { num(super::plot::decibels(amplitude), 1) }
}
