//! The form that adds a server of the person's own.

use super::super::{FIELD, LABEL};
use crate::settings::SettingsChange;
use egui::{Button, Grid, TextEdit, Ui};

/// Where a server on this computer usually answers.
const USUAL: &str = "http://127.0.0.1:11434/v1";

/// What is typed of a server; none while the form is closed.
#[derive(Default)]
pub(super) struct Form(Option<(String, String)>);

/// Draws the form, or the button that opens it.
pub(super) fn show(ui: &mut Ui, form: &mut Form, changes: &mut Vec<SettingsChange>) {
    let Some((address, model)) = &mut form.0 else {
        let hint = "Ollama, llama.cpp, vLLM, or another server that speaks chat completions";
        if ui.button("Add a server of your own…").on_hover_text(hint).clicked() {
            form.0 = Some((USUAL.to_owned(), String::new()));
        }
        return;
    };
    Grid::new("server").num_columns(2).min_col_width(LABEL).show(ui, |ui| {
        for (name, text, hint) in
            [("Address", &mut *address, USUAL), ("Model there", &mut *model, "its name, as qwen3")]
        {
            let label = ui.label(name);
            let edit = TextEdit::singleline(text).hint_text(hint).desired_width(FIELD);
            ui.add(edit).labelled_by(label.id);
            ui.end_row();
        }
    });
    let is_whole = !address.trim().is_empty() && !model.trim().is_empty();
    let (mut adds, mut closes) = (false, false);
    ui.horizontal(|ui| {
        adds = ui.add_enabled(is_whole, Button::new("Add it")).clicked();
        closes = ui.button("Leave it").clicked();
    });
    if adds {
        let (address, model) = (address.trim().to_owned(), model.trim().to_owned());
        changes.push(SettingsChange::Server { address, model });
    }
    if adds || closes {
        form.0 = None;
    }
}
