//! Why decoding stopped: the caller asked, or the network failed.

use super::error::ListenError;
use deskhand_inference::RunError;

/// What to stop with while decoding.
pub(super) enum Stop<E> {
    Told(E),
    Run(RunError),
}

impl<E> From<RunError> for Stop<E> {
    fn from(error: RunError) -> Self {
        Self::Run(error)
    }
}

impl<E: From<ListenError>> Stop<E> {
    pub(super) fn into_error(self) -> E {
        match self {
            Self::Told(error) => error,
            Self::Run(error) => ListenError::Run(error).into(),
        }
    }
}
