//! One tool is one file and one page of the book, and a scenario folder is whole. That each tool has a scenario is
//! tested where the tools are known: `tests/tests/scenarios`.

use super::tree::{Tree, TreeFile};
use super::violation::Violation;
use std::collections::BTreeSet;
use syn::visit::{self, Visit};
use syn::{Expr, ExprCall, ExprMethodCall, ItemImpl, ItemMod, Lit};

/// The crates of tools.
const TOOLS: [&str; 6] = [
    "tools/levels/src/",
    "tools/clean/src/",
    "tools/listen/src/",
    "tools/edit/src/",
    "tools/speech-edit/src/",
    "tools/codes/src/",
];
const SCENARIOS: &str = "tests/scenarios/";
/// The pages of tools, one a tool.
const PAGES: &str = "docs/tools/";
/// What makes a type a tool. A command, one per change, is generated and needs no page.
const TRAITS: [&str; 3] = ["Tool", "TypedTool", "Clean"];

/// Tools that share a file or lack a page, and scenario folders with a part missing.
pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    let is_of_tools = |file: &&TreeFile| TOOLS.iter().any(|folder| file.path.starts_with(folder));
    let files = tree.rust().filter(is_of_tools);
    let mut found: Vec<_> = files.flat_map(|file| tool_violations(tree, file)).collect();
    found.extend(scenario_violations(tree));
    found
}

fn tool_violations(tree: &Tree, file: &TreeFile) -> Vec<Violation> {
    let Ok(parsed) = syn::parse_file(&file.text) else {
        return Vec::new(); // the detector of lengths tells it
    };
    let mut reader = Reader::default();
    reader.visit_file(&parsed);
    let mut found = Vec::new();
    if reader.tools > 1 {
        let message = format!("{} tools in one file; each has its own", reader.tools);
        found.push(Violation::new(&file.path, 0, message));
    }
    if reader.tools > 0 && reader.names.is_empty() && !reader.hands_on {
        let message =
            "a tool whose spec is not made by `tool(\"name\", …)` or `command(…)` in its file";
        found.push(Violation::new(&file.path, 0, message));
    }
    if reader.tools > 0 {
        let missing = reader.names.iter().filter_map(|name| missing_page(tree, name));
        found.extend(missing.map(|message| Violation::new(&file.path, 0, message)));
    }
    found
}

/// What to do if the tool `name` has no page.
fn missing_page(tree: &Tree, name: &str) -> Option<String> {
    let page = format!("{PAGES}{name}.md");
    tree.get(&page).is_none().then(|| {
        format!("no page {page}: link it in {PAGES}README.md and run `cargo xtask book --write`")
    })
}

/// Scenario folders named wrongly or without one of their three parts.
fn scenario_violations(tree: &Tree) -> Vec<Violation> {
    let inside = tree.files.iter().filter_map(|file| file.path.strip_prefix(SCENARIOS));
    let parts: BTreeSet<(&str, &str)> = inside
        .filter_map(|path| path.split_once('/'))
        .map(|(folder, rest)| (folder, rest.split(['.', '/']).next().unwrap_or(rest)))
        .collect();
    let folders: BTreeSet<&str> = parts.iter().map(|(folder, _)| *folder).collect();
    let mut found = Vec::new();
    for folder in folders {
        let at = format!("{SCENARIOS}{folder}");
        if !well_named(folder) {
            found.push(Violation::new(&at, 0, "a scenario is named NNN_name"));
        }
        for part in ["session", "call", "expected"] {
            if !parts.contains(&(folder, part)) {
                found.push(Violation::new(&at, 0, format!("the scenario has no `{part}`")));
            }
        }
    }
    found
}

fn well_named(folder: &str) -> bool {
    let name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    folder.split_once('_').is_some_and(|(number, rest)| {
        number.len() == 3
            && number.chars().all(|c| c.is_ascii_digit())
            && !rest.is_empty()
            && rest.chars().all(name)
    })
}

/// Counts implementations of `Tool` and the tool names written outside tests.
#[derive(Default)]
struct Reader {
    tools: usize,
    names: BTreeSet<String>,
    /// Whether a spec is that of another tool that this one wraps.
    hands_on: bool,
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        let of = item.trait_.as_ref().and_then(|(path, _)| path.segments.last());
        self.tools +=
            usize::from(of.is_some_and(|name| TRAITS.iter().any(|known| name.ident == known)));
        visit::visit_item_impl(self, item);
    }

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        if item.ident != "tests" {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        self.hands_on |= call.method == "spec";
        visit::visit_expr_method_call(self, call);
    }

    /// A spec is made by `tool("name", …)`, or `command("name", …)` if that is a tool. Or it belongs to a
    /// type inside: `T::spec()`.
    fn visit_expr_call(&mut self, call: &'ast ExprCall) {
        if let Expr::Path(function) = &*call.func {
            self.hands_on |= function.path.segments.last().is_some_and(|name| name.ident == "spec");
        }
        if let (Expr::Path(function), Some(Expr::Lit(first))) = (&*call.func, call.args.first())
            && function
                .path
                .segments
                .last()
                .is_some_and(|name| name.ident == "tool" || name.ident == "command")
            && let Lit::Str(name) = &first.lit
        {
            self.names.insert(name.value());
        }
        visit::visit_expr_call(self, call);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOOL: &str = "//! A.\nimpl TypedTool for Normalize { fn spec() -> Spec { tool(\"tool_normalize\", 1) } }\n";
    const CALL: (&str, &str) = ("tests/scenarios/001_a/call.json", "{\"tool\":\"tool_normalize\"}");
    const SESSION: (&str, &str) = ("tests/scenarios/001_a/session.json", "{}");
    const EXPECTED: (&str, &str) = ("tests/scenarios/001_a/expected/plan.json", "{}");
    const PAGE: (&str, &str) = ("docs/tools/tool_normalize.md", "# Normalize\n");

    fn found(files: &[(&str, &str)]) -> Vec<String> {
        check(&Tree::planted(files)).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_complete_tool_passes() {
        let tool = ("tools/levels/src/normalize.rs", TOOL);
        assert_eq!(found(&[tool, CALL, SESSION, EXPECTED, PAGE]), Vec::<String>::new());
    }

    #[test]
    fn a_tool_without_page_is_caught() {
        let tool = ("tools/levels/src/normalize.rs", TOOL);
        let other = ("docs/tools/README.md", "`tool_normalize`\n");
        let without_page = found(&[tool, CALL, SESSION, EXPECTED, other]);
        assert!(without_page[0].contains("no page docs/tools/tool_normalize.md"));
    }

    #[test]
    fn two_tools_in_a_file_are_caught() {
        let both = format!("{TOOL}impl toolkit::TypedTool for B {{}}\n");
        let rest = [CALL, SESSION, EXPECTED, PAGE];
        let planted = |text| found(&[&[("tools/levels/src/a.rs", text)], &rest[..]].concat());
        assert_eq!(planted(&both).len(), 1);
        let in_tests = format!("{TOOL}mod tests {{ impl Tool for B {{}} }}\n");
        assert_eq!(planted(&in_tests), Vec::<String>::new());
        assert_eq!(planted("//! A.\nimpl TypedTool for Nameless {}\n").len(), 1);
        let command = TOOL.replace("tool(", "command(");
        assert_eq!(planted(&command), Vec::<String>::new());
        let around = "//! A.\nimpl Tool for Around { fn spec(&self) -> &Spec { self.0.spec() } }\n";
        assert_eq!(planted(around), Vec::<String>::new());
    }

    #[test]
    fn an_incomplete_or_misnamed_scenario_is_caught() {
        assert_eq!(found(&[CALL, SESSION]).len(), 1);
        let misnamed = ["1_a", "001", "001_A", "0001_a", "001_"];
        for name in misnamed {
            let at = |part: &str| format!("tests/scenarios/{name}/{part}");
            let (call, session, expected) = (at("call"), at("session"), at("expected"));
            let files = [(call.as_str(), ""), (session.as_str(), ""), (expected.as_str(), "")];
            assert_eq!(found(&files).len(), 1, "{name}");
        }
    }
}
