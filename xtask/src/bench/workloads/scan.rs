//! Measuring loudness and peaks of a file, against ffmpeg.

use crate::bench::inputs::Bench;
use crate::bench::table::Row;
use crate::bench::{peers, usage};
use anyhow::Result;
use std::path::Path;

pub(super) fn wav(bench: &Bench) -> Result<Vec<Row>> {
    let input = bench.inputs.hour()?;
    let [cpu, wall] = rows(bench, &input, "measure 60 min WAV", [10.0, 16.0])?;
    Ok(vec![cpu, wall])
}

pub(super) fn flac(bench: &Bench) -> Result<Vec<Row>> {
    let input = bench.inputs.hour_flac()?;
    let [cpu, _] = rows(bench, &input, "measure 60 min FLAC", [2.5, 1.0])?;
    Ok(vec![cpu])
}

pub(super) fn mp3(bench: &Bench) -> Result<Vec<Row>> {
    let input = bench.inputs.hour_mp3()?;
    let [cpu, _] = rows(bench, &input, "measure 60 min MP3", [2.0, 1.0])?;
    Ok(vec![cpu])
}

/// CPU and wall time, with their goals in this order.
fn rows(bench: &Bench, input: &Path, name: &str, goals: [f64; 2]) -> Result<[Row; 2]> {
    let theirs = usage::of(&mut peers::ffmpeg_measure(input)?)?;
    let ours = usage::median(|| {
        let mut command = bench.deskhand("measure");
        command.arg(input);
        Ok(command)
    })?;
    Ok([
        Row::ratio(&format!("{name}, CPU"), ours.cpu, ("ffmpeg", theirs.cpu), goals[0]),
        Row::ratio(&format!("{name}, wall"), ours.wall, ("ffmpeg", theirs.wall), goals[1]),
    ])
}
