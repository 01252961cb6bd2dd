//! Which file of a source a timeline names: the recording itself, or the copy of it that the session plays.

use crate::handoff::Target;
use deskhand_dsp::SampleRate;
use deskhand_session::{Media, Source};
use std::path::{Path, PathBuf};

/// A source as a timeline for `target` names it; the session is in `folder`. An AAF names WAV files, and a track of a
/// film has a file of its own only in the session.
pub(crate) fn handed(source: &Source, folder: &Path, rate: SampleRate, target: Target) -> Source {
    let copy = match &source.media {
        Media::Conformed(file) => Some(folder.join(file)),
        Media::InPlace => None,
    };
    let kept = source.kept().map(|kept| folder.join(kept)).filter(|kept| kept.is_file());
    let original = kept.unwrap_or_else(|| PathBuf::from(&source.path));
    let fits = source.hash.track().is_none() && (target != Target::Aaf || is_wave(&original));
    let path = |path: &Path| path.to_string_lossy().into_owned();
    match copy.filter(|copy| copy.is_file()) {
        // The copy is at the rate of the session, and has no time stamp.
        Some(copy) if !source.is_made() && (!fits || !original.is_file()) => {
            Source { path: path(&copy), rate, origin: None, ..source.clone() }
        }
        _ => Source { path: path(&original), ..source.clone() },
    }
}

/// Whether a file is WAV, by its name.
pub(crate) fn is_wave(path: &Path) -> bool {
    let ending = path.extension().unwrap_or_default().to_ascii_lowercase();
    ["wav", "wave", "bwf", "rf64"].iter().any(|known| ending == *known)
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_dsp::Frames;

    const RATE: SampleRate = SampleRate(48_000);

    #[test]
    fn an_aaf_names_the_copy_of_what_is_no_wav() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("media")).unwrap();
        for file in ["a.flac", "b.wav", "media/a.wav"] {
            std::fs::write(at(file), b"").unwrap();
        }
        let source = |name: &str| {
            let path = at(name).to_string_lossy().into_owned();
            let source = Source::in_place(&path, SampleRate(44_100), 1, Frames(9));
            Source {
                media: Media::Conformed("media/a.wav".into()),
                origin: Some(Frames(5)),
                ..source
            }
        };
        let file = |source: &Source, target| {
            let Source { path, rate, origin, .. } = handed(source, folder.path(), RATE, target);
            (PathBuf::from(path), rate.0, origin)
        };
        let flac = source("a.flac");
        assert_eq!(file(&flac, Target::Edl), (at("a.flac"), 44_100, Some(Frames(5))));
        assert_eq!(file(&flac, Target::Aaf), (at("media/a.wav"), 48_000, None));
        let wave = source("b.wav");
        assert_eq!(file(&wave, Target::Aaf), (at("b.wav"), 44_100, Some(Frames(5))));
        std::fs::remove_file(at("b.wav")).unwrap();
        assert_eq!(file(&wave, Target::Edl).0, at("media/a.wav"), "the original is away");
        let film = Source { hash: wave.hash.of_track(1), ..flac };
        assert_eq!(file(&film, Target::Edl).0, at("media/a.wav"), "a film has several tracks");
    }
}
