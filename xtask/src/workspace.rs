//! Where things are: the root of the checkout and the shared target folder.

use crate::shell;
use anyhow::{Context, Result};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// The needed part of `cargo metadata`. The crate that reads all of it turns on a feature of serde_json for
/// every build of the workspace, which then shares nothing with the builds of the programs.
#[derive(Deserialize)]
pub(crate) struct Metadata {
    pub(crate) packages: Vec<Package>,
    target_directory: PathBuf,
}

/// A member of the workspace.
#[derive(Deserialize)]
pub(crate) struct Package {
    /// Its `Cargo.toml`.
    pub(crate) manifest_path: PathBuf,
    pub(crate) dependencies: Vec<Dependency>,
}

/// What a member names among its dependencies, of every kind.
#[derive(Deserialize)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    /// Its folder, of a member.
    pub(crate) path: Option<PathBuf>,
}

pub(crate) fn root() -> PathBuf {
    let here = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    here.parent().map_or(here.clone(), Path::to_path_buf)
}

/// What Cargo knows about the members, without their dependencies' graphs.
pub(crate) fn metadata() -> Result<Metadata> {
    let mut command = shell::cargo(["metadata", "--no-deps", "--format-version", "1"]);
    let told = shell::capture(command.arg("--manifest-path").arg(root().join("Cargo.toml")))?;
    serde_json::from_slice(&told.stdout)
        .context("`cargo metadata` failed; is Cargo.toml well formed?")
}

/// The folder of build results, wherever `CARGO_TARGET_DIR` or the configuration puts it.
pub(crate) fn target() -> Result<PathBuf> {
    Ok(metadata()?.target_directory)
}
