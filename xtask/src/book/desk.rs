//! A fresh home folder in which the commands of one page run, with the session that the page names.

use super::console;
use super::needs;
use crate::{limit, workspace};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;

/// How long one command may take.
const LIMIT: Duration = Duration::from_secs(180);
/// Where the sockets of a hub are, in the home folder.
const RUN: &str = ".run";
/// The recordings of the pages and a project with them, and the originals in the checkout.
const FILES: [(&str, &str); 3] = [
    ("host.flac", "tests/audio/dialogue-1.flac"),
    ("guest.flac", "tests/audio/dialogue-2.flac"),
    ("interview.RPP", "docs/daw/interview.RPP"),
];
/// What a page finds of the transcribed session.
const SHOW_FILES: [&str; 2] = ["show.wav", "show.deskhand"];
/// The page whose first block makes the transcribed session of the pages on words.
const SHOW: &str = "docs/words/transcribe.md";

/// What exists before the first command of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Session {
    None,
    /// Two recordings.
    Files,
    /// Those, and a session with both.
    Talk,
    Show,
}

impl Session {
    /// The session called `name` on a page.
    pub(super) fn named(name: &str) -> Result<Self> {
        Ok(match name {
            "none" => Self::None,
            "files" => Self::Files,
            "talk" => Self::Talk,
            "show" => Self::Show,
            _ => bail!("no session is called `{name}`; there are: none, files, talk, show"),
        })
    }
}

/// The home folder; removed in the end. Commands run in it.
pub(super) struct Desk {
    folder: TempDir,
    home: PathBuf,
    program: PathBuf,
}

impl Desk {
    /// Makes the folder for commands that call `program` by the name `deskhand`.
    pub(super) fn fresh(program: &Path, session: Session) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let home = folder.path().canonicalize()?;
        let desk = Self { folder, home, program: program.canonicalize()? };
        let bin = desk.home.join(".local/bin");
        std::fs::create_dir_all(&bin)?;
        std::os::unix::fs::symlink(&desk.program, bin.join("deskhand"))?;
        std::fs::create_dir(desk.home.join(RUN))?;
        needs::copy_model(&desk.home)?;
        desk.set_up(session)?;
        Ok(desk)
    }

    fn set_up(&self, session: Session) -> Result<()> {
        match session {
            Session::None => {}
            Session::Files => self.copy_files()?,
            Session::Talk => {
                self.copy_files()?;
                self.must("deskhand new talk.deskhand")?;
                self.must("deskhand import talk.deskhand host.flac guest.flac")?;
            }
            Session::Show => {
                for command in show_commands()? {
                    self.must(&command)?;
                }
                self.remove_all_but(&SHOW_FILES)?;
            }
        }
        Ok(())
    }

    /// Removes the files that are not called one of `names`; hidden ones stay.
    fn remove_all_but(&self, names: &[&str]) -> Result<()> {
        for entry in std::fs::read_dir(&self.home)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let stays = name.starts_with('.') || names.contains(&name.as_str());
            if !stays && entry.file_type()?.is_file() {
                std::fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    }

    fn copy_files(&self) -> Result<()> {
        for (name, from) in FILES {
            std::fs::copy(workspace::root().join(from), self.home.join(name))
                .with_context(|| format!("cannot copy {from}"))?;
        }
        Ok(())
    }

    fn must(&self, command: &str) -> Result<()> {
        let (code, output) = self.shell(command)?;
        if code != 0 {
            bail!("the session of the page cannot be made: {command}\n{output}");
        }
        Ok(())
    }

    /// What `command` writes, on both streams, with folders as a page names them.
    pub(super) fn run(&self, command: &str) -> Result<String> {
        Ok(self.shortened(&self.shell(command)?.1))
    }

    /// Runs `command` in a shell that sees nothing of a person's settings.
    fn shell(&self, command: &str) -> Result<(i32, String)> {
        let mut shell = Command::new("bash");
        shell.args(["-c", &format!("exec 2>&1\n{command}")]).current_dir(self.folder.path());
        let outer = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::iter::once(self.home.join(".local/bin"));
        let path = std::env::join_paths(folders.chain(std::env::split_paths(&outer)))?;
        shell.env_clear().env("PATH", path).env("LANG", "C.UTF-8").env("COLUMNS", "100");
        // The sockets of a hub that is killed stay where they are: in here, they go with the rest.
        shell.env("HOME", &self.home).env("XDG_RUNTIME_DIR", self.home.join(RUN));
        let outcome = limit::run(&mut shell, LIMIT)?;
        Ok((outcome.code, outcome.stdout))
    }

    fn shortened(&self, output: &str) -> String {
        let program = self.program.display().to_string();
        output
            .replace(&program, "~/.local/bin/deskhand")
            .replace(&self.home.display().to_string(), "~")
    }
}

/// The commands of the first block of the page that makes the transcribed session.
fn show_commands() -> Result<Vec<String>> {
    let page = workspace::root().join(SHOW);
    let text = std::fs::read_to_string(&page).with_context(|| format!("cannot read {SHOW}"))?;
    let pieces = console::pieces(&text);
    let is_text = |piece: &&console::Piece| matches!(piece, console::Piece::Text(_));
    let block = pieces.iter().skip_while(is_text).map_while(|piece| match piece {
        console::Piece::Command(example) => Some(example.command.clone()),
        console::Piece::Text(_) => None,
    });
    Ok(block.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_have_names() {
        assert_eq!(Session::named("show").unwrap(), Session::Show);
        assert!(Session::named("band").is_err());
    }

    #[test]
    fn the_transcribed_session_is_made_by_its_page() {
        let commands = show_commands().unwrap();
        assert!(commands.last().is_some_and(|last| last.starts_with("deskhand transcribe")));
    }
}
