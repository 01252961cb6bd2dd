//! A bridge over a session folder, as the command line has it.

use deskhand_bounce::SessionAudio;
use deskhand_bridge::{Bridge, NoRenderer, Parts, PersonFront};
use deskhand_dsp::SampleRate;
use deskhand_media::Opener;
use deskhand_protocol::{Apply, News, Op, ToolResult};
use deskhand_session::track::PlacedTrack;
use deskhand_session::{Change, Edit, Session, SessionId, Track, TrackId};
use deskhand_store::{Cache, Loaded, Store};
use deskhand_toolkit::{MeasurementCache, Pool, Registry};
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;

pub(crate) const TRACK: TrackId = TrackId::new(1);

/// A session with one track.
pub(crate) fn session() -> Session {
    let empty = Session::new(SessionId::new(7), SampleRate(48_000));
    let track = Track::audio("Dialogue");
    let placed = PlacedTrack { index: 0, track };
    empty.with(&[Change::AddTrack(Edit::create(TRACK, placed))]).unwrap()
}

/// An open session.
pub(crate) struct Desk {
    pub(crate) bridge: Bridge,
    pub(crate) audio: SessionAudio,
    person: PersonFront,
}

struct FolderCache(Cache);

impl MeasurementCache for FolderCache {
    fn get(&self, key: &str) -> Option<Vec<u8>> {
        self.0.get(key)
    }

    fn put(&self, key: &str, bytes: &[u8]) {
        self.0.put(key, bytes);
    }
}

impl Desk {
    pub(crate) fn create(dir: &Path) -> Self {
        let (store, loaded) = Store::create(dir, &session()).unwrap();
        Self::over(store, loaded)
    }

    pub(crate) fn open(dir: &Path) -> Self {
        let (store, loaded) = Store::open(dir).unwrap();
        Self::over(store, loaded)
    }

    fn over(store: Store, loaded: Loaded) -> Self {
        let folder = store.dir().to_owned();
        let opener = Opener::in_process();
        let audio = SessionAudio::new(&folder, opener.clone());
        let parts = Parts {
            registry: Registry::new(deskhand_bridge::all_tools()),
            pool: Pool::new(2),
            audio: Arc::new(audio.clone()),
            cache: Arc::new(FolderCache(store.cache())),
            opener,
            folder,
            renderer: Arc::new(NoRenderer),
            opened: Vec::new(),
        };
        let mut bridge = Bridge::new(store, loaded, parts);
        let person = bridge.connect_person();
        Self { bridge, audio, person }
    }

    /// A submission, answered.
    pub(crate) fn ask(&mut self, op: Op) -> ToolResult {
        let call = self.person.submit(op);
        let events = || self.person.events().collect();
        self.bridge.pump_until_done(call, events, &mut |_| {})
    }

    /// A call that is applied with it.
    pub(crate) fn now(&mut self, tool: &str, params: Value) -> ToolResult {
        let (tool, apply) = (tool.into(), Apply::Now);
        self.ask(Op::Call { tool, params, apply })
    }

    /// Waits for the background work on media. Returns the messages about failures.
    pub(crate) fn settle_media(&mut self) -> Vec<String> {
        while self.bridge.conforming() > 0 {
            self.bridge.pump_next();
        }
        let told = self.person.events().filter_map(|event| {
            if let News::Media { failed, .. } = event.news { failed } else { None }
        });
        told.collect()
    }
}
