//! What the rest of the book says of a tool: words that it understands, guides that use it, and figures.

use crate::book::console;
use crate::book::links;
use crate::book::pages::Page;

/// The page of figures; a comment after a heading names the tools that it is about.
const FIGURES: &str = "docs/figures.md";
const TOOLS: &str = "<!-- tools:";
/// The folders of the guides. A comment in a guide can name tools that its text does not.
const GUIDES: [&str; 4] = ["docs/words/", "docs/music/", "docs/mixing/", "docs/daw/"];

/// What people say for the tool `name`: what the commands of the pages show as understood.
pub(super) fn words(pages: &[Page], name: &str) -> Vec<String> {
    let start = format!("understood: {name} \"");
    let mut found = Vec::new();
    for page in pages {
        let pieces = console::pieces(&page.text);
        for line in console::examples(&pieces).flat_map(|example| example.output.lines()) {
            let words = line.strip_prefix(&start).and_then(|rest| rest.split('"').next());
            found.extend(words.map(str::to_owned));
        }
    }
    found.sort();
    found.dedup();
    found
}

/// The guides that name the tool, as title and path from docs/tools.
pub(super) fn guides(pages: &[Page], name: &str) -> Vec<(String, String)> {
    let is_guide = |page: &&Page| {
        GUIDES.iter().any(|folder| page.path.starts_with(folder)) && holds(&page.text, name)
    };
    let guide = |page: &Page| {
        let title = page.text.lines().find_map(|line| line.strip_prefix("# "));
        let path = page.path.replacen("docs/", "../", 1);
        (title.unwrap_or_default().to_owned(), path)
    };
    pages.iter().filter(is_guide).map(guide).collect()
}

/// The headings of the figures of the tool, with their anchors.
pub(super) fn figures(pages: &[Page], name: &str) -> Vec<(String, String)> {
    let page = pages.iter().find(|page| page.path == FIGURES);
    let mut heading = "";
    let mut found = Vec::new();
    for line in page.into_iter().flat_map(|page| page.text.lines()) {
        if line.starts_with('#') {
            heading = line.trim_start_matches('#').trim();
        }
        if line.starts_with(TOOLS) && holds(line, name) {
            found.push((heading.to_owned(), format!("../figures.md#{}", links::anchor(heading))));
        }
    }
    found
}

/// Whether `text` holds the whole word `name`.
fn holds(text: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| {
        let before = text[..at].chars().next_back().is_some_and(is_word);
        let after = text[at + name.len()..].chars().next().is_some_and(is_word);
        !before && !after
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_guides_and_figures_are_found() {
        let shown = "understood: tool_duck \"duck the music\" on Music\n";
        let guide = format!("# Mixing\n```console\n$ deskhand ask x y\n{shown}{shown}```\n");
        let figures = "# Figures\n## Good, bad\n<!-- tools: tool_duck, tool_tie -->\n";
        let pages =
            [Page::planted("docs/mixing/README.md", &guide), Page::planted(FIGURES, figures)];
        assert_eq!(words(&pages, "tool_duck"), ["duck the music"]);
        let guide = ("Mixing".to_owned(), "../mixing/README.md".to_owned());
        assert_eq!(self::guides(&pages, "tool_duck"), [guide]);
        let figure = ("Good, bad".to_owned(), "../figures.md#good-bad".to_owned());
        assert_eq!(self::figures(&pages, "tool_tie"), [figure]);
        assert!(!holds("tool_ducks", "tool_duck"));
    }
}
