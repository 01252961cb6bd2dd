//! `deskhand serve --background`: starts the hub in a process of its own and returns once it serves.

use crate::exit::{Exit, Failure};
use crate::output::Output;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

/// The word that is left out for the process that stays.
const FLAG: &str = "--background";

/// Runs the same command without the flag, in a process that outlives this one, and waits for its ready line. A
/// hub that is slow is waited for: it says why it cannot start, or it starts.
pub(crate) fn run(output: Output) -> Result<Exit, Failure> {
    let program = std::env::current_exe().map_err(failed)?;
    let words = std::env::args_os().skip(1).filter(|word| word != FLAG);
    let mut command = Command::new(program);
    command.args(words).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    if !output.is_json() {
        command.arg("--json");
    }
    // A signal to the starter's group, such as a DAW's, does not reach it.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command.spawn().map_err(failed)?;
    let mut said =
        child.stdout.take().map(BufReader::new).ok_or_else(|| failed("it has no output"))?;
    let mut answer = String::new();
    said.read_line(&mut answer).map_err(failed)?;
    if let Some(ready) = ready(&answer) {
        output.json_line(&ready);
        output
            .say(format!("serving {} in the background", ready["serving"].as_str().unwrap_or("")));
        return Ok(Exit::Done);
    }
    said.read_to_string(&mut answer).map_err(failed)?;
    child.wait().map_err(failed)?;
    Err(refusal(&answer))
}

fn ready(line: &str) -> Option<Value> {
    serde_json::from_str(line).ok().filter(|ready: &Value| ready["serving"].is_string())
}

/// The error of the other process, shown as if it had happened here.
fn refusal(answer: &str) -> Failure {
    let answer: Value = serde_json::from_str(answer).unwrap_or_default();
    let word = |name: &str| answer["error"][name].as_str().map(str::to_owned);
    let message =
        word("message").unwrap_or_else(|| "the hub stopped before it served the session".into());
    let fix = word("fix").unwrap_or_else(|| "run `deskhand serve` to see why".into());
    Failure::new(&word("code").unwrap_or_else(|| "hub".into()), message, fix)
}

fn failed(error: impl std::fmt::Display) -> Failure {
    let message = format!("the hub cannot be started: {error}");
    Failure::new("hub", message, "run `deskhand serve` to see why")
}
