//! Stopping a run: because someone cancelled, or because its time is up.

use deskhand_session::tool_error::{Code, ToolError};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// Asked at every step of long work; clones share one state.
#[derive(Clone, Debug)]
pub struct CancelToken {
    /// When someone cancelled.
    cancelled: Arc<OnceLock<Instant>>,
    /// When its time began to run.
    started: Arc<OnceLock<Instant>>,
    timeout: Duration,
}

/// The run must stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stopped {
    /// Someone cancelled.
    #[error("cancelled")]
    Cancelled,
    /// Its time is up.
    #[error("timed out")]
    TimedOut,
}

impl CancelToken {
    /// A token whose time starts now.
    #[must_use]
    pub fn new(timeout: Duration) -> Self {
        let token = Self::waiting(timeout);
        token.start();
        token
    }

    /// A token for work that waits for a worker: its time starts with [`CancelToken::start`].
    #[must_use]
    pub fn waiting(timeout: Duration) -> Self {
        Self { cancelled: Arc::default(), started: Arc::default(), timeout }
    }

    /// A worker has begun.
    pub fn start(&self) {
        self.started.get_or_init(Instant::now);
    }

    /// Whether a worker has begun.
    #[must_use]
    pub fn is_started(&self) -> bool {
        self.started.get().is_some()
    }

    /// Asks the run to stop.
    pub fn cancel(&self) {
        self.cancelled.get_or_init(Instant::now);
    }

    /// How long a run may take.
    #[must_use]
    pub fn timeout(&self) -> Duration {
        self.timeout
    }

    /// How much of its time is left.
    #[must_use]
    pub fn remaining(&self) -> Duration {
        self.timeout.saturating_sub(self.elapsed())
    }

    /// How long ago it should have stopped: since it was cancelled or its time was up; zero before.
    #[must_use]
    pub fn overdue(&self) -> Duration {
        let cancelled = self.cancelled.get().map(Instant::elapsed);
        let timed_out = self.elapsed().saturating_sub(self.timeout);
        cancelled.unwrap_or_default().max(timed_out)
    }

    fn elapsed(&self) -> Duration {
        let elapsed = self.started.get().map(Instant::elapsed);
        elapsed.unwrap_or_default()
    }

    /// Whether to go on.
    ///
    /// # Errors
    /// [`Stopped`] once the run was cancelled or its time is up.
    pub fn check(&self) -> Result<(), Stopped> {
        if self.cancelled.get().is_some() {
            Err(Stopped::Cancelled)
        } else if self.remaining().is_zero() {
            Err(Stopped::TimedOut)
        } else {
            Ok(())
        }
    }
}

impl Stopped {
    /// The error of a run that stopped, with a note of the finished part.
    #[must_use]
    pub fn with_finished(self, finished: &str) -> ToolError {
        let nothing = finished.is_empty();
        let done = if nothing { "nothing was finished" } else { finished };
        match self {
            Self::Cancelled => ToolError::run(
                Code::Cancelled,
                format!("cancelled ({done})"),
                "nothing was changed",
            ),
            Self::TimedOut => ToolError::run(
                Code::TimedOut,
                format!("the time limit was reached ({done})"),
                "call it on fewer targets at a time",
            ),
        }
    }
}
