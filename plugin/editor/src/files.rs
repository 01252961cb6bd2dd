//! Whether the files of a session's sources are there: a thread looks, the window draws what it found.
//!
//! Thread: a thread of its own looks; the window asks and never waits

use crate::threads::await_end;
use deskhand_session::{RevisionId, Session, Source, SourceId};
use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The time between two checks of the files of an unchanged session.
const AGAIN: Duration = Duration::from_secs(5);
/// How long the end may take at most.
const PATIENCE: Duration = Duration::from_millis(800);

/// What became of the file of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// It is not there.
    Gone,
    /// The file is there, but is not the imported one.
    Changed,
}

impl Loss {
    /// As a clip of it says.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Gone => "File gone",
            Self::Changed => "File changed",
        }
    }
}

/// A source that cannot be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lost {
    pub loss: Loss,
    /// Which file, and the way out.
    pub why: String,
}

/// Sources that cannot be played.
pub type AllLost = BTreeMap<SourceId, Lost>;

type Asked = Vec<(SourceId, Source)>;

/// Looks after the files of a session.
pub struct Files {
    /// Gone when it ends.
    asked: Option<SyncSender<Asked>>,
    lost: Arc<Mutex<Arc<AllLost>>>,
    looked: Option<(RevisionId, Instant)>,
    thread: JoinHandle<()>,
}

impl Files {
    /// Watches files. `check` says what happened to a file; `None` means that it is fine. `wake` is called
    /// on news. Both run on another thread.
    ///
    /// # Errors
    /// When the system has no thread to give.
    pub fn new(
        check: impl Fn(&Source) -> Option<Lost> + Send + 'static,
        wake: impl Fn() + Send + 'static,
    ) -> std::io::Result<Self> {
        let (asked, taken) = sync_channel(1);
        let lost = Arc::<Mutex<Arc<AllLost>>>::default();
        let found = Arc::clone(&lost);
        let thread = thread::Builder::new()
            .name("files".into())
            .spawn(move || look(&taken, &check, &found, &wake))?;
        Ok(Self { asked: Some(asked), lost, looked: None, thread })
    }

    /// Has the files of `session` looked at when it is another revision, or some seconds later.
    pub fn follow(&mut self, head: RevisionId, session: &Session) {
        let is_known = |(at, when): (RevisionId, Instant)| at == head && when.elapsed() < AGAIN;
        if self.looked.is_some_and(is_known) {
            return;
        }
        let all = session.sources.iter().map(|(id, source)| (*id, source.clone())).collect();
        // A thread that still looks is asked later.
        if self.asked.as_ref().is_some_and(|asked| asked.try_send(all).is_ok()) {
            self.looked = Some((head, Instant::now()));
        }
    }

    /// The last result.
    #[must_use]
    pub fn lost(&self) -> Arc<AllLost> {
        Arc::clone(&self.lost.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        self.asked = None;
        await_end(&self.thread, PATIENCE);
    }
}

/// Until nobody can ask any more.
fn look(
    asked: &Receiver<Asked>,
    check: &dyn Fn(&Source) -> Option<Lost>,
    found: &Mutex<Arc<AllLost>>,
    wake: &dyn Fn(),
) {
    while let Ok(sources) = asked.recv() {
        let lost = sources.iter().filter_map(|(id, source)| Some((*id, check(source)?)));
        let lost = Arc::new(lost.collect::<AllLost>());
        let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
        if **found != *lost {
            *found = lost;
            drop(found);
            wake();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn what_is_lost_is_found_on_another_thread_and_told() {
        let (wakes, woken) = sync_channel(4);
        let check = |source: &Source| {
            let lost = Lost { loss: Loss::Gone, why: format!("{} is gone", source.name) };
            (source.name != "Vocal").then_some(lost)
        };
        let mut files = Files::new(check, move || wakes.send(()).unwrap()).unwrap();
        let session = testing::session();
        files.follow(RevisionId(1), &session);
        woken.recv_timeout(Duration::from_secs(60)).unwrap();
        assert_eq!(files.lost().keys().copied().collect::<Vec<_>>(), [SourceId::new(2)]);
        files.follow(RevisionId(1), &session);
        assert!(files.looked.is_some_and(|(at, _)| at == RevisionId(1)));
    }
}
