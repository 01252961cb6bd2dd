//! THIRD-PARTY.txt: the crates of others that are built into the programs and the plugin, each with its license, and
//! every text of a license once.

use crate::{shell, workspace};
use anyhow::{Context, Result, bail};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// What an archive holds.
const SHIPPED: [&str; 3] = ["deskhand", "deskhand-standalone", "deskhand-plugin"];

/// Licenses under which code may be shipped in a program that is MIT or Apache-2.0.
const PERMITTED: [&str; 16] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-1-Clause",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "BlueOak-1.0.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    // Its source must be had: the list says where.
    "MPL-2.0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// How the file of a license is called, in small letters.
const TEXTS: [&str; 4] = ["license", "licence", "copying", "notice"];

/// The needed part of `cargo metadata` with the dependencies' graph.
#[derive(Deserialize)]
struct Graph {
    packages: Vec<Package>,
    resolve: Resolve,
}

/// A crate, of ours or of others.
#[derive(Deserialize)]
struct Package {
    id: String,
    name: String,
    version: String,
    license: Option<String>,
    repository: Option<String>,
    /// Its origin; `None` for ours.
    source: Option<String>,
    manifest_path: PathBuf,
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

/// What a crate builds upon.
#[derive(Deserialize)]
struct Node {
    id: String,
    deps: Vec<Needed>,
}

#[derive(Deserialize)]
struct Needed {
    pkg: String,
    dep_kinds: Vec<Kind>,
}

/// Without a kind it is built in; "dev" and "build" are not.
#[derive(Deserialize)]
struct Kind {
    kind: Option<String>,
}

/// The whole file, for programs of the system that this runs on.
pub(crate) fn list() -> Result<String> {
    let host = shell::capture(std::process::Command::new("rustc").args(["--print", "host-tuple"]))?;
    let host = String::from_utf8(host.stdout)?;
    let mut command = shell::cargo(["metadata", "--format-version", "1", "--filter-platform"]);
    let manifest = workspace::root().join("Cargo.toml");
    let told = shell::capture(command.arg(host.trim()).arg("--manifest-path").arg(manifest))?;
    let graph: Graph = serde_json::from_slice(&told.stdout)
        .context("`cargo metadata` failed; is Cargo.toml well formed?")?;
    written(&built_in(&graph, &SHIPPED))
}

/// Crates of others that are built into `shipped`, by name and version.
fn built_in<'a>(graph: &'a Graph, shipped: &[&str]) -> Vec<&'a Package> {
    let packages: BTreeMap<&str, &Package> =
        graph.packages.iter().map(|package| (package.id.as_str(), package)).collect();
    let nodes: BTreeMap<&str, &Node> =
        graph.resolve.nodes.iter().map(|node| (node.id.as_str(), node)).collect();
    let is_shipped = |package: &&Package| shipped.contains(&package.name.as_str());
    let ours = graph.packages.iter().filter(|package| package.source.is_none());
    let mut open: Vec<&str> = ours.filter(is_shipped).map(|it| it.id.as_str()).collect();
    let mut seen = BTreeSet::new();
    while let Some(id) = open.pop() {
        if seen.insert(id) {
            let needed = nodes.get(id).into_iter().flat_map(|node| &node.deps);
            let linked = needed.filter(|it| it.dep_kinds.iter().any(|kind| kind.kind.is_none()));
            open.extend(linked.map(|it| it.pkg.as_str()));
        }
    }
    let found = seen.iter().filter_map(|id| packages.get(id)).copied();
    let mut others: Vec<&Package> = found.filter(|package| package.source.is_some()).collect();
    others.sort_by_key(|package| (&package.name, &package.version));
    others
}

/// The file: a line for each crate, then the texts.
fn written(crates: &[&Package]) -> Result<String> {
    let mut lines = String::from(HEAD);
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in crates {
        let name = format!("{} {}", package.name, package.version);
        let license = package.license.as_deref().unwrap_or_default();
        if !is_permitted(license) {
            bail!("{name} is under \"{license}\", which xtask/src/third_party.rs does not permit");
        }
        let from = package.repository.as_deref().unwrap_or("https://crates.io");
        writeln!(lines, "{name}\n    {license}\n    {from}")?;
        for text in texts_in(package.manifest_path.parent().unwrap_or(Path::new(".")))? {
            texts.entry(text).or_default().push(name.clone());
        }
    }
    for (text, of) in texts {
        let rule = "-".repeat(72);
        write!(lines, "\n{rule}\n{}\n{rule}\n\n{}\n", of.join(", "), text.trim_end())?;
    }
    Ok(lines)
}

const HEAD: &str = "Code of others that is built into Deskhand: each crate with its license and where its source is,
then the texts of the licenses that came with them, each once.

";

/// Whether some license of an expression such as "(MIT OR Apache-2.0) AND Unicode-3.0" lets it be shipped.
fn is_permitted(expression: &str) -> bool {
    // Older crates write "MIT/Apache-2.0".
    let expression = expression.replace(['(', ')'], "").replace('/', " OR ");
    let is_known = |license: &str| PERMITTED.contains(&license.trim());
    expression.split(" AND ").all(|all| all.split(" OR ").any(is_known))
}

/// The texts of licenses that lie in the folder of a crate.
fn texts_in(folder: &Path) -> Result<Vec<String>> {
    let entries = fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))?;
    let mut files = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    files.sort();
    let is_text = |file: &PathBuf| {
        let name = file.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        file.is_file() && TEXTS.iter().any(|text| name.starts_with(text) || name == "unlicense")
    };
    let read = |file: PathBuf| {
        let bytes = fs::read(&file).with_context(|| format!("reading {}", file.display()))?;
        Ok(String::from_utf8_lossy(&bytes).replace("\r\n", "\n").trim().to_owned())
    };
    files.into_iter().filter(is_text).map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn graph(folder: &Path) -> Graph {
        let package = |name: &str, license: &str, source: Option<&str>| {
            let manifest = folder.join(name).join("Cargo.toml");
            fs::create_dir_all(folder.join(name)).unwrap();
            json!({"id": name, "name": name, "version": "1.0.0", "license": license, "source": source,
                "repository": format!("https://host/{name}"), "manifest_path": manifest})
        };
        let others = Some("registry");
        let node = |name: &str, deps: &[(&str, Option<&str>)]| {
            let dep = |(pkg, kind): &(&str, Option<&str>)| json!({"pkg": pkg, "dep_kinds": [{"kind": kind}]});
            json!({"id": name, "deps": deps.iter().map(dep).collect::<Vec<_>>()})
        };
        let graph = json!({
            "packages": [
                package("deskhand", "MIT", None), package("part", "MIT", None),
                package("zeta", "MIT/Apache-2.0", others), package("alpha", "MPL-2.0", others),
                package("only-tests", "GPL-3.0", others), package("elsewhere", "MIT", others),
            ],
            "resolve": {"nodes": [
                node("deskhand", &[("part", None), ("only-tests", Some("dev"))]),
                node("part", &[("zeta", None)]), node("zeta", &[("alpha", None)]),
            ]},
        });
        serde_json::from_value(graph).unwrap()
    }

    #[test]
    fn what_is_built_in_is_listed_with_each_text_once() {
        let folder = tempfile::tempdir().unwrap();
        let graph = graph(folder.path());
        for name in ["alpha", "zeta"] {
            fs::write(folder.path().join(name).join("LICENSE-MIT"), "Do as you like.\r\n").unwrap();
        }
        fs::write(folder.path().join("zeta/NOTICE"), "By Z.").unwrap();
        let list = written(&built_in(&graph, &["deskhand"])).unwrap();
        let (crates, texts) = list.split_once("\n---").unwrap();
        let rows = [
            "alpha 1.0.0\n    MPL-2.0\n    https://host/alpha",
            "zeta 1.0.0\n    MIT/Apache-2.0\n    https://host/zeta",
        ];
        assert!(crates.contains(&rows.join("\n")), "{crates}");
        assert!(!list.contains("only-tests") && !list.contains("elsewhere"), "{list}");
        assert_eq!(texts.matches("Do as you like.").count(), 1, "{texts}");
        assert!(texts.contains("alpha 1.0.0, zeta 1.0.0") && texts.contains("By Z."), "{texts}");
    }

    #[test]
    fn what_may_not_be_shipped_stops_it() {
        let folder = tempfile::tempdir().unwrap();
        let graph = graph(folder.path());
        let error = written(&built_in(&graph, &["deskhand", "part"])).map(drop);
        assert!(error.is_ok(), "{error:?}");
        let tests: Vec<_> = graph.packages.iter().filter(|it| it.name == "only-tests").collect();
        let error = written(&tests).unwrap_err().to_string();
        assert!(error.starts_with("only-tests 1.0.0 is under \"GPL-3.0\""), "{error}");
        for (expression, permitted) in [
            ("(MIT OR Apache-2.0) AND Unicode-3.0", true),
            ("Apache-2.0 OR GPL-2.0-only", true),
            ("MIT AND GPL-2.0-only", false),
            ("", false),
        ] {
            assert_eq!(is_permitted(expression), permitted, "{expression}");
        }
    }

    #[test]
    fn everything_that_is_shipped_today_may_be() {
        let list = list().unwrap();
        for name in ["egui ", "symphonia ", "rusqlite ", "nice-plug "] {
            assert!(list.lines().any(|line| line.starts_with(name)), "{name}");
        }
        assert!(!list.lines().any(|line| line.starts_with("deskhand")), "ours is not of others");
    }
}
