//! The house rules that a compiler does not check. Each submodule is one detector with its own
//! planted defects as tests.

mod edges;
mod headers;
mod lengths;
mod lints;
mod text;
mod tool_names;
mod tools;
mod tree;

use crate::workspace;
use anyhow::{Result, bail};
use std::fmt;
use tree::Tree;

/// A broken rule: where, and what to do about it.
#[derive(Debug, PartialEq, Eq)]
struct Violation {
    path: String,
    line: usize,
    message: String,
}

impl Violation {
    /// At `line`, counted from 1, of `path`; line 0 is the file as a whole.
    fn new(path: &str, line: usize, message: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line, message: message.into() }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.path, self.message),
            line => write!(f, "{}:{line}: {}", self.path, self.message),
        }
    }
}

/// Checks the checkout; prints every violation and fails if there is one.
pub(crate) fn run() -> Result<()> {
    let tree = Tree::of_checkout()?;
    let mut found = edges::check(&edges::of_workspace(&workspace::metadata()?));
    found.extend(check(&tree));
    for violation in &found {
        println!("{violation}");
    }
    if !found.is_empty() {
        bail!("tidy: {} broken house rules; each line above names one", found.len());
    }
    println!("tidy: {}", summary(&tree));
    Ok(())
}

/// All checks that need only the files.
fn check(tree: &Tree) -> Vec<Violation> {
    let mut found = headers::check(tree);
    found.extend(lengths::check(tree));
    found.extend(lints::check(tree));
    found.extend(text::check(tree));
    found.extend(tool_names::check(tree));
    found.extend(tools::check(tree));
    found
}

fn summary(tree: &Tree) -> String {
    let longest = tree.rust().max_by_key(|file| file.text.lines().count());
    let longest = longest.map_or_else(String::new, |file| {
        format!(", longest {} ({} lines)", file.path, file.text.lines().count())
    });
    format!("{} Rust files{longest}", tree.rust().count())
}
