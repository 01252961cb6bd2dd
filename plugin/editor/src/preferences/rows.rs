//! The rows of a sheet.

use crate::kit::Cx;
use crate::theme::{Theme, Type};
use egui::{ComboBox, Grid, Key, TextWrapMode, Ui, vec2};

/// The columns of labels and of their controls.
pub(super) const LABEL: f32 = 96.0;

pub(super) const FIELD: f32 = 260.0;

pub(super) fn title(ui: &mut Ui, theme: &Theme, text: &str) {
    ui.add_space(8.0);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 20.0), egui::Sense::hover());
    let cx = Cx::new(ui, theme);
    cx.left(rect.left_center(), text, Type::BODY_STRONG, theme.text);
    cx.hline(rect.left(), rect.right(), rect.bottom() + 2.0, theme.line);
}

/// One choice of many, or the default of the system.
pub(super) fn choice<T: Clone + PartialEq>(
    ui: &mut Ui,
    name: &str,
    chosen: &mut Option<T>,
    all: &[T],
    none: &str,
    words: impl Fn(&T) -> String,
) -> bool {
    let before = chosen.clone();
    let shown = chosen.as_ref().map_or_else(|| none.to_owned(), &words);
    list(ui, name, shown, |ui| {
        entry(ui, chosen, None, none);
        for one in all {
            entry(ui, chosen, Some(one.clone()), words(one));
        }
    });
    *chosen != before
}

/// A list after its name. Entries that are too long are cut, so the sheet stays as wide as its title.
pub(super) fn list(ui: &mut Ui, name: &str, shown: String, entries: impl FnOnce(&mut Ui)) {
    Grid::new(("choice", name)).num_columns(2).min_col_width(LABEL).show(ui, |ui| {
        let label = ui.label(name);
        ui.scope(|ui| {
            ui.set_max_width(FIELD);
            let combo = ComboBox::from_id_salt(name).width(FIELD).truncate().selected_text(shown);
            let combo = combo.show_ui(ui, |ui| {
                ui.style_mut().wrap_mode = Some(TextWrapMode::Truncate);
                entries(ui);
            });
            // The focused entry of the list is gone.
            if combo.inner.is_some() && ui.input(|input| input.key_pressed(Key::Enter)) {
                combo.response.request_focus();
            }
            combo.response.labelled_by(label.id);
        });
    });
}

/// An entry of a list. Choosing it, by a click or by Enter, closes the list.
pub(super) fn entry<T: PartialEq>(ui: &mut Ui, chosen: &mut T, value: T, words: impl Into<String>) {
    let words: String = words.into();
    if ui.selectable_value(chosen, value, words).clicked() {
        ui.close();
    }
}
