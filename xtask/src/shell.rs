//! Starting other programs, with errors that give the line to repeat.

use anyhow::{Context, Result, bail};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Cargo, the one that started us, at the root of the checkout.
pub(crate) fn cargo<const N: usize>(args: [&str; N]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(args).current_dir(crate::workspace::root());
    command
}

/// Runs `command` with our own terminal; fails unless it ends with success.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot start: {}", line(command)))?;
    if !status.success() {
        bail!("{status}; to repeat: {}", line(command));
    }
    Ok(())
}

/// Runs `command` and returns what it wrote, whether it succeeded or not.
pub(crate) fn capture(command: &mut Command) -> Result<Output> {
    command.output().with_context(|| format!("cannot start: {}", line(command)))
}

/// `command` as a person would type it.
pub(crate) fn line(command: &Command) -> String {
    let mut words: Vec<String> = command
        .get_envs()
        .filter_map(|(name, value)| Some((name, value?)))
        .map(|(name, value)| format!("{}={}", name.display(), quoted(&value.to_string_lossy())))
        .collect();
    let program = PathBuf::from(command.get_program());
    let name = program.file_stem().unwrap_or(command.get_program());
    words.push(name.to_string_lossy().into_owned());
    words.extend(command.get_args().map(|arg| quoted(&arg.to_string_lossy())));
    words.join(" ")
}

/// `word` in quotes when a shell would split or expand it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// A program that finds an empty home.
pub(crate) fn at_home(program: impl AsRef<OsStr>, home: &Path) -> Command {
    let mut command = Command::new(program);
    command.env("HOME", home).env("XDG_RUNTIME_DIR", home);
    command.env_remove("XDG_DATA_HOME").env_remove("XDG_CONFIG_HOME");
    command
}

/// Whether a program of this name is on the PATH.
pub(crate) fn on_path(name: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(name).is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_can_be_pasted() {
        let mut command = Command::new("cargo");
        command.args(["test", "it's", "a b"]).env("LONG", "1");
        assert_eq!(line(&command), r"LONG=1 cargo test 'it'\''s' 'a b'");
    }

    #[test]
    fn a_failing_program_says_how_to_repeat_it() {
        let error = run(Command::new("false").arg("x")).unwrap_err();
        assert!(error.to_string().ends_with("to repeat: false x"), "{error}");
    }
}
