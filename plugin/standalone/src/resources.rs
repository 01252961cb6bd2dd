//! What floating windows show: parts of the session from its copy here, and files of the session folder, which
//! a thread reads.
//!
//! Thread: window; files have a thread of their own.

mod files;
mod tables;

use crate::open::Wake;
use crossbeam_channel::Sender;
use deskhand_editor::{Resource, Resources, Table};
use deskhand_protocol::desk::Viewer;
use deskhand_session::{Handle, RevisionId, Session};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The session that is shown, and what was made of it.
#[derive(Default)]
struct State {
    session: Option<(RevisionId, Session)>,
    /// Of the revision that is shown.
    parts: BTreeMap<Handle, Resource>,
    /// Files as they were read; none while one is being read.
    files: BTreeMap<(String, bool), Option<Resource>>,
}

/// What the windows of a session show. Clones show the same.
#[derive(Clone)]
pub(crate) struct Contents {
    state: Arc<Mutex<State>>,
    reader: Sender<(String, bool)>,
}

impl Contents {
    /// The contents of the session in `folder`. `wake` is called when a file was read.
    pub(crate) fn new(folder: &Path, wake: Wake) -> io::Result<Self> {
        let (reader, asked) = crossbeam_channel::unbounded::<(String, bool)>();
        let state = Arc::new(Mutex::new(State::default()));
        let (folder, found) = (folder.to_owned(), Arc::clone(&state));
        std::thread::Builder::new().name("contents".into()).spawn(move || {
            for (path, is_table) in asked {
                let resource = files::read(&folder, &path, is_table);
                lock(&found).files.insert((path, is_table), Some(resource));
                wake();
            }
        })?;
        Ok(Self { state, reader })
    }

    /// The session is another.
    pub(crate) fn follow(&self, head: RevisionId, session: &Session) {
        let mut state = lock(&self.state);
        if state.session.as_ref().is_none_or(|(known, _)| *known != head) {
            state.session = Some((head, session.clone()));
            state.parts.clear();
        }
    }

    /// A file may be another: the next window on it reads it again.
    pub(crate) fn forget_files(&self) {
        lock(&self.state).files.retain(|_, resource| resource.is_none());
    }

    fn file(&self, path: String, is_table: bool) -> Resource {
        let mut state = lock(&self.state);
        let key = (path, is_table);
        if let Some(known) = state.files.get(&key) {
            return known.clone().unwrap_or(Resource::Waiting);
        }
        state.files.insert(key.clone(), None);
        drop(self.reader.send(key));
        Resource::Waiting
    }

    fn part(&self, handle: Handle, viewer: Viewer) -> Resource {
        let mut state = lock(&self.state);
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

impl Resources for Contents {
    fn get(&self, handle: &str, viewer: Viewer) -> Resource {
        let failed = |why: &str| Resource::Failed(why.into());
        match handle.parse::<Handle>() {
            Err(error) => failed(&error.to_string()),
            Ok(Handle::Plan(_)) => failed("The plan stands in its card in the conversation."),
            Ok(Handle::History) => failed("The steps stand in the history: the clock at the top."),
            Ok(Handle::Tool(name)) => failed(&format!("Ask about {name} in the conversation.")),
            Ok(Handle::File(path)) => self.file(path, viewer == Viewer::Table),
            Ok(part) if viewer == Viewer::Spectrogram => {
                failed(&format!("No spectrogram of {part} is drawn here; look at its waveform."))
            }
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
    use std::time::Duration;

    fn contents(folder: &Path) -> (Contents, std::sync::mpsc::Receiver<()>) {
        let (told, woken) = channel();
        let told = Mutex::new(told);
        let wake: Wake = Arc::new(move || told.lock().unwrap().send(()).unwrap());
        (Contents::new(folder, wake).unwrap(), woken)
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
        woken.recv_timeout(Duration::from_secs(20)).unwrap();
        assert!(matches!(show(), Resource::Text(text) if &*text == "one"));
        contents.forget_files();
        assert!(matches!(show(), Resource::Waiting));
    }
}
