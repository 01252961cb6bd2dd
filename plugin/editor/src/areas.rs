//! F6 and Shift-F6: the keyboard goes from area to area.

use crate::model::Model;
use egui::{Id, Key, Modifiers, Rect, Ui};

/// Places that the keyboard goes to, in order, and which it was in last.
#[derive(Default)]
pub(crate) struct Areas {
    at: usize,
    wanted: Option<usize>,
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
        let response = ui.interact(
            *rect,
            Id::unique(("area", *name)),
            egui::Sense::focusable_noninteractive(),
        );
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
