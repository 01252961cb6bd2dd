//! A table. Columns are as wide as their content, up to a limit. If there are too many, the table scrolls
//! sideways.

use crate::kit::scale::minus;
use crate::kit::{Cut, Cx};
use crate::resources::Table;
use crate::theme::{Theme, Type};
use egui::{Color32, Rect, ScrollArea, Sense, Ui, pos2, vec2};
use std::ops::RangeInclusive;

pub(super) const ROW: f32 = 28.0;
/// Between two columns.
const GAP: f32 = 12.0;
/// How wide the first column is, and the others.
const FIRST: RangeInclusive<f32> = 80.0..=280.0;
const OTHERS: RangeInclusive<f32> = 40.0..=200.0;
/// The narrowest that a column of words is made, so that all columns are in view.
const NARROWEST: f32 = 80.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Column {
    width: f32,
    /// As wide as its longest words are.
    wanted: f32,
    /// Numbers end at its right, words begin at its left.
    is_words: bool,
}

/// As wide as the longest words of each column, within limits.
pub(crate) fn columns(cx: &Cx<'_>, table: &Table) -> Vec<Column> {
    let column = |index: usize| {
        let cells = || table.rows.iter().filter_map(move |row| row.get(index));
        let longest = cells().max_by_key(|cell| cell.chars().count());
        let cell = longest.map_or(0.0, |cell| cx.width(cell, Type::SMALL));
        let head = table.columns.get(index).map_or(0.0, |head| cx.width(head, Type::CAPTION));
        let limits = if index == 0 { FIRST } else { OTHERS };
        let wanted = cell.max(head) + GAP;
        let width = wanted.clamp(*limits.start(), *limits.end());
        let is_words = index == 0 || cells().any(|cell| !is_number(cell));
        Column { width, wanted, is_words }
    };
    let rows = table.rows.iter().map(Vec::len).max().unwrap_or(0);
    (0..rows.max(table.columns.len())).map(column).collect()
}

/// Whether a cell is a number, a time or nothing, with a unit at most.
fn is_number(cell: &str) -> bool {
    let bare = cell.trim_start_matches(['−', '-', '+', '≈', '∞']);
    let begins = bare.is_empty() || bare.starts_with(|c: char| c.is_ascii_digit());
    let digits = bare.split_whitespace().next().unwrap_or_default();
    let is_bare = digits.chars().all(|c| c.is_ascii_digit() || ".,:%".contains(c));
    begins && is_bare && cell.split_whitespace().count() <= 2
}

/// The columns within a width. If they need more, columns of words get narrower. If there is room left, the
/// column that needs it most gets it.
fn fitted(columns: &[Column], room: f32) -> Vec<Column> {
    let mut columns = columns.to_vec();
    let needed: f32 = columns.iter().map(|column| column.width).sum();
    let spare = |column: &Column| match column.is_words {
        true => (column.width - NARROWEST).max(0.0),
        false => 0.0,
    };
    let all: f32 = columns.iter().map(spare).sum();
    if needed > room && all > 0.0 {
        let part = ((needed - room) / all).min(1.0);
        for column in &mut columns {
            column.width -= spare(column) * part;
        }
    } else if needed < room {
        let words = columns.iter_mut().filter(|column| column.is_words);
        if let Some(widest) = words.max_by(|a, b| a.wanted.total_cmp(&b.wanted)) {
            widest.width += room - needed;
        }
    }
    columns
}

pub(crate) fn show(ui: &mut Ui, table: &Table, columns: &[Column]) {
    let theme = Theme::of(ui.visuals());
    let columns = fitted(columns, ui.available_width());
    let width: f32 = columns.iter().map(|column| column.width).sum();
    let sideways = ScrollArea::horizontal().id_salt("columns").auto_shrink(false);
    sideways.show(ui, |ui| {
        let (head, response) = ui.allocate_exact_size(vec2(width, ROW), Sense::hover());
        let (names, ty) = (&table.columns, Type::CAPTION);
        let is_cut = cells(&Cx::new(ui), head, names, &columns, ty, theme.text_3);
        if is_cut {
            response.on_hover_text(names.join(", "));
        }
        let rows = ScrollArea::vertical().id_salt("rows").auto_shrink(false);
        rows.show_rows(ui, ROW, table.rows.len(), |ui, range| {
            for row in range.filter_map(|index| table.rows.get(index)) {
                self::row(ui, row, &columns, width);
            }
        });
    });
}

fn row(ui: &mut Ui, row: &[String], columns: &[Column], width: f32) {
    let (rect, response) = ui.allocate_exact_size(vec2(width, ROW), Sense::hover());
    let words = row.join(", ");
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &words));
    let cx = Cx::new(ui);
    if response.hovered() {
        cx.fill(rect, 3.0, cx.t.control);
    }
    cx.hline(rect.left(), rect.right(), rect.top(), cx.t.line);
    let is_cut = cells(&cx, rect, row, columns, Type::SMALL, cx.t.text);
    drop(cx);
    if is_cut {
        response.on_hover_text(words);
    }
}

/// Draws the cells of a row, words at the left of their columns, numbers at the right; whether any is cut.
fn cells(
    cx: &Cx<'_>,
    rect: Rect,
    cells: &[String],
    columns: &[Column],
    ty: Type,
    color: Color32,
) -> bool {
    let mut x = rect.left();
    let mut is_cut = false;
    for (text, column) in cells.iter().zip(columns) {
        let (text, room) = (&minus(text), column.width - GAP);
        let needed = cx.width(text, ty);
        is_cut |= needed > room;
        let left = if column.is_words { x } else { x + room - needed.min(room) };
        cx.elided(pos2(left, rect.left_mid(0.0).y), text, ty, color, room);
        x += column.width;
    }
    is_cut
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stand_beside_each_other_whatever_is_in_them() {
        let ctx = egui::Context::default();
        crate::install(&ctx);
        let long = "a name that is much longer than the room of a column can ever be".to_owned();
        let row = vec![long.clone(), long, "−18.9".to_owned()];
        let heads = ["Section", "Speaker", "LUFS"].map(str::to_owned).to_vec();
        let table = Table { columns: heads, rows: vec![row] };
        let mut known = Vec::new();
        let mut output = ctx.run_ui(egui::RawInput::default(), |ui| {
            known = columns(&Cx::new(ui), &table);
        });
        output.textures_delta.clear();
        let widths: Vec<f32> = known.iter().map(|column| column.width).collect();
        assert_eq!(widths[..2], [280.0, 200.0]);
        assert!((40.0..80.0).contains(&widths[2]), "{widths:?}");
        let words: Vec<bool> = known.iter().map(|column| column.is_words).collect();
        assert_eq!(words, [true, true, false]);
    }

    #[test]
    fn a_column_of_numbers_times_and_shares_is_told_from_one_of_words() {
        for cell in ["", "12", "−0.75", "0:08.5", "88\u{a0}%", "4.6 s", "−∞"] {
            assert!(is_number(cell), "{cell}");
        }
        for cell in ["vo", "this session", "1892 was a fire", "take3", "3rd take"] {
            assert!(!is_number(cell), "{cell}");
        }
    }

    #[test]
    fn words_make_room_so_that_no_column_is_cut_and_take_what_is_left() {
        let column = |width: f32, wanted: f32, is_words| Column { width, wanted, is_words };
        let all = [column(80.0, 60.0, true), column(200.0, 300.0, true), column(60.0, 60.0, false)];
        let widths =
            |room: f32| fitted(&all, room).iter().map(|column| column.width).collect::<Vec<f32>>();
        assert_eq!(widths(300.0), [80.0, 160.0, 60.0]);
        assert_eq!(widths(440.0), [80.0, 300.0, 60.0], "what is cut has it");
        assert_eq!(widths(100.0), [80.0, 80.0, 60.0], "the rest is scrolled to");
    }
}
