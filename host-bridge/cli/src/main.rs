//! The `deskhand` command: a thin front over the bridge, which runs in this process, or in the hub that
//! serves the session.
//!
//! Thread: for a command the main thread is the message thread, or a front end of a hub's; workers, storage
//! and disk have their own. `serve` and `chat` run the hub.

#![forbid(unsafe_code)]

mod advance_approval;
mod args;
mod card;
mod commands;
mod declared;
mod desk;
mod exit;
mod interrupt;
mod leave;
mod output;
mod picture;
mod policy_file;
mod progress;
mod relay;
mod serving;
mod table;
mod tool_folder;
mod turn;
mod wave;

use args::Cli;
use clap::{CommandFactory, FromArgMatches};
use declared::Called;
use exit::Failure;
use output::Output;
use std::process::ExitCode;

fn main() -> ExitCode {
    // The decode child, and the guard of tools, are this same program in a hidden mode: nothing else may
    // run before it.
    if let Some(code) = deskhand_media::child::run_if_asked() {
        return code;
    }
    if let Some(code) = deskhand_inference::child::run_if_asked() {
        return code;
    }
    if let Some(code) = deskhand_external::launch::run_if_asked() {
        return code;
    }
    let typed = match declared::with_declared(Cli::command()).try_get_matches() {
        Ok(typed) => typed,
        Err(error) => return usage(&error),
    };
    let output = Output::new(typed.get_flag("json"));
    let done = match Called::of(&typed) {
        Some(called) => commands::run_declared(&called, output),
        None => match Cli::from_arg_matches(&typed) {
            Ok(cli) => commands::run(cli.command, &output),
            Err(error) => return usage(&error),
        },
    };
    match done {
        Ok(_) if output::was_lost() => {
            let message = "the command is done, but its output could not be written";
            report(&Failure::new("write", message, "check that the disk has space"), &output)
        }
        Ok(code) => code.into(),
        Err(failure) => report(&failure, &output),
    }
}

/// Help and version are answers; a wrong call is an error, as JSON where JSON was asked for.
fn usage(error: &clap::Error) -> ExitCode {
    let wants_json = std::env::args_os().any(|word| word == "--json");
    if error.use_stderr() && wants_json {
        let text = error.render().to_string();
        let message = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
        let failure = Failure::new("usage", message, "see `deskhand --help`");
        Output::new(true).json(&failure.to_json());
    } else {
        // A reader that went away is no error.
        drop(error.print());
    }
    ExitCode::from(if error.use_stderr() { 2 } else { 0 })
}

fn report(failure: &Failure, output: &Output) -> ExitCode {
    if output.is_json() {
        output.json(&failure.to_json());
    } else {
        output.complain(failure);
    }
    failure.exit.into()
}
