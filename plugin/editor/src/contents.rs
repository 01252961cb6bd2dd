//! The content of floating windows: parts of the session from the local copy, and files of the session
//! folder and spectrograms, which a thread makes.
//!
//! Thread: window; files and spectrograms have a thread of their own.

mod files;
pub(crate) mod pictures;
mod tables;

use crate::resources::{Resource, Resources, Table};
use crate::threads::await_end;
use deskhand_protocol::desk::Viewer;
use deskhand_session::{Handle, RevisionId, Session};
use pictures::{MakeSpectrogram, Sound};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// How long the end may take at most.
const PATIENCE: Duration = Duration::from_millis(400);

/// The session that is shown, and the contents made from it.
#[derive(Default)]
struct State {
    session: Option<(RevisionId, Session)>,
    /// Of the revision that is shown.
    parts: BTreeMap<Handle, Resource>,
    /// Finished files and spectrograms; `None` while one is being made.
    made: BTreeMap<Key, Option<Resource>>,
}

/// A job of the thread: a path or a region, and the kind of result.
type Key = (String, As);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum As {
    File,
    Table,
    Spectrogram,
}

struct Ask {
    key: Key,
    sound: Option<Sound>,
}

/// What the windows of a session show. Clones show the same.
#[derive(Clone)]
pub struct Contents(Arc<Shelf>);

struct Shelf {
    state: Arc<Mutex<State>>,
    /// Gone when it ends.
    reader: Option<Sender<Ask>>,
    /// Nobody looks any more, so open requests are dropped.
    is_over: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl Contents {
    /// The contents of the session in `folder`, whose spectrograms `spectrogram` makes, on another thread. `wake` is
    /// called there when something was made.
    ///
    /// # Errors
    /// When the system has no thread to give.
    pub fn new(
        folder: &Path,
        spectrogram: Box<MakeSpectrogram>,
        wake: impl Fn() + Send + 'static,
    ) -> io::Result<Self> {
        let (reader, asked) = channel::<Ask>();
        let state = Arc::new(Mutex::new(State::default()));
        let is_over = Arc::new(AtomicBool::new(false));
        let (folder, found, over) = (folder.to_owned(), Arc::clone(&state), Arc::clone(&is_over));
        let thread = thread::Builder::new().name("contents".into()).spawn(move || {
            let is_over = || over.load(Ordering::Relaxed);
            for Ask { key, sound } in asked {
                if is_over() {
                    return;
                }
                let resource = match sound {
                    Some(sound) => sound.spectrogram(&*spectrogram, &is_over),
                    None => files::read(&folder, &key.0, key.1 == As::Table),
                };
                lock(&found).made.insert(key, Some(resource));
                wake();
            }
        })?;
        Ok(Self(Arc::new(Shelf { state, reader: Some(reader), is_over, thread })))
    }

    pub fn follow(&self, head: RevisionId, session: &Session) {
        let mut state = lock(&self.0.state);
        if state.session.as_ref().is_none_or(|(known, _)| *known != head) {
            state.session = Some((head, session.clone()));
            state.parts.clear();
        }
    }

    /// A file may be another: the next window on it reads it again.
    pub fn forget_files(&self) {
        let is_file = |key: &Key| key.1 != As::Spectrogram;
        lock(&self.0.state).made.retain(|key, resource| resource.is_none() || !is_file(key));
    }

    fn made(&self, key: Key, sound: Option<Sound>) -> Resource {
        let mut state = lock(&self.0.state);
        if let Some(known) = state.made.get(&key) {
            return known.clone().unwrap_or(Resource::Waiting);
        }
        state.made.insert(key.clone(), None);
        if let Some(reader) = &self.0.reader {
            drop(reader.send(Ask { key, sound }));
        }
        Resource::Waiting
    }

    fn spectrogram(&self, handle: &Handle) -> Resource {
        let state = lock(&self.0.state);
        let Some((_, session)) = &state.session else { return Resource::Waiting };
        let Some(sound) = Sound::of(session, handle) else {
            let why = format!("{handle} has no spectrogram: open one of a clip or a source.");
            return Resource::Failed(why);
        };
        drop(state);
        self.made((sound.key(), As::Spectrogram), Some(sound))
    }

    fn part(&self, handle: Handle, viewer: Viewer) -> Resource {
        let mut state = lock(&self.0.state);
        let State { session, parts, .. } = &mut *state;
        let Some((_, session)) = session else { return Resource::Waiting };
        if let Some(wave) = tables::wave(session, &handle).filter(|_| is_wave(viewer)) {
            return wave;
        }
        let made = || tables::table(session, &handle);
        let resource = parts.entry(handle.clone()).or_insert_with(|| match made() {
            Some(table) => Resource::Table(Arc::new(table)),
            None => Resource::Failed(format!("There is nothing at {handle} any more.")),
        });
        match (viewer, resource) {
            (Viewer::Text, Resource::Table(table)) => Resource::Text(words(table).into()),
            (_, resource) => resource.clone(),
        }
    }
}

impl Drop for Shelf {
    fn drop(&mut self) {
        self.reader = None;
        self.is_over.store(true, Ordering::Relaxed);
        await_end(&self.thread, PATIENCE);
    }
}

impl Resources for Contents {
    fn get(&self, handle: &str, viewer: Viewer) -> Resource {
        let failed = |why: &str| Resource::Failed(why.into());
        match handle.parse::<Handle>() {
            Err(error) => failed(&error.to_string()),
            Ok(Handle::Plan(_)) => failed("The plan is on its card in the conversation."),
            Ok(Handle::History) => failed("The steps are in the history: the clock at the top."),
            Ok(Handle::Tool(name)) => failed(&format!("Ask about {name} in the conversation.")),
            Ok(Handle::File(path)) => {
                let kind = if viewer == Viewer::Table { As::Table } else { As::File };
                self.made((path, kind), None)
            }
            Ok(part) if viewer == Viewer::Spectrogram => self.spectrogram(&part),
            Ok(part) if viewer == Viewer::Transcript => {
                failed(&format!("{part} has no transcript here; ask for one in the conversation."))
            }
            Ok(part) => self.part(part, viewer),
        }
    }
}

fn is_wave(viewer: Viewer) -> bool {
    matches!(viewer, Viewer::Auto | Viewer::Waveform)
}

fn words(table: &Table) -> String {
    let rows = std::iter::once(&table.columns).chain(&table.rows);
    rows.map(|row| row.join("\t")).collect::<Vec<_>>().join("\n")
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_dsp::SampleRate;
    use deskhand_session::{SessionId, Track, TrackId};
    use std::sync::mpsc::channel;

    fn contents(folder: &Path) -> (Contents, std::sync::mpsc::Receiver<()>) {
        let (told, woken) = channel();
        let told = Mutex::new(told);
        let wake = move || told.lock().unwrap().send(()).unwrap();
        let none: Box<MakeSpectrogram> = Box::new(|_, _, _, _| Err("nothing to hear".into()));
        (Contents::new(folder, none, wake).unwrap(), woken)
    }

    #[test]
    fn the_session_is_shown_as_it_is_now() {
        let tmp = tempfile::tempdir().unwrap();
        let (contents, _woken) = contents(tmp.path());
        let show = || contents.get("deskhand://session", Viewer::Table);
        assert!(matches!(show(), Resource::Waiting));
        let mut session = Session::new(SessionId::new(7), SampleRate(48_000));
        contents.follow(RevisionId(0), &session);
        let rows = |resource| match resource {
            Resource::Table(table) => table.rows.clone(),
            other => panic!("{other:?}"),
        };
        assert!(rows(show()).is_empty());
        session.tracks.insert(TrackId::new(1), Track::audio("Kick"));
        session.track_order.push(TrackId::new(1));
        contents.follow(RevisionId(1), &session);
        assert_eq!(rows(show())[0][0], "Kick");
        let gone = contents.get("deskhand://clips/clip_000000000009", Viewer::Auto);
        assert!(matches!(gone, Resource::Failed(why) if why.contains("nothing at")));
    }

    #[test]
    fn a_file_is_read_elsewhere_and_again_when_it_was_forgotten() {
        let tmp = tempfile::tempdir().unwrap();
        std::fs::write(tmp.path().join("notes.txt"), "one").unwrap();
        let (contents, woken) = contents(tmp.path());
        let show = || contents.get("deskhand://files/notes.txt", Viewer::Text);
        assert!(matches!(show(), Resource::Waiting));
        woken.recv_timeout(Duration::from_secs(60)).unwrap();
        assert!(matches!(show(), Resource::Text(text) if &*text == "one"));
        contents.forget_files();
        assert!(matches!(show(), Resource::Waiting));
    }
}
