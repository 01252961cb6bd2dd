//! May it run? A tool named as a value, or read from words, needs permission before it reaches outside the
//! session. A command with that sole purpose does not ask: `words export`, `render`.

use crate::desk::Desk;
use crate::exit::Failure;
use crate::output::Output;
use crate::tool_folder;
use deskhand_toolkit::{CallRequest, Network, ToolEffect, Trust};
use serde_json::Value;
use std::path::Path;

/// How a call reaches outside of the session, and what people call the tool.
type Leaving = (Reach, &'static str);

/// How a call reaches outside of the session.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Reach {
    /// It starts this program.
    Program(String),
    /// It sends the sound to the transcription service.
    Sound,
    /// It sends something else to another machine.
    Network,
    /// It reads or writes files.
    Files,
}

/// Asks before a call runs that reaches outside of the session in `dir`.
///
/// # Errors
/// When nobody said yes; then it does not run.
pub(crate) fn given(
    dir: &Path,
    desk: &Desk,
    (tool, params): (&str, &Value),
    yes: bool,
    output: Output,
) -> Result<(), Failure> {
    let reach = if yes { None } else { reach(dir, desk, tool, params) };
    reach.map_or(Ok(()), |(reach, title)| may(&reach, title, output))
}

/// Asks before sound is sent to the transcription service.
///
/// # Errors
/// When nobody said yes; then nothing is sent.
pub(crate) fn given_for_sound(output: Output) -> Result<(), Failure> {
    may(&Reach::Sound, "Transcribe", output)
}

fn may(reach: &Reach, title: &str, output: Output) -> Result<(), Failure> {
    let (question, message, fix) = match reach {
        Reach::Program(program) => (
            format!("\"{title}\" starts a program: {program}. Start it?"),
            format!("\"{title}\" starts a program: {program}; nothing was started"),
            "add --yes to start it",
        ),
        Reach::Sound => (
            "This sends the sound to the transcription service in config.toml. Send it?".into(),
            "this would send the sound to the transcription service; nothing was sent".into(),
            "add --yes to send it, or transcribe on this machine: leave out the model \"service\"",
        ),
        Reach::Network => (
            format!("\"{title}\" sends data to another machine. Let it run?"),
            format!("\"{title}\" sends data to another machine, so it did not run"),
            "add --yes to allow it",
        ),
        Reach::Files => (
            format!("\"{title}\" uses files outside the session. Let it run?"),
            format!("\"{title}\" uses files outside the session, so it did not run"),
            "add --yes to allow it",
        ),
    };
    match output.can_ask() && output.ask(&question) {
        true => Ok(()),
        false => Err(Failure::decision(message, fix)),
    }
}

/// How a call reaches outside the session. An invalid call does not run and reports its own error.
fn reach(dir: &Path, desk: &Desk, name: &str, params: &Value) -> Option<Leaving> {
    let tools = tool_folder::known(Some(dir)).registry;
    let tool = tools.get(name).ok()?;
    let (session, base, inputs) = (desk.session(), desk.head(), &Default::default());
    let request = CallRequest { session, base, params, inputs };
    let prepared = tool.prepare(&request).ok()?;
    let waits = tool.spec().trust == Trust::Require || prepared.trust == Some(Trust::Require);
    let program = tool.program().map(|program| Reach::Program(program.to_string()));
    let reach = program.or(match (waits, prepared.network) {
        (true, _) if tool.spec().effects.contains(&ToolEffect::SendsSound) => Some(Reach::Sound),
        (_, Network::Open) => Some(Reach::Network),
        (true, Network::Closed) => Some(Reach::Files),
        (false, Network::Closed) => None,
    });
    reach.map(|reach| (reach, tool.spec().title))
}
