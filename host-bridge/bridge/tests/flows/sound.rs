//! A session of three tracks whose audio is in memory, with two ways to disturb it.

use deskhand_bridge::{RenderOrder, RenderedFile, Renderer};
use deskhand_dsp::gain::ClipEnvelope;
use deskhand_dsp::{Decibels, Fade, FrameReader, Frames, ReadError, SampleRate};
use deskhand_media::WavWriter;
use deskhand_session::tool_error::ToolError;
use deskhand_session::{
    Clip, ClipId, ContentHash, Media, ObjectId, Session, SessionId, Source, SourceId, Track,
    TrackId,
};
use deskhand_toolkit::{Audio, MeasurementCache};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex};

pub(crate) const RATE: SampleRate = SampleRate(48_000);
/// A file that is always there, in place of the originals: nobody reads it.
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
/// All clips are this long.
const LENGTH: usize = 48_000;

pub(crate) const DRUMS: TrackId = TrackId::new(1);
pub(crate) const BASS: TrackId = TrackId::new(2);
pub(crate) const VOCALS: TrackId = TrackId::new(3);
pub(crate) const KICK: ClipId = ClipId::new(1);
pub(crate) const RIFF: ClipId = ClipId::new(2);
pub(crate) const VERSE: ClipId = ClipId::new(3);

/// Three tracks with a clip each.
pub(crate) fn session() -> Session {
    let mut session = Session::new(SessionId::new(7), RATE);
    for (number, (track, clip)) in
        [("Drums", "Kick"), ("Bass", "Riff"), ("Vocals", "Verse")].into_iter().enumerate()
    {
        let number = number as u64 + 1;
        let id = TrackId::new(number);
        session.track_order.push(id);
        session.tracks.insert(id, Track::audio(track));
        let source = SourceId::new(number);
        session.sources.insert(source, self::source(clip, number));
        let clip = Clip {
            name: clip.into(),
            track: id,
            source,
            start: Frames::ZERO,
            length: Frames::from_index(LENGTH),
            position: Frames::ZERO,
            gain: Decibels::UNITY,
            fade_in: Fade::default(),
            fade_out: Fade::default(),
            envelope: Vec::new(),
            polarity: Default::default(),
            mute: false,
        };
        session.clips.insert(ClipId::new(number), clip);
    }
    session
}

fn source(name: &str, number: u64) -> Source {
    Source {
        name: format!("{name}.wav"),
        hash: ContentHash(format!("{number:064x}")),
        path: FILE.into(),
        size: std::fs::metadata(FILE).unwrap().len(),
        modified_ns: 0,
        format: "WAV 32-bit float".into(),
        rate: RATE,
        channels: 1,
        channel: None,
        frames: Frames::from_index(LENGTH),
        origin: None,
        same_sound: Vec::new(),
        media: Media::InPlace,
    }
}

/// Noise for every source, quieter by 6 dB from one to the next.
#[derive(Default)]
pub(crate) struct Sound {
    /// Gain on every source that is opened from now on: audio that differs from the measured one.
    drift: Mutex<Decibels>,
    gate: Mutex<Gate>,
    opened: Condvar,
}

#[derive(Default)]
struct Gate {
    is_closed: bool,
    waiting: usize,
}

impl Sound {
    /// Sources opened from now on sound this much louder.
    pub(crate) fn drift(&self, by: Decibels) {
        *self.drift.lock().unwrap() = by;
    }

    /// Whoever opens audio waits.
    pub(crate) fn close_gate(&self) {
        self.gate.lock().unwrap().is_closed = true;
    }

    /// Nobody waits any more.
    pub(crate) fn open_gate(&self) {
        self.gate.lock().unwrap().is_closed = false;
        self.opened.notify_all();
    }

    /// How many wait.
    pub(crate) fn waiting(&self) -> usize {
        self.gate.lock().unwrap().waiting
    }

    fn pass(&self) {
        let mut gate = self.gate.lock().unwrap();
        gate.waiting += 1;
        while gate.is_closed {
            gate = self.opened.wait(gate).unwrap();
        }
        gate.waiting -= 1;
    }

    /// The noise of a source; a recording is read from its file.
    fn plane(&self, session: &Session, id: SourceId) -> Vec<f32> {
        let recorded = session.sources.get(&id).filter(|source| source.origin.is_some());
        if let Some(source) = recorded {
            return whole(Path::new(&source.path));
        }
        let drift = self.drift.lock().unwrap().amplitude() as f32;
        let amplitude = drift * 0.5f32.powi(id.bits() as i32);
        noise(id.bits() as u32).map(|sample| sample * amplitude).collect()
    }
}

/// The first channel of a file.
fn whole(file: &Path) -> Vec<f32> {
    let mut reader = deskhand_media::open(file).unwrap();
    let mut planes = vec![vec![0.0f32; reader.frames().index()]; reader.channels()];
    let mut out: Vec<&mut [f32]> = planes.iter_mut().map(Vec::as_mut_slice).collect();
    let mut at = 0;
    while at < out[0].len() {
        let mut rest: Vec<&mut [f32]> = out.iter_mut().map(|plane| &mut plane[at..]).collect();
        at += reader.read(Frames::from_index(at), &mut rest).unwrap();
    }
    planes.swap_remove(0)
}

fn noise(seed: u32) -> impl Iterator<Item = f32> {
    let mut state = seed;
    let next = move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / 8_388_608.0 - 1.0
    };
    std::iter::repeat_with(next).take(LENGTH)
}

impl Audio for Sound {
    fn source(&self, session: &Session, id: SourceId) -> Result<Box<dyn FrameReader>, ReadError> {
        self.pass();
        Ok(Box::new(Memory(vec![self.plane(session, id)])))
    }

    fn render(&self, session: &Session, what: ObjectId) -> Result<Box<dyn FrameReader>, ReadError> {
        self.pass();
        let mut mix = vec![0.0; session.end().index()];
        for (id, track) in &session.tracks {
            let gain = match what {
                ObjectId::Track(wanted) if wanted == *id => track.gain,
                ObjectId::Session(_) if session.is_audible(*id) => track.gain + session.master_gain,
                _ => continue,
            };
            for (_, clip) in session.clips_on(*id) {
                self.add(session, clip, gain, &mut mix);
            }
        }
        Ok(Box::new(Memory(vec![mix.clone(), mix])))
    }
}

impl Sound {
    fn add(&self, session: &Session, clip: &Clip, gain: Decibels, mix: &mut [f32]) {
        let envelope = ClipEnvelope {
            gain: clip.gain + gain,
            polarity: clip.polarity,
            fade_in: clip.fade_in,
            fade_out: clip.fade_out,
            length: clip.length,
        };
        let (start, length) = (clip.start.index(), clip.length.index());
        let mut region = self.plane(session, clip.source)[start..start + length].to_vec();
        envelope.apply(Frames::ZERO, &mut [&mut region]);
        let place = &mut mix[clip.position.index()..][..length];
        place.iter_mut().zip(region).for_each(|(sum, sample)| *sum += sample);
    }
}

struct Memory(Vec<Vec<f32>>);

impl FrameReader for Memory {
    fn channels(&self) -> usize {
        self.0.len()
    }

    fn frames(&self) -> Frames {
        Frames::from_index(self.0[0].len())
    }

    fn rate(&self) -> SampleRate {
        RATE
    }

    fn read(&mut self, at: Frames, out: &mut [&mut [f32]]) -> Result<usize, ReadError> {
        let at = at.index().min(self.0[0].len());
        let frames = out[0].len().min(self.0[0].len() - at);
        for (out, plane) in out.iter_mut().zip(&self.0) {
            out[..frames].copy_from_slice(&plane[at..at + frames]);
        }
        Ok(frames)
    }
}

impl Renderer for Sound {
    fn render(
        &self,
        session: &Session,
        order: &RenderOrder,
        go_on: &mut dyn FnMut(f64) -> ControlFlow<()>,
    ) -> Result<RenderedFile, ToolError> {
        let mut mix = Audio::render(self, session, session.id.into()).map_err(ToolError::media)?;
        if go_on(0.5).is_break() {
            return Err(ToolError::media("stopped"));
        }
        let frames = order.range.end - order.range.start;
        let (mut left, mut right) = (vec![0.0; frames.index()], vec![0.0; frames.index()]);
        mix.read(order.range.start, &mut [&mut left, &mut right]).map_err(ToolError::media)?;
        let file = WavWriter::create(&order.path, session.rate, 2, order.depth);
        let mut file = file.map_err(ToolError::media)?;
        file.write(&[&left, &right]).map_err(ToolError::media)?;
        file.finish().map_err(ToolError::media)?;
        Ok(RenderedFile { path: order.path.clone(), frames, clipped: 0, nonfinite: 0 })
    }
}

/// Measurements in memory.
#[derive(Default)]
pub(crate) struct MemoryCache(Mutex<BTreeMap<String, Vec<u8>>>);

impl MeasurementCache for MemoryCache {
    fn get(&self, key: &str) -> Option<Vec<u8>> {
        self.0.lock().unwrap().get(key).cloned()
    }

    fn put(&self, key: &str, bytes: &[u8]) {
        self.0.lock().unwrap().insert(key.into(), bytes.into());
    }
}

pub(crate) fn shared() -> (Arc<Sound>, Arc<MemoryCache>) {
    (Arc::default(), Arc::default())
}
