//! Simulated power loss: a session is written under strace. From the traced writes and syncs, the test
//! builds every state that the disk may have been left in. 40 states, and 1,000 with `DESKHAND_LONG=1`.
//!
//! Simulates a disk at power loss. Of an unsynced file any part may be there, down to sectors of 512 bytes.
//! Names appear, move and go in order, at the latest when something after them is synced.
#![cfg(target_os = "linux")]
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a child tells, and figures are read"
)]

use crate::owner::{in_second_process, second_process};
use crate::work::*;
use deskhand_session::RevisionId;
use deskhand_store::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::tempdir;

const TEST: &str = "power::no_acknowledged_revision_is_lost_when_the_power_fails";
/// The start of each line for an acknowledged revision.
const ACKED: &str = "acked ";
const SECTOR: usize = 512;
/// Every call that moves a file or its name.
const TRACED: &str = "trace=openat,write,pwrite64,fsync,fdatasync,ftruncate,rename,renameat,renameat2,unlink,unlinkat";

/// The child: it works on a session and reports durable steps.
fn work(dir: &Path) {
    let steps = if is_long() { 300 } else { 25 };
    let mut work = Work::create(dir);
    for step in 0..steps {
        work.gain(-f64::from(step + 1) / 100.0);
        println!("{ACKED}{}", work.history.head());
        // Closing brings the log into the file.
        if step % 20 == 19 {
            work.close();
            work = Work::open(dir);
        }
    }
}

fn is_long() -> bool {
    std::env::var_os("DESKHAND_LONG").is_some()
}

#[test]
fn no_acknowledged_revision_is_lost_when_the_power_fails() {
    if let Some(dir) = in_second_process() {
        return work(&dir);
    }
    let Some((events, dir, _tmp)) = recorded() else { return };
    let states = if is_long() { 1_000 } else { 40 };
    let (lost, checked) = lose_power(&events, &dir, states, Syncs::Count);
    assert_eq!(lost, 0, "of {checked} states");
    let (lost, of) = lose_power(&events, &dir, 40, Syncs::Ignored);
    assert!(lost > 0, "a disk that never syncs loses revisions, and {of} states did not show it");
    println!(
        "{checked} states after a power loss, 0 acknowledged revisions lost; {lost} of {of} without syncs"
    );
}

/// Whether a sync makes anything durable: if not, something is lost, which proves that it would be noticed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Syncs {
    Count,
    Ignored,
}

#[derive(Debug, Clone)]
enum Event {
    Opened(PathBuf),
    Wrote { path: PathBuf, at: Option<usize>, bytes: Vec<u8> },
    Truncated(PathBuf, usize),
    Synced(PathBuf),
    Renamed(PathBuf, PathBuf),
    Removed(PathBuf),
    Acked(RevisionId),
}

/// The actions of a child, in order; `None` if this machine does not report them.
fn recorded() -> Option<(Vec<Event>, PathBuf, tempfile::TempDir)> {
    let tmp = tempdir().unwrap();
    let (dir, log) = (tmp.path().join("s"), tmp.path().join("log"));
    let child = second_process(TEST, &dir);
    let mut strace = Command::new("strace");
    strace.args(["-f", "-y", "-xx", "-s", "1000000", "-e", TRACED, "-o"]).arg(&log);
    strace.arg(child.get_program()).args(child.get_args());
    strace.envs(child.get_envs().filter_map(|(key, value)| Some((key, value?))));
    match strace.output() {
        Ok(output) if output.status.success() => {}
        other => {
            eprintln!("SKIPPED {TEST}: strace is not installed or may not trace ({other:?})");
            return None;
        }
    }
    let log = std::fs::read_to_string(&log).unwrap();
    let events: Vec<Event> = whole_calls(&log).iter().filter_map(|call| event(call)).collect();
    let acked = events.iter().filter(|event| matches!(event, Event::Acked(_))).count();
    assert!(acked >= 25, "{acked} revisions were recorded");
    Some((events, dir, tmp))
}

/// Each call in one piece, when it was over.
fn whole_calls(log: &str) -> Vec<String> {
    let (mut open, mut calls) = (BTreeMap::new(), Vec::new());
    for line in log.lines() {
        let (thread, call) = line.split_once(' ').unwrap_or(("", line));
        let call = call.trim_start();
        if let Some(begun) = call.strip_suffix(" <unfinished ...>") {
            open.insert(thread.to_owned(), begun.to_owned());
        } else if let Some((_, rest)) =
            call.split_once(" resumed>").filter(|_| call.starts_with("<..."))
        {
            calls.push(open.remove(thread).unwrap_or_default() + rest);
        } else {
            calls.push(call.to_owned());
        }
    }
    calls
}

fn event(call: &str) -> Option<Event> {
    let (name, rest) = call.split_once('(')?;
    let (args, result) = rest.rsplit_once(" = ")?;
    if result.starts_with('-') {
        return None;
    }
    let path = || Some(PathBuf::from(text(args.split_once('<')?.1.split_once('>')?.0)));
    let quoted: Vec<&str> = args.split('"').skip(1).step_by(2).collect();
    let number = |from_end: usize| {
        let number = args.trim_end_matches(')').rsplit(", ").nth(from_end)?;
        number.trim().parse::<usize>().ok()
    };
    Some(match name {
        "openat" => Event::Opened(text(result.split_once('<')?.1.strip_suffix('>')?).into()),
        "pwrite64" => Event::Wrote { path: path()?, at: number(0), bytes: bytes(quoted.first()?) },
        "write" if args.starts_with("1<") => {
            let said = String::from_utf8(bytes(quoted.first()?)).ok()?;
            Event::Acked(said.split(ACKED).nth(1)?.trim().parse().ok().map(RevisionId)?)
        }
        "write" => Event::Wrote { path: path()?, at: None, bytes: bytes(quoted.first()?) },
        "ftruncate" => Event::Truncated(path()?, number(0)?),
        "fsync" | "fdatasync" => Event::Synced(path()?),
        "rename" | "renameat" | "renameat2" => {
            Event::Renamed(text(quoted.first()?).into(), text(quoted.get(1)?).into())
        }
        "unlink" | "unlinkat" => Event::Removed(text(quoted.first()?).into()),
        _ => return None,
    })
}

/// What strace wrote as `\x41`.
fn bytes(escaped: &str) -> Vec<u8> {
    if !escaped.contains("\\x") {
        return escaped.as_bytes().to_vec();
    }
    let codes = escaped.split("\\x").skip(1);
    codes.filter_map(|code| u8::from_str_radix(code.get(..2)?, 16).ok()).collect()
}

fn text(escaped: &str) -> String {
    String::from_utf8(bytes(escaped)).unwrap()
}

/// An action on a file that is not synced.
#[derive(Clone)]
enum Pending {
    Write(usize, Vec<u8>),
    Truncate(usize),
}

#[derive(Clone, Default)]
struct File {
    durable: Vec<u8>,
    pending: Vec<Pending>,
    length: usize,
}

/// An action on a name that may not be durable.
#[derive(Clone)]
enum Name {
    Made(PathBuf, usize),
    Moved(PathBuf, PathBuf),
    Gone(PathBuf),
}

#[derive(Default)]
struct Disk {
    files: Vec<File>,
    /// As the programs see them, and as they are durable.
    names: BTreeMap<PathBuf, usize>,
    durable: BTreeMap<PathBuf, usize>,
    pending: Vec<Name>,
}

fn rename(names: &mut BTreeMap<PathBuf, usize>, name: &Name) {
    match name {
        Name::Made(path, file) => {
            names.insert(path.clone(), *file);
        }
        Name::Gone(path) => {
            names.remove(path);
        }
        Name::Moved(from, to) => {
            let moved: Vec<PathBuf> =
                names.keys().filter(|path| path.starts_with(from)).cloned().collect();
            for path in moved {
                let rest = path.strip_prefix(from).unwrap();
                let new = if rest.as_os_str().is_empty() { to.clone() } else { to.join(rest) };
                if let Some(file) = names.remove(&path) {
                    names.insert(new, file);
                }
            }
        }
    }
}

impl Disk {
    fn take(&mut self, event: &Event, syncs: Syncs) {
        match event {
            Event::Opened(path) if path.is_absolute() && !self.names.contains_key(path) => {
                self.files.push(File::default());
                self.name(Name::Made(path.clone(), self.files.len() - 1));
            }
            Event::Wrote { path, at, bytes } => {
                if let Some(file) = self.file(path) {
                    let at = at.unwrap_or(file.length);
                    file.length = file.length.max(at + bytes.len());
                    file.pending.push(Pending::Write(at, bytes.clone()));
                }
            }
            Event::Truncated(path, length) => {
                if let Some(file) = self.file(path) {
                    file.length = *length;
                    file.pending.push(Pending::Truncate(*length));
                }
            }
            Event::Synced(path) if syncs == Syncs::Count => {
                if let Some(file) = self.file(path) {
                    for pending in std::mem::take(&mut file.pending) {
                        write(&mut file.durable, &pending, &mut |_| true);
                    }
                }
                for name in std::mem::take(&mut self.pending) {
                    rename(&mut self.durable, &name);
                }
            }
            Event::Renamed(from, to) => self.name(Name::Moved(from.clone(), to.clone())),
            Event::Removed(path) => self.name(Name::Gone(path.clone())),
            Event::Opened(_) | Event::Synced(_) | Event::Acked(_) => {}
        }
    }

    fn name(&mut self, name: Name) {
        rename(&mut self.names, &name);
        self.pending.push(name);
    }

    fn file(&mut self, path: &Path) -> Option<&mut File> {
        let at = *self.names.get(path)?;
        self.files.get_mut(at)
    }

    /// One of the states in which the disk may be found, below `dir`, as a folder in `to`.
    fn left(&self, dir: &Path, to: &Path, random: &mut Random) {
        let mut names = self.durable.clone();
        let moved = random.below(self.pending.len() + 1);
        self.pending.iter().take(moved).for_each(|name| rename(&mut names, name));
        std::fs::create_dir_all(to.join("media")).unwrap();
        std::fs::create_dir_all(to.join("cache")).unwrap();
        for (path, file) in names {
            let Ok(inside) = path.strip_prefix(dir) else { continue };
            // A folder was opened to be synced.
            if path.is_dir() {
                continue;
            }
            let file = &self.files[file];
            let mut bytes = file.durable.clone();
            // All, nothing or some of it.
            let share = [0, 50, 100][random.below(3)];
            for pending in &file.pending {
                write(&mut bytes, pending, &mut |_| random.below(100) < share);
            }
            let path = to.join(inside);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes).unwrap();
        }
    }
}

fn write(bytes: &mut Vec<u8>, pending: &Pending, is_there: &mut dyn FnMut(usize) -> bool) {
    match pending {
        Pending::Truncate(length) => {
            if is_there(0) {
                bytes.resize(*length, 0);
            }
        }
        Pending::Write(at, data) => {
            for (index, sector) in data.chunks(SECTOR).enumerate() {
                if is_there(index) {
                    let at = at + index * SECTOR;
                    bytes.resize(bytes.len().max(at + sector.len()), 0);
                    bytes[at..at + sector.len()].copy_from_slice(sector);
                }
            }
        }
    }
}

/// Loses power at random moments; how many states lost a revision that was acknowledged, of how many.
fn lose_power(events: &[Event], dir: &Path, states: usize, syncs: Syncs) -> (usize, usize) {
    let mut random = Random(7);
    let first = events.iter().position(|event| matches!(event, Event::Acked(_))).unwrap();
    let mut moments: Vec<usize> =
        (0..states).map(|_| first + 1 + random.below(events.len() - first)).collect();
    moments.sort_unstable();
    let (mut disk, mut taken, mut acked, mut lost) = (Disk::default(), 0, RevisionId(0), 0);
    for moment in moments {
        for event in &events[taken..moment.min(events.len())] {
            disk.take(event, syncs);
            if let Event::Acked(head) = event {
                acked = *head;
            }
        }
        taken = moment.min(events.len());
        let tmp = tempdir().unwrap();
        let folder = tmp.path().join("s");
        disk.left(dir, &folder, &mut random);
        lost += usize::from(!has(&folder, acked));
    }
    (lost, states)
}

/// Whether a folder opens with a revision, and the session as the newest revision left it.
fn has(folder: &Path, acked: RevisionId) -> bool {
    let Ok((store, loaded)) = Store::open(folder) else { return false };
    let head = loaded.history.head();
    // Revision 1 adds the track, and each later one sets its gain.
    let expected = -(head.0.saturating_sub(1) as f64) / 100.0;
    let gain = loaded.session.tracks.get(&TRACK).map(|track| track.gain.0);
    drop(store);
    head >= acked && gain.is_some_and(|gain| (gain - expected).abs() < 1e-9)
}

/// Small, and the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end
    }
}
