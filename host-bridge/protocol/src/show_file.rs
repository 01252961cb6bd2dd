//! Showing a file to the person with the programs of the system: for windows and plugins.
//!
//! Thread: any; a thread of its own waits for the program.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Why a file was not shown.
#[derive(Debug, thiserror::Error)]
pub enum ShowError {
    /// The file was moved or removed.
    #[error("{0} is no longer there; export it again")]
    Gone(PathBuf),
    /// The system has no program for it.
    #[error("the system cannot show {file}: {why}; open it in a file manager")]
    NoProgram {
        /// The file.
        file: PathBuf,
        /// What the system said.
        why: std::io::Error,
    },
}

/// Shows a file in the file manager of the system, selected where that can be asked for.
///
/// # Errors
/// When the file is gone, or no program shows it.
pub fn show_in_folder(file: &Path) -> Result<(), ShowError> {
    start(file, in_folder(file))
}

/// Opens a file with the program that the system has for it.
///
/// # Errors
/// When the file is gone, or no program opens it.
pub fn open_file(file: &Path) -> Result<(), ShowError> {
    start(file, opening(file))
}

fn start(file: &Path, mut command: Command) -> Result<(), ShowError> {
    if !file.exists() {
        return Err(ShowError::Gone(file.to_owned()));
    }
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let child = command.spawn();
    let mut child = child.map_err(|why| ShowError::NoProgram { file: file.to_owned(), why })?;
    // A program that ended is no longer in the system's list once somebody waited for it.
    std::thread::spawn(move || drop(child.wait()));
    Ok(())
}

#[cfg(target_os = "macos")]
fn in_folder(file: &Path) -> Command {
    let mut command = Command::new("open");
    command.arg("-R").arg(file);
    command
}

#[cfg(windows)]
fn in_folder(file: &Path) -> Command {
    let mut selected = std::ffi::OsString::from("/select,");
    selected.push(file);
    let mut command = Command::new("explorer");
    command.arg(selected);
    command
}

#[cfg(not(any(target_os = "macos", windows)))]
fn in_folder(file: &Path) -> Command {
    opening(file.parent().unwrap_or(file))
}

fn opening(file: &Path) -> Command {
    let program = match () {
        () if cfg!(target_os = "macos") => "open",
        () if cfg!(windows) => "explorer",
        () => "xdg-open",
    };
    let mut command = Command::new(program);
    command.arg(file);
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_gone_is_named_and_no_program_is_started() {
        let gone = Path::new("/nowhere/mix.wav");
        let told = show_in_folder(gone).unwrap_err().to_string();
        assert_eq!(told, "/nowhere/mix.wav is no longer there; export it again");
        assert!(matches!(open_file(gone), Err(ShowError::Gone(_))));
    }
}
