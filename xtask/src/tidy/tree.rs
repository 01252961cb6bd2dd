//! The files of the checkout as text: what Git tracks, and what it would track.

use crate::{shell, workspace};
use anyhow::{Result, bail};
use std::process::Command;

/// One text file; `path` is relative to the root, with `/`.
pub(super) struct TreeFile {
    pub(super) path: String,
    pub(super) text: String,
}

/// The text files of a checkout. Binary files are left out.
pub(super) struct Tree {
    pub(super) files: Vec<TreeFile>,
}

impl Tree {
    /// Reads the checkout that this program was built from.
    pub(super) fn of_checkout() -> Result<Self> {
        let root = workspace::root();
        let list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
        let listed = shell::capture(Command::new("git").args(list).current_dir(&root))?;
        if !listed.status.success() {
            bail!("`git ls-files` failed; tidy reads what Git tracks, so it needs a checkout");
        }
        let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
        let read = |path: &str| {
            let text = std::fs::read_to_string(root.join(path)).ok()?;
            Some(TreeFile { path: path.to_owned(), text })
        };
        Ok(Self {
            files: listed.split('\0').filter(|path| !path.is_empty()).filter_map(read).collect(),
        })
    }

    /// The Rust files.
    pub(super) fn rust(&self) -> impl Iterator<Item = &TreeFile> {
        self.files.iter().filter(|file| file.path.ends_with(".rs"))
    }

    /// The file at exactly `path`.
    pub(super) fn get(&self, path: &str) -> Option<&TreeFile> {
        self.files.iter().find(|file| file.path == path)
    }

    /// A tree written down in a test.
    #[cfg(test)]
    pub(super) fn planted(files: &[(&str, &str)]) -> Self {
        let file = |&(path, text): &(&str, &str)| TreeFile {
            path: path.to_owned(),
            text: text.to_owned(),
        };
        Self { files: files.iter().map(file).collect() }
    }
}
