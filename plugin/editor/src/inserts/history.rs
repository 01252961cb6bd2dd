//! The last six seconds of a processor: levels before and after it, and the gain reduction from the top. Its
//! meter too.

use super::figures;
use super::place::Place;
use super::plot::{area, decibels, field, tag};
use super::transfer::heard;
use crate::kit::Cx;
use crate::kit::cx::alpha;
use crate::kit::scale::num;
use crate::theme::Type;
use deskhand_dsp::effects::{Effect, EffectColumn, EffectReading};
use egui::{Color32, Pos2, Rect, pos2, vec2};

/// The share of the height that the whole scale of the reduction takes.
const DEEP: f32 = 0.5;
/// Columns for which the meter holds the most: two seconds.
const HOLD: usize = 2 * EffectReading::RATE;

/// The gain reduction that fills a scale, dB.
pub(super) fn most(effect: &Effect) -> f32 {
    match effect {
        Effect::Gate(_) => 48.0,
        Effect::Limiter(_) => 6.0,
        Effect::Equalizer(_) | Effect::Compressor(_) | Effect::DeEsser(_) => 12.0,
    }
}

/// The level that is drawn across the history, with its name.
fn line(effect: &Effect) -> Option<(&'static str, f64, &'static str)> {
    match effect {
        Effect::Compressor(it) => Some(("Threshold", it.threshold.0, "dBFS")),
        Effect::Gate(it) => Some(("Threshold", it.threshold.0, "dBFS")),
        Effect::Limiter(it) => Some(("Ceiling", it.ceiling.0, "dBTP")),
        Effect::Equalizer(_) | Effect::DeEsser(_) => None,
    }
}

/// Draws the history; the newest is at the right.
pub(super) fn show(
    cx: &Cx<'_>,
    place: Place<'_>,
    effect: &Effect,
    reading: Option<&EffectReading>,
    rect: Rect,
) {
    let (low, high) = super::transfer::ends(effect);
    let y = |level: f32| {
        let share = ((high - level) / (high - low)).clamp(0.0, 1.0);
        rect.top() + rect.height() * share
    };
    let step = if high - low > 40.0 { 12.0 } else { 6.0 };
    let marks: Vec<f32> = (1..8).map(|n| -step * n as f32).filter(|level| *level > low).collect();
    let second = rect.width() / 6.0;
    let seconds: Vec<f32> = (1..6).map(|n| rect.right() - second * n as f32).collect();
    let levels: Vec<f32> = marks.iter().map(|level| y(*level)).collect();
    field(cx, rect, &seconds, &levels);
    let inner = cx.clip(rect);
    // What was is dimmed, once it stands.
    let strength = if place.moves() { 1.0 } else { 0.6 };
    if let Some(reading) = reading {
        columns(&inner, effect, reading, rect, &y, alpha(place.hue, strength));
    }
    for (level, y) in marks.iter().zip(&levels) {
        let at = pos2(rect.left() + 6.0, y - 7.0);
        cx.left(at, &num(*level, 0), Type::TICK, cx.t.text_2);
    }
    for (n, x) in (1..6).zip(&seconds) {
        let at = pos2(x + 4.0, rect.bottom() - 9.0);
        cx.left(at, &format!("−{n} s"), Type::TICK, cx.t.text_2);
    }
    reduction_scale(cx, effect, rect);
    if let Some((name, level, unit)) = line(effect) {
        let at = y(level as f32).round();
        cx.hline(rect.left(), rect.right(), at, alpha(cx.t.text, 0.6));
        let words = format!("{name} {} {unit}", num(level as f32, 1));
        let below = (at + 12.0).min(rect.bottom() - 12.0);
        tag(cx, pos2(rect.left() + 36.0, below), &words, cx.t.text_2);
    }
}

fn columns(
    cx: &Cx<'_>,
    effect: &Effect,
    reading: &EffectReading,
    rect: Rect,
    y: &dyn Fn(f32) -> f32,
    hue: Color32,
) {
    let width = rect.width() / EffectReading::COLUMNS as f32;
    let from = EffectReading::COLUMNS.saturating_sub(reading.columns.len());
    let points = |value: &dyn Fn(&EffectColumn) -> f32| {
        let point = |(index, column): (usize, &EffectColumn)| {
            pos2(rect.left() + width * (from + index) as f32 + width / 2.0, value(column))
        };
        reading.columns.iter().enumerate().map(point).collect::<Vec<Pos2>>()
    };
    let drive = figures::drive(effect);
    let before = points(&|column| y(decibels(heard(effect, &column.before) * drive)));
    let after = points(&|column| y(decibels(heard(effect, &column.after))));
    area(cx, &before, rect.bottom(), alpha(cx.t.text_3, 0.3));
    area(cx, &after, rect.bottom(), alpha(hue, 0.5));
    if let Effect::Limiter(limiter) = effect {
        let top = y(limiter.ceiling.0 as f32);
        for at in before.iter().filter(|at| at.y < top - 0.5) {
            let bar =
                Rect::from_min_max(pos2(at.x - width / 2.0, at.y), pos2(at.x + width / 2.0, top));
            cx.fill(bar, 0.0, alpha(cx.t.danger, 0.8));
        }
    }
    let deep = rect.height() * DEEP / most(effect);
    cx.path(points(&|column| rect.top() + 1.0 + column.reduction * deep), 1.5, cx.t.text);
}

fn reduction_scale(cx: &Cx<'_>, effect: &Effect, rect: Rect) {
    let most = most(effect);
    for part in [0.25, 0.5, 0.75] {
        let y = rect.top() + rect.height() * DEEP * part;
        let digits = if most < 12.0 { 1 } else { 0 };
        cx.right(pos2(rect.right() - 6.0, y), &num(-most * part, digits), Type::TICK, cx.t.text_2);
    }
}

/// The gain reduction now, from the top, with the most of two seconds.
pub(super) fn meter(
    cx: &Cx<'_>,
    effect: &Effect,
    reading: Option<&EffectReading>,
    now: f32,
    rect: Rect,
) {
    let most = most(effect);
    let bar = rect.with_max_x(rect.left() + 10.0);
    cx.fill(bar, 2.0, cx.t.well);
    let y = |taken: f32| bar.top() + bar.height() * (taken / most).clamp(0.0, 1.0);
    cx.fill(bar.with_max_y(y(now)), 2.0, cx.t.text_2);
    let held = reading.map_or(now, |reading| {
        let recent = reading.columns.iter().rev().take(HOLD);
        recent.map(|column| column.reduction).fold(now, f32::max)
    });
    if held > 0.05 {
        cx.hline(bar.left(), bar.right(), y(held).round().min(bar.bottom() - 1.0), cx.t.text);
    }
    for part in 0..=4 {
        let share = part as f32 / 4.0;
        let at = pos2(bar.right() + 26.0, bar.top() + 6.0 + (bar.height() - 12.0) * share);
        let digits = if most < 12.0 && part % 2 == 1 { 1 } else { 0 };
        cx.right(at, &num(-most * share, digits), Type::TICK, cx.t.text_3);
    }
    let name = format!("{} takes away {now:.1} dB", super::place::title_of(effect));
    let place = Rect::from_min_size(bar.min, vec2(10.0, bar.height()));
    cx.label(place, "reduction", name);
}
