//! The form that adds a server of the person's own.

use super::super::{FIELD, LABEL};
use crate::settings::SettingsChange;
use egui::{Button, Grid, Key, TextEdit, Ui};

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
    let mut enters = false;
    Grid::new("server").num_columns(2).min_col_width(LABEL).show(ui, |ui| {
        for (name, text, hint) in
            [("Address", &mut *address, USUAL), ("Model there", &mut *model, "its name, as qwen3")]
        {
            let label = ui.label(name);
            let edit = TextEdit::singleline(text).hint_text(hint).desired_width(FIELD);
            let field = ui.add(edit).labelled_by(label.id);
            enters |= field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
            ui.end_row();
        }
    });
    let fault = fault(address.trim());
    if let Some(why) = fault {
        ui.colored_label(ui.visuals().error_fg_color, why);
    }
    let is_whole = fault.is_none() && !model.trim().is_empty();
    let (mut adds, mut closes) = (false, false);
    ui.horizontal(|ui| {
        adds = ui.add_enabled(is_whole, Button::new("Add it")).clicked() || (enters && is_whole);
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

/// Why an address cannot be used.
fn fault(address: &str) -> Option<&'static str> {
    let is_here = ["http://127.", "http://localhost", "http://[::1]"]
        .iter()
        .any(|it| address.starts_with(it));
    match address.strip_prefix("https://") {
        Some(host) if !host.is_empty() => None,
        _ if is_here => None,
        _ if address.starts_with("http://") => Some("http is for this computer; elsewhere https"),
        _ => Some("An address begins with https://, on this computer with http://"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_address_is_said_where_it_is_typed() {
        for address in ["https://example.org/v1", USUAL, "http://localhost:8080", "http://[::1]:1"]
        {
            assert_eq!(fault(address), None, "{address}");
        }
        assert!(fault("http://example.org/v1").unwrap().contains("elsewhere https"));
        for address in ["", "not a url", "ftp://127.0.0.1", "https://"] {
            assert!(fault(address).unwrap().contains("begins with"), "{address}");
        }
    }
}
