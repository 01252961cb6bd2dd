//! What parent and child say: a JSON line, then (for a block) the samples.

use crate::error::OpenError;
use crate::probe::Probe;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::io::{BufRead, Error, ErrorKind, Read, Result, Write};

/// Most frames of one request.
pub(super) const MOST_FRAMES: usize = 1 << 16;
/// Longest line; an answer with a path in it is far shorter.
const LONGEST_LINE: u64 = 1 << 18;

/// Parent to child.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Request {
    /// First frame.
    pub(super) at: i64,
    /// How many, at most [`MOST_FRAMES`].
    pub(super) frames: usize,
}

/// Child to parent.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "snake_case")]
pub(super) enum Answer {
    /// The first answer when the file is open.
    Opened {
        probe: Probe,
    },
    /// The first and last answer when it is not.
    Refused {
        error: OpenError,
    },
    /// `frames` frames follow, planar, `f32` little-endian.
    Block {
        frames: usize,
        nonfinite: u64,
        damaged: u64,
    },
    Failed {
        message: String,
    },
}

pub(super) fn say(to: &mut impl Write, message: &impl Serialize) -> Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    to.write_all(&line)?;
    to.flush()
}

/// Reads one line; `None` at the end.
pub(super) fn hear<T: DeserializeOwned>(from: &mut impl BufRead) -> Result<Option<T>> {
    let mut line = Vec::new();
    from.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)?;
    if line.is_empty() {
        return Ok(None);
    }
    serde_json::from_slice(&line).map(Some).map_err(|e| Error::new(ErrorKind::InvalidData, e))
}
