//! Opening a DAW's project and writing it with changes, as ratios to reading the file with a parser that keeps nothing.

use super::live::example;
use crate::bench::inputs::Bench;
use crate::bench::table::Row;
use crate::bench::usage;
use crate::project::Project;
use crate::shell;
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Rate and channels of each recording; all are at the rate of the session, so opening converts none.
const FORMATS: [(u32, u32); 4] = [(48_000, 1), (48_000, 2), (48_000, 1), (48_000, 2)];
/// 2,000 clips.
const TRACKS: usize = 16;
const CLIPS: usize = 125;
/// How long a person may wait.
const OPEN: Duration = Duration::from_millis(500);
const WRITE: Duration = Duration::from_millis(300);

/// A format of project files.
#[derive(Clone, Copy)]
enum Format {
    Reaper,
    Ardour,
    Dawproject,
}

/// One project of 2,000 clips in each format: opened, each clip's gain changed, and written.
pub(super) fn projects(bench: &Bench) -> Result<Vec<Row>> {
    let folder = bench.fresh("projects")?;
    std::fs::create_dir_all(&folder)?;
    let project = Project::of(&FORMATS, TRACKS, CLIPS);
    project.write_audio(&folder)?;
    let mut rows = Vec::new();
    for format in [Format::Reaper, Format::Ardour, Format::Dawproject] {
        let (file, text) = format.write(&project, &folder)?;
        rows.extend(measure(bench, format, &file, &text)?);
    }
    Ok(rows)
}

/// Each run opens into a new session, and writes a new file.
fn measure(bench: &Bench, format: Format, file: &Path, text: &Path) -> Result<[Row; 2]> {
    let figures = example("scan_project", &[text.as_os_str()])?;
    println!("   {figures}");
    let scan = figures["scan_s"].as_f64().context("scan_project gave no `scan_s`")?;
    let scan = (format.scan(), Duration::from_secs_f64(scan));
    let mut runs = 0..;
    let mut next = |ending: &str| {
        let run = runs.next().unwrap_or(0);
        file.with_file_name(format!("{} {run}.{ending}", format.name()))
    };
    let mut session = PathBuf::new();
    let opened = usage::median(|| {
        session = next("deskhand");
        let mut open = bench.deskhand("open");
        open.arg(file).arg(&session);
        Ok(open)
    })?;
    change(bench, &session)?;
    let written = usage::median(|| {
        let mut write = bench.deskhand("write");
        write.arg(&session).arg(next(format.ending())).arg("--yes");
        Ok(write)
    })?;
    let name = |what: &str| format!("{what} of a project, {}", format.name());
    Ok([
        Row::under_beside(&name("open 2,000 clips"), opened.wall, OPEN, scan),
        Row::under_beside(&name("write 2,000 changed clips"), written.wall, WRITE, scan),
    ])
}

/// Turns all clips down.
fn change(bench: &Bench, session: &Path) -> Result<()> {
    let mut ask = bench.deskhand("ask");
    usage::of(ask.arg(session).args(["turn all clips down by 1.5 dB", "--yes"]))?;
    Ok(())
}

impl Format {
    /// The project file in `folder`, and the text that it holds: in a DAWproject, a file in an archive.
    fn write(self, project: &Project, folder: &Path) -> Result<(PathBuf, PathBuf)> {
        let file = folder.join(format!("project.{}", self.ending()));
        match self {
            Self::Reaper => std::fs::write(&file, project.reaper())?,
            Self::Ardour => std::fs::write(&file, project.ardour())?,
            Self::Dawproject => {
                let parts = ["project.xml", "metadata.xml"].map(|name| folder.join(name));
                std::fs::write(&parts[0], project.dawproject())?;
                std::fs::write(&parts[1], "<MetaData/>\n")?;
                let mut zip = Command::new("python3");
                shell::run(zip.args(["-m", "zipfile", "-c"]).arg(&file).args(&parts))?;
                let [text, _] = parts;
                return Ok((file, text));
            }
        }
        Ok((file.clone(), file))
    }

    fn ending(self) -> &'static str {
        match self {
            Self::Reaper => "RPP",
            Self::Ardour => "ardour",
            Self::Dawproject => "dawproject",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Reaper => "REAPER",
            Self::Ardour => "Ardour",
            Self::Dawproject => "DAWproject",
        }
    }

    /// What reads the file fastest.
    fn scan(self) -> &'static str {
        match self {
            Self::Reaper => "lines alone",
            Self::Ardour | Self::Dawproject => "quick-xml alone",
        }
    }
}
