//! `cargo xtask demo`: the main job on real audio, through the same `deskhand` commands that a user types.

pub(crate) mod band;

use crate::{shell, wav, workspace};
use anyhow::{Context, Result, bail};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// The request for the recordings in the repository.
const WORDS: &str = "normalize the dialogue to -16 LUFS and gain-stage the music to -18";
/// The next request: tracks at a working level add up to a mix that is too loud.
const MIX_WORDS: &str = "normalize the mix to -16 LUFS with a ceiling of -1 dBTP";
/// The request for a person's own files, whose names say nothing about their content.
const WORDS_FOR_FILES: &str = "normalize everything to -16 LUFS";

/// A file on a track, from a time on.
struct Part {
    file: PathBuf,
    track: String,
    at_seconds: f64,
}

/// Where the demo works: everything under `target/demo`.
struct Demo {
    deskhand: PathBuf,
    folder: PathBuf,
    session: PathBuf,
}

/// Runs the demo on `files`, or on the recordings in the repository when there are none.
pub(crate) fn run(files: &[PathBuf]) -> Result<()> {
    for file in files {
        let found =
            std::fs::metadata(file).with_context(|| format!("cannot open {}", file.display()))?;
        if !found.is_file() {
            bail!("{} is not a file; give the audio files themselves", file.display());
        }
    }
    let demo = Demo::fresh()?;
    let start = Instant::now();
    if files.is_empty() {
        demo.tell("Public-domain speech from tests/audio, and a band played by our own code.");
        demo.play(&demo.repository_parts()?, WORDS)?;
    } else {
        demo.play(&own_parts(files)?, WORDS_FOR_FILES)?;
    }
    demo.say_where(start);
    Ok(())
}

/// One track per file, all from the start.
fn own_parts(files: &[PathBuf]) -> Result<Vec<Part>> {
    let part = |file: &PathBuf| {
        let stem = file.file_stem().unwrap_or(file.as_os_str());
        Ok(Part {
            file: std::path::absolute(file)?,
            track: stem.to_string_lossy().into_owned(),
            at_seconds: 0.0,
        })
    };
    files.iter().map(part).collect()
}

impl Demo {
    /// Builds `deskhand` with what the demo runs, and clears what an earlier demo left.
    fn fresh() -> Result<Self> {
        let deskhand = built("dev", &["--package", "deskhand", "--no-default-features"])?;
        let folder = workspace::target()?.join("demo");
        if folder.exists() {
            std::fs::remove_dir_all(&folder).with_context(|| {
                format!("cannot clear {}; is its session open?", folder.display())
            })?;
        }
        std::fs::create_dir_all(&folder)
            .with_context(|| format!("cannot create {}", folder.display()))?;
        let folder = from_root(&folder);
        Ok(Self { deskhand, session: folder.join("demo.deskhand"), folder })
    }

    /// Two pieces of dialogue one after the other, and the band under them.
    fn repository_parts(&self) -> Result<Vec<Part>> {
        let spoken = |file: &str, at_seconds| Part {
            file: Path::new("tests/audio").join(file),
            track: "Dialogue".to_owned(),
            at_seconds,
        };
        let mut parts = vec![spoken("dialogue-1.flac", 0.0), spoken("dialogue-2.flac", 16.5)];
        for recording in band::play() {
            let file = self.folder.join(format!("{}.wav", recording.name));
            wav::write(&workspace::root().join(&file), band::RATE, &recording.channels)?;
            parts.push(Part { file, track: recording.name.to_owned(), at_seconds: 0.0 });
        }
        Ok(parts)
    }

    /// The whole story, from an empty session to redo.
    fn play(&self, parts: &[Part], words: &str) -> Result<()> {
        let before = self.folder.join("before.wav");
        let after = self.folder.join("after.wav");
        self.step("Make a session and import the recordings.");
        self.deskhand("new", [])?;
        for part in parts {
            let at = part.at_seconds.to_string();
            let track = OsStr::new(part.track.as_str());
            self.deskhand(
                "import",
                [part.file.as_ref(), "--track".as_ref(), track, "--at".as_ref(), at.as_ref()],
            )?;
        }
        self.deskhand("show", [])?;
        self.step("Render the mix as it is.");
        self.deskhand("render", [before.as_ref()])?;
        self.step("Ask in plain words. The plan comes first; `--yes` then applies it.");
        self.ask(words)?;
        self.step("Now the mix as a whole.");
        self.ask(MIX_WORDS)?;
        self.step("Render the mix as it is now, and measure both.");
        self.deskhand("render", [after.as_ref()])?;
        self.measure(&[&before, &after])?;
        self.step("Take it back, and bring it again.");
        self.deskhand("undo", [])?;
        self.deskhand("redo", [])?;
        self.deskhand("log", [])
    }

    /// `deskhand COMMAND SESSION ARGS…`
    fn deskhand<const N: usize>(&self, command: &str, args: [&OsStr; N]) -> Result<()> {
        let mut line = self.command(command);
        line.arg(&self.session).args(args);
        self.show_and_run(line)
    }

    fn ask(&self, words: &str) -> Result<()> {
        self.deskhand("ask", [words.as_ref(), "--yes".as_ref()])
    }

    fn measure(&self, files: &[&Path]) -> Result<()> {
        let mut line = self.command("measure");
        line.args(files);
        self.show_and_run(line)
    }

    /// No stdin: whatever wants an answer from a person says so instead of waiting.
    fn command(&self, name: &str) -> Command {
        let mut command = Command::new(&self.deskhand);
        command.arg(name).current_dir(workspace::root()).stdin(Stdio::null());
        command
    }

    fn show_and_run(&self, mut command: Command) -> Result<()> {
        println!("\n$ {}", shell::line(&command));
        shell::run(&mut command)
    }

    fn step(&self, what: &str) {
        println!("\n=== {what}");
    }

    fn tell(&self, what: &str) {
        println!("{what}");
    }

    fn say_where(&self, start: Instant) {
        let folder = self.folder.display();
        println!("\n=== Done in {:.1} s.", start.elapsed().as_secs_f64());
        println!("the mix before   {folder}/before.wav");
        println!("the mix after    {folder}/after.wav");
        println!("the session      {}", self.session.display());
        println!("the program      {}", from_root(&self.deskhand).display());
        println!(
            "It has no AI clients, models or providers. `cargo xtask install` builds everything."
        );
    }
}

/// Builds `deskhand` with the Cargo profile `profile` and returns where it is.
pub(crate) fn deskhand(profile: &str) -> Result<PathBuf> {
    built(profile, &["--workspace"])
}

fn built(profile: &str, packages: &[&str]) -> Result<PathBuf> {
    let name = format!("deskhand{}", std::env::consts::EXE_SUFFIX);
    let mut build = shell::cargo(["build", "--quiet", "--bin", "deskhand", "--profile", profile]);
    shell::run(build.args(packages))?;
    let folder = if profile == "dev" { "debug" } else { profile };
    Ok(workspace::target()?.join(folder).join(name))
}

/// `path` relative to the root of the checkout, if possible.
pub(crate) fn from_root(path: &Path) -> PathBuf {
    path.strip_prefix(workspace::root()).unwrap_or(path).to_path_buf()
}
