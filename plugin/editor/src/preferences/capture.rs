//! The settings for recordings of the host's sound by an instance of the plugin.

use crate::kit::choice::radio;
use crate::kit::number::{Number, Turns};
use crate::kit::{Cut, Cx, rows};
use crate::settings::{CaptureMode, Changes, Settings, SettingsChange};
use crate::theme::Type;
use egui::{Sense, Ui, vec2};

/// Every mode, and what it is called.
const MODES: [(CaptureMode, &str); 3] = [
    (CaptureMode::Rolling, "The last minutes of what plays"),
    (CaptureMode::Armed, "All of it, in this instance"),
    (CaptureMode::Off, "Nothing"),
];

const WHAT: &str = "What an instance of the plugin records of the sound that comes in.";
const LIMIT: &str = "Over this limit takes are deleted: first those that were undone, then those that no clip \
                     plays. Armed takes stay.";

const MINUTES: Number<'static> = Number {
    name: "Minutes kept",
    unit: "min",
    ends: (1.0, 240.0),
    usual: 10.0,
    step: 1.0,
    decimals: 0,
    is_signed: false,
    law: crate::kit::number::Law::Linear,
    turns: Turns::Focused,
};
const MOST: Number<'static> = Number {
    name: "Captured audio of a session, at most",
    unit: "GB",
    ends: (1.0, 1_000.0),
    usual: 8.0,
    ..MINUTES
};
/// The width of a number, points.
const NUMBER: f32 = 96.0;

/// Draws the section, where there is an instance.
pub(super) fn show(ui: &mut Ui, it: &mut Settings, changes: &mut Changes) {
    let Some(capture) = &mut it.capture else { return };
    let before = *capture;
    rows::heading(ui, "Capture", WHAT);
    rows::group(ui, |ui| {
        for (index, (mode, words)) in MODES.into_iter().enumerate() {
            if index > 0 {
                rows::line(ui);
            }
            let size = vec2(ui.available_width(), 36.0);
            let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
            let cx = Cx::new(ui);
            if radio(&cx, rect, rect.left_mid(8.0), capture.mode == mode, words).clicked() {
                capture.mode = mode;
            }
            cx.left(rect.left_mid(28.0), words, Type::SMALL_STRONG, cx.t.text);
        }
    });
    ui.add_space(12.0);
    rows::group(ui, |ui| {
        number(ui, &MINUTES, "", &mut capture.minutes);
        rows::line(ui);
        number(ui, &MOST, LIMIT, &mut capture.most_gb);
    });
    if *capture != before {
        changes.push(SettingsChange::Capture(*capture));
    }
}

/// A limit holds from the moment its number is let go.
fn number(ui: &mut Ui, it: &Number<'_>, note: &str, value: &mut u32) {
    let rect = rows::setting(ui, it.name, note, NUMBER);
    let turned = it.field(ui, rect, f64::from(*value));
    if let Some(turned) = turned.filter(|turned| turned.is_set) {
        *value = turned.value as u32;
    }
}
