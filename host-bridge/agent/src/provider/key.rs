//! Fetches a provider's key: from the environment, or from a file that its owner alone can read.
//!
//! Thread: any.

use super::config::{Environment, KeySource};
use std::io::Read;
use std::path::{Path, PathBuf};

/// The longest key file, in bytes.
const LONGEST: u64 = 16 << 10;

/// Why there is no key. No message holds one.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// The variable is not set, or empty.
    #[error("no key: {0} is not set; export {0}=…, or set api_key_file in the configuration")]
    NotSet(String),
    /// Nothing says where the key is.
    #[error(
        "no key: set api_key_env = \"VARIABLE\" or api_key_file = \"FILE\" in the configuration"
    )]
    NoSource,
    /// The file cannot be read.
    #[error("the key file {} cannot be read: {error}; create it with the key alone in it", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// Others may read it.
    #[error("others can read the key file {path}; run: chmod 600 {path}", path = path.display())]
    Open {
        /// The file.
        path: PathBuf,
    },
    /// It is somebody else's.
    #[error("the key file {} belongs to another user; make a copy of your own", path.display())]
    NotOurs {
        /// The file.
        path: PathBuf,
    },
    /// What was found cannot be a key.
    #[error("{source_of_key} holds no key: a key is one line of ASCII letters without spaces")]
    NotAKey {
        /// A variable or a file.
        source_of_key: String,
    },
}

/// The key, without white space around it.
pub(super) fn fetch(source: &KeySource, environment: Environment<'_>) -> Result<String, KeyError> {
    let found = match source {
        KeySource::None => return Err(KeyError::NoSource),
        KeySource::Env(name) => environment(name)
            .filter(|value| !value.is_empty())
            .ok_or_else(|| KeyError::NotSet(name.clone()))?
            .into_string()
            .unwrap_or_default(),
        KeySource::File(path) => read(path)?,
    };
    let key = found.trim();
    if key.is_empty() || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(KeyError::NotAKey { source_of_key: describe(source) });
    }
    Ok(key.to_owned())
}

/// The source as messages name it.
pub(super) fn describe(source: &KeySource) -> String {
    match source {
        KeySource::None => "api_key_env or api_key_file in the configuration".to_owned(),
        KeySource::Env(name) => format!("the variable {name}"),
        KeySource::File(path) => format!("the file {}", path.display()),
    }
}

fn read(path: &Path) -> Result<String, KeyError> {
    let unreadable = |error| KeyError::Unreadable { path: path.to_owned(), error };
    // Looked at before it is opened: opening a pipe would wait.
    if !std::fs::metadata(path).map_err(unreadable)?.is_file() {
        let error = std::io::Error::other("it is not a file");
        return Err(KeyError::Unreadable { path: path.to_owned(), error });
    }
    let file = std::fs::File::open(path).map_err(unreadable)?;
    check_owner(path, &file.metadata().map_err(unreadable)?)?;
    let mut text = String::new();
    file.take(LONGEST).read_to_string(&mut text).map_err(unreadable)?;
    Ok(text)
}

#[cfg(unix)]
fn check_owner(path: &Path, file: &std::fs::Metadata) -> Result<(), KeyError> {
    use std::os::unix::fs::MetadataExt;
    if file.uid() != rustix::process::geteuid().as_raw() {
        return Err(KeyError::NotOurs { path: path.to_owned() });
    }
    if file.mode() & 0o077 != 0 {
        return Err(KeyError::Open { path: path.to_owned() });
    }
    Ok(())
}

/// Elsewhere the folder's access list decides.
#[cfg(not(unix))]
fn check_owner(_path: &Path, _file: &std::fs::Metadata) -> Result<(), KeyError> {
    Ok(())
}
