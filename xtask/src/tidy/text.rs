//! Nothing in the tree depends on one machine: no absolute paths of a developer, no private registry.

use super::tree::{Tree, TreeFile};
use super::violation::Violation;

/// Folders that exist on somebody's machine. Split so that this file does not find itself.
const MACHINE: [&str; 4] =
    [concat!("/wo", "rk/"), concat!("/ro", "ot/"), concat!("/ho", "me/"), concat!("/Us", "ers/")];

/// Settings that send a package manager somewhere other than its public registry.
const REGISTRY: [&str; 7] = [
    concat!("index", "-url"),
    concat!("replace", "-with"),
    concat!("[regis", "tries"),
    concat!("[source", "."),
    concat!("registry ", "="),
    concat!("registry", "=http"),
    concat!("trusted", "-host"),
];

const LOCK_SOURCE: &str = "source = \"registry+https://github.com/rust-lang/crates.io-index\"";

/// Lines that name a machine or a registry.
pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    tree.files.iter().flat_map(violations).collect()
}

fn violations(file: &TreeFile) -> impl Iterator<Item = Violation> {
    let numbered = file.text.lines().enumerate();
    numbered.filter_map(|(index, line)| {
        let message = message(&file.path, line)?;
        Some(Violation::new(&file.path, index + 1, message))
    })
}

fn message(path: &str, line: &str) -> Option<String> {
    if path.ends_with("Cargo.lock") {
        let foreign = line.starts_with("source = ") && line != LOCK_SOURCE;
        return foreign.then(|| "a package from outside crates.io".to_owned());
    }
    if let Some(folder) = MACHINE.iter().find(|folder| names(line, folder)) {
        return Some(format!("names `{folder}…`, a folder of one machine; use a relative path"));
    }
    if path.ends_with(".rs") || path.ends_with(".md") {
        return None; // words there configure nothing
    }
    let setting = REGISTRY.iter().find(|setting| line.contains(**setting))?;
    Some(format!("sets `{setting}`: packages come from the public registries, set nothing"))
}

/// Whether `line` holds `folder` as the start of an absolute path followed by a name.
fn names(line: &str, folder: &str) -> bool {
    line.match_indices(folder).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + folder.len()..].chars().next();
        let absolute = !before.is_some_and(|c| c.is_alphanumeric() || "._-/}*)".contains(c));
        absolute && after.is_some_and(|c| c.is_alphanumeric() || c == '.')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> usize {
        check(&Tree::planted(&[(path, text)])).len()
    }

    #[test]
    fn ordinary_text_passes() {
        assert_eq!(found("README.md", "see target/work/x, ./home/x and https://a.org/home/\n"), 0);
        assert_eq!(found("a.rs", "let at = \"/tmp/x\"; // takes work/rest\n"), 0);
        assert_eq!(found("Cargo.lock", &format!("{LOCK_SOURCE}\n")), 0);
    }

    #[test]
    fn each_planted_path_is_caught() {
        for folder in MACHINE {
            assert_eq!(found("a.rs", &format!("open(\"{folder}anna/x.wav\")\n")), 1, "{folder}");
        }
    }

    #[test]
    fn each_planted_registry_is_caught() {
        for setting in REGISTRY {
            assert_eq!(found(".cargo/config.toml", &format!("{setting} x\n")), 1, "{setting}");
        }
        assert_eq!(found("Cargo.lock", "source = \"git+https://example.org/a\"\n"), 1);
    }
}
