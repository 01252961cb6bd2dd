//! Deskhand as a user has it, in a home of its own, and the session there as the command line tells it.

use crate::shell::at_home;
use crate::{bundle, limit};
use anyhow::{Result, bail};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(60);
/// Where sessions are that nobody chose a place for.
const SESSIONS: &str = ".local/share/deskhand/sessions";

/// A home with the plugin, the app and the command line installed.
pub(super) struct Desk {
    home: tempfile::TempDir,
}

impl Desk {
    /// Builds everything, once, and has `deskhand install` put it in place.
    pub(super) fn new() -> Result<Self> {
        let desk = Self { home: tempfile::tempdir()? };
        let mut install = at_home(bundled()?.join("deskhand"), desk.home());
        let installed = limit::run(install.arg("install"), LIMIT)?;
        if installed.code != 0 {
            bail!("deskhand install: {}", installed.stderr);
        }
        Ok(desk)
    }

    pub(super) fn home(&self) -> &Path {
        self.home.path()
    }

    pub(super) fn sessions(&self) -> PathBuf {
        self.home().join(SESSIONS)
    }

    pub(super) fn program(&self, name: &str) -> Command {
        at_home(self.home().join(".local/bin").join(name), self.home())
    }

    /// The one session, once there is one.
    pub(super) fn session(&self) -> Option<PathBuf> {
        let sessions = std::fs::read_dir(self.sessions()).ok()?;
        let dirs = sessions.filter_map(Result::ok).map(|entry| entry.path());
        dirs.into_iter().find(|dir| dir.join("session.db").is_file())
    }

    /// The answer of `deskhand COMMAND SESSION --json`, as soon as it is right; `None` if it never is.
    pub(super) fn wait(
        &self,
        command: &str,
        is_so: impl Fn(&Value) -> bool,
    ) -> Result<Option<Value>> {
        limit::until(LIMIT, || self.glance(command, &is_so))
    }

    /// The same, asked once.
    pub(super) fn glance(
        &self,
        command: &str,
        is_so: impl Fn(&Value) -> bool,
    ) -> Result<Option<Value>> {
        let Some(session) = self.session() else { return Ok(None) };
        let mut ask = self.program("deskhand");
        let told = limit::run(ask.arg(command).arg(session).arg("--json"), LIMIT)?;
        let told: Value = serde_json::from_str(&told.stdout).unwrap_or_default();
        Ok(Some(told).filter(|told| is_so(told)))
    }

    /// The session with its first track's gain at `gain` dB.
    pub(super) fn wait_for_gain(&self, gain: f64) -> Result<Option<Value>> {
        self.wait("show", |session| {
            session["tracks"][0]["gain"].as_f64().is_some_and(|it| (it - gain).abs() < 0.001)
        })
    }

    /// Whether the session stored exactly these words.
    pub(super) fn has_words(&self, words: &str) -> bool {
        let Some(session) = self.session() else { return false };
        let has = |file: &str| {
            let bytes = std::fs::read(session.join(file)).unwrap_or_default();
            bytes.windows(words.len()).any(|some| some == words.as_bytes())
        };
        has("session.db") || has("session.db-wal")
    }
}

/// All that is shipped, built quickly.
fn bundled() -> Result<&'static Path> {
    static BUNDLED: OnceLock<PathBuf> = OnceLock::new();
    if let Some(folder) = BUNDLED.get() {
        return Ok(folder);
    }
    let folder = bundle::bundle(bundle::Profile::Dev)?;
    Ok(BUNDLED.get_or_init(|| folder))
}
