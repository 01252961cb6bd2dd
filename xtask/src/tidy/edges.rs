//! Which crate may know which: the list in DESIGN order. A new edge is an event, and is added here
//! in a commit of its own that says why.

use super::violation::Violation;
use crate::workspace::Metadata;
use std::path::Path;

/// A dependency of one member: on another member, or on a crate from the registry.
pub(super) struct Edge {
    from: String,
    to: Dependency,
}

enum Dependency {
    Member(String),
    Outside(String),
}

/// Applications may know everything; they alone use anyhow.
const APPLICATIONS: [&str; 5] = ["shell", "standalone", "cli", "xtask", "tests"];

/// Every other member, and the members that it may know.
const ALLOWED: &[(&str, &[&str])] = &[
    ("editor", &["protocol", "session", "dsp"]),
    ("pictures", &["editor", "protocol", "media", "session", "dsp"]),
    ("mcp", &["agent", "protocol", "session", "dsp"]),
    ("agent", &["protocol", "session", "dsp"]),
    (
        "bridge",
        &[
            "toolkit",
            "levels",
            "clean",
            "listen",
            "edit",
            "speech-edit",
            "codes",
            "stems",
            "speech",
            "external",
            "hosts",
            "media",
            "store",
            "protocol",
            "session",
            "dsp",
        ],
    ),
    // A file of a project becomes a source as an imported one does.
    ("hosts", &["edit", "toolkit", "protocol", "session", "media", "dsp"]),
    ("bounce", &["compile", "engine", "media", "toolkit", "session", "dsp"]),
    ("compile", &["session", "engine", "dsp"]),
    ("levels", &["toolkit", "media", "session", "dsp"]),
    ("clean", &["toolkit", "media", "session", "dsp"]),
    ("listen", &["toolkit", "media", "session", "dsp"]),
    ("edit", &["toolkit", "media", "session", "dsp"]),
    // Words are cut by the cuts of `edit`: the same sets of tracks, joins and markers.
    ("speech-edit", &["edit", "toolkit", "media", "session", "dsp"]),
    // Words of a similar meaning are found by a model.
    ("codes", &["toolkit", "session", "dsp", "inference"]),
    ("stems", &["toolkit", "media", "session", "dsp", "inference"]),
    ("speech", &["toolkit", "media", "session", "dsp", "inference"]),
    ("external", &["toolkit", "media", "session", "dsp"]),
    ("toolkit", &["session", "media", "dsp"]),
    ("store", &["session", "dsp"]),
    ("protocol", &["session", "dsp"]),
    ("engine", &["dsp"]),
    ("media", &["dsp"]),
    ("session", &["dsp"]),
    ("dsp", &[]),
    ("inference", &[]),
];

/// Crates that one member alone may name, so that replacing them stays one crate's work.
const OWNED: &[(&str, &str)] = &[
    ("nice-plug", "shell"),
    ("rusqlite", "store"),
    ("rmcp", "mcp"),
    ("symphonia", "media"),
    ("rubato", "media"),
    ("rten", "inference"),
    ("rten-gemm", "inference"),
    ("rten-simd", "inference"),
    ("rten-vecmath", "inference"),
];

/// The edges of the workspace, of every kind: normal, build and dev.
pub(super) fn of_workspace(metadata: &Metadata) -> Vec<Edge> {
    let mut edges = Vec::new();
    for package in &metadata.packages {
        let from = package.manifest_path.parent().and_then(name_of);
        for dependency in &package.dependencies {
            let member = dependency.path.as_deref().and_then(name_of);
            edges.push(Edge {
                from: from.clone().unwrap_or_default(),
                to: member.map_or_else(
                    || Dependency::Outside(dependency.name.clone()),
                    Dependency::Member,
                ),
            });
        }
    }
    edges
}

fn name_of(folder: &Path) -> Option<String> {
    Some(folder.file_name()?.to_string_lossy().into_owned())
}

/// Every edge that is not in the lists.
pub(super) fn check(edges: &[Edge]) -> Vec<Violation> {
    edges.iter().filter_map(violation).collect()
}

fn violation(edge: &Edge) -> Option<Violation> {
    let from = edge.from.as_str();
    let message = match &edge.to {
        Dependency::Member(to) => member_message(from, to),
        Dependency::Outside(to) => outside_message(from, to),
    }?;
    Some(Violation::new(&format!("crate {from}"), 0, message))
}

fn member_message(from: &str, to: &str) -> Option<String> {
    if APPLICATIONS.contains(&from) {
        return None;
    }
    let Some((_, allowed)) = ALLOWED.iter().find(|(name, _)| *name == from) else {
        return Some(
            "a new crate: give it a line in xtask/src/tidy/edges.rs, with the reason".to_owned(),
        );
    };
    if allowed.contains(&to) {
        return None;
    }
    Some(format!(
        "a new edge to `{to}`; it may know only: {}. Move the code, or add the edge to \
         xtask/src/tidy/edges.rs in a commit that gives the reason",
        allowed.join(", ")
    ))
}

fn outside_message(from: &str, to: &str) -> Option<String> {
    if to == "anyhow" && !APPLICATIONS.contains(&from) {
        return Some("names anyhow; a library has one thiserror enum per operation".to_owned());
    }
    let (_, owner) =
        OWNED.iter().find(|(name, _)| to == *name || to.starts_with(&format!("{name}-")))?;
    (from != *owner).then(|| format!("names `{to}`, which only the crate `{owner}` may"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(from: &str, to: &str) -> Edge {
        Edge { from: from.to_owned(), to: Dependency::Member(to.to_owned()) }
    }

    fn outside(from: &str, to: &str) -> Edge {
        Edge { from: from.to_owned(), to: Dependency::Outside(to.to_owned()) }
    }

    #[test]
    fn listed_edges_and_applications_pass() {
        let edges = [
            member("bridge", "store"),
            member("cli", "engine"),
            outside("cli", "anyhow"),
            outside("store", "rusqlite"),
            outside("shell", "nice-plug-egui"),
        ];
        assert_eq!(check(&edges), []);
    }

    #[test]
    fn each_planted_edge_is_caught() {
        let planted = [
            member("engine", "session"),
            member("levels", "engine"),
            member("agent", "bridge"),
            member("helpers", "dsp"),
            outside("session", "anyhow"),
            outside("bridge", "rusqlite"),
            outside("editor", "nice-plug-egui"),
        ];
        for edge in planted {
            assert_eq!(check(std::slice::from_ref(&edge)).len(), 1, "from {}", edge.from);
        }
    }

    #[test]
    fn an_edge_says_what_would_be_allowed() {
        let found = check(&[member("store", "media")]);
        assert!(found[0].message.contains("may know only: session, dsp"), "{}", found[0]);
    }
}
