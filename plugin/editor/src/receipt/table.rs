//! The numbers of a receipt: predicted against measured. Those of the mix come first. If there are many, a
//! click opens the rest.

use super::peaks_over;
use crate::card::label;
use crate::card::view::Card;
use crate::kit::controls::hint;
use crate::kit::scale::{level, signed};
use crate::kit::{Cut, Cx};
use crate::theme::{Type, radius};
use deskhand_session::{Measured, ObjectId};
use egui::{Rect, ScrollArea, Sense, Ui, UiBuilder, pos2, vec2};

const ROW: f32 = 20.0;
/// The titles and the space below the rows.
const FRAME: f32 = 36.0;
/// Rows that are listed; the rest is counted until it is asked for.
pub(super) const LISTED: usize = 8;
/// Rows in view at once, where all are listed; the others are scrolled to.
const IN_VIEW: usize = 16;

/// The measurements after applying, then those of the next playback, each with its object; the mix comes
/// first. If there are more than fit, missed ones come next, then true peaks over full scale.
pub(super) fn rows_of(card: &Card) -> Vec<(String, &Measured)> {
    let Some(receipt) = &card.stored.receipt else { return Vec::new() };
    let what = |it: &Measured| format!("{}: {}", it.name, it.measure.title());
    let now = receipt.measured.iter().map(|it| (what(it), it));
    let played = receipt.played.iter().map(|played| {
        let it = &played.measured;
        (format!("{}, as it played next", what(it)), it)
    });
    let mut rows: Vec<_> = now.chain(played).collect();
    if rows.len() > LISTED {
        rows.sort_by_key(|(_, it)| (it.within, peaks_over(it).is_none()));
    }
    rows.sort_by_key(|(_, it)| !matches!(it.target, ObjectId::Session(_)));
    rows
}

/// How many rows are in view.
fn in_view(card: &Card, all: usize) -> usize {
    all.min(if card.view.folds.lists_measured { IN_VIEW } else { LISTED })
}

/// How much room it takes.
pub(super) fn height(card: &Card) -> f32 {
    match rows_of(card).len() {
        0 => 0.0,
        all => FRAME + ROW * (in_view(card, all) + usize::from(all > LISTED)) as f32,
    }
}

/// Draws it from the top of `rect`; whether the person wants all listed, or no more than are in short.
pub(super) fn show(ui: &mut Ui, card: &Card, rect: Rect) -> bool {
    let measured = rows_of(card);
    if measured.is_empty() {
        return false;
    }
    let mut rest = rect;
    titles(&Cx::new(ui), rest.cut_top(ROW));
    rest.cut_top(4.0);
    let view = rest.cut_top(ROW * in_view(card, measured.len()) as f32);
    if card.view.folds.lists_measured {
        scrolled(ui, card, &measured, view);
    } else {
        let (cx, mut view) = (Cx::new(ui), view);
        for (place, row) in measured.iter().take(LISTED).enumerate() {
            paint_row(&cx, view.cut_top(ROW), place, row);
        }
    }
    measured.len() > LISTED && more(ui, card, measured.len(), rest.cut_top(ROW))
}

fn columns(row: Rect) -> [f32; 3] {
    [row.right() - 152.0, row.right() - 84.0, row.right()]
}

fn titles(cx: &Cx<'_>, head: Rect) {
    for (x, title) in columns(head).into_iter().zip(["Predicted", "Measured", "Difference"]) {
        cx.right(pos2(x, head.center().y), title, Type::CAPTION, cx.t.text_3);
    }
    cx.hline(head.left(), head.right(), head.bottom(), cx.t.line);
}

fn scrolled(ui: &mut Ui, card: &Card, measured: &[(String, &Measured)], view: Rect) {
    let mut child = ui.new_child(UiBuilder::new().max_rect(view).id_salt(("all of", card.number)));
    child.set_clip_rect(view.intersect(ui.clip_rect()));
    child.spacing_mut().item_spacing.y = 0.0;
    let area = ScrollArea::vertical().auto_shrink(false).id_salt("measured");
    area.show_rows(&mut child, ROW, measured.len(), |ui, seen| {
        for place in seen {
            let size = vec2(ui.available_width(), ROW);
            let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
            if let Some(row) = measured.get(place) {
                paint_row(&Cx::new(ui), rect, place, row);
            }
        }
    });
}

/// The way to the rows that are not listed, and back; whether it was clicked.
fn more(ui: &Ui, card: &Card, all: usize, row: Rect) -> bool {
    let is_open = card.view.folds.lists_measured;
    let words = if is_open { "Show fewer".into() } else { format!("and {} more", all - LISTED) };
    let cx = Cx::new(ui);
    let name = format!("{words} measured of plan {}", card.number);
    let response = cx.toggle(row, ("more measured", card.number), is_open, &name);
    let color = if response.hovered() { cx.t.text } else { cx.t.text_3 };
    cx.left(row.left_mid(0.0), &words, Type::SMALL, color);
    cx.ring(&response, row, radius::CONTROL);
    response.clicked()
}

/// A prediction and its measurement; numbers align with the columns.
fn paint_row(cx: &Cx<'_>, row: Rect, place: usize, (words, it): &(String, &Measured)) {
    let (y, columns) = (row.center().y, columns(row));
    let room = row.width() - 200.0;
    let fitted = label::fitted(cx, words, Type::SMALL, room);
    cx.elided(row.left_mid(0.0), &fitted, Type::SMALL, cx.t.text_2, room);
    let unit = it.unit.as_str();
    let predicted = level(it.predicted as f32, unit);
    cx.right(pos2(columns[0], y), &predicted, Type::SMALL, cx.t.text_2);
    let value = it.measured.map_or("−∞".into(), |value| level(value as f32, unit));
    let color = if peaks_over(it).is_some() { cx.t.warn } else { cx.t.text };
    cx.right(pos2(columns[1], y), &value, Type::SMALL_STRONG, color);
    cx.left(pos2(columns[1] + 4.0, y), unit, Type::CAPTION, cx.t.text_3);
    let off = it.measured.map_or(f64::NEG_INFINITY, |value| value - it.predicted);
    let off = if off.is_finite() { signed(off as f32, 1) } else { "−∞".into() };
    let color = if it.within { cx.t.ok } else { cx.t.warn };
    cx.right(pos2(columns[2], y), &off, Type::SMALL, color);
    let value = it.measured.map_or_else(|| "silence".into(), |_| format!("{value} {unit}"));
    // Several may be called the same.
    let told = format!("{words}: predicted {predicted} {unit}, measured {value}, difference {off}");
    hint(cx.label(row, ("measured", place, words), &told), &told);
}
