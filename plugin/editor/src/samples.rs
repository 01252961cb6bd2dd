//! Samples for zooms finer than the finest peaks: a thread reads blocks of them, and the window draws the
//! available ones.
//!
//! Thread: a thread of its own reads; the window asks and never waits

use crate::threads::await_end;
use crate::waves::Column;
use deskhand_dsp::{FrameReader, Frames, ReadError, SampleRate};
use deskhand_session::{Session, Source, SourceId};
use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

const BLOCK: i64 = 32_768;
/// Blocks that are kept, 256 kB each in stereo.
const KEPT: usize = 256;
/// How long the end may take at most.
const PATIENCE: Duration = Duration::from_millis(400);

type Key = (SourceId, i64);

enum Block {
    Asked,
    /// A row a channel, shorter at the end of the source.
    Read(Vec<Vec<f32>>),
    /// It cannot be read: the peaks have to do.
    Failed,
}

#[derive(Default)]
struct Kept {
    /// With when it was used last.
    blocks: BTreeMap<Key, (Block, u64)>,
    uses: u64,
    /// Nobody looks any more, so open requests are dropped.
    is_over: bool,
}

struct Ask {
    key: Key,
    source: Source,
    rate: SampleRate,
}

/// The samples of a session, as far as the window has looked at them.
pub struct Samples {
    kept: Arc<Mutex<Kept>>,
    /// Gone when it ends.
    asks: Option<Sender<Ask>>,
    sources: BTreeMap<SourceId, Source>,
    rate: SampleRate,
    thread: JoinHandle<()>,
}

impl Samples {
    /// The samples of sources, which `open` opens at the session's rate. `wake` is called after a read.
    /// Both run on another thread.
    ///
    /// # Errors
    /// When the system has no thread to give.
    pub fn new(
        open: impl Fn(&Source, SampleRate) -> Result<Box<dyn FrameReader>, ReadError> + Send + 'static,
        wake: impl Fn() + Send + 'static,
    ) -> io::Result<Self> {
        let kept = Arc::new(Mutex::new(Kept::default()));
        let (asks, asked) = channel();
        let found = Arc::clone(&kept);
        let thread = thread::Builder::new()
            .name("samples".into())
            .spawn(move || read_all(&open, &asked, &found, &wake))?;
        let (sources, rate) = (BTreeMap::new(), SampleRate(1));
        Ok(Self { kept, asks: Some(asks), sources, rate, thread })
    }

    /// Takes up the sources of `session`.
    pub fn follow(&mut self, session: &Session) {
        self.rate = session.rate;
        if !self.sources.keys().eq(session.sources.keys()) {
            self.sources.clone_from(&session.sources);
        }
    }

    /// A source can be read by now, or is another.
    pub fn ask_again(&mut self, id: SourceId) {
        self.sources.remove(&id);
        lock(&self.kept).blocks.retain(|(source, _), _| *source != id);
    }

    /// Whether all that can be read was read of `count` columns of `per` frames each from `start` in a source.
    #[must_use]
    pub fn are_read(&self, id: SourceId, start: Frames, per: f64, count: usize) -> bool {
        let kept = lock(&self.kept);
        let is_read = |block: i64| match kept.blocks.get(&(id, block)) {
            Some((Block::Read(_) | Block::Failed, _)) => true,
            Some((Block::Asked, _)) | None => false,
        };
        let frames = (per * count as f64).ceil() as i64;
        self.blocks(id, start.0, frames).is_none_or(|mut blocks| blocks.all(is_read))
    }

    /// The blocks of a stretch, up to the end of the source; `None` if the source is missing.
    fn blocks(&self, id: SourceId, start: i64, frames: i64) -> Option<Range<i64>> {
        let last = self.sources.get(&id)?.frames.0;
        let (from, to) = (start.clamp(0, last), (start + frames).clamp(0, last));
        Some(from / BLOCK..(to + BLOCK - 1) / BLOCK)
    }

    /// `count` columns of `per_column` frames each from `start` in a source; `None` if they are not read
    /// yet, which then begins.
    #[must_use]
    pub fn columns(
        &self,
        id: SourceId,
        start: Frames,
        per_column: f64,
        count: usize,
    ) -> Option<Vec<Column>> {
        let frames = (per_column * count as f64).ceil() as usize + 1;
        let channels = self.stretch(id, start, frames)?;
        let column = |index: usize| {
            let from = (per_column * index as f64) as usize;
            let to = ((per_column * (index + 1) as f64) as usize).max(from + 1);
            let mut column = Column::default();
            for samples in channels.iter().filter_map(|samples| samples.get(from..to)) {
                let peak = samples.iter().fold(0f32, |peak, sample| peak.max(sample.abs()));
                let square: f32 = samples.iter().map(|sample| sample * sample).sum();
                column.peak = column.peak.max(peak);
                column.rms = column.rms.max((square / samples.len() as f32).sqrt());
            }
            column
        };
        Some((0..count).map(column).collect())
    }

    /// `count` samples from `start` in a source, a row a channel, silent outside of the source; `None` if
    /// they are not read yet, which then begins.
    #[must_use]
    pub fn stretch(&self, id: SourceId, start: Frames, count: usize) -> Option<Vec<Vec<f32>>> {
        let frames = i64::try_from(count).ok()?;
        let blocks = self.blocks(id, start.0, frames)?;
        let mut kept = lock(&self.kept);
        kept.uses += 1;
        let missing = blocks.clone().filter(|block| !kept.is_here((id, *block)));
        let missing: Vec<i64> = missing.collect();
        missing.into_iter().for_each(|block| self.ask(&mut kept, (id, block)));
        let mut channels = Vec::new();
        for block in blocks {
            let Some((Block::Read(read), _)) = kept.blocks.get(&(id, block)) else { return None };
            channels.resize(read.len().max(channels.len()), vec![0.0; count]);
            for (channel, samples) in channels.iter_mut().zip(read) {
                lay(channel, samples, block * BLOCK - start.0);
            }
        }
        Some(channels)
    }

    fn ask(&self, kept: &mut Kept, key: Key) {
        let Some(source) = self.sources.get(&key.0).cloned() else { return };
        kept.blocks.insert(key, (Block::Asked, kept.uses));
        // Without the thread the peaks have to do.
        if let Some(asks) = &self.asks {
            drop(asks.send(Ask { key, source, rate: self.rate }));
        }
    }

    fn end(&mut self) {
        self.asks = None;
        lock(&self.kept).is_over = true;
    }
}

impl Drop for Samples {
    fn drop(&mut self) {
        self.end();
        await_end(&self.thread, PATIENCE);
    }
}

/// Copies samples into a row, `at` frames after its start.
fn lay(row: &mut [f32], samples: &[f32], at: i64) {
    let skipped = usize::try_from(-at).unwrap_or(0);
    let place = usize::try_from(at).unwrap_or(0);
    let from = samples.get(skipped..).unwrap_or_default();
    let to = row.get_mut(place..).unwrap_or_default();
    to.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
}

impl Kept {
    /// Notes that a block is drawn; whether nobody has to ask for it.
    fn is_here(&mut self, key: Key) -> bool {
        let uses = self.uses;
        let known = self.blocks.get_mut(&key);
        known.map(|(_, used)| *used = uses).is_some()
    }

    /// Stores a block that was read, unless it is no longer needed. The block that was not drawn longest
    /// makes room.
    fn put(&mut self, key: Key, block: Block) {
        let Some(known) = self.blocks.get_mut(&key) else { return };
        known.0 = block;
        while self.blocks.len() > KEPT {
            let oldest = self.blocks.iter().min_by_key(|(_, (_, used))| *used);
            let Some(oldest) = oldest.map(|(key, _)| *key) else { return };
            self.blocks.remove(&oldest);
        }
    }
}

fn lock(kept: &Mutex<Kept>) -> MutexGuard<'_, Kept> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}

type Open = dyn Fn(&Source, SampleRate) -> Result<Box<dyn FrameReader>, ReadError>;

/// Until nobody can ask any more.
fn read_all(open: &Open, asked: &Receiver<Ask>, kept: &Mutex<Kept>, wake: &dyn Fn()) {
    let mut opened: Option<(SourceId, Box<dyn FrameReader>)> = None;
    for Ask { key, source, rate } in asked {
        if lock(kept).is_over {
            return;
        }
        if opened.as_ref().is_none_or(|(id, _)| *id != key.0) {
            opened = open(&source, rate).ok().map(|reader| (key.0, reader));
        }
        let read = opened.as_mut().and_then(|(_, reader)| read(reader.as_mut(), key.1));
        if read.is_none() {
            opened = None;
        }
        lock(kept).put(key, read.map_or(Block::Failed, Block::Read));
        wake();
    }
}

fn read(reader: &mut dyn FrameReader, block: i64) -> Option<Vec<Vec<f32>>> {
    let mut rows = vec![vec![0.0; usize::try_from(BLOCK).ok()?]; reader.channels()];
    let mut planes: Vec<&mut [f32]> = rows.iter_mut().map(Vec::as_mut_slice).collect();
    let count = reader.read(Frames(block * BLOCK), &mut planes).ok()?;
    rows.iter_mut().for_each(|row| row.truncate(count));
    Some(rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use std::sync::mpsc::{SyncSender, sync_channel};

    const ID: SourceId = SourceId::new(1);
    const END: i64 = 80_000;

    /// A ramp of 80,000 frames: left n / 100,000, right its negative. It counts how often it is read.
    struct Ramp(Arc<Mutex<usize>>);

    impl FrameReader for Ramp {
        fn channels(&self) -> usize {
            2
        }

        fn frames(&self) -> Frames {
            Frames(END)
        }

        fn rate(&self) -> SampleRate {
            SampleRate(48_000)
        }

        fn read(&mut self, at: Frames, out: &mut [&mut [f32]]) -> Result<usize, ReadError> {
            *self.0.lock().unwrap() += 1;
            let count = usize::try_from(END - at.0).unwrap_or(0).min(out[0].len());
            for (plane, sign) in out.iter_mut().zip([1.0, -1.0]) {
                let ramp = (at.0..).map(|n| n as f32 / 1e5 * sign);
                plane[..count].iter_mut().zip(ramp).for_each(|(sample, value)| *sample = value);
            }
            Ok(count)
        }
    }

    fn session() -> Session {
        let mut session = testing::session();
        session.sources.get_mut(&ID).unwrap().frames = Frames(END);
        session
    }

    fn wake(woke: SyncSender<()>) -> impl Fn() + Send + 'static {
        move || {
            let _gone = woke.send(());
        }
    }

    fn samples(is_there: bool) -> (Samples, Receiver<()>) {
        let (woke, woken) = sync_channel(64);
        let open = move |_: &Source, _| -> Result<Box<dyn FrameReader>, ReadError> {
            if is_there {
                Ok(Box::new(Ramp(Arc::default())))
            } else {
                Err(ReadError("gone".into()))
            }
        };
        let mut samples = Samples::new(open, wake(woke)).unwrap();
        samples.follow(&session());
        (samples, woken)
    }

    fn wait(woken: &Receiver<()>, blocks: usize) {
        for _ in 0..blocks {
            woken.recv_timeout(Duration::from_secs(60)).unwrap();
        }
    }

    #[test]
    fn the_very_samples_come_once_their_blocks_are_read() {
        let (samples, woken) = samples(true);
        let start = Frames(32_768 - 2);
        assert_eq!(samples.stretch(ID, start, 4), None);
        wait(&woken, 2);
        let rows = samples.stretch(ID, start, 4).unwrap();
        let expected: Vec<f32> = (32_766..32_770).map(|n| n as f32 / 1e5).collect();
        assert_eq!(rows, [expected.clone(), expected.iter().map(|it| -it).collect()]);
        // Narrower than a bucket of the peaks, and over the end of the source, where it is silent.
        assert!(!samples.are_read(ID, Frames(79_998), 2.0, 2));
        assert_eq!(samples.columns(ID, Frames(79_998), 2.0, 2), None);
        wait(&woken, 1);
        assert!(samples.are_read(ID, Frames(79_998), 2.0, 2));
        let columns = samples.columns(ID, Frames(79_998), 2.0, 2).unwrap();
        assert_eq!((columns[0].peak, columns[1].peak), (0.79999, 0.0));
    }

    #[test]
    fn what_cannot_be_read_leaves_it_to_the_peaks() {
        let (samples, woken) = samples(false);
        assert_eq!(samples.stretch(ID, Frames::ZERO, 4), None);
        wait(&woken, 1);
        assert_eq!(samples.stretch(ID, Frames::ZERO, 4), None);
        assert!(samples.are_read(ID, Frames::ZERO, 1.0, 4), "nothing better will come");
        assert_eq!(samples.stretch(SourceId::new(9), Frames::ZERO, 4), None);
    }

    #[test]
    fn nothing_is_read_any_more_once_nobody_looks_and_the_thread_is_gone() {
        let reads = Arc::<Mutex<usize>>::default();
        let ((woke, woken), (begun, begins)) = (sync_channel(0), sync_channel(1));
        let counted = Arc::clone(&reads);
        let open = move |_: &Source, _| -> Result<Box<dyn FrameReader>, ReadError> {
            begun.send(()).unwrap();
            Ok(Box::new(Ramp(Arc::clone(&counted))))
        };
        let mut samples = Samples::new(open, wake(woke)).unwrap();
        samples.follow(&session());
        assert_eq!(samples.stretch(ID, Frames::ZERO, 80_000), None, "three blocks");
        wait(&begins, 1);
        // The thread stays in its first wake until somebody receives it.
        samples.end();
        wait(&woken, 1);
        drop(woken);
        drop(samples);
        assert_eq!(*reads.lock().unwrap(), 1);
        assert_eq!(Arc::strong_count(&reads), 1, "the thread let go of it");
    }
}
