//! A SOURCE chunk: the file of a take, and the section of it that a SECTION source plays.

use std::borrow::Cow;

use super::item::Unplayable;
use super::lines::{Document, quoted};
use crate::format::ReadError;

pub(super) struct Source<'a> {
    pub(super) file: Cow<'a, str>,
    pub(super) section: Option<Section>,
}

/// A stretch of a file in seconds, that an item plays as if it were a file.
#[derive(Clone, Copy)]
pub(super) struct Section {
    pub(super) start: f64,
    pub(super) length: f64,
}

const AUDIO: [&[u8]; 8] =
    [b"WAVE", b"OFFLINEWAVE", b"FLAC", b"MP3", b"VORBIS", b"OPUS", b"WAVPACK", b"AIFF"];
/// Audio in containers that REAPER opens as video.
const AUDIO_IN_VIDEO: [&str; 3] = [".m4a", ".aac", ".m4b"];

impl<'a> Source<'a> {
    pub(super) fn of(
        document: &Document<'a>,
        chunk: usize,
    ) -> Result<Result<Self, Unplayable>, ReadError> {
        match document.text(document.head(chunk), 1).as_deref() {
            Some("SECTION") => Self::of_section(document, chunk),
            kind => Ok(Self::of_file(document, chunk, kind.unwrap_or_default())),
        }
    }

    fn of_file(document: &Document<'a>, chunk: usize, kind: &str) -> Result<Self, Unplayable> {
        let file = child(document, chunk, b"FILE").and_then(|line| document.text(line, 1));
        let file = file.filter(|file| !file.is_empty());
        let is_audio_name = |file: &str| {
            let name = file.to_ascii_lowercase();
            AUDIO_IN_VIDEO.iter().any(|ending| name.ends_with(ending))
        };
        match (kind, file) {
            (_, Some(file)) if AUDIO.contains(&kind.as_bytes()) => Ok(Self { file, section: None }),
            ("VIDEO", Some(file)) if is_audio_name(&file) => Ok(Self { file, section: None }),
            ("VIDEO", _) => Err(("video item", "video items")),
            ("MIDI" | "MIDIPOOL", _) => Err(("MIDI item", "MIDI items")),
            ("RPP_PROJECT", _) => Err(("project inside the project", "projects in the project")),
            ("" | "EMPTY", _) => Err(("empty item", "empty items")),
            _ => Err(("item of another kind", "items of other kinds")),
        }
    }

    fn of_section(
        document: &Document<'a>,
        chunk: usize,
    ) -> Result<Result<Self, Unplayable>, ReadError> {
        let number = |tag: &[u8]| document.number_of(child(document, chunk, tag), 1, 0.0);
        let section = Section { start: number(b"STARTPOS")?, length: number(b"LENGTH")? };
        if number(b"MODE")? >= 2.0 {
            return Ok(Err(("reversed clip", "reversed clips")));
        }
        let inner = document.children(chunk).find_map(|child| child.chunk);
        let Some(inner) = inner else { return Ok(Err(("empty item", "empty items"))) };
        let kind = document.text(document.head(inner), 1).unwrap_or_default();
        let file = Self::of_file(document, inner, &kind);
        Ok(file.map(|source| Self { section: Some(section), ..source }))
    }
}

fn child(document: &Document<'_>, chunk: usize, tag: &[u8]) -> Option<usize> {
    let mut lines = document.children(chunk).map(|child| child.line);
    lines.find(|line| document.tag(*line) == tag)
}

/// The lines of a new source, without indentation and line ends.
pub(super) fn new_source(file: &str) -> [String; 3] {
    let ending = file.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    let kind = match ending.as_str() {
        "flac" => "FLAC",
        "mp3" => "MP3",
        "ogg" => "VORBIS",
        "opus" => "OPUS",
        "wv" => "WAVPACK",
        "m4a" | "m4b" | "aac" => "VIDEO",
        _ => "WAVE",
    };
    let file = quoted(file);
    let file = if file.starts_with(['"', '\'', '`']) { file } else { format!("\"{file}\"") };
    [format!("<SOURCE {kind}"), format!("  FILE {file}"), ">".to_owned()]
}
