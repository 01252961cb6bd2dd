//! Codes: the codebook, what is coded with it, and what that says. Text is read from transcripts; whatever is coded
//! is a segment of its own over a region of a source, so that a transcript can be made anew without losing a coding.

mod codebook;
mod find;
mod loose;

use deskhand_toolkit::{Command, Tool};
use std::sync::Arc;

/// The tool that codes one region; what it writes down of it goes with the coding.
const REGION: &str = "tool_code_region";

/// The tools and commands of codes.
// tidy: table
pub(crate) fn all() -> Vec<Arc<dyn Tool>> {
    vec![
        codebook::SetCode::tool(),
        codebook::RemoveCode::tool(),
        codebook::MergeCodes::tool(),
        codebook::SetMemo::tool(),
    ]
}
