//! A folder with a session and audio made for the test, and the command run in it.

use deskhand_dsp::SampleRate;
use deskhand_media::{BitDepth, WavWriter};
use serde_json::Value;
use std::f64::consts::TAU;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// A fresh folder to run commands in.
pub(crate) struct Desk {
    dir: TempDir,
}

/// The results of a command.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Desk {
    /// An empty folder.
    pub(crate) fn new() -> Self {
        Self { dir: tempfile::tempdir().unwrap() }
    }

    /// A session `s` with two tones on the tracks "Voice" (-30 dBFS) and "Music" (-12 dBFS), 3 s each.
    pub(crate) fn with_session() -> Self {
        let desk = Self::new();
        desk.tone("Voice.wav", 440.0, -30.0, 3.0);
        desk.tone("Music.wav", 1000.0, -12.0, 3.0);
        desk.ok(&["new", "s"]);
        desk.ok(&["import", "s", "Voice.wav", "Music.wav"]);
        desk
    }

    /// A path in the folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Writes a stereo sine of `level` dBFS at 48 kHz.
    pub(crate) fn tone(&self, name: &str, hz: f64, level: f64, seconds: f64) -> PathBuf {
        let amplitude = 10f64.powf(level / 20.0);
        let frames = (seconds * 48_000.0) as usize;
        let wave = |n: usize| (amplitude * (TAU * hz * n as f64 / 48_000.0).sin()) as f32;
        let samples: Vec<f32> = (0..frames).map(wave).collect();
        let path = self.path(name);
        let mut writer = WavWriter::create(&path, SampleRate(48_000), 2, BitDepth::F32).unwrap();
        writer.write(&[&samples, &samples]).unwrap();
        writer.finish().unwrap();
        path
    }

    /// The command in the folder, without input and with a configuration of its own.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_deskhand"));
        command
            .args(args)
            .current_dir(self.dir.path())
            .env("COLUMNS", "100")
            .env("XDG_CONFIG_HOME", self.path("config"))
            .env("XDG_DATA_HOME", self.path("data"))
            .env("DESKHAND_MODELS", self.path("models"))
            .env_remove("DESKHAND_CONFIG")
            .env_remove("RUST_BACKTRACE")
            .stdin(Stdio::null());
        command
    }

    /// Runs the command; never on a terminal.
    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        Ran::of(self.command(args).output().unwrap())
    }

    /// Runs the command with `input`.
    pub(crate) fn run_with(&self, args: &[&str], input: &str) -> Ran {
        let mut command = self.command(args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // One that was refused may have ended, and reads nothing.
        drop(child.stdin.take().unwrap().write_all(input.as_bytes()));
        Ran::of(child.wait_with_output().unwrap())
    }

    /// Runs the command and expects success.
    pub(crate) fn ok(&self, args: &[&str]) -> Ran {
        let ran = self.run(args);
        assert_eq!(ran.code, 0, "deskhand {args:?}:\n{}{}", ran.stdout, ran.stderr);
        ran
    }

    /// Runs the command with `--json` and reads its output.
    pub(crate) fn json(&self, args: &[&str]) -> Value {
        self.ok(&[args, &["--json"]].concat()).json()
    }

    /// Runs the command with `--json`, expects it to fail with `code`, and returns the error.
    pub(crate) fn error(&self, args: &[&str], code: i32) -> Value {
        let ran = self.run(&[args, &["--json"]].concat());
        assert_eq!(ran.code, code, "deskhand {args:?}:\n{}{}", ran.stdout, ran.stderr);
        ran.json()["error"].clone()
    }

    /// Every file below the folder with its content, and the state of the session `s` in JSON. Opening a
    /// database rewrites its header, and caches may grow, so these files do not count.
    pub(crate) fn everything(&self) -> (Vec<(PathBuf, Vec<u8>)>, Vec<String>) {
        let mut files = Vec::new();
        collect(self.dir.path(), &mut files);
        files.sort();
        let said =
            ["show", "log", "plans"].map(|command| self.run(&[command, "s", "--json"]).stdout);
        (files, said.to_vec())
    }
}

impl Ran {
    pub(crate) fn of(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error}:\n{}{}", self.stdout, self.stderr))
    }
}

fn collect(dir: &Path, files: &mut Vec<(PathBuf, Vec<u8>)>) {
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy();
        if path.is_dir() && name != "cache" {
            collect(&path, files);
        } else if path.is_file() && !name.starts_with("session.") {
            let bytes = std::fs::read(&path).unwrap();
            files.push((path, bytes));
        }
    }
}

/// Replaces what differs from run to run: ids, digests, paths and times.
pub(crate) fn settings() -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.add_filter(r"(clip|track|src|plan|session|marker|group)_[0-9a-f]{12}", "${1}_ID");
    settings.add_filter(r"blake3:[0-9a-f]{64}", "blake3:HASH");
    settings.add_filter(r#""hash": "[0-9a-f]{64}""#, r#""hash": "HASH""#);
    settings.add_filter(r#""path": "[^"]*/"#, r#""path": "/DIR/"#);
    settings.add_filter(r#""(time_ms|modified_ns)": \d+"#, r#""$1": 0"#);
    settings.add_filter(r#""/(tmp|var)/[^"]*/"#, r#""/DIR/"#);
    settings
}
