//! The left of the sheet: target, limiter, format, range, tags and chapters.

use super::ask::Need;
use super::form::{Form, Format, Span, marks};
use super::sheet::plain;
use super::targets::{Target, targets};
use crate::kit::choice::{SegmentedChoice, radio, segmented, switch};
use crate::kit::controls::{State, tick};
use crate::kit::number::Number;
use crate::kit::scale::{num, signed};
use crate::kit::select::Select;
use crate::kit::{Cut, Cx, field};
use crate::live::Live;
use crate::model::Model;
use crate::theme::{Type, radius};
use deskhand_session::text::tenths;
use deskhand_session::{MarkerId, Session};
use egui::{Color32, Rect, ScrollArea, Ui, UiBuilder, vec2};

const ROW: f32 = 36.0;
/// Where controls begin, after their names.
const NAMED: f32 = 76.0;
/// More limiting than this is heard, in dB.
const HARD: f64 = 3.0;

pub(super) fn show(ui: &mut Ui, model: &mut Model, mut rect: Rect) {
    let Some(mirror) = &model.mirror else { return };
    let Some(form) = &mut model.export.form else { return };
    let (session, live) = (&mirror.snapshot.session, &model.live);
    target_rows(&Cx::new(ui), &targets(&model.tools), form, &mut rect);
    limiter(ui, form, rect.cut_top(40.0));
    line(&Cx::new(ui), rect.cut_top(8.0));
    format_row(&Cx::new(ui), form, rect.cut_top(ROW));
    range_rows(&Cx::new(ui), form, (session, live), &mut rect);
    line(&Cx::new(ui), rect.cut_top(8.0));
    tags(ui, form, &mut rect);
    chapters(ui, form, (session, live), rect);
}

fn line(cx: &Cx<'_>, rect: Rect) {
    cx.hline(rect.left(), rect.right(), rect.center().y, cx.t.line);
}

fn title(cx: &Cx<'_>, rect: Rect, words: &str) {
    let told = cx.left(rect.left_mid(0.0), words, Type::CAPTION_STRONG, cx.t.text_2);
    cx.label(told, ("title", words), words);
}

/// A row for each target and one for none, each with its verdict.
fn target_rows(cx: &Cx<'_>, all: &[Target], form: &mut Form, rect: &mut Rect) {
    title(cx, rect.cut_top(20.0), "Target");
    for target in all {
        let need =
            form.asking.known().and_then(|it| it.targets.iter().find(|it| it.target == target.key));
        let is_on = form.target.as_ref() == Some(&target.key);
        let verdict = need.map(|need| verdict(cx, need));
        if target_row(cx, rect.cut_top(ROW), (&target.name, &target.asks), is_on, verdict) {
            form.target = Some(target.key.clone());
            form.limit_dbtp = ceiling(&target.asks).unwrap_or(form.limit_dbtp);
        }
    }
    let level = form.asking.known().and_then(|it| it.now.integrated_lufs);
    let level = level.map(|level| (format!("{} LUFS", num(level as f32, 1)), cx.t.text_3));
    let words = ("None", "Levels stay as they are");
    if target_row(cx, rect.cut_top(ROW), words, form.target.is_none(), level) {
        form.target = None;
    }
}

/// The highest peak that a target asks for: the number after "peak".
fn ceiling(asks: &str) -> Option<f64> {
    let number = asks.split("peak ").nth(1)?.split(' ').next()?;
    number.replace('−', "-").parse().ok()
}

/// What the mix needs for a target, or what is in its way.
fn verdict(cx: &Cx<'_>, need: &Need) -> (String, Color32) {
    match need.failed.first() {
        _ if need.complies && need.limiting_db > HARD => {
            (format!("{} dB of limiting", num(need.limiting_db as f32, 1)), cx.t.warn)
        }
        _ if need.complies => ("Meets it".into(), cx.t.ok),
        Some(failed) => {
            let words = failed.split(", allowed").next().unwrap_or_default();
            (crate::kit::scale::minus(&crate::toasts::notices::sentence(words)), cx.t.warn)
        }
        None => ("Does not meet it".into(), cx.t.warn),
    }
}

/// Returns whether it was chosen.
fn target_row(
    cx: &Cx<'_>,
    rect: Rect,
    (name, asks): (&str, &str),
    is_on: bool,
    verdict: Option<(String, Color32)>,
) -> bool {
    let rect = rect.shrink2(vec2(0.0, 1.0));
    if is_on {
        cx.fill(rect, radius::CONTROL, cx.t.control);
        cx.border(rect, radius::CONTROL, cx.t.outline);
    }
    let clicked = radio(cx, rect, rect.left_mid(20.0), is_on, name).clicked();
    cx.left(rect.left_mid(36.0), name, Type::SMALL_STRONG, cx.t.text);
    let mut room = rect.right() - 12.0;
    if let Some((words, color)) = verdict {
        let told = cx.right(rect.right_mid(12.0), &words, Type::SMALL_STRONG, color);
        cx.label(told, ("verdict", name), format!("{name}: {words}"));
        room = told.left() - 12.0;
    }
    let at = rect.left_mid(120.0);
    cx.elided(at, asks, Type::CAPTION, cx.t.text_3, room - at.x);
    clicked
}

fn limiter(ui: &mut Ui, form: &mut Form, rect: Rect) {
    let cx = Cx::new(ui);
    let at = rect.row_box(rect.left(), vec2(28.0, 16.0));
    if switch(&cx, at, form.limits, "Limit true peaks").clicked() {
        form.limits = !form.limits;
    }
    cx.left(rect.left_mid(40.0), "Limit true peaks", Type::SMALL_STRONG, cx.t.text);
    if let Some(words) = limiting(form) {
        let at = rect.left_mid(256.0);
        let told = cx.elided(at, &words, Type::CAPTION, cx.t.text_3, rect.right() - at.x);
        cx.label(told, "gain", words);
    }
    drop(cx);
    if !form.limits {
        return;
    }
    let number = Number {
        name: "Highest true peak",
        unit: "dBTP",
        ends: (-12.0, 0.0),
        usual: -1.0,
        step: 0.1,
        decimals: 1,
        ..Number::default()
    };
    let place = rect.row_box(rect.left() + 148.0, vec2(92.0, 28.0));
    if let Some(turned) = number.field(ui, place, form.limit_dbtp) {
        form.limit_dbtp = turned.value;
    }
}

/// "Gain +3.2 dB, up to 2.3 dB of limiting".
fn limiting(form: &Form) -> Option<String> {
    let known = form.asking.known()?;
    let gain = known.predicted.as_ref()?.gain_db;
    let need = known.targets.iter().find(|it| Some(&it.target) == form.target.as_ref());
    let gain = format!("Gain {} dB", signed(gain as f32, 1));
    let limited = need.filter(|need| form.limits && need.limiting_db > 0.0);
    Some(match limited {
        Some(need) => format!("{gain}, up to {} dB of limiting", num(need.limiting_db as f32, 1)),
        None => gain,
    })
}

fn format_row(cx: &Cx<'_>, form: &mut Form, rect: Rect) {
    cx.left(rect.left_mid(0.0), "Format", Type::SMALL, cx.t.text_2);
    let place = rect.row_box(rect.left() + NAMED, vec2(248.0, 28.0));
    let all = Format::ALL.map(|format| plain(format.name()));
    let chosen = Format::ALL.iter().position(|format| *format == form.format);
    if let Some(taken) = segmented(cx, place, &all, chosen, "format") {
        form.set_format(Format::ALL[taken]);
    }
    let place = rect.row_box(rect.right() - 124.0, vec2(124.0, 28.0));
    let sizes = form.format.sizes();
    let shown = form.format.told(form.size);
    let name = if form.format.is_lossy() { "Bit rate" } else { "Bit depth" };
    let all: Vec<String> = sizes.iter().map(|size| form.format.told(*size)).collect();
    let chosen = sizes.iter().position(|size| *size == form.size);
    let taken = Select { name, shown: &shown }.show(cx, place, &all, chosen);
    if let Some(size) = taken.and_then(|taken| sizes.get(taken)) {
        form.size = *size;
    }
}

fn range_rows(cx: &Cx<'_>, form: &mut Form, (session, live): (&Session, &Live), rect: &mut Rect) {
    let row = rect.cut_top(ROW);
    cx.left(row.left_mid(0.0), "Range", Type::SMALL, cx.t.text_2);
    let place = row.row_box(row.left() + NAMED, vec2(276.0, 28.0));
    let all = Span::ALL
        .map(|span| SegmentedChoice { why_not: span.why_not(session, live), ..plain(span.name()) });
    let chosen = Span::ALL.iter().position(|span| *span == form.span);
    if let Some(taken) = segmented(cx, place, &all, chosen, "range") {
        form.span = Span::ALL[taken];
    }
    let range = form.range(session, live);
    let [from, to] = [range.start, range.end].map(|at| tenths(at.seconds(session.rate).0));
    let words = format!("{from} to {to}");
    let at = egui::pos2(place.right() + 12.0, row.center().y);
    cx.left(at, &words, Type::CAPTION, cx.t.text_3);
    if form.span == Span::Markers {
        between(cx, form, session, rect.cut_top(ROW));
    }
}

/// The two markers of a range.
fn between(cx: &Cx<'_>, form: &mut Form, session: &Session, rect: Rect) {
    let marks = marks(session);
    let named = |id: Option<MarkerId>| marks.iter().position(|(known, _)| Some(*known) == id);
    let width = (rect.width() - NAMED - 8.0) / 2.0;
    let list = |left: f32, name: &str, none: &str, chosen: Option<MarkerId>| {
        let names = marks.iter().map(|(_, marker)| marker.name.clone());
        let all: Vec<String> = std::iter::once(none.to_owned()).chain(names).collect();
        let index = named(chosen).map_or(0, |at| at + 1);
        let place = rect.row_box(left, vec2(width, 28.0));
        let taken = Select { name, shown: &all[index] }.show(cx, place, &all, Some(index))?;
        Some(taken.checked_sub(1).and_then(|at| marks.get(at)).map(|(id, _)| *id))
    };
    let left = rect.left() + NAMED;
    if let Some(from) = list(left, "From marker", "The start", form.between.0) {
        form.between.0 = from;
    }
    if let Some(to) = list(left + width + 8.0, "To marker", "The end", form.between.1) {
        form.between.1 = to;
    }
}

fn tags(ui: &mut Ui, form: &mut Form, rect: &mut Rect) {
    title(&Cx::new(ui), rect.cut_top(20.0), "Tags");
    let row = rect.cut_top(ROW);
    let width = (row.width() - 16.0) / 3.0;
    let tags = &mut form.tags;
    let all = [
        ("Title", &mut tags.title),
        ("Show or album", &mut tags.album),
        ("Artist", &mut tags.artist),
    ];
    for (n, (name, text)) in all.into_iter().enumerate() {
        let left = row.left() + (width + 8.0) * n as f32;
        field::line(ui, row.row_box(left, vec2(width, 28.0)), text, (name, name));
    }
}

/// The markers of the range, each with a tick.
// tidy: painting
fn chapters(ui: &mut Ui, form: &mut Form, (session, live): (&Session, &Live), mut rect: Rect) {
    let head = rect.cut_top(24.0);
    let marks = form.chapters(session, live);
    let cx = Cx::new(ui);
    title(&cx, head, "Chapters");
    let ticked = marks.iter().filter(|(id, _)| !form.left_out.contains(id)).count();
    let words = match marks.len() {
        0 => "No markers in this range".to_owned(),
        all => format!("{ticked} of your {all} markers"),
    };
    let told = cx.right(head.right_mid(0.0), &words, Type::CAPTION, cx.t.text_3);
    cx.label(told, "chapters", words);
    if marks.is_empty() {
        return;
    }
    let tall = (marks.len() as f32 * 24.0 + 8.0).min(rect.height());
    let well = rect.cut_top(tall);
    cx.fill(well, radius::CONTROL, cx.t.well);
    drop(cx);
    let place = UiBuilder::new().id_salt("chapters").max_rect(well.shrink2(vec2(12.0, 4.0)));
    ui.scope_builder(place, |ui| {
        ScrollArea::vertical().id_salt("markers").show(ui, |ui| {
            ui.spacing_mut().item_spacing = egui::Vec2::ZERO;
            for (id, marker) in marks {
                let size = vec2(ui.available_width(), 24.0);
                let (row, _) = ui.allocate_exact_size(size, egui::Sense::hover());
                let cx = Cx::new(ui);
                let is_on = !form.left_out.contains(&id);
                let at = tenths(marker.position.seconds(session.rate).0);
                let name = format!("Chapter at {at}: {}", marker.name);
                let mark = row.row_box(row.left(), vec2(16.0, 16.0));
                if tick(&cx, mark, is_on, State::Normal, &name).clicked()
                    && !form.left_out.remove(&id)
                {
                    form.left_out.insert(id);
                }
                cx.left(row.left_mid(24.0), &at, Type::CAPTION, cx.t.text_3);
                let color = if is_on { cx.t.text } else { cx.t.text_3 };
                let room = row.width() - 76.0;
                cx.elided(row.left_mid(76.0), &marker.name, Type::SMALL, color, room);
            }
        });
    });
}

#[cfg(test)]
mod tests {
    use super::ceiling;

    #[test]
    fn the_limiter_takes_the_highest_peak_of_a_target() {
        assert_eq!(ceiling("EBU R 128, −23 LUFS ±0.5, true peak −1 dBTP"), Some(-1.0));
        assert_eq!(
            ceiling("ACX, RMS −23 to −18 dBFS, peak −3 dBFS, noise floor −60 dBFS"),
            Some(-3.0)
        );
        assert_eq!(ceiling("whatever"), None);
    }
}
