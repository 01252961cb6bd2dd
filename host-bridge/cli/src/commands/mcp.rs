//! `deskhand mcp`: a session, or folders of sessions, for any AI client.

mod session_access;
mod setup;

use crate::args::mcp::{McpArgs, McpCommand, Tools};
use crate::exit::{Exit, Failure};
use crate::output::Output;
use crate::serving::load_config;
use deskhand_mcp::{Fixtures, Listed, Options, Questions, serve_http, serve_stdio};
use session_access::{Doors, Window};
use std::path::{Path, PathBuf};

/// Serves until the client leaves, or sets a client up.
pub(crate) fn run(args: McpArgs, output: Output) -> Result<Exit, Failure> {
    match args.setup {
        Some(McpCommand::Setup { client, dir, yes }) => setup::run(client, &dir, yes, output),
        None => serve(args, output),
    }
}

fn serve(args: McpArgs, output: Output) -> Result<Exit, Failure> {
    let McpArgs { setup: _, dir, folders, http, tools, no_window, policy, elicit, fixtures } = args;
    let window = if no_window { Window::Never } else { Window::Allowed };
    if dir.is_none() && folders.is_empty() {
        let fix = "name a session folder, or a folder of sessions with --in FOLDER";
        return Err(Failure::new("usage", "there is no session to serve", fix));
    }
    let unattended = policy.as_deref().map(|file| announce(file, output));
    let doors = Doors::new(dir.as_deref(), &folders, window, policy)?;
    let options = Options {
        dir: dir.as_deref().map(session_access::whole).transpose()?,
        tools: match tools {
            Tools::Core => Listed::Core,
            Tools::All => Listed::All,
        },
        unattended,
        questions: if elicit { Questions::ThroughClient } else { Questions::Here },
        fixtures: if fixtures { Fixtures::Served } else { Fixtures::Absent },
    };
    let served = match http {
        None => serve_stdio(doors, options),
        Some(addr) => serve_http(doors, addr, &token_file()?, options, |addr, token| {
            output.note(format!(
                "deskhand mcp: ready on http://{addr}/mcp (token: {})",
                token.display()
            ));
        }),
    };
    served.map_err(|error| Failure::plain("mcp", error))?;
    Ok(Exit::Done)
}

/// Says at the start that some plans need no person. Returns what the model learns about it.
fn announce(file: &Path, output: Output) -> String {
    output.note(format!(
        "deskhand mcp: unattended: the rules of {} apply plans without asking",
        file.display()
    ));
    "A policy file is on: plans of the tools it allows are applied without a person. Say so in your answers.".into()
}

/// The file with the bearer token of the HTTP server, next to the configuration.
fn token_file() -> Result<PathBuf, Failure> {
    let file = load_config()?.path.with_file_name("mcp-token");
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder).map_err(|error| {
            let message = format!("{} cannot be made: {error}", folder.display());
            Failure::new("mcp", message, "make the folder, and start again")
        })?;
    }
    Ok(file)
}
