//! Names of tools outside of the files of tools. Doors derive what they need from the declarations of tools.

use super::tree::{Tree, TreeFile};
use super::violation::Violation;
use std::collections::HashSet;

/// How the names begin, as literals.
const STARTS: [&str; 2] = ["\"tool_", "\"cmd_"];
/// Parts of paths of tests, and of what only tests use; a benchmark makes fixed calls, as a scenario does.
pub(super) const TESTS: [&str; 6] =
    ["/tests/", "tests.rs", "testing", "/examples/", "/fixture", "/bench/workloads/"];
/// Files that name tools because they declare them, and that say how names begin.
const DECLARATIONS: [&str; 5] = [
    "tools/",
    "host-bridge/bridge/src/builtin_calls/",
    "host-bridge/bridge/src/codings.rs",
    "host-bridge/session/src/tool_name.rs",
    "xtask/src/tidy/tool_names.rs",
];
/// Each literal that names a tool in another place.
pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    let declares = |file: &&TreeFile| DECLARATIONS.iter().any(|it| file.path.starts_with(it));
    let declared: HashSet<&str> = tree.rust().filter(declares).flat_map(literals_in).collect();
    // A provider has words that begin alike. The beginning of a name means many names.
    let is_name = |it: &str| declared.contains(it) || !it.ends_with(char::is_alphanumeric);
    let is_test =
        |file: &TreeFile| TESTS.iter().any(|part| format!("/{}", file.path).contains(part));
    let doors = tree.rust().filter(|file| !declares(file) && !is_test(file));
    let named = doors.flat_map(|file| literals_in(file).map(move |name| (file, name)));
    let message = |name| format!("names the tool `{name}`: declare what is needed in its spec");
    let found = named.filter(|(_, name)| is_name(name));
    found.map(|(file, name)| Violation::new(&file.path, 0, message(name))).collect()
}

/// The literals of a file, outside of its tests, that begin as names of tools do.
fn literals_in(file: &TreeFile) -> impl Iterator<Item = &str> {
    let program = file.text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let all = STARTS.iter().flat_map(move |start| program.match_indices(start));
    all.filter_map(move |(at, _)| program[at + 1..].split('"').next())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_outside_of_its_declaration_is_caught() {
        let door = "fn a() { call(\"tool_duck\"); call(\"cmd_stop\"); wire(\"tool_use\") }\n";
        let tests = "#[cfg(test)]\nmod tests { const A: &str = \"tool_duck\"; }\n";
        let text = format!("{door}{tests}");
        let files =
            [("host-bridge/cli/src/a.rs", text.as_str()), ("host-bridge/cli/tests/b.rs", door)];
        let declared = "tool(\"tool_duck\"); tool(\"cmd_stop\");";
        let files = [&files[..], &[("tools/levels/src/duck.rs", declared)]].concat();
        let tree = Tree::planted(&files);
        let found = check(&tree);
        assert_eq!(found.len(), 2, "{found:?}");
    }
}
