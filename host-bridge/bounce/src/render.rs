//! Rendering the mix, and stems, to WAV files.

use crate::sources::SessionAudio;
use deskhand_compile::strip_key;
use deskhand_dsp::Frames;
use deskhand_engine::{
    Bounce, BounceBlock, BounceError, BounceSettings, ScheduleError, Stems, StripKey,
};
use deskhand_media::{BitDepth, WavWriter, WriteError, Written};
use deskhand_session::{Session, TrackId};
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};

/// The session to render and the output file.
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

/// The result of a render.
#[derive(Clone, Debug)]
pub struct Rendered {
    /// The mix.
    pub mix: Written,
    /// The stems, in the order of tracks.
    pub stems: Vec<(TrackId, Written)>,
    /// Samples that were no numbers and became silence.
    pub nonfinite: u64,
}

/// Why nothing was rendered. No file remains.
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
    /// The file is needed.
    #[error("{0} would be replaced, and this session needs it; render to another file")]
    Needed(PathBuf),
    /// The target is no file: a device, a pipe or a folder, which a file must not replace.
    #[error(
        "{0} is no ordinary file and is not replaced; render to a file of its own, ending in .wav"
    )]
    NoFile(PathBuf),
    /// Another format than WAV.
    #[error("{0} does not name a WAV file; rendering writes WAV, so let it end in .wav")]
    NotWav(PathBuf),
    /// Someone cancelled.
    #[error("cancelled; no file was written")]
    Cancelled,
}

/// Renders `job`; `progress` hears the share that is done, 0 to 1, and may break to cancel.
///
/// # Errors
/// When a source cannot be played or a file cannot be written. No file remains.
pub fn render(
    session: &Session,
    audio: &SessionAudio,
    job: &RenderJob<'_>,
    progress: &mut dyn FnMut(f64) -> ControlFlow<()>,
) -> Result<Rendered, RenderError> {
    let mut files = Files::create(session, audio, job)?;
    let bounce = Bounce::new(deskhand_compile::mix(session)?, audio.opening(session));
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(4);
    let stems = if job.stems.is_some() { Stems::Kept } else { Stems::Dropped };
    let settings = BounceSettings { threads, stems, ..BounceSettings::PLAIN };
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
        if failed.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
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
    fn create(
        session: &Session,
        audio: &SessionAudio,
        job: &RenderJob<'_>,
    ) -> Result<Self, RenderError> {
        let create = |path: &Path| -> Result<WavWriter, RenderError> {
            check_free(session, audio.folder(), path)?;
            Ok(WavWriter::create(path, session.rate, 2, job.depth)?)
        };
        check_name(job.mix)?;
        let mix = create(job.mix)?;
        let Some(folder) = job.stems else {
            return Ok(Self { mix, stems: Vec::new() });
        };
        std::fs::create_dir_all(folder)
            .map_err(|error| RenderError::Folder { folder: folder.into(), error })?;
        let stems = session.tracks_in_order().enumerate().map(|(number, (id, track))| {
            let name = format!("{:02} {}.wav", number + 1, file_name(&track.name));
            let file = create(&folder.join(name))?;
            Ok(StemFile { track: id, key: strip_key(id), file })
        });
        let stems = stems.collect::<Result<_, RenderError>>()?;
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
        let stems = self.stems.into_iter().map(|stem| Ok((stem.track, stem.file.finish()?)));
        let stems = stems.collect::<Result<_, WriteError>>()?;
        Ok(Rendered { mix: self.mix.finish()?, stems, nonfinite })
    }
}

/// A track's name as a file name on every system.
fn file_name(name: &str) -> String {
    let safe = |c: char| {
        if c.is_control() || "/\\:*?\"<>|".contains(c) { '_' } else { c }
    };
    name.chars().map(safe).take(80).collect::<String>().trim().to_owned()
}

/// A name that promises another format would mislead every program that reads it.
fn check_name(path: &Path) -> Result<(), RenderError> {
    let ending = path.extension().map(std::ffi::OsStr::to_ascii_lowercase);
    let is_wav = ending.is_none_or(|ending| ending == "wav" || ending == "wave");
    if is_wav { Ok(()) } else { Err(RenderError::NotWav(path.to_owned())) }
}

/// Checks that `path` may be replaced: it is no recording of the session, not in its folder, and a plain
/// file.
fn check_free(session: &Session, folder: &Path, path: &Path) -> Result<(), RenderError> {
    if path.metadata().is_ok_and(|there| !there.is_file()) {
        return Err(RenderError::NoFile(path.to_owned()));
    }
    let target = resolved(path);
    let is_source = session.sources.values().any(|it| resolved(Path::new(&it.path)) == target);
    if is_source || target.starts_with(resolved(folder)) {
        return Err(RenderError::Needed(path.to_owned()));
    }
    Ok(())
}

/// The path without links, also where the file itself does not exist yet.
fn resolved(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let name = absolute.file_name().unwrap_or_default().to_owned();
    let parent = absolute.parent().and_then(|parent| parent.canonicalize().ok());
    let whole = || parent.map_or_else(|| absolute.clone(), |parent| parent.join(name));
    absolute.canonicalize().unwrap_or_else(|_| whole())
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_dsp::SampleRate;
    use deskhand_session::SessionId;

    fn check(path: &Path) -> Result<(), RenderError> {
        let session = Session::new(SessionId::new(1), SampleRate(48_000));
        check_free(&session, Path::new("song.deskhand"), path)
    }

    /// The finished file replaces an existing one: a device, too, if the person may do that.
    #[test]
    fn what_is_no_file_is_not_replaced() {
        let tmp = tempfile::tempdir().unwrap();
        let mix = tmp.path().join("mix.wav");
        check(&mix).unwrap();
        std::fs::write(&mix, "the mix of yesterday").unwrap();
        check(&mix).unwrap();
        let refused = check(tmp.path()).unwrap_err().to_string();
        assert!(refused.contains("no ordinary file") && refused.contains(".wav"), "{refused}");
        #[cfg(unix)]
        assert!(matches!(check(Path::new("/dev/null")), Err(RenderError::NoFile(_))));
    }
}
