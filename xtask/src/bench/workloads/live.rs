//! What a person waits for: blocks of the engine, a decision, an import.

use crate::bench::Bench;
use crate::bench::table::{Amount, Row};
use crate::bench::usage;
use crate::shell;
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::ffi::OsStr;
use std::time::Duration;

/// The slowest block in a thousand, as a share of the time that a block lasts.
pub(super) fn engine(bench: &Bench) -> Result<Vec<Row>> {
    let tracks = bench.inputs.tracks()?;
    let folder = tracks.first().and_then(|track| track.parent());
    let folder = folder.context("there are no tracks to play")?;
    let figures = example("deskhand-engine", "block_times", &[folder.as_os_str()])?;
    println!("   {figures}");
    let limit = Amount::Share(0.3);
    let row = |name: &str, key: &str| {
        let share = figures[key]
            .as_f64()
            .with_context(|| format!("block_times gave no `{key}`"))?;
        anyhow::Ok(Row::under(
            &format!("engine, 64 tracks, 64-frame blocks, p99.9 {name}"),
            Amount::Share(share),
            limit,
        ))
    };
    Ok(vec![
        row("of CPU time", "cpu_share")?,
        row("on the clock", "wall_share")?,
    ])
}

/// From a person's yes to the first block that sounds different, the durable write included.
pub(super) fn decision(bench: &Bench) -> Result<Vec<Row>> {
    let folder = bench.fresh("decision")?;
    let figures = example("deskhand", "decision_latency", &[folder.as_os_str()])?;
    println!("   {figures}");
    let median = figures["median_s"]
        .as_f64()
        .context("decision_latency gave no `median_s`")?;
    let name = "decision to first changed block, 1,000 clips, median";
    let ours = Amount::Time(Duration::from_secs_f64(median));
    Ok(vec![Row::under(
        name,
        ours,
        Amount::Time(Duration::from_millis(20)),
    )])
}

/// The time that `deskhand import` takes for an hour of MP3.
pub(super) fn import(bench: &Bench) -> Result<Vec<Row>> {
    let input = bench.inputs.hour_mp3()?;
    let session = bench.fresh("import.deskhand")?;
    usage::of(bench.deskhand("new").arg(&session))?;
    let used = usage::of(bench.deskhand("import").arg(&session).arg(&input))?;
    let limit = Amount::Time(Duration::from_secs(2));
    Ok(vec![Row::under(
        "import of a 60 min MP3",
        Amount::Time(used.wall),
        limit,
    )])
}

/// Runs an example of `package` with `args`; it prints one JSON object.
fn example(package: &str, name: &str, args: &[&OsStr]) -> Result<Value> {
    let mut cargo = shell::cargo([
        "run",
        "--quiet",
        "--release",
        "--package",
        package,
        "--example",
        name,
    ]);
    let output = shell::capture(cargo.arg("--").args(args))?;
    if !output.status.success() {
        bail!(
            "{}: {}",
            output.status,
            String::from_utf8_lossy(&output.stderr).trim()
        );
    }
    serde_json::from_slice(&output.stdout).with_context(|| format!("{name} did not print JSON"))
}
