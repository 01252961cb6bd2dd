//! The settings for recordings of the host's sound by an instance of the plugin.

use crate::preferences::rows::title;
use crate::settings::{CaptureMode, Settings, SettingsChange};
use crate::theme::Theme;
use egui::{DragValue, Ui};

/// Every mode, and what it is called.
const MODES: [(CaptureMode, &str); 3] = [
    (CaptureMode::Rolling, "The last minutes of what plays"),
    (CaptureMode::Armed, "All of it, in this instance"),
    (CaptureMode::Off, "Nothing"),
];

const LIMIT: &str = "Beyond that takes go for good: first those that were undone, which can be redone until then, \
                     then those that no clip plays. What was armed stays.";

/// Draws the section, where there is an instance.
pub(super) fn show(
    ui: &mut Ui,
    theme: &Theme,
    it: &mut Settings,
    changes: &mut Vec<SettingsChange>,
) {
    let Some(capture) = &mut it.capture else { return };
    title(ui, theme, "Capture");
    let before = *capture;
    for (mode, words) in MODES {
        ui.radio_value(&mut capture.mode, mode, words);
    }
    ui.horizontal(|ui| {
        let label = ui.label("Minutes kept");
        let minutes = DragValue::new(&mut capture.minutes).range(1..=240).speed(0.1);
        ui.add(minutes).labelled_by(label.id);
    });
    ui.horizontal(|ui| {
        let label = ui.label("Captured audio of a session, at most");
        let most = DragValue::new(&mut capture.most_gb).range(1..=1_000).speed(0.1).suffix(" GB");
        ui.add(most).labelled_by(label.id);
    });
    ui.weak(LIMIT);
    if *capture != before {
        changes.push(SettingsChange::Capture(*capture));
    }
}
