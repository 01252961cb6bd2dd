//! The figures that `cargo xtask bench` measured last, in docs/figures.json. The book shows them as a table.

use crate::workspace;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

/// The file, from the root.
pub(crate) const FILE: &str = "docs/figures.json";

/// One row in its printed form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Figure {
    /// The name that `cargo xtask bench` knows it by.
    pub(crate) part: String,
    pub(crate) workload: String,
    pub(crate) ours: String,
    /// The other program and what it needs.
    pub(crate) other: String,
    pub(crate) ratio: String,
    pub(crate) goal: String,
    pub(crate) met: String,
}

impl Figure {
    /// Whether both are of one workload and compare with the same program.
    fn is_of(&self, old: &Self) -> bool {
        self.workload == old.workload && self.peer() == old.peer()
    }

    /// The other program, without the number and its unit.
    fn peer(&self) -> &str {
        self.other.rsplitn(3, ' ').last().unwrap_or_default()
    }
}

pub(crate) fn read() -> Result<Vec<Figure>> {
    let text = std::fs::read_to_string(workspace::root().join(FILE))
        .with_context(|| format!("cannot read {FILE}"))?;
    serde_json::from_str(&text).with_context(|| format!("{FILE} is not a list of figures"))
}

/// Puts `found`, the figures of a part and whether they are all of it, into the file. `parts` is the order of parts.
pub(crate) fn update(found: &[(Vec<Figure>, Whole)], parts: &[&str]) -> Result<()> {
    let mut figures = read()?;
    for (found, whole) in found {
        merge(&mut figures, found, *whole);
    }
    figures.sort_by_key(|figure| parts.iter().position(|part| *part == figure.part));
    let text = serde_json::to_string_pretty(&figures)? + "\n";
    std::fs::write(workspace::root().join(FILE), text)
        .with_context(|| format!("cannot write {FILE}"))
}

/// Whether a part could be measured whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Whole {
    /// Every row has a figure: the part is replaced.
    Yes,
    /// Something was skipped: other rows of the part stay.
    No,
}

fn merge(figures: &mut Vec<Figure>, found: &[Figure], whole: Whole) {
    let is_replaced = |old: &Figure| {
        let is_same =
            |new: &Figure| new.part == old.part && (whole == Whole::Yes || new.is_of(old));
        found.iter().any(is_same)
    };
    figures.retain(|old| !is_replaced(old));
    figures.extend_from_slice(found);
}

pub(crate) fn table(figures: &[Figure]) -> String {
    let mut text = String::from(
        "| part | workload | ours | other | ratio | goal | met |\n|---|---|---|---|---|---|---|\n",
    );
    for figure in figures {
        let Figure { part, workload, ours, other, ratio, goal, met } = figure;
        let cells = [part, workload, ours, other, ratio, goal, met].map(String::as_str);
        text.push_str(&format!("| {} |\n", cells.join(" | ")));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(part: &str, workload: &str, ours: &str) -> Figure {
        let [part, workload, ours] = [part, workload, ours].map(str::to_owned);
        let dash = || "-".to_owned();
        Figure { part, workload, ours, other: dash(), ratio: dash(), goal: dash(), met: dash() }
    }

    #[test]
    fn a_part_is_replaced_whole_or_row_by_row() {
        let old = [figure("mix", "a", "1"), figure("mix", "b", "1"), figure("flac", "a", "1")];
        let new = [figure("mix", "a", "2")];
        let mut whole = old.to_vec();
        merge(&mut whole, &new, Whole::Yes);
        assert_eq!(whole, [old[2].clone(), new[0].clone()]);
        let mut rows = old.to_vec();
        merge(&mut rows, &new, Whole::No);
        assert_eq!(rows, [old[1].clone(), old[2].clone(), new[0].clone()]);
    }

    #[test]
    fn rows_with_different_programs_are_different_rows() {
        let with = |other: &str| Figure { other: other.to_owned(), ..figure("mix", "a", "1") };
        assert!(with("ffmpeg amix 13.6 s").is_of(&with("ffmpeg amix 12.00 s")));
        assert!(!with("ffmpeg amix 13.6 s").is_of(&with("sox -m 6.06 s")));
        assert!(with("-").is_of(&with("-")));
    }

    #[test]
    fn the_table_has_a_row_for_each_figure() {
        let table = table(&[figure("mix", "a", "1 s")]);
        assert!(table.ends_with("|---|\n| mix | a | 1 s | - | - | - | - |\n"), "{table}");
    }

    #[test]
    fn the_file_is_well_formed_and_names_known_parts() {
        let figures = read().unwrap();
        assert!(!figures.is_empty());
        let unknown = figures.iter().find(|figure| !crate::bench::is_part(&figure.part));
        assert_eq!(unknown, None);
    }
}
