//! `tool_export_assembly`: writes the assembly for other programs and for readers.

mod audible_words;
mod names;
mod otio;
mod runs;
mod says;
#[cfg(test)]
mod tests;
mod text;

use super::state;
use deskhand_dsp::Frames;
use deskhand_edit::assembly::block;
use deskhand_session::text::{count, names};
use deskhand_session::{ObjectId, Session};
use deskhand_toolkit::about::tool;
use deskhand_toolkit::files::{next_free, place, write_new};
use deskhand_toolkit::find;
use deskhand_toolkit::{
    Category, Code, Draft, Gesture, PlanContext, ToolError, ToolSpec, Trust, TypedTool,
};
use names::{Names, Pseudonyms};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::path::Path;

/// `tool_export_assembly`.
pub(super) struct ExportAssembly;

/// A file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Format {
    /// OpenTimelineIO: tracks, clips, crossfades, markers, for other editors.
    Otio,
    /// Labels for Audacity: start, end and text in seconds.
    Audacity,
    /// One row per phrase, with phrases that do not play.
    Csv,
    /// The edit as text, with times and speakers.
    Transcript,
    /// Subtitles, SubRip.
    Srt,
    /// Subtitles, WebVTT.
    Vtt,
}

impl Format {
    /// By the ending of a path.
    fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "otio" => Some(Self::Otio),
            "csv" => Some(Self::Csv),
            "srt" => Some(Self::Srt),
            "vtt" => Some(Self::Vtt),
            _ => None,
        }
    }
}

/// What the caller sends.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Params {
    /// The file to write; it must not exist. A relative path starts at the session's parent folder.
    #[schemars(length(min = 1, max = 4096))]
    path: String,
    /// If `path` exists, write to the next free name, such as edit-2.txt; omitted: refuse.
    #[serde(default)]
    or_next_free: bool,
    /// The format; omitted: by the ending .otio, .csv, .srt or .vtt.
    format: Option<Format>,
    /// Other names for speakers: true for "Speaker 1", "Speaker 2", …, or a name for each. Names in the spoken
    /// text are replaced if spelled like the speaker's; a warning lists possible names that stay.
    #[serde(default)]
    pseudonyms: Pseudonyms,
}

/// The call against the session.
pub(super) struct Resolved {
    path: String,
    or_next_free: bool,
    format: Format,
    names: Names,
}

impl TypedTool for ExportAssembly {
    type Params = Params;
    type Resolved = Resolved;

    fn spec() -> ToolSpec {
        tool(
            "tool_export_assembly",
            "Export the assembly",
            "Writes the edit of phrases: OpenTimelineIO for other editors, Audacity labels, CSV, a transcript with \
             speakers (or pseudonyms), SRT or WebVTT. For all tracks of the session use tool_export_timeline, for \
             the mix tool_export_delivery. Writes outside the session, so a model's call waits until the person \
             lets it run. Returns {path, phrases, seconds}.",
            Category::Library,
            Trust::Require,
            vec![
                json!({"path": "episode.otio"}),
                json!({"path": "episode.txt", "format": "transcript", "pseudonyms": true}),
            ],
        )
        .writes_files()
        .command("assemble export", "Export the edit")
        .path("FILE", "path", "The file")
        .arg("--format FORMAT", "format", "")
        .flag("--pseudonyms", "pseudonyms", true, "Write Speaker 1, Speaker 2 … instead of names")
        .offers(Gesture::ExportAssembly)
        .says(says::says())
    }

    fn resolve(params: Params, session: &Session) -> Result<Resolved, ToolError> {
        state::begun(session)?;
        if block::standing(session).is_empty() {
            let message = "nothing is in the edit: no phrase of it plays";
            let fix = "put phrases back: tool_restore_segments";
            return Err(ToolError::prepare(Code::NoTarget, message, fix));
        }
        let format = params.format.or_else(|| Format::of(Path::new(&params.path)));
        let Some(format) = format else {
            let message = format!("{:?} does not say what to write", params.path);
            let fix = "give `format`: otio, audacity, csv, transcript, srt or vtt";
            return Err(ToolError::prepare(Code::BadParams, message, fix));
        };
        let names = Names::new(session, &params.pseudonyms)?;
        let Params { path, or_next_free, .. } = params;
        Ok(Resolved { path, or_next_free, format, names })
    }

    fn targets(_: &Resolved) -> Vec<ObjectId> {
        Vec::new()
    }

    fn run(call: Resolved, context: &PlanContext) -> Result<Draft, ToolError> {
        let session = &*context.session;
        let heard = audible_words::heard(session, &call.names);
        let mut under = Vec::new();
        let text = match call.format {
            Format::Otio => {
                let (text, hidden) = otio::write(session, &call.names);
                under = hidden;
                text
            }
            Format::Audacity => text::audacity(session, &heard, &call.names),
            Format::Csv => text::csv(session, &heard, &call.names),
            Format::Transcript => text::transcript(session, &heard),
            Format::Srt => text::srt(session, &heard),
            Format::Vtt => text::vtt(session, &heard),
        };
        let path = place(context, &call.path);
        let path = if call.or_next_free { next_free(path) } else { path };
        write_new(&path, text.as_bytes())?;
        let phrases = count(heard.len(), "phrase");
        let mut draft = Draft::new(format!("Wrote {phrases} to {}", path.display()));
        draft.warnings = known(&call, &text);
        draft.warnings.extend(under);
        let end = heard.last().map_or(Frames::ZERO, |last| last.end);
        draft.answer = Some(json!({
            "path": path.to_string_lossy(),
            "phrases": heard.len(),
            "seconds": find::seconds(end, session.rate),
        }));
        Ok(draft)
    }
}

/// The parts of a text that reveal the hidden speakers.
fn known(call: &Resolved, text: &str) -> Vec<String> {
    let mut told = Vec::new();
    if call.names.are_hidden() && [Format::Otio, Format::Csv].contains(&call.format) {
        let of = if call.format == Format::Otio { "files and tracks" } else { "files" };
        told.push(format!(
            "names of {of} are in it as they are: look at them before you give it away"
        ));
    }
    let left = call.names.left(text);
    if !left.is_empty() {
        let left = names(&left);
        told.push(format!("{left}: looks like the name of a speaker, and is in it as it is"));
    }
    told
}
