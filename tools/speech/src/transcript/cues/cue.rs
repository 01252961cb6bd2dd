//! A cue: a text on screen with its times.

use super::super::markup::plain;
use super::super::{Format, Micros};
use super::marks::{Mark, marks};
use std::ops::Range;

/// A cue as the file has it.
pub(super) struct Raw<'a> {
    pub(super) line: usize,
    /// `None` if its times cannot be read.
    pub(super) times: Option<Range<Micros>>,
    /// Its text, without empty lines.
    pub(super) lines: Vec<&'a str>,
}

/// A text with its times, as a file has it.
pub(super) struct Line<'a> {
    pub(super) line: usize,
    pub(super) times: Range<Micros>,
    pub(super) text: &'a str,
}

/// A cue after parsing.
pub(super) struct Cue {
    pub(super) line: usize,
    pub(super) start: Micros,
    pub(super) end: Micros,
    pub(super) voice: Option<String>,
    pub(super) text: String,
    /// Times inside of the text.
    pub(super) marks: Vec<Mark>,
}

impl Cue {
    pub(super) fn of(Line { line, times, text }: Line<'_>, format: Format) -> Self {
        let has_marks = matches!(format, Format::Vtt | Format::Lrc);
        let marks = if has_marks { marks(text) } else { Vec::new() };
        let (voice, text) = plain(text, format);
        Self { line, start: times.start, end: times.end, voice, text, marks }
    }
}
