//! The pages of tools, one a tool, and one of all commands, from what the program says of them.

mod overview;
mod page;
mod schema;
mod sources;

use super::desk::{Desk, Session};
use super::generated::{Generated, MARK};
use super::links;
use super::pages::Page;
use anyhow::{Context, Result};
use serde::Deserialize;
use serde_json::Value;
use std::path::Path;

const FOLDER: &str = "docs/tools";
/// What `deskhand tools --json` says of a tool or a command.
#[derive(Deserialize)]
struct Spec {
    name: String,
    title: String,
    description: String,
    category: String,
    trust: String,
    input_schema: Value,
    #[serde(default)]
    examples: Vec<Value>,
    /// How people ask for it.
    #[serde(default)]
    says: Vec<String>,
    /// What a call does besides its plan.
    #[serde(default)]
    effects: Vec<String>,
}

impl Spec {
    /// Whether it has a page by itself only if the overview links to one.
    fn is_command(&self) -> bool {
        self.effects.iter().any(|effect| effect == "command")
    }
}

/// The pages as they should be, and a line for each thing that is wrong with the others.
pub(super) fn generated(pages: &[Page], program: &Path) -> Result<(Vec<Generated>, Vec<String>)> {
    let specs = specs(program)?;
    let listed = overview::listed(pages, &specs);
    let mut files: Vec<Generated> = listed
        .iter()
        .map(|spec| Generated { path: path(&spec.name), text: page::tool(spec, pages) })
        .collect();
    let is_listed = |spec: &&Spec| listed.iter().any(|listed| listed.name == spec.name);
    let commands: Vec<&Spec> = specs.iter().filter(|spec| !is_listed(spec)).collect();
    files.push(Generated { path: path("commands"), text: page::commands(&commands) });
    if let Some(summary) = pages.iter().find(|page| page.path == links::SUMMARY) {
        let text = overview::summary(&summary.text, &listed);
        files.push(Generated { path: summary.path.clone(), text });
    }
    let mut problems = overview::unlisted(&specs, &listed);
    problems.extend(strays(pages, &files));
    Ok((files, problems))
}

fn specs(program: &Path) -> Result<Vec<Spec>> {
    let desk = Desk::fresh(program, Session::None)?;
    let told = desk.run("deskhand tools --json")?;
    serde_json::from_str(&told).context("`deskhand tools --json` did not write a list of tools")
}

/// The page called `name`.
fn path(name: &str) -> String {
    format!("{FOLDER}/{name}.md")
}

/// Generated pages of tools that are gone.
fn strays(pages: &[Page], files: &[Generated]) -> Vec<String> {
    let is_stray = |page: &&Page| {
        let is_current = files.iter().any(|file| file.path == page.path);
        page.path.starts_with(FOLDER) && page.text.starts_with(MARK) && !is_current
    };
    let problem = |page: &Page| format!("{}: no tool is called like this; remove it", page.path);
    pages.iter().filter(is_stray).map(problem).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_of_a_tool_that_is_gone_is_caught() {
        let old = Page::planted("docs/tools/tool_old.md", MARK);
        let own = Page::planted("docs/tools/your-own.md", "# Own");
        assert_eq!(strays(&[old, own], &[]).len(), 1);
    }
}
