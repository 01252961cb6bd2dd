//! The transfer curve of a processor: the level that comes out over the level that goes in, with a ring at the
//! threshold to drag and a dot for what plays now. A de-esser has its band on a spectrum instead.

use super::graph::{Grid, HIGHEST, spectra};
use super::place::{Place, Touch};
use super::plot::{area, decibels, field};
use super::view::Spectra;
use crate::kit::Cx;
use crate::kit::cx::alpha;
use crate::kit::scale::num;
use crate::theme::Type;
use deskhand_dsp::Decibels;
use deskhand_dsp::effects::{
    DeEsser, Detector, Effect, EffectColumn, EffectReading, Gate, Loudest,
};
use egui::{CursorIcon, Pos2, Rect, Sense, Stroke, pos2, vec2};

/// The levels at the ends of both axes, dBFS.
pub(super) fn ends(effect: &Effect) -> (f32, f32) {
    match effect {
        Effect::Limiter(_) => (-24.0, 3.0),
        Effect::Gate(_) => (-80.0, 0.0),
        Effect::Equalizer(_) | Effect::Compressor(_) | Effect::DeEsser(_) => (-60.0, 0.0),
    }
}

/// The level that an effect works by, as an amplitude.
pub(super) fn heard(effect: &Effect, levels: &Loudest) -> f32 {
    match effect {
        Effect::Compressor(it) if it.detector == Detector::Rms => levels.rms,
        Effect::Limiter(_) => levels.true_peak,
        Effect::Compressor(_) | Effect::Gate(_) => levels.peak,
        Effect::Equalizer(_) | Effect::DeEsser(_) => levels.rms,
    }
}

/// The level that comes out for a steady `level`; both in dB.
pub(super) fn output(effect: &Effect, level: f32) -> f32 {
    match effect {
        Effect::Compressor(it) => (it.curve(Decibels(f64::from(level))).0 + it.makeup.0) as f32,
        Effect::Gate(it) => {
            let under = f64::from(level) - it.threshold.0;
            level - (-under * (it.ratio - 1.0)).clamp(0.0, it.range_db) as f32
        }
        Effect::Limiter(it) => (level + it.gain.0 as f32).min(it.ceiling.0 as f32),
        Effect::Equalizer(_) | Effect::DeEsser(_) => level,
    }
}

/// Where levels are.
struct Axes {
    rect: Rect,
    ends: (f32, f32),
}

impl Axes {
    fn share(&self, level: f32) -> f32 {
        ((level - self.ends.0) / (self.ends.1 - self.ends.0)).clamp(0.0, 1.0)
    }

    fn at(&self, level: f32, out: f32) -> Pos2 {
        let (x, y) = (self.share(level), self.share(out));
        pos2(self.rect.left() + self.rect.width() * x, self.rect.bottom() - self.rect.height() * y)
    }

    fn per_point(&self) -> f64 {
        f64::from((self.ends.1 - self.ends.0) / self.rect.width())
    }
}

/// Draws it, and lets the threshold be dragged.
pub(super) fn show(
    cx: &Cx<'_>,
    place: Place<'_>,
    effect: &mut Effect,
    rect: Rect,
    reading: Option<&EffectReading>,
) -> Touch {
    if let Effect::DeEsser(de_esser) = effect {
        return band(cx, place, de_esser, rect, reading);
    }
    let axes = Axes { rect, ends: ends(effect) };
    paint(cx, &axes, effect);
    if let Effect::Gate(gate) = effect {
        hysteresis(cx, &axes, gate);
    }
    let last = reading.filter(|_| place.moves()).and_then(|reading| reading.columns.back());
    if let Some(column) = last {
        dot(cx, place, &axes, effect, column);
    }
    let node = cx.interact(rect, "transfer", Sense::hover());
    let (low, high) = axes.ends;
    let (low, high) = (num(low, 0), num(high, 0));
    let name =
        format!("Level that comes out over the level that goes in, both from {low} to {high} dBFS");
    node.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &name));
    ring(cx, &axes, effect)
}

fn paint(cx: &Cx<'_>, axes: &Axes, effect: &Effect) {
    let (rect, (low, high)) = (axes.rect, axes.ends);
    let step = if high - low > 40.0 { 12.0 } else { 6.0 };
    let marks = || {
        (1..8).map(move |n| -step * n as f32).chain([0.0]).filter(move |it| *it > low && *it < high)
    };
    let xs: Vec<f32> = marks().map(|level| axes.at(level, low).x).collect();
    let ys: Vec<f32> = marks().map(|level| axes.at(low, level).y).collect();
    field(cx, rect, &xs, &ys);
    let corner = [axes.at(low, low), axes.at(high, high)];
    area(cx, &[corner[0], corner[1]], rect.bottom(), alpha(cx.t.text_3, 0.06));
    cx.dashes(&corner, 1.0, alpha(cx.t.text_3, 0.6));
    for (level, (x, y)) in marks().zip(xs.iter().zip(&ys)) {
        let words = num(level, 0);
        cx.right(pos2(x - 3.0, rect.bottom() - 9.0), &words, Type::TICK, cx.t.text_3);
        cx.left(pos2(rect.left() + 6.0, y - 7.0), &words, Type::TICK, cx.t.text_3);
    }
    cx.left(rect.left_top() + vec2(6.0, 10.0), "Out, dBFS", Type::TICK, cx.t.text_3);
    cx.right(rect.right_bottom() - vec2(6.0, 22.0), "In, dBFS", Type::TICK, cx.t.text_3);
    let points = (0..=120).map(|step| {
        let level = low + (high - low) * step as f32 / 120.0;
        axes.at(level, output(effect, level))
    });
    cx.path(points.collect(), 2.0, cx.t.text);
}

/// Between these levels a gate stays as it is.
fn hysteresis(cx: &Cx<'_>, axes: &Axes, gate: &Gate) {
    let (opens, closes) = (gate.threshold.0, gate.threshold.0 - gate.hysteresis_db);
    let (low, high) = axes.ends;
    let left = axes.at(closes as f32, high);
    let right = axes.at(opens as f32, low);
    cx.fill(Rect::from_min_max(left, right), 0.0, alpha(cx.t.text_3, 0.14));
}

/// The levels of the last thirtieth of a second.
fn dot(cx: &Cx<'_>, place: Place<'_>, axes: &Axes, effect: &Effect, column: &EffectColumn) {
    let [level, out] = [&column.before, &column.after].map(|it| decibels(heard(effect, it)));
    if level < axes.ends.0 {
        return;
    }
    let at = axes.at(level, out);
    let faint = alpha(place.hue, 0.5);
    cx.vline(at.x.round(), at.y, axes.rect.bottom(), faint);
    cx.hline(axes.rect.left(), at.x, at.y.round(), faint);
    cx.p.circle_filled(at, 5.0, place.hue);
    let name = format!("{} dBFS in, {} dBFS out", num(level, 1), num(out, 1));
    cx.label(Rect::from_center_size(at, vec2(10.0, 10.0)), "dot", name);
}

/// The ring at the threshold, where a limiter reaches its ceiling: across sets it, up and down the ratio.
fn ring(cx: &Cx<'_>, axes: &Axes, effect: &mut Effect) -> Touch {
    let at = match effect {
        Effect::Compressor(it) => it.threshold.0,
        Effect::Gate(it) => it.threshold.0,
        Effect::Limiter(it) => it.ceiling.0 - it.gain.0,
        Effect::Equalizer(_) | Effect::DeEsser(_) => return Touch::Untouched,
    };
    let at = axes.at(at as f32, output(effect, at as f32));
    let rect = Rect::from_center_size(at, vec2(24.0, 24.0));
    let response = cx.interact(rect, "ring", Sense::DRAG);
    let response = response.on_hover_and_drag_cursor(CursorIcon::Grab);
    let color = if response.hovered() || response.dragged() { cx.t.text } else { cx.t.text_2 };
    cx.p.circle(at, 6.0, cx.t.well, Stroke::new(1.5, color));
    if response.drag_stopped() {
        return Touch::Done;
    }
    if !response.dragged() {
        return Touch::Untouched;
    }
    let fine = if cx.ui.input(|input| input.modifiers.shift) { 0.1 } else { 1.0 };
    let delta = response.drag_delta() * fine;
    let across = f64::from(delta.x) * axes.per_point();
    let ratio = |ratio: f64| (ratio * 2f64.powf(f64::from(delta.y) / 40.0)).clamp(1.0, 100.0);
    match effect {
        Effect::Compressor(it) => {
            it.threshold = Decibels((it.threshold.0 + across).clamp(-80.0, 0.0));
            it.ratio = ratio(it.ratio);
        }
        Effect::Gate(it) => {
            it.threshold = Decibels((it.threshold.0 + across).clamp(-100.0, 0.0));
            it.ratio = ratio(it.ratio);
        }
        Effect::Limiter(it) => {
            let down = f64::from(delta.y) * axes.per_point();
            it.ceiling = Decibels((it.ceiling.0 - down).clamp(-30.0, 0.0));
            it.gain = Decibels((it.gain.0 - across).clamp(-30.0, 30.0));
        }
        Effect::Equalizer(_) | Effect::DeEsser(_) => {}
    }
    Touch::Held
}

/// The frequencies that a de-esser turns down, on a spectrum; the edge is dragged.
fn band(
    cx: &Cx<'_>,
    place: Place<'_>,
    de_esser: &mut DeEsser,
    rect: Rect,
    reading: Option<&EffectReading>,
) -> Touch {
    let grid = Grid { rect, range: 24.0 };
    let marks = [100.0, 1000.0, 10_000.0];
    field(cx, rect, &marks.map(|hertz| grid.x(hertz)), &[]);
    for (hertz, words) in marks.into_iter().zip(["100", "1k", "10k"]) {
        cx.left(pos2(grid.x(hertz) + 4.0, rect.bottom() - 9.0), words, Type::TICK, cx.t.text_3);
    }
    if let Some(reading) = reading {
        spectra(&cx.clip(rect), rect, reading, Spectra::Both, place.hue);
    }
    let x = grid.x(de_esser.frequency_hz);
    cx.fill(rect.with_min_x(x), 0.0, alpha(cx.t.text, 0.07));
    let edge = rect.with_min_x(x - 12.0).with_max_x(x + 12.0);
    let response = cx.interact(edge, "edge", Sense::DRAG);
    let response = response.on_hover_and_drag_cursor(CursorIcon::ResizeHorizontal);
    cx.vline(x.round(), rect.top(), rect.bottom(), cx.t.text);
    let words = format!("From {:.1} kHz", de_esser.frequency_hz / 1000.0);
    cx.right(pos2(x - 6.0, rect.top() + 12.0), &words, Type::TICK, cx.t.text_2);
    let said = format!("{words} to {:.0} kHz is turned down", HIGHEST / 1000.0);
    cx.label(rect, "band", said);
    match response.interact_pointer_pos().filter(|_| response.dragged()) {
        Some(at) => {
            de_esser.frequency_hz = grid.hertz(at.x).clamp(1000.0, 16_000.0);
            Touch::Held
        }
        None if response.drag_stopped() => Touch::Done,
        None => Touch::Untouched,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_dsp::effects::Limiter;

    #[test]
    fn a_curve_is_what_the_processor_makes_of_a_steady_level() {
        let (gain, ceiling) = (Decibels(6.0), Decibels(-1.0));
        let limiter = Effect::Limiter(Limiter { gain, ceiling, release_ms: 50.0 });
        assert_eq!([-20.0, -7.0, 0.0].map(|level| output(&limiter, level)), [-14.0, -1.0, -1.0]);
        let gate = Effect::Gate(Gate {
            threshold: Decibels(-40.0),
            ratio: 3.0,
            range_db: 20.0,
            hysteresis_db: 4.0,
            attack_ms: 1.0,
            hold_ms: 10.0,
            release_ms: 100.0,
        });
        assert_eq!([-30.0, -45.0, -70.0].map(|level| output(&gate, level)), [-30.0, -55.0, -90.0]);
    }
}
