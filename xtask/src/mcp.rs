//! `cargo xtask mcp`: the MCP server against the suites and clients of others, at both versions of the
//! protocol, over stdio and HTTP.

mod conformance;
mod expected;
mod inspector;
mod install;
mod python;
mod server;

use anyhow::{Result, bail};
use install::Suites;
use server::{Desk, Server, Surface};
use std::path::{Path, PathBuf};

/// The versions of the protocol that are served.
const VERSIONS: [&str; 2] = ["2026-07-28", "2025-11-25"];

/// Installs the suites; the reason when that cannot be, for the end of the test run.
pub(crate) fn prepare() -> Result<(), String> {
    let skipped = |error| {
        format!("the MCP suites and clients, which npm and pip install from the network: {error:#}")
    };
    Suites::installed().map(drop).map_err(skipped)
}

/// Builds `deskhand` as its tests build it, and returns where it is.
pub(crate) fn program() -> Result<PathBuf> {
    server::built()
}

/// Runs everything and lists all that is wrong at once.
pub(crate) fn run() -> Result<()> {
    let deskhand = server::built()?;
    let suites = Suites::installed()?;
    let mut problems = conformance(&suites, &deskhand)?;
    let server = Server::start(&deskhand, Surface::Real)?;
    let desk = Desk::fresh(&deskhand)?;
    problems.extend(inspector::run(&suites, &server, &desk)?);
    problems.extend(python::run(&suites, &server, &desk)?);
    if !problems.is_empty() {
        bail!("{} things are wrong:\n- {}", problems.len(), problems.join("\n- "));
    }
    Ok(())
}

/// The suite at each version, against the server with the tools that it asks for.
fn conformance(suites: &Suites, deskhand: &Path) -> Result<Vec<String>> {
    let expected = expected::read()?;
    let server = Server::start(deskhand, Surface::Fixtures)?;
    let mut problems = Vec::new();
    for version in VERSIONS {
        problems.extend(conformance::run(suites, &server, version, &expected)?);
    }
    Ok(problems)
}
