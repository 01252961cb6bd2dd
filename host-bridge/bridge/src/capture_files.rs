//! Files of recordings: what their names say, and which of them are not in the session.

use crate::plans::now_ms;
use deskhand_dsp::Frames;
use deskhand_media::recover;
use deskhand_protocol::CaptureKind;
use deskhand_session::TrackId;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Between the parts of a file's name.
const SEAM: char = '-';

/// An unreported recording, according to its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Orphan {
    file: PathBuf,
    /// When it began, ms since 1970; `None` if the name does not say.
    pub(crate) began_ms: Option<i64>,
    pub(crate) place: Option<TakePlace>,
}

/// Where it belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TakePlace {
    pub(crate) track: TrackId,
    pub(crate) at: Frames,
    /// What `at` is counted in.
    pub(crate) of: CountedIn,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CountedIn {
    Session,
    /// The file's own rate: a host's need not be the session's.
    File,
}

impl Orphan {
    /// Parses the name: when it began, the recorder, the track, and the position.
    pub(crate) fn of(file: &Path) -> Self {
        let name = file.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        let name = name.strip_prefix(CaptureKind::Armed.prefix()).unwrap_or(name);
        let began = name.split(SEAM).next().and_then(|it| i64::from_str_radix(it, 16).ok());
        let began_ms = began.map(|us| us / 1_000).filter(|ms| (0..=now_ms()).contains(ms));
        Self { file: file.to_owned(), began_ms, place: TakePlace::of(name) }
    }

    pub(crate) fn kind(&self) -> CaptureKind {
        match name_of(&self.file) {
            Some(name) if is_armed(name) => CaptureKind::Armed,
            Some(_) | None => CaptureKind::Rolling,
        }
    }
}

impl TakePlace {
    /// Parses a name. An instance writes its own id before the track, and counts at its host's rate; the
    /// app does neither.
    fn of(name: &str) -> Option<Self> {
        let (_, name) = name.split_once(SEAM)?;
        let placed = |name: &str, of| {
            let (track, at) = name.split_once(SEAM)?;
            Some(Self { track: track.parse().ok()?, at: Frames(at.parse().ok()?), of })
        };
        let of_instance = || placed(name.split_once(SEAM)?.1, CountedIn::File);
        placed(name, CountedIn::Session).or_else(of_instance)
    }
}

/// Complete recordings that are unknown. An unfinished rolling recording of a killed host is completed
/// first; an armed one is completed by the app.
pub(crate) fn unknown(folder: &Path, known: &BTreeSet<String>) -> Vec<PathBuf> {
    let names = |folder| {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        entries.filter_map(|entry| entry.file_name().into_string().ok()).collect::<Vec<_>>()
    };
    let cut_off = names(folder).into_iter().filter_map(|name| {
        let name = name.strip_prefix(".deskhand-")?.strip_suffix(".part")?;
        let (name, _) = name.rsplit_once(SEAM)?;
        (!is_armed(name)).then(|| name.to_owned())
    });
    cut_off.for_each(|name| drop(recover(folder, &name)));
    let whole = names(folder).into_iter();
    let whole = whole.filter(|name| name.ends_with(".wav") && !name.starts_with('.'));
    whole.filter(|name| !known.contains(name)).map(|name| folder.join(name)).collect()
}

fn is_armed(name: &str) -> bool {
    name.starts_with(CaptureKind::Armed.prefix())
}

pub(crate) fn name_of(file: &Path) -> Option<&str> {
    file.file_name().and_then(|name| name.to_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_where_a_recording_belongs() {
        let track = TrackId::new(7);
        let of =
            |name: &str| Orphan::of(Path::new(name)).place.map(|it| (it.track, it.at.0, it.of));
        assert_eq!(
            of(&format!("63e5-1f2a-{track}--880.wav")),
            Some((track, -880, CountedIn::File))
        );
        assert_eq!(
            of(&format!("armed-63e5-1f2a-{track}-5.wav")),
            Some((track, 5, CountedIn::File))
        );
        assert_eq!(of(&format!("armed-63e5-{track}-5.wav")), Some((track, 5, CountedIn::Session)));
        assert_eq!(of("63e5-1f2a-480.wav"), None);
        assert_eq!(of("mine.wav"), None);
        assert_eq!(Orphan::of(Path::new("63e5-x.wav")).began_ms, Some(0x63e5 / 1_000));
    }
}
