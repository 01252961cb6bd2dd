//! A manifest on this machine: the file, the program that it means here, and one fingerprint of both. Nothing is
//! started.

use crate::manifest::{Manifest, ManifestError};
use crate::sanitize;
use deskhand_toolkit::{Code, ToolError};
use std::env;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The largest manifest, in bytes.
const LARGEST_MANIFEST: u64 = 256 << 10;
/// The largest file that a tool brings with it, in bytes.
const LARGEST_FILE: u64 = 64 << 20;
/// The largest program, in bytes.
const LARGEST_PROGRAM: u64 = 1 << 30;

/// A manifest, and what it means on this machine now.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The manifest, absolute, links followed.
    pub file: PathBuf,
    pub manifest: Manifest,
    /// The program, absolute.
    pub command: PathBuf,
    /// Hash of manifest, program and files with their names: anything else is another tool.
    pub fingerprint: String,
    /// Hash of each of its files.
    files: Vec<[u8; 32]>,
}

/// Why a manifest cannot be used here.
#[derive(Debug, thiserror::Error)]
pub enum CandidateError {
    #[error("{file} cannot be read: {why}; check that it is there and yours to read")]
    Read { file: String, why: String },
    #[error("{file}: {why}")]
    Manifest { file: String, why: ManifestError },
    #[error("{file}: the program \"{command}\" is not here; {fix}")]
    Command { file: String, command: String, fix: &'static str },
}

impl Candidate {
    /// Reads a manifest, finds its program, and hashes both with the files that go with them.
    ///
    /// # Errors
    /// When one of them cannot be read or is not what it should be.
    pub fn read(file: &Path) -> Result<Self, CandidateError> {
        let file = file.canonicalize().map_err(|why| unread(file, &why))?;
        let text = read_text(&file)?;
        let manifest = Manifest::parse(&text)
            .map_err(|why| CandidateError::Manifest { file: shown(&file), why })?;
        let command = command(&file, &manifest)?;
        let mut hasher = blake3::Hasher::new();
        add(&mut hasher, file.as_os_str().as_encoded_bytes());
        add(&mut hasher, text.as_bytes());
        add(&mut hasher, command.as_os_str().as_encoded_bytes());
        add(&mut hasher, &hash(&command, LARGEST_PROGRAM)?);
        let mut files = Vec::new();
        for name in &manifest.files {
            let content = hash(&file.with_file_name(name), LARGEST_FILE)?;
            add(&mut hasher, name.as_bytes());
            add(&mut hasher, &content);
            files.push(content);
        }
        let fingerprint = hasher.finalize().to_hex().to_string();
        Ok(Self { file, manifest, command, fingerprint, files })
    }

    /// Reads a manifest, without checking the files that it names.
    ///
    /// # Errors
    /// When it cannot be read or is invalid.
    pub fn peek(file: &Path) -> Result<Manifest, CandidateError> {
        let text = read_text(file)?;
        Manifest::parse(&text).map_err(|why| CandidateError::Manifest { file: shown(file), why })
    }

    /// The files that go with it, where they lie.
    pub fn files(&self) -> impl Iterator<Item = (&str, PathBuf)> {
        self.manifest.files.iter().map(|name| (name.as_str(), self.file.with_file_name(name)))
    }

    /// Whether the copies of its files in `room` match their hashes: nobody exchanged one in between.
    pub(crate) fn check_copies(&self, room: &Path) -> Result<(), ToolError> {
        for (name, content) in self.manifest.files.iter().zip(&self.files) {
            let copy = hash(&room.join(name), LARGEST_FILE);
            if !copy.is_ok_and(|copy| copy == *content) {
                let message = format!("{name:?} of {} was just changed", self.manifest.name);
                let fix = "nothing was started; open the session again";
                return Err(ToolError::run(Code::Refused, message, fix));
            }
        }
        Ok(())
    }

    /// Whether the program is one of the files that the tool brings with it.
    pub(crate) fn brings_its_program(&self) -> bool {
        self.manifest.files.contains(&self.manifest.command)
    }

    /// Program and arguments on one line, for people.
    #[must_use]
    pub fn shown_command(&self) -> String {
        let quoted = |arg: &str| {
            let is_word = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
            if !arg.is_empty() && arg.chars().all(is_word) {
                arg.into()
            } else {
                format!("{arg:?}")
            }
        };
        let command = quoted(&sanitize::line(&self.command.display().to_string(), 400));
        let args = self.manifest.args.iter().map(|arg| quoted(&sanitize::line(arg, 200)));
        std::iter::once(command).chain(args).collect::<Vec<_>>().join(" ")
    }
}

/// Where the program is. A relative path is refused: it would depend on where Deskhand was started.
fn command(file: &Path, manifest: &Manifest) -> Result<PathBuf, CandidateError> {
    let wanted = Path::new(&manifest.command);
    let failed = |fix| {
        let command = sanitize::line(&manifest.command, 200);
        Err(CandidateError::Command { file: shown(file), command, fix })
    };
    if manifest.files.contains(&manifest.command) {
        return Ok(file.with_file_name(wanted));
    }
    if wanted.is_absolute() {
        let fix = "install it, or mend the path in `command`";
        return if is_program(wanted) { Ok(wanted.to_owned()) } else { failed(fix) };
    }
    if wanted.components().count() != 1 {
        return failed("write an absolute path, a name on your PATH, or one of `files`");
    }
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = env::split_paths(&path).filter(|folder| folder.is_absolute());
    match folders.map(|folder| folder.join(wanted)).find(|program| is_program(program)) {
        Some(program) => Ok(program),
        None => failed("install it, or write its absolute path as `command`"),
    }
}

fn is_program(path: &Path) -> bool {
    let Ok(about) = path.metadata() else {
        return false;
    };
    #[cfg(unix)]
    let runs = std::os::unix::fs::PermissionsExt::mode(&about.permissions()) & 0o111 != 0;
    #[cfg(not(unix))]
    let runs = true;
    about.is_file() && runs
}

/// Lengths are hashed with the parts, so that no two lists of parts are the same bytes.
fn add(hasher: &mut blake3::Hasher, part: &[u8]) {
    hasher.update(&(part.len() as u64).to_le_bytes()).update(part);
}

fn read_text(file: &Path) -> Result<String, CandidateError> {
    let read = || {
        let mut text = String::new();
        open_regular(file, LARGEST_MANIFEST)?.read_to_string(&mut text)?;
        Ok(text)
    };
    read().map_err(|why: io::Error| unread(file, &why))
}

fn hash(file: &Path, largest: u64) -> Result<[u8; 32], CandidateError> {
    let hash = || {
        let mut hasher = blake3::Hasher::new();
        hasher.update_reader(open_regular(file, largest)?)?;
        Ok(*hasher.finalize().as_bytes())
    };
    hash().map_err(|why: io::Error| unread(file, &why))
}

/// A regular file of limited size: a pipe would be waited for, a device has no end.
fn open_regular(file: &Path, largest: u64) -> io::Result<impl Read> {
    let about = fs::metadata(file)?;
    if !about.is_file() {
        return Err(io::Error::other("it is no regular file"));
    }
    if about.len() > largest {
        return Err(io::Error::other(format!("it is larger than {largest} bytes")));
    }
    Ok(File::open(file)?.take(largest))
}

fn unread(file: &Path, why: &io::Error) -> CandidateError {
    CandidateError::Read { file: shown(file), why: why.to_string() }
}

/// A path as people read it, in one line.
pub(crate) fn shown(path: &Path) -> String {
    sanitize::line(&path.display().to_string(), 400)
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    const MANIFEST: &str = "format = \"deskhand.tool/1\"\nname = \"x\"\ntitle = \"X\"\n\
        description = \"X.\"\ncategory = \"edit\"\ncommand = \"/bin/sh\"\nargs = [\"x.sh\"]\n\
        files = [\"x.sh\"]\nnetwork = false\n";

    fn at(dir: &Path, manifest: &str, script: &str) -> PathBuf {
        let file = dir.join("x.deskhand-tool.toml");
        fs::write(&file, manifest).unwrap();
        fs::write(dir.join("x.sh"), script).unwrap();
        file
    }

    #[test]
    fn any_other_byte_is_another_tool() {
        let dir = tempfile::tempdir().unwrap();
        let of = |manifest: &str, script: &str| {
            Candidate::read(&at(dir.path(), manifest, script)).unwrap().fingerprint
        };
        let first = of(MANIFEST, "true");
        assert_eq!(first, of(MANIFEST, "true"));
        assert_ne!(first, of(MANIFEST, "false"), "what it brings with it");
        assert_ne!(first, of(&MANIFEST.replace("X.", "Y."), "true"), "the manifest");
        assert_ne!(first, of(&MANIFEST.replace("/bin/sh", "/bin/cat"), "true"), "the program");
        let elsewhere = tempfile::tempdir().unwrap();
        let moved = Candidate::read(&at(elsewhere.path(), MANIFEST, "true")).unwrap();
        assert_ne!(first, moved.fingerprint, "another file");
    }

    #[test]
    fn a_program_is_found_by_name_and_what_is_missing_is_told() {
        let dir = tempfile::tempdir().unwrap();
        let of = |command: &str| {
            let manifest = MANIFEST.replace("/bin/sh", command);
            Candidate::read(&at(dir.path(), &manifest, "true"))
        };
        assert!(of("sh").unwrap().command.is_absolute());
        assert_eq!(of("x.sh").unwrap().command, dir.path().canonicalize().unwrap().join("x.sh"));
        for missing in ["/no/such", "no-such-program", "bin/sh", "./x.sh"] {
            let said = of(missing).unwrap_err().to_string();
            assert!(said.contains(&format!("the program {missing:?} is not here")), "{said}");
        }
    }

    #[test]
    fn what_has_no_end_is_not_read() {
        let dir = tempfile::tempdir().unwrap();
        let file = at(dir.path(), MANIFEST, "true");
        fs::remove_file(dir.path().join("x.sh")).unwrap();
        std::os::unix::fs::symlink("/dev/zero", dir.path().join("x.sh")).unwrap();
        let said = Candidate::read(&file).unwrap_err().to_string();
        assert!(said.contains("no regular file"), "{said}");
        fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o755)).unwrap();
    }

    #[test]
    fn the_command_is_shown_without_tricks() {
        let dir = tempfile::tempdir().unwrap();
        let manifest = MANIFEST.replace("[\"x.sh\"]\nf", "[\"x.sh\", \"a b\", \"\"]\nf");
        let found = Candidate::read(&at(dir.path(), &manifest, "true")).unwrap();
        assert_eq!(found.shown_command(), "/bin/sh x.sh \"a b\" \"\"");
    }
}
