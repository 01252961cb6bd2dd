//! What a JSON file of a transcript has in it, before it is checked.

use super::Micros;

/// The parsed content of a file.
#[derive(Default)]
pub(super) struct File {
    pub(super) segments: Option<Vec<Part>>,
    /// As whisper.cpp has them.
    pub(super) transcription: Option<Vec<Part>>,
    pub(super) words: Vec<Piece>,
}

impl File {
    pub(super) fn is_empty(&self) -> bool {
        self.segments.is_none() && self.transcription.is_none() && self.words.is_empty()
    }
}

/// A segment.
#[derive(Default)]
pub(super) struct Part {
    pub(super) start: Option<Micros>,
    pub(super) end: Option<Micros>,
    pub(super) text: String,
    pub(super) speaker: Option<String>,
    pub(super) words: Vec<Piece>,
    /// Where it begins, if it was read after a break.
    pub(super) line: Option<usize>,
}

/// A word; one that could not be aligned has no times.
#[derive(Clone, Default)]
pub(super) struct Piece {
    pub(super) word: String,
    pub(super) start: Option<Micros>,
    pub(super) end: Option<Micros>,
    pub(super) probability: Option<f64>,
}
