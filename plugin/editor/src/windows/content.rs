//! The content of a window: words, tables, lists, timed words, pictures, spectrograms, waveforms.

mod source_playhead;
pub(crate) mod table;
mod times;

use crate::action::{Action, Actions, Gesture, call};
use crate::kit::cx::mix;
use crate::kit::{Cut, Cx, rows, wave};
use crate::model::Model;
use crate::resources::{Listed, Resource, Spectrogram, SpokenLine};
use crate::theme::{Theme, Type};
use crate::waves::Waves;
use crate::windows::view::Shown;
use deskhand_dsp::Frames;
use deskhand_protocol::desk::{Play, Window};
use deskhand_session::SourceId;
use deskhand_session::text::{clock, clock_of};
use egui::{Color32, ColorImage, Rect, ScrollArea, Sense, TextureHandle, Ui, pos2, vec2};
use std::sync::Arc;

/// A window, and what is drawn in it.
pub(super) struct Subject<'a> {
    pub(super) model: &'a Model,
    pub(super) waves: &'a dyn Waves,
    pub(super) window: &'a Window,
    pub(super) resource: Resource,
}

pub(super) fn show(ui: &mut Ui, subject: &Subject<'_>, shown: &mut Shown, out: &mut Actions) {
    let Subject { model, window, .. } = *subject;
    match &subject.resource {
        Resource::Waiting => say(ui, "Reading…"),
        Resource::Failed(why) => say(ui, why),
        Resource::Text(text) => words(ui, text),
        Resource::Table(it) => {
            let place = Arc::as_ptr(it) as usize;
            let known = shown.columns.take().filter(|(known, _)| *known == place);
            let columns = known.unwrap_or_else(|| (place, table::columns(&Cx::new(ui), it)));
            table::show(ui, it, &columns.1);
            shown.columns = Some(columns);
        }
        Resource::Listing(it) => listing(ui, it, out),
        Resource::Transcript(it) => transcript(ui, model, it, out),
        Resource::Picture(image) => {
            let place = Arc::as_ptr(image) as usize;
            let name = &window.window_id;
            let texture = texture(ui, shown, place, name, || (**image).clone());
            let rect = ui.available_rect_before_wrap();
            let size = texture.size_vec2();
            let factor = (rect.width() / size.x).min(rect.height() / size.y);
            let rect = Rect::from_center_size(rect.center(), size * factor);
            paint(ui, &texture, rect);
            node(ui, rect, &format!("Picture: {}", window.title));
        }
        Resource::Spectrogram(it) => {
            let place = Arc::as_ptr(it) as usize;
            let texture = texture(ui, shown, place, &window.window_id, || heat(it));
            spectrogram(ui, it, &texture, source_playhead::playhead(model, window));
        }
        Resource::Waveform { source, start, length } => {
            waveform(ui, subject, (*source, *start, *length));
        }
    }
}

fn say(ui: &mut Ui, text: &str) {
    let rect = ui.available_rect_before_wrap();
    let response = ui.allocate_rect(rect, Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, text));
    Cx::new(ui).para(rect.min, text, Type::SMALL, Theme::of(ui.visuals()).text_2, rect.width());
}

fn words(ui: &mut Ui, text: &str) {
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        let theme = Theme::of(ui.visuals());
        rows::para(ui, text, (Type::BODY, theme.text));
    });
}

fn listing(ui: &mut Ui, listed: &[Listed], out: &mut Actions) {
    ScrollArea::vertical().auto_shrink(false).show_rows(
        ui,
        table::ROW,
        listed.len(),
        |ui, range| {
            for it in range.filter_map(|index| listed.get(index)) {
                let sense = if it.handle.is_some() { Sense::click() } else { Sense::hover() };
                let (rect, response) =
                    ui.allocate_exact_size(vec2(ui.available_width(), table::ROW), sense);
                let role = if it.handle.is_some() { egui::Role::Button } else { egui::Role::Label };
                response.widget_info(|| egui::WidgetInfo::labeled(role, true, &it.name));
                let cx = Cx::new(ui);
                if response.hovered() {
                    cx.fill(rect, 3.0, cx.t.control);
                }
                let room = rect.width() * 0.6;
                cx.elided(rect.left_mid(4.0), &it.name, Type::SMALL, cx.t.text, room);
                cx.right(rect.right_mid(4.0), &it.detail, Type::CAPTION, cx.t.text_3);
                if let Some(handle) = it.handle.as_ref().filter(|_| response.clicked()) {
                    let params = serde_json::json!({"handle": handle});
                    out.push(call(Gesture::OpenWindow, params));
                }
            }
        },
    );
}

fn transcript(ui: &mut Ui, model: &Model, lines: &[SpokenLine], out: &mut Actions) {
    let Some(rate) = model.session().map(|session| session.rate) else { return };
    let now = lines.partition_point(|line| line.at <= model.live.position).checked_sub(1);
    let is_hosted = model.live.is_hosted();
    ScrollArea::vertical().auto_shrink(false).show_rows(ui, 24.0, lines.len(), |ui, range| {
        for index in range {
            let Some(line) = lines.get(index) else { continue };
            let size = vec2(ui.available_width(), 24.0);
            // Nobody here moves a host.
            let (sense, role, name) = if is_hosted {
                (Sense::hover(), egui::Role::Label, line.text.clone())
            } else {
                (Sense::click(), egui::Role::Button, format!("Go to: {}", line.text))
            };
            let (rect, response) = ui.allocate_exact_size(size, sense);
            response.widget_info(|| egui::WidgetInfo::labeled(role, true, &name));
            let cx = Cx::new(ui);
            if now == Some(index) || (response.hovered() && !is_hosted) {
                cx.fill(rect, 3.0, cx.t.control);
            }
            let time = clock(line.at, rate);
            let time = time.get(..time.len().saturating_sub(2)).unwrap_or_default();
            cx.left(rect.left_mid(4.0), time, Type::SMALL, cx.t.text_3);
            let text = if line.speaker.is_empty() {
                line.text.clone()
            } else {
                format!("{}: {}", line.speaker, line.text)
            };
            cx.elided(rect.left_mid(56.0), &text, Type::BODY, cx.t.text, rect.width() - 60.0);
            if response.clicked() {
                out.push(Action::Play(Play::Seek { at: line.at }));
            }
        }
    });
}

fn texture(
    ui: &Ui,
    shown: &mut Shown,
    place: usize,
    name: &str,
    image: impl FnOnce() -> ColorImage,
) -> TextureHandle {
    if let Some((known, texture)) = &shown.texture
        && *known == place
    {
        return texture.clone();
    }
    let texture = ui.ctx().load_texture(name, image(), egui::TextureOptions::LINEAR);
    shown.texture = Some((place, texture.clone()));
    texture
}

fn paint(ui: &Ui, texture: &TextureHandle, rect: Rect) {
    let uv = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
    ui.painter().image(texture.id(), rect, uv, Color32::WHITE);
}

/// A label for a drawing, for screen readers.
fn node(ui: &Ui, rect: Rect, words: &str) {
    let response = ui.interact(rect, ui.scope_id().with("drawn"), Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, words));
}

/// Black to slate to sand to white: the same in both themes, and clear of the accent.
fn heat_color(level: u8) -> Color32 {
    const STOPS: [Color32; 5] = [
        Color32::from_rgb(10, 11, 13),
        Color32::from_rgb(46, 52, 78),
        Color32::from_rgb(150, 92, 104),
        Color32::from_rgb(232, 176, 110),
        Color32::from_rgb(255, 246, 222),
    ];
    let at = f32::from(level) / 255.0 * (STOPS.len() - 1) as f32;
    let index = (at as usize).min(STOPS.len() - 2);
    mix(STOPS[index], STOPS[index + 1], at - index as f32)
}

fn heat(it: &Spectrogram) -> ColorImage {
    let mut image = ColorImage::filled([it.columns.max(1), it.rows.max(1)], heat_color(0));
    for (index, level) in it.levels.iter().enumerate().take(it.columns * it.rows) {
        let (column, row) = (index / it.rows, index % it.rows);
        image[(column, it.rows - 1 - row)] = heat_color(*level);
    }
    image
}

/// The rectangle of a picture, and that of the times below it.
fn above_times(ui: &Ui) -> (Rect, Rect) {
    let mut picture = ui.available_rect_before_wrap();
    let times = picture.cut_bottom(16.0);
    (picture, times)
}

fn spectrogram(ui: &Ui, it: &Spectrogram, texture: &TextureHandle, playhead: Option<f64>) {
    let (mut rest, mut times) = above_times(ui);
    let axis = rest.cut_left(32.0);
    paint(ui, texture, rest);
    let (from, to) = it.seconds;
    node(ui, rest, &format!("Spectrogram from {} to {}", clock_of(from), clock_of(to)));
    let cx = Cx::new(ui);
    for (hertz, place) in &it.marks {
        let label = if *hertz >= 1000.0 {
            format!("{:.0}k", hertz / 1000.0)
        } else {
            format!("{hertz:.0}")
        };
        let y = rest.bottom() - rest.height() * place;
        cx.right(pos2(axis.right() - 6.0, y), &label, Type::TICK, cx.t.text_3);
    }
    times.min.x = rest.left();
    times::show(&cx, times, it.seconds);
    // The picture is as dark in both themes.
    times::playhead(&cx, rest, it.seconds, playhead, Theme::DARK.playhead);
}

fn waveform(ui: &Ui, subject: &Subject<'_>, (source, start, length): (SourceId, Frames, Frames)) {
    let Subject { model, waves, window, .. } = *subject;
    let (rect, times) = above_times(ui);
    let cx = Cx::new(ui);
    cx.fill(rect, 2.0, cx.t.well);
    let hue = cx.t.hues[source_playhead::hue(model.session(), window)];
    let count = rect.width().floor().max(2.0) as usize;
    let per_column = length.0.max(1) as f64 / count as f64;
    match waves.columns(source, start, per_column, count) {
        Some(columns) => {
            let peak = mix(hue.soft, hue.strong, 0.48);
            wave::paint(&cx.clip(rect), rect.pad(0.0, 4.0), &columns, 1.0, peak, hue.strong);
        }
        None => cx.hline(rect.left(), rect.right(), rect.center().y, cx.t.text_3),
    }
    let Some(session) = model.session() else { return };
    let span = [start, start + length].map(|at| at.seconds(session.rate).0);
    let [from, to] = span.map(clock_of);
    let name = session.name_of(source.into());
    node(ui, rect, &format!("Waveform of {name} from {from} to {to}"));
    let span = (span[0], span[1]);
    times::show(&cx, times, span);
    times::playhead(&cx, rect, span, source_playhead::playhead(model, window), cx.t.playhead);
}
