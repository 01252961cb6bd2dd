//! The tools that listen: they find the content of a recording. All tools use the same features, which are
//! computed once per region. Findings are shown at once, and stored as facts of segments.
//!
//! Thread: `prepare` on the message thread, `run` on a worker.
//!
//! Does not know: the engine, the host, the bridge, the agent, the database.

#![forbid(unsafe_code)]

mod beats;
mod classify;
mod everything;
mod features;
mod key;
mod listen;
mod onsets;
mod peaks;
mod problems;
mod result_list;
mod scan;
mod segments;
mod spectrum;
#[cfg(test)]
mod tests;

use deskhand_toolkit::{Tool, TypedTool};
use std::sync::Arc;

/// Every tool of this crate.
#[must_use]
pub fn all() -> Vec<Arc<dyn Tool>> {
    with_last(everything::AnalyzeAll::tool())
}

/// The same, but `tool_analyze_all` also runs `words` on speech, in order: tools that transcribe and
/// describe it.
#[must_use]
pub fn all_with_words(words: Vec<Arc<dyn Tool>>) -> Vec<Arc<dyn Tool>> {
    with_last(everything::with_words(words))
}

fn with_last(everything: Arc<dyn Tool>) -> Vec<Arc<dyn Tool>> {
    vec![
        onsets::DetectOnsets::tool(),
        segments::DetectSegments::tool(),
        beats::DetectBeats::tool(),
        key::DetectKey::tool(),
        spectrum::AnalyzeSpectrum::tool(),
        classify::ClassifyContent::tool(),
        problems::FindProblems::tool(),
        everything,
    ]
}
