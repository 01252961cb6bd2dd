//! How a command ends: exit codes, and errors in the one shape that programs read.

use crate::declared;
use deskhand_protocol::ToolResult;
use deskhand_session::command_line::Reads;
use deskhand_session::tool_error::{Code, ToolError};
use deskhand_session::{Conflict, Session};
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
    /// The message for a person, with names in place of ids.
    pub(crate) said: Option<Box<str>>,
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
            said: None,
        }
    }

    /// A failure whose message ends with the way out, after its last semicolon.
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

    /// With other words for a person than for a program.
    pub(crate) fn said(mut self, words: String) -> Self {
        self.said = Some(words.into());
        self
    }

    /// Adds a message for people, with the names of `session` in it.
    pub(crate) fn by_name(mut self, session: &Session) -> Self {
        self.said = Some(session.without_ids(&self.message, &|plan| plan.to_string()).into());
        self
    }

    /// What a person reads.
    pub(crate) fn words(&self) -> &str {
        self.said.as_deref().unwrap_or(&self.message)
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
        // An unknown tool gets the names of others.
        let fix = match error.code {
            Code::UnknownTool => error.fix,
            _ => for_terminal(&error.fix),
        };
        Self { exit, ..Self::new(&code, error.message, fix) }
    }
}

/// Remarks about the call itself, which are no way out: "TOOL reaches outside the session".
const MADE: [&str; 2] = [" reaches outside", " starts a program"];

/// The bridge's messages are for models as well. At a terminal a tool is shown as the command that calls
/// it, and a handle as the command that shows it.
pub(crate) fn for_terminal(fix: &str) -> String {
    const TOOL: &str = "deskhand://tools/";
    if let Some((ahead, behind)) = fix.split_once(TOOL) {
        let end = behind.find(char::is_whitespace).unwrap_or(behind.len());
        let (name, rest) = behind.split_at(end);
        return format!("{ahead}`deskhand tools {name}`{rest}");
    }
    with_commands(&with_flags(fix))
}

/// Replaces values of parameters that are flags of commands.
fn with_flags(text: &str) -> String {
    let all =
        declared::all().flat_map(|it| it.line.arguments.iter().map(move |arg| (it.line, arg)));
    all.fold(text.to_owned(), |text, (line, argument)| {
        let Reads::Flag(Value::String(value)) = &argument.reads else { return text };
        let param = argument.param;
        let command = format!("`{} {}`", line.usage(), argument.called());
        let text = text.replace(&format!("set `{param}` to \"{value}\""), &command);
        text.replace(&format!("`{param}` \"{value}\""), &format!("`{param}={value}`"))
    })
}

/// Replaces each tool in a text with the command that calls it, except in backticks.
fn with_commands(text: &str) -> String {
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let (mut told, mut rest) = (String::new(), text);
    while let Some(at) = rest.find(is_of_name) {
        let (ahead, behind) = rest.split_at(at);
        let end = behind.find(|c: char| !is_of_name(c)).unwrap_or(behind.len());
        let (word, behind) = behind.split_at(end);
        told.push_str(ahead);
        let is_quoted = told.matches('`').count() % 2 == 1;
        let is_made = MADE.iter().any(|verb| behind.starts_with(verb));
        let command = declared::usage(word).filter(|_| !is_quoted && !is_made);
        let option = command.as_ref().and_then(|_| option(word, behind));
        let (option, behind) = option.unwrap_or_else(|| (String::new(), behind));
        match command {
            Some(command) => told.push_str(&format!("`{command}{option}`")),
            None => told.push_str(word),
        }
        rest = behind;
    }
    told + rest
}

/// The option of a tool's command for the parameter that a text goes on with, " with `plan_id`", and the rest of it.
fn option<'a>(tool: &str, text: &'a str) -> Option<(String, &'a str)> {
    let (param, rest) = text.strip_prefix(" with `")?.split_once('`')?;
    let mut arguments = declared::spec(tool)?.commands.first()?.arguments.iter();
    let argument = arguments.find(|argument| argument.param == param)?;
    Some((format!(" {}", argument.form), rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Cli;
    use clap::CommandFactory;

    #[test]
    fn every_command_that_is_named_can_be_called_so() {
        let all = declared::all().map(|it| it.line.usage());
        let again = "deskhand transcribe DIR --again".to_owned();
        let any = "deskhand plan DIR cmd_set_insert".to_owned();
        let render = "deskhand render DIR FILE --plan PLAN".to_owned();
        for command in all.chain([again, any, render]) {
            let typed =
                command.replace(" FROM TO LOW HIGH", " 1 2 3 4").replace(" FROM TO", " 1 2");
            let parsed =
                declared::with_declared(Cli::command()).try_get_matches_from(typed.split(' '));
            assert!(parsed.is_ok(), "{command}: {}", parsed.unwrap_err());
        }
    }

    // tidy: table
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
            fix("to hear all again set `known` to \"replace\""),
            "to hear all again `deskhand transcribe DIR --again`"
        );
        assert_eq!(
            fix("merge the two (cmd_merge_codes), or rename one"),
            "merge the two (`deskhand codes merge DIR FROM INTO`), or rename one"
        );
        assert_eq!(
            fix("tool_export_project writes them: \"Rent\""),
            "`deskhand codes export DIR FILE.qdpx` writes them: \"Rent\""
        );
        assert_eq!(
            fix("To move \"Host\" alone, give `sync` \"named\"."),
            "To move \"Host\" alone, give `sync=named`."
        );
        assert_eq!(
            fix("put one in with cmd_set_insert"),
            "put one in with `deskhand plan DIR cmd_set_insert`"
        );
        assert_eq!(
            fix("apply it, or render it to a file: cmd_render with `plan_id`"),
            "apply it, or render it to a file: `deskhand render DIR FILE --plan PLAN`"
        );
        assert_eq!(fix("for both: tool_master"), "for both: `deskhand plan DIR tool_master`");
        for same in ["cmd_render reaches outside the session", "`cmd_render` and x_tool_y stay"] {
            assert_eq!(fix(same), same);
        }
    }
}
