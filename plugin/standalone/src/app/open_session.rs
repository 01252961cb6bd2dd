//! Opens a session, on a thread of its own.

use crate::desk::{Desk, DeskError, is_session};
use crate::open::Wake;
use crate::question::Wanted;
use crossbeam_channel::{Receiver, bounded};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Hz of a new session.
const RATE: u32 = 48_000;
/// How long nobody wonders where a session stays: a hub that is started is there in a second or two.
pub(super) const LATE: Duration = Duration::from_secs(15);

/// Comes to a session on a thread: starting a hub takes a while.
pub(super) fn come(wanted: Wanted, dir: &Path, wake: &Wake) -> Receiver<Result<Desk, DeskError>> {
    start(dir, wake, move |dir, wake| {
        match wanted {
            Wanted::New => Desk::create(dir, RATE)?,
            Wanted::Example => Desk::create_example(dir)?,
            Wanted::Project => return of_project(dir, wake),
            Wanted::Open | Wanted::Import | Wanted::File(_) => {}
        }
        Desk::open(dir, wake)
    })
}

/// The session of a DAW's project, next to the project; it is made the first time.
fn of_project(file: &Path, wake: Box<dyn Fn() + Send>) -> Result<Desk, DeskError> {
    let dir = file.with_extension("deskhand");
    if !is_session(&dir) {
        Desk::open_project(file, &dir)?;
    }
    Desk::open(&dir, wake)
}

/// The same after a pause.
pub(super) fn later(dir: &Path, pause: Duration, wake: &Wake) -> Receiver<Result<Desk, DeskError>> {
    start(dir, wake, move |dir, wake| {
        std::thread::sleep(pause);
        Desk::open(dir, wake)
    })
}

fn start<F>(dir: &Path, wake: &Wake, work: F) -> Receiver<Result<Desk, DeskError>>
where
    F: FnOnce(&Path, Box<dyn Fn() + Send>) -> Result<Desk, DeskError> + Send + 'static,
{
    let (done, desk) = bounded(1);
    let (dir, wake, failed) = (dir.to_owned(), Arc::clone(wake), done.clone());
    let run = move || {
        let news = Arc::clone(&wake);
        drop(done.send(work(&dir, Box::new(move || news()))));
        wake();
    };
    if let Err(error) = std::thread::Builder::new().name("come".into()).spawn(run) {
        drop(failed.send(Err(DeskError::Thread(error.to_string()))));
    }
    desk
}
