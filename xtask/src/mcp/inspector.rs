//! The inspector: it lists and calls what a user's server offers, over stdio and HTTP, as an old and
//! as a new client, and finds schemas that some model provider cannot read.

use super::install::Suites;
use super::server::{Desk, Server};
use crate::limit::{self, Outcome};
use crate::shell;
use anyhow::{Context, Result};
use serde_json::Value;
use std::process::Command;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(60);
/// The inspector's words for 2025-11-25 and 2026-07-28.
const ERAS: [&str; 2] = ["legacy", "modern"];
/// The questions: the arguments, and the field of the answer that must hold something.
const QUESTIONS: [(&[&str], &str); 4] = [
    (&["--method", "tools/list", "--strict"], "tools"),
    (&["--method", "tools/call", "--tool-name", "get_session"], "structuredContent"),
    (&["--method", "resources/list"], "resources"),
    (&["--method", "prompts/list"], "prompts"),
];

/// How the inspector reaches the server: it starts one on a session, or it connects to one.
#[derive(Clone, Copy)]
enum Transport<'a> {
    Stdio(&'a Desk),
    Http(&'a Server),
}

/// Asks everything in every way and returns the problems.
pub(super) fn run(suites: &Suites, server: &Server, desk: &Desk) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    let mut answers = 0;
    for transport in [Transport::Stdio(desk), Transport::Http(server)] {
        for era in ERAS {
            for (question, field) in QUESTIONS {
                let mut command = command(suites, transport, question)?;
                desk.at_home(&mut command);
                command.args(["--protocol-era", era]);
                let problem = problem(&limit::run(&mut command, LIMIT)?, field);
                answers += usize::from(problem.is_none());
                problems
                    .extend(problem.map(|text| format!("{text}: {}", repeat(&command, server))));
            }
        }
    }
    println!("   inspector: {answers} answers of {}", answers + problems.len());
    Ok(problems)
}

fn command(suites: &Suites, transport: Transport<'_>, question: &[&str]) -> Result<Command> {
    let mut command = suites.inspector();
    match transport {
        // The target comes first: options that take several values would swallow it.
        Transport::Stdio(desk) => {
            command.arg(desk.program()).arg("mcp").arg(desk.session());
            command.args(["--transport", "stdio"]);
        }
        Transport::Http(server) => {
            let header = format!("Authorization: Bearer {}", server.token()?);
            command.arg(server.url()).args(["--transport", "http", "--header", &header]);
        }
    }
    command.args(["--format", "json"]).args(question);
    Ok(command)
}

/// The problem of an answer, in which `field` must hold something.
fn problem(outcome: &Outcome, field: &str) -> Option<String> {
    if outcome.code != 0 {
        let said = limit::last_lines(&outcome.stderr);
        return Some(format!("the inspector ended with {}: {said}", outcome.code));
    }
    match answered(&outcome.stdout, field) {
        Ok(true) => None,
        Ok(false) => Some(format!("the inspector got an answer without `{field}`")),
        Err(error) => Some(format!("the inspector gave no JSON ({error})")),
    }
}

/// Whether `field` of the result holds something.
fn answered(answer: &str, field: &str) -> Result<bool> {
    let answer: Value = serde_json::from_str(answer.trim()).context("not one JSON object")?;
    Ok(match &answer["result"][field] {
        Value::Array(items) => !items.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
        _ => false,
    })
}

/// The line to repeat, without the token.
fn repeat(command: &Command, server: &Server) -> String {
    let line = shell::line(command);
    server.token().map_or(line.clone(), |token| line.replace(&token, "…"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(code: i32, stdout: &str, stderr: &str) -> Outcome {
        Outcome { code, stdout: stdout.to_owned(), stderr: stderr.to_owned() }
    }

    #[test]
    fn an_answer_holds_what_was_asked_for() {
        let tools = r#"{"result":{"tools":[{"name":"get_session"}]}}"#;
        assert_eq!(problem(&outcome(0, tools, ""), "tools"), None);
        let empty = problem(&outcome(0, r#"{"result":{"tools":[]}}"#, ""), "tools").unwrap();
        assert!(empty.contains("without `tools`"), "{empty}");
        assert!(problem(&outcome(0, "starting", ""), "tools").unwrap().contains("no JSON"));
    }

    #[test]
    fn a_schema_that_does_not_port_is_quoted() {
        let said = "Error: tool \"x\"\n  Issue: Bare `true` used.\n\n1 error across 1 tool.\n";
        let problem = problem(&outcome(6, "{}", said), "tools").unwrap();
        assert!(problem.contains("ended with 6: Error: tool \"x\"\n  Issue: Bare"), "{problem}");
    }
}
