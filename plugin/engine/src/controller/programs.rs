//! The playing programs: schedules go out as programs or as levels, and programs come home.
//!
//! Thread: message

use super::requests::{Asked, Sent};
use super::{ControlError, Controller, Delivery};
use crate::inserts::{LateStems, Rack, Setting};
use crate::message::{Cargo, FromEngine, Places, Tables, ToDisk, ToEngine, Which};
use crate::program::{Buffers, Program};
use crate::schedule::{Insert, Level, Schedule, StripKey};
use deskhand_dsp::effects::Settings;
use ringbuf::traits::{Consumer, Observer, Producer};
use std::sync::Arc;

impl Controller {
    /// Plays `schedule` from the next block on: only its levels are sent if nothing else differs
    /// from the schedule before.
    ///
    /// # Errors
    /// When its rate is not the engine's.
    pub fn apply(&mut self, schedule: Schedule) -> Result<Delivery, ControlError> {
        self.check_rate(&schedule)?;
        self.bring_home();
        Ok(self.send(Which::Current, schedule))
    }

    pub(super) fn check_rate(&self, schedule: &Schedule) -> Result<(), ControlError> {
        let (rate, engine) = (schedule.rate(), self.current.schedule.rate());
        if rate == engine { Ok(()) } else { Err(ControlError::Rate { schedule: rate, engine }) }
    }

    fn asked(&mut self, which: Which) -> Option<&mut Asked> {
        match which {
            Which::Current => Some(&mut self.current),
            Which::Other => self.other.as_mut(),
        }
    }

    /// Sends the levels of `schedule`, or all of it if it differs in more.
    pub(super) fn send(&mut self, which: Which, schedule: Schedule) -> Delivery {
        let next = Asked { schedule, sent: Sent::NotYet };
        if let Some(asked) = self.asked(which) {
            if asked.sent == Sent::Yes && next.schedule.same_structure(&asked.schedule) {
                return self.send_levels(which, next.schedule);
            }
            *asked = next;
        } else {
            self.other = Some(next);
        }
        self.swap(which)
    }

    fn send_levels(&mut self, which: Which, schedule: Schedule) -> Delivery {
        let Some(asked) = self.asked(which) else {
            return Delivery::Sent;
        };
        let changed: Vec<(StripKey, Level)> = schedule
            .levels()
            .zip(asked.schedule.levels())
            .filter(|(new, old)| new != old)
            .map(|(new, _)| new)
            .collect();
        let inserts = schedule.inserts().zip(asked.schedule.inserts());
        let inserts = inserts.flat_map(|(new, old)| new.iter().zip(old));
        let adjusted: Vec<Setting> =
            inserts.filter(|(new, old)| new != old).map(|(new, _)| setting(new)).collect();
        asked.schedule = schedule;
        for (key, level) in changed {
            if self.send_level(which, key, level) == Delivery::Waiting {
                return Delivery::Waiting;
            }
        }
        for setting in adjusted {
            if self.send_setting(which, setting) == Delivery::Waiting {
                return Delivery::Waiting;
            }
        }
        Delivery::Sent
    }

    /// Sets a processor at once, until the next schedule replaces it: for a drag that is not yet an edit.
    ///
    /// # Errors
    /// When no insert of this key and kind is in the schedule, or a setting is out of range.
    pub fn set_insert(&mut self, insert: Insert) -> Result<Delivery, ControlError> {
        let setting = setting(&insert);
        self.current.schedule.set_insert(insert)?;
        Ok(self.send_setting(Which::Current, setting))
    }

    fn send_setting(&mut self, which: Which, setting: Setting) -> Delivery {
        self.send_unless_waiting(which, Some(ToEngine::Adjust { which, setting }))
    }

    /// Moves a fader, a pan knob or a mute button at once, until the next schedule replaces it.
    ///
    /// # Errors
    /// When the strip is not in the schedule, or the level is out of range.
    pub fn set_level(&mut self, key: StripKey, level: Level) -> Result<Delivery, ControlError> {
        self.current.schedule.set_level(key, level)?;
        Ok(self.send_level(Which::Current, key, level))
    }

    /// When a swap waits already it will bring the level along.
    fn send_level(&mut self, which: Which, key: StripKey, level: Level) -> Delivery {
        let slot = self.binding.strips.get(key);
        let amplitudes = level.amplitudes();
        let set = slot.map(|slot| ToEngine::Set { which, slot: slot.index, amplitudes });
        self.send_unless_waiting(which, set)
    }

    fn send_unless_waiting(&mut self, which: Which, message: Option<ToEngine>) -> Delivery {
        let waits = self.asked(which).is_none_or(|asked| asked.sent == Sent::NotYet);
        let sent = message.is_some_and(|it| !waits && self.ends.engine.try_push(it).is_ok());
        if sent {
            return Delivery::Sent;
        }
        if let Some(asked) = self.asked(which) {
            asked.sent = Sent::NotYet;
        }
        Delivery::Waiting
    }

    /// Frees the objects that the Processor no longer uses, and sends messages that found the queue full.
    pub fn pump(&mut self) -> Delivery {
        self.bring_home();
        self.flush()
    }

    /// Sends the messages that found the queue full, in the order in which they must arrive.
    pub(super) fn flush(&mut self) -> Delivery {
        if self.send_close() == Delivery::Waiting {
            return Delivery::Waiting;
        }
        for which in [Which::Current, Which::Other] {
            let waits = self.asked(which).is_some_and(|asked| asked.sent == Sent::NotYet);
            if waits && self.swap(which) == Delivery::Waiting {
                return Delivery::Waiting;
            }
        }
        self.send_ear()
    }

    pub(super) fn bring_home(&mut self) {
        while let Some(FromEngine(cargo)) = self.ends.home.try_pop() {
            cargo.program.release(&mut self.binding);
            self.gone.push(cargo.generation);
            self.away -= 1;
        }
        self.tell_gone();
    }

    fn tell_gone(&mut self) {
        let disk = &self.ends.disk;
        let told = self.gone.iter().take_while(|generation| {
            disk.try_send(ToDisk::Gone { generation: **generation }).is_ok()
        });
        let told = told.count();
        self.gone.drain(..told);
    }

    /// Sends the request as a program, if there is room for it everywhere: in the queue, on the way home,
    /// and with the disk thread, which must learn of it first.
    fn swap(&mut self, which: Which) -> Delivery {
        let room_home = self.ends.home.capacity().get() > self.away;
        if !room_home || self.ends.engine.is_full() || !self.gone.is_empty() {
            return Delivery::Waiting;
        }
        let (binding, block) = (&mut self.binding, Buffers::Own(self.block));
        let asked = match which {
            Which::Current => Some(&mut self.current),
            Which::Other => self.other.as_mut(),
        };
        let Some(asked) = asked else {
            return Delivery::Sent;
        };
        asked.sent = Sent::NotYet;
        let program = Program::bind(&asked.schedule, binding, block);
        let rack = Rack::of(&asked.schedule, LateStems::Dropped);
        let generation = self.generation.wrapping_add(1);
        let voices = Arc::clone(&program.voices);
        if self.ends.disk.try_send(ToDisk::Program { generation, voices }).is_err() {
            program.release(binding);
            return Delivery::Waiting;
        }
        (self.generation, asked.sent) = (generation, Sent::Yes);
        let tables = self.larger_tables();
        let cargo = Box::new(Cargo { generation, program, rack, tables });
        // There is room: it was looked for, and only this thread fills the queue.
        if self.ends.engine.try_push(ToEngine::Swap { which, cargo }).is_ok() {
            self.away += 1;
        }
        Delivery::Sent
    }

    fn larger_tables(&mut self) -> Option<Tables> {
        let Places { streams, strips } = self.places;
        let room = |needed: usize, places| {
            if needed > places { needed.next_power_of_two() } else { places }
        };
        let needed = Places {
            streams: room(self.binding.streams.len(), streams),
            strips: room(self.binding.strips.len(), strips),
        };
        if needed == self.places {
            return None;
        }
        self.places = needed;
        Some(Tables::new(needed))
    }
}

fn setting(insert: &Insert) -> Setting {
    Setting { key: insert.key, power: insert.power, settings: Settings::of(&insert.effect) }
}
