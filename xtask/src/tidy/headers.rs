//! Every Rust file says what it is; every engine file says which thread runs it.

use super::tree::{Tree, TreeFile};
use super::violation::Violation;

const THREADS: [&str; 4] = ["audio", "message", "disk", "any"];

/// Files that do not open with `//!`, and engine files without a `//! Thread:` line.
pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    tree.rust().filter_map(violation).collect()
}

fn violation(file: &TreeFile) -> Option<Violation> {
    let first = file.text.lines().next().unwrap_or_default();
    if first.trim_start_matches("//!").trim().is_empty() || !first.starts_with("//!") {
        let message = "must open with `//!` and a sentence that says what the file is";
        return Some(Violation::new(&file.path, 1, message));
    }
    if file.path.starts_with("plugin/engine/") && !names_thread(&file.text) {
        let message =
            "an engine file's `//!` header needs a line `//! Thread: audio | message | disk | any`";
        return Some(Violation::new(&file.path, 1, message));
    }
    None
}

fn names_thread(text: &str) -> bool {
    text.lines()
        .take_while(|line| line.starts_with("//!"))
        .filter_map(|line| line.strip_prefix("//! Thread: "))
        .filter_map(|threads| threads.split(|c: char| !c.is_alphanumeric()).next())
        .any(|thread| THREADS.contains(&thread))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> usize {
        check(&Tree::planted(&[(path, text)])).len()
    }

    #[test]
    fn good_headers_pass() {
        assert_eq!(found("tools/a.rs", "//! What it is.\n"), 0);
        assert_eq!(found("plugin/engine/src/a.rs", "//! What.\n//!\n//! Thread: audio\n"), 0);
        assert_eq!(found("plugin/engine/src/a.rs", "//! What.\n//! Thread: any. More.\n"), 0);
    }

    #[test]
    fn each_planted_header_is_caught() {
        assert_eq!(found("tools/a.rs", "use std::fmt;\n"), 1);
        assert_eq!(found("tools/a.rs", ""), 1);
        assert_eq!(found("tools/a.rs", "//!\n"), 1);
        assert_eq!(found("tools/a.rs", "// A plain comment.\n"), 1);
        assert_eq!(found("plugin/engine/src/a.rs", "//! No thread.\n"), 1);
        assert_eq!(found("plugin/engine/src/a.rs", "//! Wrong.\n//! Thread: gui\n"), 1);
        assert_eq!(found("plugin/engine/src/a.rs", "//! Late.\n\n//! Thread: any\n"), 1);
    }
}
