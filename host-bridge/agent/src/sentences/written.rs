//! Sentences about files of an edit: what it is written as, and what the file is called.

use super::said::{One, Said};
use super::transcripts;
use crate::draft::Draft;
use crate::lexer::{Token, TokenKind};
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

/// Whether tokens name a file to write: in quotes, or with an ending.
pub(super) fn is_file(tokens: &[Token]) -> bool {
    match tokens {
        [Token { kind: TokenKind::Quote(text), .. }] => !text.trim().is_empty(),
        [.., name, dot, ending] => {
            let is_short = ending.word().is_some_and(|it| it.chars().count() <= 5);
            dot.kind == TokenKind::Stop
                && is_short
                && name.end == dot.start
                && dot.end == ending.start
        }
        _ => false,
    }
}

/// A file by the name that was said, or by the usual one: then the next that is free.
pub(super) fn path(usual: &str, said: Option<String>) -> Vec<(&'static str, Value)> {
    match said {
        Some(name) => vec![("path", json!(name))],
        None => vec![("path", json!(usual)), ("or_next_free", json!(true))],
    }
}

pub(super) fn export_assembly(said: &Said<'_>) -> One {
    let slots = ["edit", "format", "titles", "listing", "script"].into_iter();
    let words = slots.filter_map(|slot| said.text(slot)).next();
    let named = said.text("new");
    let by_ending = named.as_deref().and_then(|name| name.rsplit_once('.')).map(|(_, end)| end);
    let told = match (&words, by_ending) {
        (Some(words), _) => words.to_lowercase(),
        (None, Some(ending)) => ending.to_lowercase(),
        (None, None) if says(said, "subtitle") || says(said, "caption") => "srt".into(),
        (None, None) => "transcript".into(),
    };
    let told = told.strip_suffix(" file").unwrap_or(&told);
    let (format, usual) = format_of(told).ok_or_else(|| not_written(told))?;
    if said.session().assembly.is_empty() {
        return without_assembly(format, named, said);
    }
    let named = named.map(|name| with_ending(name, usual));
    let mut params = path(usual, named);
    params.push(("format", json!(format)));
    if hides_names(said) {
        params.push(("pseudonyms", json!(true)));
    }
    Ok(Draft::call("tool_export_assembly", params))
}

/// A name without an ending gets that of its format.
fn with_ending(name: String, usual: &str) -> String {
    let ending = usual.rsplit_once('.').map_or("", |(_, ending)| ending);
    if name.contains('.') { name } else { format!("{name}.{ending}") }
}

/// Where nothing is assembled, text and subtitles are those of the recordings, under their names.
fn without_assembly(format: &str, named: Option<String>, said: &Said<'_>) -> One {
    let is_text = matches!(format, "srt" | "vtt" | "transcript");
    let is_edit = ["edit", "assembly", "cut"].iter().any(|word| says(said, word));
    if !is_text || is_edit || hides_names(said) {
        let reason = "no phrases are laid out yet, so there is no edit to write";
        let other = match hides_names(said) {
            true => "export the transcript without speaker names",
            false => "export the transcript",
        };
        return Err(Trouble::new(reason, ["find the phrases", other]));
    }
    let ending = if format == "transcript" { "txt" } else { format };
    transcripts::export_as(said, ending, named)
}

fn says(said: &Said<'_>, word: &str) -> bool {
    said.context
        .scope
        .tokens
        .iter()
        .any(|token| token.word().is_some_and(|it| it == word || word == "edit" && it == "edited"))
}

/// Words that ask for other names.
const HIDING: [&str; 13] = [
    "pseudonyms",
    "fake names",
    "other names",
    "changed names",
    "without ",
    "with no ",
    "anonym",
    "pseudonym",
    "real names",
    "the names",
    "hide names",
    "all names",
    "speaker names",
];

fn hides_names(said: &Said<'_>) -> bool {
    let text = said.context.scope.text.to_lowercase();
    HIDING.iter().any(|words| text.contains(words))
}

fn not_written(told: &str) -> Trouble {
    let offers = ["as otio", "as audacity labels", "as csv", "as srt"];
    Trouble::new(format!("an edit is not written as \"{told}\""), offers)
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
