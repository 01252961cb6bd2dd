//! The tasks that people come with: the page of each is at most two links from the README.

use super::links;
use super::pages::Page;
use std::collections::BTreeSet;

/// How many links away a page may be.
const LINKS: usize = 2;
const START: &str = "README.md";
/// What people want, and the page or heading that answers.
const TASKS: [(&str, &str); 5] = [
    ("record from a DAW", "docs/daw/README.md#recording-in-the-plugin"),
    ("cut fillers", "docs/words/tighten.md"),
    ("use it from an AI client", "docs/clients/README.md"),
    ("why was my file refused", "docs/troubleshooting.md#why-was-my-file-refused"),
    ("add a tool of mine", "docs/tools/your-own.md"),
];

/// A line for each task whose page is too far away, or has lost its heading.
pub(super) fn check(pages: &[Page]) -> Vec<String> {
    let near = near(pages);
    TASKS.iter().filter_map(|(task, target)| problem(pages, &near, task, target)).collect()
}

fn problem(pages: &[Page], near: &BTreeSet<String>, task: &str, target: &str) -> Option<String> {
    let (path, heading) = target.split_once('#').unwrap_or((target, ""));
    if !near.contains(path) {
        return Some(format!("README.md: \"{task}\" ({path}) is more than {LINKS} links away"));
    }
    let page = pages.iter().find(|page| page.path == path)?;
    let is_there = heading.is_empty() || links::anchors(page).any(|anchor| anchor == heading);
    (!is_there).then(|| format!("{path}: \"{task}\" needs the heading #{heading}"))
}

/// The pages that at most [`LINKS`] links lead to.
fn near(pages: &[Page]) -> BTreeSet<String> {
    let mut near = BTreeSet::from([START.to_owned()]);
    for _ in 0..LINKS {
        let known = pages.iter().filter(|page| near.contains(&page.path));
        let next: Vec<String> = known.flat_map(links::links).map(|link| link.path).collect();
        near.extend(next);
    }
    near
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_three_links_away_is_too_far() {
        let chain = [
            Page::planted("README.md", "[a](docs/a.md)"),
            Page::planted("docs/a.md", "[b](clients/README.md)"),
            Page::planted("docs/clients/README.md", "[c](../daw/README.md)"),
            Page::planted("docs/daw/README.md", "## Recording in the plugin"),
        ];
        let near = near(&chain);
        assert!(near.contains("docs/clients/README.md"));
        assert!(!near.contains("docs/daw/README.md"));
        assert_eq!(check(&chain).len(), TASKS.len() - 1);
    }

    #[test]
    fn a_heading_that_is_gone_is_caught() {
        let [(task, target), ..] = TASKS;
        let pages = |text| [Page::planted("docs/daw/README.md", text)];
        let near = BTreeSet::from(["docs/daw/README.md".to_owned()]);
        assert_eq!(problem(&pages("## Recording in the plugin"), &near, task, target), None);
        let gone =
            "docs/daw/README.md: \"record from a DAW\" needs the heading #recording-in-the-plugin";
        let found = problem(&pages("## Recording"), &near, task, target);
        assert_eq!(found.as_deref(), Some(gone));
    }
}
