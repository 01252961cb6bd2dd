//! The parent's side: starts the guard, hears what the tool says, and ends the whole group when it is over, takes
//! too long, or takes too much.

use super::{LARGEST_ROOM, Launcher, MODE, Order};
use parking_lot::Mutex;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use std::collections::VecDeque;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// How often a cancel is checked.
const STEP: Duration = Duration::from_millis(50);
/// How often the group's use is looked at.
const LOOK: Duration = Duration::from_millis(500);
/// How long the last words of a group that was ended are waited for.
const LAST_WORDS: Duration = Duration::from_secs(2);
/// The most bytes of standard output.
const MOST_SAID: usize = 4 << 20;
const LONGEST_LINE: u64 = 1 << 20;
/// How much of standard error is kept: its end.
const KEPT: usize = 4 << 10;
/// The variables that a tool gets as the person has them; all others stay here.
const PASSED: [&str; 5] = ["PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ"];

/// Why a run was ended, or how it ended badly.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RunError {
    #[error("it could not be started: {0}")]
    Start(std::io::Error),
    #[error("it took longer than its {0} s")]
    TooLong(u64),
    #[error("it wrote more than {MOST_SAID} bytes, or a line over {LONGEST_LINE}")]
    Flood,
    #[error("it took {0}")]
    Greedy(String),
    #[error("{0}")]
    Said(String),
    #[error("it {0}")]
    Ended(String),
    #[error("stopped")]
    Stopped,
}

/// A tool that runs. Dropping it ends its whole group.
pub(crate) struct Running {
    child: Option<Child>,
    group: Pid,
    lines: Receiver<Heard>,
    errors: Arc<Mutex<VecDeque<u8>>>,
    /// Nothing is ever sent: it is let go of when standard error has ended.
    errors_end: Receiver<()>,
    deadline: Instant,
    limit: Duration,
    memory: u64,
    looked: Instant,
}

enum Heard {
    Line(Vec<u8>),
    Flood,
}

impl Running {
    /// Starts a tool that reads `request` as its standard input.
    pub(crate) fn start(
        launcher: &Launcher,
        order: &Order,
        request: File,
        limit: Duration,
    ) -> Result<Self, RunError> {
        let text = serde_json::to_string(order).map_err(|why| RunError::Start(why.into()))?;
        let mut child = Command::new(&launcher.program)
            .args(&launcher.args)
            .args([MODE, &text])
            .env_clear()
            .envs(environment(&order.room))
            .current_dir(&order.room)
            .stdin(request)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .map_err(RunError::Start)?;
        let group = Pid::from_child(&child);
        let (send, lines) = sync_channel(64);
        let errors = Arc::default();
        let (ending, errors_end) = sync_channel(0);
        if let (Some(out), Some(err)) = (child.stdout.take(), child.stderr.take()) {
            let kept = Arc::clone(&errors);
            thread::spawn(move || listen(out, &send));
            thread::spawn(move || keep(err, &kept, ending));
        }
        let deadline = Instant::now() + limit;
        let (looked, memory) = (Instant::now(), order.memory);
        let child = Some(child);
        Ok(Self { child, group, lines, errors, errors_end, deadline, limit, memory, looked })
    }

    /// Hears every line until the tool has ended. `go_on` says whether somebody still waits for it.
    pub(crate) fn hear(
        &mut self,
        room: &Path,
        go_on: &dyn Fn() -> bool,
        line: &mut dyn FnMut(&[u8]) -> Result<(), String>,
    ) -> Result<(), RunError> {
        while !self.has_ended() {
            match self.lines.recv_timeout(STEP) {
                Ok(Heard::Line(said)) => line(&said).map_err(RunError::Said)?,
                Ok(Heard::Flood) => return Err(RunError::Flood),
                Err(RecvTimeoutError::Timeout) => {}
                // It closed its output and still runs.
                Err(RecvTimeoutError::Disconnected) => thread::sleep(STEP),
            }
            self.watch(room, go_on)?;
        }
        // Processes that it left in its group end with it; only then does its output end.
        self.end_group();
        self.hear_rest(line)?;
        match self.status() {
            Some(status) if status.success() => Ok(()),
            Some(status) => Err(RunError::Ended(how(status))),
            None => Err(RunError::Ended("cannot be waited for".into())),
        }
    }

    fn hear_rest(
        &mut self,
        line: &mut dyn FnMut(&[u8]) -> Result<(), String>,
    ) -> Result<(), RunError> {
        let until = Instant::now() + LAST_WORDS;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(Heard::Line(said)) => line(&said).map_err(RunError::Said)?,
                Ok(Heard::Flood) => return Err(RunError::Flood),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
            }
        }
        // The thread that reads standard error may lag: the last lines say why it ended.
        let left = until.saturating_duration_since(Instant::now());
        let _ended_or_too_late = self.errors_end.recv_timeout(left);
        Ok(())
    }

    /// Whether somebody still waits, and it takes no more than it may.
    fn watch(&mut self, room: &Path, go_on: &dyn Fn() -> bool) -> Result<(), RunError> {
        if !go_on() {
            return Err(RunError::Stopped);
        }
        if Instant::now() > self.deadline {
            return Err(RunError::TooLong(self.limit.as_secs()));
        }
        if self.looked.elapsed() < LOOK {
            return Ok(());
        }
        self.looked = Instant::now();
        if size_of(room, 0) > LARGEST_ROOM {
            return Err(RunError::Greedy(format!("more than {LARGEST_ROOM} bytes of disk")));
        }
        self.watch_group()
    }

    #[cfg(target_os = "linux")]
    fn watch_group(&self) -> Result<(), RunError> {
        let usage = super::usage::of_group(self.group.as_raw_nonzero().get());
        if usage.processes > super::MOST_PROCESSES {
            let most = super::MOST_PROCESSES;
            return Err(RunError::Greedy(format!("more than {most} processes")));
        }
        if usage.memory > self.memory {
            let most = self.memory;
            return Err(RunError::Greedy(format!("more than {most} bytes of memory")));
        }
        Ok(())
    }

    #[cfg(not(target_os = "linux"))]
    fn watch_group(&self) -> Result<(), RunError> {
        let _limited_by_process_only = self.memory;
        Ok(())
    }

    /// Whether the first process has ended. It is not reaped yet: until then its number and its group's
    /// cannot be reused.
    fn has_ended(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        !matches!(waitid(WaitId::Pid(self.group), options), Ok(None))
    }

    fn end_group(&self) {
        let _gone_already = kill_process_group(self.group, Signal::KILL);
    }

    fn status(&mut self) -> Option<ExitStatus> {
        self.child.take().and_then(|mut child| child.wait().ok())
    }

    /// The end of its standard error output, unchanged.
    pub(crate) fn errors(&self) -> String {
        let kept: Vec<u8> = self.errors.lock().iter().copied().collect();
        String::from_utf8_lossy(&kept).into_owned()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            self.end_group();
            // A process that the system does not let go of yet is nobody's to wait for.
            thread::spawn(move || child.wait());
        }
    }
}

fn environment(room: &Path) -> impl Iterator<Item = (&'static str, std::ffi::OsString)> {
    let passed = PASSED.into_iter().filter_map(|name| Some((name, std::env::var_os(name)?)));
    let own = [("HOME", room.join("home")), ("TMPDIR", room.join("home"))];
    passed.chain(own.map(|(name, path)| (name, path.into())))
}

fn how(status: ExitStatus) -> String {
    match (status.signal(), status.code()) {
        (Some(9), _) => "was ended by signal 9: it ran out of memory, or somebody ended it".into(),
        (Some(24), _) => "was ended because it took more processor time than it may".into(),
        (Some(25), _) => "was ended because it wrote a larger file than it may".into(),
        (Some(signal), _) => format!("was ended by signal {signal}"),
        (None, Some(137)) => "ended with exit code 137: a program of its own was ended".into(),
        (None, Some(code)) => format!("ended with exit code {code}"),
        (None, None) => "ended without a word".into(),
    }
}

/// Passes lines on until the output ends, nobody waits any more, or there is too much.
fn listen(out: ChildStdout, send: &SyncSender<Heard>) {
    let mut out = BufReader::new(out);
    let mut said = 0;
    loop {
        let mut line = Vec::new();
        match out.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(bytes) => said += bytes,
        }
        let is_cut = line.len() as u64 == LONGEST_LINE && !line.ends_with(b"\n");
        let is_flood = said > MOST_SAID || is_cut;
        let heard = if is_flood { Heard::Flood } else { Heard::Line(line) };
        if send.send(heard).is_err() || is_flood {
            return;
        }
    }
}

/// Keeps the end of standard error and drops the rest. `_ending` is dropped at its end.
fn keep(mut err: ChildStderr, kept: &Mutex<VecDeque<u8>>, _ending: SyncSender<()>) {
    let mut block = [0; 4096];
    while let Ok(bytes @ 1..) = err.read(&mut block) {
        let mut kept = kept.lock();
        kept.extend(block.get(..bytes).unwrap_or_default());
        let over = kept.len().saturating_sub(KEPT);
        kept.drain(..over);
    }
}

/// Bytes on the disk below a folder, links not followed; as deep as a tool has reason to go.
fn size_of(folder: &Path, depth: usize) -> u64 {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return 0;
    };
    let mut bytes: u64 = 0;
    for entry in entries.filter_map(Result::ok).take(10_000) {
        let Ok(about) = entry.metadata() else {
            continue;
        };
        bytes = bytes.saturating_add(std::os::unix::fs::MetadataExt::blocks(&about) * 512);
        if about.is_dir() && depth < 8 {
            bytes = bytes.saturating_add(size_of(&entry.path(), depth + 1));
        }
    }
    bytes
}
