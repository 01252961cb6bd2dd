//! Records the input: the callback passes on audio, and a disk thread writes the files.
//!
//! Thread: audio (the listener), disk (the writer). The listener allocates, frees, locks and waits for nothing.

use super::block_placement::Steady;
use super::clock_map::{Anchor, Moment};
use super::input_level::Incoming;
use cpal::{FromSample, Sample};
use crossbeam_channel::Sender;
use deskhand_dsp::{Frames, SampleRate};
use deskhand_editor::InputChannels;
use deskhand_engine::capture::{CaptureSink, MayWait, Tap};
use deskhand_media::{BitDepth, WavWriter};
use deskhand_protocol::CaptureKind;
use deskhand_session::TrackId;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

/// Frames that are handed over in one go.
const CHUNK: usize = 1024;
/// Frames that are written in one go.
const PIECE: usize = 4096;
/// The channels that one taker records at most.
pub(super) const MOST_CHANNELS: usize = 2;
/// A shorter pass is not kept, s: somebody looked for a place.
const LEAST: f64 = 0.2;

/// The results of recording.
#[derive(Clone, Debug, PartialEq)]
pub enum RecordNews {
    /// The input is open.
    Ready { name: String, channels: usize },
    /// It cannot be opened, or went away.
    Failed(String),
    Pass {
        track: TrackId,
        file: PathBuf,
        /// Where it begins, frames at the session's rate.
        at: Frames,
    },
    /// Something of a pass is missing, or could not be written.
    Trouble(String),
    /// A pass that a killed program was recording is back.
    Back {
        track: TrackId,
        /// Where it begins, frames at the session's rate.
        at: Frames,
        /// Its length in seconds; `None` if the file does not say.
        seconds: Option<f64>,
    },
}

/// Takes some channels of an input.
pub struct Taker {
    /// Where they go.
    pub tap: Tap,
    pub channels: InputChannels,
    /// How loud they are, whether they are recorded or not.
    pub incoming: Incoming,
}

impl Taker {
    fn measure<T>(&self, block: &[T], channels: usize)
    where
        T: Sample,
        f32: FromSample<T>,
    {
        for (side, channel) in sides(self.channels).into_iter().enumerate() {
            let samples = block.iter().skip(channel.min(channels - 1)).step_by(channels);
            let peak = samples.map(|sample| f32::from_sample(*sample).abs()).fold(0.0, f32::max);
            self.incoming.note(side, peak);
        }
    }
}

/// The channels that are left and right.
fn sides(taken: InputChannels) -> [usize; 2] {
    match taken {
        InputChannels::Pair(first) => [first, first + 1],
        InputChannels::One(channel) => [channel; 2],
    }
}

/// What an input's callback does.
pub struct Listener {
    takers: Vec<Taker>,
    anchor: Anchor,
    rate: u32,
    /// Whether the person records.
    is_on: Arc<AtomicBool>,
    steady: Steady,
    planes: [Box<[f32; CHUNK]>; MOST_CHANNELS],
}

impl Listener {
    /// What hands an input at `rate` to `takers` while `is_on` and the timeline moves.
    #[must_use]
    pub fn new(
        takers: Vec<Taker>,
        anchor: Anchor,
        rate: SampleRate,
        is_on: Arc<AtomicBool>,
    ) -> Self {
        let planes = [Box::new([0.0; CHUNK]), Box::new([0.0; CHUNK])];
        Self { takers, anchor, rate: rate.0, is_on, steady: Steady::new(rate.0), planes }
    }

    /// Takes a block of `channels` samples a frame.
    pub fn hear<T>(&mut self, block: &[T], channels: usize, moment: Moment)
    where
        T: Sample,
        f32: FromSample<T>,
    {
        let channels = channels.max(1);
        self.takers.iter().for_each(|taker| taker.measure(block, channels));
        let at = self.anchor.at(moment, self.rate).filter(|_| self.is_on.load(Ordering::Relaxed));
        let Some(at) = at else {
            self.steady.pause();
            self.takers.iter_mut().for_each(|taker| taker.tap.pause());
            return;
        };
        let mut at = self.steady.place(at, Frames::from_index(block.len() / channels).0);
        for chunk in block.chunks(CHUNK * channels) {
            let frames = chunk.len() / channels;
            for Taker { tap, channels: taken, .. } in &mut self.takers {
                for (channel, plane) in sides(*taken).into_iter().zip(&mut self.planes) {
                    let samples = chunk.iter().skip(channel.min(channels - 1)).step_by(channels);
                    for (place, sample) in plane.iter_mut().zip(samples) {
                        *place = f32::from_sample(*sample);
                    }
                }
                let [left, right] = &self.planes;
                // A loss is counted by the tap, and reported by the disk thread.
                tap.push(&[&left[..frames], &right[..frames]], Frames(at), MayWait::Never);
            }
            at += Frames::from_index(frames).0;
        }
    }
}

/// Writes passes as files.
pub struct Writer {
    track: TrackId,
    folder: PathBuf,
    rate: SampleRate,
    session: SampleRate,
    channels: usize,
    news: Sender<RecordNews>,
    wake: Box<dyn Fn() + Send>,
    open: Option<Open>,
    planes: Vec<Vec<f32>>,
}

struct Open {
    writer: WavWriter,
    path: PathBuf,
    at: Frames,
    frames: u64,
}

impl Writer {
    /// What writes passes at `rate` into `folder`, and tells where they begin at the session's rate.
    #[must_use]
    pub fn new(
        track: TrackId,
        folder: &Path,
        [rate, session]: [SampleRate; 2],
        channels: usize,
        news: Sender<RecordNews>,
        wake: Box<dyn Fn() + Send>,
    ) -> Self {
        let planes = vec![Vec::with_capacity(PIECE); channels];
        let folder = folder.into();
        Self { track, folder, rate, session, channels, news, wake, open: None, planes }
    }

    fn tell(&self, news: RecordNews) {
        // The window may be gone.
        drop(self.news.send(news));
        (self.wake)();
    }

    /// A timeline frame at the session's rate.
    fn in_session(&self, at: Frames) -> Frames {
        let scaled = i128::from(at.0) * i128::from(self.session.0) / i128::from(self.rate.0);
        Frames(i64::try_from(scaled).unwrap_or(at.0))
    }

    fn write_piece(&mut self, frames: &[f32]) {
        for (channel, plane) in self.planes.iter_mut().enumerate() {
            plane.clear();
            plane.extend(frames.iter().skip(channel).step_by(MOST_CHANNELS));
        }
        let planes: Vec<&[f32]> = self.planes.iter().map(Vec::as_slice).collect();
        let Some(open) = &mut self.open else { return };
        match open.writer.write(&planes) {
            Ok(()) => open.frames += (frames.len() / MOST_CHANNELS) as u64,
            Err(error) => {
                self.tell(RecordNews::Trouble(early(&error.cause())));
                self.end();
            }
        }
    }
}

fn early(why: &str) -> String {
    format!("recording ended early: {why}. What came before is kept; make room, and record on")
}

impl CaptureSink for Writer {
    fn begin(&mut self, at: Frames) {
        let made = std::fs::create_dir_all(&self.folder);
        let path = self.folder.join(name(self.track, self.in_session(at)));
        let writer = WavWriter::create(&path, self.rate, self.channels, BitDepth::F32);
        match (made, writer) {
            (Ok(()), Ok(writer)) => self.open = Some(Open { writer, path, at, frames: 0 }),
            (Err(error), _) => self.tell(RecordNews::Trouble(error.to_string())),
            (_, Err(error)) => self.tell(RecordNews::Trouble(error.to_string())),
        }
    }

    fn write(&mut self, frames: &[f32]) {
        frames.chunks(PIECE * MOST_CHANNELS).for_each(|piece| self.write_piece(piece));
    }

    fn end(&mut self) {
        let Some(Open { writer, path, at, frames }) = self.open.take() else { return };
        if (frames as f64) < LEAST * f64::from(self.rate.0) {
            // Dropped unfinished, it takes its file along.
            return;
        }
        let at = self.in_session(at);
        match writer.keep() {
            Ok(kept) => {
                if (kept.frames.index() as u64) < frames {
                    self.tell(RecordNews::Trouble(early("the disk is full")));
                }
                self.tell(RecordNews::Pass { track: self.track, file: path, at });
            }
            Err(error) => self.tell(RecordNews::Trouble(error.to_string())),
        }
    }

    fn lost(&mut self, frames: Frames) {
        let seconds = frames.0 as f64 / f64::from(self.rate.0);
        let why = "the disk was too slow; record that part again";
        self.tell(RecordNews::Trouble(format!("{seconds:.2} s were not recorded: {why}")));
    }
}

/// No two files of one machine have one name. The hub knows by it that the person armed the track, and the next window
/// where it belongs if this one is killed.
fn name(track: TrackId, at: Frames) -> String {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let kind = CaptureKind::Armed.prefix();
    format!("{kind}{:x}-{track}-{}.wav", now.as_micros(), at.0)
}

/// Which track a file was recorded to and where it begins at the session's rate, by its name.
pub(crate) fn place_of(file: &Path) -> Option<(TrackId, Frames)> {
    let name = file.file_stem()?.to_str()?.strip_prefix(CaptureKind::Armed.prefix())?;
    let mut parts = name.splitn(3, '-').skip(1);
    let (track, at) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    Some((track, Frames(at)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossbeam_channel::unbounded;
    use deskhand_engine::capture::{CaptureConfig, capture};
    use tempfile::TempDir;

    const RATE: SampleRate = SampleRate(48_000);

    fn moment(ms: i64) -> Moment {
        Moment { callback: (ms + 10) * 1_000_000, converter: ms * 1_000_000 }
    }

    /// 10 ms of a ramp on both sides, from frame `from` on.
    fn block(from: usize) -> Vec<f32> {
        (from..from + 480).flat_map(|n| [n as f32 / 1e6, -(n as f32) / 1e6]).collect()
    }

    struct Place {
        listener: Listener,
        anchor: Anchor,
        is_on: Arc<AtomicBool>,
        feed: deskhand_engine::capture::Feed,
        writer: Writer,
        news: crossbeam_channel::Receiver<RecordNews>,
        incoming: Incoming,
        _tmp: TempDir,
    }

    fn place(ring: i64, session: SampleRate) -> Place {
        taking(ring, session, InputChannels::default())
    }

    fn taking(ring: i64, session: SampleRate, channels: InputChannels) -> Place {
        let tmp = tempfile::tempdir().unwrap();
        let config = CaptureConfig { channels: 2, ring: Frames(ring) };
        let (tap, feed) = capture(config).unwrap();
        let (anchor, is_on) = (Anchor::default(), Arc::new(AtomicBool::new(true)));
        let incoming = Incoming::default();
        let taker = Taker { tap, channels, incoming: incoming.clone() };
        let listener = Listener::new(vec![taker], anchor.clone(), RATE, Arc::clone(&is_on));
        let (told, news) = unbounded();
        let folder = tmp.path().join("captures");
        let writer =
            Writer::new(TrackId::new(9), &folder, [RATE, session], 2, told, Box::new(|| {}));
        Place { listener, anchor, is_on, feed, writer, news, incoming, _tmp: tmp }
    }

    /// The timeline moves: frame 4800 is heard at 1,000 ms.
    fn roll(anchor: &Anchor) {
        let heard = Moment { callback: 980_000_000, converter: 1_000_000_000 };
        anchor.heard(Some(Frames(4800 + 480)), 480, heard, RATE.0);
    }

    #[test]
    fn a_pass_begins_where_it_was_heard_and_holds_what_came_in() {
        let mut it = place(48_000, RATE);
        it.listener.hear(&block(0), 2, moment(900));
        roll(&it.anchor);
        for number in 0..30_i64 {
            // The clock trembles by a millisecond; the pass stays whole.
            let ms = 1_000 + number * 10 + number % 2;
            it.listener.hear(&block(number as usize * 480), 2, moment(ms));
        }
        it.is_on.store(false, Ordering::Relaxed);
        it.listener.hear(&block(0), 2, moment(1_300));
        it.feed.step(&mut it.writer);
        let news: Vec<_> = it.news.try_iter().collect();
        let [RecordNews::Pass { track, file, at }] = news.as_slice() else { panic!("{news:?}") };
        assert_eq!((*track, *at), (TrackId::new(9), Frames(4800)));
        assert_eq!(place_of(file), Some((TrackId::new(9), Frames(4800))));
        let name = file.file_name().unwrap().to_str().unwrap();
        assert!(name.starts_with("armed-"), "the hub makes no room by removing it: {name}");
        let mut reader = deskhand_media::Opener::in_process().open(file).unwrap();
        let (mut left, mut right) = (vec![0.0; 20_000], vec![0.0; 20_000]);
        let read = reader.read(Frames::ZERO, &mut [&mut left, &mut right]).unwrap();
        assert_eq!(read, 30 * 480);
        assert_eq!((left[14_399], right[14_399]), (14_399.0 / 1e6, -14_399.0 / 1e6));
    }

    #[test]
    fn what_comes_in_is_measured_while_nothing_is_recorded() {
        let mut it = place(48_000, RATE);
        it.is_on.store(false, Ordering::Relaxed);
        it.listener.hear(&[0.25_f32, -0.5, f32::NAN, 0.125], 2, moment(900));
        assert_eq!(it.incoming.take(), [0.25, 0.5]);
        assert_eq!(it.incoming.take(), [0.0, 0.0], "it begins anew");
        let mut right = taking(48_000, RATE, InputChannels::One(1));
        right.listener.hear(&[0.25_f32, -0.5], 2, moment(900));
        assert_eq!(right.incoming.take(), [0.5, 0.5]);
    }

    #[test]
    fn one_channel_of_an_input_is_taken_alone() {
        let mut it = taking(48_000, RATE, InputChannels::One(1));
        roll(&it.anchor);
        for number in 0..30_i64 {
            it.listener.hear(&block(number as usize * 480), 2, moment(1_000 + number * 10));
        }
        it.is_on.store(false, Ordering::Relaxed);
        it.listener.hear(&block(0), 2, moment(1_300));
        it.feed.step(&mut it.writer);
        let news: Vec<_> = it.news.try_iter().collect();
        let [RecordNews::Pass { file, .. }] = news.as_slice() else { panic!("{news:?}") };
        let mut reader = deskhand_media::Opener::in_process().open(file).unwrap();
        let (mut left, mut right) = (vec![0.0; 14_400], vec![0.0; 14_400]);
        reader.read(Frames::ZERO, &mut [&mut left, &mut right]).unwrap();
        assert_eq!((left[14_399], right[14_399]), (-14_399.0 / 1e6, -14_399.0 / 1e6));
    }

    #[test]
    fn what_finds_no_room_is_told_and_a_look_for_a_place_is_not_kept() {
        let mut it = place(1_024, SampleRate(96_000));
        roll(&it.anchor);
        for number in 0..4 {
            it.listener.hear(&block(0), 2, moment(1_000 + number * 10));
        }
        it.feed.step(&mut it.writer);
        it.listener.hear(&block(0), 2, moment(1_040));
        it.is_on.store(false, Ordering::Relaxed);
        it.listener.hear(&block(0), 2, moment(1_050));
        it.feed.step(&mut it.writer);
        let news: Vec<_> = it.news.try_iter().collect();
        let [RecordNews::Trouble(told)] = news.as_slice() else { panic!("{news:?}") };
        assert!(told.starts_with("0.02 s were not recorded"), "{told}");
        assert_eq!(it.writer.in_session(Frames(4800)), Frames(9600));
    }
}
