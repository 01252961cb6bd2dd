//! Why a transcript file cannot be used.

use super::Place;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {problem}; {way_out}")]
pub struct TranscriptError {
    pub place: Place,
    pub problem: String,
    pub way_out: &'static str,
}

impl TranscriptError {
    pub(super) fn at(
        place: impl Into<Place>,
        problem: impl Into<String>,
        way_out: &'static str,
    ) -> Self {
        Self { place: place.into(), problem: problem.into(), way_out }
    }
}
