//! The formats of transcript files: which are read and written, and how their files are recognized.

use deskhand_session::transcript::FILE_ENDINGS;
use schemars::JsonSchema;
use serde::Deserialize;
use std::path::Path;

/// A file format that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// SubRip: milliseconds, no speakers of its own ("Name: text").
    Srt,
    /// WebVTT: milliseconds, speakers as voices.
    Vtt,
    /// Whisper's JSON, with the times of words; speakers as `speaker`.
    Json,
    /// One line per phrase: `[00:00:01.250 --> 00:00:03.000] Name: text`.
    Text,
    /// SubStation Alpha, .ass or .ssa; actors are speakers.
    Ass,
    /// YouTube's SBV, and SubViewer.
    Sbv,
    /// Lyrics: lines with starts.
    Lrc,
    /// Timed Text, .ttml or .dfxp; agents are speakers.
    Ttml,
    /// SAMI; of several languages the first.
    Smi,
}

/// A file format that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// SubRip.
    Srt,
    /// WebVTT.
    Vtt,
    /// Whisper's JSON.
    Json,
    /// One line per phrase.
    Text,
}

/// The endings of files that are read, as a person reads them: `.srt, .vtt or .txt`.
#[must_use]
pub fn endings() -> String {
    let all = FILE_ENDINGS.map(|ending| format!(".{ending}")).join(", ");
    all.rsplit_once(", ").map_or_else(String::new, |(most, last)| format!("{most} or {last}"))
}

impl Format {
    /// By the ending of a path.
    #[must_use]
    pub fn of(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        match ending.as_str() {
            "srt" => Some(Self::Srt),
            "vtt" => Some(Self::Vtt),
            "json" => Some(Self::Json),
            "txt" => Some(Self::Text),
            "ass" | "ssa" => Some(Self::Ass),
            "sbv" | "sub" => Some(Self::Sbv),
            "lrc" => Some(Self::Lrc),
            "ttml" | "dfxp" | "itt" | "xml" => Some(Self::Ttml),
            "smi" | "sami" => Some(Self::Smi),
            _ => None,
        }
    }
}

impl Written {
    /// By the ending of a path.
    #[must_use]
    pub fn of(path: &Path) -> Option<Self> {
        match Format::of(path)? {
            Format::Srt => Some(Self::Srt),
            Format::Vtt => Some(Self::Vtt),
            Format::Json => Some(Self::Json),
            Format::Text => Some(Self::Text),
            Format::Ass | Format::Sbv | Format::Lrc | Format::Ttml | Format::Smi => None,
        }
    }
}

impl From<Written> for Format {
    fn from(written: Written) -> Self {
        match written {
            Written::Srt => Self::Srt,
            Written::Vtt => Self::Vtt,
            Written::Json => Self::Json,
            Written::Text => Self::Text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_says_what_is_read_and_what_is_written() {
        assert_eq!(Format::of(Path::new("a.SSA")), Some(Format::Ass));
        assert_eq!(Format::of(Path::new("a.doc")), None);
        for ending in FILE_ENDINGS {
            assert!(Format::of(&Path::new("a").with_extension(ending)).is_some(), "{ending}");
        }
        assert_eq!(Written::of(Path::new("a.Vtt")), Some(Written::Vtt));
        assert_eq!(Written::of(Path::new("a.ass")), None);
        assert!(endings().starts_with(".srt, .vtt, .json, ") && endings().ends_with(" or .sami"));
    }
}
