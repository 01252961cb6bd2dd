//! F6 and Shift-F6: the keyboard goes from area to area.

use crate::kit::Cx;
use crate::theme::Theme;
use egui::{Id, Key, Modifiers, Rect, Ui};
use std::collections::BTreeMap;

/// The areas of both windows, in keyboard order. They are drawn in another order: the conversation first.
/// So a click into the conversation and the text typed after it count, even if a slow frame receives both
/// at once.
const AREAS: [&str; 6] = ["Work", "Mixer", "Processors", "Words", "Library", "Conversation"];

/// Places that the keyboard goes to.
#[derive(Default)]
pub(crate) struct Areas {
    /// By their places in [`AREAS`].
    rects: BTreeMap<usize, Rect>,
    wanted: Option<usize>,
    focused: Option<Rect>,
}

/// Whether the keyboard is in no control that takes keys itself: nowhere, in an area, or in one of `others`.
pub(crate) fn is_desk(ui: &Ui, mut others: impl Iterator<Item = Id>) -> bool {
    let Some(focused) = ui.memory(egui::Memory::focused) else {
        return !ui.ctx().text_edit_focused();
    };
    AREAS.iter().any(|name| focused == id(name)) || others.any(|other| other == focused)
}

fn id(name: &str) -> Id {
    Id::unique(("area", name))
}

/// Handles F6 before all areas. It moves the keyboard to the next area, or from no area to the first one.
pub(crate) fn keys(ui: &Ui, areas: &mut Areas) {
    let rects = std::mem::take(&mut areas.rects);
    areas.focused = None;
    let pressed = |modifiers| ui.input_mut(|input| input.consume_key(modifiers, Key::F6));
    let by = match (pressed(Modifiers::SHIFT), pressed(Modifiers::NONE)) {
        (true, _) => rects.len().saturating_sub(1),
        (_, true) => 1,
        _ => return,
    };
    let focused = ui.memory(egui::Memory::focused).and_then(|id| ui.ctx().read_response(id));
    let center = focused.map(|response| response.rect.center());
    let at = center.and_then(|center| rects.values().position(|rect| rect.contains(center)));
    let next = (at.unwrap_or(0) + by) % rects.len().max(1);
    areas.wanted = rects.keys().nth(next).copied();
}

/// Begins an area before its content is drawn, so that Tab goes from the area to its first control. The
/// area takes no click.
pub(crate) fn begin(ui: &Ui, areas: &mut Areas, name: &str, rect: Rect) {
    let response = ui.interact(rect, id(name), egui::Sense::focusable_noninteractive());
    let words = format!("{name} area");
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Pane, true, &words));
    let place = AREAS.iter().position(|known| *known == name).unwrap_or(0);
    if areas.wanted == Some(place) {
        areas.wanted = None;
        response.request_focus();
    }
    if response.has_focus() {
        areas.focused = Some(rect);
    }
    areas.rects.insert(place, rect);
}

/// Draws the ring of the focused area over its content.
pub(crate) fn ring(ui: &Ui, areas: &Areas) {
    if let Some(rect) = areas.focused {
        Cx::new(ui).stroke(rect.shrink(1.0), 0.0, 2.0, Theme::of(ui.visuals()).focus);
    }
}
