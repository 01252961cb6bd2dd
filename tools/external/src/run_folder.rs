//! The folder of one run: what the program gets is in it, and it can write nowhere else.
//!
//! `in/1.wav`, … the audio; `out/` for what it gives; `home/` for what it likes to keep meanwhile;
//! `request.json`, which is also its standard input; and the files that the tool brings with it.

use crate::candidate::Candidate;
use crate::launch::Launcher;
#[cfg(unix)]
use crate::launch::{LARGEST_FILE, Order, Running, processor_s};
#[cfg(unix)]
use crate::lines::{Line, parse};
use crate::outcome::Outcome;
use crate::sanitize;
use deskhand_dsp::{FrameReader, Frames};
use deskhand_media::{BitDepth, WavWriter};
use deskhand_session::{Clip, ClipId, Session};
use deskhand_toolkit::{Code, PlanContext, ToolError};
use serde_json::{Value, json};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// How the names of these folders begin.
pub(crate) const PREFIX: &str = "deskhand-tool-";

/// Frames that are copied at once.
const BLOCK: usize = 1 << 16;

/// A clip that a run works on.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) id: ClipId,
    pub(crate) clip: Clip,
}

impl Part {
    pub(crate) fn all(session: &Session, ids: &[ClipId]) -> Vec<Self> {
        let clip = |id: &ClipId| Some(Self { id: *id, clip: session.clips.get(id)?.clone() });
        ids.iter().filter_map(clip).collect()
    }
}

/// The folder of one run; dropping it removes it.
pub(crate) struct Room {
    /// Marks the folder as in use; dropped before it.
    #[cfg(unix)]
    _lock: File,
    dir: TempDir,
    /// The folder with links followed: what the fence around the program knows.
    path: PathBuf,
}

impl Room {
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Makes the folder and lays everything into it that the program gets.
    pub(crate) fn make(
        candidate: &Candidate,
        parts: &[Part],
        params: &Value,
        context: &PlanContext,
    ) -> Result<Self, ToolError> {
        let dir = tempfile::Builder::new().prefix(PREFIX).tempdir().map_err(unwritten)?;
        let path = dir.path().canonicalize().map_err(unwritten)?;
        let room = Self {
            #[cfg(unix)]
            _lock: crate::stale_runs::hold(&path).map_err(unwritten)?,
            dir,
            path,
        };
        for folder in ["in", "out", "home"] {
            fs::create_dir(room.path.join(folder)).map_err(unwritten)?;
        }
        for (name, from) in candidate.files() {
            fs::copy(from, room.path.join(name)).map_err(unwritten)?;
        }
        candidate.check_copies(&room.path)?;
        let mut clips = Vec::new();
        for (index, part) in parts.iter().enumerate() {
            context.step(index, parts.len() * 10, &sanitize::line(&part.clip.name, 80))?;
            clips.push(room.input(index + 1, part, context)?);
        }
        let request = json!({
            "format": crate::manifest::FORMAT,
            "tool": candidate.manifest.name,
            "params": params,
            "rate": context.session.rate.0,
            "clips": clips,
        });
        fs::write(room.request(), request.to_string()).map_err(unwritten)?;
        Ok(room)
    }

    fn request(&self) -> PathBuf {
        self.path.join("request.json")
    }

    /// Writes the region of a clip, and returns its description for the program.
    fn input(&self, number: usize, part: &Part, context: &PlanContext) -> Result<Value, ToolError> {
        let Part { id, clip } = part;
        let mut source =
            context.audio.source(&context.session, clip.source).map_err(ToolError::media)?;
        let file = format!("in/{number}.wav");
        let range = clip.start..clip.start + clip.length;
        let written = copy(source.as_mut(), range, &self.path.join(&file), context)?;
        Ok(json!({
            "id": id,
            "name": sanitize::line(&clip.name, 200),
            "file": file,
            "out": format!("out/{number}.wav"),
            "channels": source.channels(),
            "frames": written.0,
        }))
    }

    /// Runs the program and returns its result.
    #[cfg(unix)]
    pub(crate) fn run(
        &self,
        candidate: &Candidate,
        launcher: &Launcher,
        context: &PlanContext,
    ) -> Result<Outcome, ToolError> {
        let mut said = Said::default();
        let (ran, errors) = self.hear(candidate, launcher, context, &mut said);
        let name = &candidate.manifest.name;
        let about = Failed { name, errors: &errors };
        match (ran, said.error, said.result) {
            (Err(crate::launch::RunError::Stopped), ..) => {
                context.check()?;
                Err(about.error(Code::Cancelled, "stopped"))
            }
            (Err(error @ crate::launch::RunError::TooLong(_)), ..) => {
                Err(about.error(Code::TimedOut, &error.to_string()))
            }
            (_, Some(error), _) => Err(about.error(Code::Invalid, &format!("says: {error}"))),
            (Err(error), ..) => Err(about.error(Code::Invalid, &error.to_string())),
            (Ok(()), None, None) => Err(about.error(Code::Invalid, "it ended without a result")),
            (Ok(()), None, Some(outcome)) => {
                outcome.cleaned().map_err(|why| about.error(Code::Invalid, &why))
            }
        }
    }

    #[cfg(unix)]
    fn hear(
        &self,
        candidate: &Candidate,
        launcher: &Launcher,
        context: &PlanContext,
        said: &mut Said,
    ) -> (Result<(), crate::launch::RunError>, String) {
        let limit = candidate.manifest.timeout;
        let started = File::open(self.request())
            .map_err(crate::launch::RunError::Start)
            .and_then(|request| Running::start(launcher, &self.order(candidate), request, limit));
        let mut running = match started {
            Ok(running) => running,
            Err(error) => return (Err(error), String::new()),
        };
        let go_on = || context.check().is_ok();
        let ran = running.hear(&self.path, &go_on, &mut |line| said.take(line, context));
        (ran, running.errors())
    }

    #[cfg(unix)]
    fn order(&self, candidate: &Candidate) -> Order {
        let manifest = &candidate.manifest;
        let program = if candidate.brings_its_program() {
            self.path.join(&manifest.command)
        } else {
            candidate.command.clone()
        };
        let program = program.to_string_lossy().into_owned();
        Order {
            argv: std::iter::once(program).chain(manifest.args.iter().cloned()).collect(),
            room: self.path.clone(),
            network: Order::network_of(manifest.network),
            memory: manifest.memory,
            processor_s: processor_s(manifest.timeout),
            file: LARGEST_FILE,
        }
    }

    /// Programs are started on Unix only.
    #[cfg(not(unix))]
    pub(crate) fn run(
        &self,
        candidate: &Candidate,
        _: &Launcher,
        _: &PlanContext,
    ) -> Result<Outcome, ToolError> {
        let name = &candidate.manifest.name;
        let message = format!("{name} starts a program, which is not done on this system");
        Err(ToolError::run(Code::Refused, message, "use it on Linux or macOS"))
    }
}

impl std::fmt::Debug for Room {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Room").field("dir", &self.dir.path()).finish()
    }
}

/// What the program said so far.
#[cfg(unix)]
#[derive(Default)]
struct Said {
    result: Option<Outcome>,
    error: Option<String>,
}

#[cfg(unix)]
impl Said {
    fn take(&mut self, line: &[u8], context: &PlanContext) -> Result<(), String> {
        match parse(line)? {
            // The ends of the way are ours: files are written before, and read after.
            Line::Progress(at, what) => context.progress.report(0.1 + at * 0.8, &what),
            Line::Result(outcome) if self.result.is_none() => self.result = Some(*outcome),
            Line::Result(_) => return Err("it said its result twice".into()),
            Line::Error(error) => self.error = Some(error),
            Line::Blank => {}
        }
        Ok(())
    }
}

/// A run that failed, in words: what it was, and what the program wrote to standard error, as untrusted text.
#[cfg(unix)]
struct Failed<'a> {
    name: &'a str,
    errors: &'a str,
}

#[cfg(unix)]
impl Failed<'_> {
    fn error(&self, code: Code, what: &str) -> ToolError {
        let wrote = sanitize::tail(self.errors, 400);
        let wrote =
            if wrote.is_empty() { String::new() } else { format!(" (it wrote: {wrote:?})") };
        let message = format!("{}: {what}{wrote}", self.name);
        ToolError::run(
            code,
            message,
            "nothing was changed; `deskhand tools check` runs it on a test tone",
        )
    }
}

/// Copies a range of audio into a 32-bit float WAV file; gives its length.
pub(crate) fn copy(
    from: &mut dyn FrameReader,
    range: std::ops::Range<Frames>,
    to: &Path,
    context: &PlanContext,
) -> Result<Frames, ToolError> {
    let mut writer =
        WavWriter::create(to, from.rate(), from.channels(), BitDepth::F32).map_err(unwritten)?;
    let mut block = vec![vec![0.0f32; BLOCK]; from.channels()];
    let mut at = range.start;
    while at < range.end {
        context.check()?;
        let wanted = (range.end - at).index().min(BLOCK);
        let mut planes: Vec<&mut [f32]> =
            block.iter_mut().filter_map(|plane| plane.get_mut(..wanted)).collect();
        let read = from.read(at, &mut planes).map_err(ToolError::media)?;
        if read == 0 {
            break;
        }
        let planes: Vec<&[f32]> = block.iter().filter_map(|plane| plane.get(..read)).collect();
        writer.write(&planes).map_err(unwritten)?;
        at += Frames::from_index(read);
    }
    writer.finish().map(|written| written.frames).map_err(unwritten)
}

pub(crate) fn unwritten(error: impl Into<WriteFailure>) -> ToolError {
    let WriteFailure(why) = error.into();
    ToolError::run(Code::Write, why, "nothing was changed; is the disk full?")
}

/// Why something could not be written.
pub(crate) struct WriteFailure(String);

impl From<io::Error> for WriteFailure {
    fn from(error: io::Error) -> Self {
        Self(format!("the folder of the run cannot be written: {error}"))
    }
}

impl From<deskhand_media::WriteError> for WriteFailure {
    fn from(error: deskhand_media::WriteError) -> Self {
        Self(error.to_string())
    }
}
