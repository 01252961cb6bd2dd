//! An engine for an instance's audio thread: it plays files of the session.
//!
//! Thread: hub's link; the engine's disk thread opens the files, and the window's thread of samples does

use crate::port::HubPort;
use deskhand_compile::{Player, source_of};
use deskhand_dsp::{FrameReader, Frames, ReadError, SampleRate};
use deskhand_engine::{DiskThread, EngineConfig, SourceKey, engine};
use deskhand_media::Opener;
use deskhand_session::{Media, Session, Source, SourceId};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::UNIX_EPOCH;

type Known = Arc<Mutex<BTreeMap<SourceId, Source>>>;

/// An engine and its disk thread. After a drop its program continues silently until the audio thread
/// releases it.
pub(super) struct Engine {
    pub(super) player: Player,
    known: Known,
    _disk: DiskThread,
}

impl Engine {
    /// An engine for the rate of `port`. It is sent there after `begin` gave it its content, so the
    /// receiver has all of it. `None` if it cannot be made.
    pub(super) fn start(
        port: &mut HubPort,
        dir: &Path,
        begin: impl FnOnce(&mut Self),
    ) -> Option<Self> {
        let known = Known::default();
        let config = EngineConfig::at(SampleRate(port.rate as u32));
        let open = opening(Arc::clone(&known), dir.to_owned(), config.rate);
        let (controller, processor, disk) = engine(config, open).ok()?;
        let disk = disk.spawn().ok()?;
        let mut engine = Self { player: Player::new(controller), known, _disk: disk };
        begin(&mut engine);
        port.send(Box::new(processor)).then_some(engine)
    }

    /// Sources of `session` can be opened from now on.
    pub(super) fn know(&self, session: &Session) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.extend(session.sources.iter().map(|(id, source)| (*id, source.clone())));
    }
}

fn opening(
    known: Known,
    dir: PathBuf,
    rate: SampleRate,
) -> impl Fn(SourceKey) -> Result<Box<dyn FrameReader>, ReadError> + Send + 'static {
    move |key| {
        #[cfg(feature = "test-probes")]
        crate::planted_faults::wait_for_disk();
        let id = source_of(key);
        let source = known.lock().unwrap_or_else(PoisonError::into_inner).get(&id).cloned();
        let source = source.ok_or_else(|| ReadError(format!("{id} is not in the library")))?;
        open(&source, &dir, rate)
    }
}

/// Opens a source of the session in `dir`, to be read at `rate`.
///
/// # Errors
/// When its file is missing, changed since it was imported, or cannot be decoded.
pub(crate) fn open(
    source: &Source,
    dir: &Path,
    rate: SampleRate,
) -> Result<Box<dyn FrameReader>, ReadError> {
    let path = file_of(source, dir)?;
    let reader = Opener::in_process().track(source.hash.track()).open_at(&path, rate);
    let reader = reader.map_err(|error| ReadError(error.to_string()))?;
    Ok(match source.channel {
        Some(channel) => Box::new(Pick { reader, channel: usize::from(channel) }),
        None => reader,
    })
}

/// The file that a source of the session in `dir` is read from.
///
/// # Errors
/// When it is missing, or changed since it was imported.
pub(crate) fn file_of(source: &Source, dir: &Path) -> Result<PathBuf, ReadError> {
    let conformed = match &source.media {
        Media::Conformed(file) => Some(dir.join(file)),
        Media::InPlace => None,
    };
    // A copy of a session has its originals inside of it.
    let own = conformed.into_iter().chain(source.kept().map(|kept| dir.join(kept)));
    match own.into_iter().find(|file| file.is_file()) {
        Some(file) => Ok(file),
        None => unchanged(source),
    }
}

/// The original file, if it is unchanged since the import.
fn unchanged(source: &Source) -> Result<PathBuf, ReadError> {
    let path = &source.path;
    let found = std::fs::metadata(path).map_err(|why| ReadError(format!("{path}: {why}")))?;
    let since = found.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let modified = since.and_then(|since| i64::try_from(since.as_nanos()).ok());
    if found.len() == source.size && modified == Some(source.modified_ns) {
        return Ok(PathBuf::from(path));
    }
    Err(ReadError(format!("{path} changed since it was imported; import it again")))
}

/// One channel of a file.
struct Pick {
    reader: Box<dyn FrameReader>,
    channel: usize,
}

impl FrameReader for Pick {
    fn channels(&self) -> usize {
        1
    }

    fn frames(&self) -> Frames {
        self.reader.frames()
    }

    fn rate(&self) -> SampleRate {
        self.reader.rate()
    }

    fn read(&mut self, at: Frames, out: &mut [&mut [f32]]) -> Result<usize, ReadError> {
        let Some(wanted) = out.first_mut() else { return Ok(0) };
        let mut all = vec![vec![0.0; wanted.len()]; self.reader.channels()];
        let mut planes: Vec<&mut [f32]> = all.iter_mut().map(Vec::as_mut_slice).collect();
        let count = self.reader.read(at, &mut planes)?;
        if let Some(plane) = all.get(self.channel) {
            wanted.iter_mut().zip(plane).for_each(|(sample, found)| *sample = *found);
        }
        Ok(count)
    }
}
