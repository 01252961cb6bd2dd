//! Records the input while the host plays: into files, which the hub adds to the session.
//!
//! Thread: disk (the sink) and message (making both ends)
//!
//! A pass is a stretch of the host's timeline without a gap. Of a long one the last minutes that the person
//! wants are kept, and up to as many more; of an armed one all. Before there is a session passes are recorded into a folder of
//! this process: the first that is kept asks for a session, and moves there.

mod waiting;

pub(crate) use waiting::{leave, moved_into};

use crate::capturing::Capturing;
use crate::shared::{Pass, Shared, Standing};
use deskhand_dsp::{Frames, SampleRate};
use deskhand_engine::capture::{CaptureConfig, CaptureSink, CaptureThread, Tap, capture};
use deskhand_media::{BitDepth, WavWriter};
use deskhand_protocol::CaptureKind;
use deskhand_session::TrackId;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

/// Longest file of an armed pass in minutes; a longer one goes on in another.
const ARMED_MINUTES: u32 = 60;
/// A shorter pass is not kept, in tenths of a second: somebody looked for a place.
const LEAST_TENTHS: u64 = 5;
/// The same of an armed one, as in the app: somebody wanted it, and slipped.
const LEAST_ARMED_TENTHS: u64 = 2;
/// How many bytes are written at least and at most until the folder is looked at again.
const LOOKS: [u64; 2] = [256 << 10, 16 << 20];
/// Frames written at once.
const PIECE: usize = 4_096;

/// Both ends of the recording of an instance: the audio thread's, and the thread that writes.
pub(crate) fn start(
    shared: &Arc<Shared>,
    rate: f32,
    channels: usize,
) -> Option<(Tap, CaptureThread)> {
    let rate = SampleRate(rate as u32);
    shared.capture_begins();
    let (tap, feed) = capture(CaptureConfig::at(rate, channels)).ok()?;
    let recorder = Recorder {
        shared: Arc::clone(shared),
        rate,
        channels,
        file: None,
        kind: CaptureKind::Rolling,
        at: 0,
        earlier: None,
        planes: vec![Vec::with_capacity(PIECE); channels],
    };
    let thread = feed.spawn(Box::new(recorder)).ok()?;
    Some((tap, thread))
}

/// A file that grows.
struct Open {
    writer: WavWriter,
    path: PathBuf,
    /// Timeline frame of its first, at the host's rate.
    at: i64,
    frames: u64,
    /// Bytes that may be written until the folder is looked at again.
    room: u64,
}

/// The folder holds as much as the person wants, or more.
struct NoRoom;

struct Recorder {
    shared: Arc<Shared>,
    rate: SampleRate,
    channels: usize,
    file: Option<Open>,
    /// How the pass came to be.
    kind: CaptureKind,
    /// Timeline frame of the next sample.
    at: i64,
    /// The file before this one, of the same pass.
    earlier: Option<Pass>,
    planes: Vec<Vec<f32>>,
}

impl Recorder {
    fn open(&mut self) {
        let (folder, track) = match self.shared.standing() {
            Standing::Joined(seated) => (seated.captures, seated.track),
            Standing::Alone | Standing::Coming => match waiting::folder() {
                Ok(folder) => (folder, TrackId::new(0)),
                Err(why) => return self.shared.set_capture_trouble(Some(why.to_string())),
            },
            Standing::Failed { .. } => return,
        };
        let Ok(room) = self.room_in(&folder) else { return };
        let path = folder.join(name(self.kind, &self.shared.id, track, self.at));
        match WavWriter::create(&path, self.rate, self.channels, BitDepth::F32) {
            Ok(writer) => {
                self.shared.set_capture_trouble(None);
                self.shared.set_captures(true);
                self.file = Some(Open { writer, path, at: self.at, frames: 0, room });
            }
            Err(error) => self.shared.set_capture_trouble(Some(error.to_string())),
        }
    }

    /// How many bytes may be written until the folder is checked again. An armed recording is always kept
    /// whole.
    fn room_in(&self, folder: &Path) -> Result<u64, NoRoom> {
        let wanted = Capturing::now();
        if self.kind == CaptureKind::Armed {
            return Ok(u64::MAX);
        }
        let (held, most) = (size_of(folder), wanted.most_bytes());
        if held > most {
            self.shared.want_room(held);
            let is_under_way = self.file.is_some() || self.earlier.is_some();
            let words = no_room(folder, wanted.most_gb, is_under_way);
            self.shared.set_capture_trouble(Some(words));
            return Err(NoRoom);
        }
        // Other instances write there too.
        Ok(((most - held) / 8).clamp(LOOKS[0], LOOKS[1]))
    }

    /// Looks whether there is room for more, once as much was written as there was room for.
    fn look_for_room(&mut self, bytes: u64) {
        let Some(open) = &mut self.file else { return };
        if let Some(left) = open.room.checked_sub(bytes) {
            open.room = left;
            return;
        }
        let folder = open.path.parent().map(Path::to_owned).unwrap_or_default();
        let room = self.room_in(&folder);
        match (room, &mut self.file) {
            (Ok(room), Some(open)) => open.room = room,
            (Ok(_), None) => {}
            (Err(NoRoom), _) => self.end(),
        }
    }

    /// Completes the open file; `None` if there was none, or it is too short to keep.
    fn close(&mut self) -> Option<Pass> {
        let Open { writer, path, at, frames, .. } = self.file.take()?;
        self.shared.set_captures(false);
        if is_too_short(self.kind, frames, self.rate) && self.earlier.is_none() {
            // A file that is too short is dropped with its writer.
            return None;
        }
        match writer.keep() {
            Ok(_) => Some(Pass { file: path, at, rate: self.rate.0, kind: self.kind }),
            Err(error) => {
                self.shared.set_capture_trouble(Some(error.to_string()));
                None
            }
        }
    }

    /// Continues the pass in another file. Of the earlier files the last is kept, or all if the track is
    /// armed.
    fn turn(&mut self) {
        let full = self.close();
        let before = std::mem::replace(&mut self.earlier, full);
        match (before, self.kind) {
            (Some(whole), CaptureKind::Armed) => self.shared.add_pass(whole),
            (Some(old), CaptureKind::Rolling) => drop(fs::remove_file(old.file)),
            (None, _) => {}
        }
        self.open();
    }

    /// How long a file gets, in frames.
    fn longest(&self) -> u64 {
        let minutes = match self.kind {
            CaptureKind::Rolling => Capturing::now().minutes,
            CaptureKind::Armed => armed_minutes(),
        };
        u64::from(self.rate.0) * 60 * u64::from(minutes)
    }

    fn write_piece(&mut self, frames: &[f32]) {
        for plane in &mut self.planes {
            plane.clear();
        }
        for frame in frames.chunks_exact(self.channels) {
            self.planes.iter_mut().zip(frame).for_each(|(plane, sample)| plane.push(*sample));
        }
        let count = frames.len() / self.channels;
        let planes: Vec<&[f32]> = self.planes.iter().map(Vec::as_slice).collect();
        self.at += Frames::from_index(count).0;
        #[cfg(feature = "test-probes")]
        crate::planted_faults::wait_for_disk();
        #[cfg(feature = "test-probes")]
        crate::planted_faults::trip(crate::guard::Entry::Capture);
        let Some(open) = &mut self.file else { return };
        match open.writer.write(&planes) {
            Ok(()) => {
                open.frames += count as u64;
                self.look_for_room(size_of_val(frames) as u64);
            }
            Err(error) => {
                let why = error.cause();
                self.shared.set_capture_trouble(Some(format!(
                    "capturing ended early: {why}. What came before is kept; make room, and play on"
                )));
                self.end();
            }
        }
    }
}

impl CaptureSink for Recorder {
    fn begin(&mut self, at: Frames) {
        self.at = at.0;
        self.earlier = None;
        let is_armed = self.shared.is_armed();
        self.kind = if is_armed { CaptureKind::Armed } else { CaptureKind::Rolling };
        self.open();
    }

    fn write(&mut self, frames: &[f32]) {
        for piece in frames.chunks(PIECE * self.channels) {
            let longest = self.longest();
            if self.file.as_ref().is_some_and(|open| open.frames >= longest) {
                self.turn();
            }
            self.write_piece(piece);
        }
    }

    fn end(&mut self) {
        let last = self.close();
        let earlier = self.earlier.take();
        earlier.into_iter().chain(last).for_each(|pass| self.shared.add_pass(pass));
    }

    fn lost(&mut self, frames: Frames) {
        let seconds = frames.0 as f64 / f64::from(self.rate.0);
        self.shared.set_capture_trouble(Some(format!(
            "{seconds:.1} s of the input were not captured: the disk was too slow; play that part again"
        )));
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        // The thread ends here on an error of ours: nobody else would know.
        if std::thread::panicking() {
            self.shared.capture_broke();
        }
    }
}

fn is_too_short(kind: CaptureKind, frames: u64, rate: SampleRate) -> bool {
    let least = match kind {
        CaptureKind::Rolling => LEAST_TENTHS,
        CaptureKind::Armed => LEAST_ARMED_TENTHS,
    };
    frames * 10 < u64::from(rate.0) * least
}

fn armed_minutes() -> u32 {
    #[cfg(feature = "test-probes")]
    if let Some(minutes) = crate::planted_faults::armed_minutes() {
        return minutes;
    }
    ARMED_MINUTES
}

/// Why a pass is not captured, or not to its end.
fn no_room(folder: &Path, most_gb: u32, is_under_way: bool) -> String {
    let what = if is_under_way {
        "capturing ended early. What came before is kept, and what"
    } else {
        "this pass was not captured. What"
    };
    format!(
        "{} holds more than {most_gb} GB of captured audio: {what} no clip plays is removed now, as far as it was not \
         armed; play again. If this stays, delete clips of what was captured, or raise the limit in the preferences",
        folder.display()
    )
}

/// A file name that is unique on this machine. It says how the file was made and where it belongs, for a
/// hub that learns of it later.
fn name(kind: CaptureKind, instance: &str, track: TrackId, at: i64) -> String {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let who = instance.rsplit('_').next().unwrap_or_default();
    format!("{}{:x}-{who}-{track}-{at}.wav", kind.prefix(), now.as_micros())
}

fn size_of(folder: &Path) -> u64 {
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    files.filter_map(|file| file.metadata().ok()).map(|found| found.len()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_what_is_armed_a_shorter_pass_is_kept_than_of_what_only_rolls() {
        let rate = SampleRate(48_000);
        let is_kept = |kind, tenths: u64| !is_too_short(kind, tenths * 4_800, rate);
        assert_eq!([1, 2, 4].map(|it| is_kept(CaptureKind::Armed, it)), [false, true, true]);
        assert_eq!([2, 4, 5].map(|it| is_kept(CaptureKind::Rolling, it)), [false, false, true]);
    }
}
