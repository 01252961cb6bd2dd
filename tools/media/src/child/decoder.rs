//! The parent's side: a [`FrameReader`] whose samples come from the child.

use super::ChildCommand;
use super::protocol::{Answer, MOST_FRAMES, Request, hear, say};
use crate::error::{OpenError, shown};
use crate::guard;
use crate::probe::Probe;
use crate::read_request;
use crate::stats::{ReadStats, make_finite};
use deskhand_dsp::{FrameReader, Frames, ReadError, SampleRate};
use std::io::{BufReader, Read};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

/// How long the child may take for one answer.
const PATIENCE: Duration = Duration::from_secs(90);

/// A file that a child process decodes. Dropping it ends the child.
pub(crate) struct ChildDecoder {
    link: Link,
    probe: Probe,
    file: String,
    stats: Arc<ReadStats>,
    /// Why the child is unusable.
    lost: Option<String>,
}

/// The process and the two directions.
struct Link {
    child: Child,
    requests: ChildStdin,
    answers: Receiver<Delivery>,
}

/// An answer and, for a block, its samples.
type Delivery = std::io::Result<(Answer, Vec<u8>)>;

impl ChildDecoder {
    /// Starts the child on `path` and waits for what it says about the file.
    pub(crate) fn open(
        command: &ChildCommand,
        path: &Path,
        track: Option<u16>,
        stats: Arc<ReadStats>,
    ) -> Result<Self, OpenError> {
        let file = shown(path);
        let failed = |problem: String| OpenError::Child { file: file.clone(), problem };
        let mut link = Link::start(command, path, track).map_err(|e| {
            failed(format!("the decoding program {} did not start: {e}", shown(&command.program)))
        })?;
        match link.hear().map_err(failed)?.0 {
            Answer::Opened { probe } => {
                // The child read an untrusted file: its word is checked like a header.
                guard::check_shape(&file, probe.channels as u64, probe.rate.0.into())?;
                if probe.frames.0 <= 0 {
                    return Err(OpenError::NoFrames { file });
                }
                Ok(Self { link, probe, file, stats, lost: None })
            }
            Answer::Refused { error } => Err(error),
            Answer::Block { .. } | Answer::Failed { .. } => {
                Err(OpenError::Child { file, problem: "it answered what was not asked".into() })
            }
        }
    }

    pub(crate) fn probe(&self) -> &Probe {
        &self.probe
    }

    /// Asks for one block; returns its samples, planar, and how many frames they are.
    fn block(&mut self, at: Frames, frames: usize) -> Result<(Vec<u8>, usize), String> {
        let request = Request { at: at.0, frames };
        let sent = say(&mut self.link.requests, &request);
        if sent.is_err() {
            return Err(self.link.why());
        }
        match self.link.hear()? {
            (Answer::Block { frames: got, nonfinite, damaged }, bytes) => {
                let expected = got.saturating_mul(4 * self.probe.channels);
                if got == 0 || got > frames || bytes.len() != expected {
                    return Err("it sent a block of the wrong size".into());
                }
                self.stats.raise(nonfinite, damaged);
                Ok((bytes, got))
            }
            (Answer::Failed { message }, _) => Err(message),
            (Answer::Opened { .. } | Answer::Refused { .. }, _) => {
                Err("it answered what was not asked".into())
            }
        }
    }
}

impl Link {
    fn start(command: &ChildCommand, path: &Path, track: Option<u16>) -> std::io::Result<Self> {
        let mut child = Command::new(&command.program)
            .args(&command.args)
            .arg(path)
            .args(track.map(|track| track.to_string()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take());
        let (Some(requests), Some(output)) = pipes else {
            let _ended = child.kill();
            return Err(std::io::Error::other("it has no pipes"));
        };
        let (send, answers) = sync_channel(1);
        // Reading a pipe cannot be given a time limit, waiting for a thread can.
        std::thread::spawn(move || listen(output, &send));
        Ok(Self { child, requests, answers })
    }

    /// The next answer, or what happened to the child.
    fn hear(&mut self) -> Result<(Answer, Vec<u8>), String> {
        match self.answers.recv_timeout(PATIENCE) {
            Ok(Ok(delivery)) => Ok(delivery),
            Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => Err(self.why()),
            Err(RecvTimeoutError::Timeout) => {
                Err(format!("it gave no answer for {} seconds", PATIENCE.as_secs()))
            }
        }
    }

    /// How the child ended. It closed its pipe, so it has ended or is about to.
    fn why(&mut self) -> String {
        for _ in 0..50 {
            if let Ok(Some(status)) = self.child.try_wait() {
                return reason(status);
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        "it stopped talking".into()
    }
}

fn reason(status: std::process::ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return match signal {
            6 => "it asked for more memory than audio needs".into(),
            24 => "it took more processor time than audio needs".into(),
            other => format!("it was ended by signal {other}"),
        };
    }
    format!("it ended early ({status})")
}

impl Drop for Link {
    fn drop(&mut self) {
        let _ended = self.child.kill();
        let _reaped = self.child.wait();
    }
}

/// Passes answers on until the child ends or nobody waits any more.
fn listen(output: ChildStdout, send: &SyncSender<Delivery>) {
    let mut output = BufReader::with_capacity(1 << 16, output);
    let mut channels = 0;
    loop {
        let delivery = match next(&mut output, &mut channels) {
            Ok(Some(delivery)) => Ok(delivery),
            Ok(None) => return,
            Err(error) => Err(error),
        };
        let broken = delivery.is_err();
        if send.send(delivery).is_err() || broken {
            return;
        }
    }
}

fn next(
    output: &mut BufReader<ChildStdout>,
    channels: &mut usize,
) -> std::io::Result<Option<(Answer, Vec<u8>)>> {
    let Some(answer) = hear::<Answer>(output)? else {
        return Ok(None);
    };
    let mut bytes = Vec::new();
    match &answer {
        Answer::Opened { probe } => *channels = probe.channels.min(32),
        Answer::Block { frames, .. } => {
            bytes.resize((*frames).min(MOST_FRAMES) * 4 * *channels, 0);
            output.read_exact(&mut bytes)?;
        }
        Answer::Refused { .. } | Answer::Failed { .. } => {}
    }
    Ok(Some((answer, bytes)))
}

impl FrameReader for ChildDecoder {
    fn channels(&self) -> usize {
        self.probe.channels
    }

    fn frames(&self) -> Frames {
        self.probe.frames
    }

    fn rate(&self) -> SampleRate {
        self.probe.rate
    }

    fn read(&mut self, at: Frames, out: &mut [&mut [f32]]) -> Result<usize, ReadError> {
        let (_, wanted) = read_request::check(at, self.frames(), self.channels(), out)?;
        let mut done = 0;
        while done < wanted {
            if let Some(problem) = &self.lost {
                return Err(failed(&self.file, problem));
            }
            let ask = (wanted - done).min(MOST_FRAMES);
            match self.block(at + Frames::from_index(done), ask) {
                Ok((bytes, got)) => {
                    self.stats.add_nonfinite(unpack(&bytes, got, done, out));
                    done += got;
                }
                Err(problem) => self.lost = Some(problem),
            }
        }
        Ok(done)
    }
}

fn failed(file: &str, problem: &str) -> ReadError {
    ReadError(OpenError::Child { file: file.to_owned(), problem: problem.to_owned() }.to_string())
}

/// Planar little-endian samples into `out[..][at..]`.
fn unpack(bytes: &[u8], frames: usize, at: usize, out: &mut [&mut [f32]]) -> u64 {
    let mut bad = 0;
    for (plane, to) in bytes.chunks_exact((frames * 4).max(4)).zip(out) {
        let to = to.get_mut(at..at + frames).unwrap_or_default();
        for (to, from) in to.iter_mut().zip(plane.as_chunks::<4>().0) {
            *to = f32::from_le_bytes(*from);
        }
        bad += make_finite(to);
    }
    bad
}
