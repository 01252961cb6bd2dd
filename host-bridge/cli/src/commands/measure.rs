//! `deskhand measure`: the loudness of files, on all cores.

use crate::exit::{Exit, Failure};
use crate::output::{Output, plain};
use crate::progress::Bar;
use crate::table;
use comfy_table::Cell;
use deskhand_dsp::loudness::Levels;
use deskhand_dsp::{Decibels, Frames, Lufs, ReadError};
use deskhand_media::{Opener, measure_profile};
use serde::Serialize;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// One file; a level below every gate is `null`.
#[derive(Debug, Serialize)]
struct Row {
    file: String,
    duration_s: Option<f64>,
    sample_rate: Option<u32>,
    channels: Option<usize>,
    integrated_lufs: Option<f64>,
    range_lu: Option<f64>,
    max_momentary_lufs: Option<f64>,
    max_short_term_lufs: Option<f64>,
    true_peak_dbtp: Option<f64>,
    sample_peak_dbfs: Option<f64>,
    error: Option<String>,
}

/// Measures files and shows them as a table.
pub(crate) fn run(files: &[PathBuf], output: Output) -> Result<Exit, Failure> {
    let rows: Vec<_> = files.iter().map(|file| row(file)).collect();
    output.json(&rows);
    output.say(render(&rows, output));
    for row in rows.iter().filter(|_| !output.is_json()) {
        if let Some(error) = &row.error {
            output.complain(&Failure::plain("media", error));
        }
    }
    let failed = rows.iter().any(|row| row.error.is_some());
    Ok(if failed { Exit::Failed } else { Exit::Done })
}

fn row(file: &Path) -> Row {
    let mut row = Row {
        file: file.to_string_lossy().into_owned(),
        duration_s: None,
        sample_rate: None,
        channels: None,
        integrated_lufs: None,
        range_lu: None,
        max_momentary_lufs: None,
        max_short_term_lufs: None,
        true_peak_dbtp: None,
        sample_peak_dbfs: None,
        error: None,
    };
    row.error = measure(file, &mut row).err();
    row
}

/// Fills in what can be found out about a file.
fn measure(file: &Path, row: &mut Row) -> Result<(), String> {
    let opener = Opener::in_process();
    let open = || opener.open(file).map_err(ReadError::from);
    let reader = open().map_err(|error| error.to_string())?;
    row.duration_s = Some(round(reader.frames().seconds(reader.rate()).0, 1e6));
    row.sample_rate = Some(reader.rate().0);
    row.channels = Some(reader.channels());
    drop(reader);
    let bar = Bar::new(&file.file_name().unwrap_or_default().to_string_lossy());
    let threads = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let mut progress = |done| {
        bar.set(done);
        ControlFlow::Continue(())
    };
    let whole = Frames::ZERO..Frames(i64::MAX);
    let profile = measure_profile(&open, whole, threads, &mut progress);
    set_levels(
        row,
        &profile
            .map_err(|error| error.to_string())?
            .levels(Decibels::UNITY),
    );
    Ok(())
}

fn set_levels(row: &mut Row, levels: &Levels) {
    let two = |value: f64| round(value, 100.0);
    row.integrated_lufs = levels.integrated.map(|level| two(level.0));
    row.range_lu = levels.range_lu.map(two);
    row.max_momentary_lufs = levels.max_momentary.and_then(gated);
    row.max_short_term_lufs = levels.max_short_term.and_then(gated);
    row.true_peak_dbtp = levels.true_peak.map(|level| two(level.0));
    row.sample_peak_dbfs = levels.sample_peak.map(|level| two(level.0));
}

/// Below the absolute gate of BS.1770 there is no loudness to speak of.
fn gated(level: Lufs) -> Option<f64> {
    (level.0 >= -70.0).then(|| round(level.0, 100.0))
}

fn round(value: f64, steps: f64) -> f64 {
    (value * steps).round() / steps + 0.0
}

fn render(rows: &[Row], output: Output) -> String {
    let header = [
        "file", "length", "rate", "ch", "LUFS", "LRA", "max M", "max S", "dBTP", "dBFS",
    ];
    let mut table = table::new(output, &header);
    for row in rows.iter().filter(|row| row.error.is_none()) {
        table.add_row([
            Cell::new(plain(&row.file)),
            table::number(
                row.duration_s
                    .map_or_else(String::new, |s| format!("{s:.1} s")),
            ),
            table::number(
                row.sample_rate
                    .map_or_else(String::new, |rate| rate.to_string()),
            ),
            table::number(
                row.channels
                    .map_or_else(String::new, |count| count.to_string()),
            ),
            table::level(row.integrated_lufs),
            table::level(row.range_lu),
            table::level(row.max_momentary_lufs),
            table::level(row.max_short_term_lufs),
            table::level(row.true_peak_dbtp),
            table::level(row.sample_peak_dbfs),
        ]);
    }
    table.to_string()
}
