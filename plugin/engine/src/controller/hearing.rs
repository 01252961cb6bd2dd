//! Hearing a plan: a second program next to the current one, and which of the two is heard.
//!
//! Thread: message

use super::requests::{Asked, Listening, Sent, Side};
use super::{ControlError, Controller, Delivery, place};
use crate::message::{Ear, ToEngine, Which};
use crate::schedule::Schedule;
use deskhand_dsp::Frames;
use ringbuf::traits::Producer;

impl Controller {
    /// Opens a second program next to the current one: both run, and [`listen`](Self::listen) chooses which
    /// is heard. A schedule that differs from the previous one only in levels sends those. Any other
    /// replaces it with a crossfade. `None` closes it: the current program is heard, and the other's memory
    /// comes home.
    ///
    /// Clips that are the same in both programs share one stream; faders and all else are its own.
    /// The meters show the program that is heard.
    ///
    /// # Errors
    /// When its rate is not the engine's.
    pub fn audition(&mut self, schedule: Option<Schedule>) -> Result<Delivery, ControlError> {
        self.bring_home();
        let Some(schedule) = schedule else {
            return Ok(self.close());
        };
        self.check_rate(&schedule)?;
        if self.send_close() == Delivery::Waiting {
            self.other = Some(Asked { schedule, sent: Sent::NotYet });
            return Ok(Delivery::Waiting);
        }
        Ok(self.send(Which::Other, schedule))
    }

    fn close(&mut self) -> Delivery {
        if self.other.take().is_some() {
            self.listening = Listening::default();
            self.closed = Sent::NotYet;
        }
        self.flush()
    }

    /// Crossfades within 10 ms to `side`, while the engine plays from timeline frame `at` on. If `at` has
    /// passed, or nothing plays, or for `None`, it does so at once. It waits for the other program until
    /// that has been read.
    ///
    /// # Errors
    /// When the other side was not opened, the gain is no number or above +60 dB, or `at` is no
    /// place on the timeline.
    pub fn listen(&mut self, side: Side, at: Option<Frames>) -> Result<Delivery, ControlError> {
        if let Side::Other { gain } = side {
            if gain.0.is_nan() || gain.0 > 60.0 {
                return Err(ControlError::Gain(gain));
            }
            if self.other.is_none() {
                return Err(ControlError::NothingToHear);
            }
        }
        let at = at.map(place).transpose()?;
        self.listening = Listening { side, at, sent: Sent::NotYet };
        Ok(self.flush())
    }

    pub(super) fn send_close(&mut self) -> Delivery {
        if self.closed == Sent::NotYet && self.ends.engine.try_push(ToEngine::Close).is_ok() {
            self.closed = Sent::Yes;
        }
        delivery(self.closed)
    }

    pub(super) fn send_ear(&mut self) -> Delivery {
        let Listening { side, at, sent } = &mut self.listening;
        let listen = ToEngine::Listen { ear: ear(*side), at: *at };
        if *sent == Sent::NotYet && self.ends.engine.try_push(listen).is_ok() {
            *sent = Sent::Yes;
        }
        delivery(*sent)
    }
}

fn delivery(sent: Sent) -> Delivery {
    match sent {
        Sent::Yes => Delivery::Sent,
        Sent::NotYet => Delivery::Waiting,
    }
}

#[expect(clippy::cast_possible_truncation, reason = "amplitudes are f32 in the engine")]
fn ear(side: Side) -> Ear {
    match side {
        Side::Current => Ear { which: Which::Current, gain: 1.0 },
        Side::Other { gain } => Ear { which: Which::Other, gain: gain.amplitude() as f32 },
    }
}
