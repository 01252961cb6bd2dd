//! The graph of an equalizer: spectra, its response, and a node for each band.

use super::place::{Place, Touch};
use super::plot::{area, field, tag};
use super::view::{InsertsView, Range, Spectra};
use crate::kit::cx::alpha;
use crate::kit::scale::{num, signed};
use crate::kit::wheel::Wheel;
use crate::kit::{Cx, context, menu};
use crate::theme::Type;
use deskhand_dsp::effects::{Band, BandShape, EffectReading, Equalizer, MOST_BANDS};
use deskhand_dsp::{Decibels, SampleRate};
use deskhand_session::InsertId;
use egui::{
    Color32, EventFilter, Key, Modifiers, Pos2, Rect, Response, Sense, WidgetInfo, pos2, vec2,
};

pub(super) const LOWEST: f64 = 20.0;
pub(super) const HIGHEST: f64 = 20_000.0;
/// Top and bottom of a small response, dB.
const SMALL: f64 = 24.0;
/// The levels at the top and the bottom for spectra, dBFS.
const LEVELS: (f32, f32) = (-12.0, -96.0);
const NODE: f32 = 9.0;

impl Range {
    pub(super) const ALL: [Self; 3] = [Self::Six, Self::Fifteen, Self::Thirty];

    pub(super) fn decibels(self) -> f64 {
        match self {
            Self::Six => 6.0,
            Self::Fifteen => 15.0,
            Self::Thirty => 30.0,
        }
    }
}

/// Where frequencies and gains are.
pub(super) struct Grid {
    pub(super) rect: Rect,
    pub(super) range: f64,
}

impl Grid {
    pub(super) fn x(&self, hertz: f64) -> f32 {
        let share = (hertz / LOWEST).ln() / (HIGHEST / LOWEST).ln();
        self.rect.left() + self.rect.width() * share as f32
    }

    pub(super) fn hertz(&self, x: f32) -> f64 {
        let share = f64::from((x - self.rect.left()) / self.rect.width()).clamp(0.0, 1.0);
        rounded(LOWEST * (HIGHEST / LOWEST).powf(share))
    }

    fn y(&self, db: f64) -> f32 {
        let half = self.rect.height() / 2.0;
        self.rect.center().y - half * (db / self.range).clamp(-1.0, 1.0) as f32
    }

    fn db(&self, y: f32) -> f64 {
        let share = f64::from((self.rect.center().y - y) / (self.rect.height() / 2.0));
        (share.clamp(-1.0, 1.0) * self.range * 10.0).round() / 10.0
    }

    pub(super) fn at(&self, band: &Band) -> Pos2 {
        let gain = if has_gain(band.shape) { band.gain.0 } else { 0.0 };
        pos2(self.x(band.frequency_hz.clamp(LOWEST, HIGHEST)), self.y(gain))
    }
}

/// Three digits are as fine as a hand is.
fn rounded(hertz: f64) -> f64 {
    let step = 10f64.powf(hertz.log10().floor() - 2.0);
    (hertz / step).round() * step
}

pub(super) fn has_gain(shape: BandShape) -> bool {
    match shape {
        BandShape::Bell | BandShape::LowShelf | BandShape::HighShelf => true,
        BandShape::LowCut | BandShape::HighCut | BandShape::Notch => false,
    }
}

/// Draws how much an equalizer gives of each frequency, from 24 dB to -24 dB.
pub(crate) fn response(
    cx: &Cx<'_>,
    rect: Rect,
    equalizer: &Equalizer,
    rate: SampleRate,
    color: Color32,
) {
    cx.path(curve(&Grid { rect, range: SMALL }, equalizer, rate), 1.5, color);
}

pub(super) fn curve(grid: &Grid, equalizer: &Equalizer, rate: SampleRate) -> Vec<Pos2> {
    let steps = grid.rect.width().max(2.0) as usize;
    let point = |step: usize| {
        let hertz = LOWEST * (HIGHEST / LOWEST).powf(step as f64 / steps as f64);
        pos2(grid.rect.left() + step as f32, grid.y(equalizer.response(hertz, rate).0))
    };
    (0..=steps).map(point).collect()
}

/// Draws the graph and takes what a hand does in it.
pub(super) fn show(
    cx: &Cx<'_>,
    place: Place<'_>,
    view: &mut InsertsView,
    (id, equalizer): (InsertId, &mut Equalizer),
    grid: &Grid,
    works: bool,
) -> Touch {
    let rect = grid.rect;
    paint_grid(cx, grid);
    let reading = place.reading(id).filter(|_| view.spectra != Spectra::Off);
    if let Some(reading) = reading {
        spectra(cx, rect, reading, view.spectra, place.hue);
    } else if view.spectra != Spectra::Off && !place.scene.live.is_hosted() {
        let words = "Play to see the spectrum";
        cx.right(rect.right_top() + vec2(-12.0, 16.0), words, Type::CAPTION, cx.t.text_2);
    }
    let points = curve(grid, equalizer, place.scene.session.rate);
    match works {
        true => cx.path(points, 2.0, cx.t.text),
        false => cx.dashes(&points, 1.5, cx.t.text_3),
    }
    nodes(cx, grid, view, equalizer, works)
}

pub(super) fn paint_grid(cx: &Cx<'_>, grid: &Grid) {
    let rect = grid.rect;
    let marks = [50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0, 5000.0, 10_000.0];
    let gains = [-0.8, -0.4, 0.4, 0.8].map(|share| share * grid.range);
    let xs = marks.map(|hertz| grid.x(hertz));
    field(cx, rect, &xs, &gains.map(|db| grid.y(db)));
    cx.hline(rect.left(), rect.right(), grid.y(0.0).round(), cx.t.line_strong);
    for (hertz, x) in marks.into_iter().zip(xs) {
        let words =
            if hertz < 1000.0 { format!("{hertz}") } else { format!("{}k", hertz / 1000.0) };
        cx.left(pos2(x + 4.0, rect.bottom() - 9.0), &words, Type::TICK, cx.t.text_3);
    }
    let digits = if grid.range < 10.0 { 1 } else { 0 };
    for db in gains.into_iter().chain([0.0]) {
        let at = pos2(rect.left() + 6.0, grid.y(db) - 7.0);
        cx.left(at, &signed(db as f32, digits), Type::TICK, cx.t.text_3);
    }
}

/// Spectra before and after, with the marks of their own scale at the right.
pub(super) fn spectra(
    cx: &Cx<'_>,
    rect: Rect,
    reading: &EffectReading,
    which: Spectra,
    hue: Color32,
) {
    let (top, bottom) = LEVELS;
    let y = |level: f32| {
        let share = ((top - level) / (top - bottom)).clamp(0.0, 1.0);
        rect.top() + rect.height() * share
    };
    let line = |levels: &[f32]| {
        let step = rect.width() / levels.len().max(1) as f32;
        let point = |(index, level): (usize, &f32)| {
            pos2(rect.left() + step * (index as f32 + 0.5), y(*level))
        };
        levels.iter().enumerate().map(point).collect::<Vec<Pos2>>()
    };
    let [before, after] = reading.spectra.each_ref().map(|levels| line(levels));
    if matches!(which, Spectra::Before | Spectra::Both) {
        area(cx, &before, rect.bottom(), alpha(cx.t.text_3, 0.17));
        cx.path(before, 1.0, alpha(cx.t.text_3, 0.5));
    }
    if matches!(which, Spectra::After | Spectra::Both) {
        area(cx, &after, rect.bottom(), alpha(hue, 0.16));
        cx.path(after, 1.25, hue);
    }
    for level in [-24.0, -48.0, -72.0] {
        let at = pos2(rect.right() - 6.0, y(level));
        cx.right(at, &num(level, 0), Type::TICK, cx.t.text_3);
    }
}

/// What the lines of the graph are; `plan` is the number of the plan that would change it.
pub(super) fn legend(
    cx: &Cx<'_>,
    place: Place<'_>,
    view: &InsertsView,
    id: InsertId,
    (rect, plan): (Rect, Option<usize>),
) {
    let is_measured = place.reading(id).is_some();
    let has_before = is_measured && matches!(view.spectra, Spectra::Before | Spectra::Both);
    let has_after = is_measured && matches!(view.spectra, Spectra::After | Spectra::Both);
    let plan = plan.map(|number| format!("Plan {number}"));
    let lines = [
        has_before.then_some(("Before", cx.t.text_3)),
        has_after.then_some(("After", place.hue)),
        Some(("Equalizer", cx.t.text)),
        plan.as_deref().map(|name| (name, cx.t.accent)),
    ];
    let mut at = rect.left_top() + vec2(44.0, 16.0);
    for (name, color) in lines.into_iter().flatten() {
        let is_planned = color == cx.t.accent;
        let line = [at, at + vec2(12.0, 0.0)];
        if is_planned {
            cx.dashes(&line, 1.5, color);
        } else {
            cx.path(line.into(), 1.5, color);
        }
        let color = if is_planned { color } else { cx.t.text_2 };
        let words = cx.left(at + vec2(17.0, 0.0), name, Type::CAPTION, color);
        cx.label(words, ("legend", name), name);
        at.x = words.right() + 14.0;
    }
}

fn nodes(
    cx: &Cx<'_>,
    grid: &Grid,
    view: &mut InsertsView,
    equalizer: &mut Equalizer,
    works: bool,
) -> Touch {
    let ground = cx.interact(grid.rect, "response", Sense::CLICK);
    let name = "Response of the equalizer";
    ground.widget_info(|| WidgetInfo::labeled(egui::Role::Canvas, true, name));
    if let Some(at) = ground.interact_pointer_pos().filter(|_| ground.double_clicked()) {
        return new_band(grid, view, equalizer, at);
    }
    if equalizer.bands.is_empty() {
        let words = "Double-click to add a band";
        cx.center(grid.rect.center() - vec2(0.0, 20.0), words, Type::SMALL, cx.t.text_2);
    }
    let mut touch = Touch::Untouched;
    let mut gone = None;
    for (index, band) in equalizer.bands.iter_mut().enumerate() {
        match node(cx, grid, view, (index, works), band) {
            Some(found) => touch = touch.max(found),
            None => gone = Some(index),
        }
    }
    if let Some(index) = gone {
        remove_band(view, equalizer, index);
        touch = Touch::Done;
    }
    touch
}

fn new_band(grid: &Grid, view: &mut InsertsView, equalizer: &mut Equalizer, at: Pos2) -> Touch {
    if equalizer.bands.len() >= MOST_BANDS {
        return Touch::Untouched;
    }
    let (frequency_hz, gain) = (grid.hertz(at.x), Decibels(grid.db(at.y)));
    equalizer.bands.push(Band { shape: BandShape::Bell, frequency_hz, gain, q: 1.0 });
    view.band = equalizer.bands.len() - 1;
    Touch::Done
}

/// Removes a band. The numbers keep showing the same band, or else an existing one.
pub(super) fn remove_band(view: &mut InsertsView, equalizer: &mut Equalizer, index: usize) {
    equalizer.bands.remove(index);
    if index < view.band || view.band == equalizer.bands.len() {
        view.band = view.band.saturating_sub(1);
    }
}

/// One node; `None` if its band is removed.
fn node(
    cx: &Cx<'_>,
    grid: &Grid,
    view: &mut InsertsView,
    (index, works): (usize, bool),
    band: &mut Band,
) -> Option<Touch> {
    let at = grid.at(band);
    let reach = Rect::from_center_size(at, vec2(24.0, 24.0));
    let response = cx.interact(reach, ("band", index), Sense::click_and_drag());
    let gain = num(band.gain.0 as f32, 1);
    let name = format!("Band {} at {:.0} Hz, {gain} dB", index + 1, band.frequency_hz);
    response.widget_info(|| WidgetInfo::slider(true, band.gain.0, &name));
    let is_chosen = view.band == index;
    paint_node(cx, at, (index, is_chosen, works), &response);
    if response.clicked() || response.secondary_clicked() || response.drag_started() {
        view.band = index;
        response.request_focus();
    }
    if goes(cx, &response, index) {
        return None;
    }
    let touch = moved(cx, grid, &response, band);
    if response.dragged() {
        let words = match has_gain(band.shape) {
            true => format!("{:.0} Hz, {} dB", band.frequency_hz, signed(band.gain.0 as f32, 1)),
            false => format!("{:.0} Hz", band.frequency_hz),
        };
        let width = cx.width(&words, Type::CAPTION) + 12.0;
        let left = (at.x + 18.0).min(grid.rect.right() - width - 4.0);
        tag(cx, pos2(left, (at.y - 18.0).max(grid.rect.top() + 12.0)), &words, cx.t.text);
    }
    Some(touch)
}

fn paint_node(
    cx: &Cx<'_>,
    at: Pos2,
    (index, is_chosen, works): (usize, bool, bool),
    response: &Response,
) {
    let strength = if works { 1.0 } else { 0.4 };
    let text = alpha(cx.t.text, strength);
    if is_chosen {
        cx.p.circle_stroke(at, 14.0, egui::Stroke::new(1.0, alpha(text, 0.6)));
    }
    let (fill, color) = if is_chosen { (text, cx.t.well) } else { (cx.t.raised, text) };
    cx.p.circle(at, NODE, fill, egui::Stroke::new(1.5, text));
    cx.center(at, &format!("{}", index + 1), Type::CAPTION_STRONG, color);
    if response.has_focus() {
        cx.focus_ring(Rect::from_center_size(at, vec2(20.0, 20.0)), 10.0);
    }
}

/// A drag, the wheel or an arrow key on a node.
fn moved(cx: &Cx<'_>, grid: &Grid, response: &Response, band: &mut Band) -> Touch {
    let is_fine = cx.ui.input(|input| input.modifiers.shift);
    if response.dragged() {
        let to = match (is_fine, response.interact_pointer_pos()) {
            (false, Some(to)) => to,
            (true, _) | (_, None) => grid.at(band) + response.drag_delta() * 0.1,
        };
        band.frequency_hz = match is_fine {
            true => LOWEST * (HIGHEST / LOWEST).powf(share(grid, to.x)),
            false => grid.hertz(to.x),
        };
        if has_gain(band.shape) {
            let fine = band.gain.0 - f64::from(response.drag_delta().y * 0.1) * per_point(grid);
            band.gain = Decibels(if is_fine { fine.clamp(-30.0, 30.0) } else { grid.db(to.y) });
        }
        return Touch::Held;
    }
    if response.drag_stopped() {
        band.frequency_hz = rounded(band.frequency_hz);
        band.gain = Decibels((band.gain.0 * 10.0).round() / 10.0);
        return Touch::Done;
    }
    let (turned, keyed) = (wheel(cx, response, band), arrows(cx, response, band, is_fine));
    turned.max(keyed)
}

fn share(grid: &Grid, x: f32) -> f64 {
    f64::from((x - grid.rect.left()) / grid.rect.width()).clamp(0.0, 1.0)
}

fn per_point(grid: &Grid) -> f64 {
    2.0 * grid.range / f64::from(grid.rect.height())
}

/// A notch is a sixth of an octave of Q. It is set as soon as the wheel rests.
fn wheel(cx: &Cx<'_>, response: &Response, band: &mut Band) -> Touch {
    let key = response.id.with("wheel");
    let (mut wheel, since) =
        cx.ui.data(|data| data.get_temp::<(Wheel, f64)>(key)).unwrap_or_default();
    let notches = match response.hovered() {
        true => cx.ui.input(|input| wheel.turned(input)),
        false => 0.0,
    };
    let now = cx.ui.input(|input| input.time);
    let is_turned = notches.abs() > 0.0;
    let rests = since > 0.0 && !is_turned && (now - since > RESTS || !response.hovered());
    let since = match (is_turned, rests) {
        (true, _) => now,
        (false, true) => 0.0,
        (false, false) => since,
    };
    cx.ui.data_mut(|data| data.insert_temp(key, (wheel, since)));
    if since > 0.0 {
        cx.ui.ctx().request_repaint();
    }
    if is_turned {
        turn(band, f64::from(notches));
        return Touch::Held;
    }
    if rests { Touch::Done } else { Touch::Untouched }
}

/// Turns the Q of a band by sixths of an octave.
fn turn(band: &mut Band, sixths: f64) {
    let q = (band.q * 2f64.powf(sixths / 6.0)).clamp(0.1, 40.0);
    band.q = (q * 100.0).round() / 100.0;
}

/// How long a wheel rests before its value is set, s.
const RESTS: f64 = 0.4;

/// Half a dB, and a 24th of an octave; with Alt a sixth of an octave of Q.
fn arrows(cx: &Cx<'_>, response: &Response, band: &mut Band, is_fine: bool) -> Touch {
    let filter =
        EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
    if !context::has_keys(response, filter) {
        return Touch::Untouched;
    }
    let presses = |more, less| {
        let count = |key| cx.ui.input(|input| input.num_presses(key)) as f64;
        count(more) - count(less)
    };
    let (up, right) =
        (presses(Key::ArrowUp, Key::ArrowDown), presses(Key::ArrowRight, Key::ArrowLeft));
    if up == 0.0 && right == 0.0 {
        return Touch::Untouched;
    }
    let fine = if is_fine { 0.2 } else { 1.0 };
    if cx.ui.input(|input| input.modifiers.alt) {
        turn(band, up * fine);
        return Touch::Done;
    }
    if has_gain(band.shape) {
        band.gain = Decibels((band.gain.0 + 0.5 * fine * up).clamp(-30.0, 30.0));
    }
    let hertz = band.frequency_hz * 2f64.powf(right * fine / 24.0);
    band.frequency_hz = rounded(hertz.clamp(LOWEST, HIGHEST));
    Touch::Done
}

/// Whether a band is removed, by the menu of its node or by a key.
fn goes(cx: &Cx<'_>, response: &Response, index: usize) -> bool {
    let filter =
        EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
    let has_keys = context::has_keys(response, filter);
    let removes = |input: &mut egui::InputState| {
        input.consume_key(Modifiers::NONE, Key::Delete)
            || input.consume_key(Modifiers::NONE, Key::Backspace)
    };
    let by_key = has_keys && cx.ui.input_mut(removes);
    let popup = context::menu(response, response.rect).style(menu::look());
    let chosen =
        popup.show(|ui| menu::entry_with_key(ui, format!("Remove band {}", index + 1), "Del"));
    by_key || chosen.is_some_and(|shown| shown.inner)
}

/// What is heard of a band alone: the frequencies that it works on.
pub(super) fn solo(band: &Band) -> Equalizer {
    // The bandwidth of a bell in octaves.
    let octaves = (2.0 * (0.5 / band.q.max(0.1)).asinh() / std::f64::consts::LN_2).clamp(0.33, 4.0);
    let side = 2f64.powf(octaves / 2.0);
    let (low, high) = match band.shape {
        BandShape::Bell | BandShape::Notch => (true, true),
        BandShape::LowShelf | BandShape::LowCut => (false, true),
        BandShape::HighShelf | BandShape::HighCut => (true, false),
    };
    let edge = |shape, hertz: f64| Band {
        shape,
        frequency_hz: hertz.clamp(10.0, 24_000.0),
        gain: Decibels(0.0),
        q: std::f64::consts::FRAC_1_SQRT_2,
    };
    let low = low.then(|| edge(BandShape::LowCut, band.frequency_hz / side));
    let high = high.then(|| edge(BandShape::HighCut, band.frequency_hz * side));
    // Twice each: 24 dB an octave.
    let bands = [low, low, high, high].into_iter().flatten().collect();
    Equalizer { bands }
}

/// Whether Alt lets a band be heard alone: while its node is held.
pub(super) fn is_solo(cx: &Cx<'_>, index: usize) -> bool {
    let id = cx.ui.scope_id().with(("band", index));
    let is_held = cx.ui.ctx().is_being_dragged(id);
    is_held && cx.ui.input(|input| input.modifiers.alt)
}
