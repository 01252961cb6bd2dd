//! Programs of others under a time limit. What they write goes to files, so that no pipe fills up
//! and stops them.

use crate::shell;
use anyhow::{Context, Result, bail};
use std::fs::File;
use std::io::{Read, Seek};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// How often a running program is looked at.
const LOOK: Duration = Duration::from_millis(20);

/// What a program did within its time.
pub(crate) struct Outcome {
    /// The exit code; -1 when a signal ended it.
    pub(crate) code: i32,
    pub(crate) stdout: String,
    /// What it complained about.
    pub(crate) stderr: String,
}

/// A program that ends, at the latest, with this value.
pub(crate) struct Running(Child);

impl Running {
    pub(crate) fn start(command: &mut Command) -> Result<Self> {
        let child =
            command.spawn().with_context(|| format!("cannot start: {}", shell::line(command)))?;
        Ok(Self(child))
    }

    /// How it ended, when it did.
    pub(crate) fn ended(&mut self) -> Result<Option<ExitStatus>> {
        Ok(self.0.try_wait()?)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.kill().ok(); // it may have ended by itself
        self.0.wait().ok();
    }
}

/// Asks `look` again and again until it answers; fails after `limit`.
pub(crate) fn until<T>(
    limit: Duration,
    mut look: impl FnMut() -> Result<Option<T>>,
) -> Result<Option<T>> {
    let start = Instant::now();
    while start.elapsed() < limit {
        if let Some(answer) = look()? {
            return Ok(Some(answer));
        }
        std::thread::sleep(LOOK);
    }
    Ok(None)
}

/// Runs `command` to its end; kills it and fails when that takes longer than `limit`.
pub(crate) fn run(command: &mut Command, limit: Duration) -> Result<Outcome> {
    let (mut stdout, mut stderr) = (tempfile::tempfile()?, tempfile::tempfile()?);
    command.stdin(Stdio::null()).stdout(stdout.try_clone()?).stderr(stderr.try_clone()?);
    let mut running = Running::start(command)?;
    let status = until(limit, || running.ended())?;
    drop(running);
    let (stdout, stderr) = (text(&mut stdout)?, text(&mut stderr)?);
    let Some(status) = status else {
        let said = last_lines(&format!("{stdout}{stderr}"));
        bail!("not done after {} s: {}\n{said}", limit.as_secs(), shell::line(command));
    };
    Ok(Outcome { code: status.code().unwrap_or(-1), stdout, stderr })
}

pub(crate) fn text(file: &mut File) -> Result<String> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The end of what a program wrote, for an error.
pub(crate) fn last_lines(text: &str) -> String {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    lines[lines.len().saturating_sub(20)..].join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const AMPLE: Duration = Duration::from_secs(60);

    #[test]
    fn both_streams_and_the_code_come_back() {
        let mut command = Command::new("sh");
        command.args(["-c", "echo out; echo err >&2; exit 3"]);
        let outcome = run(&mut command, AMPLE).unwrap();
        assert_eq!(
            (outcome.code, outcome.stdout.as_str(), outcome.stderr.as_str()),
            (3, "out\n", "err\n")
        );
    }

    #[test]
    fn more_than_a_pipe_holds_is_no_matter() {
        let mut command = Command::new("sh");
        command.args(["-c", "head -c 1000000 /dev/zero; head -c 1000000 /dev/zero >&2"]);
        let outcome = run(&mut command, AMPLE).unwrap();
        assert_eq!((outcome.stdout.len(), outcome.stderr.len()), (1_000_000, 1_000_000));
    }

    #[test]
    fn a_program_that_hangs_is_killed_and_quoted() {
        let mut command = Command::new("sh");
        command.args(["-c", "echo before it hung; exec sleep 1000"]);
        let error = run(&mut command, Duration::from_millis(900)).err().unwrap();
        assert!(error.to_string().contains("not done after 0 s: sh -c"), "{error}");
        assert!(error.to_string().ends_with("before it hung"), "{error}");
    }

    #[test]
    fn a_missing_program_is_named() {
        let error = run(&mut Command::new("no-such-program"), AMPLE).err().unwrap();
        assert_eq!(error.to_string(), "cannot start: no-such-program");
    }
}
