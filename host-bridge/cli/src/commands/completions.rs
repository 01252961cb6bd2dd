//! `deskhand completions`: shell completions on stdout.

use crate::args::Cli;
use crate::declared::with_declared;
use crate::exit::{Exit, Failure};
use clap::CommandFactory;
use clap_complete::Shell;

/// Prints the completions of a shell.
pub(crate) fn run(shell: Shell) -> Result<Exit, Failure> {
    let mut program = with_declared(Cli::command());
    clap_complete::generate(shell, &mut program, "deskhand", &mut std::io::stdout());
    Ok(Exit::Done)
}
