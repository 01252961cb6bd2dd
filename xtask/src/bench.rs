//! `cargo xtask bench`: the project's figures as ratios, ours and the peer's measured in one run on one
//! machine. It prints and never fails because of a figure: a busy machine is no defect.

mod inputs;
mod peers;
mod table;
mod usage;
mod workloads;

use crate::{demo, setup, workspace};
use anyhow::{Context, Result, bail};
use inputs::Inputs;
use std::path::PathBuf;
use table::Row;
use workloads::{ALL, Workload};

/// What a workload needs: our program, the folder it may fill, the audio.
struct Bench {
    deskhand: PathBuf,
    folder: PathBuf,
    inputs: Inputs,
}

/// Runs the workloads called `names`, or all, and prints their figures.
pub(crate) fn run(names: &[String]) -> Result<()> {
    let chosen = chosen(names)?;
    for line in setup::install_missing() {
        println!("setup: {line}");
    }
    let folder = workspace::target()?.join("bench");
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("cannot create {}", folder.display()))?;
    let bench =
        Bench { deskhand: demo::deskhand("release")?, inputs: Inputs::new(&folder), folder };
    let mut rows = Vec::new();
    for workload in chosen {
        println!("\n== {}: {}", workload.name, workload.what);
        match (workload.run)(&bench) {
            Ok(found) => {
                found.iter().for_each(|row| println!("   {}", row.long()));
                rows.extend(found);
            }
            Err(error) => rows.push(Row::failed(workload.what, &error)),
        }
    }
    println!("\n{}", table::markdown(&rows));
    Ok(())
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
