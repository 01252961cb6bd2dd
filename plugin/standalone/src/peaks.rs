//! Waveforms from the peaks that the hub built, and from the samples at finer zooms: threads read them, and
//! the window draws the available ones.

use crossbeam_channel::Sender;
use deskhand_bounce::SessionAudio;
use deskhand_dsp::Frames;
use deskhand_dsp::peaks::{PEAK_FRAMES, PeakPyramid};
use deskhand_editor::{Column, Samples, Waves};
use deskhand_session::{Session, Source, SourceId};
use deskhand_store::Cache;
use deskhand_toolkit::{MeasurementCache, peaks};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

type Known = Arc<Mutex<BTreeMap<SourceId, Arc<PeakPyramid>>>>;

struct FolderCache(Cache);

impl MeasurementCache for FolderCache {
    fn get(&self, key: &str) -> Option<Vec<u8>> {
        self.0.get(key)
    }

    fn put(&self, key: &str, bytes: &[u8]) {
        self.0.put(key, bytes);
    }
}

/// The peaks of a session.
pub struct Peaks {
    known: Known,
    asked: BTreeMap<SourceId, ()>,
    reader: Sender<(SourceId, Source)>,
    samples: Samples,
}

impl Peaks {
    /// The peaks in the cache of a session folder, and the samples of its `audio`. `wake` is called when some were
    /// read.
    pub(crate) fn new(
        dir: &Path,
        audio: SessionAudio,
        wake: impl Fn() + Send + Clone + 'static,
    ) -> std::io::Result<Self> {
        let samples = Samples::new(move |source, rate| audio.open(source, rate), wake.clone())?;
        let known = Known::default();
        let (reader, asked) = crossbeam_channel::unbounded::<(SourceId, Source)>();
        let (cache, found) = (FolderCache(Cache::new(dir.join("cache"))), Arc::clone(&known));
        thread::Builder::new().name("peaks".into()).spawn(move || {
            for (id, source) in asked {
                if let Some(pyramid) = peaks::known(&cache, &source) {
                    lock(&found).insert(id, Arc::new(pyramid));
                    wake();
                }
            }
        })?;
        Ok(Self { known, asked: BTreeMap::new(), reader, samples })
    }

    /// Asks for the sources that were not asked for yet.
    pub(crate) fn follow(&mut self, session: &Session) {
        self.samples.follow(session);
        for (id, source) in &session.sources {
            if self.asked.insert(*id, ()).is_none() {
                // Without the thread there are no waveforms, and nothing else is lost.
                drop(self.reader.send((*id, source.clone())));
            }
        }
    }

    /// A source's peaks may be there by now.
    pub(crate) fn ask_again(&mut self, id: SourceId) {
        self.asked.remove(&id);
        self.samples.ask_again(id);
    }
}

fn lock(known: &Known) -> std::sync::MutexGuard<'_, BTreeMap<SourceId, Arc<PeakPyramid>>> {
    known.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Waves for Peaks {
    fn columns(
        &self,
        source: SourceId,
        start: Frames,
        per_column: f64,
        count: usize,
    ) -> Option<Vec<Column>> {
        if is_near(per_column)
            && let Some(columns) = self.samples.columns(source, start, per_column, count)
        {
            return Some(columns);
        }
        let pyramid = Arc::clone(lock(&self.known).get(&source)?);
        let end = Frames(start.0 + (per_column * count as f64).ceil() as i64);
        let mut columns = vec![Column::default(); count];
        for channel in 0..pyramid.channels() {
            let peaks = pyramid.columns(channel, start..end, count);
            for (column, peak) in columns.iter_mut().zip(peaks) {
                column.peak = column.peak.max(peak.max).max(-peak.min);
                column.rms = column.rms.max(peak.rms);
            }
        }
        Some(columns)
    }
    fn are_fine(&self, source: SourceId, start: Frames, per_column: f64, count: usize) -> bool {
        !is_near(per_column) || self.samples.are_read(source, start, per_column, count)
    }

    fn samples(&self, source: SourceId, start: Frames, count: usize) -> Option<Vec<Vec<f32>>> {
        self.samples.stretch(source, start, count)
    }
}

/// Whether columns are narrower than the finest peaks.
fn is_near(per_column: f64) -> bool {
    per_column < PEAK_FRAMES as f64
}
