//! Where things are: the root of the checkout and the shared target folder.

use anyhow::{Context, Result};
use cargo_metadata::{Metadata, MetadataCommand};
use std::path::{Path, PathBuf};

/// The root of the checkout.
pub(crate) fn root() -> PathBuf {
    let here = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    here.parent().map_or(here.clone(), Path::to_path_buf)
}

/// What Cargo knows about the members, without their dependencies' graphs.
pub(crate) fn metadata() -> Result<Metadata> {
    MetadataCommand::new()
        .manifest_path(root().join("Cargo.toml"))
        .no_deps()
        .exec()
        .context("`cargo metadata` failed; is Cargo.toml well formed?")
}

/// The folder of build results, wherever `CARGO_TARGET_DIR` or the configuration puts it.
pub(crate) fn target() -> Result<PathBuf> {
    Ok(metadata()?.target_directory.into_std_path_buf())
}
