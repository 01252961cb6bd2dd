//! Contents for a window of their own: the sound of a clip or a source, and the facts about it.

use crate::action::{Actions, Gesture, call};
use crate::kit::menu;
use deskhand_session::Handle;
use egui::Ui;
use serde_json::json;

/// How it is shown, in words, and the viewer's name.
const WAYS: [(&str, &str); 4] = [
    ("Waveform", "waveform"),
    ("Spectrogram", "spectrogram"),
    ("Transcript", "transcript"),
    ("Table", "table"),
];

/// The part of a menu that shows what `handle` names.
pub(crate) fn show(ui: &mut Ui, handle: &Handle, out: &mut Actions) {
    menu::submenu(ui, "Show in a window", |ui| {
        for (words, viewer) in WAYS {
            if menu::entry(ui, words) {
                let params = json!({"handle": handle.to_string(), "viewer": viewer});
                out.push(call(Gesture::OpenWindow, params));
            }
        }
    });
}
