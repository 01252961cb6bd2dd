//! Sentences about files of an edit: what it is written as, and what the file is called.

use super::said::{One, Said};
use crate::lexer::Token;
use crate::resolve::Trouble;
use serde_json::{Value, json};

/// What an edit is written as: the format, the name of a file, and words for it.
const FORMATS: &[(&str, &str, &[&str])] = &[
    ("otio", "edit.otio", &["otio", "opentimelineio", "open timeline io", "timeline"]),
    (
        "audacity",
        "labels.txt",
        &["audacity", "audacity labels", "labels", "label track", "audacity label track"],
    ),
    (
        "csv",
        "edit.csv",
        &["csv", "table", "spreadsheet", "excel", "csv table", "cut list", "edit list", "cues"],
    ),
    ("srt", "edit.srt", &["srt", "subtitles", "captions", "subrip", "srt subtitles"]),
    (
        "vtt",
        "edit.vtt",
        &["vtt", "webvtt", "vtt subtitles", "webvtt subtitles", "vtt captions", "web subtitles"],
    ),
    ("transcript", "edit.txt", &["transcript", "text", "txt", "script", "plain text"]),
];

/// What other programs read and is not written.
const FOREIGN: &[&str] = &[
    "edl",
    "aaf",
    "xml",
    "fcpxml",
    "omf",
    "final cut",
    "final cut xml",
    "final cut pro",
    "premiere",
    "premiere pro",
    "resolve",
    "davinci resolve",
    "davinci",
    "avid",
    "media composer",
    "pro tools",
    "reaper",
    "logic",
    "hindenburg",
    "descript",
    "word",
    "pdf",
    "docx",
];

fn format_of(words: &str) -> Option<(&'static str, &'static str)> {
    let found = FORMATS.iter().find(|(_, _, said)| said.contains(&words));
    found.map(|(format, path, _)| (*format, *path))
}

/// Whether tokens are a format, as it is said in a slot.
pub(super) fn is_format(slot: &str, tokens: &[Token]) -> bool {
    let words: Vec<&str> = tokens.iter().map(|token| token.word().unwrap_or("?")).collect();
    let words = words.join(" ");
    let format = format_of(&words).map(|(format, _)| format);
    match slot {
        "foreign" => FOREIGN.contains(&words.as_str()),
        "script" => format == Some("transcript"),
        "titles" => matches!(format, Some("srt" | "vtt")),
        // "the transcript" and "the subtitles" alone are those of the recordings.
        "listing" => matches!(format, Some("otio" | "audacity" | "csv")),
        _ => format.is_some(),
    }
}

/// A file by the name that was said, or by the usual one: then the next that is free.
pub(super) fn path(usual: &str, said: Option<String>) -> Vec<(&'static str, Value)> {
    match said {
        Some(name) => vec![("path", json!(name))],
        None => vec![("path", json!(usual)), ("or_next_free", json!(true))],
    }
}

/// "export an EDL": what takes its place.
pub(super) fn foreign(said: &Said<'_>) -> One {
    let told = said.text("foreign").unwrap_or_default();
    let reason = format!(
        "\"{told}\" is not written; OpenTimelineIO is, which other editors read or convert, and labels, tables, \
         subtitles and text"
    );
    Err(Trouble::new(reason, ["export the edit as otio", "export the edit as csv"]))
}

/// "export the edit": as what?
pub(super) fn how() -> One {
    let offers = ["export the edit as otio", "render the edit", "export the edited transcript"];
    Err(Trouble::new("it does not say as what", offers))
}
