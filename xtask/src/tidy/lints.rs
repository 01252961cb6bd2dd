//! Checks that every crate takes the workspace lints, forbids `unsafe` unless it is on the list, and
//! repeats the shared lines of clippy.toml (Clippy reads the nearest one, it merges nothing).

use super::tree::{Tree, TreeFile};
use super::violation::Violation;

/// Crates whose work needs `unsafe`: SIMD, the engine, the plugin's entry points, detectors in tests.
const MAY_BE_UNSAFE: [&str; 4] = ["plugin/dsp", "plugin/engine", "plugin/shell", "tests"];

/// Missing fences.
pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    let mut found = Vec::new();
    for file in &tree.files {
        let (folder, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
        match name {
            "Cargo.toml" if !folder.is_empty() => found.extend(workspace_lints(file)),
            "clippy.toml" if !folder.is_empty() => found.extend(shared_lines(tree, file)),
            "lib.rs" | "main.rs" => found.extend(forbids_unsafe(tree, file, folder)),
            _ => {}
        }
    }
    found
}

fn workspace_lints(file: &TreeFile) -> Option<Violation> {
    let (_, after) = file.text.split_once("[lints]\n").unwrap_or_default();
    let inherits = after.lines().next() == Some("workspace = true");
    let message = "must inherit the lints: `[lints]` then `workspace = true`";
    (!inherits).then(|| Violation::new(&file.path, 0, message))
}

/// Lines of the root clippy.toml that `file` lacks.
fn shared_lines(tree: &Tree, file: &TreeFile) -> Vec<Violation> {
    let shared = tree.get("clippy.toml").map_or("", |root| &root.text);
    let lacks = |line: &&str| !line.trim().is_empty() && !file.text.lines().any(|own| own == *line);
    let violation = |line: &str| {
        let message =
            format!("lacks `{line}` of the root clippy.toml; Clippy does not merge the two");
        Violation::new(&file.path, 0, message)
    };
    shared.lines().filter(lacks).map(violation).collect()
}

/// Crate roots only: `<crate>/src/lib.rs` or main.rs next to a Cargo.toml.
fn forbids_unsafe(tree: &Tree, file: &TreeFile, folder: &str) -> Option<Violation> {
    let krate = folder.strip_suffix("/src")?;
    tree.get(&format!("{krate}/Cargo.toml"))?;
    let fenced = file.text.contains("#![forbid(unsafe_code)]");
    let message =
        "needs `#![forbid(unsafe_code)]`; unsafe lives only in dsp, engine, shell and tests";
    (!fenced && !MAY_BE_UNSAFE.contains(&krate)).then(|| Violation::new(&file.path, 0, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANIFEST: &str = "[package]\nname = \"a\"\n\n[lints]\nworkspace = true\n";
    const LIB: &str = "//! A.\n#![forbid(unsafe_code)]\n";

    fn found(files: &[(&str, &str)]) -> usize {
        check(&Tree::planted(files)).len()
    }

    #[test]
    fn a_fenced_crate_passes() {
        assert_eq!(found(&[("tools/a/Cargo.toml", MANIFEST), ("tools/a/src/lib.rs", LIB)]), 0);
        assert_eq!(found(&[("plugin/dsp/Cargo.toml", MANIFEST), ("plugin/dsp/src/lib.rs", "")]), 0);
        assert_eq!(found(&[("tools/a/src/deep/lib.rs", "")]), 0);
    }

    #[test]
    fn a_crate_without_its_fences_is_caught() {
        assert_eq!(found(&[("tools/a/Cargo.toml", "[package]\n")]), 1);
        assert_eq!(found(&[("tools/a/Cargo.toml", "[lints]\n[lints.rust]\n")]), 1);
        assert_eq!(
            found(&[("tools/a/Cargo.toml", MANIFEST), ("tools/a/src/lib.rs", "//! A.\n")]),
            1
        );
        assert_eq!(
            found(&[("tools/a/Cargo.toml", MANIFEST), ("tools/a/src/main.rs", "//! A.\n")]),
            1
        );
    }

    #[test]
    fn a_clippy_file_repeats_the_shared_lines() {
        let root = ("clippy.toml", "allow-unwrap-in-tests = true\nb = 1\n");
        let engine = "plugin/engine/clippy.toml";
        assert_eq!(found(&[root, (engine, "b = 1\nc = 2\nallow-unwrap-in-tests = true\n")]), 0);
        assert_eq!(found(&[root, (engine, "b = 1\n")]), 1);
    }
}
