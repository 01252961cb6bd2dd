//! One clip of a test tone, for `deskhand tools check`: a tool is called on it as a session would call it.

use crate::candidate::Candidate;
use crate::launch::Launcher;
use crate::manifest::Takes;
use crate::tool::External;
use deskhand_dsp::{Decibels, FrameReader, Frames, ReadError, SampleRate};
use deskhand_media::Opener;
use deskhand_session::digest::canonical;
use deskhand_session::{
    Author, Clip, ClipId, ContentHash, ObjectId, RevisionId, Session, SessionId, Source, SourceId,
    Track, TrackId,
};
use deskhand_toolkit::{
    Audio, CallRequest, CancelToken, Draft, NoCache, PlanContext, Progress, Tool, ToolError,
};
use serde_json::Value;
use std::f64::consts::TAU;
use std::path::Path;
use std::sync::Arc;

/// What the tone is, for people.
pub const TONE: &str = "a clip of 2 s: 440 Hz left, 660 Hz right, -6 dBFS, at 48000 Hz";

const RATE: SampleRate = SampleRate(48_000);
const SECONDS: i64 = 2;
const TRACK: TrackId = TrackId::new(1);
const SOURCE: SourceId = SourceId::new(1);
const CLIP: ClipId = ClipId::new(1);

/// The result of a check.
#[derive(Debug)]
pub struct Checked {
    /// The parameters that were given.
    pub params: Value,
    pub draft: Draft,
    /// Each file that was made.
    pub made: Vec<Made>,
}

/// A file that was made.
#[derive(Clone, Debug, PartialEq)]
pub struct Made {
    /// Its path below the folder of the check.
    pub file: String,
    /// Length in seconds.
    pub seconds: f64,
    pub channels: usize,
    /// The highest sample; `None` for silence.
    pub peak: Option<Decibels>,
}

/// Calls a tool on the tone, in `folder`. Its program runs: ask the person before.
///
/// # Errors
/// As calls in a session.
pub fn check(
    candidate: Candidate,
    launcher: &Launcher,
    params: Option<Value>,
    folder: &Path,
    cancel: CancelToken,
    progress: Arc<dyn Progress>,
) -> Result<Checked, ToolError> {
    let takes = candidate.manifest.takes;
    let tool = External::new(candidate, launcher.clone());
    let first = tool.spec().examples.first().cloned().unwrap_or_default();
    let params = params.unwrap_or(first);
    let call = on_the_tone(params.clone(), takes);
    let session = session();
    let base = RevisionId(0);
    let prepared = tool.prepare(&CallRequest {
        session: &session,
        base,
        params: &call,
        inputs: &Default::default(),
    })?;
    let context = PlanContext {
        session: Arc::new(session),
        base,
        tool: tool.spec().name,
        params: canonical(&call),
        mix_is_heard: true,
        audio: Arc::new(Tone),
        cache: Arc::new(NoCache),
        opener: Opener::in_process(),
        folder: folder.to_owned(),
        cancel,
        progress,
        made_ms: Default::default(),
        author: Author::User,
        finished: Default::default(),
        faults: Default::default(),
    };
    let draft = prepared.task.run(&context)?;
    let files = draft.artifacts.iter().map(|artifact| artifact.path.as_str());
    let made = files.map(|file| measured(folder, file)).collect::<Result<_, _>>()?;
    Ok(Checked { params, draft, made })
}

fn on_the_tone(mut params: Value, takes: Takes) -> Value {
    if let (Takes::Clips, Some(params)) = (takes, params.as_object_mut()) {
        params.entry("targets").or_insert("all".into());
    }
    params
}

fn measured(folder: &Path, file: &str) -> Result<Made, ToolError> {
    let mut reader = deskhand_media::open(&folder.join(file)).map_err(ToolError::media)?;
    let channels = reader.channels();
    let (mut at, mut peak) = (Frames::ZERO, 0f32);
    let mut block = vec![vec![0.0f32; 1 << 14]; channels];
    while at < reader.frames() {
        let mut planes: Vec<&mut [f32]> = block.iter_mut().map(Vec::as_mut_slice).collect();
        let read = reader.read(at, &mut planes).map_err(ToolError::media)?;
        if read == 0 {
            break;
        }
        let samples = block.iter().filter_map(|plane| plane.get(..read)).flatten();
        peak = samples.fold(peak, |peak, sample| peak.max(sample.abs()));
        at += Frames::from_index(read);
    }
    let seconds = reader.frames().seconds(reader.rate()).0;
    let peak = Decibels::from_amplitude(f64::from(peak));
    Ok(Made { file: file.to_owned(), seconds, channels, peak })
}

/// A track "Tone" with one clip of the same name, which is selected by nobody.
fn session() -> Session {
    let mut session = Session::new(SessionId::new(1), RATE);
    session.tracks.insert(TRACK, Track::audio("Tone"));
    session.track_order.push(TRACK);
    let length = Frames(SECONDS * i64::from(RATE.0));
    session.sources.insert(
        SOURCE,
        Source {
            name: "Tone".into(),
            hash: ContentHash("0".repeat(64)),
            size: 1,
            format: "WAV 32-bit float".into(),
            ..Source::in_place("/tone.wav", RATE, 2, length)
        },
    );
    session.clips.insert(CLIP, Clip::new("Tone", TRACK, SOURCE, length));
    session
}

/// The tone itself, computed.
struct Tone;

impl Audio for Tone {
    fn source(&self, _: &Session, _: SourceId) -> Result<Box<dyn FrameReader>, ReadError> {
        Ok(Box::new(Self))
    }

    fn render(&self, _: &Session, _: ObjectId) -> Result<Box<dyn FrameReader>, ReadError> {
        Ok(Box::new(Self))
    }
}

impl FrameReader for Tone {
    fn channels(&self) -> usize {
        2
    }

    fn frames(&self) -> Frames {
        Frames(SECONDS * i64::from(RATE.0))
    }

    fn rate(&self) -> SampleRate {
        RATE
    }

    fn read(&mut self, at: Frames, out: &mut [&mut [f32]]) -> Result<usize, ReadError> {
        let left = (self.frames() - at).index();
        let count = out.first().map_or(0, |plane| plane.len()).min(left);
        for (plane, hz) in out.iter_mut().zip([440.0, 660.0]) {
            for (n, sample) in plane.iter_mut().take(count).enumerate() {
                let time = (at.0 as f64 + n as f64) / f64::from(RATE.0);
                *sample = (Decibels(-6.0).amplitude() * (TAU * hz * time).sin()) as f32;
            }
        }
        Ok(count)
    }
}
