//! What is learned of files before they are sources.

use super::folder::files_of;
use crate::names::{cleaned, file_name, fit, of_file};
use deskhand_dsp::{FrameReader, Frames, SampleRate};
use deskhand_media::{AudioTrack, Probe, content_hash_with};
use deskhand_session::{ContentHash, Media, Source};
use deskhand_toolkit::{Code, PlanContext, ToolError};
use std::fs::Metadata;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// The most files that an error names.
const NAMED: usize = 20;

/// A file, or one audio track or channel of it, that shall become a source.
pub(super) struct Incoming {
    pub(super) source: Source,
    /// How much later it begins than the first of the audio tracks in its file.
    pub(super) offset: Frames,
    /// What the file calls the audio track.
    title: Option<String>,
    warnings: Vec<String>,
}

/// What of each file is wanted.
pub(super) struct Wanted {
    /// Each channel becomes a source.
    pub(super) split: bool,
    /// Of several audio tracks those with these numbers from 1; none: each that is not silent.
    pub(super) tracks: Vec<u16>,
}

impl Wanted {
    /// Everything that sounds, with its channels together.
    pub(super) const ALL: Self = Self { split: false, tracks: Vec::new() };
}

impl Incoming {
    /// The name of a track for it.
    pub(super) fn track_name(&self) -> String {
        // The channel's name is the end of the source's.
        let name = &self.source.name;
        let channel = self.source.channel.and_then(|_| name.rsplit_once(' '));
        let (stem, channel) = channel.unwrap_or((name.as_str(), ""));
        let stem = self.title.clone().unwrap_or_else(|| cleaned(stem));
        format!("{stem} {channel}").trim().to_owned()
    }

    /// Whether its file has several audio tracks, which sound at the same time.
    pub(super) fn is_one_of_several(&self) -> bool {
        self.source.hash.track().is_some()
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
    wanted: &Wanted,
    context: &PlanContext,
) -> Result<Known, ToolError> {
    let (files, refused) = files_of(files);
    let mut known = Known { incoming: Vec::new(), files: Vec::new(), refused };
    for (index, file) in files.iter().enumerate() {
        let what = format!("Importing {}", of_file(file_name(file)));
        context.step(index, files.len(), &what)?;
        let tell = |done: f64| {
            context.progress.report((index as f64 + done) / files.len() as f64, &what);
        };
        match read(file, wanted, context, &tell) {
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
    wanted: &Wanted,
    context: &PlanContext,
    tell: &dyn Fn(f64),
) -> Result<Vec<Incoming>, Failure> {
    let path = absolute(file)?;
    let (probe, reader) = context.opener.probe_and_open_at(&path, context.session.rate)?;
    let count = probe.tracks.len().max(1);
    if let Some(number) = wanted.tracks.iter().find(|n| !(1..=count).contains(&usize::from(**n))) {
        let tracks = deskhand_session::text::count(count, "audio track");
        let why = format!("{} has {tracks}, so it has no audio track {number}", path.display());
        return Err(Failure::Refused(why));
    }
    let metadata = std::fs::metadata(&path)?;
    let hash = hash(&path, context, tell)?;
    let Some(text) = path.to_str() else {
        let why = format!("{} has a name that is not UTF-8; rename it", path.display());
        return Err(Failure::Refused(why));
    };
    let original = Original { path: text, hash, metadata, wanted, context };
    if probe.tracks.is_empty() {
        let whole = original.source(&probe, reader.frames(), None);
        return Ok(original.parts(whole, &probe, None));
    }
    drop(reader);
    original.tracks(&probe.tracks)
}

/// A file that is imported.
struct Original<'a> {
    path: &'a str,
    hash: ContentHash,
    metadata: Metadata,
    wanted: &'a Wanted,
    context: &'a PlanContext,
}

impl Original<'_> {
    /// Each audio track that was asked for, or that sounds; the first where none does. What is left out is named.
    fn tracks(&self, tracks: &[AudioTrack]) -> Result<Vec<Incoming>, Failure> {
        let chosen = &self.wanted.tracks;
        let (mut found, mut silent) = (Vec::new(), Vec::new());
        let (mut left_out, mut refused) = (Vec::new(), Vec::new());
        for (index, track) in (0..).zip(tracks) {
            let number = index + 1;
            if !chosen.is_empty() && !chosen.contains(&number) {
                continue;
            }
            let title = track.title.as_ref().map(|_| format!(" (\"{}\")", track.name(index)));
            let shown = format!("audio track {number}{}", title.unwrap_or_default());
            match self.track(index, track) {
                Ok((incoming, sounds)) if sounds || !chosen.is_empty() => found.extend(incoming),
                Ok((incoming, _)) => {
                    left_out.push(format!("{shown} is silent and was left out"));
                    silent.push(incoming);
                }
                Err(Failure::Refused(why)) => {
                    refused.push(format!("{shown} was left out: {}", self.without_path(why)));
                }
                Err(stopped) => return Err(stopped),
            }
        }
        if found.is_empty() && !silent.is_empty() {
            found = silent.swap_remove(0);
            let only =
                "no audio track that can be read sounds; only the first of them was imported";
            left_out = vec![only.into()];
        }
        count_offsets_from_first(&mut found, &silent);
        let none = Failure::Refused(format!("{:?}: {}", self.path, refused.join("\n")));
        found.first_mut().ok_or(none)?.warnings.extend(left_out.into_iter().chain(refused));
        Ok(found)
    }

    /// What is wrong with an audio track, for a sentence that names the file.
    fn without_path(&self, why: String) -> String {
        match why.strip_prefix(&format!("{:?}", self.path)) {
            Some(rest) => format!("it{rest}"),
            None => why,
        }
    }

    /// One audio track, and whether it sounds.
    fn track(&self, index: u16, track: &AudioTrack) -> Result<(Vec<Incoming>, bool), Failure> {
        let opener = self.context.opener.track(Some(index));
        let rate = self.context.session.rate;
        let (probe, mut reader) = opener.probe_and_open_at(Path::new(self.path), rate)?;
        let mut whole = self.source(&probe, reader.frames(), Some(index));
        let name = track.name(index);
        let named = format!("{} {name}", whole.name);
        whole.name = fit(&named).unwrap_or(named);
        let title = track.title.as_ref().map(|_| name);
        let sounds = sounds(reader.as_mut(), self.context)?;
        Ok((self.parts(whole, &probe, title), sounds))
    }

    /// `track` is one of several audio tracks.
    fn source(&self, probe: &Probe, frames: Frames, track: Option<u16>) -> Source {
        let rate = self.context.session.rate;
        let modified = self.metadata.modified().ok();
        let since = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let media = if probe.plays_in_place_at(rate) {
            Media::InPlace
        } else {
            let short: String = self.hash.0.chars().take(16).collect();
            let track = track.map(|track| format!("-{}", u32::from(track) + 1));
            Media::Conformed(format!("media/{short}-{}{}.wav", rate.0, track.unwrap_or_default()))
        };
        Source {
            name: of_file(file_name(self.path)),
            hash: track.map_or_else(|| self.hash.clone(), |track| self.hash.of_track(track)),
            path: self.path.into(),
            size: self.metadata.len(),
            modified_ns: since.and_then(|time| i64::try_from(time.as_nanos()).ok()).unwrap_or(0),
            format: format(probe),
            rate: probe.rate,
            channels: u16::try_from(probe.channels).unwrap_or(u16::MAX),
            channel: None,
            frames,
            origin: probe.origin.map(|origin| converted(origin, probe.rate, rate)),
            same_sound: Vec::new(),
            media,
        }
    }

    /// The source itself, or one source a channel.
    fn parts(&self, whole: Source, probe: &Probe, title: Option<String>) -> Vec<Incoming> {
        let offset = converted(probe.start, probe.rate, self.context.session.rate);
        let warnings = probe.warnings.clone();
        if !self.wanted.split || probe.channels < 2 {
            return vec![Incoming { source: whole, offset, title, warnings }];
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
            offset,
            title: title.clone(),
            warnings: if channel == 0 { warnings.clone() } else { Vec::new() },
        };
        (0..whole.channels).map(part).collect()
    }
}

/// Counts from the audio track of the file that begins first, be it silent.
fn count_offsets_from_first(found: &mut [Incoming], silent: &[Vec<Incoming>]) {
    let all = found.iter().chain(silent.iter().flatten());
    let first = all.map(|incoming| incoming.offset).min().unwrap_or_default();
    for incoming in found {
        incoming.offset -= first;
    }
}

/// Whether anything in it is above -80 dBFS.
fn sounds(reader: &mut dyn FrameReader, context: &PlanContext) -> Result<bool, Failure> {
    const SILENCE: f32 = 1e-4;
    const BLOCK: usize = 1 << 16;
    let mut block = vec![vec![0.0; BLOCK]; reader.channels()];
    let mut at = Frames::ZERO;
    loop {
        context.check().map_err(Failure::Stopped)?;
        let mut planes: Vec<&mut [f32]> = block.iter_mut().map(Vec::as_mut_slice).collect();
        let read = reader.read(at, &mut planes)?;
        let loud = |plane: &Vec<f32>| plane.iter().take(read).any(|sample| sample.abs() > SILENCE);
        if block.iter().any(loud) || read == 0 {
            return Ok(read > 0);
        }
        at += Frames::from_index(read);
    }
}

fn absolute(file: &str) -> Result<PathBuf, std::io::Error> {
    let path = std::path::absolute(file)?;
    // A link is followed, so that the same file is the same source; what is missing is told later.
    Ok(path.canonicalize().unwrap_or(path))
}

fn hash(path: &Path, context: &PlanContext, tell: &dyn Fn(f64)) -> Result<ContentHash, Failure> {
    let mut stopped = Ok(());
    let hash = content_hash_with(path, &mut |done| {
        tell(done);
        stopped = context.check();
        if stopped.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    stopped.map_err(Failure::Stopped)?;
    hash.map(|hash| ContentHash(hash.0))
        .ok_or_else(|| Failure::Refused(format!("{} could not be hashed", path.display())))
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

fn default_name(channels: usize, channel: u16) -> String {
    match (channels, channel) {
        (2, 0) => "L".into(),
        (2, 1) => "R".into(),
        _ => (channel + 1).to_string(),
    }
}
