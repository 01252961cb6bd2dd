//! The identity of a file: BLAKE3 of its bytes.

use crate::error::OpenError;
use crate::file::{open_error, open_regular};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::io::Read;
use std::ops::ControlFlow;
use std::path::Path;

/// BLAKE3 of a file's bytes, 64 lower-case hex digits.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ContentHash(pub String);

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Hashes a file, streaming.
///
/// # Errors
/// When the file cannot be opened or read, or is empty.
pub fn content_hash(path: &Path) -> Result<ContentHash, OpenError> {
    let done = content_hash_with(path, &mut |_| ControlFlow::Continue(()))?;
    done.ok_or_else(|| OpenError::Io {
        file: crate::error::shown(path),
        cause: "hashing was cancelled".into(),
    })
}

/// Hashes a file, streaming; `progress` hears the share done (0 to 1) and may stop it.
///
/// Returns `None` when `progress` stopped it.
///
/// # Errors
/// When the file cannot be opened or read, or is empty.
pub fn content_hash_with(
    path: &Path,
    progress: &mut dyn FnMut(f64) -> ControlFlow<()>,
) -> Result<Option<ContentHash>, OpenError> {
    const BLOCK: usize = 1 << 18;
    let (mut file, metadata) = open_regular(path)?;
    let mut hasher = blake3::Hasher::new();
    let mut block = vec![0; BLOCK];
    let mut done = 0u64;
    loop {
        let read = file.read(&mut block).map_err(|e| open_error(path, &e))?;
        let Some(bytes) = block.get(..read).filter(|b| !b.is_empty()) else {
            return Ok(Some(ContentHash(hasher.finalize().to_hex().to_string())));
        };
        hasher.update(bytes);
        done += read as u64;
        if progress((done as f64 / metadata.len() as f64).min(1.0)).is_break() {
            return Ok(None);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_the_bytes_of_the_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a b\n🎤.bin");
        std::fs::write(&path, vec![7u8; 1_000_000]).unwrap();
        let expected = blake3::hash(&vec![7u8; 1_000_000]).to_hex().to_string();
        assert_eq!(content_hash(&path).unwrap().0, expected);
        let stopped = content_hash_with(&path, &mut |_| ControlFlow::Break(())).unwrap();
        assert_eq!(stopped, None);
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = content_hash(Path::new("no such\nfile.wav")).unwrap_err();
        assert_eq!(
            error.to_string(),
            "\"no such\\nfile.wav\" does not exist; check the path, or where the file was moved to"
        );
    }
}
