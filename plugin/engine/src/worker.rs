//! A thread that ends when its handle does.
//!
//! Thread: any

use crossbeam_channel::{Receiver, Sender};
use std::time::Duration;

/// How long the end of the thread is waited for.
const PATIENCE: Duration = Duration::from_secs(2);

/// Dropping it asks the thread to end and waits for it, but not for a disk that hangs.
pub(crate) struct Worker {
    stop: Sender<()>,
    /// Nothing is ever sent: it closes when the thread has ended, by a panic too.
    ended: Receiver<()>,
}

impl Worker {
    /// Runs `work` on a thread; what it is given holds a message once it is to end.
    pub(crate) fn spawn<F>(name: &str, work: F) -> std::io::Result<Self>
    where
        F: FnOnce(&Receiver<()>) + Send + 'static,
    {
        let (stop, stopped) = crossbeam_channel::bounded(1);
        let (alive, ended) = crossbeam_channel::bounded(0);
        std::thread::Builder::new().name(name.into()).spawn(move || {
            work(&stopped);
            drop(alive);
        })?;
        Ok(Self { stop, ended })
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.stop.try_send(()).ok();
        self.ended.recv_timeout(PATIENCE).ok();
    }
}
