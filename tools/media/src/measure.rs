//! Measuring on several threads: the loudness profile of a stretch of audio, and its peaks.
//!
//! Every chunk begins on a whole second and is warmed with the audio before it, so the joined profile is
//! the profile of one pass (see `deskhand_dsp::loudness`).

use crate::error::OpenError;
use crate::stats::{ReadStats, silenced};
use deskhand_dsp::loudness::WARM_SECONDS;
use deskhand_dsp::loudness::{JoinError, LoudnessError, LoudnessMeter, LoudnessProfile};
use deskhand_dsp::peaks::{PeakBuilder, PeakPyramid};
use deskhand_dsp::{FrameReader, Frames, ReadError, SampleRate, Seconds};
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

/// Why audio could not be measured.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MeasureError {
    /// The audio cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The audio has a shape that loudness is not defined for.
    #[error(transparent)]
    Shape(#[from] LoudnessError),
    #[error("the measured parts do not join: {0}; this is a fault in Deskhand, please report it")]
    Join(#[from] JoinError),
    #[error("a measuring thread ended early; this is a fault in Deskhand, please report it")]
    Worker,
    #[error("measuring was cancelled")]
    Cancelled,
}

impl From<OpenError> for ReadError {
    fn from(error: OpenError) -> Self {
        Self(error.to_string())
    }
}

/// Opens one more reader of the same audio.
pub type OpenAgain<'a> = dyn Fn() -> Result<Box<dyn FrameReader>, ReadError> + Sync + 'a;

/// A reader, and the counters of what it replaces.
pub type Counted = (Box<dyn FrameReader>, Arc<ReadStats>);

/// Opens one more reader of the same audio, with counters of its own.
pub type OpenCounted<'a> = dyn Fn() -> Result<Counted, ReadError> + Sync + 'a;

/// The measurement, and the parts that were read as silence for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    pub profile: LoudnessProfile,
    /// Samples that were NaN or infinite and count as 0.
    pub nonfinite: u64,
    /// Damaged places of a compressed file that count as silence.
    pub damaged: u64,
}

impl Measured {
    /// The parts that were read as silence, a sentence each; empty if all was sound.
    #[must_use]
    pub fn silenced(&self) -> Vec<String> {
        silenced(self.nonfinite, self.damaged)
    }
}

/// Hears the share done (0 to 1) and may stop the work.
pub type Progress<'a> = dyn FnMut(f64) -> ControlFlow<()> + 'a;

/// Frames read at once: the planes of a stereo block stay in the second-level cache.
const BLOCK: usize = 1 << 13;
/// Least length of a chunk in seconds: warming and seeking cost little compared with it.
const LEAST_CHUNK: i64 = 20;

/// Measures `range` (clamped to the audio) on `threads` threads, each with a reader of its own.
///
/// The filters start from silence at `range.start`, as if the audio began there.
///
/// # Errors
/// When the audio cannot be opened or read, has a shape without loudness, or on a stop.
pub fn measure_profile(
    open: &OpenAgain<'_>,
    range: Range<Frames>,
    threads: NonZeroUsize,
    progress: &mut Progress<'_>,
) -> Result<LoudnessProfile, MeasureError> {
    let open = || open().map(|reader| (reader, Arc::default()));
    measure_counted(&open, range, threads, progress).map(|measured| measured.profile)
}

/// Like [`measure_profile`], and counts what had to be read as silence, each place once.
pub fn measure_counted(
    open: &OpenCounted<'_>,
    range: Range<Frames>,
    threads: NonZeroUsize,
    progress: &mut Progress<'_>,
) -> Result<Measured, MeasureError> {
    let first = open()?;
    let (rate, channels) = (first.0.rate(), first.0.channels());
    let start = range.start.max(Frames::ZERO);
    let range = start..range.end.min(first.0.frames()).max(start);
    let job = Job {
        open,
        chunks: chunks(&range, rate, threads),
        range,
        next: AtomicUsize::new(0),
        stop: AtomicBool::new(false),
    };
    let parts = job.run(first, threads, progress)?;
    let mut parts = parts.into_iter();
    let mut whole = match parts.next() {
        Some(part) => part.ok_or(MeasureError::Worker)?,
        None => Measured {
            profile: LoudnessMeter::new(rate, channels)?.profile(),
            nonfinite: 0,
            damaged: 0,
        },
    };
    for part in parts {
        let part = part.ok_or(MeasureError::Worker)?;
        whole.profile.join(part.profile)?;
        whole.nonfinite += part.nonfinite;
        whole.damaged += part.damaged;
    }
    Ok(whole)
}

/// Whole seconds each, except the last.
fn chunks(range: &Range<Frames>, rate: SampleRate, threads: NonZeroUsize) -> Vec<Range<Frames>> {
    /// Chunks per thread: enough to even out cores of unequal speed.
    const PER_THREAD: i64 = 6;
    let second = i64::from(rate.0).max(1);
    let parts = Frames::from_index(threads.get()).0.saturating_mul(PER_THREAD).max(1);
    let length = (range.end - range.start).0;
    let seconds = (length / second / parts).max(LEAST_CHUNK);
    let (step, mut at, mut chunks) = (Frames(seconds * second), range.start, Vec::new());
    while at < range.end {
        let end = (at + step).min(range.end);
        chunks.push(at..end);
        at = end;
    }
    chunks
}

/// What the threads share.
struct Job<'a> {
    open: &'a OpenCounted<'a>,
    range: Range<Frames>,
    chunks: Vec<Range<Frames>>,
    next: AtomicUsize,
    stop: AtomicBool,
}

/// What a thread tells the caller's.
enum News {
    /// This many frames more are done.
    Done(usize),
    /// A chunk is complete.
    Part(usize, Measured),
    /// The thread gave up.
    Failed(MeasureError),
}

impl Job<'_> {
    /// Runs the threads and gathers their parts in order.
    fn run(
        &self,
        first: Counted,
        threads: NonZeroUsize,
        progress: &mut Progress<'_>,
    ) -> Result<Vec<Option<Measured>>, MeasureError> {
        let (send, news) = channel();
        let extra = threads.get().min(self.chunks.len()).saturating_sub(1);
        std::thread::scope(|scope| {
            for _ in 0..extra {
                let send = send.clone();
                scope.spawn(move || match (self.open)() {
                    Ok(reader) => self.work(reader, &send),
                    Err(error) => self.fail(error.into(), &send),
                });
            }
            scope.spawn(move || self.work(first, &send));
            self.gather(&news, progress)
        })
    }

    fn fail(&self, error: MeasureError, send: &Sender<News>) {
        self.stop.store(true, Ordering::Relaxed);
        let _gone = send.send(News::Failed(error));
    }

    /// One thread: takes chunks until none is left. Chunks come in order, so readers go forward.
    fn work(&self, (mut reader, stats): Counted, send: &Sender<News>) {
        loop {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(chunk) = self.chunks.get(index) else {
                return;
            };
            match self.measure(reader.as_mut(), &stats, chunk, send) {
                Ok(part) => {
                    let _gone = send.send(News::Part(index, part));
                }
                Err(error) => return self.fail(error, send),
            }
        }
    }

    fn measure(
        &self,
        reader: &mut dyn FrameReader,
        stats: &ReadStats,
        chunk: &Range<Frames>,
        send: &Sender<News>,
    ) -> Result<Measured, MeasureError> {
        let rate = reader.rate();
        let mut meter = LoudnessMeter::new(rate, reader.channels())?;
        let warm = Seconds(WARM_SECONDS).frames(rate) + Frames(1);
        let ahead = (chunk.start - warm).max(self.range.start)..chunk.start;
        each_block(reader, ahead, |planes| {
            meter.warm(planes);
            Ok(())
        })?;
        // Findings while warming belong to the chunk before.
        let (nonfinite, damaged) = (stats.nonfinite(), stats.damaged());
        each_block(reader, chunk.clone(), |planes| {
            meter.process(planes);
            let _gone = send.send(News::Done(planes.first().map_or(0, |p| p.len())));
            if self.stop.load(Ordering::Relaxed) { Err(MeasureError::Cancelled) } else { Ok(()) }
        })?;
        Ok(Measured {
            profile: meter.profile(),
            nonfinite: stats.nonfinite() - nonfinite,
            damaged: stats.damaged() - damaged,
        })
    }

    /// Collects what the threads send until all have ended.
    fn gather(
        &self,
        news: &Receiver<News>,
        progress: &mut Progress<'_>,
    ) -> Result<Vec<Option<Measured>>, MeasureError> {
        let mut parts = vec![None; self.chunks.len()];
        let (mut done, mut failure, mut heard) = (0usize, None, 0);
        let total = (self.range.end - self.range.start).0.max(1) as f64;
        for item in news {
            match item {
                News::Done(frames) => done += frames,
                News::Part(index, part) => {
                    if let Some(slot) = parts.get_mut(index) {
                        *slot = Some(part);
                    }
                }
                // The first cause is reported; the others stop because of it.
                News::Failed(error) => failure = failure.or(Some(error)),
            }
            // After every block: a hundredth of a long mix is too long to wait for a stop.
            if done > heard && !self.stop.load(Ordering::Relaxed) {
                heard = done;
                let share = (done as f64 / total).min(1.0);
                self.stop.store(progress(share).is_break(), Ordering::Relaxed);
            }
        }
        failure.map_or(Ok(parts), Err)
    }
}

/// Reads `range` block by block; an early end is an error.
fn each_block(
    reader: &mut dyn FrameReader,
    range: Range<Frames>,
    mut take: impl FnMut(&[&[f32]]) -> Result<(), MeasureError>,
) -> Result<(), MeasureError> {
    let mut buffer = vec![vec![0.0f32; BLOCK]; reader.channels()];
    let mut at = range.start;
    while at < range.end {
        let count = (range.end - at).index().min(BLOCK);
        let mut planes: Vec<&mut [f32]> =
            buffer.iter_mut().filter_map(|plane| plane.get_mut(..count)).collect();
        let read = reader.read(at, &mut planes)?;
        if read == 0 {
            return Err(ReadError("the audio ended early; import the file again".into()).into());
        }
        let planes: Vec<&[f32]> = buffer.iter().filter_map(|plane| plane.get(..read)).collect();
        take(&planes)?;
        at += Frames::from_index(read);
    }
    Ok(())
}

/// Builds the waveform peaks of all of `reader`.
///
/// # Errors
/// When the audio cannot be read, or on a stop.
pub fn build_peaks(
    reader: &mut dyn FrameReader,
    progress: &mut Progress<'_>,
) -> Result<PeakPyramid, MeasureError> {
    let mut builder = PeakBuilder::new(reader.channels());
    let total = reader.frames();
    let mut done = 0usize;
    each_block(reader, Frames::ZERO..total, |planes| {
        builder.push(planes);
        done += planes.first().map_or(0, |plane| plane.len());
        match progress(done as f64 / total.0 as f64) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(MeasureError::Cancelled),
        }
    })?;
    Ok(builder.finish())
}
