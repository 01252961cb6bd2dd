//! Why a Whisper model does not open.

use crate::ctranslate2::WeightsError;
use crate::network::RunError;

/// Why a Whisper model could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum WhisperError {
    #[error(transparent)]
    Weights(#[from] WeightsError),
    #[error("the model's vocabulary cannot be used: {problem}; install the model again")]
    Vocabulary { problem: String },
    #[error("the model's {part} cannot be read: {cause}; install the model again")]
    Part { part: &'static str, cause: String },
    /// The graph does not load.
    #[error(transparent)]
    Run(#[from] RunError),
}
