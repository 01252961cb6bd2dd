//! Pages that are generated: compared with the files, or written.

use crate::workspace;
use anyhow::{Context, Result};

/// Whether a page that is out of date is an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// It is.
    Check,
    /// It is written.
    Write,
}

impl Mode {
    pub(crate) fn from_flag(write: bool) -> Self {
        if write { Self::Write } else { Self::Check }
    }
}

/// The first line of a page that nobody edits.
pub(super) const MARK: &str = "<!-- generated: cargo xtask book --write -->";

/// A file as it should be; `path` is from the root.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Generated {
    pub(super) path: String,
    pub(super) text: String,
}

/// Writes outdated files, or returns a line for each of them.
pub(super) fn settle(files: &[Generated], mode: Mode) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    for file in files {
        let path = workspace::root().join(&file.path);
        let is_current = std::fs::read_to_string(&path).is_ok_and(|text| text == file.text);
        match mode {
            _ if is_current => {}
            Mode::Write => {
                std::fs::write(&path, &file.text)
                    .with_context(|| format!("cannot write {}", file.path))?;
                println!("book: wrote {}", file.path);
            }
            Mode::Check => problems.push(format!(
                "{}: out of date; `cargo xtask book --write` writes this page",
                file.path
            )),
        }
    }
    Ok(problems)
}
