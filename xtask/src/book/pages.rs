//! The pages that the book consists of: README, CONTRIBUTING and everything in docs.

use crate::workspace;
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

const OUTSIDE: [&str; 2] = ["README.md", "CONTRIBUTING.md"];

/// One page; `path` is relative to the root, with `/`.
#[derive(Clone)]
pub(super) struct Page {
    pub(super) path: String,
    pub(super) text: String,
}

impl Page {
    /// A page that exists in a test only.
    #[cfg(test)]
    pub(super) fn planted(path: &str, text: &str) -> Self {
        Self { path: path.to_owned(), text: text.to_owned() }
    }

    /// The lines outside blocks of code and comments, with their numbers from 1.
    pub(super) fn prose(&self) -> impl Iterator<Item = (usize, &str)> {
        let mut is_in_block = false;
        self.text.lines().enumerate().filter_map(move |(index, line)| {
            let is_fence = line.trim_start().starts_with("```");
            is_in_block ^= is_fence;
            let is_prose = !is_fence && !is_in_block && !line.starts_with("<!--");
            is_prose.then_some((index + 1, line))
        })
    }
}

/// All pages, in order of their paths; README first.
pub(super) fn read() -> Result<Vec<Page>> {
    let root = workspace::root();
    let mut paths: Vec<String> = OUTSIDE.map(str::to_owned).to_vec();
    let mut inside = Vec::new();
    collect(&root.join("docs"), &mut inside)?;
    inside.sort();
    let name = |path: &PathBuf| {
        let path = path.strip_prefix(&root).unwrap_or(path);
        path.to_string_lossy().replace('\\', "/")
    };
    paths.extend(inside.iter().map(name));
    let page = |path: String| {
        let text = std::fs::read_to_string(root.join(&path))
            .with_context(|| format!("cannot read {path}"))?;
        Ok(Page { path, text })
    };
    paths.into_iter().map(page).collect()
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    let entries =
        std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, found)?;
        } else if path.extension().is_some_and(|ext| ext == "md") {
            found.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_is_what_is_outside_code_and_comments() {
        let text = "<!-- commands: none -->\n# A\n```console\n$ b\n```\nc\n";
        let page = Page::planted("a.md", text);
        assert_eq!(page.prose().collect::<Vec<_>>(), [(2, "# A"), (6, "c")]);
    }
}
