//! A stretch of a source that plays alone, in place of the instance's other sound: a take next to another,
//! or some words.
//!
//! Thread: any. The audio thread touches only the atomic.

use crate::port::HubPort;
use crate::voice::Wants;
use deskhand_dsp::Frames;
use deskhand_session::SourceId;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A source, the first frame and the frame after the last, at the session's rate.
pub(crate) type Stretch = (SourceId, Frames, Frames);

/// What the window asks for, and how far it is.
#[derive(Default)]
pub(crate) struct Alone {
    asked: Mutex<Asked>,
    /// The way to a new audio side.
    port: Mutex<Option<HubPort>>,
    is_heard: AtomicBool,
}

#[derive(Default)]
struct Asked {
    stretch: Option<Stretch>,
    /// The frame of the source that is heard.
    at: Frames,
    trouble: Option<String>,
}

fn lock<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Alone {
    /// Asks for a stretch; `None` ends it.
    pub(crate) fn ask(&self, stretch: Option<Stretch>) {
        let at = stretch.map_or(Frames::ZERO, |(_, from, _)| from);
        *lock(&self.asked) = Asked { stretch, at, trouble: None };
    }

    pub(crate) fn asked(&self) -> Option<Stretch> {
        lock(&self.asked).stretch
    }

    /// The requested stretch, and the frame of the source that plays.
    pub(crate) fn place(&self) -> Option<(Stretch, Frames)> {
        let asked = lock(&self.asked);
        asked.stretch.map(|stretch| (stretch, asked.at))
    }

    /// Says how far `stretch` is, if it is still asked for.
    pub(crate) fn reached(&self, stretch: Stretch, at: Frames) {
        let mut asked = lock(&self.asked);
        if asked.stretch == Some(stretch) {
            asked.at = at;
        }
    }

    /// `stretch` is over, if it is still asked for; or it cannot be heard, and why.
    pub(crate) fn ended(&self, stretch: Stretch, trouble: Option<String>) {
        let mut asked = lock(&self.asked);
        if asked.stretch == Some(stretch) {
            *asked = Asked { trouble, ..Asked::default() };
        }
    }

    /// Why the last stretch could not be heard.
    pub(crate) fn trouble(&self) -> Option<String> {
        lock(&self.asked).trouble.clone()
    }

    /// What the audio thread is to play.
    pub(crate) fn wants(&self) -> Wants {
        if self.is_heard.load(Ordering::Relaxed) { Wants::Engine } else { Wants::Input }
    }

    pub(crate) fn want(&self, wants: Wants) {
        self.is_heard.store(wants == Wants::Engine, Ordering::Relaxed);
    }

    /// Connects a new audio side; `None` if nothing plays alone.
    pub(crate) fn set_port(&self, port: Option<HubPort>) {
        *lock(&self.port) = port;
    }

    pub(crate) fn take_port(&self) -> Option<HubPort> {
        lock(&self.port).take()
    }
}
