//! Schedules and sources for the tests of this crate.
//!
//! Thread: any

use crate::schedule::{Level, Output, Schedule, SourceKey, Strip, StripKey, Voice, VoiceKey};
use deskhand_dsp::{
    ClipEnvelope, Decibels, Fade, FrameReader, Frames, Polarity, ReadError, SampleRate,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicIsize, Ordering};

/// The rate of all test schedules.
pub(crate) const RATE: SampleRate = SampleRate(48_000);

/// A clip of source `key` with short fades; all voices read from their timeline position on.
pub(crate) fn voice(key: u64, position: i64, length: i64) -> Voice {
    let envelope = ClipEnvelope {
        gain: Decibels::UNITY,
        polarity: Polarity::Normal,
        fade_in: Fade { length: Frames(0), ..Fade::default() },
        fade_out: Fade { length: Frames(0), ..Fade::default() },
        length: Frames(length),
    };
    Voice {
        key: VoiceKey(key),
        source: SourceKey(key),
        source_start: Frames(position),
        position: Frames(position),
        envelope,
        volume: Arc::default(),
    }
}

/// A track to the master at unity.
pub(crate) fn strip(key: u64, voices: Vec<Voice>) -> Strip {
    Strip::new(StripKey(key), Level::UNITY, Output::Master, voices)
}

pub(crate) fn schedule(strips: Vec<Strip>) -> Schedule {
    Schedule::new(RATE, Level::UNITY, strips).unwrap()
}

/// A sine of its own frequency per source: 100 Hz times (key + 1), amplitude 0.25, endless;
/// the right channel is the negative of the left.
pub(crate) struct Sine(pub(crate) SourceKey);

/// Opens a [`Sine`].
pub(crate) fn sines(key: SourceKey) -> Result<Box<dyn FrameReader>, ReadError> {
    Ok(Box::new(Sine(key)))
}

pub(crate) fn sine(key: SourceKey, at: i64) -> f32 {
    let hertz = 100.0 * (key.0 + 1) as f64;
    (0.25 * (std::f64::consts::TAU * hertz * at as f64 / f64::from(RATE.0)).sin()) as f32
}

impl FrameReader for Sine {
    fn channels(&self) -> usize {
        2
    }
    fn frames(&self) -> Frames {
        Frames(1 << 40)
    }
    fn rate(&self) -> SampleRate {
        RATE
    }
    fn read(&mut self, at: Frames, out: &mut [&mut [f32]]) -> Result<usize, ReadError> {
        for (channel, sign) in out.iter_mut().zip([1.0, -1.0]) {
            for (n, sample) in (at.0..).zip(channel.iter_mut()) {
                *sample = sign * sine(self.0, n);
            }
        }
        Ok(out[0].len())
    }
}

/// A sine that counts how many of its kind are open.
pub(crate) struct Counted {
    sine: Sine,
    open: &'static AtomicIsize,
}

impl Counted {
    pub(crate) fn new(sine: Sine, open: &'static AtomicIsize) -> Self {
        open.fetch_add(1, Ordering::Relaxed);
        Self { sine, open }
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.open.fetch_sub(1, Ordering::Relaxed);
    }
}

impl FrameReader for Counted {
    fn channels(&self) -> usize {
        self.sine.channels()
    }
    fn frames(&self) -> Frames {
        self.sine.frames()
    }
    fn rate(&self) -> SampleRate {
        self.sine.rate()
    }
    fn read(&mut self, at: Frames, out: &mut [&mut [f32]]) -> Result<usize, ReadError> {
        self.sine.read(at, out)
    }
}
