//! The only registry of viewers. It maps the type of a resource to its viewer.

use deskhand_protocol::desk::Viewer;
use deskhand_session::{Handle, TalkPart};
use std::path::Path;

/// The type of a resource, for the choice of its viewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Sound.
    Audio,
    /// A picture.
    Picture,
    /// Rows and columns.
    Table,
    /// Timed words.
    Transcript,
    /// A folder.
    Folder,
    /// Everything else.
    Text,
}

/// Endings of files whose type is known; all others are text.
// tidy: table
const ENDINGS: [(&str, Kind); 27] = [
    ("wav", Kind::Audio),
    ("wave", Kind::Audio),
    ("bwf", Kind::Audio),
    ("rf64", Kind::Audio),
    ("aif", Kind::Audio),
    ("aiff", Kind::Audio),
    ("aifc", Kind::Audio),
    ("flac", Kind::Audio),
    ("mp3", Kind::Audio),
    ("m4a", Kind::Audio),
    ("mp4", Kind::Audio),
    ("aac", Kind::Audio),
    ("ogg", Kind::Audio),
    ("oga", Kind::Audio),
    ("opus", Kind::Audio),
    ("caf", Kind::Audio),
    ("png", Kind::Picture),
    ("jpg", Kind::Picture),
    ("jpeg", Kind::Picture),
    ("gif", Kind::Picture),
    ("webp", Kind::Picture),
    ("svg", Kind::Picture),
    ("csv", Kind::Table),
    ("tsv", Kind::Table),
    ("srt", Kind::Transcript),
    ("vtt", Kind::Transcript),
    ("rttm", Kind::Transcript),
];

/// The type of the resource of a handle; `folder` is true if a file handle names a folder.
pub(super) fn kind(handle: &Handle, is_folder: bool) -> Kind {
    match handle {
        Handle::Track(_) | Handle::Clip(_) | Handle::Source(_) => Kind::Audio,
        Handle::Session | Handle::Plan(_) | Handle::Marker(_) | Handle::History => Kind::Table,
        Handle::Talk(TalkPart::Transcript(_)) => Kind::Transcript,
        Handle::Talk(
            TalkPart::Codes | TalkPart::Segments | TalkPart::Assembly | TalkPart::Phrase(_),
        ) => Kind::Table,
        Handle::Tool(_) => Kind::Text,
        Handle::File(_) if is_folder => Kind::Folder,
        Handle::File(path) => by_ending(path),
    }
}

fn by_ending(path: &str) -> Kind {
    let ending = Path::new(path).extension().map(std::ffi::OsStr::to_ascii_lowercase);
    let known = ENDINGS.iter().find(|(known, _)| ending.as_deref().is_some_and(|it| it == *known));
    known.map_or(Kind::Text, |(_, kind)| *kind)
}

/// The viewers that can show it, the one that `auto` means first.
pub(super) fn viewers(kind: Kind) -> &'static [Viewer] {
    match kind {
        Kind::Audio => &[Viewer::Waveform, Viewer::Spectrogram, Viewer::Transcript, Viewer::Table],
        Kind::Picture => &[Viewer::Image],
        Kind::Table => &[Viewer::Table, Viewer::Text],
        Kind::Transcript => &[Viewer::Transcript, Viewer::Text, Viewer::Table],
        Kind::Folder => &[Viewer::Directory, Viewer::Table],
        Kind::Text => &[Viewer::Text, Viewer::Table],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_session::TrackId;

    fn auto(text: &str) -> Viewer {
        viewers(kind(&text.parse().unwrap(), false))[0]
    }

    #[test]
    fn the_type_chooses_the_viewer_and_what_is_unknown_is_text() {
        assert_eq!(auto(&Handle::Track(TrackId::new(1)).to_string()), Viewer::Waveform);
        assert_eq!(auto("deskhand://session"), Viewer::Table);
        assert_eq!(auto("deskhand://tools/tool_fades"), Viewer::Text);
        for words in ["codes", "segments", "assembly", "phrases/phr_000000000001"] {
            assert_eq!(auto(&format!("deskhand://{words}")), Viewer::Table, "{words}");
        }
        assert_eq!(auto("deskhand://transcripts/src_000000000001"), Viewer::Transcript);
        assert_eq!(auto("deskhand://files/media/A.WAV"), Viewer::Waveform);
        assert_eq!(auto("deskhand://files/cover.jpeg"), Viewer::Image);
        assert_eq!(auto("deskhand://files/words.vtt"), Viewer::Transcript);
        assert_eq!(auto("deskhand://files/levels.csv"), Viewer::Table);
        for unknown in ["a.xyz", "README", ".wav", "a.wav.bak"] {
            assert_eq!(auto(&format!("deskhand://files/{unknown}")), Viewer::Text, "{unknown}");
        }
        assert_eq!(viewers(kind(&Handle::File("media".into()), true))[0], Viewer::Directory);
    }
}
