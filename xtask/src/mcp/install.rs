//! The suites and clients of others, pinned, in `target/mcp-suites`: npm and pip put them there.

use crate::venv::{self, must_succeed};
use crate::{shell, workspace};
use anyhow::Result;
use std::path::{Path, PathBuf};
use std::process::Command;

const NPM: [&str; 2] =
    ["@modelcontextprotocol/conformance@0.2.0-alpha.12", "@modelcontextprotocol/inspector@2.12.0"];
/// From PyPI.
const PIP: [&str; 2] = ["mcp==2.3.0", "fastmcp==4.1.0"];
/// The Node that comes along from npm where the installed one is missing or too old.
const NODE: &str = "22.23.3";
/// The oldest Node that the suites run on.
const NODE_NEEDED: (u32, u32) = (22, 19);

pub(super) struct Suites {
    folder: PathBuf,
    node: PathBuf,
}

impl Suites {
    /// Installs missing packages. Fails when npm, Python or the registries are out of reach.
    pub(super) fn installed() -> Result<Self> {
        let folder = workspace::target()?.join("mcp-suites");
        let own = own_node();
        let suites = Self {
            node: own.clone().unwrap_or_else(|| node_package(&folder).join("bin/node")),
            folder,
        };
        let packages = packages(own.is_some());
        let stamp = suites.folder.join("installed");
        if std::fs::read_to_string(&stamp).ok().as_deref() != Some(packages.join("\n").as_str()) {
            suites.install(&packages)?;
            std::fs::write(&stamp, packages.join("\n"))?;
        }
        Ok(suites)
    }

    fn install(&self, packages: &[String]) -> Result<()> {
        println!("mcp: installing {}", packages.join(" "));
        if self.folder.exists() {
            std::fs::remove_dir_all(&self.folder)?; // other versions, or half an installation
        }
        std::fs::create_dir_all(&self.folder)?;
        let (python, node) = packages.split_at(PIP.len());
        self.install_from_npm(node)?;
        self.install_from_pypi(python)
    }

    fn install_from_npm(&self, packages: &[String]) -> Result<()> {
        // A manifest of its own, so that npm does not look for one further up.
        std::fs::write(self.folder.join("package.json"), "{\"private\": true}\n")?;
        let mut npm = Command::new("npm");
        npm.current_dir(&self.folder)
            .args(["install", "--no-audit", "--no-fund", "--ignore-scripts", "--save-exact"])
            .arg("--fetch-retries=1") // a minute of waiting finds no network either
            .args(packages);
        must_succeed(&mut npm)
    }

    fn install_from_pypi(&self, packages: &[String]) -> Result<()> {
        let packages: Vec<&str> = packages.iter().map(String::as_str).collect();
        venv::install(&self.folder.join("venv"), &packages)
    }

    /// The conformance suite, which adds the token to its requests: it has no option for that.
    pub(super) fn conformance(&self, token_file: &Path) -> Command {
        let preload = workspace::root().join("tests/mcp/bearer.mjs");
        let mut command = Command::new(&self.node);
        command
            .arg("--import")
            .arg(preload)
            .arg(self.package("@modelcontextprotocol/conformance/dist/index.js"))
            .env("DESKHAND_MCP_TOKEN_FILE", token_file);
        command
    }

    /// The inspector's command line.
    pub(super) fn inspector(&self) -> Command {
        let mut command = Command::new(&self.node);
        command
            .arg(self.package("@modelcontextprotocol/inspector/clients/launcher/build/index.js"))
            .arg("--cli");
        command
    }

    /// Python that knows both client libraries; it writes no files next to the scripts.
    pub(super) fn python(&self, script: &str) -> Command {
        let mut command = Command::new(self.folder.join("venv/bin/python"));
        command.arg("-B").arg(workspace::root().join("tests/mcp").join(script));
        command
    }

    fn package(&self, path: &str) -> PathBuf {
        self.folder.join("node_modules").join(path)
    }
}

/// Everything to install, Python's first.
fn packages(has_node: bool) -> Vec<String> {
    let mut packages: Vec<String> = PIP.iter().chain(&NPM).map(|&name| name.to_owned()).collect();
    if !has_node {
        packages.push(format!("{}@{NODE}", node_name()));
    }
    packages
}

/// The npm package that holds Node itself for this machine.
fn node_name() -> String {
    let system = match std::env::consts::OS {
        "macos" => "darwin",
        other => other,
    };
    let machine = match std::env::consts::ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        other => other,
    };
    format!("node-{system}-{machine}")
}

fn node_package(folder: &Path) -> PathBuf {
    folder.join("node_modules").join(node_name())
}

/// The Node of this machine, when it is new enough.
fn own_node() -> Option<PathBuf> {
    let answer = shell::capture(Command::new("node").arg("--version")).ok()?;
    let version = node_version(&String::from_utf8_lossy(&answer.stdout))?;
    (version >= NODE_NEEDED).then(|| PathBuf::from("node"))
}

/// Major and minor of what `node --version` prints.
fn node_version(line: &str) -> Option<(u32, u32)> {
    let mut numbers = line.trim().strip_prefix('v')?.split('.').map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_of_node_is_read() {
        assert_eq!(node_version("v22.23.3\n"), Some((22, 23)));
        assert_eq!(node_version("v9.0.0"), Some((9, 0)));
        assert_eq!(node_version("command not found"), None);
        assert!(node_version("v22.18.9") < Some(NODE_NEEDED));
    }

    #[test]
    fn node_comes_along_where_it_is_missing() {
        assert_eq!(packages(true).len(), 4);
        assert!(packages(false).last().unwrap().starts_with("node-"));
    }
}
