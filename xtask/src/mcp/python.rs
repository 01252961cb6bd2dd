//! Two client libraries from PyPI play the story of `tests/mcp/story.py`: look, plan, wait, and fail
//! to approve.

use super::install::Suites;
use super::server::{Desk, Server};
use crate::limit;
use crate::shell;
use anyhow::Result;
use std::process::Command;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(90);
const SCRIPTS: [&str; 2] = ["client_mcp.py", "client_fastmcp.py"];
/// The libraries' settings for 2025-11-25 and 2026-07-28.
const MODES: [&str; 2] = ["legacy", "2026-07-28"];
const TRANSPORTS: [&str; 2] = ["stdio", "http"];

/// Plays the story with every library, version and transport and returns the problems.
pub(super) fn run(suites: &Suites, server: &Server, desk: &Desk) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    let mut played = 0;
    for script in SCRIPTS {
        for mode in MODES {
            for transport in TRANSPORTS {
                let mut command = suites.python(script);
                command.args([mode, transport]);
                address(&mut command, server, desk, transport);
                let outcome = limit::run(&mut command, LIMIT)?;
                played += usize::from(outcome.code == 0);
                if outcome.code != 0 {
                    let said = limit::last_lines(&format!("{}{}", outcome.stdout, outcome.stderr));
                    problems.push(format!("{}\n{said}", shell::line(&command)));
                }
            }
        }
    }
    println!("   Python clients: {played} stories of {}", played + problems.len());
    Ok(problems)
}

/// Where the server is: its URL and token file, or the program to start and its session.
fn address(command: &mut Command, server: &Server, desk: &Desk, transport: &str) {
    desk.at_home(command);
    if transport == "http" {
        command.arg(server.url()).arg(server.token_file());
    } else {
        command.arg(desk.program()).arg(desk.session());
    }
}
