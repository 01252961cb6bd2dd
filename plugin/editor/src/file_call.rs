//! Calls that need the path of a file, which the person chooses: the application asks for it.

use deskhand_protocol::desk::{Notice, NoticeKind};
use deskhand_protocol::{Apply, CallId, Op, ToolResult};
use deskhand_session::SourceId;
use serde_json::{Value, json};
use std::path::Path;

/// How long it is told where a file was written, ms.
const SEEN: u64 = 10_000;

/// What is done with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileCall {
    /// A transcript becomes that of a source; none where there is one source only.
    ImportTranscript(Option<SourceId>),
    /// Codes of another codebook come to the codebook.
    ImportCodebook,
    /// The codebook is written.
    ExportCodebook,
    /// How often each code is used is written.
    ReportCounts,
    /// Which codes are used together is written.
    ReportCooccurrence,
    /// What is said at each code is written.
    ReportQuotes,
}

/// Endings of transcripts.
const TRANSCRIPTS: [&str; 4] = ["srt", "vtt", "json", "txt"];

impl FileCall {
    /// The title of the dialog.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::ImportTranscript(_) => "Import a transcript",
            Self::ImportCodebook => "Import a codebook",
            Self::ExportCodebook => "Export the codebook",
            Self::ReportCounts => "Write how often codes are used",
            Self::ReportCooccurrence => "Write which codes are used together",
            Self::ReportQuotes => "Write what is coded",
        }
    }

    /// What its button says.
    #[must_use]
    pub const fn label(self) -> &'static str {
        if self.is_written() { "Write it" } else { "Import" }
    }

    /// Which files it is about.
    #[must_use]
    pub const fn hint(self) -> &'static str {
        match self {
            Self::ImportTranscript(_) => "a file: .srt, .vtt, .json or .txt",
            Self::ImportCodebook => "a codebook: .qdc or .qdpx",
            Self::ExportCodebook => "a file that is not there yet, .qdc",
            Self::ReportCounts | Self::ReportCooccurrence | Self::ReportQuotes => {
                "a file that is not there yet, .csv or .json"
            }
        }
    }

    /// What the names of such files end with.
    #[must_use]
    pub const fn endings(self) -> &'static [&'static str] {
        match self {
            Self::ImportTranscript(_) => &TRANSCRIPTS,
            Self::ImportCodebook => &["qdc", "qdpx"],
            Self::ExportCodebook => &["qdc"],
            Self::ReportCounts | Self::ReportCooccurrence | Self::ReportQuotes => &["csv", "json"],
        }
    }

    /// The file is made, and not there yet.
    #[must_use]
    pub const fn is_written(self) -> bool {
        !matches!(self, Self::ImportTranscript(_) | Self::ImportCodebook)
    }

    /// The name that is offered for a file that is made.
    #[must_use]
    pub const fn offered(self) -> &'static str {
        match self {
            Self::ImportTranscript(_) | Self::ImportCodebook => "",
            Self::ExportCodebook => "codebook.qdc",
            Self::ReportCounts => "codes.csv",
            Self::ReportCooccurrence => "codes together.csv",
            Self::ReportQuotes => "quotes.csv",
        }
    }

    /// What to submit for the file that was chosen.
    #[must_use]
    pub fn op(self, path: &Path) -> Op {
        let path = path.to_string_lossy();
        let report = |kind: &str| ("tool_report_codes", json!({"report": kind, "path": path}));
        let (tool, params): (&str, Value) = match self {
            Self::ImportTranscript(source) => {
                let target = source.map_or_else(|| "all".to_owned(), |id| id.to_string());
                ("tool_import_transcript", json!({"file": path, "target": target}))
            }
            Self::ImportCodebook => ("tool_import_codebook", json!({"file": path})),
            Self::ExportCodebook => ("tool_export_codebook", json!({"path": path})),
            Self::ReportCounts => report("counts"),
            Self::ReportCooccurrence => report("cooccurrence"),
            Self::ReportQuotes => report("quotes"),
        };
        Op::Call { tool: tool.into(), params, apply: Apply::Now }
    }
}

/// Whether a file is a transcript, by its ending.
#[must_use]
pub fn is_transcript(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    TRANSCRIPTS.iter().any(|known| ending.eq_ignore_ascii_case(known))
}

/// A file that a call of this window wrote: the person is told where it is.
pub(crate) fn written(call: CallId, tool: &str, result: &ToolResult) -> Option<Notice> {
    let is_ours = ["tool_export_codebook", "tool_report_codes"].contains(&tool);
    let has_path = result.answer.as_ref().is_some_and(|answer| answer["path"].is_string());
    let notice_id = crate::toasts::own(&call.0.to_string());
    let (message, kind) = (result.summary.clone(), NoticeKind::Success);
    let notice = Notice::new(notice_id, kind, message, SEEN);
    (is_ours && has_path).then_some(notice)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transcript_is_of_the_source_that_was_chosen_or_of_the_only_one() {
        let file = Path::new("/talks/a.srt");
        let target = |source| match FileCall::ImportTranscript(source).op(file) {
            Op::Call { tool, params, apply: Apply::Now } => (tool, params),
            other => panic!("{other:?}"),
        };
        let wanted = |target: &str| {
            let params = json!({"file": "/talks/a.srt", "target": target});
            ("tool_import_transcript".to_owned(), params)
        };
        assert_eq!(target(None), wanted("all"));
        assert_eq!(target(Some(SourceId::new(3))), wanted("src_000000000003"));
        assert!(is_transcript(Path::new("/a/B.VTT")) && !is_transcript(Path::new("/a/b.wav")));
    }
}
