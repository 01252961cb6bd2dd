//! The notices that this window makes itself, as they come and go with its calls.

use crate::tools::title;
use deskhand_protocol::desk::{Notice, NoticeKind};
use deskhand_protocol::{CallId, ToolResult};
use serde_json::Value;
use std::path::Path;

/// Notices of this window's own failures start with it: the hub does not know them.
pub(super) const OWN: &str = "window:";

/// How long the notice about a written file is shown, ms.
const SEEN: u64 = 10_000;
/// Failures that are harmless: repeated undo ends at the first step. They begin with these words.
const NOTHING_LEFT: [&str; 2] = ["there is nothing to undo", "there is nothing to redo"];
/// How long a notice stays that goes by itself, ms.
pub(super) const PASSING: u64 = 8000;

/// The notice of a submission that failed.
pub(crate) fn failure(call: CallId, message: &str) -> Notice {
    let is_none = NOTHING_LEFT.iter().any(|begin| message.starts_with(begin));
    let (kind, duration_ms) =
        if is_none { (NoticeKind::Info, PASSING) } else { (NoticeKind::Error, 0) };
    Notice::new(format!("{OWN}{}", call.0), kind, message.to_owned(), duration_ms)
}

/// Whether a failure notice of this window is over because a call of `tool` with `params` succeeded. If the
/// notice is about files, the call names one of them.
pub(crate) fn is_over(notice: &Notice, tool: &str, params: &Value) -> bool {
    let is_failure = notice.kind == NoticeKind::Error && notice.notice_id.starts_with(OWN);
    let said = notice.message.strip_prefix(&format!("{}: ", title(tool)));
    let Some(said) = said.filter(|_| is_failure) else { return false };
    let files = params["files"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let mut names = files.filter_map(|path| Path::new(path).file_name()?.to_str()).peekable();
    names.peek().is_none() || names.any(|name| said.contains(name))
}

/// The notice with the warnings of an answer, shown until it is closed; `None` if there are none.
pub(crate) fn warning(call: CallId, warnings: &[String]) -> Option<Notice> {
    let (notice_id, message) = (format!("{OWN}{}", call.0), warnings.join(". "));
    let notice = Notice::new(notice_id, NoticeKind::Info, message, 0);
    (!warnings.is_empty()).then_some(notice)
}

/// The notice that a call found nothing to do; `None` if it did something.
pub(crate) fn nothing(call: CallId, summary: &str) -> Option<Notice> {
    let (notice_id, message) = (format!("{OWN}{}", call.0), summary.to_owned());
    let notice = Notice::new(notice_id, NoticeKind::Info, message, PASSING);
    summary.starts_with("Nothing to change").then_some(notice)
}

/// The id of words of the application about `what`.
pub(crate) fn own(what: &str) -> String {
    format!("{OWN}{what}")
}

/// A notice that says where a call of this window wrote its file.
pub(crate) fn written(call: CallId, result: &ToolResult) -> Option<Notice> {
    let has_path = result.answer.as_ref().is_some_and(|answer| answer["path"].is_string());
    let notice_id = own(&call.0.to_string());
    let (message, kind) = (told_of(result), NoticeKind::Success);
    let notice = Notice::new(notice_id, kind, message, SEEN);
    has_path.then_some(notice)
}

/// The names of the written file and of the reports next to it.
fn told_of(result: &ToolResult) -> String {
    let name = |key: &str| {
        let path = Path::new(result.answer.as_ref()?[key].as_str()?);
        Some(path.file_name()?.to_string_lossy().into_owned())
    };
    let beside: Vec<String> = ["report_html", "report_json"].into_iter().filter_map(name).collect();
    match beside.is_empty() {
        true => result.summary.clone(),
        false => format!("{}. Its report: {}", result.summary, beside.join(", ")),
    }
}

/// Capitalizes the first word. A name in quotes, a path or an id stays as it is.
pub(crate) fn sentence(words: &str) -> String {
    let first = words.split_whitespace().next().unwrap_or_default();
    if first.trim_end_matches(['.', ',', ':', ';']).contains(['/', '\\', '.', '_']) {
        return words.to_owned();
    }
    let mut rest = words.chars();
    let first = rest.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    first + rest.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::prelude::*;

    #[test]
    fn a_file_that_was_written_is_told_of_with_its_reports() {
        let done = ToolResult::new(Status::Ok, "Wrote /a/mix.wav", RevisionId(1));
        let result = ToolResult { answer: Some(json!({"path": "/a/mix.wav"})), ..done };
        let told = written(CallId(3), &result).unwrap();
        assert_eq!(told.message, "Wrote /a/mix.wav");
        let [html, data] = ["/a/mix.report.html", "/a/mix.report.json"];
        let answer = json!({"path": "/a/mix.wav", "report_html": html, "report_json": data});
        let told = written(CallId(3), &ToolResult { answer: Some(answer), ..result });
        let words = "Wrote /a/mix.wav. Its report: mix.report.html, mix.report.json";
        assert_eq!(told.unwrap().message, words);
    }
}
