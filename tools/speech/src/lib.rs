//! Speech: where it is, what is said, and files of transcripts.
//!
//! Thread: worker threads. Does not know: the bridge, the engine, the model runtime's types; audio comes as
//! readers at 16 kHz, results are segments of a session.

#![forbid(unsafe_code)]

pub mod listen;
pub mod mel;
pub mod voice;
