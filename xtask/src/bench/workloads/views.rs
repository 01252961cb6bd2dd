//! What a host and a screen pay: instances of the plugin, frames of the editor.

use super::live::{built_example, example};
use crate::bench::inputs::Bench;
use crate::bench::table::{Amount, Row};
use crate::{bundle, shell};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::ffi::OsStr;
use std::time::Duration;

/// 64 instances that joined a hub and capture, and what each adds to the memory of the host. They find a home of
/// their own, and the hub of the program that is measured.
pub(super) fn plugin(bench: &Bench) -> Result<Vec<Row>> {
    shell::run(&mut shell::cargo(["build", "--release", "--workspace", "--lib"]))?;
    let library = bundle::library(bundle::Profile::Release)?;
    let home = tempfile::tempdir()?;
    let mut example = shell::at_home(built_example("instances")?, home.path());
    let output = shell::capture(example.env("DESKHAND_HELPER", &bench.deskhand).arg(library))?;
    if !output.status.success() {
        bail!("{}: {}", output.status, String::from_utf8_lossy(&output.stderr).trim());
    }
    let figures = serde_json::from_slice(&output.stdout).context("instances printed no JSON")?;
    println!("   {figures}");
    let limit = Amount::Share(0.2);
    let row = |name: &str, key: &str| {
        let name =
            format!("64 plugin instances on a hub, capturing, 64-frame blocks, {name} of one core");
        Ok::<_, anyhow::Error>(Row::under(&name, Amount::Share(number(&figures, key)?), limit))
    };
    Ok(vec![
        row("mean CPU", "cpu_share")?,
        row("mean CPU with all other threads", "process_share")?,
        Row::under(
            "memory of an idle plugin instance that joined",
            Amount::Bytes(number(&figures, "bytes_each")? as u64),
            Amount::Bytes(20_000_000),
        ),
        Row::under(
            "a plugin instance, denormal over ordinary input, low cut on, CPU",
            Amount::Share(number(&figures, "denormal_share")?),
            Amount::Share(1.3),
        ),
    ])
}

/// Layout, painting and tessellation of a frame with 64 tracks and 1,000 clips while meters move, with words, mixer and processors open.
pub(super) fn editor(_: &Bench) -> Result<Vec<Row>> {
    let figures = example("frame_cost", &[OsStr::new("--json")])?;
    println!("   {figures}");
    let ours = Duration::from_secs_f64(number(&figures, "frame_s")?);
    let limit = Amount::Time(Duration::from_millis(8));
    Ok(vec![Row::under(
        "a frame, 64 tracks, 1,000 clips, all panes open, CPU",
        Amount::Time(ours),
        limit,
    )])
}

fn number(figures: &Value, key: &str) -> Result<f64> {
    figures[key].as_f64().with_context(|| format!("there is no `{key}` in {figures}"))
}
