//! Rendering the mix, and stems, to WAV files.

use crate::sources::SessionAudio;
use deskhand_compile::strip_key;
use deskhand_dsp::Frames;
use deskhand_engine::{Bounce, BounceBlock, BounceError, BounceSettings, ScheduleError, StripKey};
use deskhand_media::{BitDepth, WavWriter, WriteError, Written};
use deskhand_session::{Session, TrackId};
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};

/// What to render, and where to.
#[derive(Clone, Debug)]
pub struct RenderJob<'a> {
    /// The WAV file of the mix.
    pub mix: &'a Path,
    /// A folder that gets one WAV file a track and bus.
    pub stems: Option<&'a Path>,
    /// How samples are stored.
    pub depth: BitDepth,
    /// Which part of the timeline.
    pub range: Range<Frames>,
}

/// What was rendered.
#[derive(Clone, Debug)]
pub struct Rendered {
    /// The mix.
    pub mix: Written,
    /// The stems, in the order of tracks.
    pub stems: Vec<(TrackId, Written)>,
    /// Samples that were no numbers and became silence.
    pub nonfinite: u64,
}

/// Why nothing was rendered. No file is left behind.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// The engine refuses the session.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    /// A source cannot be played.
    #[error(transparent)]
    Bounce(#[from] BounceError),
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The folder for stems cannot be made.
    #[error("cannot make the folder {folder}: {error}; choose another with --stems")]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// Someone cancelled.
    #[error("cancelled; no file was written")]
    Cancelled,
}

/// Renders `job`; `progress` hears the share that is done, 0 to 1, and may break to cancel.
///
/// # Errors
/// When a source cannot be played or a file cannot be written; nothing is left behind.
pub fn render(
    session: &Session,
    audio: &SessionAudio,
    job: &RenderJob<'_>,
    progress: &mut dyn FnMut(f64) -> ControlFlow<()>,
) -> Result<Rendered, RenderError> {
    let mut files = Files::create(session, job)?;
    let bounce = Bounce::new(deskhand_compile::mix(session)?, audio.opening(session));
    let threads = std::thread::available_parallelism()
        .map_or(1, usize::from)
        .min(4);
    let settings = BounceSettings {
        threads,
        ..BounceSettings::PLAIN
    };
    let length = (job.range.end - job.range.start).0.max(1) as f64;
    let mut failed = None;
    let bounced = bounce.render(job.range.clone(), settings, &mut |block| {
        let done = (block.at() - job.range.start).0 as f64 / length;
        let step = files.write(block).map_err(RenderError::from);
        let step = step.and_then(|()| match progress(done) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(RenderError::Cancelled),
        });
        failed = step.err();
        if failed.is_some() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    })?;
    failed.map_or(Ok(()), Err)?;
    files.finish(bounced.nonfinite)
}

struct Files {
    mix: WavWriter,
    stems: Vec<StemFile>,
}

struct StemFile {
    track: TrackId,
    key: StripKey,
    file: WavWriter,
}

impl Files {
    fn create(session: &Session, job: &RenderJob<'_>) -> Result<Self, RenderError> {
        let mix = WavWriter::create(job.mix, session.rate, 2, job.depth)?;
        let Some(folder) = job.stems else {
            return Ok(Self {
                mix,
                stems: Vec::new(),
            });
        };
        std::fs::create_dir_all(folder).map_err(|error| RenderError::Folder {
            folder: folder.into(),
            error,
        })?;
        let stems = session
            .tracks_in_order()
            .enumerate()
            .map(|(number, (id, track))| {
                let name = format!("{:02} {}.wav", number + 1, file_name(&track.name));
                let file = WavWriter::create(&folder.join(name), session.rate, 2, job.depth)?;
                Ok(StemFile {
                    track: id,
                    key: strip_key(id),
                    file,
                })
            });
        let stems = stems.collect::<Result<_, WriteError>>()?;
        Ok(Self { mix, stems })
    }

    fn write(&mut self, block: &BounceBlock<'_>) -> Result<(), WriteError> {
        let mix = block.master();
        self.mix.write(&mix)?;
        for stem in &mut self.stems {
            if let Some(stereo) = block.strip(stem.key) {
                stem.file.write(&stereo)?;
            }
        }
        Ok(())
    }

    fn finish(self, nonfinite: u64) -> Result<Rendered, RenderError> {
        let stems = self
            .stems
            .into_iter()
            .map(|stem| Ok((stem.track, stem.file.finish()?)));
        let stems = stems.collect::<Result<_, WriteError>>()?;
        Ok(Rendered {
            mix: self.mix.finish()?,
            stems,
            nonfinite,
        })
    }
}

/// A track's name as a file name on every system.
fn file_name(name: &str) -> String {
    let safe = |c: char| {
        if c.is_control() || "/\\:*?\"<>|".contains(c) {
            '_'
        } else {
            c
        }
    };
    name.chars()
        .map(safe)
        .take(80)
        .collect::<String>()
        .trim()
        .to_owned()
}
