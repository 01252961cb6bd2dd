//! Lays out the page of a tool, and the page of all commands.

use super::schema::{self, Parameter};
use super::{Spec, sources};
use crate::book::generated::MARK;
use crate::book::pages::Page;

/// The page of the tool `spec`; `pages` are the rest of the book.
pub(super) fn tool(spec: &Spec, pages: &[Page]) -> String {
    let mut parts = vec![format!("{MARK}\n# {}", spec.title), intro(spec)];
    let mut words = spec.says.clone();
    words.extend(sources::words(pages, &spec.name));
    if !words.is_empty() {
        let lines: Vec<String> = words.iter().map(|words| format!("- \"{words}\"")).collect();
        parts.push(format!("## In words\n\n{}", lines.join("\n")));
    }
    let parameters = schema::parameters(&spec.input_schema);
    if !parameters.is_empty() {
        parts.push(format!("## Parameters\n\n{}", table(&parameters)));
    }
    if !spec.examples.is_empty() {
        parts.push(format!("## Example\n\n{}", calls(spec)));
    }
    let figures = list(&sources::figures(pages, &spec.name));
    if !figures.is_empty() {
        parts.push(format!("## How well it works\n\n{figures}"));
    }
    let guides = list(&sources::guides(pages, &spec.name));
    if !guides.is_empty() {
        parts.push(format!("## More\n\n{guides}"));
    }
    parts.join("\n\n") + "\n"
}

pub(super) fn commands(commands: &[&Spec]) -> String {
    let mut parts = vec![
        format!("{MARK}\n# Commands"),
        "A command is one edit, one look at the session or one move in a window. \
         It follows the same path as a [tool](README.md)."
            .to_owned(),
    ];
    for spec in commands {
        parts.push(format!("## {}", spec.title));
        parts.push(intro(spec));
        let parameters = schema::parameters(&spec.input_schema);
        if !parameters.is_empty() {
            parts.push(table(&parameters));
        }
        if let Some(first) = spec.examples.first() {
            parts.push(format!("```\n{}\n```", call(&spec.name, first)));
        }
    }
    parts.join("\n\n") + "\n"
}

fn intro(spec: &Spec) -> String {
    let (name, category, trust) = (&spec.name, &spec.category, &spec.trust);
    let trust = format!("[{trust}](../decide.md#four-levels-of-trust)");
    format!("`{name}` · category {category} · trust {trust}\n\n{}", spec.description)
}

fn table(parameters: &[Parameter]) -> String {
    let mut text = "| parameter | takes | default | meaning |\n|---|---|---|---|".to_owned();
    for row in parameters {
        let cells = [&format!("`{}`", row.name), &row.takes, &row.default, &row.meaning];
        let cells: Vec<String> = cells.map(|cell| cell.replace('|', "\\|")).to_vec();
        text.push_str(&format!("\n| {} |", cells.join(" | ")));
    }
    text
}

/// All examples as commands.
fn calls(spec: &Spec) -> String {
    let lines: Vec<String> =
        spec.examples.iter().map(|example| call(&spec.name, example)).collect();
    format!("```\n{}\n```", lines.join("\n"))
}

fn call(name: &str, parameters: &serde_json::Value) -> String {
    let parameters = parameters.to_string().replace('\'', r"'\''");
    format!("deskhand plan DIR {name} --params '{parameters}'")
}

fn list(links: &[(String, String)]) -> String {
    let lines: Vec<String> =
        links.iter().map(|(title, path)| format!("- [{title}]({path})")).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn spec() -> Spec {
        serde_json::from_value(json!({
            "name": "tool_duck", "title": "Duck", "description": "Lowers music.",
            "category": "level", "trust": "suggest", "says": ["duck it"],
            "input_schema": {"properties": {"a_ms": {"type": "number", "default": 2.0,
                             "description": "How | long."}}},
            "examples": [{"a_ms": 5, "under": "Anna's"}],
        }))
        .unwrap()
    }

    #[test]
    fn a_page_has_words_parameters_and_a_call() {
        let page = tool(&spec(), &[]);
        let expected = "\
# Duck

`tool_duck` · category level · trust [suggest](../decide.md#four-levels-of-trust)

Lowers music.

## In words

- \"duck it\"

## Parameters

| parameter | takes | default | meaning |
|---|---|---|---|
| `a_ms` | number, ms | `2` | How \\| long. |

## Example

```
deskhand plan DIR tool_duck --params '{\"a_ms\":5,\"under\":\"Anna'\\''s\"}'
```
";
        assert_eq!(page.strip_prefix(MARK).unwrap().trim_start(), expected);
        assert!(commands(&[&spec()]).contains("\n## Duck\n\n`tool_duck` · category level"));
    }
}
