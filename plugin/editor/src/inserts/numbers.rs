//! The settings of a compressor, de-esser, gate or limiter as numbers, and a compressor's static curve.

use super::value_field::{self, Number};
use super::{allocate, field};
use crate::action::Actions;
use crate::inserts::view::InsertsView;
use crate::kit::Cx;
use crate::kit::scale::num;
use crate::scene::Scene;
use crate::theme::{Theme, Type};
use deskhand_dsp::Decibels;
use deskhand_dsp::effects::{Compressor, Effect};
use deskhand_session::InsertId;
use egui::{Response, Ui, pos2, vec2};
use serde_json::Value;

/// Name in the written form, words, unit, range and step of a drag.
type Setting = (&'static str, &'static str, &'static str, (f64, f64), f64);

const SETTINGS: [Setting; 13] = [
    ("threshold", "Threshold", " dBFS", (-100.0, 0.0), 0.2),
    ("ratio", "Ratio", " : 1", (1.0, 100.0), 0.05),
    ("knee_db", "Knee", " dB", (0.0, 24.0), 0.1),
    ("gain", "Gain", " dB", (-30.0, 30.0), 0.1),
    ("ceiling", "Ceiling", " dBTP", (-30.0, 0.0), 0.05),
    ("frequency_hz", "From", " Hz", (1000.0, 16_000.0), 20.0),
    ("range_db", "At most", " dB", (0.0, 100.0), 0.2),
    ("hysteresis_db", "Closes below by", " dB", (0.0, 24.0), 0.1),
    ("attack_ms", "Attack", " ms", (0.05, 500.0), 0.2),
    ("hold_ms", "Hold", " ms", (0.0, 5000.0), 1.0),
    ("release_ms", "Release", " ms", (1.0, 5000.0), 1.0),
    ("makeup", "Make-up", " dB", (-30.0, 30.0), 0.1),
    ("detector", "Listens to", "", (0.0, 0.0), 0.0),
];

/// The edit of settings in this frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Touch {
    None,
    /// They move.
    Held,
    /// They are to be set.
    Done,
}

/// The edit of a number that is dragged or typed.
pub(super) fn touch_of(response: &Response) -> Touch {
    if response.drag_stopped() || (response.lost_focus() && !response.dragged()) {
        Touch::Done
    } else if response.changed() {
        Touch::Held
    } else {
        Touch::None
    }
}

pub(super) fn show(
    ui: &mut Ui,
    theme: &Theme,
    scene: Scene<'_>,
    view: &mut InsertsView,
    id: InsertId,
    effect: &Effect,
    out: &mut Actions,
) {
    if let Effect::Compressor(compressor) = effect {
        let rect = allocate(ui, 120.0);
        static_curve(&Cx::new(ui, theme).clip(rect), rect, compressor);
    }
    let Ok(mut written) = serde_json::to_value(effect) else { return };
    let mut touch = Touch::None;
    let mut wrong = view.take_wrong(id);
    egui::Grid::new("settings").num_columns(4).show(ui, |ui| {
        let known = SETTINGS.iter().filter(|(key, ..)| written.get(*key).is_some());
        let known: Vec<_> = known.collect();
        for (column, setting) in known.into_iter().enumerate() {
            let Some(value) = written.get_mut(setting.0) else { continue };
            touch = touch.max(one(ui, effect, setting, value, &mut wrong));
            if column % 2 == 1 {
                ui.end_row();
            }
        }
    });
    view.tell_wrong(ui, theme, id, wrong);
    let Ok(effect) = serde_json::from_value::<Effect>(written) else { return };
    match touch {
        Touch::None => {}
        Touch::Held => view.hold(id, effect, out),
        Touch::Done => view.send(id, effect, scene, out),
    }
}

fn one(
    ui: &mut Ui,
    effect: &Effect,
    setting: &Setting,
    value: &mut Value,
    wrong: &mut Option<String>,
) -> Touch {
    let (key, words, unit, range, speed) = *setting;
    if let Some(mut number) = value.as_f64() {
        ui.label(words);
        let it = Number { words, unit, range, speed };
        let response = value_field::field(ui, &it, &mut number, wrong);
        let name = format!("{words} of the {}", effect.title());
        response.widget_info(|| egui::WidgetInfo::slider(true, number, &name));
        let touch = touch_of(&response);
        if touch != Touch::None {
            *value = number.into();
        }
        return touch;
    }
    if key != "detector" {
        return Touch::None;
    }
    ui.label(words);
    let is_peak = value.as_str() == Some("peak");
    if ui.button(if is_peak { "Peaks" } else { "RMS" }).clicked() {
        *value = if is_peak { "rms" } else { "peak" }.into();
        return Touch::Done;
    }
    Touch::None
}

/// The levels of the curve's grid lines, dBFS.
const LEVELS: [f32; 3] = [-45.0, -30.0, -15.0];

/// The output level for each input level, both from -60 to 0 dBFS.
fn static_curve(cx: &Cx<'_>, rect: egui::Rect, compressor: &Compressor) {
    let (across, down) = (LEVELS.map(|db| 1.0 + db / 60.0), LEVELS.map(|db| -db / 60.0));
    field(cx, rect, &across, &down);
    for (index, db) in LEVELS.into_iter().enumerate() {
        let words = num(db, 0);
        let at = pos2(rect.left() + rect.width() * across[index] + 12.0, rect.bottom() - 8.0);
        cx.center(at, &words, Type::TICK, cx.t.text_3);
        let at = pos2(rect.left() + 4.0, rect.top() + rect.height() * down[index] - 7.0);
        cx.left(at, &words, Type::TICK, cx.t.text_3);
    }
    cx.left(rect.left_top() + vec2(4.0, 8.0), "out, dBFS", Type::TICK, cx.t.text_3);
    cx.right(rect.right_bottom() - vec2(4.0, 8.0), "in, dBFS", Type::TICK, cx.t.text_3);
    let points = (0..=60).map(|step| {
        let level = f64::from(step) - 60.0;
        let out = compressor.curve(Decibels(level)).0 + compressor.makeup.0;
        let x = rect.left() + rect.width() * step as f32 / 60.0;
        pos2(x, rect.top() + rect.height() * (-out / 60.0).clamp(0.0, 1.0) as f32)
    });
    cx.path(points.collect(), 1.5, cx.t.text);
    let node = cx.interact(rect, "static curve", egui::Sense::hover());
    let name = "Level that comes out over the level that goes in, both from −60 to 0 dBFS";
    node.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, name));
}
