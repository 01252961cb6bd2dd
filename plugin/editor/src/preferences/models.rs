//! Models: what there is, how large it is, under which license, and installing it.

use crate::icons;
use crate::kit::controls::{Button, Kind, State};
use crate::kit::{Cut, Cx, rows};
use crate::settings::{Changes, ModelOffer, Settings, SettingsChange};
use crate::theme::{Theme, Type, size, space};
use egui::{Rect, Sense, Ui, pos2, vec2};

const WHAT: &str =
    "Models that tools use on this computer. A download starts when you install one.";
/// The height of a model, and the room for its buttons, points.
const ROW: f32 = 52.0;
const BUTTONS: f32 = 176.0;

/// Draws the models that can be installed, and those that are.
pub(super) fn show(ui: &mut Ui, settings: &Settings, changes: &mut Changes) {
    rows::heading(ui, "Models", WHAT);
    rows::group(ui, |ui| {
        for (index, model) in settings.models.iter().enumerate() {
            if index > 0 {
                rows::line(ui);
            }
            one(ui, model, changes);
        }
    });
}

fn one(ui: &mut Ui, model: &ModelOffer, changes: &mut Changes) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
    let cx = Cx::new(ui);
    let room = rect.width() - BUTTONS;
    let at = |y: f32| pos2(rect.left(), rect.center().y + y);
    let name = cx.elided(at(-8.0), &model.title, Type::SMALL_STRONG, cx.t.text, room);
    cx.label(name, ("model", &model.id), &model.title);
    let facts = facts(model);
    let told = cx.elided(at(8.0), &facts, Type::CAPTION, cx.t.text_3, room);
    cx.label(told, ("facts", &model.id), &facts);
    if model.is_busy {
        cx.icon(rect.right_mid(BUTTONS - space::L), icons::CIRCLE_NOTCH, 16.0, cx.t.text_2);
    }
    changes.extend(buttons(&cx, model, rect));
    drop(cx);
    if !model.said.is_empty() {
        let theme = Theme::of(ui.visuals());
        rows::para(ui, &model.said, (Type::SMALL, theme.text_2));
        ui.add_space(space::S);
    }
}

/// Draws the buttons of a model, in two columns. Returns the change of the clicked one.
fn buttons(cx: &Cx<'_>, model: &ModelOffer, rect: Rect) -> Option<SettingsChange> {
    let word = if model.is_installed { "Remove" } else { "Install" };
    let state = if model.is_busy { State::Disabled } else { State::Normal };
    let name = format!("{word} the model {}", model.title);
    let place =
        |from_right: f32| rect.row_box(rect.right() - from_right, vec2(68.0, size::CONTROL_H));
    let id = model.id.clone();
    if model.is_busy {
        let name = format!("Cancel installing the model {}", model.title);
        let cancel = Button::new(Kind::Quiet, "Cancel").named(&name);
        if cancel.show(cx, place(144.0)).clicked() {
            return Some(SettingsChange::StopInstall { model: id });
        }
    }
    let button = Button::new(Kind::Secondary, word).state(state).named(&name);
    if !button.show(cx, place(68.0)).clicked() {
        return None;
    }
    Some(if model.is_installed {
        SettingsChange::Uninstall { model: id }
    } else {
        SettingsChange::Install { model: id }
    })
}

/// What it is for, how large it is, and under which license.
fn facts(model: &ModelOffer) -> String {
    let ModelOffer { task, license, .. } = model;
    let size = if model.is_installed {
        format!("{} on this computer", size_words(model.size))
    } else {
        format!("{} to download", size_words(model.download))
    };
    format!("{task} · {size} · {license}")
}

fn size_words(bytes: u64) -> String {
    format!("{:.0}\u{a0}MB", bytes as f64 / 1e6)
}
