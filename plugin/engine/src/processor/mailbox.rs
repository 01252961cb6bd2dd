//! Taking messages and streams, and sending home what is not needed any more.
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

use super::{Arriving, Processor, Timing};
use crate::message::{FromEngine, Tables, ToEngine, ToTables};
use crate::shared::{Motion, count};
use crate::stream::Stream;
use deskhand_dsp::{Frames, GainRamp};
use ringbuf::traits::{Consumer, Producer};

impl Processor {
    /// Takes messages until there are none, or a program must wait: what was sent after it stays
    /// in the queue behind it.
    pub(super) fn receive_messages(&mut self) {
        self.install_if_ready();
        while self.arriving.is_none() {
            let Some(message) = self.ends.messages.try_pop() else {
                return;
            };
            self.take(message);
            self.install_if_ready();
        }
    }

    fn take(&mut self, message: ToEngine) {
        match message {
            ToEngine::Set { slot, amplitudes } => self.set(slot, amplitudes),
            ToEngine::Swap(mut cargo) => {
                if let Some(tables) = &mut cargo.tables {
                    move_into(&mut self.tables, tables);
                }
                self.arriving = Some(Arriving { cargo, since: self.clock });
            }
            ToEngine::Transport(transport) => {
                self.playhead.take(transport, self.clock, self.timing.declick);
            }
            ToEngine::ResetLoudness(number) => self.collected.reset(number),
        }
    }

    fn set(&mut self, slot: usize, amplitudes: [f32; 2]) {
        let program = &mut self.current.program;
        let place = program.strip_of_slot.get(slot);
        let Some(strip) = place.and_then(|place| program.strips.get_mut(*place)) else {
            count(&self.shared.counters.unknown, 1);
            return;
        };
        let start = Frames(self.clock);
        // A fader that is moved while nothing is heard need not travel.
        let length = Frames(if self.playhead.moves() { self.timing.ramp } else { 0 });
        for (ramp, to) in strip.ramps.iter_mut().zip(amplitudes) {
            *ramp = GainRamp { from: ramp.value(start), to, start, length };
        }
    }

    /// Plays the arriving program as soon as the one before has left and its streams are there.
    fn install_if_ready(&mut self) {
        self.send_leaving_home();
        let Some(arriving) = self.arriving.take() else {
            return;
        };
        if self.leaving.is_some() || !self.may_install(&arriving) {
            self.arriving = Some(arriving);
            return;
        }
        self.leaving = Some(std::mem::replace(&mut self.current, arriving.cargo));
        let start = Frames(self.clock);
        let length = Frames(if self.playhead.moves() { self.timing.ramp } else { 0 });
        self.crossfade = GainRamp { from: 1.0, to: 0.0, start, length };
        self.send_leaving_home();
    }

    /// While nothing is heard a program needs not wait: the start waits for its streams.
    fn may_install(&mut self, arriving: &Arriving) -> bool {
        if !self.playhead.moves() || self.has_streams_for(arriving.cargo.generation) {
            return true;
        }
        let late = self.clock - arriving.since >= self.timing.swap_patience;
        if late {
            count(&self.shared.counters.delayed_swaps, 1);
        }
        late
    }

    /// Whether the disk thread has read ahead for a program; its streams are then in place.
    fn has_streams_for(&mut self, generation: u32) -> bool {
        let ready = self.shared.ready.covers(self.playhead.roll.epoch, generation);
        if ready {
            // They were sent before the word that they are ready.
            self.receive_streams();
        }
        ready
    }

    fn send_leaving_home(&mut self) {
        if self.crossfade.end().0 > self.clock {
            return;
        }
        let Some(cargo) = self.leaving.take() else {
            return;
        };
        if let Err(FromEngine(cargo)) = self.ends.home.try_push(FromEngine(cargo)) {
            // The Controller reserved a place, so this cannot be; still nothing is freed here.
            count(&self.shared.counters.delayed_returns, 1);
            self.leaving = Some(cargo);
        }
    }

    /// Ends a fade-out that is over, and starts when the streams are there.
    pub(super) fn settle(&mut self) {
        self.playhead.settle(self.clock);
        if self.playhead.motion() == Motion::Starting {
            let ready = self.has_streams_for(self.current.generation);
            let Timing { start_patience, declick, .. } = self.timing;
            self.playhead.start(self.clock, ready, start_patience, declick);
        }
    }

    pub(super) fn receive_streams(&mut self) {
        while let Some(message) = self.ends.streams.try_pop() {
            let home = match message {
                ToTables::Attach { slot, stream } => self.attach(slot, stream),
                ToTables::Retire { slot, id } => self.retire(slot, id),
            };
            if let Some(Err(stream)) = home.map(|stream| self.ends.streams_home.try_push(stream)) {
                // The disk thread reserved a place, so this cannot be; leaking is better than
                // freeing here.
                count(&self.shared.counters.delayed_returns, 1);
                std::mem::forget(stream);
            }
        }
    }

    /// Puts a stream in its slot; what goes home is what stood there, or itself if it is late.
    fn attach(&mut self, slot: usize, stream: Box<Stream>) -> Option<Box<Stream>> {
        let epoch = self.playhead.roll.epoch;
        match self.tables.streams.get_mut(slot) {
            Some(place) if stream.epoch == epoch => place.replace(stream),
            Some(_) | None => Some(stream),
        }
    }

    fn retire(&mut self, slot: usize, id: u64) -> Option<Box<Stream>> {
        let place = self.tables.streams.get_mut(slot)?;
        place.take_if(|stream| stream.id == id)
    }
}

/// Moves what stands in the tables over to `larger`, and leaves the old tables in its place.
fn move_into(tables: &mut Tables, larger: &mut Tables) {
    for (new, old) in larger.streams.iter_mut().zip(&mut tables.streams) {
        std::mem::swap(new, old);
    }
    for (new, old) in larger.meters.iter_mut().zip(&mut tables.meters) {
        std::mem::swap(new, old);
    }
    std::mem::swap(tables, larger);
}
