//! `deskhand new`: an empty session folder.

use crate::desk::Desk;
use crate::exit::{Exit, Failure};
use crate::output::Output;
use deskhand_dsp::SampleRate;
use deskhand_session::{Session, SessionId};
use serde_json::json;
use std::hash::{BuildHasher, Hasher};
use std::path::Path;

/// The rates a session may have.
const RATES: std::ops::RangeInclusive<u32> = 8_000..=192_000;

/// Makes a session.
pub(crate) fn run(dir: &Path, rate: u32, output: Output) -> Result<Exit, Failure> {
    let session = empty(rate)?;
    Desk::create(dir, &session)?.close()?;
    output.json(&json!({"session": session.id, "dir": dir, "sample_rate": rate}));
    output.say(format!("made {} at {rate} Hz", dir.display()));
    Ok(Exit::Done)
}

/// An empty session with an id of its own.
pub(crate) fn empty(rate: u32) -> Result<Session, Failure> {
    if !RATES.contains(&rate) {
        let message = format!("a session rate of {rate} Hz is outside 8000 to 192000");
        return Err(Failure::new("bad_params", message, "48000 and 44100 are common"));
    }
    Ok(Session::new(SessionId::new(random()), SampleRate(rate)))
}

/// Bits that differ each time: the standard library seeds its hasher from the system.
fn random() -> u64 {
    let mut hasher = std::collections::hash_map::RandomState::new().build_hasher();
    hasher.write_u32(std::process::id());
    hasher.finish()
}
