//! `deskhand measure`: the loudness of files, on all cores.

use crate::exit::{Exit, Failure};
use crate::output::Output;
use crate::progress::Bar;
use crate::table;
use comfy_table::Cell;
use deskhand_dsp::loudness::Levels;
use deskhand_dsp::{Decibels, Frames, Lufs, ReadError};
use deskhand_media::{AudioTrack, Opener, measure_counted};
use deskhand_protocol::clean::plain_text;
use serde::Serialize;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// One file; a level below every gate is `null`.
#[derive(Debug, Serialize)]
struct Row {
    file: String,
    /// Which of several audio tracks in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    audio_track: Option<Numbered>,
    duration_s: Option<f64>,
    sample_rate: Option<u32>,
    channels: Option<usize>,
    integrated_lufs: Option<f64>,
    range_lu: Option<f64>,
    max_momentary_lufs: Option<f64>,
    max_short_term_lufs: Option<f64>,
    true_peak_dbtp: Option<f64>,
    sample_peak_dbfs: Option<f64>,
    warnings: Vec<String>,
    error: Option<String>,
}

/// An audio track of a film, counted from 1.
#[derive(Debug, Serialize)]
struct Numbered {
    number: u32,
    name: String,
}

/// Measures files and shows them as a table.
pub(crate) fn run(files: &[PathBuf], output: Output) -> Result<Exit, Failure> {
    let rows: Vec<_> = files.iter().flat_map(|file| rows_of(file)).collect();
    output.json(&rows);
    if rows.iter().any(|row| row.error.is_none()) {
        output.say(render(&rows, output));
    }
    for row in rows.iter().filter(|_| !output.is_json()) {
        for warning in &row.warnings {
            output.warn(format!("{}: {warning}", row.shown()));
        }
        if let Some(error) = &row.error {
            let track = row.audio_track.as_ref().map(|track| format!("{}: ", track.name));
            output.complain(&Failure::plain("media", track.unwrap_or_default() + error));
        }
    }
    let failed = rows.iter().any(|row| row.error.is_some());
    Ok(if failed { Exit::Failed } else { Exit::Done })
}

impl Row {
    fn new(file: &Path) -> Self {
        Self {
            file: file.to_string_lossy().into_owned(),
            audio_track: None,
            duration_s: None,
            sample_rate: None,
            channels: None,
            integrated_lufs: None,
            range_lu: None,
            max_momentary_lufs: None,
            max_short_term_lufs: None,
            true_peak_dbtp: None,
            sample_peak_dbfs: None,
            warnings: Vec::new(),
            error: None,
        }
    }

    /// The file, and which of its tracks.
    fn shown(&self) -> String {
        let track = self.audio_track.as_ref().map(|track| format!(" ({})", track.name));
        format!("{}{}", self.file, track.unwrap_or_default())
    }
}

/// A row for a file; of a film or recording with several audio tracks one for each.
fn rows_of(file: &Path) -> Vec<Row> {
    let whole = Opener::in_process();
    let tracks = whole.probe(file).map(|probe| probe.tracks).unwrap_or_default();
    if tracks.is_empty() {
        return vec![row(file, Row::new(file), &whole)];
    }
    let of_track = |(index, track): (u16, &AudioTrack)| {
        let numbered = Numbered { number: u32::from(index) + 1, name: track.name(index) };
        let blank = Row { audio_track: Some(numbered), ..Row::new(file) };
        row(file, blank, &whole.track(Some(index)))
    };
    (0..).zip(&tracks).map(of_track).collect()
}

fn row(file: &Path, mut row: Row, opener: &Opener) -> Row {
    row.error = measure(file, opener, &mut row).err();
    row
}

/// Fills in what can be found out about a file.
fn measure(file: &Path, opener: &Opener, row: &mut Row) -> Result<(), String> {
    let open = || opener.open_counted(file).map_err(ReadError::from);
    let probe = opener.probe(file).map_err(|error| error.to_string())?;
    row.duration_s = Some(round(probe.frames.seconds(probe.rate).0, 1e6));
    row.sample_rate = Some(probe.rate.0);
    row.channels = Some(probe.channels);
    row.warnings = probe.warnings;
    let bar = Bar::new(&file.file_name().unwrap_or_default().to_string_lossy());
    let threads = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let mut progress = |done| {
        bar.set(done);
        ControlFlow::Continue(())
    };
    let whole = Frames::ZERO..Frames(i64::MAX);
    let measured = measure_counted(&open, whole, threads, &mut progress);
    let measured = measured.map_err(|error| error.to_string())?;
    row.warnings.extend(measured.silenced());
    set_levels(row, &measured.profile.levels(Decibels::UNITY));
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
    let header = ["file", "length", "rate", "ch", "LUFS", "LRA", "max M", "max S", "dBTP", "dBFS"];
    let mut table = table::new(output, &header);
    for row in rows.iter().filter(|row| row.error.is_none()) {
        table.add_row([
            Cell::new(plain_text(&row.shown())),
            table::number(row.duration_s.map_or_else(String::new, |s| format!("{s:.1} s"))),
            table::number(row.sample_rate.map_or_else(String::new, |rate| rate.to_string())),
            table::number(row.channels.map_or_else(String::new, |count| count.to_string())),
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

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_dsp::SampleRate;
    use deskhand_media::{BitDepth, WavWriter};

    #[test]
    fn what_counts_as_silence_is_told() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x.wav");
        let mut writer = WavWriter::create(&path, SampleRate(48_000), 1, BitDepth::F32).unwrap();
        writer.write(&[&[0.25; 48_000]]).unwrap();
        writer.finish().unwrap();
        let only = || rows_of(&path).pop().unwrap();
        assert!(only().warnings.is_empty());
        let mut bytes = std::fs::read(&path).unwrap();
        let end = bytes.len();
        for at in [end - 400, end - 4000, end - 40_000] {
            bytes[at..at + 4].copy_from_slice(&f32::NAN.to_le_bytes());
        }
        std::fs::write(&path, &bytes[..end - 8]).unwrap();
        let row = only();
        assert_eq!(row.error, None);
        assert!(row.warnings[0].starts_with("It is cut off"), "{:?}", row.warnings);
        let told = "3 samples were no numbers and count as silence";
        assert_eq!(row.warnings[1], told);
    }
}
