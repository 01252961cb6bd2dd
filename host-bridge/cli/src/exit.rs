//! How a command ends: exit codes, and errors in the one shape that programs read.

use deskhand_protocol::ToolResult;
use deskhand_session::Conflict;
use deskhand_session::tool_error::{Code, ToolError};
use serde_json::{Value, json};
use std::fmt;
use std::process::ExitCode;

/// Exit codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Done; an empty plan too.
    Done,
    /// Failed or rolled back.
    Failed,
    /// A person's decision is needed; nothing changed.
    Decision,
    /// The session moved on; nothing changed.
    Conflict,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        // 2 is clap's, for usage.
        Self::from(match exit {
            Exit::Done => 0,
            Exit::Failed => 1,
            Exit::Decision => 3,
            Exit::Conflict => 4,
        })
    }
}

/// Why a command ended early.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    pub(crate) exit: Exit,
    pub(crate) code: String,
    pub(crate) message: String,
    pub(crate) fix: String,
    pub(crate) conflicts: Vec<Conflict>,
}

impl Failure {
    /// A failure with exit code 1.
    pub(crate) fn new(code: &str, message: impl Into<String>, fix: impl Into<String>) -> Self {
        Self {
            exit: Exit::Failed,
            code: code.into(),
            message: message.into(),
            fix: fix.into(),
            conflicts: Vec::new(),
        }
    }

    /// A failure whose message ends with the way out, behind its last semicolon.
    pub(crate) fn plain(code: &str, error: impl fmt::Display) -> Self {
        let text = error.to_string();
        match text.rsplit_once("; ") {
            Some((message, fix)) => Self::new(code, message, fix),
            None => Self::new(code, text, ""),
        }
    }

    /// A decision is needed.
    pub(crate) fn decision(message: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { exit: Exit::Decision, ..Self::new("decision_needed", message, fix) }
    }

    /// A result that is no success.
    pub(crate) fn of_result(result: &ToolResult) -> Self {
        let mut failure = match &result.error {
            Some(error) => Self::from(error.clone()),
            None => Self::new("conflict", result.summary.clone(), "plan again"),
        };
        if !result.conflicts.is_empty() {
            failure.exit = Exit::Conflict;
            failure.code = "conflict".into();
            failure.conflicts.clone_from(&result.conflicts);
        }
        failure
    }

    /// `{error: {code, message, fix, conflicts}}`.
    pub(crate) fn to_json(&self) -> Value {
        let conflicts: Vec<_> = self
            .conflicts
            .iter()
            .map(|c| json!({"target": c.target, "expected": c.expected, "found": c.found}))
            .collect();
        let Self { code, message, fix, .. } = self;
        json!({"error": {"code": code, "message": message, "fix": fix, "conflicts": conflicts}})
    }
}

impl From<ToolError> for Failure {
    fn from(error: ToolError) -> Self {
        let code = serde_json::to_value(error.code).ok();
        let code = code.and_then(|code| code.as_str().map(str::to_owned)).unwrap_or_default();
        let exit = match error.code {
            Code::Conflict => Exit::Conflict,
            Code::DecisionNeeded => Exit::Decision,
            Code::UnknownTool
            | Code::BadParams
            | Code::NoTarget
            | Code::InProgress
            | Code::Media
            | Code::Write
            | Code::Cancelled
            | Code::TimedOut
            | Code::Panicked
            | Code::Invalid
            | Code::Refused
            | Code::Storage => Exit::Failed,
        };
        Self { exit, ..Self::new(&code, error.message, for_terminal(&error.fix)) }
    }
}

/// Tools, and ways to call them, that have a command of their own.
const COMMANDS: [(&str, &str); 11] = [
    ("cmd_set_code", "deskhand codes add DIR NAME"),
    ("import_audio", "deskhand import DIR FILE"),
    ("tool_find_phrases", "deskhand assemble phrases DIR"),
    ("tool_import_transcript", "deskhand words import DIR FILE"),
    ("tool_list_phrases", "deskhand assemble list DIR"),
    ("tool_mark_speakers", "deskhand words speakers DIR"),
    ("tool_merge_codings", "deskhand codes codings DIR FROM CODER"),
    ("tool_report_codes", "deskhand codes report DIR quotes"),
    ("tool_remove_segments", "deskhand assemble remove DIR PHRASE"),
    ("tool_transcribe", "deskhand transcribe DIR"),
    ("set `known` to \"replace\"", "deskhand transcribe DIR --again"),
];

/// What the bridge says is for models as well: for a person at a terminal a tool is the command that calls it, and the
/// handle of one the command that shows it.
pub(crate) fn for_terminal(fix: &str) -> String {
    const TOOL: &str = "deskhand://tools/";
    if let Some((ahead, behind)) = fix.split_once(TOOL) {
        let end = behind.find(char::is_whitespace).unwrap_or(behind.len());
        let (name, rest) = behind.split_at(end);
        return format!("{ahead}`deskhand tools {name}`{rest}");
    }
    COMMANDS
        .iter()
        .fold(fix.to_owned(), |fix, (tool, command)| fix.replace(tool, &format!("`{command}`")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Cli;
    use clap::Parser;

    #[test]
    fn every_command_that_is_named_can_be_called_so() {
        for (tool, command) in COMMANDS {
            let parsed = Cli::try_parse_from(command.split(' '));
            assert!(parsed.is_ok(), "{tool}: {command}: {}", parsed.unwrap_err());
        }
    }

    #[test]
    fn a_person_at_a_terminal_is_told_the_command() {
        let fix = |text: &str| for_terminal(text);
        assert_eq!(
            fix("see deskhand://tools/tool_fades for its parameters"),
            "see `deskhand tools tool_fades` for its parameters"
        );
        assert_eq!(fix("see deskhand://tools/tool_fades"), "see `deskhand tools tool_fades`");
        assert_eq!(fix("plan again"), "plan again");
        assert_eq!(
            fix("transcribe with tool_transcribe, or read a file with tool_import_transcript"),
            "transcribe with `deskhand transcribe DIR`, or read a file with `deskhand words import DIR FILE`"
        );
        assert_eq!(
            fix("to hear all anew set `known` to \"replace\""),
            "to hear all anew `deskhand transcribe DIR --again`"
        );
    }
}
