//! An engine in place of the input. It arrives through a ring, fades in, and returns through another ring.
//!
//! Thread: audio

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

use crate::kernel::{CHANGE, Ramp};
use crate::port::AudioPort;
use deskhand_engine::Processor;

/// Frames played at a time.
const PIECE: usize = 512;

/// What a block should contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wants {
    Input,
    Engine,
}

/// Plays an engine that is made elsewhere.
pub(crate) struct Voice {
    port: AudioPort,
    processor: Option<Box<Processor>>,
    /// 1 is the engine, 0 is the input.
    amount: Ramp,
    sides: [[f32; PIECE]; 2],
    change: f32,
}

impl Voice {
    /// For a rate in Hz.
    pub(crate) fn new(port: AudioPort, rate: f32) -> Self {
        let (amount, sides) = (Ramp::at(0.0), [[0.0; PIECE]; 2]);
        Self { port, processor: None, amount, sides, change: rate * CHANGE }
    }

    /// Whether there is an engine, for callers who wait for one.
    pub(crate) fn has_engine(&mut self) -> bool {
        if self.processor.is_none() {
            self.receive();
        }
        self.processor.is_some()
    }

    /// Nothing was heard yet: the engine begins at full level.
    pub(crate) fn begin_at_full(&mut self) {
        self.amount = Ramp::at(1.0);
    }

    /// Replaces `channels` by the output of the engine, as `play` gives it, if it is wanted and there.
    /// Without an engine the input passes. `play` gets two sides of equal length, and the number of frames
    /// of the block before them.
    pub(crate) fn run(
        &mut self,
        channels: &mut [&mut [f32]],
        wants: Wants,
        mut play: impl FnMut(&mut Processor, [&mut [f32]; 2], usize),
    ) {
        self.receive();
        let Some(processor) = &mut self.processor else { return };
        let amount = if wants == Wants::Engine { 1.0 } else { 0.0 };
        self.amount.go(amount, self.change);
        if self.amount.rests_at(0.0) {
            return;
        }
        let frames = channels.first().map_or(0, |side| side.len());
        let mut from = 0;
        while from < frames {
            let length = PIECE.min(frames - from);
            let [left, right] = &mut self.sides;
            play(processor, [piece(left, 0, length), piece(right, 0, length)], from);
            blend(channels, &self.sides, from, length, &mut self.amount);
            from += length;
        }
    }

    /// Like [`Self::run`], with an engine that follows no host. The engine is returned once its output is
    /// silent.
    pub(crate) fn run_alone(&mut self, channels: &mut [&mut [f32]], wants: Wants) {
        self.run(channels, wants, |processor, out, _| processor.process(out));
        if wants == Wants::Input
            && self.amount.rests_at(0.0)
            && self.port.has_room()
            && let Some(old) = self.processor.take()
        {
            self.port.send_home(old);
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
                *sample = mix(*sample, 0.5 * (l + r), amount.next());
            }
        }
        [one, other] => {
            let ins = piece(one, from, from + length).iter_mut();
            let ins = ins.zip(piece(other, from, from + length));
            for ((l, r), (new_l, new_r)) in ins.zip(left.iter().zip(right)) {
                let amount = amount.next();
                (*l, *r) = (mix(*l, *new_l, amount), mix(*r, *new_r, amount));
            }
        }
        _ => {}
    }
}

/// At full amount every bit of the played sample, whatever the input.
#[inline]
fn mix(came: f32, played: f32, amount: f32) -> f32 {
    if amount < 1.0 { came + amount * (played - came) } else { played }
}

fn piece(side: &mut [f32], from: usize, to: usize) -> &mut [f32] {
    side.get_mut(from..to).unwrap_or_default()
}
