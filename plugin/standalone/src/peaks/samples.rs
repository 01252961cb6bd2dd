//! Samples for zooms nearer than the finest peaks: a thread reads blocks of them, the window draws what is there.

use crossbeam_channel::{Receiver, Sender, unbounded};
use deskhand_bounce::SessionAudio;
use deskhand_dsp::{FrameReader, Frames, SampleRate};
use deskhand_editor::Column;
use deskhand_session::{Session, Source, SourceId};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

/// Frames of a block.
const BLOCK: i64 = 32_768;
/// Blocks that are kept, 256 kB each in stereo.
const KEPT: usize = 256;

/// A source, and which of its blocks.
type Key = (SourceId, i64);

/// What became of a block.
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
}

struct Ask {
    key: Key,
    source: Source,
    rate: SampleRate,
}

/// The samples of a session, as far as the window has looked at them.
pub(super) struct Samples {
    kept: Arc<Mutex<Kept>>,
    asks: Sender<Ask>,
    sources: BTreeMap<SourceId, Source>,
    rate: SampleRate,
}

impl Samples {
    /// Those of `audio`; `wake` is called when some were read.
    pub(super) fn new(
        audio: SessionAudio,
        wake: impl Fn() + Send + 'static,
    ) -> std::io::Result<Self> {
        let kept = Arc::new(Mutex::new(Kept::default()));
        let (asks, asked) = unbounded();
        let found = Arc::clone(&kept);
        let work = move || read_all(&audio, &asked, &found, &wake);
        thread::Builder::new().name("samples".into()).spawn(work)?;
        Ok(Self { kept, asks, sources: BTreeMap::new(), rate: SampleRate(1) })
    }

    /// Takes up the sources of `session`.
    pub(super) fn follow(&mut self, session: &Session) {
        self.rate = session.rate;
        if !self.sources.keys().eq(session.sources.keys()) {
            self.sources.clone_from(&session.sources);
        }
    }

    /// A source can be read by now, or is another.
    pub(super) fn ask_again(&mut self, id: SourceId) {
        self.sources.remove(&id);
        lock(&self.kept).blocks.retain(|(source, _), _| *source != id);
    }

    /// Whether all that can be read of a stretch was read.
    pub(super) fn are_read(&self, id: SourceId, start: Frames, per: f64, count: usize) -> bool {
        let kept = lock(&self.kept);
        let is_read = |block: i64| match kept.blocks.get(&(id, block)) {
            Some((Block::Read(_) | Block::Failed, _)) => true,
            Some((Block::Asked, _)) | None => false,
        };
        let frames = (per * count as f64).ceil() as i64;
        self.blocks(id, start.0, frames).is_none_or(|mut blocks| blocks.all(is_read))
    }

    /// The blocks that a stretch lies in, as far as the source goes; none of a source that is not there.
    fn blocks(&self, id: SourceId, start: i64, frames: i64) -> Option<Range<i64>> {
        let last = self.sources.get(&id)?.frames.0;
        let (from, to) = (start.clamp(0, last), (start + frames).clamp(0, last));
        Some(from / BLOCK..(to + BLOCK - 1) / BLOCK)
    }

    /// Columns of a stretch; none while it is not read, which is then begun.
    pub(super) fn columns(
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

    /// The samples of a stretch, a row a channel, silent outside of the source; none while they are not read, which
    /// is then begun.
    pub(super) fn stretch(
        &self,
        id: SourceId,
        start: Frames,
        count: usize,
    ) -> Option<Vec<Vec<f32>>> {
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
        drop(self.asks.send(Ask { key, source, rate: self.rate }));
    }
}

/// Lays a row of samples over another, `at` frames behind its start.
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

    /// A block was read, unless nobody wants it any more; the one that was not drawn longest goes for it.
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

fn read_all(
    audio: &SessionAudio,
    asked: &Receiver<Ask>,
    kept: &Mutex<Kept>,
    wake: &(impl Fn() + Send),
) {
    let mut open: Option<(SourceId, Box<dyn FrameReader>)> = None;
    for Ask { key, source, rate } in asked {
        if open.as_ref().is_none_or(|(id, _)| *id != key.0) {
            open = audio.open(&source, rate).ok().map(|reader| (key.0, reader));
        }
        let read = open.as_mut().and_then(|(_, reader)| read(reader.as_mut(), key.1));
        if read.is_none() {
            open = None;
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
    use deskhand_media::{BitDepth, Opener, WavWriter};
    use deskhand_session::{ContentHash, Media, SessionId};
    use std::path::Path;
    use std::time::UNIX_EPOCH;

    const ID: SourceId = SourceId::new(1);

    /// A ramp of 80,000 frames: left n / 100,000, right its negative.
    fn session(folder: &Path) -> Session {
        let file = folder.join("ramp.wav");
        let mut writer = WavWriter::create(&file, SampleRate(48_000), 2, BitDepth::F32).unwrap();
        let ramp: Vec<f32> = (0..80_000).map(|n| n as f32 / 1e5).collect();
        let other: Vec<f32> = ramp.iter().map(|sample| -sample).collect();
        writer.write(&[&ramp, &other]).unwrap();
        writer.finish().unwrap();
        let about = std::fs::metadata(&file).unwrap();
        let since = about.modified().unwrap().duration_since(UNIX_EPOCH).unwrap();
        let source = Source {
            name: "ramp".into(),
            hash: ContentHash("0".repeat(64)),
            path: file.to_string_lossy().into_owned(),
            size: about.len(),
            modified_ns: since.as_nanos().try_into().unwrap(),
            format: "WAV 32 bit float".into(),
            rate: SampleRate(48_000),
            channels: 2,
            channel: None,
            frames: Frames(80_000),
            origin: None,
            media: Media::InPlace,
        };
        let mut session = Session::new(SessionId::new(1), SampleRate(48_000));
        session.sources.insert(ID, source);
        session
    }

    fn samples(folder: &Path) -> (Samples, Receiver<()>) {
        let (woke, woken) = unbounded();
        let audio = SessionAudio::new(folder, Opener::in_process());
        let mut samples = Samples::new(audio, move || {
            let _gone = woke.send(());
        })
        .unwrap();
        samples.follow(&session(folder));
        (samples, woken)
    }

    fn wait(woken: &Receiver<()>, blocks: usize) {
        for _ in 0..blocks {
            woken.recv_timeout(std::time::Duration::from_secs(20)).unwrap();
        }
    }

    #[test]
    fn the_very_samples_come_once_their_blocks_are_read() {
        let tmp = tempfile::tempdir().unwrap();
        let (samples, woken) = samples(tmp.path());
        let start = Frames(32_768 - 2);
        assert_eq!(samples.stretch(ID, start, 4), None);
        wait(&woken, 2);
        let rows = samples.stretch(ID, start, 4).unwrap();
        let expected: Vec<f32> = (32_766..32_770).map(|n| n as f32 / 1e5).collect();
        assert_eq!(rows, [expected.clone(), expected.iter().map(|it| -it).collect()]);
        // Narrower than a bucket of the peaks, and over the end of the source, where it is silent.
        assert_eq!(samples.columns(ID, Frames(79_998), 2.0, 2), None);
        assert!(!samples.are_read(ID, Frames(79_998), 2.0, 2));
        wait(&woken, 1);
        assert!(samples.are_read(ID, Frames(79_998), 2.0, 2));
        let columns = samples.columns(ID, Frames(79_998), 2.0, 2).unwrap();
        assert_eq!((columns[0].peak, columns[1].peak), (0.79999, 0.0));
    }

    #[test]
    fn what_cannot_be_read_leaves_it_to_the_peaks() {
        let tmp = tempfile::tempdir().unwrap();
        let (samples, woken) = samples(tmp.path());
        std::fs::remove_file(tmp.path().join("ramp.wav")).unwrap();
        assert_eq!(samples.stretch(ID, Frames::ZERO, 4), None);
        wait(&woken, 1);
        assert_eq!(samples.stretch(ID, Frames::ZERO, 4), None);
        assert!(samples.are_read(ID, Frames::ZERO, 1.0, 4), "nothing better will come");
        assert_eq!(samples.stretch(SourceId::new(9), Frames::ZERO, 4), None);
    }
}
