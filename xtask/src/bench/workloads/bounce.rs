//! Whole jobs: from files, through a session, to a file.

use crate::bench::inputs::{Bench, TRACKS};
use crate::bench::peers;
use crate::bench::table::{Amount, Row};
use crate::bench::usage::{self, Usage};
use anyhow::Result;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// New, import, plan, apply and render, each a command of its own, against one run of ffmpeg-normalize.
pub(super) fn normalize(bench: &Bench) -> Result<Vec<Row>> {
    let input = bench.inputs.hour()?;
    let output = bench.folder.join("normalized.wav");
    let mut peer = Command::new(peers::ffmpeg_normalize(&bench.folder)?);
    peer.arg(&input).args(["-t", "-16", "-tp", "-1", "-ar", "48000", "-f", "-o"]).arg(&output);
    let theirs = usage::of(&mut peer)?;
    let session = Session::fresh(bench, "normalize")?;
    let params = r#"{"targets":"all","target_lufs":-16}"#;
    let ours = session.used("new", &[])?
        + session.used("import", &[input.as_ref()])?
        + session.edit("tool_normalize", params)?
        + session.used("render", &[output.as_ref()])?;
    let peer = ("ffmpeg-normalize", theirs.cpu);
    Ok(vec![Row::ratio("normalize 60 min WAV, CPU", ours.cpu, peer, 30.0)])
}

/// One render of 64 tracks with gain, pan and fades.
pub(super) fn mix(bench: &Bench) -> Result<Vec<Row>> {
    let inputs = bench.inputs.tracks()?;
    let session = mix_session(bench, &inputs)?;
    let output = bench.folder.join("mix.wav");
    let ours = usage::median(|| Ok(session.command("render", &[output.as_ref()])))?;
    let theirs = bench.folder.join("mix-peer.wav");
    Ok(vec![
        mix_row(ours, "ffmpeg amix", peers::ffmpeg_mix(&inputs, &theirs), 25.0)?,
        mix_row(ours, "sox -m", peers::sox_mix(&inputs, &theirs), 10.0)?,
    ])
}

fn mix_row(ours: Usage, peer: &'static str, command: Result<Command>, goal: f64) -> Result<Row> {
    let name = "bounce 64 tracks x 60 s, CPU";
    match command {
        Ok(mut command) => {
            let theirs = usage::of(&mut command)?;
            Ok(Row::ratio(name, ours.cpu, (peer, theirs.cpu), goal))
        }
        Err(missing) => Ok(Row::skipped(name, &missing.to_string())),
    }
}

/// A session with every input on its own track, a gain and a pan per group, fades on all.
fn mix_session<'a>(bench: &'a Bench, inputs: &[PathBuf]) -> Result<Session<'a>> {
    let session = Session::fresh(bench, "mix")?;
    session.used("new", &[])?;
    for input in inputs {
        let track = input.file_stem().unwrap_or_default();
        session.import(input, track)?;
    }
    for (group, gain, pan) in
        [("A", -12.0, -0.6), ("B", -13.5, -0.2), ("C", -15.0, 0.3), ("D", -18.0, 0.7)]
    {
        session.edit(
            "cmd_set_track_gain",
            &format!(r#"{{"targets":"{group}*","gain_db":{gain:.1}}}"#),
        )?;
        session
            .edit("cmd_set_track_pan", &format!(r#"{{"targets":"{group}*","pan":{pan:.1}}}"#))?;
    }
    session.edit("tool_fades", r#"{"targets":"all","length_ms":500}"#)?;
    Ok(session)
}

/// The most memory that a bounce of 64 tracks takes; all play the same hour, each from its own place.
pub(super) fn memory(bench: &Bench) -> Result<Vec<Row>> {
    let input = bench.inputs.hour()?;
    let session = Session::fresh(bench, "memory")?;
    session.used("new", &[])?;
    for number in 0..TRACKS {
        let track = format!("Track {number}");
        session.import(&input, track.as_ref())?;
    }
    let output = bench.folder.join("memory.wav");
    let used = session.used("render", &[output.as_ref()])?;
    let limit = Amount::Bytes(300_000_000);
    Ok(vec![Row::under("memory of a bounce, 64 tracks x 60 min", Amount::Bytes(used.peak), limit)])
}

/// A new session folder under `target/bench`.
struct Session<'a> {
    bench: &'a Bench,
    folder: PathBuf,
}

impl<'a> Session<'a> {
    fn fresh(bench: &'a Bench, name: &str) -> Result<Self> {
        let folder = bench.fresh(&format!("{name}.deskhand"))?;
        Ok(Self { bench, folder })
    }

    /// `deskhand COMMAND SESSION ARGS…`
    fn command(&self, command: &str, args: &[&OsStr]) -> Command {
        let mut line = self.bench.deskhand(command);
        line.arg(&self.folder).args(args);
        line
    }

    fn used(&self, command: &str, args: &[&OsStr]) -> Result<Usage> {
        usage::of(&mut self.command(command, args))
    }

    /// Imports `file` onto a track of its own, from the start.
    fn import(&self, file: &Path, track: &OsStr) -> Result<Usage> {
        let [on, at, start] = ["--track", "--at", "0"].map(OsStr::new);
        self.used("import", &[file.as_ref(), on, track, at, start])
    }

    /// Plans one call and applies the plan.
    fn edit(&self, tool: &str, params: &str) -> Result<Usage> {
        let plan = self.folder.with_extension("plan.json");
        let [given, into, yes] = ["--params", "-o", "--yes"].map(OsStr::new);
        let planned = [tool.as_ref(), given, params.as_ref(), into, plan.as_ref()];
        Ok(self.used("plan", &planned)? + self.used("apply", &[plan.as_ref(), yes])?)
    }
}
