//! A hub that serves a new session, with the conversation that answers offline, and a person at it.

use deskhand_agent::provider::{Config, process_environment};
use deskhand_agent::talk::{Settings, Talk};
use deskhand_bounce::SessionAudio;
use deskhand_bridge::{Bridge, Hub, NoRenderer, Parts};
use deskhand_dsp::SampleRate;
use deskhand_editor::Model;
use deskhand_media::{BitDepth, Opener, WavWriter};
use deskhand_protocol::{Apply, Op};
use deskhand_session::{Session, SessionId};
use deskhand_standalone::sound::Choice;
use deskhand_standalone::{Desk, OpenSession, Wake};
use deskhand_store::Store;
use deskhand_toolkit::{NoCache, Pool, Registry};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const PATIENCE: Duration = Duration::from_secs(60);
pub(crate) const RATE: SampleRate = SampleRate(48_000);

pub(crate) struct Seat {
    pub(crate) open: OpenSession,
    pub(crate) model: Model,
    pub(crate) folder: PathBuf,
    woken: Receiver<()>,
    _hub: Hub,
    _tmp: TempDir,
}

impl Seat {
    pub(crate) fn new() -> Self {
        let tmp = tempfile::tempdir().unwrap();
        let folder = tmp.path().join("session");
        let hub = serve(&folder);
        let (open, model, woken) = sit_down(&folder);
        Self { open, model, folder: tmp.path().to_owned(), woken, _hub: hub, _tmp: tmp }
    }

    /// The window is closed, and another one opened.
    pub(crate) fn closed_and_opened(self) -> Self {
        let Self { open, folder, _hub, _tmp, .. } = self;
        open.leave().into_iter().for_each(|thread| thread.join().unwrap());
        let (open, model, woken) = sit_down(&folder.join("session"));
        Self { open, model, folder, woken, _hub, _tmp }
    }

    /// Calls a command or tool that is applied at once.
    pub(crate) fn call(&mut self, tool: &str, params: Value) {
        let op = Op::Call { tool: tool.into(), params, apply: Apply::Now };
        self.open.submit(&mut self.model, op);
    }

    /// What a frame of a window does.
    pub(crate) fn frame(&mut self) {
        self.open.hear(&mut self.model).unwrap();
        self.open.show(&mut self.model);
    }

    /// Draws frames until `done`. Between them it waits for news, and `meanwhile` goes on.
    #[track_caller]
    pub(crate) fn until(
        &mut self,
        what: &str,
        mut meanwhile: impl FnMut(),
        done: impl Fn(&Model) -> bool,
    ) {
        let started = Instant::now();
        loop {
            self.frame();
            meanwhile();
            if done(&self.model) {
                return;
            }
            assert!(started.elapsed() < PATIENCE, "{what} did not happen");
            self.woken.recv_timeout(Duration::from_millis(20)).ok();
        }
    }

    /// Imports a tone of 3 kHz at -12 dBFS, 10 s long.
    pub(crate) fn import_tone(&mut self) {
        let file = self.folder.join("tone.wav");
        write_tone(&file);
        self.call("import_audio", serde_json::json!({ "files": [file] }));
    }
}

/// Opens the session in `folder`. The receiver gets a message when there is news.
fn sit_down(folder: &Path) -> (OpenSession, Model, Receiver<()>) {
    let (told, woken) = channel();
    let news = told.clone();
    let desk = Desk::open(folder, move || news.send(()).unwrap_or_default()).unwrap();
    let told = std::sync::Mutex::new(told);
    let wake: Wake = Arc::new(move || told.lock().unwrap().send(()).unwrap_or_default());
    let open = OpenSession::new(desk, Choice::default(), wake).unwrap();
    let mut model = Model::new();
    Model::start().into_iter().for_each(|op| open.submit(&mut model, op));
    (open, model, woken)
}

fn serve(folder: &Path) -> Hub {
    let (store, loaded) = Store::create(folder, &Session::new(SessionId::new(7), RATE)).unwrap();
    let opener = Opener::in_process();
    let parts = Parts {
        registry: Registry::new(deskhand_bridge::all_tools()),
        pool: Pool::new(2),
        audio: Arc::new(SessionAudio::new(folder, opener.clone())),
        cache: Arc::new(NoCache),
        opener,
        folder: folder.to_owned(),
        renderer: Arc::new(NoRenderer),
        opened: vec![folder.parent().unwrap().to_owned()],
    };
    let mut hub = Hub::start(Bridge::new(store, loaded, parts), None).unwrap();
    let config = Config::parse("", Path::new("config.toml"), &process_environment).unwrap();
    let local_only = Arc::new(AtomicBool::new(true));
    let settings = Settings { config, local_only, on_sent: Box::new(|_| {}) };
    let link = hub.door().conversation().unwrap();
    Talk::start(Box::new(link), settings).unwrap();
    hub.listen().unwrap();
    hub
}

pub(crate) fn write_tone(path: &Path) {
    let tone = tone(480_000);
    let mut file = WavWriter::create(path, RATE, 2, BitDepth::F32).unwrap();
    file.write(&[&tone, &tone]).unwrap();
    file.finish().unwrap();
}

/// The tone that is imported; also the probe for clicks.
pub(crate) fn tone(frames: usize) -> Vec<f32> {
    (0..frames).map(|n| 0.25 * (n as f32 % 16.0 * std::f32::consts::FRAC_PI_8).sin()).collect()
}
