//! What a file is made of: the mix or a track, a part of the timeline, and a limiter over it.

use crate::targets::Delivery;
use deskhand_dsp::effects::{Effect, Limiter, Power, Unit};
use deskhand_dsp::envelope::Envelope;
use deskhand_dsp::loudness::{Levels, LoudnessProfile};
use deskhand_dsp::{Decibels, FrameReader, Frames, ReadError, SampleRate};
use deskhand_session::digest::digest;
use deskhand_session::{ObjectId, Read};
use deskhand_toolkit::{PlanContext, ToolError};
use serde::Serialize;
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};

/// Part of every cache key: change it when a measurement would give other numbers.
const ALGORITHM: u32 = 1;
/// Share of the hops below the noise floor.
const FLOOR_SHARE: f64 = 0.1;
/// How near the level has to come, in dB, and in how many renders at most.
const NEAR: f64 = 0.05;
const RENDERS: usize = 5;
/// The range of the gain in front of a limiter, in dB.
const MOST_GAIN: f64 = 30.0;
const RELEASE_MS: f64 = 100.0;
/// No more gain.
pub(super) const AS_IT_IS: f64 = 0.0;

/// What a file is made of.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Sound {
    /// The session for the mix, or a track.
    pub(super) what: ObjectId,
    pub(super) start: Frames,
    pub(super) end: Frames,
    limiter: Option<Limiter>,
}

/// The levels of some audio, and the level of its pauses in dBFS.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Measured {
    pub(super) levels: Levels,
    pub(super) floor: Option<f64>,
}

impl Measured {
    pub(super) fn of(profile: &LoudnessProfile, gain: Decibels) -> Self {
        let floor = Envelope::from(profile).noise_floor(FLOOR_SHARE);
        Self { levels: profile.levels(gain), floor: floor.map(|floor| (floor + gain).0) }
    }
}

impl Sound {
    pub(super) fn new(what: ObjectId, range: Range<Frames>) -> Self {
        Self { what, start: range.start, end: range.end, limiter: None }
    }

    /// Opens it at `rate`.
    pub(super) fn open(
        &self,
        context: &PlanContext,
        rate: SampleRate,
    ) -> Result<Box<dyn FrameReader>, ReadError> {
        let whole = context.audio.render(&context.session, self.what)?;
        let part = Box::new(Part { whole, start: self.start, end: self.end });
        let part = deskhand_media::resampled(part, rate);
        let part = part.map_err(|error| ReadError(error.to_string()))?;
        Ok(match self.limiter {
            Some(limiter) => Box::new(Limited::new(part, limiter)),
            None => part,
        })
    }

    /// Its levels with `more` gain in dB, from the cache if the same audio was measured before.
    pub(super) fn measured(&self, context: &PlanContext, more: f64) -> Result<Measured, ToolError> {
        let session = &context.session;
        let gain = session.gain_of(self.what);
        let is_mix = self.what == session.id.into();
        let is_all = self.start == Frames::ZERO && self.end == session.heard_end();
        if is_mix && is_all && self.limiter.is_none() {
            let gain = Decibels(gain.0 + more);
            return Ok(Measured::of(&context.profile(self.what)?, gain));
        }
        let audio = Read::audio(session, self.what).digest;
        let key = digest(&("export", ALGORITHM, audio, gain, self));
        let key = key.trim_start_matches("blake3:");
        let known = context.cache.get(key);
        let known = known.and_then(|bytes| LoudnessProfile::from_bytes(&bytes).ok());
        let profile = match known {
            Some(profile) => profile,
            None => self.profile(context)?,
        };
        context.cache.put(key, &profile.to_bytes());
        Ok(Measured::of(&profile, Decibels(more)))
    }

    fn profile(&self, context: &PlanContext) -> Result<LoudnessProfile, ToolError> {
        let open = || self.open(context, context.session.rate);
        let mut go_on = |_| match context.check() {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        };
        // What a processor does depends on what it heard before.
        let one = NonZeroUsize::MIN;
        let all = Frames::ZERO..Frames(i64::MAX);
        let profile = deskhand_media::measure_profile(&open, all, one, &mut go_on);
        profile.map_err(|error| context.check().err().unwrap_or_else(|| ToolError::media(error)))
    }

    /// The same through a limiter with this ceiling in dBTP, as loud as `wanted` asks for; unchanged if no peak
    /// reaches the ceiling. `report` hears how far the search is, 0 to 1.
    pub(super) fn limited(
        self,
        context: &PlanContext,
        (wanted, ceiling): (Option<Delivery>, f64),
        report: &dyn Fn(f64),
    ) -> Result<Self, ToolError> {
        let now = self.measured(context, AS_IT_IS)?.levels;
        let off = |levels: &Levels| {
            let off = wanted.and_then(|it| Some(it.level() - it.measured(levels)?));
            off.unwrap_or(0.0)
        };
        let mut gain = off(&now).clamp(-MOST_GAIN, MOST_GAIN);
        if now.true_peak.is_none_or(|peak| peak.0 + gain <= ceiling) {
            return Ok(self);
        }
        let (mut best, mut least) = (self.clone(), f64::MAX);
        for pass in 0..RENDERS {
            report(pass as f64 / RENDERS as f64);
            let drive = Decibels(gain).rounded();
            let limiter =
                Limiter { gain: drive, ceiling: Decibels(ceiling), release_ms: RELEASE_MS };
            let tried = Self { limiter: Some(limiter), ..self.clone() };
            let miss = off(&tried.measured(context, AS_IT_IS)?.levels);
            if miss.abs() < least {
                (best, least) = (tried, miss.abs());
            }
            let next = (gain + miss).clamp(-MOST_GAIN, MOST_GAIN);
            if miss.abs() <= NEAR || (next - gain).abs() < NEAR / 10.0 {
                break;
            }
            gain = next;
        }
        Ok(best)
    }

    /// The gain in front of its limiter, in dB; `None` without one.
    pub(super) fn drive(&self) -> Option<f64> {
        self.limiter.map(|limiter| limiter.gain.0)
    }
}

/// A part of the timeline; silence after the end of the audio.
struct Part {
    whole: Box<dyn FrameReader>,
    start: Frames,
    end: Frames,
}

impl FrameReader for Part {
    fn channels(&self) -> usize {
        self.whole.channels()
    }

    fn frames(&self) -> Frames {
        self.end - self.start
    }

    fn rate(&self) -> SampleRate {
        self.whole.rate()
    }

    fn read(&mut self, at: Frames, out: &mut [&mut [f32]]) -> Result<usize, ReadError> {
        let wanted = out.first().map_or(0, |plane| plane.len());
        let wanted = wanted.min((self.frames() - at).index());
        let from = self.start + at;
        let mut part: Vec<&mut [f32]> =
            out.iter_mut().filter_map(|plane| plane.get_mut(..wanted)).collect();
        let is_inside = from < self.whole.frames();
        let read = if is_inside { self.whole.read(from, &mut part)? } else { 0 };
        part.iter_mut().filter_map(|plane| plane.get_mut(read..)).for_each(|rest| rest.fill(0.0));
        Ok(wanted)
    }
}

/// Stereo audio through a limiter, in time with itself. It is read from its start on.
struct Limited {
    inner: Box<dyn FrameReader>,
    unit: Unit,
    latency: Frames,
    /// The frame that comes next.
    next: Frames,
}

impl Limited {
    fn new(inner: Box<dyn FrameReader>, limiter: Limiter) -> Self {
        let effect = Effect::Limiter(limiter);
        let latency = Frames::from_index(effect.latency(inner.rate()));
        let unit = Unit::new(&effect, Power::On, inner.rate());
        // No read comes there: the first one fills the limiter.
        Self { unit, latency, inner, next: Frames(-1) }
    }

    fn pass(&mut self, from: Frames, frames: usize) -> Result<Vec<Vec<f32>>, ReadError> {
        let planes = deskhand_toolkit::audio::stretch(self.inner.as_mut(), from, frames);
        let mut planes = planes.map_err(|error| ReadError(error.to_string()))?;
        let [left, right] = planes.as_mut_slice() else {
            return Err(ReadError("the limiter needs two channels".into()));
        };
        self.unit.process(left, right);
        Ok(planes)
    }
}

impl FrameReader for Limited {
    fn channels(&self) -> usize {
        self.inner.channels()
    }

    fn frames(&self) -> Frames {
        self.inner.frames()
    }

    fn rate(&self) -> SampleRate {
        self.inner.rate()
    }

    fn read(&mut self, at: Frames, out: &mut [&mut [f32]]) -> Result<usize, ReadError> {
        if at != self.next {
            self.unit.reset();
            self.pass(at, self.latency.index())?;
        }
        let wanted = out.first().map_or(0, |plane| plane.len());
        let wanted = wanted.min((self.frames() - at).index());
        let planes = self.pass(at + self.latency, wanted)?;
        for (out, plane) in out.iter_mut().zip(&planes) {
            if let Some(out) = out.get_mut(..wanted) {
                out.copy_from_slice(plane);
            }
        }
        self.next = at + Frames::from_index(wanted);
        Ok(wanted)
    }
}
