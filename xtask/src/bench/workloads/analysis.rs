//! Onsets, beats, downbeats and keys against the truth, compared with librosa and aubio on the same clips.
//! The clips are music and click tracks rendered from MIDI, whose truth is the MIDI itself
//! (`tests/analysis`). Also the detected kinds of sounds of known kinds.

use crate::bench::inputs::Bench;
use crate::bench::table::Row;
use crate::bench::usage;
use crate::{limit, venv, workspace};
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Python packages, pinned.
const PACKAGES: [&str; 8] = [
    "librosa==0.11.0",
    "aubio==0.4.9",
    "mir_eval==0.8.2",
    "mido==1.3.3",
    "soundfile==0.14.0",
    "stempeg==0.2.6",
    "setuptools<81",
    "wheel",
];
/// The files that render the clips, and those to render.
const FILES: [&str; 2] = ["/usr/share/sounds/sf2/FluidR3_GM.sf2", "/usr/share/planetblupi/music"];
/// Rendering or scoring all clips.
const LIMIT: Duration = Duration::from_secs(1800);

pub(super) fn run(bench: &Bench) -> Result<Vec<Row>> {
    if let Some(missing) = FILES.iter().find(|file| !Path::new(file).exists()) {
        let why = format!(
            "{missing} is not there: apt-get install fluidsynth fluid-soundfont-gm planetblupi-music-midi"
        );
        return Ok(vec![Row::skipped("analysis beside librosa and aubio", &why)]);
    }
    let venv = bench.folder.join("analysis-venv");
    if !venv.join("bin/python").exists() {
        venv::install(&venv, &PACKAGES)?;
    }
    let clips = bench.folder.join("analysis");
    python(&venv, "clips.py", &[&clips])?;
    for wav in wavs(&clips)? {
        let found = ours(bench, &wav)?;
        std::fs::write(wav.with_extension("ours.json"), found.to_string())?;
    }
    let told = python(&venv, "score.py", &[&clips])?;
    let rows = told.lines().map(row);
    rows.chain(kinds(bench, &venv, &clips)?).collect()
}

/// What sounds of a known kind are taken for.
fn kinds(bench: &Bench, venv: &Path, rendered: &Path) -> Result<Vec<Result<Row>>> {
    let folder = bench.folder.join("analysis-kinds");
    if !folder.exists() {
        print!("{}", python(venv, "kinds.py", &[Path::new("make"), &folder, rendered])?);
    }
    for wav in wavs(&folder)? {
        let session = imported(bench, &wav)?;
        let found = answer(bench, &session, "tool_classify_content", &[])?;
        std::fs::write(wav.with_extension("ours.json"), found.to_string())?;
    }
    let told = python(venv, "kinds.py", &[Path::new("score"), &folder])?;
    Ok(told.lines().map(kind).collect())
}

/// One kind of sound: the share of its time that is taken for it.
fn kind(line: &str) -> Result<Row> {
    let told: Value = serde_json::from_str(line)?;
    let label = told["label"].as_str().unwrap_or_default();
    println!("   {} s of {label} are taken for {}", told["seconds"], told["shares"]);
    let right = told["shares"][label].as_f64().unwrap_or(0.0);
    Ok(Row::ahead(&format!("{label} taken for {label}, share of the time"), right, None))
}

/// Runs one of our scripts.
fn python(venv: &Path, script: &str, args: &[&Path]) -> Result<String> {
    let path = workspace::root().join("tests/analysis").join(script);
    let mut command = Command::new(venv.join("bin/python"));
    command.arg(path).args(args);
    let outcome = limit::run(&mut command, LIMIT)?;
    if outcome.code != 0 {
        bail!("{script} failed: {}", limit::last_lines(&outcome.stderr));
    }
    Ok(outcome.stdout)
}

fn wavs(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder)?.filter_map(Result::ok).map(|entry| entry.path());
    let mut wavs: Vec<_> =
        entries.filter(|path| path.extension().is_some_and(|e| e == "wav")).collect();
    wavs.sort();
    Ok(wavs)
}

/// A new session with a clip.
fn imported(bench: &Bench, wav: &Path) -> Result<PathBuf> {
    let session = bench.fresh("analysis-session")?;
    usage::of(bench.deskhand("new").arg(&session).args(["--rate", "48000"]))?;
    usage::of(bench.deskhand("import").arg(&session).arg(wav))?;
    Ok(session)
}

fn answer(bench: &Bench, session: &Path, tool: &str, params: &[&str]) -> Result<Value> {
    let said = plan(bench, session, tool, params)?;
    // Facts that are new are a plan; once they are known the same call only answers.
    let said = match said["id"].as_str().filter(|id| id.starts_with("plan_")) {
        Some(id) => {
            usage::of(bench.deskhand("apply").arg(session).args([id, "--yes"]))?;
            plan(bench, session, tool, params)?
        }
        None => said,
    };
    Ok(said[0].clone())
}

/// What our tools find in a clip, through a session as everyone uses them.
fn ours(bench: &Bench, wav: &Path) -> Result<Value> {
    let session = imported(bench, wav)?;
    let onsets = answer(bench, &session, "tool_detect_onsets", &["as=answer"])?;
    let beats = answer(bench, &session, "tool_detect_beats", &["as=answer"])?;
    let key = answer(bench, &session, "tool_detect_key", &[])?;
    Ok(json!({
        "onsets": onsets["times_s"], "beats": beats["beats_s"],
        "downbeats": beats["downbeats_s"], "key": key["key"],
    }))
}

/// What `deskhand plan` says of a call on all clips.
fn plan(bench: &Bench, session: &Path, tool: &str, params: &[&str]) -> Result<Value> {
    let mut command = bench.deskhand("plan");
    command.arg("--json").arg(session).args([tool, "targets=all"]).args(params);
    let outcome = limit::run(&mut command, LIMIT)?;
    let told = || format!("{tool} said no JSON: {}", limit::last_lines(&outcome.stderr));
    serde_json::from_str(&outcome.stdout).with_context(told)
}

/// One measure on one set of clips: ours, and the better of the others.
fn row(line: &str) -> Result<Row> {
    let told: Value = serde_json::from_str(line)?;
    let score = |who: &str| told[who].as_f64();
    let name = format!(
        "{} of {} {} clips, mir_eval",
        told["measure"].as_str().unwrap_or_default(),
        told["count"],
        told["clips"].as_str().unwrap_or_default()
    );
    println!(
        "   {name}: ours {}, librosa {}, aubio {}",
        told["ours"], told["librosa"], told["aubio"]
    );
    let peers = [("librosa", score("librosa")), ("aubio", score("aubio"))];
    let best = peers.into_iter().filter_map(|(who, score)| Some((who, score?)));
    let best = best.max_by(|a, b| a.1.total_cmp(&b.1));
    Ok(Row::ahead(&name, score("ours").unwrap_or(0.0), best))
}
