//! The token that clients over HTTP show: 256 random bits in a file that only its owner can read.

use crate::options::McpError;
use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;
use subtle::ConstantTimeEq;

/// Random bytes of a token.
const BYTES: usize = 32;

/// What clients show. It is never printed.
pub(crate) struct Token(String);

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(…)")
    }
}

impl Token {
    /// The token in `path`. A file that is not there is made; one that others can read is refused.
    pub(crate) fn at(path: &Path) -> Result<Self, McpError> {
        let failed = |why: String| McpError::Token { path: path.to_owned(), why };
        match make(path) {
            Ok(token) => Ok(token),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                read(path).map_err(failed)
            }
            Err(error) => Err(failed(error.to_string())),
        }
    }

    /// Whether `shown` is the value of an `Authorization` header with this token. Takes as long for a
    /// token that differs in its first character as in its last.
    pub(crate) fn opens(&self, shown: &[u8]) -> bool {
        let Some((scheme, token)) = shown.split_at_checked(7) else {
            return false;
        };
        scheme.eq_ignore_ascii_case(b"bearer ") && bool::from(token.ct_eq(self.0.as_bytes()))
    }
}

fn make(path: &Path) -> std::io::Result<Token> {
    let mut bytes = [0_u8; BYTES];
    getrandom::fill(&mut bytes).map_err(std::io::Error::other)?;
    let token: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let mut file = create(path)?;
    writeln!(file, "{token}")?;
    file.sync_all()?;
    Ok(Token(token))
}

#[cfg(unix)]
fn create(path: &Path) -> std::io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    File::options().write(true).create_new(true).mode(0o600).open(path)
}

#[cfg(not(unix))]
fn create(path: &Path) -> std::io::Result<File> {
    File::options().write(true).create_new(true).open(path)
}

fn read(path: &Path) -> Result<Token, String> {
    let file = open_own(path)?;
    let mut text = String::new();
    file.take(1_024).read_to_string(&mut text).map_err(|error| error.to_string())?;
    let token = text.trim_end_matches(['\r', '\n']);
    let is_token = token.len() == 2 * BYTES && token.bytes().all(|b| b.is_ascii_hexdigit());
    is_token.then(|| Token(token.to_owned())).ok_or_else(|| "it holds no token".into())
}

/// Opens a file that is this user's alone; no link is followed.
#[cfg(unix)]
fn open_own(path: &Path) -> Result<File, String> {
    use rustix::fs::{Mode, OFlags};
    use std::os::unix::fs::MetadataExt;
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
    let file = rustix::fs::open(path, flags, Mode::empty()).map_err(|error| error.to_string())?;
    let file = File::from(file);
    let found = file.metadata().map_err(|error| error.to_string())?;
    let user = rustix::process::getuid().as_raw();
    match found.is_file() && found.uid() == user && found.mode() & 0o077 == 0 {
        true => Ok(file),
        false => Err("it is not a file that you alone can read".into()),
    }
}

#[cfg(not(unix))]
fn open_own(path: &Path) -> Result<File, String> {
    File::open(path).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

    #[test]
    fn a_token_is_made_once_and_is_its_owners() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("token");
        let first = Token::at(&path).unwrap();
        assert_eq!(std::fs::metadata(&path).unwrap().mode() & 0o777, 0o600);
        let second = Token::at(&path).unwrap();
        assert_eq!((first.0.len(), &first.0), (64, &second.0));
        assert!(first.opens(format!("Bearer {}", first.0).as_bytes()));
        let other = "0".repeat(64);
        for shown in
            ["", "Bearer", "Bearer ", &format!("Bearer {other}"), &format!("Basic  {}", first.0)]
        {
            assert!(!first.opens(shown.as_bytes()), "{shown}");
        }
        assert!(!format!("{first:?}").contains(&first.0));
    }

    #[test]
    fn a_file_that_others_can_read_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let open = dir.path().join("open");
        std::fs::write(&open, "0".repeat(64)).unwrap();
        std::fs::set_permissions(&open, std::fs::Permissions::from_mode(0o644)).unwrap();
        let linked = dir.path().join("linked");
        symlink(&open, &linked).unwrap();
        let short = dir.path().join("short");
        std::fs::write(&short, "abc").unwrap();
        std::fs::set_permissions(&short, std::fs::Permissions::from_mode(0o600)).unwrap();
        for path in [open, linked, short, dir.path().to_owned(), "/nowhere/at/all".into()] {
            let error = Token::at(&path).unwrap_err().to_string();
            assert!(error.ends_with("remove it, and start again"), "{error}");
        }
    }
}
