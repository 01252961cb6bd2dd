//! `deskhand mcp` on a session of its own in a temporary folder, over HTTP or for stdio.

use crate::limit::{self, Running};
use crate::{shell, workspace};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

/// How long the server may take until it listens.
const READY: Duration = Duration::from_secs(60);
/// How long a command on the session may take.
const LIMIT: Duration = Duration::from_secs(120);

/// Builds `deskhand` and returns where it is: as its tests build it, because a build by itself gives other
/// features to its dependencies, and would compile most of the workspace once more.
pub(super) fn built() -> Result<PathBuf> {
    let name = format!("deskhand{}", std::env::consts::EXE_SUFFIX);
    shell::run(&mut shell::cargo(["test", "--quiet", "--workspace", "--no-run", "--test", "cli"]))?;
    Ok(workspace::target()?.join("debug").join(name))
}

/// A session with one recording on one track, in a temporary home; removed in the end.
pub(super) struct Desk {
    deskhand: PathBuf,
    home: TempDir,
}

impl Desk {
    /// Makes the session with the program `deskhand`.
    pub(super) fn fresh(deskhand: &Path) -> Result<Self> {
        let desk = Self { deskhand: deskhand.to_owned(), home: tempfile::tempdir()? };
        let audio = workspace::root().join("tests/audio/dialogue-1.flac");
        desk.must(desk.deskhand("new").arg(desk.session()))?;
        desk.must(
            desk.deskhand("import").arg(desk.session()).arg(audio).args(["--track", "Voice"]),
        )?;
        Ok(desk)
    }

    /// The session's folder.
    pub(super) fn session(&self) -> PathBuf {
        self.home.path().join("mcp.deskhand")
    }

    /// The program under test.
    pub(super) fn program(&self) -> &Path {
        &self.deskhand
    }

    /// `deskhand NAME`, which sees the temporary home only.
    pub(super) fn deskhand(&self, name: &str) -> Command {
        let mut command = Command::new(&self.deskhand);
        command.arg(name).current_dir(self.home.path());
        self.at_home(&mut command);
        command
    }

    /// Gives `command` the temporary home, so that it neither reads nor writes a person's settings.
    pub(super) fn at_home(&self, command: &mut Command) {
        let home = self.home.path();
        // The sockets of a hub that is killed stay where they are: in here, they go with the rest.
        command.env("HOME", home).env("XDG_RUNTIME_DIR", home).env("TMPDIR", home);
        command.env_remove("DESKHAND_CONFIG");
        for name in ["CONFIG", "DATA", "STATE", "CACHE"] {
            command.env(format!("XDG_{name}_HOME"), home.join(name.to_lowercase()));
        }
    }

    fn must(&self, command: &mut Command) -> Result<()> {
        let outcome = limit::run(command, LIMIT)?;
        if outcome.code != 0 {
            bail!("failed: {}\n{}", shell::line(command), limit::last_lines(&outcome.stderr));
        }
        Ok(())
    }
}

/// What the server offers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Surface {
    /// What a user gets.
    Real,
    /// That, and the tools, resources and prompts that the conformance suite asks for by name.
    Fixtures,
}

/// A running server; it is killed when this goes away.
pub(super) struct Server {
    ready: Ready,
    _running: Running, // dropped before the session that it serves
    _desk: Desk,
}

impl Server {
    /// Starts a server on a fresh session and a free port of the loopback, and waits until it listens.
    pub(super) fn start(deskhand: &Path, surface: Surface) -> Result<Self> {
        let desk = Desk::fresh(deskhand)?;
        let mut command = desk.deskhand("mcp");
        command.arg(desk.session()).args(["--http", "127.0.0.1:0", "--no-window"]);
        if surface == Surface::Fixtures {
            command.arg("--fixtures");
        }
        let mut log = tempfile::tempfile()?;
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log.try_clone()?);
        let mut running = Running::start(&mut command)?;
        let ready = limit::until(READY, || {
            let ended = running.ended()?; // before the log, which is whole then
            let said = limit::text(&mut log)?;
            match (said.lines().find_map(Ready::read), ended) {
                (None, Some(status)) => bail!("{status}: {said}"),
                (ready, _) => Ok(ready),
            }
        });
        let line = shell::line(&command);
        let ready = ready.with_context(|| format!("the server did not start: {line}"))?;
        let ready = ready.with_context(|| {
            format!("the server said nothing of being ready in {} s: {line}", READY.as_secs())
        })?;
        Ok(Self { ready, _running: running, _desk: desk })
    }

    /// Where the protocol is spoken.
    pub(super) fn url(&self) -> &str {
        &self.ready.url
    }

    pub(super) fn token_file(&self) -> &Path {
        &self.ready.token_file
    }

    pub(super) fn token(&self) -> Result<String> {
        let token = std::fs::read_to_string(&self.ready.token_file)
            .with_context(|| format!("no token in {}", self.ready.token_file.display()))?;
        Ok(token.trim().to_owned())
    }
}

/// What the server's ready line says.
#[derive(Debug, PartialEq, Eq)]
struct Ready {
    url: String,
    token_file: PathBuf,
}

impl Ready {
    /// Reads `… ready on URL (token: FILE)`; nothing for any other line.
    fn read(line: &str) -> Option<Self> {
        let (_, rest) = line.split_once(" ready on ")?;
        let (url, rest) = rest.split_once(" (token: ")?;
        let token_file = rest.trim_end().strip_suffix(')')?;
        Some(Self { url: url.to_owned(), token_file: token_file.into() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ready_line_is_read() {
        let line = "deskhand mcp: ready on http://127.0.0.1:4711/mcp (token: /tmp/a b/token)";
        let ready = Ready::read(line).unwrap();
        assert_eq!(ready.url, "http://127.0.0.1:4711/mcp");
        assert_eq!(ready.token_file, Path::new("/tmp/a b/token"));
    }

    #[test]
    fn other_lines_are_passed_over() {
        assert_eq!(Ready::read("deskhand mcp: policy: policy.toml"), None);
        assert_eq!(Ready::read("deskhand mcp: ready on http://127.0.0.1:4711/mcp"), None);
    }
}
