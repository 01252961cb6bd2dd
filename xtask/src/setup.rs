//! The optional system packages: peers that tests and benches compare with. Nothing else needs them.

use crate::shell;
use anyhow::Result;
use std::os::unix::fs::MetadataExt;
use std::process::Command;

/// A program from the system's package manager, and what goes without it.
struct Peer {
    program: &'static str,
    package: &'static str,
    without: &'static str,
}

const PEERS: [Peer; 6] = [
    Peer {
        program: "ffmpeg",
        package: "ffmpeg",
        without: "decoding tests of MP3, AAC, ALAC, Ogg and MP4; most benches",
    },
    Peer { program: "flac", package: "flac", without: "the FLAC bench" },
    Peer { program: "lame", package: "lame", without: "the MP3 benches" },
    Peer { program: "sox", package: "sox", without: "the mix bench against sox" },
    Peer {
        program: "python3",
        package: "python3-venv",
        without: "the normalize bench against ffmpeg-normalize, the MCP clients",
    },
    Peer { program: "npm", package: "npm", without: "the MCP conformance suite and inspector" },
];

/// Installs what is missing and reports.
pub(crate) fn run() -> Result<()> {
    let skipped = install_missing();
    if skipped.is_empty() {
        println!("setup: everything is here.");
    }
    for line in skipped {
        println!("setup: {line}");
    }
    Ok(())
}

/// Installs what is missing where that is possible. Returns a line for each thing that will be skipped.
pub(crate) fn install_missing() -> Vec<String> {
    let missing = missing();
    if missing.is_empty() {
        return Vec::new();
    }
    let packages: Vec<&str> = missing.iter().map(|peer| peer.package).collect();
    let mut skipped = Vec::new();
    if let Some(reason) = install(&packages) {
        skipped.push(reason);
    }
    skipped.extend(
        self::missing()
            .iter()
            .map(|peer| format!("without {}, skipped: {}", peer.program, peer.without)),
    );
    skipped
}

fn missing() -> Vec<&'static Peer> {
    let absent = |peer: &&Peer| !shell::on_path(peer.program);
    PEERS.iter().filter(absent).collect()
}

/// Installs with apt as root; otherwise, or when that fails, returns what a person can do.
fn install(packages: &[&str]) -> Option<String> {
    let by_hand = format!("to install: {}", shell::line(&apt_install(packages)));
    if !shell::on_path("apt-get") {
        return Some(format!(
            "no apt-get here; install with your package manager: {}",
            packages.join(" ")
        ));
    }
    if !is_root() {
        return Some(format!("not root; {by_hand}"));
    }
    println!("setup: installing {}", packages.join(" "));
    let installed = shell::run(&mut apt_install(packages)).or_else(|_| {
        shell::run(&mut apt(&["update"]))?;
        shell::run(&mut apt_install(packages))
    });
    installed.err().map(|error| format!("apt failed ({error})"))
}

fn apt_install(packages: &[&str]) -> Command {
    let mut command = apt(&["install", "-y", "--no-install-recommends"]);
    command.args(packages);
    command
}

/// apt-get that waits for another apt at most 15 minutes and asks nothing.
fn apt(args: &[&str]) -> Command {
    let mut command = Command::new("apt-get");
    command
        .env("DEBIAN_FRONTEND", "noninteractive")
        .args(["-o", "DPkg::Lock::Timeout=900"])
        .args(args);
    command
}

/// Whether we run as root, told by the owner of our own process entry.
fn is_root() -> bool {
    std::fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_to_run_is_complete() {
        assert_eq!(
            shell::line(&apt_install(&["sox"])),
            "DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=900 install -y \
             --no-install-recommends sox"
        );
    }
}
