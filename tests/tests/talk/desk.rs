//! A hub with the real tools over a session of tones, a conversation with a scripted model, and a person.

use crate::model::Model;
use deskhand_agent::provider::{Config, process_environment};
use deskhand_agent::talk::{Settings, Talk};
use deskhand_bounce::SessionAudio;
use deskhand_bridge::{Bridge, Hub, NoRenderer, Parts, PersonFront};
use deskhand_dsp::SampleRate;
use deskhand_media::Opener;
use deskhand_protocol::desk::TurnEnd;
use deskhand_protocol::{Apply, CallId, Decision, Event, Link, News, Op, Read, Status, ToolResult};
use deskhand_session::{PlanId, Session, SessionId};
use deskhand_store::Store;
use deskhand_toolkit::{NoCache, Pool, Registry};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tempfile::TempDir;

const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct Desk {
    pub(crate) person: PersonFront,
    pub(crate) heard: Vec<Event>,
    /// How many ends of turns were taken.
    ended: usize,
    pub(crate) sent: Arc<Mutex<Vec<String>>>,
    hub: Hub,
    folder: PathBuf,
    _tmp: TempDir,
}

impl Desk {
    /// A session with these tracks, each with one clip of a tone at -20 dBFS.
    pub(crate) fn new(model: &Model, tracks: &[&str]) -> Self {
        let tmp = tempfile::tempdir().unwrap();
        let folder = tmp.path().join("session");
        let session = Session::new(SessionId::new(7), SampleRate(48_000));
        let opened = Store::create(&folder, &session).unwrap();
        let mut desk = Self::over(opened, &model.config(), tmp, &folder);
        let audio = folder.parent().unwrap().join("tone.wav");
        write_tone(&audio);
        for name in tracks {
            desk.now("cmd_add_track", json!({"name": name}));
            let track = desk.track(name);
            desk.now("import_audio", json!({"files": [audio], "track": track}));
        }
        desk
    }

    fn over(
        (store, loaded): (Store, deskhand_store::Loaded),
        config: &str,
        tmp: TempDir,
        folder: &Path,
    ) -> Self {
        let opener = Opener::in_process();
        let parts = Parts {
            registry: Registry::new(deskhand_bridge::all_tools()),
            pool: Pool::new(2),
            audio: Arc::new(SessionAudio::new(folder, opener.clone())),
            cache: Arc::new(NoCache),
            opener,
            folder: folder.to_owned(),
            renderer: Arc::new(NoRenderer),
            opened: Vec::new(),
        };
        let mut bridge = Bridge::new(store, loaded, parts);
        let (sent, local_only) =
            (Arc::new(Mutex::new(Vec::new())), Arc::new(AtomicBool::new(false)));
        bridge.share_local_only(Arc::clone(&local_only));
        let hub = Hub::start(bridge, None).unwrap();
        let config = Config::parse(config, Path::new("config.toml"), &process_environment).unwrap();
        let log = Arc::clone(&sent);
        let settings = Settings {
            config,
            local_only,
            on_sent: Box::new(move |sent| log.lock().unwrap().push(sent.to_string())),
        };
        Talk::start(Box::new(hub.door().conversation().unwrap()), settings).unwrap();
        let person = hub.door().person().unwrap();
        Self {
            person,
            heard: Vec::new(),
            ended: 0,
            sent,
            hub,
            folder: folder.to_owned(),
            _tmp: tmp,
        }
    }

    /// Ends the hub and opens the session again.
    pub(crate) fn reopened(self, model: &Model) -> Self {
        let Self { person, hub, folder, _tmp, .. } = self;
        drop(person);
        hub.stop().unwrap();
        Self::reopened_with(folder, _tmp, &model.config())
    }

    fn reopened_with(folder: PathBuf, tmp: TempDir, config: &str) -> Self {
        Self::over(Store::open(&folder).unwrap(), config, tmp, &folder)
    }

    /// The same session with another configuration.
    pub(crate) fn configured(self, config: &str) -> Self {
        let Self { person, hub, folder, _tmp, .. } = self;
        drop(person);
        hub.stop().unwrap();
        Self::reopened_with(folder, _tmp, config)
    }

    /// Ends the hub, and gives every byte that is left in the session folder.
    pub(crate) fn left_behind(self) -> (Vec<u8>, TempDir) {
        let Self { person, hub, folder, _tmp, .. } = self;
        drop(person);
        hub.stop().unwrap();
        let mut bytes = Vec::new();
        let mut folders = vec![folder];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    bytes.extend(std::fs::read(path).unwrap());
                }
            }
        }
        (bytes, _tmp)
    }

    /// Waits for the next event that `pick` takes.
    pub(crate) fn until<T>(&mut self, mut pick: impl FnMut(&Event) -> Option<T>) -> T {
        loop {
            let event = Link::events(&self.person).recv_timeout(PATIENCE).expect("an event");
            self.heard.push(event.clone());
            if let Some(found) = pick(&event) {
                return found;
            }
        }
    }

    pub(crate) fn answer(&mut self, call: CallId) -> ToolResult {
        self.until(|event| match &event.news {
            News::Done { result } if event.call == Some(call) => Some((**result).clone()),
            _ => None,
        })
    }

    pub(crate) fn ask(&mut self, op: Op) -> ToolResult {
        let call = self.person.submit(op);
        self.answer(call)
    }

    pub(crate) fn now(&mut self, tool: &str, params: Value) -> ToolResult {
        let result = self.ask(Op::Call { tool: tool.into(), params, apply: Apply::Now });
        assert_eq!(result.status, deskhand_protocol::Status::Applied, "{tool}: {result:?}");
        result
    }

    pub(crate) fn decide(&mut self, plan: PlanId, decision: Decision) -> ToolResult {
        self.ask(Op::Decide { plan, decision })
    }

    /// Says something, with the person there to decide.
    pub(crate) fn say(&mut self, text: &str) {
        self.say_as(text, true);
    }

    pub(crate) fn say_as(&mut self, text: &str, attended: bool) {
        let said = self.ask(Op::Say { text: text.into(), provider: None, attended });
        assert!(said.error.is_none(), "{said:?}");
    }

    /// The next plan that waits.
    pub(crate) fn review(&mut self) -> deskhand_session::Plan {
        self.until(|event| match &event.news {
            News::Review { plan } => Some((**plan).clone()),
            _ => None,
        })
    }

    /// The end of the turn.
    pub(crate) fn end(&mut self) -> TurnEnd {
        // A turn may end before the answer to the decision that it waited for.
        let place = self.ended;
        self.ended += 1;
        let ends = |heard: &[Event]| {
            let ends = heard.iter().filter_map(|event| match &event.news {
                News::TurnEnded { end } => Some(end.clone()),
                _ => None,
            });
            ends.collect::<Vec<_>>()
        };
        loop {
            if let Some(end) = ends(&self.heard).get(place) {
                return end.clone();
            }
            self.until(|event| matches!(event.news, News::TurnEnded { .. }).then_some(()));
        }
    }

    pub(crate) fn session(&mut self) -> Session {
        let answer = self.ask(Op::Read { what: Read::Snapshot }).answer.unwrap();
        serde_json::from_value(answer["session"].clone()).unwrap()
    }

    pub(crate) fn read(&mut self, what: Read) -> Value {
        self.ask(Op::Read { what }).answer.unwrap()
    }

    fn track(&mut self, name: &str) -> Value {
        let session = self.session();
        let found = session.tracks.iter().find(|(_, track)| track.name == name);
        json!(found.unwrap().0)
    }

    pub(crate) fn gain(&mut self, name: &str) -> f64 {
        let session = self.session();
        session.tracks.values().find(|track| track.name == name).unwrap().gain.0
    }

    /// The person turns the switch of the session.
    pub(crate) fn local_only(&mut self, on: bool) {
        let turned = self.ask(Op::LocalOnly { on });
        assert_eq!(turned.status, Status::Ok, "{turned:#?}");
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }
}

/// Half a second of 1 kHz at -20 dBFS, 48 kHz, 16 bit, mono.
fn write_tone(path: &Path) {
    write_parts(path, &[(0.5, 1_000.0)]);
}

/// Sines of -20 dBFS one after another, by seconds and Hz; 0 Hz is silence. 48 kHz, 16 bit, mono.
pub(crate) fn write_parts(path: &Path, parts: &[(f64, f64)]) {
    let wave = |hz: f64, n: u32| (f64::from(n) * hz * std::f64::consts::TAU / 48_000.0).sin();
    let samples: Vec<u8> = parts
        .iter()
        .flat_map(|(seconds, hz)| {
            (0..(seconds * 48_000.0).round() as u32).map(|n| wave(*hz, n) * 3_276.7)
        })
        .flat_map(|sample| (sample as i16).to_le_bytes())
        .collect();
    let mut wav = b"RIFF".to_vec();
    wav.extend((36 + samples.len() as u32).to_le_bytes());
    wav.extend(b"WAVEfmt ");
    for word in [16u32, 0x0001_0001, 48_000, 96_000, 0x0010_0002] {
        wav.extend(word.to_le_bytes());
    }
    wav.extend(b"data");
    wav.extend((samples.len() as u32).to_le_bytes());
    wav.extend(samples);
    std::fs::write(path, wav).unwrap();
}
