//! `cargo xtask bench`: the project's figures as ratios, ours and the peer's measured in one run on one
//! machine. It prints and never fails because of a figure: a busy machine is no defect.

mod inputs;
mod peers;
mod table;
mod usage;
mod workloads;

use crate::figures::{self, Whole};
use crate::{demo, setup, workspace};
use anyhow::{Context, Result, bail};
use inputs::{Bench, Inputs};
use table::Row;
use workloads::{ALL, Workload};

/// Whether the figures of a run are kept.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keep {
    /// Print them only.
    No,
    /// Put them into docs/figures.json.
    Yes,
}

impl Keep {
    pub(crate) fn from_flag(write: bool) -> Self {
        if write { Self::Yes } else { Self::No }
    }
}

/// Whether a workload has this name.
#[cfg(test)]
pub(crate) fn is_part(name: &str) -> bool {
    ALL.iter().any(|workload| workload.name == name)
}

/// Runs the workloads called `names`, or all, prints their figures and keeps them if asked to.
pub(crate) fn run(names: &[String], keep: Keep) -> Result<()> {
    let chosen = chosen(names)?;
    for line in setup::install_missing() {
        println!("setup: {line}");
    }
    let folder = workspace::target()?.join("bench");
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("cannot create {}", folder.display()))?;
    let bench =
        Bench { deskhand: demo::deskhand("release")?, inputs: Inputs::new(&folder), folder };
    let (mut rows, mut kept) = (Vec::new(), Vec::new());
    for workload in chosen {
        println!("\n== {}: {}", workload.name, workload.what);
        match (workload.run)(&bench) {
            Ok(found) => {
                found.iter().for_each(|row| println!("   {}", row.long()));
                kept.push(measured(workload.name, &found));
                rows.extend(found);
            }
            Err(error) => rows.push(Row::failed(workload.what, &error)),
        }
    }
    println!("\n{}", table::markdown(&rows));
    if keep == Keep::Yes {
        figures::update(&kept, &ALL.map(|workload| workload.name))?;
        println!("wrote {}; `cargo xtask book --write` shows it in the book", figures::FILE);
    }
    Ok(())
}

/// The rows of a part that have a figure, and whether all have.
fn measured(part: &str, rows: &[Row]) -> (Vec<figures::Figure>, Whole) {
    let figures: Vec<_> = rows.iter().filter_map(|row| row.figure(part)).collect();
    let whole = if figures.len() == rows.len() { Whole::Yes } else { Whole::No };
    (figures, whole)
}

/// The workloads of these names, in the order of the list.
fn chosen(names: &[String]) -> Result<Vec<&'static Workload>> {
    if let Some(unknown) = names.iter().find(|name| ALL.iter().all(|known| known.name != **name)) {
        let known: Vec<&str> = ALL.iter().map(|known| known.name).collect();
        bail!("no workload is called `{unknown}`; there are: {}", known.join(", "));
    }
    let wanted =
        |workload: &&Workload| names.is_empty() || names.iter().any(|name| name == workload.name);
    Ok(ALL.iter().filter(wanted).collect())
}
