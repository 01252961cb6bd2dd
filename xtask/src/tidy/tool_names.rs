//! Names of tools outside of the files of tools. Doors derive what they need from the declarations of tools, so these
//! numbers only fall.

use super::tree::{Tree, TreeFile};
use super::violation::Violation;
use std::collections::HashSet;

/// Folders with the names of tools that their crates may still hold.
const MOST: &[(&str, usize)] = &[
    ("host-bridge/agent/", 0),
    ("host-bridge/bridge/", 0),
    ("host-bridge/cli/", 0),
    ("host-bridge/mcp/", 0),
    ("host-bridge/protocol/", 0),
    ("host-bridge/session/", 0),
    ("plugin/editor/", 0),
    ("plugin/shell/", 0),
    ("plugin/standalone/", 0),
    ("xtask/", 0),
];
/// How the names begin, as literals.
const STARTS: [&str; 2] = ["\"tool_", "\"cmd_"];
/// Parts of paths of tests, and of what only tests use; a benchmark makes fixed calls, as a scenario does.
pub(super) const TESTS: [&str; 6] =
    ["/tests/", "tests.rs", "testing", "/examples/", "/fixture", "/bench/workloads/"];
/// Files that name tools because they declare them, and that say how names begin.
const DECLARATIONS: [&str; 4] = [
    "tools/",
    "host-bridge/bridge/src/builtin_calls/",
    "host-bridge/bridge/src/codings.rs",
    "host-bridge/session/src/tool_name.rs",
];
const THIS_FILE: &str = "xtask/src/tidy/tool_names.rs";

/// Crates with more names than they may hold, or fewer.
pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    check_against(tree, MOST)
}

fn check_against(tree: &Tree, most: &[(&str, usize)]) -> Vec<Violation> {
    let declares = |file: &&TreeFile| DECLARATIONS.iter().any(|it| file.path.starts_with(it));
    let declared: HashSet<&str> = tree.rust().filter(declares).flat_map(literals_in).collect();
    most.iter().filter_map(|(folder, most)| of_crate(tree, folder, &declared, *most)).collect()
}

fn of_crate(tree: &Tree, folder: &str, declared: &HashSet<&str>, most: usize) -> Option<Violation> {
    let is_of_program = |file: &&TreeFile| {
        let is_test = TESTS.iter().any(|part| file.path.contains(part));
        let declares = DECLARATIONS.iter().any(|start| file.path.starts_with(start));
        file.path.starts_with(folder) && file.path != THIS_FILE && !is_test && !declares
    };
    // "tool_use" is a word of a provider. The beginning of a name stands for many.
    let is_name = |it: &&str| declared.contains(it) || !it.ends_with(char::is_alphanumeric);
    let count = tree.rust().filter(is_of_program).flat_map(literals_in).filter(is_name).count();
    let message = match count {
        more if more > most => format!(
            "{more} literals name tools, at most {most} are allowed; declare what you need in the spec of the tool"
        ),
        fewer if fewer < most => {
            format!("{fewer} literals name tools: lower its number in {THIS_FILE} from {most}")
        }
        _ => return None,
    };
    Some(Violation::new(folder, 0, message))
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
    fn a_name_more_or_less_than_there_may_be_is_caught() {
        let door = "fn a() { call(\"tool_duck\"); call(\"cmd_stop\"); wire(\"tool_use\") }\n";
        let tests = "#[cfg(test)]\nmod tests { const A: &str = \"tool_duck\"; }\n";
        let text = format!("{door}{tests}");
        let files =
            [("host-bridge/cli/src/a.rs", text.as_str()), ("host-bridge/cli/tests/b.rs", door)];
        let declared = "tool(\"tool_duck\"); tool(\"cmd_stop\");";
        let files = [&files[..], &[("tools/levels/src/duck.rs", declared)]].concat();
        let tree = Tree::planted(&files);
        let found = |most| check_against(&tree, &[("host-bridge/cli/", most)]).len();
        assert_eq!([found(1), found(2), found(3)], [1, 0, 1]);
    }
}
