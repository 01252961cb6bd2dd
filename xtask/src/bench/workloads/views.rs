//! What a host and a screen pay: instances of the plugin, frames of the editor.

use super::live::example;
use crate::bench::Bench;
use crate::bench::table::{Amount, Row};
use crate::{bundle, shell};
use anyhow::{Context, Result};
use serde_json::Value;
use std::ffi::OsStr;
use std::time::Duration;

/// 64 instances in one thread, and what each adds to the memory of the host.
pub(super) fn plugin(_: &Bench) -> Result<Vec<Row>> {
    shell::run(&mut shell::cargo(["build", "--release", "--workspace", "--lib"]))?;
    let library = bundle::library(bundle::Profile::Release)?;
    let figures = example("instances", &[library.as_os_str()])?;
    println!("   {figures}");
    let share = number(&figures, "cpu_share")?;
    let bytes = number(&figures, "bytes_each")?;
    Ok(vec![
        Row::under(
            "64 plugin instances, 64-frame blocks, mean CPU of one core",
            Amount::Share(share),
            Amount::Share(0.2),
        ),
        Row::under(
            "memory of an idle plugin instance",
            Amount::Bytes(bytes as u64),
            Amount::Bytes(20_000_000),
        ),
    ])
}

/// Layout, painting and tessellation of a frame with 64 tracks and 1,000 clips while meters move.
pub(super) fn editor(_: &Bench) -> Result<Vec<Row>> {
    let figures = example("frame_cost", &[OsStr::new("--json")])?;
    println!("   {figures}");
    let ours = Duration::from_secs_f64(number(&figures, "frame_s")?);
    let limit = Amount::Time(Duration::from_millis(8));
    Ok(vec![Row::under(
        "a frame, 64 tracks, 1,000 clips, meters moving, CPU",
        Amount::Time(ours),
        limit,
    )])
}

fn number(figures: &Value, key: &str) -> Result<f64> {
    figures[key].as_f64().with_context(|| format!("there is no `{key}` in {figures}"))
}
