//! The overview of tools, whose rows link to a page for each, and their lines in the table of contents.

use super::{Spec, path};
use crate::book::links;
use crate::book::pages::Page;

const OVERVIEW: &str = "docs/tools/README.md";
/// The line of the table of contents that the tools follow.
const AFTER: &str = "(tools/your-own.md)";
/// The pages in the folder of tools that are written by hand.
const WRITTEN: [&str; 2] = ["(tools/README.md)", AFTER];

/// The tools that the overview links to, in its order.
pub(super) fn listed<'a>(pages: &[Page], specs: &'a [Spec]) -> Vec<&'a Spec> {
    let overview = pages.iter().find(|page| page.path == OVERVIEW);
    let links = overview.map(links::links).unwrap_or_default();
    let of = |link: &links::Link| specs.iter().find(|spec| path(&spec.name) == link.path);
    let mut listed: Vec<&Spec> = Vec::new();
    for spec in links.iter().filter_map(of) {
        if listed.iter().all(|known| known.name != spec.name) {
            listed.push(spec);
        }
    }
    listed
}

/// A line for each tool that the overview leaves out.
pub(super) fn unlisted(specs: &[Spec], listed: &[&Spec]) -> Vec<String> {
    let is_unlisted =
        |spec: &&Spec| !spec.is_command() && listed.iter().all(|listed| listed.name != spec.name);
    let problem = |spec: &Spec| {
        let name = &spec.name;
        format!("{OVERVIEW}: add [`{name}`]({name}.md) to the row of its category")
    };
    specs.iter().filter(is_unlisted).map(problem).collect()
}

/// The table of contents `text` with a line for each of `listed`.
pub(super) fn summary(text: &str, listed: &[&Spec]) -> String {
    let is_generated =
        |line: &str| line.contains("(tools/") && !WRITTEN.iter().any(|page| line.contains(page));
    let mut found = String::new();
    for line in text.lines().filter(|line| !is_generated(line)) {
        found.push_str(&format!("{line}\n"));
        if line.contains(AFTER) {
            let indent = &line[..line.len() - line.trim_start().len()];
            found.push_str(&format!("{indent}- [Commands](tools/commands.md)\n"));
            for spec in listed {
                let (title, name) = (&spec.title, &spec.name);
                found.push_str(&format!("{indent}- [{title}](tools/{name}.md)\n"));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn spec(name: &str) -> Spec {
        serde_json::from_value(json!({
            "name": name, "title": "Duck", "description": "", "category": "", "trust": "",
            "input_schema": {}, "effects": if name.starts_with("cmd_") { vec!["command"] } else { vec![] },
        }))
        .unwrap()
    }

    #[test]
    fn a_tool_without_a_link_is_caught() {
        let specs = [spec("tool_duck"), spec("tool_fade"), spec("cmd_stop")];
        let text = "| Mixing | [`tool_duck`](tool_duck.md), `tool_fade` |\n";
        let overview = Page::planted(OVERVIEW, &format!("{text}[a](your-own.md)\n"));
        let listed = listed(&[overview], &specs);
        assert_eq!(listed.len(), 1);
        assert!(unlisted(&specs, &listed)[0].contains("tool_fade.md"));
        assert_eq!(unlisted(&specs, &listed).len(), 1);
    }

    #[test]
    fn the_table_of_contents_is_the_same_when_it_is_written_again() {
        let text = "- [Tools](tools/README.md)\n  - [Own](tools/your-own.md)\n- [Models](m.md)\n";
        let duck = spec("tool_duck");
        let once = summary(text, &[&duck]);
        assert!(once.contains("\n  - [Duck](tools/tool_duck.md)\n- [Models]"), "{once}");
        assert_eq!(summary(&once, &[&duck]), once);
    }
}
