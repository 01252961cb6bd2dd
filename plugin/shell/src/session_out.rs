//! The output mode "session": the instance's track of the session in place of what comes in.
//!
//! Thread: audio. The engine that plays is made elsewhere and comes through a ring; one that is
//! replaced goes home through another.

#![cfg_attr(
    not(test),
    deny(
        clippy::disallowed_types,
        clippy::disallowed_methods,
        clippy::disallowed_macros,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unreachable
    )
)]

use crate::guard::{Entry, Faults};
use crate::kernel::{CHANGE, Ramp};
use crate::port::AudioPort;
use deskhand_dsp::Frames;
use deskhand_engine::capture::MayWait;
use deskhand_engine::{HostClock, Processor};

/// Frames played at a time.
const PIECE: usize = 512;

/// Plays the session for one instance.
pub(crate) struct SessionOut {
    port: AudioPort,
    processor: Option<Box<Processor>>,
    /// 1 is the session, 0 is the input.
    amount: Ramp,
    sides: [[f32; PIECE]; 2],
    change: f32,
    waits: MayWait,
}

/// What is wanted of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wants {
    Input,
    Session,
}

impl SessionOut {
    pub(crate) fn new(port: AudioPort, rate: f32, waits: MayWait) -> Self {
        let (amount, sides) = (Ramp::at(0.0), [[0.0; PIECE]; 2]);
        Self { port, processor: None, amount, sides, change: rate * CHANGE, waits }
    }

    /// Puts the session in the place of what is in `channels`, if it is wanted and there: without an
    /// engine what comes in passes.
    pub(crate) fn run(
        &mut self,
        channels: &mut [&mut [f32]],
        wants: Wants,
        clock: HostClock,
        faults: &Faults,
    ) {
        self.receive();
        let Some(processor) = &mut self.processor else { return };
        let amount = if wants == Wants::Session { 1.0 } else { 0.0 };
        self.amount.go(amount, self.change);
        if self.amount.rests_at(0.0) {
            return;
        }
        let frames = channels.first().map_or(0, |side| side.len());
        let mut from = 0;
        while from < frames {
            let length = PIECE.min(frames - from);
            let [left, right] = &mut self.sides;
            let out = [piece(left, 0, length), piece(right, 0, length)];
            let clock = clock.later(Frames::from_index(from));
            match self.waits {
                MayWait::Never => processor.process_following(out, clock),
                MayWait::Offline => {
                    // What was not read within ten seconds is silent, and the window says so.
                    if processor.process_offline_following(out, clock).is_err() {
                        faults.note(Entry::Render);
                    }
                }
            }
            blend(channels, &self.sides, from, length, &mut self.amount);
            from += length;
        }
    }

    fn receive(&mut self) {
        if let Some(new) = self.port.receive()
            && let Some(old) = self.processor.replace(new)
        {
            self.port.send_home(old);
        }
    }
}

fn blend(
    channels: &mut [&mut [f32]],
    sides: &[[f32; PIECE]; 2],
    from: usize,
    length: usize,
    amount: &mut Ramp,
) {
    let [left, right] = sides;
    match channels {
        [only] => {
            let played = left.iter().zip(right);
            for (sample, (l, r)) in piece(only, from, from + length).iter_mut().zip(played) {
                *sample += amount.next() * (0.5 * (l + r) - *sample);
            }
        }
        [one, other] => {
            let ins = piece(one, from, from + length).iter_mut();
            let ins = ins.zip(piece(other, from, from + length));
            for ((l, r), (new_l, new_r)) in ins.zip(left.iter().zip(right)) {
                let amount = amount.next();
                *l += amount * (new_l - *l);
                *r += amount * (new_r - *r);
            }
        }
        _ => {}
    }
}

fn piece(side: &mut [f32], from: usize, to: usize) -> &mut [f32] {
    side.get_mut(from..to).unwrap_or_default()
}
