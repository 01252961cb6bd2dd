//! The settings of a compressor, de-esser, gate or limiter: a slider and a field for each.

use super::place::Touch;
use crate::kit::number::{Law, Number, Turns};
use crate::kit::{Cut, Cx};
use crate::theme::Type;
use deskhand_dsp::effects::Effect;
use egui::{Rect, Ui, vec2};

/// The height of a row, points.
const ROW: f32 = 36.0;
const NAME: f32 = 84.0;
const FIELD: f32 = 92.0;
const GAP: f32 = 24.0;

/// Name in the written form, and how it is set.
type Setting = (&'static str, Number<'static>);

const fn linear(
    name: &'static str,
    unit: &'static str,
    ends: (f64, f64),
    usual: f64,
    step: f64,
) -> Number<'static> {
    let decimals = if step < 1.0 { 1 } else { 0 };
    let (law, turns) = (Law::Linear, Turns::Hovered);
    Number { name, unit, ends, usual, step, decimals, is_signed: false, law, turns }
}

const fn gain(name: &'static str) -> Number<'static> {
    Number { is_signed: true, ..linear(name, "dB", (-30.0, 30.0), 0.0, 0.5) }
}

/// On a log scale of 60 steps.
const fn log(
    name: &'static str,
    unit: &'static str,
    ends: (f64, f64),
    usual: f64,
    decimals: usize,
) -> Number<'static> {
    Number { decimals, law: Law::Log, ..linear(name, unit, ends, usual, 60.0) }
}

const RATIO: (f64, f64) = (1.0, 100.0);
const ATTACK: (f64, f64) = (0.1, 500.0);
const RELEASE: (f64, f64) = (5.0, 5000.0);

const COMPRESSOR: [Setting; 6] = [
    ("threshold", linear("Threshold", "dBFS", (-80.0, 0.0), -20.0, 0.5)),
    ("ratio", log("Ratio", ":1", RATIO, 3.0, 1)),
    ("knee_db", linear("Knee", "dB", (0.0, 24.0), 6.0, 0.5)),
    ("attack_ms", log("Attack", "ms", ATTACK, 10.0, 1)),
    ("release_ms", log("Release", "ms", RELEASE, 120.0, 0)),
    ("makeup", gain("Make-up")),
];

const DE_ESSER: [Setting; 3] = [
    ("frequency_hz", log("From", "Hz", (1000.0, 16_000.0), 6000.0, 0)),
    ("threshold", linear("Threshold", "dBFS", (-80.0, 0.0), -30.0, 0.5)),
    ("range_db", linear("At most", "dB", (0.0, 30.0), 8.0, 0.5)),
];

const GATE: [Setting; 7] = [
    ("threshold", linear("Threshold", "dBFS", (-100.0, 0.0), -45.0, 0.5)),
    ("ratio", log("Ratio", ":1", RATIO, 10.0, 1)),
    ("range_db", linear("At most", "dB", (0.0, 100.0), 40.0, 1.0)),
    ("hysteresis_db", linear("Hysteresis", "dB", (0.0, 24.0), 4.0, 0.5)),
    ("attack_ms", log("Attack", "ms", ATTACK, 1.0, 1)),
    ("hold_ms", linear("Hold", "ms", (0.0, 5000.0), 40.0, 10.0)),
    ("release_ms", log("Release", "ms", RELEASE, 120.0, 0)),
];

const LIMITER: [Setting; 3] = [
    ("gain", gain("Gain in")),
    ("ceiling", linear("Ceiling", "dBTP", (-30.0, 0.0), -1.0, 0.1)),
    ("release_ms", log("Release", "ms", (1.0, 2000.0), 80.0, 0)),
];

fn all(effect: &Effect) -> &'static [Setting] {
    match effect {
        Effect::Equalizer(_) => &[],
        Effect::Compressor(_) => &COMPRESSOR,
        Effect::DeEsser(_) => &DE_ESSER,
        Effect::Gate(_) => &GATE,
        Effect::Limiter(_) => &LIMITER,
    }
}

/// The height of them all, points.
pub(super) fn height(effect: &Effect) -> f32 {
    all(effect).len().div_ceil(2) as f32 * ROW
}

/// Draws them in two columns.
pub(super) fn show(ui: &mut Ui, effect: &mut Effect, rect: Rect) -> Touch {
    let Ok(mut written) = serde_json::to_value(&*effect) else { return Touch::Untouched };
    let settings = all(effect);
    let rows = settings.len().div_ceil(2);
    let width = ((rect.width() - GAP) / 2.0).floor();
    let mut touch = Touch::Untouched;
    for (index, (key, number)) in settings.iter().enumerate() {
        let Some(mut value) = written.get(key).and_then(serde_json::Value::as_f64) else {
            continue;
        };
        let at = vec2((width + GAP) * (index / rows) as f32, ROW * (index % rows) as f32);
        let row = Rect::from_min_size(rect.min + at, vec2(width, ROW));
        let found = one(ui, number, &mut value, row);
        if found != Touch::Untouched {
            written[*key] = value.into();
        }
        touch = touch.max(found);
    }
    match serde_json::from_value(written) {
        Ok(edited) => *effect = edited,
        Err(_) => return Touch::Untouched,
    }
    touch
}

fn one(ui: &mut Ui, number: &Number<'_>, value: &mut f64, mut row: Rect) -> Touch {
    let cx = Cx::new(ui);
    cx.left(row.cut_left(NAME).left_mid(0.0), number.name, Type::SMALL, cx.t.text_2);
    let field = row.cut_right(FIELD).row_box(row.right(), vec2(FIELD, 28.0));
    row.max.x -= 12.0;
    let slid = number.slider(&cx, row.pad(0.0, 8.0), *value);
    drop(cx);
    let slid = Touch::of(slid, value);
    slid.max(Touch::of(number.field(ui, field, *value), value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_dsp::Decibels;
    use deskhand_dsp::effects::{Compressor, DeEsser, Detector, Gate, Limiter};

    #[test]
    fn both_ends_and_the_default_of_every_setting_are_allowed() {
        let (threshold, ratio, range_db) = (Decibels(-20.0), 2.0, 6.0);
        let (attack_ms, release_ms) = (10.0, 100.0);
        let (makeup, detector) = (Decibels(0.0), Detector::Rms);
        let effects = [
            Effect::Compressor(Compressor {
                threshold,
                ratio,
                knee_db: 0.0,
                attack_ms,
                release_ms,
                makeup,
                detector,
            }),
            Effect::DeEsser(DeEsser { frequency_hz: 6000.0, threshold, range_db }),
            Effect::Gate(Gate {
                threshold,
                ratio,
                range_db,
                hysteresis_db: 0.0,
                attack_ms,
                hold_ms: 0.0,
                release_ms,
            }),
            Effect::Limiter(Limiter { gain: makeup, ceiling: threshold, release_ms }),
        ];
        for effect in effects {
            let whole = serde_json::to_value(&effect).unwrap();
            let numbers = whole.as_object().unwrap().values().filter(|it| it.is_f64()).count();
            assert_eq!(numbers, all(&effect).len(), "{effect} has a setting for each number");
            for (key, number) in all(&effect) {
                for value in [number.ends.0, number.usual, number.ends.1] {
                    let mut written = whole.clone();
                    written[*key] = value.into();
                    let set: Effect = serde_json::from_value(written).unwrap();
                    assert_eq!(set.check(), Ok(()), "{key} {value}");
                }
            }
        }
    }
}
