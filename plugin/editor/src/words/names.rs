//! Names of speakers in a column that is as wide as they ask for; a longer one is cut in its middle, since the names
//! that transcripts make themselves differ at their end.

use crate::theme::Type;
use egui::{Color32, Ui};
use std::collections::{BTreeMap, BTreeSet};

pub(super) const FONT: Type = Type::SMALL_STRONG;

/// The names of the speakers of one page.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// How wide the column is, points; 0 without names.
    pub(super) width: f32,
    /// Those that are too long, as they are shown.
    cut: BTreeMap<String, String>,
}

impl Names {
    /// The names, in a column between the least and the greatest width, points.
    pub(super) fn new<'n>(
        ui: &Ui,
        names: impl IntoIterator<Item = &'n str>,
        (least, most): (f32, f32),
    ) -> Self {
        let wide = |name: &str| {
            let text = ui.painter().layout_no_wrap(name.to_owned(), FONT.font(), Color32::WHITE);
            text.size().x
        };
        Self::measured(names, (least, most), &wide)
    }

    fn measured<'n>(
        names: impl IntoIterator<Item = &'n str>,
        (least, most): (f32, f32),
        wide: &dyn Fn(&str) -> f32,
    ) -> Self {
        let names: BTreeSet<&str> = names.into_iter().collect();
        let mut found = Self::default();
        for name in names {
            let width = wide(name).ceil();
            found.width = found.width.max(width.clamp(least, most.max(least)));
            if width > most.max(least) {
                found.cut.insert(name.to_owned(), middle(name, most.max(least), wide));
            }
        }
        found
    }

    /// A name in its displayed form.
    pub(super) fn shown<'n>(&'n self, name: &'n str) -> &'n str {
        self.cut.get(name).map_or(name, String::as_str)
    }
}

/// A name shortened in its middle to fit `room`, points.
fn middle(name: &str, room: f32, wide: &dyn Fn(&str) -> f32) -> String {
    let letters: Vec<char> = name.chars().collect();
    let cut = |kept: usize| {
        let tail = kept.div_ceil(3);
        let head: String = letters[..kept - tail].iter().collect();
        let tail: String = letters[letters.len() - tail..].iter().collect();
        format!("{}…{tail}", head.trim_end())
    };
    let fits = |kept: &usize| wide(&cut(*kept)) <= room;
    let kept = (2..letters.len()).rev().find(fits);
    cut(kept.unwrap_or(letters.len().min(2)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str], most: f32) -> Names {
        let wide = |text: &str| text.chars().count() as f32;
        Names::measured(names.iter().copied(), (4.0, most), &wide)
    }

    #[test]
    fn the_column_is_as_wide_as_the_longest_name_up_to_a_limit() {
        assert_eq!(names(&[], 20.0).width, 0.0);
        assert_eq!(names(&["Al"], 20.0).width, 4.0);
        assert_eq!(names(&["Al", "Speaker 12"], 20.0).width, 10.0);
        assert_eq!(names(&["Al", "Speaker 12"], 8.0).width, 8.0);
    }

    #[test]
    fn names_that_are_too_long_stay_apart() {
        let names = names(&["Speaker 1", "Speaker 2", "Ann"], 8.0);
        let shown = ["Speaker 1", "Speaker 2", "Ann"].map(|name| names.shown(name));
        assert_eq!(shown, ["Spea…r 1", "Spea…r 2", "Ann"]);
        assert_eq!(middle("Wide", 1.0, &|text| text.len() as f32), "W…e");
    }
}
