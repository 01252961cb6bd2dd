//! What is learned of files before they are sources.

use crate::names::{cleaned, file_name, of_file};
use deskhand_dsp::{Frames, SampleRate};
use deskhand_media::{Probe, content_hash_with};
use deskhand_session::{ContentHash, Media, Session, Source};
use deskhand_toolkit::{Code, PlanContext, ToolError};
use std::fs::Metadata;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// The most files that an error names.
const NAMED: usize = 20;

/// A file, or one channel of it, that shall become a source.
pub(super) struct Incoming {
    pub(super) source: Source,
    warnings: Vec<String>,
}

impl Incoming {
    /// The name of a track for it.
    pub(super) fn track_name(&self) -> String {
        match self.source.channel {
            // The channel's name is the end of the source's.
            Some(_) => {
                let (stem, channel) =
                    self.source.name.rsplit_once(' ').unwrap_or((&self.source.name, ""));
                format!("{} {channel}", cleaned(stem)).trim().to_owned()
            }
            None => cleaned(&self.source.name),
        }
    }

    /// Format, rate and length for people.
    pub(super) fn description(&self) -> String {
        let Source { format, rate, channels, .. } = &self.source;
        let channels = match channels {
            1 => "mono".into(),
            2 => "stereo".into(),
            many => format!("{many} channels"),
        };
        let stays = match self.source.media {
            Media::InPlace => "used where it is",
            Media::Conformed(_) => "converted into the session folder",
        };
        format!("{format}, {channels}, {rate}; {stays}")
    }

    pub(super) fn shown(&self) -> String {
        format!("{:?}", self.source.path)
    }

    pub(super) fn warnings(&self) -> impl Iterator<Item = String> {
        let name = self.shown();
        self.warnings.iter().map(move |warning| format!("{name}: {warning}"))
    }
}

/// What was learned of the files of a call.
pub(super) struct Known {
    /// Those that can be used; one for each channel where channels are split.
    pub(super) incoming: Vec<Incoming>,
    /// The paths of those that can be used, as they were given.
    pub(super) files: Vec<String>,
    /// Why each of the others cannot, by name.
    pub(super) refused: Vec<String>,
}

/// Everything about all files. One that cannot be used does not keep the others out.
///
/// # Errors
/// When none can be used: it names each. When the run was stopped.
pub(super) fn read_all(
    files: &[String],
    split: bool,
    context: &PlanContext,
) -> Result<Known, ToolError> {
    let mut known = Known { incoming: Vec::new(), files: Vec::new(), refused: Vec::new() };
    for (index, file) in files.iter().enumerate() {
        let what = format!("Importing {}", of_file(file_name(file)));
        context.step(index, files.len(), &what)?;
        let tell = |done: f64| {
            context.progress.report((index as f64 + done) / files.len() as f64, &what);
        };
        match read(file, split, context, &tell) {
            Ok(found) => {
                known.incoming.extend(found);
                known.files.push(file.clone());
            }
            Err(Failure::Refused(why)) => known.refused.push(why),
            Err(Failure::Stopped(error)) => return Err(error),
        }
    }
    if known.files.is_empty() { Err(none_usable(&known.refused)) } else { Ok(known) }
}

fn none_usable(refused: &[String]) -> ToolError {
    let mut lines: Vec<String> = refused.iter().take(NAMED).cloned().collect();
    if refused.len() > 1 {
        lines.insert(0, format!("none of the {} files can be used:", refused.len()));
    }
    if refused.len() > NAMED {
        lines.push(format!("and {} more", refused.len() - NAMED));
    }
    let fix = "repair what is named, or give other files, and import again";
    ToolError::run(Code::Media, lines.join("\n"), fix)
}

enum Failure {
    Refused(String),
    Stopped(ToolError),
}

impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::Refused(error.to_string())
    }
}

/// `tell` hears how far it is, 0 to 1.
fn read(
    file: &str,
    split: bool,
    context: &PlanContext,
    tell: &dyn Fn(f64),
) -> Result<Vec<Incoming>, Failure> {
    let path = absolute(file)?;
    let rate = context.session.rate;
    let (probe, reader) = context.opener.probe_and_open_at(&path, rate)?;
    let length = reader.frames();
    drop(reader);
    let metadata = std::fs::metadata(&path)?;
    let hash = hash(&path, context, tell)?;
    let Some(text) = path.to_str() else {
        let why = format!("{} has a name that is not UTF-8; rename it", path.display());
        return Err(Failure::Refused(why));
    };
    let whole = source(&probe, text, &hash, &metadata, &context.session, length);
    Ok(parts(whole, &probe, split))
}

fn absolute(file: &str) -> Result<PathBuf, std::io::Error> {
    let path = std::path::absolute(file)?;
    // A link is followed, so that the same file is the same source; what is missing is told later.
    Ok(path.canonicalize().unwrap_or(path))
}

fn hash(path: &Path, context: &PlanContext, tell: &dyn Fn(f64)) -> Result<String, Failure> {
    let mut stopped = Ok(());
    let hash = content_hash_with(path, &mut |done| {
        tell(done);
        stopped = context.check();
        if stopped.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    stopped.map_err(Failure::Stopped)?;
    hash.map(|hash| hash.0)
        .ok_or_else(|| Failure::Refused(format!("{} could not be hashed", path.display())))
}

fn source(
    probe: &Probe,
    path: &str,
    hash: &str,
    metadata: &Metadata,
    session: &Session,
    frames: Frames,
) -> Source {
    let modified = metadata.modified().ok();
    let since = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let media = if probe.plays_in_place_at(session.rate) {
        Media::InPlace
    } else {
        let short: String = hash.chars().take(16).collect();
        Media::Conformed(format!("media/{short}-{}.wav", session.rate.0))
    };
    Source {
        name: of_file(file_name(path)),
        hash: ContentHash(hash.into()),
        path: path.into(),
        size: metadata.len(),
        modified_ns: since.and_then(|time| i64::try_from(time.as_nanos()).ok()).unwrap_or(0),
        format: format(probe),
        rate: probe.rate,
        channels: u16::try_from(probe.channels).unwrap_or(u16::MAX),
        channel: None,
        frames,
        origin: probe.origin.map(|origin| converted(origin, probe.rate, session.rate)),
        media,
    }
}

fn format(probe: &Probe) -> String {
    // "FLAC 16-bit" names both.
    if probe.sample_format.starts_with(&probe.format) {
        probe.sample_format.clone()
    } else {
        format!("{} {}", probe.format, probe.sample_format)
    }
}

/// A position at another rate, to the nearest frame.
fn converted(position: Frames, from: SampleRate, to: SampleRate) -> Frames {
    let (from, to) = (i128::from(from.0), i128::from(to.0));
    let scaled = (i128::from(position.0) * to + from / 2) / from;
    Frames(i64::try_from(scaled).unwrap_or(i64::MAX))
}

/// The source itself, or one source a channel.
fn parts(whole: Source, probe: &Probe, split: bool) -> Vec<Incoming> {
    let warnings = probe.warnings.clone();
    if !split || probe.channels < 2 {
        return vec![Incoming { source: whole, warnings }];
    }
    let name = |channel: u16| {
        let known = probe.channel_names.get(usize::from(channel)).cloned();
        known.unwrap_or_else(|| default_name(probe.channels, channel))
    };
    let part = |channel: u16| Incoming {
        source: Source {
            name: format!("{} {}", whole.name, name(channel).replace(' ', "-")),
            channels: 1,
            channel: Some(channel),
            ..whole.clone()
        },
        warnings: if channel == 0 { warnings.clone() } else { Vec::new() },
    };
    (0..whole.channels).map(part).collect()
}

fn default_name(channels: usize, channel: u16) -> String {
    match (channels, channel) {
        (2, 0) => "L".into(),
        (2, 1) => "R".into(),
        _ => (channel + 1).to_string(),
    }
}
