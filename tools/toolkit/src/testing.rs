//! For tests of the tool crates: sessions whose audio is in memory, and calls of tools as the bridge makes them.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod recordings;
pub mod talk;

use crate::audio::stretch;
use crate::levels::level_of;
use crate::{
    Audio, CallRequest, CancelToken, ClipReader, Draft, MeasurementCache, PlanContext, Progress,
    Registry, Tool, ToolError,
};
use deskhand_dsp::effects::{Power, Unit};
use deskhand_dsp::{Decibels, FrameReader, Frames, ReadError, SampleRate};
use deskhand_session::digest::canonical;
use deskhand_session::{
    Author, Clip, ClipId, ContentHash, InsertOwner, Marker, MarkerId, Media, ObjectId, Output,
    Plan, PlanId, PlannedChange, RevisionId, Session, SessionId, Source, SourceId, Track, TrackId,
};
use parking_lot::Mutex;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// The rate of these sessions.
pub const RATE: SampleRate = SampleRate(48_000);

/// A second of frames.
pub const SECOND: i64 = 48_000;

/// A plan of these changes and nothing else.
pub fn plan_of(changes: &[PlannedChange]) -> Plan {
    Plan {
        format: String::new(),
        id: PlanId::new(0),
        digest: String::new(),
        tool: String::new(),
        params: Value::Null,
        session: SessionId::new(1),
        base_revision: RevisionId(0),
        summary: String::new(),
        changes: changes.to_vec(),
        parts: Vec::new(),
        reads: Vec::new(),
        findings: Vec::new(),
        predicted: Vec::new(),
        artifacts: Vec::new(),
        warnings: Vec::new(),
        notes: Vec::new(),
        offers: Vec::new(),
        derived_from: None,
    }
}

type Planes = Arc<Vec<Vec<f32>>>;

/// A session with audio in memory, and a cache that counts measurements.
pub struct Desk {
    /// The session as it is.
    pub session: Session,
    /// The author of calls.
    pub author: Author,
    tools: Registry,
    audio: Arc<MemoryAudio>,
    cache: Arc<CountingCache>,
    base: u64,
    folder: tempfile::TempDir,
}

#[derive(Default)]
struct MemoryAudio {
    planes: Mutex<BTreeMap<SourceId, Planes>>,
    opened: AtomicUsize,
}

#[derive(Default)]
struct CountingCache(Mutex<BTreeMap<String, Vec<u8>>>);

struct NoProgress;

impl Progress for NoProgress {
    fn report(&self, fraction: f64, _: &str) {
        assert!((0.0..=1.0).contains(&fraction));
    }
}

impl MeasurementCache for CountingCache {
    fn get(&self, key: &str) -> Option<Vec<u8>> {
        self.0.lock().get(key).cloned()
    }

    fn put(&self, key: &str, bytes: &[u8]) {
        self.0.lock().insert(key.into(), bytes.into());
    }
}

impl Desk {
    /// An empty session at [`RATE`], and the tools to call.
    pub fn new(tools: Vec<Arc<dyn Tool>>) -> Self {
        Self::at(RATE, tools)
    }

    /// The same at another rate.
    pub fn at(rate: SampleRate, tools: Vec<Arc<dyn Tool>>) -> Self {
        Self {
            session: Session::new(SessionId::new(1), rate),
            author: Author::User,
            tools: Registry::new(tools),
            audio: Arc::default(),
            cache: Arc::default(),
            base: 0,
            folder: tempfile::tempdir().unwrap(),
        }
    }

    /// Adds a track.
    pub fn track(&mut self, track: Track) -> TrackId {
        let id = TrackId::new(self.session.tracks.len() as u64 + 1);
        self.session.tracks.insert(id, track);
        self.session.track_order.push(id);
        id
    }

    /// Adds a source with `planes`.
    pub fn source(&mut self, name: &str, planes: Vec<Vec<f32>>) -> SourceId {
        let id = SourceId::new(self.session.sources.len() as u64 + 1);
        let source = Source {
            name: name.into(),
            hash: ContentHash(format!("{:064x}", id.bits())),
            path: format!("/audio/{name}"),
            size: 1,
            modified_ns: 0,
            format: "WAV 32-bit float".into(),
            rate: self.session.rate,
            channels: planes.len() as u16,
            channel: None,
            frames: Frames::from_index(planes[0].len()),
            origin: None,
            same_sound: Vec::new(),
            media: Media::InPlace,
        };
        self.session.sources.insert(id, source);
        self.audio.planes.lock().insert(id, Arc::new(planes));
        id
    }

    /// Adds a clip with all of a new mono source at `position`.
    pub fn clip(&mut self, track: TrackId, name: &str, position: i64, mono: Vec<f32>) -> ClipId {
        let length = Frames::from_index(mono.len());
        let source = self.source(&format!("{name}.wav"), vec![mono]);
        let id = ClipId::new(self.session.clips.len() as u64 + 1);
        let clip = Clip {
            name: name.into(),
            track,
            source,
            start: Frames::ZERO,
            length,
            position: Frames(position),
            gain: Decibels::UNITY,
            fade_in: deskhand_dsp::Fade::default(),
            fade_out: deskhand_dsp::Fade::default(),
            envelope: Vec::new(),
            polarity: Default::default(),
            mute: false,
        };
        self.session.clips.insert(id, clip);
        id
    }

    /// Calls a tool as the bridge does: schema, prepare, run.
    pub fn call(&self, tool: &str, params: Value) -> Result<Draft, ToolError> {
        let tool = self.tools.get(tool)?;
        let base = RevisionId(self.base);
        let request = CallRequest {
            session: &self.session,
            base,
            params: &params,
            inputs: &Default::default(),
        };
        let prepared = tool.prepare(&request)?;
        prepared.task.run(&self.context(tool.spec().name, &params))
    }

    /// The context of a call.
    pub fn context(&self, tool: &'static str, params: &Value) -> PlanContext {
        PlanContext {
            session: Arc::new(self.session.clone()),
            base: RevisionId(self.base),
            tool,
            params: canonical(params),
            mix_is_heard: true,
            audio: self.audio.clone(),
            cache: self.cache.clone(),
            opener: deskhand_media::Opener::in_process(),
            folder: self.folder.path().join("session"),
            cancel: CancelToken::new(Duration::from_secs(600)),
            progress: Arc::new(NoProgress),
            made_ms: Default::default(),
            author: self.author,
            finished: Mutex::default(),
            faults: Mutex::default(),
        }
    }

    /// Calls a tool, which must give a plan.
    pub fn plan(&self, tool: &str, params: Value) -> Draft {
        self.call(tool, params).unwrap_or_else(|error| panic!("{tool}: {error}"))
    }

    /// Calls a tool, which must fail; its code and its text.
    pub fn refusal(&self, tool: &str, params: Value) -> String {
        match self.call(tool, params) {
            Ok(draft) => panic!("{tool} gave a plan: {}", draft.summary),
            Err(error) => error.to_string(),
        }
    }

    /// Applies a draft and measures everything that it promised.
    pub fn apply(&mut self, draft: &Draft) {
        let changes = draft.changes.iter().map(|planned| &planned.change);
        self.session = self.session.with(changes).unwrap();
        self.base += 1;
        let context = self.context("check", &Value::Null);
        for promise in &draft.predicted {
            let profile = context.measure(&self.session, promise.target).unwrap();
            let level = level_of(&profile.levels(Decibels::UNITY), promise.measure).unwrap();
            let off = (level - promise.value).abs();
            assert!(off <= promise.tolerance, "{promise:?} but measured {level}");
        }
    }

    /// Plans, applies, checks the predictions, and checks that planning again changes nothing.
    pub fn settle(&mut self, tool: &str, params: &Value) -> Draft {
        let draft = self.plan(tool, params.clone());
        self.apply(&draft);
        let again = self.plan(tool, params.clone());
        assert_eq!(again.changes, [], "planning again: {}", again.summary);
        draft
    }

    /// What the clip called `name` plays.
    pub fn heard(&self, name: &str) -> Vec<Vec<f32>> {
        let clip = self.session.clips.values().find(|clip| clip.name == name).unwrap();
        let source = self.audio.source(&self.session, clip.source).unwrap();
        let mut reader = ClipReader::new(source, clip);
        let mut planes = vec![vec![0.0; clip.length.index()]; reader.channels()];
        let mut out: Vec<&mut [f32]> = planes.iter_mut().map(Vec::as_mut_slice).collect();
        reader.read(Frames::ZERO, &mut out).unwrap();
        planes
    }

    /// Plans and applies a call, and returns the names of its changes.
    pub fn ops(&mut self, tool: &str, params: Value) -> Vec<&'static str> {
        let draft = self.settle_once(tool, params);
        draft.changes.iter().map(|planned| planned.change.op()).collect()
    }

    /// Plans and applies a call that would not plan the same twice.
    pub fn settle_once(&mut self, tool: &str, params: Value) -> Draft {
        let draft = self.plan(tool, params);
        self.apply(&draft);
        draft
    }

    /// How many measurements were made.
    pub fn measurements(&self) -> usize {
        self.cache.0.lock().len()
    }
}

impl Audio for MemoryAudio {
    fn source(&self, session: &Session, id: SourceId) -> Result<Box<dyn FrameReader>, ReadError> {
        self.opened.fetch_add(1, Ordering::Relaxed);
        let source = session.sources.get(&id);
        if let Some(source) = source.filter(|source| std::path::Path::new(&source.path).is_file()) {
            let opener = deskhand_media::Opener::in_process().track(source.hash.track());
            let opened = opener.open_at(source.path.as_ref(), session.rate);
            return opened.map_err(|error| ReadError(error.to_string()));
        }
        let planes = self.planes.lock().get(&id).cloned();
        let planes = planes.ok_or_else(|| ReadError(format!("{id} has no audio")))?;
        Ok(Box::new(MemoryReader(planes, session.rate)))
    }

    fn render(&self, session: &Session, what: ObjectId) -> Result<Box<dyn FrameReader>, ReadError> {
        let mut mix = vec![vec![0.0; session.end().index()]; 2];
        for clip in session.clips.values().filter(|clip| !clip.mute) {
            let gain = gain_to(session, clip.track, what);
            self.add(session, clip, gain, &mut mix)?;
            if what == clip.track.into() {
                process(session, InsertOwner::Track(clip.track), Decibels::UNITY, &mut mix);
                ride(session, clip.track, &mut mix);
            }
        }
        if what == session.id.into() {
            process(session, InsertOwner::Master, session.master_gain, &mut mix);
        }
        Ok(Box::new(MemoryReader(Arc::new(mix), session.rate)))
    }
}

/// Sound through the processors of its owner. They come before a gain that is already applied.
fn process(session: &Session, owner: InsertOwner, gain: Decibels, mix: &mut [Vec<f32>]) {
    let gain = gain.amplitude() as f32;
    let [left, right] = mix else { return };
    for (_, insert) in session.inserts_on(owner) {
        let mut unit = Unit::new(&insert.effect, Power::On, RATE);
        let late = insert.effect.latency(RATE);
        for side in [&mut *left, &mut *right] {
            side.iter_mut().for_each(|sample| *sample /= gain);
            side.extend(vec![0.0; late]);
        }
        unit.process(left, right);
        for side in [&mut *left, &mut *right] {
            side.drain(..late);
            side.iter_mut().for_each(|sample| *sample *= gain);
        }
    }
}

impl MemoryAudio {
    fn add(
        &self,
        session: &Session,
        clip: &Clip,
        gain: Option<Decibels>,
        mix: &mut [Vec<f32>],
    ) -> Result<(), ReadError> {
        let Some(gain) = gain else { return Ok(()) };
        let mut reader = ClipReader::new(self.source(session, clip.source)?, clip);
        let mut planes = vec![vec![0.0; clip.length.index()]; reader.channels()];
        let mut out: Vec<&mut [f32]> = planes.iter_mut().map(Vec::as_mut_slice).collect();
        reader.read(Frames::ZERO, &mut out)?;
        for (channel, plane) in mix.iter_mut().enumerate() {
            let input = &planes[channel.min(planes.len() - 1)];
            let place = &mut plane[clip.position.index()..clip.end().index()];
            for (sum, sample) in place.iter_mut().zip(input) {
                *sum += sample * gain.amplitude() as f32;
            }
        }
        Ok(())
    }
}

/// The gain over time of a track that has one clip.
fn ride(session: &Session, track: TrackId, mix: &mut [Vec<f32>]) {
    let points = &session.tracks[&track].envelope;
    let mut planes: Vec<&mut [f32]> = mix.iter_mut().map(Vec::as_mut_slice).collect();
    if !points.is_empty() {
        deskhand_dsp::volume::apply(points, Frames::ZERO, &mut planes);
    }
}

/// The gain from a track to the output of a track, bus or the mix; `None` if it does not get there.
fn gain_to(session: &Session, track: TrackId, what: ObjectId) -> Option<Decibels> {
    let mut gain = Decibels::UNITY;
    for step in session.path_of(track) {
        gain += session.tracks[&step].gain;
        if what == step.into() {
            return Some(gain);
        }
        // A muted track does not reach its bus.
        if session.tracks[&step].mute {
            return None;
        }
    }
    (what == session.id.into() && session.is_audible(track)).then(|| gain + session.master_gain)
}

struct MemoryReader(Planes, SampleRate);

impl FrameReader for MemoryReader {
    fn channels(&self) -> usize {
        self.0.len()
    }

    fn frames(&self) -> Frames {
        Frames::from_index(self.0[0].len())
    }

    fn rate(&self) -> SampleRate {
        self.1
    }

    fn read(&mut self, at: Frames, out: &mut [&mut [f32]]) -> Result<usize, ReadError> {
        let from = at.index().min(self.0[0].len());
        let count = out[0].len().min(self.0[0].len() - from);
        for (plane, out) in self.0.iter().zip(out) {
            out[..count].copy_from_slice(&plane[from..from + count]);
        }
        Ok(count)
    }
}

/// A sine of `hz` with its peak at `dbfs`.
pub fn tone(hz: f64, dbfs: f64, seconds: f64) -> Vec<f32> {
    let amplitude = Decibels(dbfs).amplitude();
    let step = std::f64::consts::TAU * hz / f64::from(RATE.0);
    (0..(seconds * f64::from(RATE.0)) as usize)
        .map(|n| (amplitude * (step * n as f64).sin()) as f32)
        .collect()
}

/// White noise, uniform, with an RMS of `dbfs`; the same every time.
pub fn noise(dbfs: f64, seconds: f64) -> Vec<f32> {
    let amplitude = Decibels(dbfs).amplitude() * 3f64.sqrt();
    let mut state = 12_345u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(state >> 8) / 8_388_608.0 - 1.0
    };
    (0..(seconds * f64::from(RATE.0)) as usize).map(|_| (amplitude * next()) as f32).collect()
}

/// What sounds like somebody who speaks in sentences, the same for the same seed: noise below 4 kHz in syllables, with
/// pauses.
pub fn talk(seed: u64, seconds: usize) -> Vec<f32> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut noise = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        ((state >> 11) as f64 / (1u64 << 52) as f64 - 1.0) as f32
    };
    let mut out = Vec::new();
    while out.len() < seconds * 48_000 {
        for _ in 0..5 + (noise().abs() * 10.0) as usize {
            let steps = 500 + (noise().abs() * 500.0) as usize;
            let gain = |n: usize| 0.4 * (std::f32::consts::PI * n as f32 / steps as f32).sin();
            out.extend((0..steps).flat_map(|n| [gain(n) * noise(); 12]));
        }
        out.extend(vec![0.0; 48_000 + (noise().abs() * 96_000.0) as usize]);
    }
    out.truncate(seconds * 48_000);
    out
}

/// Stretches one after another.
pub fn joined(parts: &[Vec<f32>]) -> Vec<f32> {
    parts.concat()
}

/// A voice track with two clips, a bus that it plays to, a guitar, and the marker "Bridge".
pub fn voice_and_guitar(tools: Vec<Arc<dyn Tool>>) -> Desk {
    let mut desk = Desk::new(tools);
    let voice = desk.track(Track::audio("Voice"));
    let bus = desk.track(Track::bus("Bus"));
    let guitar = desk.track(Track::audio("Guitar"));
    desk.session.tracks.get_mut(&voice).unwrap().output = Output::Bus(bus);
    desk.clip(voice, "Verse", 0, tone(200.0, -20.0, 4.0));
    desk.clip(voice, "Chorus", 6 * SECOND, tone(200.0, -20.0, 4.0));
    desk.clip(guitar, "Riff", 2 * SECOND, tone(200.0, -20.0, 4.0));
    let (position, length) = (Frames(3 * SECOND), Frames::ZERO);
    let marker = Marker { name: "Bridge".into(), position, length, code: None };
    desk.session.markers.insert(MarkerId::new(1), marker);
    desk
}

/// Three sentences that somebody reads aloud, 16 s.
pub fn real_speech() -> Vec<f32> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/audio/dialogue-1.flac");
    let mut reader = deskhand_media::open_at(&path, RATE).unwrap();
    let frames = reader.frames().index();
    stretch(reader.as_mut(), Frames::ZERO, frames).unwrap().remove(0)
}
