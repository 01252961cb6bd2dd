//! The house rules that a compiler does not check. Each submodule is one detector with its own
//! planted defects as tests.

mod circles;
mod edges;
mod headers;
mod lengths;
mod lints;
mod messages;
mod stock_widgets;
mod text;
mod tool_names;
mod tools;
mod tree;
mod violation;

use crate::workspace;
use anyhow::{Result, bail};
use tree::Tree;
use violation::Violation;

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

/// Prints every message that a person may read, with its place.
pub(crate) fn print_messages() -> Result<()> {
    messages::print(&Tree::of_checkout()?);
    Ok(())
}

/// All checks that need only the files.
fn check(tree: &Tree) -> Vec<Violation> {
    let mut found = circles::check(tree);
    found.extend(headers::check(tree));
    found.extend(lengths::check(tree));
    found.extend(lints::check(tree));
    found.extend(messages::check(tree));
    found.extend(stock_widgets::check(tree));
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
