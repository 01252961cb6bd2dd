//! Theme, zoom, track height and motion.

use super::pick::{FIELD, list};
use crate::kit::choice::{SegmentedChoice, segmented, switch};
use crate::kit::{Cx, rows};
use crate::layout::TRACKS;
use crate::settings::{Changes, Settings, SettingsChange};
use crate::theme::{Theme, Type};
use crate::zoom;
use egui::{Ui, vec2};

/// `shown` is the zoom that the window is drawn at.
pub(super) fn show(ui: &mut Ui, it: &mut Settings, shown: Option<f32>, changes: &mut Changes) {
    rows::heading(ui, "Look", "");
    rows::group(ui, |ui| {
        if let Some(index) =
            choices(ui, "Theme", &["Dark", "Light"], Some(usize::from(it.is_light)))
        {
            it.is_light = index == 1;
            changes.push(SettingsChange::Light(it.is_light));
        }
        rows::line(ui);
        size(ui, it, shown, changes);
        if shown.is_some() {
            rows::line(ui);
            tracks(ui, it, changes);
        }
        rows::line(ui);
        let note = "Ghosts, toggles and notices come without motion.";
        let rect = rows::setting(ui, "Reduce motion", note, 28.0).shrink2(vec2(0.0, 6.0));
        if switch(&Cx::new(ui), rect, it.reduces_motion, "Reduce motion").clicked() {
            it.reduces_motion = !it.reduces_motion;
            changes.push(SettingsChange::ReduceMotion(it.reduces_motion));
        }
    });
}

fn size(ui: &mut Ui, it: &mut Settings, shown: Option<f32>, changes: &mut Changes) {
    let names = zoom::ALL.map(zoom::name);
    let now = zoom::ALL.iter().position(|size| *size == it.zoom);
    let name = zoom::name(it.zoom);
    if let Some(index) = list(ui, ("Zoom", ""), &name, (&names, now)) {
        it.zoom = zoom::ALL[index];
        changes.push(SettingsChange::Zoom(it.zoom));
    }
    if let Some(why) = zoom::limit(it.zoom, shown) {
        let theme = Theme::of(ui.visuals());
        rows::para(ui, &why, (Type::CAPTION, theme.text_3));
        ui.add_space(8.0);
    }
}

/// How high the tracks on the timeline of the app are.
fn tracks(ui: &mut Ui, it: &mut Settings, changes: &mut Changes) {
    let before = it.layout.checked().track;
    let now = TRACKS.iter().position(|(height, _)| *height == before);
    if let Some(index) = choices(ui, "Height of tracks", &TRACKS.map(|(_, name)| name), now) {
        it.layout.track = TRACKS[index].0;
        changes.push(SettingsChange::Layout(it.layout.checked()));
    }
}

/// A row with exclusive choices. Returns another one than `now`.
fn choices(ui: &mut Ui, name: &str, all: &[&str], now: Option<usize>) -> Option<usize> {
    let rect = rows::setting(ui, name, "", FIELD.min(ui.available_width() * 0.6));
    let choice = |label| SegmentedChoice { label, key: "", is_planned: false, why_not: None };
    let all: Vec<_> = all.iter().copied().map(choice).collect();
    let taken = segmented(&Cx::new(ui), rect, &all, now, name);
    taken.filter(|taken| now != Some(*taken))
}
