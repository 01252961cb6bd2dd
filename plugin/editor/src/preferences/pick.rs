//! A row with a list to choose from.

use crate::kit::select::Select;
use crate::kit::{Cx, rows};
use egui::Ui;

/// The width of a list, points.
pub(super) const FIELD: f32 = 260.0;

/// A row with a list. Returns the entry that was chosen, if it is another than before.
pub(super) fn list<W: AsRef<str>>(
    ui: &mut Ui,
    (name, note): (&str, &str),
    shown: &str,
    (all, now): (&[W], Option<usize>),
) -> Option<usize> {
    let wide = FIELD.min(ui.available_width() * 0.6);
    let rect = rows::setting(ui, name, note, wide);
    Select { name, shown }.show(&Cx::new(ui), rect, all, now)
}

/// One choice of many, or the default of the system. Returns whether it was chosen.
pub(super) fn choice<T: Clone + PartialEq>(
    ui: &mut Ui,
    (name, none): (&str, &str),
    (chosen, all): (&mut Option<T>, &[T]),
    words: impl Fn(&T) -> String,
) -> bool {
    let shown = chosen.as_ref().map_or_else(|| none.to_owned(), &words);
    let labels: Vec<String> =
        std::iter::once(none.to_owned()).chain(all.iter().map(&words)).collect();
    let place = |one: &T| all.iter().position(|other| other == one).map(|index| index + 1);
    let now = chosen.as_ref().map_or(Some(0), place);
    let Some(taken) = list(ui, (name, ""), &shown, (&labels, now)) else { return false };
    *chosen = taken.checked_sub(1).and_then(|index| all.get(index)).cloned();
    true
}
