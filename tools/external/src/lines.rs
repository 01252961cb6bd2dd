//! The output of a tool: one JSON object per line on standard output.
//!
//! `{"progress": 0.5, "what": "second clip"}` as often as it likes, then once `{"result": {…}}` or
//! `{"error": "…"}`.

use crate::outcome::Outcome;
use crate::sanitize;
use serde::Deserialize;

/// A line that was understood.
#[derive(Debug, PartialEq)]
pub(crate) enum Line {
    /// 0 to 1, and the current object.
    Progress(f64, String),
    Result(Box<Outcome>),
    /// It cannot be done, in the tool's words.
    Error(String),
    Blank,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    progress: Option<f64>,
    what: Option<String>,
    result: Option<Outcome>,
    error: Option<String>,
}

/// Reads one line.
///
/// # Errors
/// When it is none of those; the message shows its beginning.
pub(crate) fn parse(line: &[u8]) -> Result<Line, String> {
    let text = String::from_utf8_lossy(line);
    let text = text.trim();
    if text.is_empty() {
        return Ok(Line::Blank);
    }
    let shown = || sanitize::line(text, 80);
    let written: Written = serde_json::from_str(text).map_err(|error| {
        format!(
            "it said {:?}, which means nothing: {}",
            shown(),
            sanitize::line(&error.to_string(), 200)
        )
    })?;
    match written {
        Written { progress: Some(at), what, result: None, error: None } => {
            Ok(Line::Progress(at.clamp(0.0, 1.0), sanitize::line(&what.unwrap_or_default(), 120)))
        }
        Written { progress: None, what: None, result: Some(result), error: None } => {
            Ok(Line::Result(Box::new(result)))
        }
        Written { progress: None, what: None, result: None, error: Some(error) } => {
            Ok(Line::Error(sanitize::line(&error, 500)))
        }
        Written { .. } => Err(format!(
            "it said {:?}, which means nothing: write one of progress, result and error",
            shown()
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_kinds_of_lines_are_told_apart() {
        let progress = parse(br#"{"progress": 7, "what": "a\u001b[1mb"}"#).unwrap();
        assert_eq!(progress, Line::Progress(1.0, "a[1mb".into()));
        assert_eq!(parse(b"{\"error\": \"no\"}\n").unwrap(), Line::Error("no".into()));
        assert_eq!(parse(b" \n").unwrap(), Line::Blank);
        let result = parse(br#"{"result": {"summary": "done"}}"#).unwrap();
        assert!(
            matches!(result, Line::Result(outcome) if outcome.summary.as_deref() == Some("done"))
        );
    }

    #[test]
    fn everything_else_is_shown_without_tricks() {
        let long = format!("{{\"result\": {}", "[".repeat(100_000));
        let garbage: [&[u8]; 6] = [
            b"Loading model\x1b[2J",
            b"\xff\xfe\x00",
            b"{\"progress\": \"x\"}",
            b"{\"progress\": 1, \"error\": \"x\"}",
            b"{\"result\": {\"files\": [{\"path\": \"x\"}]}}",
            long.as_bytes(),
        ];
        for line in garbage {
            let said = parse(line).unwrap_err();
            assert!(said.starts_with("it said \"") && said.len() < 600, "{said}");
            assert!(sanitize::is_plain(&said), "{said:?}");
        }
    }
}
