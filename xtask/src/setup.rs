//! System packages: what a window needs to be built, and the optional peers that tests and benches
//! compare with.

use crate::shell;
use anyhow::{Result, bail};
use std::os::unix::fs::MetadataExt;
use std::process::Command;

/// Something from the system's package manager, and the parts that are skipped without it.
struct Peer {
    /// How to see that it is here.
    sign: Sign,
    package: &'static str,
    without: &'static str,
}

enum Sign {
    Program(&'static str),
    /// Known to pkg-config.
    Library(&'static str),
}
use Sign::{Library, Program};

const PEERS: &[Peer] = &[
    peer(Program("pkg-config"), "pkg-config", "the build of deskhand-app"),
    peer(Library("alsa"), "libasound2-dev", "the build of deskhand-app"),
    peer(Library("jack"), "libjack-jackd2-dev", "the build of deskhand-app"),
    peer(
        Program("ffmpeg"),
        "ffmpeg",
        "decoding tests of MP3, AAC, ALAC, Ogg and MP4; most benches",
    ),
    peer(Program("flac"), "flac", "the FLAC bench"),
    peer(Program("lame"), "lame", "the MP3 benches"),
    peer(Program("sox"), "sox", "the mix bench against sox"),
    peer(
        Program("rubberband"),
        "rubberband-cli",
        "the test of a tool that somebody added: pitch and time",
    ),
    peer(Program("espeak-ng"), "espeak-ng", "the commands of the pages on words"),
    peer(Program("jq"), "jq", "the commands of the page on JSON output"),
    peer(
        Program("python3"),
        "python3-venv",
        "the normalize bench against ffmpeg-normalize, the MCP clients, hosts in Python",
    ),
    peer(Program("npm"), "npm", "the MCP conformance suite and inspector"),
];

const fn peer(sign: Sign, package: &'static str, without: &'static str) -> Peer {
    Peer { sign, package, without }
}

impl Sign {
    fn is_here(&self) -> bool {
        match self {
            Program(name) => shell::on_path(name),
            Library(name) => Command::new("pkg-config")
                .args(["--exists", name])
                .status()
                .is_ok_and(|status| status.success()),
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Program(name) | Library(name) => name,
        }
    }
}

/// Installs missing packages and reports.
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

/// Installs missing packages if possible. Returns a line for each thing that will be skipped.
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
            .map(|peer| format!("without {}, skipped: {}", peer.sign.name(), peer.without)),
    );
    skipped
}

fn missing() -> Vec<&'static Peer> {
    let absent = |peer: &&Peer| !peer.sign.is_here();
    PEERS.iter().filter(absent).collect()
}

/// Installs missing programs, each with its package, if possible.
pub(crate) fn need(who: &str, programs: &[(&str, &'static str)]) -> Result<()> {
    let is_missing = |(program, _): &&(&str, &str)| !shell::on_path(program);
    let missing: Vec<&str> =
        programs.iter().filter(is_missing).map(|(_, package)| *package).collect();
    if !missing.is_empty()
        && let Some(refused) = install(&missing)
    {
        bail!("{who} needs {}. {refused}", missing.join(", "));
    }
    Ok(())
}

/// Installs with apt as root; otherwise, or when that fails, returns what a person can do.
pub(crate) fn install(packages: &[&str]) -> Option<String> {
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

/// Whether we run as root, according to the owner of our own process entry.
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
