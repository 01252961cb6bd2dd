//! Sessions that the window left for others. Threads write what they were recording and tell the hub. The
//! program does not end before them.

use crate::open::OpenSession;
use std::thread::JoinHandle;

/// The threads of those that may not have ended yet.
#[derive(Default)]
pub(crate) struct Left(Vec<JoinHandle<()>>);

impl Left {
    /// Leaves a session, if one was open.
    pub(crate) fn add(&mut self, session: Option<OpenSession>) {
        self.put(session.and_then(OpenSession::leave));
    }

    /// Waits at its end for a thread.
    pub(crate) fn put(&mut self, thread: Option<JoinHandle<()>>) {
        self.0.retain(|thread| !thread.is_finished());
        self.0.extend(thread);
    }

    /// Whether nothing is being written any more.
    pub(crate) fn is_done(&self) -> bool {
        self.0.iter().all(JoinHandle::is_finished)
    }
}

impl Drop for Left {
    fn drop(&mut self) {
        for thread in self.0.drain(..) {
            // One that panicked has nothing more to write.
            drop(thread.join());
        }
    }
}
