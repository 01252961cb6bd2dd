//! Processors of a track or of the mix: a window with their slots, the response of an equalizer to draw on,
//! the settings of the others, and the gain reduction of each.

mod curve;
mod numbers;
#[cfg(test)]
pub(crate) mod tests;
mod value_field;
pub(crate) mod view;

use crate::action::{Actions, Gesture, call};
use crate::inserts::view::InsertsView;
use crate::kit::controls::hint;
use crate::kit::cx::alpha;
use crate::kit::{Cut, Cx};
use crate::model::Model;
use crate::scene::Scene;
use crate::theme::{Theme, Type, radius, space};
pub(crate) use curve::response;
use deskhand_dsp::effects::Effect;
use deskhand_session::{InsertId, InsertOwner, PlacedInsert, Session, Switch};
use egui::{Align, Layout, Rect, Sense, Ui, pos2, vec2};
use serde_json::json;

/// The kinds, as commands and people call them.
const KINDS: [(&str, &str); 5] = [
    ("equalizer", "Equalizer"),
    ("compressor", "Compressor"),
    ("de_esser", "De-esser"),
    ("gate", "Gate"),
    ("limiter", "Limiter"),
];

/// Room for the name of a processor, points.
const NAME: f32 = 104.0;
/// The gain reduction, in dB, that fills the meter.
const MOST: f32 = 18.0;

fn parameter(owner: InsertOwner) -> String {
    match owner {
        InsertOwner::Master => "master".into(),
        InsertOwner::Track(id) => id.to_string(),
    }
}

fn name_of(session: &Session, owner: InsertOwner) -> String {
    match owner {
        InsertOwner::Master => "the mix".into(),
        InsertOwner::Track(id) => session.name_of(id.into()),
    }
}

/// The button of a strip that opens its processors, with how many there are.
pub(crate) fn button(
    cx: &Cx<'_>,
    session: &Session,
    view: &mut InsertsView,
    owner: InsertOwner,
    rect: Rect,
) {
    let count = session.inserts_on(owner).len();
    let name = format!("Processors of {}", name_of(session, owner));
    let is_open = view.open == Some(owner);
    let response = cx.interact(rect.expand(2.0), ("inserts", owner), Sense::click());
    let told = || egui::WidgetInfo::selected(egui::Role::Button, true, is_open, &name);
    response.widget_info(told);
    cx.fill(rect, 3.0, if is_open { cx.t.text_3 } else { cx.t.control });
    let words = if count == 0 { "FX".to_owned() } else { format!("FX {count}") };
    let color = match (is_open, count) {
        (true, _) => cx.t.panel,
        (false, 0) => cx.t.text_3,
        (false, _) => cx.t.text,
    };
    cx.center(rect.center(), &words, Type::TICK, color);
    if response.has_focus() {
        cx.focus_ring(rect, 3.0);
    }
    if hint(response, &name).clicked() {
        view.open = if is_open { None } else { Some(owner) };
        view.known = session.inserts_on(owner).iter().map(|(id, _)| *id).collect();
        view.shown = view.known.first().copied();
    }
}

pub(crate) fn id() -> egui::Id {
    egui::Id::unique("inserts")
}

/// Draws the window, if it is open, over `area`.
pub(crate) fn show(ui: &Ui, theme: &Theme, model: &mut Model, area: Rect, out: &mut Actions) {
    let Some((scene, desk)) = model.scene() else { return };
    let view = &mut desk.inserts;
    let Some(owner) = view.open else { return };
    let is_gone =
        matches!(owner, InsertOwner::Track(id) if !scene.session.tracks.contains_key(&id));
    let frame = egui::Frame::window(&ui.ctx().global_style()).fill(theme.raised);
    let mut is_open = !is_gone;
    egui::Window::new(format!("Processors of {}", name_of(scene.session, owner)))
        .id(id())
        .frame(frame)
        .default_pos(area.center() - vec2(220.0, 220.0))
        .collapsible(false)
        .resizable(false)
        .open(&mut is_open)
        .show(ui.ctx(), |ui| {
            ui.set_width(440.0);
            slots(ui, theme, scene, view, owner, out);
            if scene.session.inserts_on(owner).is_empty() {
                let words = "Nothing yet. Processors work before the fader, in this order.";
                ui.colored_label(theme.text_3, words);
            }
            add(ui, owner, out);
            settings(ui, theme, scene, view, out);
        });
    if !is_open {
        view.open = None;
    }
}

/// A row for each processor, in order: switch, name, gain reduction, and a button to remove it.
fn slots(
    ui: &mut Ui,
    theme: &Theme,
    scene: Scene<'_>,
    view: &mut InsertsView,
    owner: InsertOwner,
    out: &mut Actions,
) {
    let placed = scene.session.inserts_on(owner);
    // A new insert is opened next.
    if let Some((id, _)) = placed.iter().rev().find(|(id, _)| !view.known.contains(id)) {
        view.shown = Some(*id);
    }
    view.known = placed.iter().map(|(id, _)| *id).collect();
    if !placed.iter().any(|(id, _)| view.shown == Some(*id)) {
        view.shown = placed.last().map(|(id, _)| *id);
    }
    for (id, placed) in placed {
        ui.horizontal(|ui| slot(ui, theme, scene, view, (id, placed), out));
    }
}

fn slot(
    ui: &mut Ui,
    theme: &Theme,
    scene: Scene<'_>,
    view: &mut InsertsView,
    (id, placed): (InsertId, &PlacedInsert),
    out: &mut Actions,
) {
    let title = placed.effect.title();
    let mut works = placed.switch == Switch::On;
    let switch = ui.checkbox(&mut works, "");
    let name = format!("{title} works");
    switch.widget_info(|| egui::WidgetInfo::selected(egui::Role::CheckBox, true, works, &name));
    if switch.clicked() {
        let switch = if works { "on" } else { "off" };
        out.push(call(Gesture::SwitchInsert, json!({"insert": id, "switch": switch})));
    }
    // The controls after the names line up, however long the names are.
    let (size, layout) = (vec2(NAME, 20.0), Layout::left_to_right(Align::Center));
    ui.allocate_ui_with_layout(size, layout, |ui| {
        ui.set_min_width(NAME);
        if ui.selectable_label(view.shown == Some(id), title).clicked() {
            view.shown = Some(id);
        }
    });
    let taken = scene.live.reductions.get(&id).copied().unwrap_or(0.0);
    let (rect, _) = ui.allocate_exact_size(vec2(180.0, 12.0), Sense::hover());
    if !matches!(placed.effect, Effect::Equalizer(_)) {
        reduction(&Cx::new(ui, theme), rect, (id, title), taken);
    }
    let remove = ui.small_button("Take out");
    let name = format!("Take out {title}");
    remove.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &name));
    if remove.clicked() {
        out.push(call(Gesture::RemoveInsert, json!({"insert": id})));
    }
}

/// The gain reduction of a processor, from the right.
fn reduction(cx: &Cx<'_>, rect: Rect, (id, title): (InsertId, &str), taken: f32) {
    cx.fill(rect, 2.0, cx.t.well);
    let width = rect.width() * (taken / MOST).clamp(0.0, 1.0);
    let bar = Rect::from_min_max(pos2(rect.right() - width, rect.top()), rect.max);
    cx.fill(bar, 2.0, cx.t.warn);
    let node = cx.interact(rect, ("reduction", id), Sense::hover());
    let name = format!("{title} takes away {taken:.1} dB");
    node.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &name));
    hint(node, &name);
}

fn add(ui: &mut Ui, owner: InsertOwner, out: &mut Actions) {
    ui.horizontal(|ui| {
        for (kind, title) in KINDS {
            let button = ui.small_button(format!("+ {title}"));
            let name = format!("Put in {title}");
            button.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &name));
            if button.clicked() {
                let params = json!({"on": parameter(owner), "effect": {"kind": kind}});
                out.push(call(Gesture::SetInsert, params));
            }
        }
    });
}

fn settings(
    ui: &mut Ui,
    theme: &Theme,
    scene: Scene<'_>,
    view: &mut InsertsView,
    out: &mut Actions,
) {
    let Some(id) = view.shown else { return };
    let Some(placed) = scene.session.inserts.get(&id) else { return };
    ui.separator();
    let effect = view.effect(id, placed, scene);
    match effect {
        Effect::Equalizer(equalizer) => curve::show(ui, theme, scene, view, id, equalizer, out),
        Effect::Compressor(_) | Effect::DeEsser(_) | Effect::Gate(_) | Effect::Limiter(_) => {
            numbers::show(ui, theme, scene, view, id, &effect, out);
        }
    }
}

/// A field to draw a curve in, with lines at `lines` (from 0 to 1, across and down).
fn field(cx: &Cx<'_>, rect: Rect, across: &[f32], down: &[f32]) {
    cx.fill(rect, radius::CONTROL, cx.t.well);
    for share in across {
        let x = rect.left() + rect.width() * share;
        cx.vline(x, rect.top(), rect.bottom(), alpha(cx.t.line, 0.8));
    }
    for share in down {
        let y = rect.top() + rect.height() * share;
        cx.hline(rect.left(), rect.right(), y, alpha(cx.t.line, 0.8));
    }
}

/// A field of the width that there is.
fn allocate(ui: &mut Ui, height: f32) -> Rect {
    let size = vec2(ui.available_width(), height);
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    rect.pad(0.0, space::S / 2.0)
}
