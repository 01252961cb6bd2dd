//! What the person hears by itself in an instance: an engine of its own, made for it and let go behind it.
//!
//! Thread: hub's link

use super::engine::Engine;
use crate::alone::Stretch;
use crate::clock::Place;
use crate::port::HubPort;
use crate::shared::Shared;
use crate::voice::Wants;
use deskhand_compile::{Alone, PlayerError};
use deskhand_session::Session;
use std::path::Path;
use std::time::{Duration, Instant};

/// A host that runs no audio in this time runs none.
const PATIENCE: Duration = Duration::from_secs(1);

/// The engine of what is heard by itself, while there is one.
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
    /// How many blocks of the host had passed, and since when it is so many.
    blocks: (u64, Instant),
}

impl Listening {
    /// Begins what is asked for, and ends what is over or not wanted any more.
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
                let blocks = (place.blocks, Instant::now());
                self.heard = Some(Heard { asked, alone, moved: place.moves, blocks });
                shared.alone.want(Wants::Engine);
            }
            Err(why) => shared.alone.ended(asked, Some(format!("Nothing is heard: {why}"))),
        }
    }

    fn play(&mut self, alone: &Alone, dir: &Path) -> Result<(), String> {
        let asleep = "the host does not run this instance; switch it on, or render no longer";
        let port = self.port.as_mut().ok_or(asleep)?;
        if self.engine.is_none() {
            self.engine = Engine::start(port, dir);
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
        let trouble = fault.or_else(|| heard.asleep(shared.clock.place()));
        if trouble.is_some() || heard.alone.is_over(place) || heard.host_starts(shared) {
            shared.alone.ended(heard.asked, trouble.map(|why| format!("Nothing is heard: {why}")));
            self.end(shared);
        }
    }

    /// It fades out in the instance, which then sends the engine home.
    fn end(&mut self, shared: &Shared) {
        if let (Some(_), Some(engine)) = (self.heard.take(), &mut self.engine) {
            // What is full takes no stop, and the fade ends it all the same.
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
    /// Who starts the host wants to hear the song.
    fn host_starts(&mut self, shared: &Shared) -> bool {
        let moves = shared.clock.place().moves;
        let moved = std::mem::replace(&mut self.moved, moves);
        moves && !moved
    }

    fn asleep(&mut self, place: Place) -> Option<String> {
        if place.blocks != self.blocks.0 {
            self.blocks = (place.blocks, Instant::now());
        }
        let is_asleep = self.blocks.1.elapsed() > PATIENCE;
        is_asleep
            .then(|| "the host runs no sound through this instance while it stands; play it".into())
    }
}
