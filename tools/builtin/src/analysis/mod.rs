//! Analysis: finds the content of a recording by listening. All tools use the same features, which are
//! computed once per region. Findings are shown at once, and stored as facts of segments.

mod beats;
mod book;
mod classify;
mod everything;
mod features;
mod key;
mod listen;
mod onsets;
mod peaks;
mod problems;
mod scan;
mod segments;
mod spectrum;
#[cfg(test)]
mod tests;

use deskhand_dsp::Frames;
use deskhand_session::Session;
use deskhand_toolkit::{Tool, TypedTool};
use listen::Piece;
use std::sync::Arc;

/// The tools of analysis; `words` work on speech when everything is analyzed.
pub(crate) fn all(words: Option<Vec<Arc<dyn Tool>>>) -> Vec<Arc<dyn Tool>> {
    vec![
        onsets::DetectOnsets::tool(),
        segments::DetectSegments::tool(),
        beats::DetectBeats::tool(),
        key::DetectKey::tool(),
        spectrum::AnalyzeSpectrum::tool(),
        classify::ClassifyContent::tool(),
        problems::FindProblems::tool(),
        words.map_or_else(everything::AnalyzeAll::tool, everything::with_words),
    ]
}

/// Seconds to the millisecond.
fn round_s(seconds: f64) -> f64 {
    (seconds * 1000.0).round() / 1000.0 + 0.0
}

/// How far a piece was heard, for a summary: ", as far as 3:20 of 10:00".
fn as_far_as(session: &Session, heard: Frames, piece: &Piece) -> String {
    let clock = |frames: Frames| {
        let seconds = frames.seconds(session.rate).0.floor() as u64;
        format!("{}:{:02}", seconds / 60, seconds % 60)
    };
    format!(", as far as {} of {} in \"{}\"", clock(heard), clock(piece.length), piece.name)
}
