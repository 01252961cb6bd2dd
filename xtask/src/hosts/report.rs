//! What a person reads of a run in hosts: a line for each check, and pictures.

use crate::workspace;
use anyhow::Result;
use std::path::PathBuf;

/// One line for a person: the check, the host and the figure. Returns the problem, if there is one.
pub(super) fn check(host: &str, what: &str, figure: &str, holds: bool) -> Option<String> {
    let mark = if holds { "ok   " } else { "WRONG" };
    println!("   {mark} {host:<11} {what:<58} {figure}");
    (!holds).then(|| format!("{host}: {what}: {figure}"))
}

pub(super) fn yes(it: bool) -> &'static str {
    if it { "yes" } else { "no" }
}

/// Where pictures are kept to be looked at.
pub(super) fn pictures() -> Result<PathBuf> {
    let folder = workspace::target()?.join("hosts/pictures");
    std::fs::create_dir_all(&folder)?;
    Ok(folder)
}
