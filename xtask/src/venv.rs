//! Python packages of others in folders of their own, and installers under a time limit.

use crate::{limit, shell};
use anyhow::{Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// A slow line, a small machine.
const LIMIT: Duration = Duration::from_secs(600);

/// Makes a virtual environment in `folder` with `packages`, pinned as `name==version`.
pub(crate) fn install(folder: &Path, packages: &[&str]) -> Result<()> {
    must_succeed(Command::new("python3").args(["-m", "venv"]).arg(folder))?;
    let mut pip = Command::new(folder.join("bin/pip"));
    pip.args(["install", "--quiet", "--disable-pip-version-check"]).args(packages);
    must_succeed(&mut pip)
}

/// The Python of the environment in `folder`, which is made again when it has other packages than these.
pub(crate) fn kept(folder: &Path, packages: &[&str]) -> Result<PathBuf> {
    let (python, stamp) = (folder.join("bin/python"), folder.join("installed"));
    if std::fs::read_to_string(&stamp).ok().as_deref() != Some(packages.join("\n").as_str()) {
        if folder.exists() {
            std::fs::remove_dir_all(folder)?; // other versions, or half an installation
        }
        println!("installing {}", packages.join(" "));
        install(folder, packages)?;
        std::fs::write(&stamp, packages.join("\n"))?;
    }
    Ok(python)
}

/// Runs an installer; its first complaint is the reason when it fails.
pub(crate) fn must_succeed(command: &mut Command) -> Result<()> {
    let line = shell::line(command);
    let outcome = limit::run(command, LIMIT)?;
    if outcome.code != 0 {
        let complaint = |line: &&str| line.to_lowercase().contains("error");
        let said = outcome.stderr.lines().find(complaint).unwrap_or("failed").trim();
        bail!("{said}; to repeat: {line}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_installer_that_fails_gives_its_reason() {
        let mut command = Command::new("sh");
        command.args(["-c", "(echo warn old; echo npm error offline; echo error log) >&2; exit 1"]);
        let error = must_succeed(&mut command).unwrap_err().to_string();
        assert!(error.starts_with("npm error offline; to repeat: sh -c"), "{error}");
    }
}
