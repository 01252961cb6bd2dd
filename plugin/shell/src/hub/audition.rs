//! Sound that the person plays alone in an instance. It has an engine of its own, made for it and dropped
//! after it.
//!
//! Thread: hub's link

use super::engine::Engine;
use super::order::TICK;
use crate::audition::Stretch;
use crate::port::HubPort;
use crate::shared::Shared;
use crate::voice::Wants;
use deskhand_compile::{Alone, PlayerError};
use deskhand_session::Session;
use std::path::Path;
use std::time::{Duration, Instant};

/// A host without audio for this time runs no audio.
const PATIENCE: Duration = Duration::from_secs(1);
/// A longer time between two checks does not count in full: this thread was paused too, not only the host.
const STEP: Duration = TICK.saturating_mul(2);

/// The engine of the stretch that plays alone, while there is one.
#[derive(Default)]
pub(super) struct Listening {
    port: Option<HubPort>,
    engine: Option<Engine>,
    heard: Option<Heard>,
    /// How many were heard.
    turn: u64,
}

struct Heard {
    asked: Stretch,
    alone: Alone,
    /// Whether the host moved when it was looked last.
    moved: bool,
    stillness: Stillness,
}

/// How long no block of the host has passed, as far as somebody looked.
struct Stillness {
    blocks: u64,
    looked: Instant,
    lasts: Duration,
}

impl Listening {
    /// Begins the requested stretch, and ends one that is over or not wanted any more.
    pub(super) fn look(&mut self, shared: &Shared, session: &Session, dir: &Path) {
        if let Some(port) = shared.alone.take_port() {
            *self = Self { port: Some(port), turn: self.turn, ..Self::default() };
        }
        if self.port.as_mut().is_some_and(HubPort::tidy) {
            // It went home: it plays no more.
            (self.engine, self.heard) = (None, None);
        }
        let asked = shared.alone.asked();
        if asked != self.heard.as_ref().map(|heard| heard.asked) {
            self.end(shared);
            if let Some(asked) = asked {
                self.begin(shared, session, dir, asked);
            }
        }
        self.follow(shared);
    }

    fn begin(&mut self, shared: &Shared, session: &Session, dir: &Path, asked: Stretch) {
        let (source, from, to) = asked;
        let place = shared.clock.place();
        self.turn += 1;
        let begun = match Alone::new(session, source, (from, to), self.turn) {
            Some(alone) => self.play(&alone, dir).map(|()| alone),
            None => Err("it is not in this session any more".into()),
        };
        match begun {
            Ok(alone) => {
                let stillness = Stillness::new(place.blocks, Instant::now());
                self.heard = Some(Heard { asked, alone, moved: place.moves, stillness });
                shared.alone.want(Wants::Engine);
            }
            Err(why) => shared.alone.ended(asked, Some(format!("Nothing is heard: {why}"))),
        }
    }

    fn play(&mut self, alone: &Alone, dir: &Path) -> Result<(), String> {
        let asleep = "the host does not run this instance; switch it on, or render no longer";
        let port = self.port.as_mut().ok_or(asleep)?;
        if self.engine.is_none() {
            self.engine = Engine::start(port, dir, |_| {});
        }
        let Some(engine) = &mut self.engine else { return Err(asleep.into()) };
        engine.know(alone.session());
        let player = &mut engine.player;
        let mut start = || -> Result<(), PlayerError> {
            player.follow(alone.session())?;
            player.seek(alone.begins())?;
            player.play()
        };
        start().map_err(|why| why.to_string())
    }

    fn follow(&mut self, shared: &Shared) {
        let Some(engine) = &mut self.engine else { return };
        engine.player.pump();
        let Some(heard) = &mut self.heard else { return };
        let place = engine.player.place();
        shared.alone.reached(heard.asked, heard.alone.at(place.at));
        let fault = engine.player.faults().into_iter().next().map(|fault| fault.to_string());
        let trouble = fault.or_else(|| heard.asleep(shared.clock.place().blocks));
        if trouble.is_some() || heard.alone.is_over(place) || heard.host_starts(shared) {
            shared.alone.ended(heard.asked, trouble.map(|why| format!("Nothing is heard: {why}")));
            self.end(shared);
        }
    }

    /// It fades out in the instance, which then sends the engine home.
    fn end(&mut self, shared: &Shared) {
        if let (Some(_), Some(engine)) = (self.heard.take(), &mut self.engine) {
            // A full queue takes no stop, but the fade ends the sound anyway.
            engine.player.stop().ok();
            shared.alone.want(Wants::Input);
        }
    }

    /// The session is another, or the instance left it.
    pub(super) fn leave(&mut self, shared: &Shared) {
        self.end(shared);
        shared.alone.ask(None);
        self.engine = None;
    }
}

impl Heard {
    /// Whether the host just started: then the person wants to hear the song.
    fn host_starts(&mut self, shared: &Shared) -> bool {
        let moves = shared.clock.place().moves;
        let moved = std::mem::replace(&mut self.moved, moves);
        moves && !moved
    }

    fn asleep(&mut self, blocks: u64) -> Option<String> {
        let is_asleep = self.stillness.look(blocks, Instant::now()) > PATIENCE;
        is_asleep.then(|| {
            "the host runs no sound through this instance while it is stopped; play it".into()
        })
    }
}

impl Stillness {
    fn new(blocks: u64, now: Instant) -> Self {
        Self { blocks, looked: now, lasts: Duration::ZERO }
    }

    /// Notes the number of blocks at `now`. Returns how long the number has not changed.
    fn look(&mut self, blocks: u64, now: Instant) -> Duration {
        let passed = now.saturating_duration_since(self.looked).min(STEP);
        self.lasts = if blocks == self.blocks { self.lasts + passed } else { Duration::ZERO };
        (self.blocks, self.looked) = (blocks, now);
        self.lasts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_that_runs_no_block_while_somebody_looks_is_asleep() {
        let begin = Instant::now();
        let mut stillness = Stillness::new(7, begin);
        let mut look = |ticks: u32, blocks| stillness.look(blocks, begin + TICK * ticks);
        assert!((1..=50).all(|tick| look(tick, 7) <= PATIENCE));
        assert!(look(51, 7) > PATIENCE);
        assert_eq!(look(52, 8), Duration::ZERO, "a block passed");
    }

    #[test]
    fn a_machine_that_stood_still_says_nothing_of_the_host() {
        let begin = Instant::now();
        let mut stillness = Stillness::new(7, begin);
        let hour = Duration::from_secs(3_600);
        assert_eq!(stillness.look(7, begin + hour), STEP);
        assert_eq!(stillness.look(7, begin + hour * 2), STEP * 2);
        assert_eq!(stillness.look(8, begin + hour * 3), Duration::ZERO);
    }
}
