//! MP3 by a program of the machine: `lame`, else `ffmpeg`. It gets a WAV and file names, no shell.

use super::error::ExportError;
use deskhand_toolkit::PlanContext;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// How often a running program is looked at.
const LOOK: Duration = Duration::from_millis(20);
/// The most characters of a program's output that a message repeats.
const TOLD: usize = 300;

/// A program that makes MP3.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Program {
    name: &'static str,
    path: PathBuf,
}

/// The program that makes MP3 here.
pub(super) fn program() -> Result<Program, ExportError> {
    let folders: Vec<PathBuf> = std::env::var_os("PATH")
        .map(|paths| std::env::split_paths(&paths).filter(|path| path.is_absolute()).collect())
        .unwrap_or_default();
    let find = |name: &'static str| {
        let path = folders.iter().map(|folder| folder.join(name)).find(|path| path.is_file())?;
        Some(Program { name, path })
    };
    find("lame").or_else(|| find("ffmpeg")).ok_or(ExportError::NoProgram)
}

impl Program {
    fn command(&self, wav: &Path, mp3: &Path, kbps: u32) -> Command {
        let mut command = Command::new(&self.path);
        let rate = kbps.to_string();
        if self.name == "lame" {
            command.args(["--quiet", "--noreplaygain", "-b", &rate]).arg(wav).arg(mp3);
        } else {
            command.args(["-nostdin", "-v", "error", "-i"]).arg(wav);
            command.args(["-c:a", "libmp3lame", "-b:a", &format!("{rate}k")]);
            command.args(["-map_metadata", "-1", "-id3v2_version", "0", "-f", "mp3"]).arg(mp3);
        }
        command.env_clear().stdin(Stdio::null()).stdout(Stdio::null());
        command
    }

    /// Makes `mp3` out of `wav`; both are absolute paths. A cancelled run ends the program.
    pub(super) fn run(
        &self,
        context: &PlanContext,
        wav: &Path,
        mp3: &Path,
        kbps: u32,
    ) -> Result<(), ExportError> {
        let said = wav.with_extension("txt");
        let child = self.command(wav, mp3, kbps).stderr(File::create(&said)?).spawn()?;
        let done = wait(child, context)?;
        if done && mp3.is_file() {
            return Ok(());
        }
        let text = std::fs::read(&said).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let end: Vec<char> = text.trim().chars().rev().take(TOLD).collect();
        let told = end.into_iter().rev().map(|c| if c.is_control() { ' ' } else { c }).collect();
        Err(ExportError::Program { program: self.name, told })
    }
}

/// Waits for the end of a program; whether it ended well.
fn wait(mut child: Child, context: &PlanContext) -> Result<bool, ExportError> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status.success());
        }
        if let Err(stopped) = context.check() {
            child.kill()?;
            child.wait()?;
            return Err(stopped.into());
        }
        std::thread::sleep(LOOK);
    }
}
