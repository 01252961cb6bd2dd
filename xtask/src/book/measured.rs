//! The table of the page of figures, which comes from what `cargo xtask bench --write` measured.

use super::generated::Generated;
use super::pages::Page;
use crate::figures;
use anyhow::{Context, Result};

const PAGE: &str = "docs/figures.md";
/// The lines around the table.
const START: &str = "<!-- figures: cargo xtask bench --write -->\n";
const END: &str = "<!-- end of figures -->\n";

/// The page of figures with the table of today's file.
pub(super) fn generated(pages: &[Page]) -> Result<Generated> {
    let page = pages.iter().find(|page| page.path == PAGE);
    let page = page.with_context(|| format!("there is no {PAGE}"))?;
    let text = filled(&page.text, &figures::table(&figures::read()?));
    let text = text.with_context(|| format!("{PAGE} needs the lines {START}and {END}"))?;
    Ok(Generated { path: page.path.clone(), text })
}

/// `text` with `table` between the two lines.
fn filled(text: &str, table: &str) -> Option<String> {
    let (before, rest) = text.split_once(START)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{START}\n{table}\n{END}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_replaces_the_one_before() {
        let text = format!("# Figures\n{START}| old |\n{END}The end.\n");
        let once = filled(&text, "| new |\n").unwrap();
        assert_eq!(once, format!("# Figures\n{START}\n| new |\n\n{END}The end.\n"));
        assert_eq!(filled(&once, "| new |\n").unwrap(), once);
        assert_eq!(filled("# Figures\n", ""), None);
    }
}
