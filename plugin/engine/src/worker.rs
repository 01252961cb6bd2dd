//! A thread that ends when its handle does.
//!
//! Thread: any

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long to wait for the end of threads, in total if several hang: a host that closes a project drops
/// dozens, one after the other.
const PATIENCE: Duration = Duration::from_millis(800);
/// How long each is waited for where that is spent.
const GLANCE: Duration = Duration::from_millis(20);
/// How long it is remembered that one was waited for in vain.
const MEMORY: Duration = Duration::from_secs(5);

/// The last wait that failed, and since when such waits are counted.
static VAIN: Mutex<Option<Vain>> = Mutex::new(None);

#[derive(Clone, Copy)]
struct Vain {
    since: Instant,
    waited: Duration,
}

/// How long a thread may be waited for at `now`.
fn patience(vain: Option<Vain>, now: Instant) -> Duration {
    let recent = vain.filter(|vain| now.duration_since(vain.since) < MEMORY);
    recent.map_or(PATIENCE, |vain| PATIENCE.saturating_sub(vain.waited).max(GLANCE))
}

/// The record after another failed wait of this length.
fn longer(vain: Option<Vain>, now: Instant, waited: Duration) -> Vain {
    match vain.filter(|vain| now.duration_since(vain.since) < MEMORY) {
        Some(vain) => Vain { waited: vain.waited + waited, ..vain },
        None => Vain { since: now, waited },
    }
}

/// Dropping it asks the thread to end and waits for it, but not for a disk that hangs.
pub(crate) struct Worker {
    stop: Sender<()>,
    /// Nothing is ever sent: it closes when the thread has ended, by a panic too.
    ended: Receiver<()>,
}

impl Worker {
    /// Runs `work` on a thread. The receiver passed to it holds a message once it must end.
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
        let vain = || VAIN.lock().unwrap_or_else(PoisonError::into_inner);
        let begin = Instant::now();
        let known = *vain();
        if self.ended.recv_timeout(patience(known, begin)) == Err(RecvTimeoutError::Timeout) {
            let mut known = vain();
            *known = Some(longer(*known, Instant::now(), begin.elapsed()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_that_hang_are_waited_for_about_as_long_as_one() {
        let (mut now, mut vain) = (Instant::now(), None);
        let begin = now;
        for _ in 0..32 {
            let wait = patience(vain, now);
            now += wait;
            vain = Some(longer(vain, now, wait));
        }
        assert!(now - begin < Duration::from_millis(1_500), "{:?}", now - begin);
        assert_eq!(patience(vain, now + MEMORY), PATIENCE, "another time it is waited for again");
        assert_eq!(longer(vain, now + MEMORY, GLANCE).waited, GLANCE);
    }
}
