//! Why listening stopped.

use deskhand_dsp::ReadError;
use deskhand_inference::RunError;

/// Why listening stopped.
#[derive(Debug, thiserror::Error)]
pub enum ListenError {
    /// The audio could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The model failed.
    #[error(transparent)]
    Run(#[from] RunError),
    #[error("the model knows no language \"{wanted}\"; it knows {known}")]
    Language { wanted: String, known: String },
}
