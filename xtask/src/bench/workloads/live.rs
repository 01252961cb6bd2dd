//! What a person waits for: blocks of the engine, a decision, an answer, an import.

use crate::bench::inputs::Bench;
use crate::bench::table::{Amount, Row};
use crate::bench::usage;
use crate::{shell, workspace};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

/// The slowest block in a thousand, as a share of the time that a block lasts: the best of three runs,
/// because what else the machine does only ever adds.
pub(super) fn engine(bench: &Bench) -> Result<Vec<Row>> {
    let tracks = bench.inputs.tracks()?;
    let folder = tracks.first().and_then(|track| track.parent());
    let folder = folder.context("there are no tracks to play")?;
    let mut runs = Vec::new();
    for _ in 0..3 {
        let figures = example("block_times", &[folder.as_os_str()])?;
        println!("   {figures}");
        runs.push(figures);
    }
    Ok(vec![best(&runs, "cpu_share", "of CPU time")?, best(&runs, "wall_share", "on the clock")?])
}

fn best(runs: &[Value], key: &str, name: &str) -> Result<Row> {
    let shares = runs.iter().filter_map(|figures| figures[key].as_f64());
    let share = shares.reduce(f64::min);
    let share = share.with_context(|| format!("block_times gave no `{key}`"))?;
    let name = format!("engine, 64 tracks, 64-frame blocks, p99.9 {name}");
    Ok(Row::under(&name, Amount::Share(share), Amount::Share(0.3)))
}

/// From a person's yes to the first block that sounds different, the durable write included.
pub(super) fn decision(bench: &Bench) -> Result<Vec<Row>> {
    let folder = bench.fresh("decision")?;
    let figures = example("decision_latency", &[folder.as_os_str()])?;
    println!("   {figures}");
    let median = figures["median_s"].as_f64().context("decision_latency gave no `median_s`")?;
    let name = "decision to first changed block, 1,000 clips, median";
    let ours = Amount::Time(Duration::from_secs_f64(median));
    Ok(vec![Row::under(name, ours, Amount::Time(Duration::from_millis(20)))])
}

/// From words to the end of the turn, without the time of the tool itself.
pub(super) fn chat(bench: &Bench) -> Result<Vec<Row>> {
    let folder = bench.fresh("chat")?;
    let figures = example("chat_cost", &[folder.as_os_str()])?;
    println!("   {figures}");
    let added = figures["added_s"].as_f64().context("chat_cost gave no `added_s`")?;
    let ours = Amount::Time(Duration::from_secs_f64(added.max(0.0)));
    let limit = Amount::Time(Duration::from_millis(5));
    Ok(vec![Row::under("a tool call asked for in words, offline, added", ours, limit)])
}

/// Until `deskhand import` answers: the clips are durable and play, decoded as they go. The command then
/// stays to convert the hour into the session folder, which is not counted.
pub(super) fn import(bench: &Bench) -> Result<Vec<Row>> {
    let input = bench.inputs.hour_mp3()?;
    let session = bench.fresh("import.deskhand")?;
    usage::of(bench.deskhand("new").arg(&session))?;
    let took = usage::to_first_line(bench.deskhand("import").arg(&session).arg(&input))?;
    let limit = Amount::Time(Duration::from_secs(2));
    Ok(vec![Row::under("import of a 60 min MP3 to playable", Amount::Time(took), limit)])
}

/// Runs the example `name` with `args`; it prints one JSON object.
pub(super) fn example(name: &str, args: &[&OsStr]) -> Result<Value> {
    let output = shell::capture(Command::new(built_example(name)?).args(args))?;
    if !output.status.success() {
        bail!("{}: {}", output.status, String::from_utf8_lossy(&output.stderr).trim());
    }
    serde_json::from_slice(&output.stdout).with_context(|| format!("{name} did not print JSON"))
}

/// Where the example `name` is, built for use. Built as one of the whole workspace, so that all examples share
/// what they depend on: built by package, each would have it with features of its own.
pub(super) fn built_example(name: &str) -> Result<PathBuf> {
    let build = ["build", "--quiet", "--release", "--workspace", "--example", name];
    shell::run(&mut shell::cargo(build))?;
    let folder = workspace::target()?.join("release/examples");
    Ok(folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX)))
}
