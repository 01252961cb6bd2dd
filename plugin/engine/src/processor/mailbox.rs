//! Taking messages and streams, and sending home those that are not needed any more.
//!
//! Thread: audio

use super::hearing::Other;
use super::{Processor, Timing};
use crate::inserts::Setting;
use crate::message::{Cargo, FromEngine, Tables, ToEngine, ToTables, Which};
use crate::shared::{Motion, count};
use crate::stream::Stream;
use deskhand_dsp::effects::Pace;
use ringbuf::traits::{Consumer, Producer};

impl Processor {
    /// Takes messages until there are none.
    pub(super) fn receive_messages(&mut self) {
        while let Some(message) = self.ends.messages.try_pop() {
            self.take(message);
        }
    }

    fn take(&mut self, message: ToEngine) {
        match message {
            ToEngine::Set { which, slot, amplitudes } => self.set(which, slot, amplitudes),
            ToEngine::Adjust { which, setting } => self.adjust(which, &setting),
            ToEngine::Swap { which, cargo } => self.receive_program(which, cargo),
            ToEngine::Close => self.hearing.close(),
            ToEngine::Listen { ear, at } => {
                let due = at.map(|at| self.clock.saturating_add(self.playhead.left_until(at)));
                self.hearing.plan(ear, due);
            }
            ToEngine::Transport(transport) => {
                self.playhead.take(transport, self.clock, self.timing.declick);
            }
            ToEngine::ResetLoudness(number) => self.collected.reset(number),
            ToEngine::Watch(watch) => self.ends.tap.watch = watch,
        }
    }

    fn receive_program(&mut self, which: Which, mut cargo: Box<Cargo>) {
        if let Some(tables) = &mut cargo.tables {
            move_into(&mut self.tables, tables);
        }
        if which == Which::Other {
            self.hearing.other = Other::Wanted;
        }
        let clock = self.clock;
        if let Some(replaced) = self.deck(which).receive(cargo, clock) {
            self.send_home(replaced);
        }
    }

    fn set(&mut self, which: Which, slot: usize, amplitudes: [f32; 2]) {
        // A fader that is moved while nothing is heard need not travel.
        let length = if self.playhead.moves() { self.timing.ramp } else { 0 };
        let clock = self.clock;
        if !self.deck(which).set(slot, amplitudes, clock, length) {
            count(&self.shared.counters.unknown, 1);
        }
    }

    fn adjust(&mut self, which: Which, setting: &Setting) {
        let pace = if self.playhead.moves() { Pace::Smooth } else { Pace::AtOnce };
        if !self.deck(which).adjust(setting, pace) {
            count(&self.shared.counters.unknown, 1);
        }
    }

    /// Plays the arriving program once the program before it has left and its streams are ready.
    fn install(&mut self, which: Which) {
        self.send_leaving_home(which);
        if self.deck(which).leaving.is_some() || !self.may_install(which) {
            return;
        }
        let length = if self.playhead.moves() { self.timing.ramp } else { 0 };
        let clock = self.clock;
        self.deck(which).install(clock, length);
        self.go_on_beside(which);
        self.send_leaving_home(which);
    }

    /// A program that replaced none takes over the state of the processors in the other deck.
    fn go_on_beside(&mut self, which: Which) {
        let (deck, beside) = match which {
            Which::Current => (&mut self.current, &self.other),
            Which::Other => (&mut self.other, &self.current),
        };
        if let (None, Some(cargo), Some(beside)) =
            (&deck.leaving, &mut deck.current, &beside.current)
        {
            cargo.rack.adopt(&beside.rack);
        }
    }

    /// While nothing is heard a program needs not wait: the start waits for its streams.
    fn may_install(&mut self, which: Which) -> bool {
        let clock = self.clock;
        let Some(arriving) = &self.deck(which).arriving else {
            return false;
        };
        let (generation, waited) = (arriving.cargo.generation, clock - arriving.since);
        if !self.playhead.moves() || self.has_streams_for(generation) {
            return true;
        }
        let late = waited >= self.timing.swap_patience;
        if late {
            count(&self.shared.counters.delayed_swaps, 1);
        }
        late
    }

    /// Whether the disk thread has read the start of a program; its streams are then in place.
    fn has_streams_for(&mut self, generation: u32) -> bool {
        let ready = self.shared.ready.covers(self.playhead.roll.epoch, generation);
        if ready {
            // They were sent before the word that they are ready.
            self.receive_streams();
        }
        ready
    }

    fn send_leaving_home(&mut self, which: Which) {
        let clock = self.clock;
        if let Some(cargo) = self.deck(which).left(clock) {
            self.send_home(cargo);
        }
    }

    pub(super) fn send_home(&mut self, cargo: Box<Cargo>) {
        if let Err(FromEngine(cargo)) = self.ends.home.try_push(FromEngine(cargo)) {
            // The Controller reserved a place, so this cannot be; leaking is better than freeing
            // here.
            count(&self.shared.counters.delayed_returns, 1);
            std::mem::forget(cargo);
        }
    }

    /// Does due work: ends a fade-out, changes programs and sides, and starts when the streams are there.
    pub(super) fn settle(&mut self) {
        self.playhead.settle(self.clock);
        self.settle_programs();
        if self.playhead.motion() == Motion::Starting {
            let ready = self.has_streams_for(self.generation());
            let Timing { start_patience, declick, .. } = self.timing;
            self.playhead.start(self.clock, ready, start_patience, declick);
        }
    }

    /// Changes programs and ears if it is time.
    pub(super) fn settle_programs(&mut self) {
        self.install(Which::Current);
        self.install(Which::Other);
        self.settle_hearing();
    }

    /// The number of the newest program.
    pub(super) fn generation(&self) -> u32 {
        self.current.generation().max(self.other.generation())
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

    /// Puts a stream in its slot. Returns the one to send home: the previous one, or this one if it is
    /// late.
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

/// Moves the content of the tables over to `larger`, and leaves the old tables in its place.
fn move_into(tables: &mut Tables, larger: &mut Tables) {
    for (new, old) in larger.streams.iter_mut().zip(&mut tables.streams) {
        std::mem::swap(new, old);
    }
    for (new, old) in larger.meters.iter_mut().zip(&mut tables.meters) {
        std::mem::swap(new, old);
    }
    std::mem::swap(tables, larger);
}
