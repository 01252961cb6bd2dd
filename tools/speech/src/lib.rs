//! Speech: where it is, its words, and transcript files.
//!
//! Thread: worker threads. Does not know: the bridge, the engine, the model runtime's types; audio comes as
//! readers at 16 kHz, results are segments of a session.

#![forbid(unsafe_code)]

mod describe;
mod exchange;
mod follow;
mod left_out;
pub mod listen;
pub mod mel;
mod retranscribe;
mod search;
mod service;
mod speakers;
#[cfg(test)]
mod testing;
mod transcribe;
pub mod transcript;
pub mod turns;
pub mod voice;
mod without_words;

use deskhand_toolkit::{Tool, TypedTool};
use std::sync::Arc;

/// The tools of "analyze everything" for speech, in order: transcribe, then describe.
#[must_use]
pub fn words() -> Vec<Arc<dyn Tool>> {
    vec![transcribe::Transcribe::tool(), describe::DescribeSpeech::tool()]
}

/// Every tool of this crate.
#[must_use]
pub fn all() -> Vec<Arc<dyn Tool>> {
    vec![
        transcribe::Transcribe::tool(),
        exchange::ImportTranscript::tool(),
        exchange::ExportTranscript::tool(),
        speakers::MarkSpeakers::tool(),
        describe::DescribeSpeech::tool(),
        search::SearchTranscript::tool(),
    ]
}
