//! The first hour, by keyboard and mouse alone: two voices and music are imported, evened out, cut in sync, ducked and
//! mastered, and leave as a file that fits the podcast target. The file is measured.

use super::report::yes;
use super::seat::{LIMIT, Seat};
use crate::{limit, workspace};
use anyhow::Result;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The recordings of the example interview.
const RECORDINGS: [&str; 3] = ["Host.flac", "Guest.flac", "Music.flac"];
/// What is asked for, in this order; each plan is applied before the next is asked for.
const WISHES: [&str; 7] = [
    "transcribe the host and the guest",
    "even out the voices",
    "group the host and the guest as talk",
    "strip the silence from the host and the guest and close the gaps",
    "cut the ums",
    "duck the music under the host and the guest by 12 dB",
    "master it for a podcast",
];
/// The podcast target, and how far the file may be off.
const LOUDNESS: f64 = -16.0;
const NEAR: f64 = 0.3;
const CEILING: f64 = -0.9;

/// Drives it, and judges by what is exported.
pub(super) fn run() -> Result<Vec<String>> {
    let mut seat = Seat::at_new_session("an episode", "episode.deskhand", &[])?;
    seat.screen.resize(&seat.window)?;
    if seat.imports()? && seat.edits()? {
        seat.export()?;
    }
    seat.close()
}

impl Seat {
    fn imports(&mut self) -> Result<bool> {
        let from = workspace::root().join("plugin/standalone/assets/example");
        for (place, name) in RECORDINGS.iter().enumerate() {
            let file = self.desk.home().join(name);
            std::fs::copy(from.join(name), &file)?;
            let is_in = self.import(&file, place + 1)?;
            self.note(&format!("import {name}"), yes(is_in), is_in);
            self.keep(&format!("episode-0-import-{}.png", place + 1))?;
            if !is_in {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn edits(&mut self) -> Result<bool> {
        for (place, wish) in WISHES.iter().enumerate() {
            let is_applied = self.ask_and_apply(wish)?;
            self.note(wish, if is_applied { "applied" } else { "not applied" }, is_applied);
            self.keep(&format!("episode-{}.png", place + 1))?;
            if !is_applied {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Ctrl-E opens the sheet with the podcast target, and Enter exports.
    fn export(&mut self) -> Result<()> {
        self.screen.press(&self.window, "ctrl+e")?;
        self.screen.still(&self.window)?;
        self.keep("episode-8-export.png")?;
        self.screen.key("ctrl+Return")?;
        let folder = self.desk.sessions();
        let file = limit::until(LIMIT, || Ok(exported(&folder)))?;
        self.note("a file is exported", yes(file.is_some()), file.is_some());
        self.keep("episode-9-exported.png")?;
        match file {
            Some(file) => self.measure(&file),
            None => Ok(()),
        }
    }

    fn measure(&mut self, file: &Path) -> Result<()> {
        let mut measure = self.desk.program("deskhand");
        let told = limit::run(measure.arg("measure").arg(file).arg("--json"), LIMIT)?;
        let told: Value = serde_json::from_str(&told.stdout).unwrap_or_default();
        let level = |measure: &str| find(&told, measure).unwrap_or(f64::NAN);
        let (loudness, peak) = (level("integrated_lufs"), level("true_peak_dbtp"));
        let is_there = (loudness - LOUDNESS).abs() <= NEAR;
        self.note("its loudness", &format!("{loudness:.2} LUFS"), is_there);
        self.note("its true peak", &format!("{peak:.2} dBTP"), peak <= CEILING);
        Ok(())
    }
}

/// The first number of this name, however deep it is.
fn find(json: &Value, name: &str) -> Option<f64> {
    match json {
        Value::Object(all) => {
            let own = all.get(name).and_then(Value::as_f64);
            own.or_else(|| all.values().find_map(|value| find(value, name)))
        }
        Value::Array(all) => all.iter().find_map(|value| find(value, name)),
        _ => None,
    }
}

/// The file of the export, once it is whole: it gets its name in the end.
fn exported(folder: &Path) -> Option<PathBuf> {
    let mut files = std::fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    files.find(|file| file.extension().is_some_and(|it| it == "wav"))
}
