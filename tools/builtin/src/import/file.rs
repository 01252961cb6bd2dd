//! What an audio file is, and the source it becomes.

use deskhand_dsp::{Frames, SampleRate};
use deskhand_media::{Placement, content_hash};
use deskhand_session::{ContentHash, Media, Source};
use deskhand_toolkit::{Code, PlanContext, ToolError};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// Digits of the content hash that name a conformed file.
const NAME_DIGITS: usize = 16;

/// A file that can be imported. Frames are at the session rate.
pub(super) struct Found {
    path: PathBuf,
    pub(super) name: String,
    hash: String,
    size: u64,
    modified_ns: i64,
    format: String,
    rate: SampleRate,
    pub(super) channels: u16,
    channel_names: Vec<String>,
    pub(super) frames: Frames,
    pub(super) origin: Option<Frames>,
    media: Media,
    pub(super) warnings: Vec<String>,
}

impl Found {
    /// Looks at a file: its headers, its exact length at the session rate and its content hash.
    pub(super) fn look(path: &Path, context: &PlanContext) -> Result<Self, ToolError> {
        let session_rate = context.session.rate;
        let probe = context.opener.probe(path).map_err(unusable)?;
        let reader = context
            .opener
            .open_at(path, session_rate)
            .map_err(unusable)?;
        let hash = content_hash(path).map_err(unusable)?.0;
        let (size, modified_ns) = stamp(path)?;
        let digits = hash.get(..NAME_DIGITS).unwrap_or(&hash);
        let media = if probe.placement == Placement::InPlace && probe.rate == session_rate {
            Media::InPlace
        } else {
            Media::Conformed(format!("media/{digits}-{}.wav", session_rate.0))
        };
        Ok(Self {
            name: name(path),
            path: path.to_owned(),
            size,
            modified_ns,
            format: format!("{} {}", probe.format, probe.sample_format),
            rate: probe.rate,
            channels: u16::try_from(reader.channels()).unwrap_or(u16::MAX),
            channel_names: probe.channel_names,
            frames: reader.frames(),
            origin: probe
                .origin
                .map(|origin| converted(origin, probe.rate, session_rate)),
            media,
            hash,
            warnings: probe.warnings,
        })
    }

    /// The source that the file, or one channel of it, becomes.
    pub(super) fn source(&self, channel: Option<u16>) -> Source {
        let name = match channel {
            None => self.name.clone(),
            Some(channel) => {
                let number = usize::from(channel);
                let label = self.channel_names.get(number).cloned();
                format!(
                    "{} {}",
                    self.name,
                    label.unwrap_or_else(|| (number + 1).to_string())
                )
            }
        };
        Source {
            name,
            hash: ContentHash(self.hash.clone()),
            path: self.path.to_string_lossy().into_owned(),
            size: self.size,
            modified_ns: self.modified_ns,
            format: self.format.clone(),
            rate: self.rate,
            channels: if channel.is_some() { 1 } else { self.channels },
            channel,
            frames: self.frames,
            origin: self.origin,
            media: self.media.clone(),
        }
    }

    /// What the file is, in a few words.
    pub(super) fn describe(&self) -> String {
        let place = match self.media {
            Media::InPlace => "used where it is",
            Media::Conformed(_) => "conformed into the media folder",
        };
        format!(
            "{}, {} ch, {}: {place}",
            self.format, self.channels, self.rate
        )
    }
}

fn unusable(error: impl std::fmt::Display) -> ToolError {
    ToolError::run(Code::Media, error.to_string(), "nothing was imported")
}

/// Size in bytes and modification time, by which a change behind our back is seen.
fn stamp(path: &Path) -> Result<(u64, i64), ToolError> {
    let found = std::fs::metadata(path)
        .map_err(|error| unusable(format!("{}: {error}", path.display())))?;
    let modified = found
        .modified()
        .ok()
        .and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let modified_ns = modified.and_then(|time| i64::try_from(time.as_nanos()).ok());
    Ok((found.len(), modified_ns.unwrap_or(0)))
}

/// The file's name without its ending; what a name may not hold becomes a space.
fn name(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let plain: String = stem
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    let short: String = plain.trim().chars().take(180).collect();
    if short.is_empty() {
        "audio".into()
    } else {
        short
    }
}

/// A position at one rate, at another, rounded to the nearest frame.
fn converted(at: Frames, from: SampleRate, to: SampleRate) -> Frames {
    let (from, to) = (i128::from(from.0.max(1)), i128::from(to.0));
    let scaled = (i128::from(at.0) * to + from / 2).div_euclid(from);
    Frames(i64::try_from(scaled).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_no_control_characters_and_are_never_empty() {
        assert_eq!(name(Path::new("/a/lead\nvocal 🎤.wav")), "lead vocal 🎤");
        assert_eq!(name(Path::new("/a/\u{7}.wav")), "audio");
    }

    #[test]
    fn time_stamps_keep_their_time_at_another_rate() {
        let (cd, film) = (SampleRate(44_100), SampleRate(48_000));
        assert_eq!(
            converted(Frames(44_100 * 36_000), cd, film),
            Frames(48_000 * 36_000)
        );
        assert_eq!(converted(Frames(1), cd, film), Frames(1));
    }
}
