//! What coding a region writes down of it, apart from the code.

/// The tool that codes one region; what it writes down of it goes with the coding.
pub(super) const REGION: &str = "tool_code_region";
/// The fact with the words of a region, if somebody wrote them down with the code.
pub(super) const TRANSCRIPT: &str = "transcript";
