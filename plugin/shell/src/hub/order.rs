//! What is asked of the link's thread, and how often it looks without being asked.
//!
//! Thread: any

use crate::capturing::Capturing;
use crate::shared::Shared;
use crossbeam_channel::Sender;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Between two looks at everything.
pub(super) const TICK: Duration = Duration::from_millis(20);

/// What instances and windows say to the thread.
pub(super) enum Order {
    Come {
        seat: u64,
        shared: Arc<Shared>,
    },
    /// It goes; answered when nothing of it is in use any more.
    Go {
        seat: u64,
        gone: Sender<()>,
    },
    /// The person wants the instances of a project in another session; made when it is not there.
    Use {
        seat: u64,
        dir: PathBuf,
        makes: bool,
    },
    /// Store the person's capture settings.
    Keep(Capturing),
}
