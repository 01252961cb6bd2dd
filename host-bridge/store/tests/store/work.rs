//! Sessions and edits for the tests.

use crossbeam_channel::bounded;
use deskhand_dsp::{Decibels, Frames, SampleRate};
use deskhand_session::change::Edit;
use deskhand_session::track::PlacedTrack;
use deskhand_session::*;
use deskhand_store::*;
use std::path::{Path, PathBuf};

pub(crate) const TRACK: TrackId = TrackId::new(1);

pub(crate) fn session() -> Session {
    Session::new(SessionId::new(7), SampleRate(48_000))
}

/// Stores events and waits for the answer.
pub(crate) fn put(store: &Store, events: Vec<Event>) -> Result<u64, StoreError> {
    let (answer, answered) = bounded(1);
    store.append(events, Box::new(move |result| answer.send(result).unwrap()));
    answered.recv().unwrap()
}

/// A session with its history, kept in step with a store.
pub(crate) struct Work {
    pub(crate) store: Option<Store>,
    pub(crate) session: Session,
    pub(crate) history: History,
}

impl Work {
    /// A new session with one track.
    pub(crate) fn create(dir: &Path) -> Self {
        let (store, loaded) = Store::create(dir, &session()).unwrap();
        let Loaded { session, history, .. } = loaded;
        let mut work = Self { store: Some(store), session, history };
        let placed = PlacedTrack { index: 0, track: Track::audio("Vocals") };
        work.commit("Add track", Change::AddTrack(Edit::create(TRACK, placed)));
        work
    }

    pub(crate) fn open(dir: &Path) -> Self {
        let (store, loaded) = Store::open(dir).unwrap();
        assert_eq!(loaded.warnings, Vec::<String>::new());
        let Loaded { session, history, .. } = loaded;
        Self { store: Some(store), session, history }
    }

    pub(crate) fn store(&self) -> &Store {
        self.store.as_ref().unwrap()
    }

    pub(crate) fn revision(&self, label: &str, change: Change) -> Revision {
        Revision {
            id: self.history.next_id(),
            parent: self.history.head(),
            author: Author::User,
            label: label.into(),
            plan: None,
            changes: vec![change],
            takes: None,
            is_loaded: false,
            time_ms: 1_795_000_000_000,
        }
    }

    pub(crate) fn commit(&mut self, label: &str, change: Change) {
        let revision = self.revision(label, change);
        self.session = self.session.with(&revision.changes).unwrap();
        self.history.push(revision.clone());
        put(self.store(), vec![Event::Revision(revision)]).unwrap();
    }

    pub(crate) fn gain_change(&self, db: f64) -> Change {
        let before = self.session.tracks[&TRACK].gain;
        Change::SetTrackGain(Edit::new(TRACK, before, Decibels(db)))
    }

    /// Sets the gain of the track.
    pub(crate) fn gain(&mut self, db: f64) {
        self.commit(&format!("Gain {db}"), self.gain_change(db));
    }

    pub(crate) fn go(&mut self, step: HeadMove) {
        self.session = self.session.with(&step.changes).unwrap();
        self.history.move_head(step.to);
        let moved = HeadMoved { to: step.to, author: Author::User, time_ms: 1 };
        put(self.store(), vec![Event::Head(moved)]).unwrap();
    }

    pub(crate) fn close(mut self) {
        self.store.take().unwrap().close().unwrap();
    }

    /// Checks that the disk has what we have.
    pub(crate) fn assert_same(&self, loaded: &Loaded) {
        assert_eq!(loaded.session, self.session);
        assert_eq!(loaded.history, self.history);
    }
}

pub(crate) fn plan(session: &Session) -> Plan {
    let change = Change::SetMasterGain(Edit::new(session.id, Decibels::UNITY, Decibels(-1.5)));
    let planned = PlannedChange::new(1, change, "the mix".into(), "too loud".into());
    let plan = Plan {
        params: serde_json::json!({ "target_lufs": -16 }),
        summary: "Bring the mix to -16 LUFS".into(),
        changes: vec![planned],
        reads: vec![Read::audio(session, session.id)],
        findings: vec![Finding::new(session.id, Measure::IntegratedLoudness, Some(-14.5))],
        ..Plan::empty(PlanId::new(5), "tool_normalize", session.id, RevisionId(1))
    };
    plan.sealed()
}

pub(crate) fn source(name: &str, path: &Path) -> Source {
    Source {
        name: name.into(),
        hash: ContentHash("00".repeat(32)),
        size: 4,
        format: "WAV 16 bit".into(),
        ..Source::in_place(&path.display().to_string(), SampleRate(48_000), 2, Frames(1000))
    }
}

/// The names in a folder, sorted.
pub(crate) fn names(dir: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(dir).unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Copies the current state of a folder, as a crash would leave it.
pub(crate) fn frozen(dir: &Path, to: &Path) -> PathBuf {
    std::fs::create_dir_all(to).unwrap();
    for name in names(dir) {
        if dir.join(&name).is_file() {
            std::fs::copy(dir.join(&name), to.join(&name)).unwrap();
        }
    }
    to.to_owned()
}
