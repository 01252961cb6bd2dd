//! The right of the sheet: what the file will measure, what it will be, and what still waits.

use super::ask::{Answer, Levels, Predicted};
use super::form::{Form, Format};
use crate::icons;
use crate::kit::controls::{Button, Kind, Urgency, announce};
use crate::kit::rail::Rail;
use crate::kit::scale::{minus, num};
use crate::kit::{Cut, Cx};
use crate::model::Model;
use crate::theme::{Type, radius};
use crate::toasts::notices::sentence;
use deskhand_session::Session;
use deskhand_session::text::tenths;
use egui::{Color32, Rect, ScrollArea, Ui, UiBuilder, pos2, vec2};

/// The moving block while it is measured, points and seconds of a round.
const BLOCK: f32 = 64.0;
const ROUND: f64 = 1.6;

pub(super) fn show(ui: &mut Ui, model: &mut Model, mut rect: Rect) {
    let Some(mirror) = &model.mirror else { return };
    let Some(form) = &model.export.form else { return };
    let cx = Cx::new(ui);
    let head = rect.cut_top(20.0);
    let words = if form.each_track { "Files" } else { "Predicted" };
    let told = cx.left(head.left_mid(0.0), words, Type::CAPTION_STRONG, cx.t.text_2);
    cx.label(told, "predicted", words);
    match &form.asking.answer {
        Answer::Waits | Answer::Asked | Answer::Runs(_) => measuring(&cx, rect.cut_top(132.0)),
        Answer::Failed(why) => failed(&cx, why, rect.cut_top(132.0)),
        Answer::Known(known) if form.each_track => {
            drop(cx);
            let tall = (rect.height() - 200.0).max(64.0);
            tracks(ui, known, rect.cut_top(tall));
        }
        Answer::Known(known) => predicted(&cx, known, rect.cut_top(132.0)),
    }
    let cx = Cx::new(ui);
    cx.hline(rect.left(), rect.right(), rect.top() + 4.0, cx.t.line);
    rect.cut_top(12.0);
    facts(&cx, form, (&mirror.snapshot.session, &model.live), &mut rect);
    if waits(&cx, model, rect) {
        model.export.is_open = false;
    }
}

fn measuring(cx: &Cx<'_>, rect: Rect) {
    let told = cx.left(rect.min + vec2(0.0, 24.0), "Measuring", Type::BODY, cx.t.text_2);
    cx.label(told, "measuring", "Measuring");
    let bar = Rect::from_min_size(rect.min + vec2(0.0, 44.0), vec2(rect.width(), 4.0));
    cx.fill(bar, 2.0, cx.t.well);
    let at = (cx.ui.input(|input| input.time) / ROUND).fract() as f32;
    let left = bar.left() + (bar.width() - BLOCK) * (0.5 - (at - 0.5).abs()) * 2.0;
    cx.fill(Rect::from_min_size(pos2(left, bar.top()), vec2(BLOCK, 4.0)), 2.0, cx.t.text_3);
    cx.ui.ctx().request_repaint_after(std::time::Duration::from_millis(33));
}

fn failed(cx: &Cx<'_>, why: &str, rect: Rect) {
    let why = minus(&sentence(why));
    let room = rect.width() - 48.0;
    let tall = (cx.para_height(&why, Type::SMALL, room) + 24.0).max(44.0);
    let place = Rect::from_min_size(rect.min + vec2(0.0, 8.0), vec2(rect.width(), tall));
    cx.fill(place, radius::CARD, cx.t.danger_soft);
    cx.icon_fill(place.min + vec2(20.0, 22.0), icons::WARNING_CIRCLE, 16.0, cx.t.danger);
    let told = cx.para(place.min + vec2(36.0, 12.0), &why, Type::SMALL, cx.t.text, room);
    announce(&cx.label(told, "failed", why), Urgency::Urgently);
}

/// Loudness, true peak and range, before and after.
fn predicted(cx: &Cx<'_>, known: &Predicted, mut rect: Rect) {
    let Some(file) = &known.predicted else { return };
    let now = &known.now;
    let rows = [
        ("Integrated", now.integrated_lufs, file.integrated_lufs, "LUFS", 0.1),
        ("True peak", now.true_peak_dbtp, file.true_peak_dbtp, "dBTP", 0.2),
        ("Range", now.range_lu, file.range_lu, "LU", 0.1),
    ];
    for (name, before, after, unit, tolerance) in rows {
        value(cx, rect.cut_top(44.0), (name, unit), (before, after), tolerance);
    }
}

fn value(
    cx: &Cx<'_>,
    mut rect: Rect,
    (name, unit): (&str, &str),
    (before, after): (Option<f64>, Option<f64>),
    tolerance: f32,
) {
    let head = rect.cut_top(24.0);
    cx.left(head.left_mid(0.0), name, Type::SMALL, cx.t.text_2);
    let (Some(before), Some(after)) = (before, after) else {
        cx.right(head.right_mid(0.0), "silence", Type::SMALL, cx.t.text_3);
        return;
    };
    let (before, after) = (before as f32, after as f32);
    let unit_at = cx.right(head.right_mid(0.0), unit, Type::SMALL, cx.t.text_3);
    let at = pos2(unit_at.left() - 6.0, head.center().y);
    let then = cx.right(at, &num(after, 1), Type::BODY_STRONG, cx.t.accent);
    let at = pos2(then.left() - 14.0, head.center().y);
    crate::kit::controls::arrow(cx, at, cx.t.text_3);
    let at = pos2(at.x - 14.0, head.center().y);
    cx.right(at, &num(before, 1), Type::SMALL, cx.t.text_2);
    let words = format!("{name}: {} to {} {unit}", num(before, 1), num(after, 1));
    cx.label(head, ("value", name), words);
    Rail::around(before, after, tolerance).show(cx, rect, cx.t.accent);
}

/// The file of each track with its level and verdict.
fn tracks(ui: &mut Ui, known: &Predicted, rect: Rect) {
    ui.scope_builder(UiBuilder::new().id_salt("tracks").max_rect(rect), |ui| {
        ScrollArea::vertical().id_salt("files").show(ui, |ui| {
            ui.spacing_mut().item_spacing = egui::Vec2::ZERO;
            for file in &known.files {
                let size = vec2(ui.available_width(), 28.0);
                let (row, _) = ui.allocate_exact_size(size, egui::Sense::hover());
                track(&Cx::new(ui), file, row);
            }
        });
    });
}

fn track(cx: &Cx<'_>, file: &Levels, row: Rect) {
    let (words, color) = verdict(cx, file);
    let told = cx.right(row.right_mid(0.0), &words, Type::SMALL_STRONG, color);
    let level =
        file.integrated_lufs.map_or("silence".into(), |it| format!("{} LUFS", num(it as f32, 1)));
    let told = cx.right(pos2(told.left() - 16.0, row.center().y), &level, Type::SMALL, cx.t.text_2);
    let room = told.left() - row.left() - 12.0;
    cx.elided(row.left_mid(0.0), &file.name, Type::SMALL_STRONG, cx.t.text, room);
    cx.label(row, ("track", &file.name), format!("{}: {level}, {words}", file.name));
    cx.hline(row.left(), row.right(), row.bottom() - 1.0, cx.t.line);
}

fn verdict(cx: &Cx<'_>, file: &Levels) -> (String, Color32) {
    match file.failed.first() {
        None => ("Ready".into(), cx.t.ok),
        Some(failed) => {
            let words = failed.split(", allowed").next().unwrap_or_default();
            (minus(&sentence(words)), cx.t.warn)
        }
    }
}

fn facts(
    cx: &Cx<'_>,
    form: &Form,
    (session, live): (&Session, &crate::live::Live),
    rect: &mut Rect,
) {
    let range = form.range(session, live);
    let seconds = (range.end - range.start).seconds(session.rate).0;
    let dither = match form.format {
        Format::Wav | Format::Flac => "At the last bit".to_owned(),
        lossy => format!("Not needed for {}", lossy.name()),
    };
    let sound = format!("{}, {}, stereo", form.format.name(), form.format.told(form.size));
    let rows = [
        ("Length", tenths(seconds)),
        ("Size", size(form, seconds, session.rate.0)),
        ("Sound", sound),
        ("Dither", dither),
    ];
    for (name, words) in rows {
        let row = rect.cut_top(24.0);
        cx.left(row.left_mid(0.0), name, Type::SMALL, cx.t.text_2);
        cx.right(row.right_mid(0.0), &words, Type::SMALL_STRONG, cx.t.text);
        cx.label(row, ("fact", name), format!("{name}: {words}"));
    }
}

/// The size of a file. How far FLAC packs shows only once it is written.
fn size(form: &Form, seconds: f64, rate: u32) -> String {
    let bytes = match form.format {
        Format::Wav | Format::Flac => seconds * f64::from(rate) * 2.0 * f64::from(form.size) / 8.0,
        Format::Mp3 | Format::Opus => seconds * f64::from(form.size) * 125.0,
    };
    let most = if form.format == Format::Flac { "at most " } else { "" };
    format!("{most}{:.1} MB", bytes / 1e6)
}

/// Says that a plan still waits. Returns whether the person goes there.
fn waits(cx: &Cx<'_>, model: &Model, rect: Rect) -> bool {
    let Some(card) = model.open_plan().filter(|card| !card.stored.plan.changes.is_empty()) else {
        return false;
    };
    let place = Rect::from_min_size(rect.min + vec2(0.0, 12.0), vec2(rect.width(), 88.0));
    if place.bottom() > rect.bottom() {
        return false;
    }
    cx.fill(place, radius::CARD, cx.t.warn_soft);
    cx.icon_fill(place.min + vec2(20.0, 20.0), icons::WARNING, 16.0, cx.t.warn);
    let number = card.number;
    let words = format!("Plan {number} still waits for you.");
    let told = cx.left(place.min + vec2(36.0, 20.0), &words, Type::SMALL_STRONG, cx.t.text);
    cx.label(told, "waits", format!("{words} The file is made without it."));
    let at = place.min + vec2(36.0, 40.0);
    cx.left(at, "The file is made without it.", Type::CAPTION, cx.t.text_2);
    let words = format!("Show plan {number}");
    let button = Button::new(Kind::Secondary, &words);
    let size = vec2(button.width(cx), 24.0);
    button.show(cx, Rect::from_min_size(place.min + vec2(36.0, 54.0), size)).clicked()
}
