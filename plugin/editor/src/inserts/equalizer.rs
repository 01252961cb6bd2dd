//! The page of an equalizer: its graph, a strip of its bands, and the numbers of the chosen one.

use super::graph::{self, Grid, has_gain};
use super::page_title::{page_title, toggle};
use super::place::{Place, Touch};
use super::planned::Planned;
use super::view::{InsertsView, Range, Spectra};
use crate::action::Actions;
use crate::icons;
use crate::kit::choice::{SegmentedChoice, segmented};
use crate::kit::controls::{hint, icon_button, row_tag, row_tag_width};
use crate::kit::number::{Law, Number, Turns};
use crate::kit::scale::{num, signed};
use crate::kit::select::Select;
use crate::kit::{Cut, Cx};
use crate::theme::{Theme, Type, radius};
use deskhand_dsp::Decibels;
use deskhand_dsp::effects::{Band, BandShape, Effect, Equalizer, MOST_BANDS};
use deskhand_session::{InsertId, Switch};
use egui::{Rect, Sense, Ui, pos2, vec2};

const SHAPES: [(BandShape, &str); 6] = [
    (BandShape::Bell, "Bell"),
    (BandShape::LowShelf, "Low shelf"),
    (BandShape::HighShelf, "High shelf"),
    (BandShape::LowCut, "Low cut"),
    (BandShape::HighCut, "High cut"),
    (BandShape::Notch, "Notch"),
];

/// The strip of bands, the least and the most width of one, and the row of numbers, points.
const STRIP: f32 = 44.0;
const BAND: (f32, f32) = (104.0, 152.0);
const NUMBERS: f32 = 72.0;

const HANDS: &str = "Double-click: new band. Wheel: Q. Shift: fine.";
const ALONE: &str =
    "Hears only the frequencies that this band works on. Alt while dragging does the same.";

const FREQUENCY: Number<'static> = Number {
    name: "Frequency",
    unit: "Hz",
    ends: (10.0, 24_000.0),
    usual: 1000.0,
    // A 24th of an octave.
    step: 270.0,
    decimals: 0,
    is_signed: false,
    law: Law::Log,
    turns: Turns::Hovered,
};
const GAIN: Number<'static> = Number {
    name: "Gain",
    unit: "dB",
    ends: (-30.0, 30.0),
    usual: 0.0,
    step: 0.5,
    decimals: 1,
    is_signed: true,
    law: Law::Linear,
    turns: Turns::Hovered,
};
const Q: Number<'static> = Number {
    name: "Q",
    unit: "",
    ends: (0.1, 40.0),
    usual: 1.0,
    step: 52.0,
    decimals: 2,
    is_signed: false,
    law: Law::Log,
    turns: Turns::Hovered,
};

fn title(shape: BandShape) -> &'static str {
    SHAPES.iter().find(|(it, _)| *it == shape).map_or("", |(_, title)| title)
}

pub(super) fn show(
    ui: &mut Ui,
    place: Place<'_>,
    view: &mut InsertsView,
    (id, mut equalizer): (InsertId, Equalizer),
    mut page: Rect,
    out: &mut Actions,
) {
    let Some(placed) = place.scene.session.inserts.get(&id) else { return };
    let cx = Cx::new(ui);
    let row = page_title(&cx, place, (id, placed), &mut page, out);
    choices(&cx, view, row);
    let numbers = page.cut_bottom(NUMBERS);
    let strip = page.cut_bottom(STRIP + 16.0).pad(4.0, 8.0);
    let works = placed.switch == Switch::On;
    let graph = page.pad(4.0, 0.0);
    let inner = cx.clip(graph);
    let grid = Grid { rect: graph, range: view.range.decibels() };
    let touched = graph::show(&inner, place, view, (id, &mut equalizer), &grid, works);
    let planned = Planned::of(place, id);
    if let Some(planned) = &planned {
        planned.paint(&inner, place, &grid, &equalizer);
    }
    let plan = planned.as_ref().map(|planned| planned.plan);
    graph::legend(&inner, place, view, id, (graph, plan));
    let held = (0..equalizer.bands.len()).find(|index| graph::is_solo(&inner, *index));
    drop((cx, inner));
    let added = bands(ui, view, (&mut equalizer, planned.as_ref()), strip);
    let typed = numbers_of(ui, place, view, &mut equalizer, numbers.pad(16.0, 0.0));
    let alone = held.or(view.is_alone.then_some(view.band));
    let solo = alone.and_then(|index| equalizer.bands.get(index)).map(graph::solo);
    let solo = solo.map(Effect::Equalizer);
    let effect = Effect::Equalizer(equalizer);
    match (touched.max(added).max(typed), solo) {
        (Touch::Done, _) => view.send(id, effect, place.scene, out),
        (Touch::Held, Some(solo)) => view.hold_alone(id, (effect, solo), out),
        (Touch::Held, None) => view.hold(id, effect, out),
        (Touch::Untouched, Some(solo)) => view.solo(id, &solo, out),
        (Touch::Untouched, None) => view.solo_no_more(id, &effect, out),
    }
}

/// Which spectra are shown, and how far the graph reaches.
fn choices(cx: &Cx<'_>, view: &mut InsertsView, mut row: Rect) {
    let rect = row.cut_right(92.0).row_box(row.right() + 4.0, vec2(88.0, 28.0));
    let words = Range::ALL.map(|range| format!("±{:.0} dB", range.decibels()));
    let chosen = Range::ALL.iter().position(|range| *range == view.range);
    let shown = chosen.and_then(|index| words.get(index)).map_or("", String::as_str);
    let select = Select { name: "Range of the graph", shown };
    if let Some(range) = select.show(cx, rect, &words, chosen).and_then(|it| Range::ALL.get(it)) {
        view.range = *range;
    }
    let all = [
        (Spectra::Off, "Off"),
        (Spectra::Before, "Before"),
        (Spectra::After, "After"),
        (Spectra::Both, "Both"),
    ];
    let rect = row.cut_right(236.0).row_box(row.right() + 4.0, vec2(224.0, 28.0));
    let items =
        all.map(|(_, label)| SegmentedChoice { label, key: "", is_planned: false, why_not: None });
    let chosen = all.iter().position(|(spectra, _)| *spectra == view.spectra);
    let clicked = segmented(cx, rect, &items, chosen, "spectrum");
    if let Some((spectra, _)) = clicked.and_then(|index| all.get(index)) {
        view.spectra = *spectra;
    }
    cx.right(row.right_mid(8.0), "Spectrum", Type::SMALL, cx.t.text_3);
}

/// A plate for each band, and a button for one more.
fn bands(
    ui: &mut Ui,
    view: &mut InsertsView,
    (equalizer, planned): (&mut Equalizer, Option<&Planned<'_>>),
    mut strip: Rect,
) -> Touch {
    let add = strip.cut_right(40.0).pad(4.0, 0.0);
    let count = equalizer.bands.len();
    let width = ((strip.width() + 8.0) / count.max(1) as f32 - 8.0).clamp(BAND.0, BAND.1);
    let content = egui::UiBuilder::new().max_rect(strip).id_salt("bands");
    let mut inner = ui.new_child(content);
    egui::ScrollArea::horizontal().show(&mut inner, |ui| {
        let size = vec2((width + 8.0) * count as f32, STRIP);
        let (all, _) = ui.allocate_exact_size(size, Sense::hover());
        let cx = Cx::new(ui);
        for (index, band) in equalizer.bands.iter().enumerate() {
            let left = all.left() + (width + 8.0) * index as f32;
            let rect = Rect::from_min_size(pos2(left, all.top()), vec2(width, STRIP));
            plate(&cx, view, (index, band), rect);
            if let Some(row) = planned.and_then(|planned| planned.row_of(index)) {
                let left = rect.right_top() + vec2(-6.0 - row_tag_width(&cx, row), 14.0);
                row_tag(&cx, left, row, true);
            }
        }
    });
    let cx = Cx::new(ui);
    let is_full = count >= MOST_BANDS;
    if !is_full && icon_button(&cx, add, icons::PLUS, "Add a band").clicked() {
        let (shape, gain) = (BandShape::Bell, Decibels(0.0));
        equalizer.bands.push(Band { shape, frequency_hz: 1000.0, gain, q: 1.0 });
        view.band = count;
        return Touch::Done;
    }
    Touch::Untouched
}

fn plate(cx: &Cx<'_>, view: &mut InsertsView, (index, band): (usize, &Band), rect: Rect) {
    let is_chosen = view.band == index;
    let response = cx.interact(rect, ("plate", index), Sense::click());
    let (shape, number) = (title(band.shape), index + 1);
    let name = format!("{number} {shape}");
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, is_chosen, &name));
    let fill = match (is_chosen, response.hovered()) {
        (true, _) => cx.t.hover,
        (false, true) => cx.t.control,
        (false, false) => cx.t.raised,
    };
    cx.fill(rect, radius::CONTROL, fill);
    if is_chosen {
        cx.fill(rect.with_min_y(rect.bottom() - 2.0), 1.0, cx.t.text);
    }
    let room = rect.width() - 16.0;
    let (hertz, unit) = FREQUENCY.words(band.frequency_hz);
    let frequency = format!("{hertz}\u{a0}{unit}");
    let said = match has_gain(band.shape) {
        true => format!("{frequency} · {}\u{a0}dB", signed(band.gain.0 as f32, 1)),
        false => format!("{frequency} · Q\u{a0}{}", num(band.q as f32, 2)),
    };
    let at = pos2(rect.left() + 8.0, rect.top() + 14.0);
    cx.elided(at, &name, Type::SMALL_STRONG, cx.t.text, room);
    let color = if is_chosen { cx.t.text_2 } else { cx.t.text_3 };
    cx.elided(at + vec2(0.0, 17.0), &said, Type::CAPTION, color, room);
    if response.has_focus() {
        cx.focus_ring(rect.shrink(2.0), radius::CONTROL);
    }
    if response.clicked() {
        view.band = index;
    }
}

/// Shape, frequency, gain and quality of the chosen band.
fn numbers_of(
    ui: &mut Ui,
    place: Place<'_>,
    view: &mut InsertsView,
    equalizer: &mut Equalizer,
    row: Rect,
) -> Touch {
    let theme = Theme::of(ui.visuals());
    let Some(band) = equalizer.bands.get_mut(view.band) else {
        view.is_alone = false;
        return Touch::Untouched;
    };
    let mut left = row.left();
    let mut next = |name: &str, width: f32| {
        let at = pos2(left, row.top() + 16.0);
        Cx::new(ui).left(at, name, Type::CAPTION, theme.text_3);
        let rect = Rect::from_min_size(pos2(left, row.top() + 28.0), vec2(width, 28.0));
        left += width + 12.0;
        rect
    };
    let shape = next(&format!("Band {}", view.band + 1), 112.0);
    let places = [(&FREQUENCY, 96.0), (&GAIN, 84.0), (&Q, 68.0)];
    let fields = places.map(|(number, width)| (number, next(number.name, width)));
    let solo = place.scene.live.has_transport().then(|| next("", 64.0));
    let remove = next("", 28.0);
    let mut touch = shape_of(&Cx::new(ui), band, shape);
    let hides_gain = !has_gain(band.shape);
    let values = [&mut band.frequency_hz, &mut band.gain.0, &mut band.q];
    for ((number, rect), value) in fields.into_iter().zip(values) {
        if hides_gain && number.name == GAIN.name {
            Cx::new(ui).left(rect.left_mid(0.0), "–", Type::SMALL, theme.text_3);
            continue;
        }
        // Another band has another field.
        let salted = ui.scope_builder(egui::UiBuilder::new().id_salt(view.band), |ui| {
            number.field(ui, rect, *value)
        });
        touch = touch.max(Touch::of(salted.inner, value));
    }
    let cx = Cx::new(ui);
    hands(&cx, row.with_min_x(remove.right() + 16.0));
    if buttons(&cx, view, (solo, remove)) {
        let index = view.band;
        graph::remove_band(view, equalizer, index);
        return Touch::Done;
    }
    touch
}

/// A button for hearing the chosen band alone, where it would be heard, and one that removes it. Returns whether it is
/// removed.
fn buttons(cx: &Cx<'_>, view: &mut InsertsView, (solo, remove): (Option<Rect>, Rect)) -> bool {
    if let Some(rect) = solo
        && hint(toggle(cx, rect, "Solo", view.is_alone), ALONE).clicked()
    {
        view.is_alone = !view.is_alone;
    }
    let name = format!("Remove band {}", view.band + 1);
    icon_button(cx, remove, icons::TRASH, &name).clicked()
}

/// What a hand does in the graph, where there is room for it.
fn hands(cx: &Cx<'_>, rect: Rect) {
    if rect.width() >= 100.0 {
        let at = rect.left_top() + vec2(0.0, 12.0);
        cx.lines(at, HANDS, Type::CAPTION, cx.t.text_3, (rect.width(), 3));
    }
}

fn shape_of(cx: &Cx<'_>, band: &mut Band, rect: Rect) -> Touch {
    let words = SHAPES.map(|(_, title)| title);
    let chosen = SHAPES.iter().position(|(shape, _)| *shape == band.shape);
    let select = Select { name: "Shape", shown: title(band.shape) };
    match select.show(cx, rect, &words, chosen).and_then(|index| SHAPES.get(index)) {
        Some((shape, _)) => {
            band.shape = *shape;
            Touch::Done
        }
        None => Touch::Untouched,
    }
}
