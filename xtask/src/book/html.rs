//! The book as web pages, by mdbook, which renders one folder. The pages are copied there, with the
//! pictures and other files outside docs that they link to.

use super::links::{self, Link};
use super::pages::Page;
use crate::{shell, workspace};
use anyhow::{Context, Result};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

const DOCS: &str = "docs/";
/// Where files from outside docs go in the copied folder.
const OUTSIDE: &str = "outside/";

/// Renders `pages` into target/book, where mdbook is installed; else returns the reason.
pub(super) fn render(pages: &[Page]) -> Result<Option<String>> {
    if !shell::on_path("mdbook") {
        return Ok(Some(
            "the book as web pages; `cargo install mdbook` installs mdbook".to_owned(),
        ));
    }
    let target = workspace::target()?;
    let (stage, html) = (target.join("tmp/book"), target.join("book"));
    if stage.exists() {
        std::fs::remove_dir_all(&stage)
            .with_context(|| format!("cannot clear {}", stage.display()))?;
    }
    copy(&workspace::root().join("docs/book.toml"), &stage.join("book.toml"))?;
    for page in pages.iter().filter(|page| page.path.starts_with(DOCS)) {
        lay_out(page, &stage)?;
    }
    let mut mdbook = Command::new("mdbook");
    mdbook.arg("build").arg(&stage).arg("--dest-dir").arg(&html);
    shell::run(&mut mdbook)?;
    println!("book: {}", html.join("index.html").display());
    Ok(None)
}

/// Writes `page` into the folder `stage`, with what it links to.
fn lay_out(page: &Page, stage: &Path) -> Result<()> {
    let to = stage.join(page.path.trim_start_matches(DOCS));
    std::fs::create_dir_all(to.parent().unwrap_or(stage))?;
    std::fs::write(&to, moved(page)).with_context(|| format!("cannot write {}", to.display()))?;
    let paths: BTreeSet<String> = links::links(page).into_iter().map(|link| link.path).collect();
    for path in paths {
        let is_page = path.starts_with(DOCS) && path.ends_with(".md");
        let from = workspace::root().join(&path);
        if !is_page && from.is_file() {
            copy(&from, &stage.join(place(&path)))?;
        }
    }
    Ok(())
}

/// The text of `page` with links as they are in the copied folder.
fn moved(page: &Page) -> String {
    if page.path == links::SUMMARY {
        return page.text.clone(); // mdbook reads it by itself
    }
    let depth = page.path.trim_start_matches(DOCS).matches('/').count();
    let all = links::links(page);
    let moved = |(index, line): (usize, &str)| {
        let here = all.iter().filter(|link| link.line == index + 1);
        let text = here.fold(line.to_owned(), |line, link| match target(link, depth) {
            Some(new) => replaced(&line, &link.target, &new),
            None => line,
        });
        text + "\n"
    };
    page.text.lines().enumerate().map(moved).collect()
}

/// Where `link` of a page `depth` folders down leads in the copied folder, if that is elsewhere than in docs.
fn target(link: &Link, depth: usize) -> Option<String> {
    if !link.path.starts_with(DOCS) {
        return Some("../".repeat(depth) + &place(&link.path));
    }
    let folder = link.target.strip_suffix("README.md")?;
    Some(format!("{folder}index.html")) // mdbook calls the page of a folder so, but not in links
}

/// `line` with the links to `old` changed to `new`, whether they have an anchor or not.
fn replaced(line: &str, old: &str, new: &str) -> String {
    [")", "#"].iter().fold(line.to_owned(), |line, end| {
        line.replace(&format!("]({old}{end}"), &format!("]({new}{end}"))
    })
}

/// Where the file `path` of the checkout is in the copied folder. A page outside of the book is shown as text.
fn place(path: &str) -> String {
    match (path.strip_prefix(DOCS), path.strip_suffix(".md")) {
        (Some(inside), _) => inside.to_owned(),
        (None, Some(page)) => format!("{OUTSIDE}{page}.txt"),
        (None, None) => format!("{OUTSIDE}{path}"),
    }
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    std::fs::create_dir_all(to.parent().unwrap_or(to))?;
    std::fs::copy(from, to).with_context(|| format!("cannot copy {}", from.display()))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_outside_docs_lead_to_the_copies() {
        let text = "![a](../../tests/p/a.png) [b](../../CONTRIBUTING.md#rules) [c](../start.md)\n";
        let page = Page::planted("docs/words/a.md", text);
        let expected = "![a](../outside/tests/p/a.png) \
                        [b](../outside/CONTRIBUTING.txt#rules) [c](../start.md)\n";
        assert_eq!(moved(&page), expected);
    }

    #[test]
    fn the_page_of_a_folder_is_called_index() {
        let text = "[a](README.md) [b](../daw/README.md#next) [c](../daw/README.md)\n";
        let page = Page::planted("docs/words/a.md", text);
        let expected = "[a](index.html) [b](../daw/index.html#next) [c](../daw/index.html)\n";
        assert_eq!(moved(&page), expected);
    }

    #[test]
    fn a_picture_in_docs_stays_where_it_is() {
        assert_eq!(place("docs/pictures/plan.png"), "pictures/plan.png");
    }
}
