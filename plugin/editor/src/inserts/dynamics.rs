//! The page of a compressor, de-esser, gate or limiter: transfer curve, gain reduction with numbers, the last six
//! seconds, and the settings.

use super::figures::{self, Shown};
use super::page_title::page_title;
use super::place::{Place, Touch};
use super::plot::decibels;
use super::view::InsertsView;
use super::{history, settings, transfer};
use crate::action::Actions;
use crate::kit::choice::{SegmentedChoice, segmented};
use crate::kit::scale::{num, signed};
use crate::kit::{Cut, Cx};
use crate::theme::{Theme, Type};
use deskhand_dsp::effects::{Detector, Effect, EffectReading};
use deskhand_session::InsertId;
use egui::{Color32, Rect, Ui, pos2, vec2};

/// The side of the transfer curve, points: less where the window is low.
const SIDE: f32 = 236.0;
/// The title of the history.
const CAPTION: f32 = 32.0;

pub(super) fn show(
    ui: &mut Ui,
    place: Place<'_>,
    view: &mut InsertsView,
    (id, mut effect): (InsertId, Effect),
    mut page: Rect,
    out: &mut Actions,
) {
    let Some(placed) = place.scene.session.inserts.get(&id) else { return };
    let reading = place.reading(id);
    let cx = Cx::new(ui);
    let row = page_title(&cx, place, (id, placed), &mut page, out);
    let mut touch = detector(&cx, &mut effect, row);
    page = page.pad(16.0, 0.0);
    let mut rows = page.cut_bottom(settings::height(&effect) + 16.0);
    rows.min.y += 8.0;
    let side = SIDE.min((page.height() - CAPTION) * 0.6);
    let mut top = page.cut_top(side);
    let square = top.cut_left(side);
    touch = touch.max(transfer::show(&cx.clip(square), place, &mut effect, square, reading));
    let taken = place.scene.live.reductions.get(&id).copied().unwrap_or(0.0);
    let time = cx.ui.input(|input| input.time);
    let shown = view.figures.at(id, time, reading, taken);
    top.min.x += 24.0;
    history::meter(&cx, &effect, reading, shown.reduction, top.cut_left(40.0));
    top.min.x += 16.0;
    numbers(&cx, place, &effect, (reading, shown), top);
    if reading.is_some() || !place.scene.live.is_hosted() {
        caption(&cx, &effect, page.cut_top(CAPTION), place.hue);
        history::show(&cx, place, &effect, reading, page);
    }
    if reading.is_none() && !place.scene.live.is_hosted() {
        let words = "Play to see what it does";
        cx.center(page.center(), words, Type::SMALL, cx.t.text_3);
    }
    drop(cx);
    touch = touch.max(settings::show(ui, &mut effect, rows));
    match touch {
        Touch::Untouched => {}
        Touch::Held => view.hold(id, effect, out),
        Touch::Done => view.send(id, rounded(effect), place.scene, out),
    }
}

/// A drag ends at a value that can be read.
fn rounded(mut effect: Effect) -> Effect {
    let round = |value: &mut f64| *value = (*value * 10.0).round() / 10.0;
    match &mut effect {
        Effect::Compressor(it) => [&mut it.threshold.0, &mut it.ratio].into_iter().for_each(round),
        Effect::Gate(it) => [&mut it.threshold.0, &mut it.ratio].into_iter().for_each(round),
        Effect::Limiter(it) => [&mut it.ceiling.0, &mut it.gain.0].into_iter().for_each(round),
        Effect::Equalizer(_) | Effect::DeEsser(_) => {}
    }
    effect
}

/// What a compressor listens to.
fn detector(cx: &Cx<'_>, effect: &mut Effect, row: Rect) -> Touch {
    let Effect::Compressor(compressor) = effect else { return Touch::Untouched };
    let all = [(Detector::Rms, "RMS"), (Detector::Peak, "Peak")];
    let item = |label| SegmentedChoice { label, key: "", is_planned: false, why_not: None };
    let rect = row.row_box(row.right() - 120.0, vec2(120.0, 28.0));
    let chosen = all.iter().position(|(detector, _)| *detector == compressor.detector);
    let items = all.map(|(_, label)| item(label));
    cx.right(pos2(rect.left() - 8.0, row.center().y), "Reads", Type::SMALL, cx.t.text_3);
    let clicked = segmented(cx, rect, &items, chosen, "detector");
    match clicked.and_then(|index| all.get(index)) {
        Some((detector, _)) if *detector != compressor.detector => {
            compressor.detector = *detector;
            Touch::Done
        }
        Some(_) | None => Touch::Untouched,
    }
}

/// A number with its name and unit.
struct Line {
    name: &'static str,
    number: String,
    unit: &'static str,
    color: Color32,
}

fn numbers(
    cx: &Cx<'_>,
    place: Place<'_>,
    effect: &Effect,
    (reading, shown): (Option<&EffectReading>, Shown),
    mut rect: Rect,
) {
    let lines = lines(cx.t, place, effect, (reading, shown));
    let height = (rect.height() / lines.len() as f32).min(56.0);
    for Line { name, number, unit, color } in lines {
        let row = rect.cut_top(height);
        cx.left(row.left_top() + vec2(0.0, 10.0), name, Type::SMALL, cx.t.text_2);
        let at = row.left_top() + vec2(0.0, 32.0);
        let words = cx.left(at, &number, Type::READOUT, color);
        let after = pos2(words.right() + 5.0, words.center().y + 1.0);
        cx.left(after, unit, Type::SMALL, cx.t.text_3);
        cx.label(row, ("figure", name), format!("{name}: {number} {unit}"));
    }
}

fn lines(
    theme: &Theme,
    place: Place<'_>,
    effect: &Effect,
    (reading, shown): (Option<&EffectReading>, Shown),
) -> Vec<Line> {
    let line = |name, number: String, unit, color| Line { name, number, unit, color };
    let taken = |decibels: f32| num(-decibels, 1);
    let nothing = || "−∞".to_owned();
    let now = if place.moves() { taken(shown.reduction) } else { nothing() };
    let mut lines = vec![line("Reduction now", now, "dB", theme.text)];
    if reading.is_none() {
        return lines;
    }
    if let Effect::Limiter(limiter) = effect {
        let [before, after] = shown.true_peak;
        let peaks = [before * figures::drive(effect), after].map(decibels);
        let ceiling = limiter.ceiling.0 as f32;
        let words = |peak: f32| if peak < -119.0 { nothing() } else { signed(peak, 1) };
        let over = |peak: f32| peak > ceiling + 0.05;
        let color = if over(peaks[0]) { theme.danger } else { theme.text };
        lines.push(line("True peak in, with gain, last 6 s", words(peaks[0]), "dBTP", color));
        let color = if over(peaks[1]) { theme.danger } else { theme.ok };
        lines.push(line("True peak out, last 6 s", words(peaks[1]), "dBTP", color));
    } else {
        lines.push(line("Most, last 6 s", taken(shown.most), "dB", theme.text));
        let average = shown.average.map_or_else(nothing, taken);
        lines.push(line("Average with sound, last 6 s", average, "dB", theme.text));
    }
    lines
}

/// The title of the history and what its colors mean.
fn caption(cx: &Cx<'_>, effect: &Effect, row: Rect, hue: Color32) {
    let words = match effect {
        Effect::Limiter(_) => "True peaks and reduction, last 6 s",
        Effect::Equalizer(_) | Effect::Compressor(_) | Effect::DeEsser(_) | Effect::Gate(_) => {
            "Level and reduction, last 6 s"
        }
    };
    cx.left(row.left_mid(0.0), words, Type::CAPTION_STRONG, cx.t.text_2);
    let mut right = row.right();
    let keys = [
        ("Reduction", cx.t.text, 2.0),
        ("Out", crate::kit::cx::alpha(hue, 0.6), 8.0),
        ("In", crate::kit::cx::alpha(cx.t.text_3, 0.5), 8.0),
    ];
    for (words, color, height) in keys {
        let text = cx.right(pos2(right, row.center().y), words, Type::CAPTION, cx.t.text_2);
        let key = pos2(text.left() - 11.0, row.center().y);
        cx.fill(Rect::from_center_size(key, vec2(12.0, height)), 1.0, color);
        right = text.left() - 30.0;
    }
}
