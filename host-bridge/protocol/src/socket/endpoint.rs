//! Where the sockets of a session are.

use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};

/// What a connection may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// A person: may decide.
    Person,
    /// A model: may call, and decides nothing.
    Agent,
    /// Only looks.
    Observer,
}

impl Role {
    /// Every role.
    pub const ALL: [Self; 3] = [Self::Person, Self::Agent, Self::Observer];

    fn word(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::Agent => "agent",
            Self::Observer => "observer",
        }
    }
}

/// The socket for `role` of the session in `dir`. Its folder is made, for this user alone. The name is short
/// whatever `dir` is: socket paths end at 107 bytes.
///
/// # Errors
/// When `dir` is not there, or the folder belongs to somebody else.
pub fn endpoint(dir: &Path, role: Role) -> io::Result<PathBuf> {
    let dir = dir.canonicalize()?;
    let hash = blake3::hash(dir.as_os_str().as_encoded_bytes()).to_hex();
    Ok(own_folder()?.join(format!("{}.{}", &hash[..16], role.word())))
}

#[cfg(unix)]
fn own_folder() -> io::Result<PathBuf> {
    use std::os::unix::fs::{DirBuilderExt, MetadataExt};
    let user = rustix::process::getuid().as_raw();
    let folder = match std::env::var_os("XDG_RUNTIME_DIR").filter(|dir| !dir.is_empty()) {
        Some(dir) => PathBuf::from(dir).join("deskhand"),
        None => std::env::temp_dir().join(format!("deskhand-{user}")),
    };
    match std::fs::DirBuilder::new().mode(0o700).create(&folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        Ok(()) | Err(_) => {}
    }
    let found = std::fs::symlink_metadata(&folder)?;
    if found.is_dir() && found.uid() == user && found.mode() & 0o077 == 0 {
        return Ok(folder);
    }
    let message = format!("{} is not a folder for you alone; remove it", folder.display());
    Err(io::Error::new(io::ErrorKind::PermissionDenied, message))
}

/// Names of pipes are flat; the pipe's own access list keeps others out.
#[cfg(not(unix))]
fn own_folder() -> io::Result<PathBuf> {
    Ok(PathBuf::from(r"\\.\pipe\deskhand"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_session_has_one_socket_a_role_by_whatever_path() {
        let dir = tempfile::tempdir().unwrap();
        let twisted = dir.path().join("../").join(dir.path().file_name().unwrap());
        let all = Role::ALL.map(|role| endpoint(dir.path(), role).unwrap());
        assert_eq!(all[0], endpoint(&twisted, Role::Person).unwrap());
        assert!(all[0] != all[1] && all[1] != all[2]);
        assert!(all[0].as_os_str().len() < 100);
    }

    #[test]
    fn a_session_that_is_not_there_has_none() {
        assert!(endpoint(Path::new("/nowhere/at/all"), Role::Person).is_err());
    }
}
