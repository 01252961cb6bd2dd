//! A session in a folder of its own, and calls of tools through the real readers and the real engine.

use crate::sound;
use deskhand_bounce::SessionAudio;
use deskhand_dsp::{Decibels, SampleRate};
use deskhand_media::Opener;
use deskhand_session::apply::inverses;
use deskhand_session::digest::canonical;
use deskhand_session::{Author, RevisionId, Session, SessionId};
use deskhand_store::Store;
use deskhand_toolkit::levels::level_of;
use deskhand_toolkit::registry::{Registry, validate};
use deskhand_toolkit::{CancelToken, Draft, NoCache, PlanContext, Progress, Request, ToolError};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;

/// A session with its audio files.
pub(crate) struct Desk {
    pub(crate) session: Session,
    /// Where the audio files are.
    pub(crate) audio: PathBuf,
    registry: Registry,
    base: u64,
    _folder: TempDir,
}

struct NoProgress;

impl Progress for NoProgress {
    fn report(&self, fraction: f64, what: &str) {
        assert!((0.0..=1.0).contains(&fraction), "{fraction} at {what}");
    }
}

impl Desk {
    /// Builds what `session.json` describes: `rate`, `files` and `texts` (only written), `tracks` with
    /// `clips`, and `setup`, calls that are applied one after another. `{"copy_to", "setup"}` among them
    /// makes a copy of the session in a folder next to the files, and applies further calls to it.
    pub(crate) fn new(spec: &Value) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let rate = spec["rate"].as_u64().map_or(48_000, |rate| rate as u32);
        let audio = folder.path().canonicalize().unwrap();
        let session = Session::new(SessionId::new(1), SampleRate(rate));
        let registry = Registry::new(deskhand_bridge::all_tools());
        let mut desk = Self { session, audio, registry, base: 0, _folder: folder };
        for file in list(&spec["files"]) {
            desk.write(file);
        }
        for text in list(&spec["texts"]) {
            desk.write_text(text);
        }
        for track in list(&spec["tracks"]) {
            desk.track(track);
        }
        desk.set_up(&spec["setup"]);
        desk
    }

    fn set_up(&mut self, calls: &Value) {
        for call in list(calls) {
            if let Some(name) = call["copy_to"].as_str() {
                self.copy_to(name, &call["setup"]);
                continue;
            }
            let params = self.with_paths(&call["params"]);
            self.done(call["tool"].as_str().unwrap(), &params);
        }
    }

    /// Writes the session as somebody else continues it; here it stays the same.
    fn copy_to(&mut self, name: &str, calls: &Value) {
        let own = (self.session.clone(), self.base);
        self.set_up(calls);
        let (store, _) = Store::create(&self.audio.join(name), &self.session).unwrap();
        store.close().unwrap();
        (self.session, self.base) = own;
    }

    fn track(&mut self, track: &Value) {
        let kind = track["kind"].as_str().unwrap_or("audio");
        self.done("cmd_add_track", &json!({"name": track["name"], "kind": kind}));
        for clip in list(&track["clips"]) {
            let at = clip["at_s"].as_f64().unwrap_or(0.0);
            let file = self.write(clip);
            self.done(
                "import_audio",
                &json!({"files": [file], "track": track["name"], "at_s": at}),
            );
        }
    }

    /// Writes the audio of `{"name", "audio", "channels"?, "rate"?}`, or copies a `recording` of `tests/audio`; returns its
    /// path.
    fn write(&self, spec: &Value) -> String {
        if let Some(recording) = spec["recording"].as_str() {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("audio");
            let path = self.audio.join(recording);
            std::fs::copy(folder.join(recording), &path).unwrap();
            return path.to_str().unwrap().to_owned();
        }
        let path = self.audio.join(format!("{}.wav", spec["name"].as_str().unwrap()));
        let rate = spec["rate"].as_u64().map_or(self.session.rate, |rate| SampleRate(rate as u32));
        let channels = spec["channels"].as_u64().map_or(1, |channels| channels as usize);
        sound::write(&path, &spec["audio"], rate, channels);
        path.to_str().unwrap().to_owned()
    }

    /// Writes a file `{"name": "talk.srt", "text": "…"}`, such as a transcript for the setup to import.
    fn write_text(&self, spec: &Value) {
        let path = self.audio.join(spec["name"].as_str().unwrap());
        std::fs::write(path, spec["text"].as_str().unwrap()).unwrap();
    }

    /// `params` with `AUDIO` in texts replaced by the folder of the files, `SEGMENT_1` by the id of the segment that
    /// comes first, and `PHRASE_1` by the id of the first phrase of the assembly.
    pub(crate) fn with_paths(&self, params: &Value) -> Value {
        let mut text = params.to_string().replace("AUDIO", self.audio.to_str().unwrap());
        let mut segments: Vec<_> = self.session.segments.iter().collect();
        segments.sort_by_key(|(id, segment)| (segment.source, segment.start, **id));
        for (number, (id, _)) in segments.into_iter().enumerate().rev() {
            text = text.replace(&format!("SEGMENT_{}", number + 1), &id.to_string());
        }
        for (number, id) in self.session.assembly.order.iter().enumerate().rev() {
            text = text.replace(&format!("PHRASE_{}", number + 1), &id.to_string());
        }
        serde_json::from_str(&text).unwrap()
    }

    fn done(&mut self, tool: &str, params: &Value) {
        let draft =
            self.call(tool, params).unwrap_or_else(|e| panic!("setup: {tool} {params}: {e}"));
        self.apply(&draft).unwrap();
    }

    /// Calls a tool as the bridge does: schema, prepare, run.
    pub(crate) fn call(&self, tool: &str, params: &Value) -> Result<Draft, ToolError> {
        let tool = self.registry.get(tool)?;
        validate(tool.as_ref(), params)?;
        let request = Request { session: &self.session, base: RevisionId(self.base), params };
        let prepared = tool.prepare(&request)?;
        prepared.task.run(&self.context(tool.spec().name, params))
    }

    /// The same call, which tells `progress` how far it is and listens to `cancel`.
    pub(crate) fn watched(
        &self,
        tool: &str,
        params: &Value,
        progress: Arc<dyn Progress>,
        cancel: &CancelToken,
    ) -> Result<Draft, ToolError> {
        let tool = self.registry.get(tool)?;
        let request = Request { session: &self.session, base: RevisionId(self.base), params };
        let task = tool.prepare(&request)?.task;
        let context = self.context(tool.spec().name, params);
        task.run(&PlanContext { progress, cancel: cancel.clone(), ..context })
    }

    fn context(&self, tool: &'static str, params: &Value) -> PlanContext {
        let opener = Opener::in_process();
        PlanContext {
            session: Arc::new(self.session.clone()),
            base: RevisionId(self.base),
            tool,
            // Ids derive from the parameters; the folder, which is another each time, must not count.
            params: canonical(params).replace(&*self.audio.to_string_lossy(), "AUDIO"),
            mix_is_heard: true,
            audio: Arc::new(SessionAudio::new(&self.audio, opener.clone())),
            cache: Arc::new(NoCache),
            opener,
            folder: self.audio.clone(),
            cancel: CancelToken::new(Duration::from_secs(600)),
            progress: Arc::new(NoProgress),
            made_ms: Default::default(),
            author: Author::User,
            finished: Default::default(),
            faults: Default::default(),
        }
    }

    /// Applies a plan.
    pub(crate) fn apply(&mut self, draft: &Draft) -> Result<(), String> {
        let changes = draft.changes.iter().map(|planned| &planned.change);
        self.session = self.session.with(changes).map_err(|error| error.to_string())?;
        self.base += 1;
        Ok(())
    }

    /// The session with an applied plan taken back.
    pub(crate) fn taken_back(&self, draft: &Draft) -> Result<Session, String> {
        let changes: Vec<_> = draft.changes.iter().map(|planned| planned.change.clone()).collect();
        self.session.with(&inverses(&changes)).map_err(|error| error.to_string())
    }

    /// Measures all that an applied plan promised, through the engine.
    pub(crate) fn check_promises(&self, draft: &Draft) -> Result<(), String> {
        let context = self.context("check", &Value::Null);
        for promise in &draft.predicted {
            let profile = context.measure(&self.session, promise.target);
            let levels = profile.map_err(|error| error.to_string())?.levels(Decibels::UNITY);
            let found = level_of(&levels, promise.measure);
            let holds =
                found.is_some_and(|found| (found - promise.value).abs() <= promise.tolerance);
            if !holds {
                return Err(format!("promised {promise:?}, measured {found:?}"));
            }
        }
        Ok(())
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}
