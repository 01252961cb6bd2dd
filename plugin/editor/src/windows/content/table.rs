//! A table: columns as wide as what stands in them, cut where that is too much, scrolled sideways where they are too many.

use crate::kit::{Cut, Cx};
use crate::resources::Table;
use crate::theme::{Theme, Type};
use egui::{Color32, Rect, ScrollArea, Sense, Ui, pos2, vec2};
use std::ops::RangeInclusive;

const ROW: f32 = super::ROW;
/// Between two columns.
const GAP: f32 = 12.0;
/// How wide the first column is, and the others.
const FIRST: RangeInclusive<f32> = 80.0..=280.0;
const OTHERS: RangeInclusive<f32> = 40.0..=200.0;

/// As wide as the longest words of each column, within limits.
pub(crate) fn widths(cx: &Cx<'_>, table: &Table) -> Vec<f32> {
    let column = |index: usize| {
        let rows = table.rows.iter().filter_map(|row| row.get(index));
        let longest = rows.max_by_key(|cell| cell.chars().count());
        let cell = longest.map_or(0.0, |cell| cx.width(cell, Type::SMALL));
        let head = table.columns.get(index).map_or(0.0, |head| cx.width(head, Type::CAPTION));
        let limits = if index == 0 { FIRST } else { OTHERS };
        (cell.max(head) + GAP).clamp(*limits.start(), *limits.end())
    };
    let rows = table.rows.iter().map(Vec::len).max().unwrap_or(0);
    (0..rows.max(table.columns.len())).map(column).collect()
}

pub(crate) fn show(ui: &mut Ui, theme: &Theme, table: &Table, widths: &[f32]) {
    let needed: f32 = widths.iter().sum();
    let width = needed.max(ui.available_width());
    let mut widths = widths.to_vec();
    // The first takes what is left.
    widths.iter_mut().take(1).for_each(|first| *first += width - needed);
    let sideways = ScrollArea::horizontal().id_salt("columns").auto_shrink(false);
    sideways.show(ui, |ui| {
        let (head, _) = ui.allocate_exact_size(vec2(width, ROW), Sense::hover());
        cells(&Cx::new(ui, theme), head, &table.columns, &widths, Type::CAPTION, theme.text_3);
        let rows = ScrollArea::vertical().id_salt("rows").auto_shrink(false);
        rows.show_rows(ui, ROW, table.rows.len(), |ui, range| {
            for row in range.filter_map(|index| table.rows.get(index)) {
                self::row(ui, theme, row, &widths, width);
            }
        });
    });
}

fn row(ui: &mut Ui, theme: &Theme, row: &[String], widths: &[f32], width: f32) {
    let (rect, response) = ui.allocate_exact_size(vec2(width, ROW), Sense::hover());
    let words = row.join(", ");
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &words));
    let cx = Cx::new(ui, theme);
    if response.hovered() {
        cx.fill(rect, 3.0, theme.control);
    }
    cx.hline(rect.left(), rect.right(), rect.top(), theme.line);
    let is_cut = cells(&cx, rect, row, widths, Type::SMALL, theme.text);
    drop(cx);
    if is_cut {
        response.on_hover_text(words);
    }
}

/// Draws the cells of a row, the first at the left of its column, the others at the right; whether any is cut.
fn cells(
    cx: &Cx<'_>,
    rect: Rect,
    cells: &[String],
    widths: &[f32],
    ty: Type,
    color: Color32,
) -> bool {
    let mut x = rect.left();
    let mut is_cut = false;
    for (index, (text, width)) in cells.iter().zip(widths).enumerate() {
        let room = width - GAP;
        let needed = cx.width(text, ty);
        is_cut |= needed > room;
        let left = if index == 0 { x } else { x + width - needed.min(room) };
        cx.elided(pos2(left, rect.left_mid(0.0).y), text, ty, color, room);
        x += width;
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
        let columns = ["Section", "Speaker", "LUFS"].map(str::to_owned).to_vec();
        let table = Table { columns, rows: vec![row] };
        let mut known = Vec::new();
        let mut output = ctx.run_ui(egui::RawInput::default(), |ui| {
            known = widths(&Cx::new(ui, &Theme::DARK), &table);
        });
        output.textures_delta.clear();
        assert_eq!(known[..2], [280.0, 200.0]);
        assert!((40.0..80.0).contains(&known[2]), "{known:?}");
    }
}
