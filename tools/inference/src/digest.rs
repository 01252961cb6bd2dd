//! SHA-256 of files, as registries and this catalog name them.

use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// SHA-256 of the bytes of a file, streaming, as 64 hexadecimal digits.
pub(crate) fn of_file(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut hasher = Sha256::new();
    let mut block = vec![0; 1 << 18];
    loop {
        let read = file.read(&mut block)?;
        match block.get(..read).filter(|bytes| !bytes.is_empty()) {
            Some(bytes) => hasher.update(bytes),
            None => return Ok(hex(&hasher.finalize())),
        }
    }
}

/// SHA-256 of bytes.
pub(crate) fn of_bytes(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
