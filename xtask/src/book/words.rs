//! Counts words that the pages avoid, and the size of the README.

use super::links::without_code;
use super::pages::Page;
use crate::hard_words::HARD;

/// Words that only pages avoid.
const ON_PAGES: [&str; 6] = ["what is", "who", "told", "tells", "hereof", "wherein"];
/// Names of pages that hold such a word.
const NAMES: [&str; 1] = ["Who decides"];
/// What the first page may hold, in bytes.
const README_LIMIT: usize = 8 * 1024;

/// A line for each avoided word of `pages`, and one if the README is too long.
pub(super) fn check<'a>(pages: impl Iterator<Item = &'a Page>) -> Vec<String> {
    pages.flat_map(|page| avoided(page).into_iter().chain(too_long(page))).collect()
}

fn too_long(page: &Page) -> Option<String> {
    let bytes = page.text.len();
    let is_too_long = page.path == "README.md" && bytes > README_LIMIT;
    is_too_long.then(|| format!("README.md: {bytes} bytes, at most {README_LIMIT}"))
}

pub(super) fn avoided(page: &Page) -> Vec<String> {
    let on_line = |(line, text): (usize, &str)| {
        let words = plain(text);
        let found = HARD
            .iter()
            .chain(&ON_PAGES)
            .filter(move |avoided| words.contains(&format!(" {avoided} ")));
        found.map(move |avoided| format!("{}:{line}: a plainer word for \"{avoided}\"", page.path))
    };
    page.prose().flat_map(on_line).collect()
}

/// The words of `line` in lower case, each between spaces, without code, quotes, targets of links and names of pages.
fn plain(line: &str) -> String {
    let mut text = without_targets(&without_code(line));
    for name in NAMES {
        text = text.replace(name, "");
    }
    let outside = |(index, text)| if index % 2 == 0 { text } else { "" };
    let text: String = text.split('"').enumerate().map(outside).collect();
    let letters = |c: char| if c.is_alphanumeric() { c.to_ascii_lowercase() } else { ' ' };
    let letters: String = text.chars().map(letters).collect();
    let words: Vec<&str> = letters.split_whitespace().collect();
    format!(" {} ", words.join(" "))
}

fn without_targets(line: &str) -> String {
    let mut parts = line.split("](");
    let first = parts.next().unwrap_or_default().to_owned();
    let after =
        |part: &str| part.split_once(')').map_or(String::new(), |(_, rest)| rest.to_owned());
    parts.fold(first, |text, part| text + " " + &after(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> usize {
        check([Page::planted("docs/a.md", text)].iter()).len()
    }

    #[test]
    fn avoided_words_are_counted_outside_code_quotes_and_links() {
        assert_eq!(found("It stands. Made anew,\nbeside it, ahead  of all.\n"), 4);
        assert_eq!(found("`anew` \"anew\" [a](anew.md)\n```\nanew\n```\n"), 0);
        assert_eq!(found("[Who decides](decide.md), standard, whose, behindhand\n"), 0);
    }

    #[test]
    fn a_long_readme_is_caught() {
        let pages = [Page::planted("README.md", &"a\n".repeat(5_000))];
        assert_eq!(check(pages.iter()).len(), 1);
    }
}
