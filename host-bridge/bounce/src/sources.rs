//! Opening the sources of a session.

use crate::originals::Originals;
use crate::pick::ChannelPick;
use deskhand_compile::source_of;
use deskhand_dsp::{FrameReader, ReadError, SampleRate};
use deskhand_engine::{BounceReader, Schedule, SourceKey};
use deskhand_media::Opener;
use deskhand_session::{Media, ObjectId, Session, Source, SourceId};
use deskhand_toolkit::Audio;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The audio of the session in `folder`.
#[derive(Clone, Debug)]
pub struct SessionAudio {
    folder: PathBuf,
    opener: Opener,
    originals: Originals,
}

impl SessionAudio {
    /// Audio of the session in `folder`; foreign formats are decoded as `opener` says.
    #[must_use]
    pub fn new(folder: impl Into<PathBuf>, opener: Opener) -> Self {
        Self { folder: folder.into(), opener, originals: Originals::default() }
    }

    /// The session folder.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Opens a source at `rate`: the session's, or the rate of a device that differs.
    ///
    /// # Errors
    /// When its file is missing, changed since it was imported, or cannot be decoded.
    pub fn open(
        &self,
        source: &Source,
        rate: SampleRate,
    ) -> Result<Box<dyn FrameReader>, ReadError> {
        let file = self.file_of(source)?;
        // A conformed file holds one track.
        let reader = self.opener.track(source.hash.track()).open_at(&file, rate);
        let reader = reader.map_err(|error| ReadError(error.to_string()))?;
        match source.channel {
            Some(channel) => Ok(Box::new(ChannelPick::new(reader, usize::from(channel))?)),
            None => Ok(reader),
        }
    }

    /// Whether the file of a source is there and as it was imported, without opening it.
    ///
    /// # Errors
    /// When it is missing, or changed since it was imported.
    pub fn check(&self, source: &Source) -> Result<(), ReadError> {
        self.file_of(source).map(drop)
    }

    /// The file that a source is read from.
    fn file_of(&self, source: &Source) -> Result<PathBuf, ReadError> {
        if let Media::Conformed(file) = &source.media {
            let conformed = self.folder.join(file);
            if conformed.is_file() {
                return Ok(conformed);
            }
        }
        if let Some(kept) = self.kept(source) {
            return Ok(kept);
        }
        self.originals.check(source)?;
        Ok(PathBuf::from(&source.path))
    }

    /// The original that a copy of a session has inside of it.
    fn kept(&self, source: &Source) -> Option<PathBuf> {
        source.kept().map(|kept| self.folder.join(kept)).filter(|kept| kept.is_file())
    }

    /// The function by which the engine opens the sources of a schedule of `session`.
    pub(crate) fn opening(
        &self,
        session: &Session,
    ) -> impl Fn(SourceKey) -> Result<Box<dyn FrameReader>, ReadError> + Send + Sync + 'static {
        let audio = self.clone();
        let sources: BTreeMap<SourceId, Source> = session.sources.clone();
        let rate = session.rate;
        move |key| {
            let id = source_of(key);
            audio.open(sources.get(&id).ok_or_else(|| missing(id))?, rate)
        }
    }
}

impl Audio for SessionAudio {
    fn source(&self, session: &Session, id: SourceId) -> Result<Box<dyn FrameReader>, ReadError> {
        self.open(session.sources.get(&id).ok_or_else(|| missing(id))?, session.rate)
    }

    fn render(&self, session: &Session, what: ObjectId) -> Result<Box<dyn FrameReader>, ReadError> {
        let schedule = schedule(session, what)?;
        Ok(Box::new(BounceReader::new(&schedule, self.opening(session))))
    }
}

fn schedule(session: &Session, what: ObjectId) -> Result<Schedule, ReadError> {
    let schedule = match what {
        ObjectId::Session(_) => deskhand_compile::heard_mix(session),
        ObjectId::Track(id) => deskhand_compile::track(session, id),
        ObjectId::Clip(_)
        | ObjectId::Source(_)
        | ObjectId::Marker(_)
        | ObjectId::Group(_)
        | ObjectId::Insert(_)
        | ObjectId::Segment(_)
        | ObjectId::Code(_)
        | ObjectId::Phrase(_) => {
            return Err(ReadError(format!("{what} is neither a track nor the mix")));
        }
    };
    schedule.map_err(|error| ReadError(error.to_string()))
}

fn missing(id: SourceId) -> ReadError {
    ReadError(format!("{id} is not in the library"))
}
