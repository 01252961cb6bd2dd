//! What a program used: CPU time of itself and its children, wall time, memory.

use crate::shell;
use anyhow::{Context, Result, bail};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use wait4::Wait4;

/// The cost of one run.
#[derive(Clone, Copy)]
pub(super) struct Usage {
    /// User and system time of the program and of the children it waited for.
    pub(super) cpu: Duration,
    /// From start to end.
    pub(super) wall: Duration,
    /// The largest resident size of any one of these processes, in bytes.
    pub(super) peak: u64,
}

/// Runs `command` silently; fails unless it ends with success.
pub(super) fn of(command: &mut Command) -> Result<Usage> {
    let line = shell::line(command);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let start = Instant::now();
    let child = command.spawn().with_context(|| format!("cannot start: {line}"))?;
    let used = child.wait4().with_context(|| format!("lost: {line}"))?;
    let wall = start.elapsed();
    if !used.status.success() {
        bail!("{}: {line}", used.status);
    }
    let cpu = used.rusage.utime + used.rusage.stime;
    Ok(Usage { cpu, wall, peak: used.rusage.maxrss })
}

/// How long `command` takes until it prints its first line; then waits for its end.
pub(super) fn to_first_line(command: &mut Command) -> Result<Duration> {
    let line = shell::line(command);
    let start = Instant::now();
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().with_context(|| format!("cannot start: {line}"))?;
    let stdout = child.stdout.take().context("no pipe")?;
    let mut lines = BufReader::new(stdout).lines();
    let first = lines.next();
    let took = start.elapsed();
    lines.for_each(drop);
    let status = child.wait()?;
    if first.is_none() || !status.success() {
        bail!("{status}, without an answer: {line}");
    }
    Ok(took)
}

/// Of three runs the one with the median CPU time; for short commands.
pub(super) fn median(mut command: impl FnMut() -> Result<Command>) -> Result<Usage> {
    let mut runs = [of(&mut command()?)?, of(&mut command()?)?, of(&mut command()?)?];
    runs.sort_by_key(|usage| usage.cpu);
    Ok(runs[1])
}

impl std::ops::Add for Usage {
    type Output = Self;

    /// One run after the other.
    fn add(self, later: Self) -> Self {
        Self {
            cpu: self.cpu + later.cpu,
            wall: self.wall + later.wall,
            peak: self.peak.max(later.peak),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spinning_child_is_charged_to_its_parent() {
        let spin = "sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done'; true";
        let used = of(Command::new("sh").args(["-c", spin])).unwrap();
        assert!(used.cpu > Duration::ZERO && used.peak > 0);
        assert!(of(&mut Command::new("false")).is_err());
    }
}
