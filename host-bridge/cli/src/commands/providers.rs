//! `deskhand providers`: the providers, with their models and keys. Only `test` uses the network.

use crate::args::ProvidersCommand;
use crate::exit::{Exit, Failure};
use crate::output::Output;
use crate::table;
use comfy_table::Cell;
use deskhand_agent::provider::manage::{self, ManageError, Offer};
use deskhand_agent::provider::{Reach, process_environment};
use serde_json::json;
use std::io::{self, IsTerminal, Read};

/// The longest key, bytes.
const LONGEST: u64 = 4_096;

/// Runs one of the commands.
pub(crate) fn run(command: &ProvidersCommand, output: Output) -> Result<Exit, Failure> {
    let at = &process_environment;
    match command {
        ProvidersCommand::List => {}
        ProvidersCommand::Use { id, model } => {
            if let Some(model) = model {
                manage::set_model(id, model, at).map_err(failed)?;
            }
            manage::choose(Some(id), at).map_err(failed)?;
        }
        ProvidersCommand::Add { address, model } => {
            manage::add_server(address, model, at).map_err(failed)?;
        }
        ProvidersCommand::Key { id } => {
            manage::keep_key(id, &read_key(output)?, at).map_err(failed)?;
        }
        ProvidersCommand::Test { id, local_only } => return test(id, *local_only, output),
    }
    list(output)
}

fn failed(error: ManageError) -> Failure {
    Failure::plain("provider", error)
}

fn list(output: Output) -> Result<Exit, Failure> {
    let offers = manage::offers(&process_environment).map_err(failed)?;
    output.json(&json!(offers));
    let mut shown = table::new(output, &["answers", "id", "model", "where", "key"]);
    let offline = if offers.default.is_none() { "yes" } else { "" };
    shown.add_row([offline, "offline", "", "this machine", "none needed"].map(Cell::new));
    for offer in &offers.providers {
        let Offer { id, model, is_local, needs_key, has_key } = offer;
        let place = if *is_local { "this machine" } else { "cloud" };
        let key = match (needs_key, has_key) {
            (false, _) => "none needed",
            (true, true) => "kept",
            (true, false) => "missing",
        };
        let answers = if offers.default.as_ref() == Some(id) { "yes" } else { "" };
        shown.add_row([answers, id, model, place, key].map(Cell::new));
    }
    output.say(shown.to_string());
    Ok(Exit::Done)
}

/// A key is no argument: those are seen by every program of this machine.
fn read_key(output: Output) -> Result<String, Failure> {
    if io::stdin().is_terminal() {
        output.note("Paste the key, then Enter and Ctrl-D:");
    }
    let mut key = String::new();
    let read = io::stdin().take(LONGEST).read_to_string(&mut key);
    read.map_err(|error| Failure::plain("provider", format!("the key cannot be read: {error}")))?;
    let key = key.trim().to_owned();
    if key.is_empty() {
        let words = "no key was given; pass it on standard input: deskhand providers key ID < FILE";
        return Err(Failure::plain("provider", words));
    }
    Ok(key)
}

fn test(id: &str, local_only: bool, output: Output) -> Result<Exit, Failure> {
    let reach = if local_only { Reach::LocalOnly } else { Reach::Anywhere };
    let tested = manage::test(id, reach, &process_environment);
    output.json(&json!(tested));
    output.say(&tested.said);
    if !tested.models.is_empty() {
        output.say(format!("Its models: {}", tested.models.join(", ")));
    }
    Ok(if tested.answers { Exit::Done } else { Exit::Failed })
}
