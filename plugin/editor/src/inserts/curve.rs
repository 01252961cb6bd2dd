//! The response of an equalizer, with a handle for each band: dragged, added by a double click, taken
//! out by its menu or by Del.

use super::numbers::{Touch, touch_of};
use super::value_field::{self, Number};
use super::{allocate, field};
use crate::action::Actions;
use crate::inserts::view::InsertsView;
use crate::kit::cx::alpha;
use crate::kit::{Cx, context};
use crate::scene::Scene;
use crate::theme::{Theme, Type};
use deskhand_dsp::effects::{Band, BandShape, Effect, Equalizer, MOST_BANDS};
use deskhand_dsp::{Decibels, SampleRate};
use deskhand_session::InsertId;
use egui::{
    Color32, EventFilter, Key, Modifiers, Pos2, Rect, Response, Sense, Ui, WidgetInfo, pos2, vec2,
};

const LOWEST: f64 = 20.0;
const HIGHEST: f64 = 20_000.0;
/// Top and bottom of the field, dB.
const RANGE: f64 = 24.0;

const SHAPES: [(BandShape, &str); 6] = [
    (BandShape::Bell, "Bell"),
    (BandShape::LowShelf, "Low shelf"),
    (BandShape::HighShelf, "High shelf"),
    (BandShape::LowCut, "Low cut"),
    (BandShape::HighCut, "High cut"),
    (BandShape::Notch, "Notch"),
];

/// What a hand does in the field.
const HANDS: &str =
    "A double click adds a band. Its point is dragged, and taken out by its menu or by Del.";

/// Where frequencies and gains are.
struct Grid(Rect);

impl Grid {
    fn x(&self, hertz: f64) -> f32 {
        let share = (hertz / LOWEST).ln() / (HIGHEST / LOWEST).ln();
        self.0.left() + self.0.width() * share as f32
    }

    fn hertz(&self, x: f32) -> f64 {
        let share = f64::from((x - self.0.left()) / self.0.width()).clamp(0.0, 1.0);
        let hertz = LOWEST * (HIGHEST / LOWEST).powf(share);
        // Three digits are as fine as a hand is.
        let step = 10f64.powf(hertz.log10().floor() - 2.0);
        (hertz / step).round() * step
    }

    fn y(&self, db: f64) -> f32 {
        self.0.center().y - self.0.height() / 2.0 * (db / RANGE).clamp(-1.0, 1.0) as f32
    }

    fn db(&self, y: f32) -> f64 {
        let share = f64::from((self.0.center().y - y) / (self.0.height() / 2.0));
        (share.clamp(-1.0, 1.0) * RANGE * 10.0).round() / 10.0
    }

    fn at(&self, band: &Band) -> Pos2 {
        let gain = if has_gain(band.shape) { band.gain.0 } else { 0.0 };
        pos2(self.x(band.frequency_hz.clamp(LOWEST, HIGHEST)), self.y(gain))
    }
}

fn has_gain(shape: BandShape) -> bool {
    match shape {
        BandShape::Bell | BandShape::LowShelf | BandShape::HighShelf => true,
        BandShape::LowCut | BandShape::HighCut | BandShape::Notch => false,
    }
}

pub(super) fn show(
    ui: &mut Ui,
    theme: &Theme,
    scene: Scene<'_>,
    view: &mut InsertsView,
    id: InsertId,
    mut equalizer: Equalizer,
    out: &mut Actions,
) {
    let rect = allocate(ui, 180.0);
    let cx = Cx::new(ui, theme).clip(rect);
    let grid = Grid(rect);
    paint(&cx, &grid, &equalizer, scene.session.rate);
    let touched = handles(&cx, &grid, view, &mut equalizer);
    drop(cx);
    let mut wrong = view.take_wrong(id);
    let typed = band_row(ui, view, &mut equalizer, &mut wrong);
    view.tell_wrong(ui, theme, id, wrong);
    if !equalizer.bands.is_empty() {
        ui.colored_label(theme.text_3, HANDS);
    }
    match touched.max(typed) {
        Touch::None => {}
        Touch::Held => view.hold(id, Effect::Equalizer(equalizer), out),
        Touch::Done => view.send(id, Effect::Equalizer(equalizer), scene, out),
    }
}

fn paint(cx: &Cx<'_>, grid: &Grid, equalizer: &Equalizer, rate: SampleRate) {
    let rect = grid.0;
    let share = |hertz| (grid.x(hertz) - rect.left()) / rect.width();
    field(cx, rect, &[100.0, 1000.0, 10_000.0].map(share), &[0.25, 0.5, 0.75]);
    for (hertz, words) in [(100.0, "100"), (1000.0, "1k"), (10_000.0, "10k")] {
        cx.center(pos2(grid.x(hertz) + 10.0, rect.bottom() - 8.0), words, Type::TICK, cx.t.text_3);
    }
    for db in [12.0, -12.0] {
        let at = pos2(rect.left() + 4.0, grid.y(db) - 7.0);
        cx.left(at, &format!("{db:+}"), Type::TICK, cx.t.text_3);
    }
    response(cx, rect, equalizer, rate, cx.t.text);
}

/// Draws how much an equalizer gives of each frequency.
pub(crate) fn response(
    cx: &Cx<'_>,
    rect: Rect,
    equalizer: &Equalizer,
    rate: SampleRate,
    color: Color32,
) {
    let grid = Grid(rect);
    let steps = rect.width().max(2.0) as usize;
    let points = (0..=steps).map(|step| {
        let x = rect.left() + step as f32;
        let hertz = LOWEST * (HIGHEST / LOWEST).powf(step as f64 / steps as f64);
        pos2(x, grid.y(equalizer.response(hertz, rate).0))
    });
    cx.path(points.collect(), 1.5, color);
}

fn handles(cx: &Cx<'_>, grid: &Grid, view: &mut InsertsView, equalizer: &mut Equalizer) -> Touch {
    let mut touch = Touch::None;
    let ground = cx.interact(grid.0, "response", Sense::click());
    let name = "Response of the equalizer";
    ground.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, name));
    if let Some(at) = ground.interact_pointer_pos().filter(|_| ground.double_clicked())
        && equalizer.bands.len() < MOST_BANDS
    {
        let (frequency_hz, gain) = (grid.hertz(at.x), Decibels(grid.db(at.y)));
        equalizer.bands.push(Band { shape: BandShape::Bell, frequency_hz, gain, q: 1.0 });
        view.band = equalizer.bands.len() - 1;
        return Touch::Done;
    }
    let mut gone = None;
    for (index, band) in equalizer.bands.iter_mut().enumerate() {
        match handle(cx, grid, view, index, band) {
            Some(found) => touch = touch.max(found),
            None => gone = Some(index),
        }
    }
    if let Some(index) = gone {
        equalizer.bands.remove(index);
        // The numbers below keep showing the same band, or else an existing one.
        if index < view.band || view.band == equalizer.bands.len() {
            view.band = view.band.saturating_sub(1);
        }
        touch = Touch::Done;
    }
    touch
}

/// One handle; `None` if its band is removed.
fn handle(
    cx: &Cx<'_>,
    grid: &Grid,
    view: &mut InsertsView,
    index: usize,
    band: &mut Band,
) -> Option<Touch> {
    let at = grid.at(band);
    let handle = Rect::from_center_size(at, vec2(18.0, 18.0));
    let response = cx.interact(handle, ("band", index), Sense::click_and_drag());
    let name = format!("Band {} at {:.0} Hz, {:+.1} dB", index + 1, band.frequency_hz, band.gain.0);
    response.widget_info(|| egui::WidgetInfo::slider(true, band.gain.0, &name));
    cx.p.circle_filled(at, 6.0, if view.band == index { cx.t.text } else { alpha(cx.t.text, 0.5) });
    cx.center(at, &format!("{}", index + 1), Type::TICK, cx.t.well);
    if response.clicked() || response.secondary_clicked() || response.drag_started() {
        view.band = index;
        response.request_focus();
    }
    if response.has_focus() {
        cx.focus_ring(handle.shrink(2.0), 7.0);
    }
    if goes(cx, &response, index) {
        return None;
    }
    let mut touch = Touch::None;
    if let Some(to) = response.interact_pointer_pos().filter(|_| response.dragged()) {
        band.frequency_hz = grid.hertz(to.x);
        if has_gain(band.shape) {
            band.gain = Decibels(grid.db(to.y));
        }
        touch = Touch::Held;
    }
    if response.drag_stopped() {
        touch = Touch::Done;
    }
    Some(touch)
}

/// Whether a band is taken out, by the menu of its handle or by a key.
fn goes(cx: &Cx<'_>, response: &Response, index: usize) -> bool {
    let has_keys = context::has_keys(response, EventFilter::default());
    let delete = |input: &mut egui::InputState| input.consume_key(Modifiers::NONE, Key::Delete);
    let by_key = has_keys && cx.ui.input_mut(delete);
    let menu = context::menu(response, response.rect).show(|ui| {
        let words = format!("Take out band {}", index + 1);
        context::entry(ui, egui::Button::new(words).shortcut_text("Del"))
    });
    by_key || menu.is_some_and(|shown| shown.inner)
}

/// The numbers of a band: frequency, gain and quality.
const NUMBERS: [Number; 3] = [
    Number { words: "Frequency", unit: " Hz", range: (10.0, 24_000.0), speed: 10.0 },
    Number { words: "Gain", unit: " dB", range: (-30.0, 30.0), speed: 0.1 },
    Number { words: "Q", unit: "", range: (0.1, 40.0), speed: 0.02 },
];

/// Shape, frequency, gain and quality of the band that was touched last.
fn band_row(
    ui: &mut Ui,
    view: &InsertsView,
    equalizer: &mut Equalizer,
    wrong: &mut Option<String>,
) -> Touch {
    let Some(band) = equalizer.bands.get_mut(view.band) else {
        ui.label("Double-click in the field to add a band.");
        return Touch::None;
    };
    let mut touch = Touch::None;
    ui.horizontal(|ui| {
        ui.label(format!("Band {}", view.band + 1));
        let title = SHAPES.iter().find(|(shape, _)| *shape == band.shape).map_or("", |it| it.1);
        egui::ComboBox::from_id_salt("shape").selected_text(title).show_ui(ui, |ui| {
            for (shape, title) in SHAPES {
                if ui.selectable_label(band.shape == shape, title).clicked() {
                    band.shape = shape;
                    touch = Touch::Done;
                }
            }
        });
        let values = [&mut band.frequency_hz, &mut band.gain.0, &mut band.q];
        for (it, value) in NUMBERS.iter().zip(values) {
            if it.unit.is_empty() {
                ui.label(it.words);
            }
            let response = value_field::field(ui, it, value, wrong);
            let (number, name) = (*value, format!("{} of band {}", it.words, view.band + 1));
            response.widget_info(|| WidgetInfo::slider(true, number, &name));
            touch = touch.max(touch_of(&response));
        }
    });
    touch
}
