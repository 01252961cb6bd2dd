//! `cargo xtask completions`: the completion scripts of `deskhand`, one file per shell.

use crate::{demo, shell, workspace};
use anyhow::{Context, Result, bail};
use std::process::Command;

/// The shells, and the file name under which each looks for the script.
const SHELLS: [(&str, &str); 5] = [
    ("bash", "deskhand.bash"),
    ("zsh", "_deskhand"),
    ("fish", "deskhand.fish"),
    ("elvish", "deskhand.elv"),
    ("powershell", "deskhand.ps1"),
];

/// Writes the scripts into `target/completions`.
pub(crate) fn run() -> Result<()> {
    let deskhand = demo::deskhand("dev")?;
    let folder = workspace::target()?.join("completions");
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("cannot create {}", folder.display()))?;
    for (name, file) in SHELLS {
        let mut command = Command::new(&deskhand);
        let script = shell::capture(command.args(["completions", name]))?;
        if !script.status.success() {
            bail!("{}: {}", script.status, shell::line(&command));
        }
        std::fs::write(folder.join(file), script.stdout)
            .with_context(|| format!("cannot write {file}"))?;
        println!("{}", demo::from_root(&folder.join(file)).display());
    }
    Ok(())
}
