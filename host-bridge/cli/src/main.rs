//! The `deskhand` command: a thin front over the bridge, which runs in this process.
//!
//! Thread: the main thread is the message thread; workers, storage and disk have their own.

#![forbid(unsafe_code)]

mod args;
mod commands;
mod desk;
mod exit;
mod output;
mod progress;
mod table;
mod wave;

use args::Cli;
use clap::Parser;
use exit::Failure;
use output::Output;
use std::process::ExitCode;

fn main() -> ExitCode {
    // The decode child is this same program in a hidden mode: nothing else may run ahead of it.
    if let Some(code) = deskhand_media::child::run_if_asked() {
        return code;
    }
    let cli = Cli::parse();
    let output = Output::new(cli.json);
    match commands::run(cli.command, &output) {
        Ok(code) => code.into(),
        Err(failure) => report(&failure, &output),
    }
}

fn report(failure: &Failure, output: &Output) -> ExitCode {
    if output.is_json() {
        output.json(&failure.to_json());
    } else {
        output.complain(failure);
    }
    failure.exit.into()
}
