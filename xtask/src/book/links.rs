//! Follows every link and picture of the pages, and checks that SUMMARY names every page.

use super::pages::Page;
use crate::workspace;
use std::collections::BTreeMap;

/// The table of contents that mdbook reads.
pub(super) const SUMMARY: &str = "docs/SUMMARY.md";

/// A link of a page to a file of the checkout.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Link {
    /// Where it is, counted from 1.
    pub(super) line: usize,
    /// As written, without the anchor.
    pub(super) target: String,
    /// From the root, with `/`.
    pub(super) path: String,
    /// What follows the `#`.
    pub(super) anchor: Option<String>,
}

/// The links of `page` that do not lead to the network.
pub(super) fn links(page: &Page) -> Vec<Link> {
    let on_line = |(line, text): (usize, &str)| {
        let text = without_code(text);
        let targets: Vec<String> = targets(&text).map(str::to_owned).collect();
        targets.into_iter().map(move |target| link(&page.path, line, &target))
    };
    page.prose().flat_map(on_line).collect()
}

/// A line for each link that leads nowhere, and for each page that SUMMARY leaves out.
pub(super) fn check(pages: &[Page]) -> Vec<String> {
    let is_file = |path: &str| workspace::root().join(path).exists();
    let mut problems = broken(pages, is_file);
    problems.extend(left_out(pages));
    problems
}

/// How many links there are.
pub(super) fn count(pages: &[Page]) -> usize {
    pages.iter().map(|page| links(page).len()).sum()
}

fn broken(pages: &[Page], is_file: impl Fn(&str) -> bool) -> Vec<String> {
    let by_path: BTreeMap<&str, &Page> =
        pages.iter().map(|page| (page.path.as_str(), page)).collect();
    let problem = |page: &Page, link: &Link| {
        let at = format!("{}:{}", page.path, link.line);
        if !is_file(&link.path) {
            return Some(format!("{at}: the link leads nowhere: {}", link.path));
        }
        let (anchor, target) = (link.anchor.as_ref()?, by_path.get(link.path.as_str())?);
        let is_known = anchors(target).any(|known| known == *anchor);
        (!is_known).then(|| format!("{at}: {} has no heading #{anchor}", link.path))
    };
    let of_page =
        |page: &Page| links(page).iter().filter_map(|link| problem(page, link)).collect::<Vec<_>>();
    pages.iter().flat_map(of_page).collect()
}

fn left_out(pages: &[Page]) -> Vec<String> {
    let summary = pages.iter().find(|page| page.path == SUMMARY);
    let named = summary.map(links).unwrap_or_default();
    let is_left_out = |page: &&Page| {
        let is_inside = page.path.starts_with("docs/") && page.path != SUMMARY;
        is_inside && named.iter().all(|link| link.path != page.path)
    };
    let problem = |page: &Page| format!("{}: {SUMMARY} does not name this page", page.path);
    pages.iter().filter(is_left_out).map(problem).collect()
}

/// `line` without code in backticks.
pub(super) fn without_code(line: &str) -> String {
    let outside = |(index, text)| if index % 2 == 0 { text } else { "" };
    line.split('`').enumerate().map(outside).collect()
}

/// What the links and pictures on `line` name, without addresses of the network.
fn targets(line: &str) -> impl Iterator<Item = &str> {
    let starts = line.match_indices("](").map(|(at, mark)| at + mark.len());
    let target = |at: usize| line[at..].split([')', ' ']).next();
    starts.filter_map(target).filter(|target| !target.contains("://") && !target.is_empty())
}

fn link(page: &str, line: usize, target: &str) -> Link {
    let (written, anchor) = match target.split_once('#') {
        Some((path, anchor)) => (path, Some(anchor.to_owned())),
        None => (target, None),
    };
    let path = if written.is_empty() { page.to_owned() } else { resolved(page, written) };
    Link { line, target: written.to_owned(), path, anchor }
}

/// `target` from the folder of `page`, as a path from the root.
fn resolved(page: &str, target: &str) -> String {
    let folder = page.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = Vec::new();
    for part in folder.split('/').chain(target.split('/')) {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

pub(super) fn anchors(page: &Page) -> impl Iterator<Item = String> {
    let headings = page.prose().filter(|(_, line)| line.starts_with('#'));
    headings.map(|(_, line)| anchor(line.trim_start_matches('#').trim()))
}

/// The anchor of a heading, as GitHub and mdbook make it.
pub(super) fn anchor(heading: &str) -> String {
    let kept = |c: &char| c.is_alphanumeric() || matches!(c, '-' | '_' | ' ');
    heading.to_lowercase().chars().filter(kept).collect::<String>().replace(' ', "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_read_from_the_folder_of_the_page() {
        let text = "[a](b.md#c-d) `[x](y)` ![p](../pictures/p.png)\n[w](https://a.org/b) [h](#h)\n";
        let page = Page::planted("docs/words/a.md", text);
        let found = links(&page);
        let paths: Vec<_> = found.iter().map(|link| link.path.as_str()).collect();
        assert_eq!(paths, ["docs/words/b.md", "docs/pictures/p.png", "docs/words/a.md"]);
        assert_eq!((found[0].anchor.as_deref(), found[2].line), (Some("c-d"), 2));
        assert_eq!(resolved("README.md", "docs/../CHANGELOG.md"), "CHANGELOG.md");
    }

    #[test]
    fn a_link_that_leads_nowhere_is_caught() {
        let one = Page::planted("docs/one.md", "[x](two.md#good-words) [y](two.md#bad) [z](no.md)");
        let two = Page::planted("docs/two.md", "## Good, `words`\n");
        let found = broken(&[one, two], |path| path != "docs/no.md");
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].contains("#bad") && found[1].contains("docs/no.md"), "{found:?}");
    }

    #[test]
    fn a_page_outside_the_summary_is_caught() {
        let summary = Page::planted(SUMMARY, "- [One](one.md)\n");
        let pages = ["docs/one.md", "docs/two.md", "README.md"].map(|at| Page::planted(at, ""));
        let found = left_out(&[&[summary], &pages[..]].concat());
        assert_eq!(found, ["docs/two.md: docs/SUMMARY.md does not name this page"]);
    }
}
