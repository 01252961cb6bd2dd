//! For tests: a session with recordings in memory, and calls of tools as the bridge makes them.

use deskhand_dsp::{FrameReader, Frames, ReadError, SampleRate};
use deskhand_session::digest::canonical;
use deskhand_session::{
    Author, Change, Clip, ClipId, ContentHash, ObjectId, Provisional, RevisionId, Session,
    SessionId, Source, SourceId, Track, TrackId,
};
use deskhand_toolkit::{
    Audio, CallRequest, CancelToken, Draft, NoCache, PlanContext, Progress, Registry, ToolError,
};
use parking_lot::Mutex;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// A session, and the folder it lies in.
pub(crate) struct Desk {
    pub(crate) session: Session,
    folder: tempfile::TempDir,
    sounds: BTreeMap<SourceId, Vec<f32>>,
    /// How many recordings were opened.
    pub(crate) opened: Arc<AtomicUsize>,
}

/// Sources in memory; those without sound are silent. Counts how many are opened.
struct Silence(BTreeMap<SourceId, Vec<f32>>, Arc<AtomicUsize>);

struct Quiet(Frames, SampleRate, Vec<f32>);

impl FrameReader for Quiet {
    fn channels(&self) -> usize {
        1
    }

    fn frames(&self) -> Frames {
        self.0
    }

    fn rate(&self) -> SampleRate {
        self.1
    }

    fn read(&mut self, at: Frames, out: &mut [&mut [f32]]) -> Result<usize, ReadError> {
        let left = (self.0 - at).max(Frames::ZERO).index();
        let count = out.first().map_or(0, |channel| channel.len()).min(left);
        for (index, value) in out[0][..count].iter_mut().enumerate() {
            *value = self.2.get(at.index() + index).copied().unwrap_or(0.0);
        }
        Ok(count)
    }
}

impl Audio for Silence {
    fn source(&self, session: &Session, id: SourceId) -> Result<Box<dyn FrameReader>, ReadError> {
        self.1.fetch_add(1, Ordering::Relaxed);
        let sound = self.0.get(&id).cloned().unwrap_or_default();
        Ok(Box::new(Quiet(session.sources[&id].frames, session.rate, sound)))
    }

    fn render(&self, _: &Session, _: ObjectId) -> Result<Box<dyn FrameReader>, ReadError> {
        Err(ReadError("nothing is played here".into()))
    }
}

/// Keeps the shown findings.
#[derive(Default)]
pub(crate) struct Shown(pub(crate) Mutex<Vec<Provisional>>);

impl Progress for Shown {
    fn report(&self, fraction: f64, _: &str) {
        assert!((0.0..=1.0).contains(&fraction));
    }

    fn provisional(&self, found: &[Provisional], _: &mut dyn FnMut() -> Draft) {
        self.0.lock().extend(found.iter().cloned());
    }
}

impl Desk {
    pub(crate) fn new(rate: u32) -> Self {
        let session = Session::new(SessionId::new(1), SampleRate(rate));
        Self {
            session,
            folder: tempfile::tempdir().unwrap(),
            sounds: BTreeMap::new(),
            opened: Arc::default(),
        }
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Adds a recording with this many frames.
    pub(crate) fn source(&mut self, name: &str, frames: i64) -> SourceId {
        let id = SourceId::new(self.session.sources.len() as u64 + 1);
        let source = Source {
            name: name.into(),
            hash: ContentHash(format!("{:064x}", id.bits())),
            size: 1,
            format: "WAV 32-bit float".into(),
            ..Source::in_place(&format!("/audio/{name}"), self.session.rate, 1, Frames(frames))
        };
        self.session.sources.insert(id, source);
        id
    }

    /// What a recording sounds like.
    pub(crate) fn sound(&mut self, source: SourceId, sound: Vec<f32>) {
        self.sounds.insert(source, sound);
    }

    /// Adds a track with a clip of `source`: `length` frames from `start` on, at `position`.
    pub(crate) fn clip(&mut self, name: &str, source: SourceId, at: [i64; 3]) -> ClipId {
        let [start, length, position] = at.map(Frames);
        let track = TrackId::new(self.session.tracks.len() as u64 + 1);
        self.session.tracks.insert(track, Track::audio(name));
        self.session.track_order.push(track);
        let id = ClipId::new(self.session.clips.len() as u64 + 1);
        let clip = Clip { start, position, ..Clip::new(name, track, source, length) };
        self.session.clips.insert(id, clip);
        id
    }

    /// Calls a tool as the bridge does: schema, prepare, run.
    pub(crate) fn call(&self, tool: &str, params: Value) -> Result<Draft, ToolError> {
        let registry = Registry::new(crate::all());
        let tool = registry.get(tool)?;
        let request = CallRequest {
            session: &self.session,
            base: RevisionId(0),
            params: &params,
            inputs: &Default::default(),
        };
        let prepared = tool.prepare(&request)?;
        prepared.task.run(&self.context(tool.spec().name, &params, Arc::new(Shown::default())))
    }

    pub(crate) fn context(
        &self,
        tool: &'static str,
        params: &Value,
        progress: Arc<dyn Progress>,
    ) -> PlanContext {
        PlanContext {
            session: Arc::new(self.session.clone()),
            base: RevisionId(0),
            tool,
            params: canonical(params),
            mix_is_heard: true,
            audio: Arc::new(Silence(self.sounds.clone(), Arc::clone(&self.opened))),
            cache: Arc::new(NoCache),
            opener: deskhand_media::Opener::in_process(),
            folder: self.folder.path().join("session"),
            cancel: CancelToken::new(Duration::from_secs(600)),
            progress,
            made_ms: Default::default(),
            author: Author::User,
            finished: Mutex::default(),
            faults: Mutex::default(),
        }
    }

    /// Applies a plan.
    pub(crate) fn apply(&mut self, draft: &Draft) {
        let changes: Vec<&Change> = draft.changes.iter().map(|planned| &planned.change).collect();
        self.session = self.session.with(changes).unwrap();
    }
}
