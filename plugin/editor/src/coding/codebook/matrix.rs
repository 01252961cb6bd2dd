//! Which codes are used together, as a field of shades: the more often two are, the darker where they meet.

use crate::kit::controls::hint;
use crate::kit::cx::mix;
use crate::kit::{Cut, Cx};
use crate::theme::Type;
use deskhand_session::text::count;
use egui::{Rect, Role, ScrollArea, Sense, Ui, UiBuilder, WidgetInfo, pos2, vec2};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// How wide and high two codes meet, and the room for names at the left.
const CELL: f32 = 28.0;
const NAME: f32 = 180.0;
/// The most codes in a picture.
const MOST: usize = 40;
/// How dark the darkest is: words on it stay readable.
const DARKEST: f32 = 0.5;

/// How often codes go together.
pub(super) struct Matrix {
    /// Names of codes, in their order.
    names: Vec<String>,
    /// Of two places in `names`, the smaller first: how often both are there, and how many seconds.
    pairs: BTreeMap<(usize, usize), (u64, f64)>,
    most: u64,
}

impl Matrix {
    /// From the rows of a report; `None` if they do not have this data, or have too many codes.
    pub(super) fn new(rows: &[&Map<String, Value>]) -> Option<Self> {
        let text = |row: &Map<String, Value>, key: &str| Some(row.get(key)?.as_str()?.to_owned());
        let counted = rows.iter().filter_map(|row| {
            let names = [text(row, "code_a")?, text(row, "code_b")?];
            Some((names, row.get("count")?.as_u64()?, row.get("seconds")?.as_f64()?))
        });
        let counted: Vec<([String; 2], u64, f64)> = counted.collect();
        let all: BTreeSet<&String> = counted.iter().flat_map(|(names, ..)| names).collect();
        let names: Vec<String> = all.into_iter().cloned().collect();
        let place = |name: &String| names.binary_search(name).unwrap_or_default();
        let mut pairs: BTreeMap<(usize, usize), (u64, f64)> = BTreeMap::new();
        for ([a, b], times, seconds) in &counted {
            let (a, b) = (place(a), place(b));
            // Of several coders.
            let pair = pairs.entry((a.min(b), a.max(b))).or_default();
            *pair = (pair.0 + times, pair.1 + seconds);
        }
        let most = pairs.values().map(|(times, _)| *times).max()?;
        (names.len() <= MOST).then_some(Self { names, pairs, most })
    }

    /// Draws it in `rect`: each code is a row, and under its number a column.
    pub(super) fn show(&self, ui: &mut Ui, rect: Rect) {
        let mut child = ui.new_child(UiBuilder::new().max_rect(rect).id_salt("matrix"));
        ScrollArea::both().id_salt("matrix").auto_shrink(false).show(&mut child, |ui| {
            let count = self.names.len() as f32;
            let size = vec2(NAME + CELL * count, CELL * (count + 1.0));
            let (all, _) = ui.allocate_exact_size(size, Sense::hover());
            let cx = Cx::new(ui);
            for (index, name) in self.names.iter().enumerate() {
                let number = (index + 1).to_string();
                let at = cell(all, index, 0).center() - vec2(0.0, CELL);
                cx.center(at, &number, Type::CAPTION, cx.t.text_3);
                let row = Rect::from_min_size(
                    pos2(all.left(), cell(all, 0, index).top()),
                    vec2(NAME, CELL),
                );
                cx.left(row.left_mid(0.0), &number, Type::CAPTION, cx.t.text_3);
                cx.elided(row.left_mid(20.0), name, Type::SMALL, cx.t.text, NAME - 28.0);
            }
            for (&(a, b), &(times, seconds)) in &self.pairs {
                self.pair(&cx, all, (a, b), (times, seconds));
            }
        });
    }

    /// Where two codes meet, on both sides of the diagonal; a screen reader has it once.
    fn pair(&self, cx: &Cx<'_>, all: Rect, (a, b): (usize, usize), (times, seconds): (u64, f64)) {
        let names = [a, b].map(|place| self.names.get(place).map_or("", String::as_str));
        let many = count(usize::try_from(times).unwrap_or(usize::MAX), "time");
        let words = format!("{} and {}: {many}, {seconds:.1}\u{a0}s", names[0], names[1]);
        let part = times as f32 / self.most.max(1) as f32;
        let shade = mix(cx.t.raised, cx.t.text_3, 0.08 + (DARKEST - 0.08) * part);
        for (column, row) in [(a, b), (b, a)] {
            let cell = cell(all, column, row).shrink(1.0);
            cx.fill(cell, 2.0, shade);
            cx.center(cell.center(), &times.to_string(), Type::CAPTION, cx.t.text);
            let node = cx.interact(cell, ("pair", column, row), Sense::hover());
            if column < row {
                node.widget_info(|| WidgetInfo::labeled(Role::Label, true, &words));
            }
            hint(node, &words);
        }
    }
}

/// The cell of a column and a row, below the numbers of the columns.
fn cell(all: Rect, column: usize, row: usize) -> Rect {
    let at = vec2(NAME + CELL * column as f32, CELL * (row as f32 + 1.0));
    Rect::from_min_size(all.min + at, vec2(CELL, CELL))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn pairs_are_counted_over_all_coders_whatever_their_order() {
        let pair = |a: &str, b: &str, count: u32| json!({"code_a": a, "code_b": b, "coder": "x", "count": count, "seconds": 1.5});
        let rows = [pair("Light", "Sea", 2), pair("Sea", "Light", 1), pair("Boat", "Sea", 1)];
        let rows: Vec<&Map<String, Value>> = rows.iter().filter_map(Value::as_object).collect();
        let matrix = Matrix::new(&rows).unwrap();
        assert_eq!(matrix.names, ["Boat", "Light", "Sea"]);
        assert_eq!(matrix.pairs[&(1, 2)], (3, 3.0));
        assert_eq!((matrix.pairs.len(), matrix.most), (2, 3));
    }

    #[test]
    fn what_does_not_pair_codes_is_no_picture() {
        let row = json!({"code": "Light", "codings": 1});
        let overlap = json!({"code_a": "Light", "code_b": "Sea", "seconds": 1.0, "text": "so"});
        for row in [row, overlap] {
            assert!(Matrix::new(&[row.as_object().unwrap()]).is_none());
        }
        assert!(Matrix::new(&[]).is_none());
    }
}
