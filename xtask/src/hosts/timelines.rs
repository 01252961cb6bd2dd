//! Timelines that `deskhand export` writes, read by the libraries of others: AAF by pyaaf2; EDL, FCPXML and OTIO by
//! OpenTimelineIO. Scripts in `tests/hosts` compare them with the session, and print a line for each thing compared.

use super::report::check;
use super::{helper, rows};
use crate::project::Project;
use crate::{limit, shell, venv, workspace};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

/// What reads timelines.
const PACKAGES: [&str; 4] = [
    "OpenTimelineIO==0.18.1",
    "pyaaf2==1.7.1",
    "otio-cmx3600-adapter==1.0.0",
    "otio-fcpx-xml-adapter==1.0.0",
];
const SCRIPTS: [&str; 4] =
    ["timeline_aaf.py", "timeline_edl.py", "timeline_fcpxml.py", "timeline_otio.py"];
const LIMIT: Duration = Duration::from_secs(300);

/// Rate and channels of each recording of the project.
const FORMATS: [(u32, u32); 4] = [(48_000, 1), (44_100, 2), (96_000, 1), (48_000, 2)];
/// The project has this many tracks, of this many clips each.
const TRACKS: usize = 4;
const CLIPS: usize = 250;
/// Speech that is imported too, on a track of its own. It is no WAV, so an AAF names the session's copy.
const SPEECH: &str = "tests/audio/dialogue-1.flac";
/// It is split once.
const SPEECH_CLIPS: usize = 2;
/// What is done to the speech and to the session: tools with their parameters.
const EDITS: &str = "tests/hosts/timeline-edits.json";

/// Where the scripts find what `deskhand show --json` tells.
const TOLD: &str = "session.json";
/// Frame rates: as the exported files are called, and as `deskhand export` knows them.
const RATES: [(&str, &str); 3] = [("25", "25"), ("29.97-drop", "29.97 drop"), ("24", "24")];
/// What is exported at each: how the name of the file ends, and the options.
const EXPORTS: [(&str, &[&str]); 5] = [
    (".aaf", &[]),
    ("-embedded.aaf", &["--embed"]),
    (".edl", &[]),
    (".fcpxml", &[]),
    (".otio", &[]),
];

/// Makes the session, exports it, and has each script read it; returns the problems.
pub(super) fn run() -> Result<Vec<String>> {
    let python = venv::kept(&workspace::target()?.join("hosts/timelines-venv"), &PACKAGES)?;
    let folder = tempfile::tempdir()?;
    // A session names files by their real paths.
    let desk = Desk { program: helper()?, folder: folder.path().canonicalize()? };
    desk.make_session()?;
    desk.export()?;
    let mut problems: Vec<String> = desk.check_session()?.into_iter().collect();
    for script in SCRIPTS {
        let mut command = Command::new(&python);
        command.arg("-B").arg(workspace::root().join("tests/hosts").join(script));
        problems.extend(rows(command.arg(&desk.folder), script)?);
    }
    Ok(problems)
}

/// Where everything is. Nobody's own sessions and settings are touched.
struct Desk {
    program: PathBuf,
    folder: PathBuf,
}

impl Desk {
    fn make_session(&self) -> Result<()> {
        let project = Project::of(&FORMATS, TRACKS, CLIPS);
        project.write_audio(&self.folder)?;
        std::fs::write(self.folder.join("session.RPP"), project.reaper())?;
        self.deskhand("open", &["session.RPP", "session.deskhand"])?;
        let speech = workspace::root().join(SPEECH);
        let speech = speech.to_string_lossy();
        let on_a_track = ["session.deskhand", &*speech, "--track", "Voice", "--at", "0.5"];
        self.deskhand("import", &on_a_track)?;
        self.edit()?;
        let session = self.deskhand("show", &["session.deskhand", "--json"])?;
        Ok(std::fs::write(self.folder.join(TOLD), session)?)
    }

    fn edit(&self) -> Result<()> {
        let edits = std::fs::read(workspace::root().join(EDITS))?;
        let edits: Vec<(String, Value)> = serde_json::from_slice(&edits).context(EDITS)?;
        for (number, (tool, params)) in edits.iter().enumerate() {
            let (params, plan) = (params.to_string(), format!("plan-{number}.json"));
            self.deskhand("plan", &["session.deskhand", tool, "--params", &params, "-o", &plan])?;
            self.deskhand("apply", &["session.deskhand", &plan, "--yes"])?;
        }
        Ok(())
    }

    /// Whether nothing was left out before the export.
    fn check_session(&self) -> Result<Option<String>> {
        let session: Value = serde_json::from_slice(&std::fs::read(self.folder.join(TOLD))?)?;
        let clips = session["clips"].as_array().map_or(0, Vec::len);
        let is_whole = clips == TRACKS * CLIPS + SPEECH_CLIPS;
        Ok(check("session", "clips of a project and of an import", &clips.to_string(), is_whole))
    }

    fn export(&self) -> Result<()> {
        for (name, rate) in RATES {
            for (ending, options) in EXPORTS {
                let file = format!("{name}{ending}");
                let mut args = vec!["session.deskhand", &file, "--frame-rate", rate, "--yes"];
                args.extend(options);
                self.deskhand("export", &args)?;
            }
        }
        Ok(())
    }

    /// What `deskhand COMMAND ARGS…` writes.
    fn deskhand(&self, command: &str, args: &[&str]) -> Result<String> {
        let mut line = shell::at_home(&self.program, &self.folder);
        line.arg(command).args(args).current_dir(&self.folder);
        let outcome = limit::run(&mut line, LIMIT)?;
        if outcome.code != 0 {
            let said = limit::last_lines(&format!("{}{}", outcome.stdout, outcome.stderr));
            bail!("{}\n{said}", shell::line(&line));
        }
        Ok(outcome.stdout)
    }
}
