//! The output device, its rate and its buffer.

use super::pick::choice;
use crate::kit::rows;
use crate::settings::{Changes, Settings, SettingsChange};
use egui::Ui;

pub(super) fn show(ui: &mut Ui, it: &mut Settings, changes: &mut Changes) {
    rows::heading(ui, "Sound", "The device that plays this session.");
    rows::group(ui, |ui| {
        let none = ("Output", "As the system has it");
        if choice(ui, none, (&mut it.device, &it.devices), String::clone) {
            changes.push(SettingsChange::Device(it.device.clone()));
        }
        rows::line(ui);
        let hertz = |rate: &u32| format!("{}\u{a0}kHz", f64::from(*rate) / 1000.0);
        let none = ("Rate", "The session's");
        if choice(ui, none, (&mut it.rate, &it.rates), hertz) {
            changes.push(SettingsChange::Rate(it.rate));
        }
        rows::line(ui);
        let frames = |frames: &u32| format!("{frames} samples");
        let none = ("Buffer", "The device's");
        if choice(ui, none, (&mut it.buffer, &it.buffers), frames) {
            changes.push(SettingsChange::Buffer(it.buffer));
        }
    });
}
