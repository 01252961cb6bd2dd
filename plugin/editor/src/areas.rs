//! F6 and Shift-F6: the keyboard goes from area to area.

use crate::model::Model;
use egui::{Id, Key, Modifiers, Rect, Ui};

/// The areas there are in one window or the other.
const AREAS: [&str; 2] = ["Work", "Conversation"];

/// Places that the keyboard goes to, in order, and which it was in last.
#[derive(Default)]
pub(crate) struct Areas {
    at: usize,
    wanted: Option<usize>,
}

/// Whether the keyboard is in no control that takes keys itself: nowhere, in an area, in the lanes or in a card as
/// a whole.
pub(crate) fn is_desk(ui: &Ui, model: &Model) -> bool {
    let Some(focused) = ui.memory(egui::Memory::focused) else {
        return !ui.ctx().text_edit_focused();
    };
    let is_area = AREAS.iter().any(|name| focused == id(name));
    let is_card = model.cards.values().any(|card| card.view.whole == Some(focused));
    is_area || is_card || model.desk.timeline.lanes == Some(focused)
}

fn id(name: &str) -> Id {
    Id::unique(("area", name))
}

/// Hears the key; `areas` are the areas there are, in order.
pub(crate) fn show(ui: &Ui, model: &mut Model, areas: &[(&str, Rect)]) {
    let pressed = |modifiers| ui.input_mut(|input| input.consume_key(modifiers, Key::F6));
    let count = areas.len().max(1);
    if pressed(Modifiers::SHIFT) {
        model.areas.wanted = Some((model.areas.at + count - 1) % count);
    } else if pressed(Modifiers::NONE) {
        model.areas.wanted = Some((model.areas.at + 1) % count);
    }
    for (index, (name, rect)) in areas.iter().enumerate() {
        // It takes no click.
        let response = ui.interact(*rect, id(name), egui::Sense::focusable_noninteractive());
        let words = format!("{name} area");
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Pane, true, &words));
        if response.has_focus() {
            model.areas.at = index;
            let theme = if model.is_light {
                &crate::theme::Theme::LIGHT
            } else {
                &crate::theme::Theme::DARK
            };
            crate::kit::Cx::new(ui, theme).stroke(rect.shrink(1.0), 0.0, 2.0, theme.focus);
        }
        if model.areas.wanted == Some(index) {
            model.areas.wanted = None;
            model.areas.at = index;
            response.request_focus();
        }
    }
}
