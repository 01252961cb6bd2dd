//! Keeps an engine at a session: levels as they are, structure by a swap, positions at the session's rate.
//!
//! Thread: message, or the window. Call [`Player::pump`] about as often as a picture is drawn.

use crate::{Rates, mix_at, strip_key};
use deskhand_dsp::{Decibels, Frames};
use deskhand_engine::{
    ControlError, Controller, Level, MeterReading, Motion, ScheduleError, Side, SourceError,
    StripKey, Trouble,
};
use deskhand_session::{InsertId, PlacedInsert, Session, TrackId};
use std::ops::Range;

/// Plays a session through the engine of a [`Controller`].
pub struct Player {
    controller: Controller,
    rates: Rates,
    is_comparing: bool,
}

/// Where a player is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The frame that sounds next, at the session's rate.
    pub at: Frames,
    /// Whether it moves.
    pub motion: Motion,
}

/// Why a player refuses a request. It plays on as before.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PlayerError {
    /// The session cannot be played.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    /// The engine refuses.
    #[error(transparent)]
    Control(#[from] ControlError),
}

impl Player {
    /// A player without a session, at the start: give it a session to [`follow`](Self::follow).
    #[must_use]
    pub fn new(controller: Controller) -> Self {
        let engine = controller.schedule().rate();
        Self { controller, rates: Rates { session: engine, engine }, is_comparing: false }
    }

    /// Plays `session` from now on. Unchanged parts play on; changed parts are crossfaded.
    ///
    /// # Errors
    /// When the session cannot be played.
    pub fn follow(&mut self, session: &Session) -> Result<(), PlayerError> {
        let rates = Rates { session: session.rate, ..self.rates };
        self.controller.apply(mix_at(session, rates.engine)?)?;
        self.rates = rates;
        Ok(())
    }

    /// Compares the session with another: `planned` is the result of a plan, and `side` is the one to hear.
    /// Both run; every change of sides is a crossfade of 10 ms. `None` ends the comparison: the session is
    /// heard.
    ///
    /// # Errors
    /// When the planned session cannot be played.
    pub fn hear(&mut self, compare: Option<(&Session, Side)>) -> Result<(), PlayerError> {
        self.hear_at(compare, None)
    }

    /// As [`Self::hear`], with the change of sides at frame `at` of the session where it plays.
    ///
    /// # Errors
    /// When the planned session cannot be played.
    pub fn hear_at(
        &mut self,
        compare: Option<(&Session, Side)>,
        at: Option<Frames>,
    ) -> Result<(), PlayerError> {
        match compare {
            Some((planned, side)) => {
                self.controller.audition(Some(mix_at(planned, self.rates.engine)?))?;
                self.is_comparing = true;
                self.listen(side, at)?;
            }
            None if self.is_comparing => {
                self.controller.audition(None)?;
                self.is_comparing = false;
            }
            None => {}
        }
        Ok(())
    }

    /// Hears another side of the comparison from frame `at` of the session on, or at once.
    ///
    /// # Errors
    /// When nothing is compared.
    pub fn listen(&mut self, side: Side, at: Option<Frames>) -> Result<(), PlayerError> {
        let at = at.map(|at| self.rates.to_engine(at));
        Ok(self.controller.listen(side, at).map(drop)?)
    }

    /// Moves a fader and a pan, of a track or of the master, until the next session replaces it: for a drag
    /// that is not yet an edit.
    ///
    /// # Errors
    /// When there is no such track, or the numbers are out of range.
    pub fn preview(
        &mut self,
        track: Option<TrackId>,
        gain: Decibels,
        pan: f64,
    ) -> Result<(), PlayerError> {
        let key = track.map_or(StripKey::MASTER, strip_key);
        let schedule = self.controller.schedule();
        let strip = schedule.strips().iter().find(|strip| strip.key == key);
        let level = strip.map_or(schedule.master(), |strip| strip.level);
        self.controller.set_level(key, Level { gain, pan, ..level })?;
        Ok(())
    }

    /// Starts from the current position.
    ///
    /// # Errors
    /// When the audio thread takes no messages.
    pub fn play(&mut self) -> Result<(), PlayerError> {
        Ok(self.controller.play()?)
    }

    /// Stops where it is.
    ///
    /// # Errors
    /// When the audio thread takes no messages.
    pub fn stop(&mut self) -> Result<(), PlayerError> {
        Ok(self.controller.stop()?)
    }

    /// Goes to a frame of the session, and plays on from there if it plays.
    ///
    /// # Errors
    /// When there is no such place, or the audio thread takes no messages.
    pub fn seek(&mut self, at: Frames) -> Result<(), PlayerError> {
        Ok(self.controller.seek(self.rates.to_engine(at))?)
    }

    /// Repeats a range of the session; `None` plays straight on.
    ///
    /// # Errors
    /// When the range is too short, or the audio thread takes no messages.
    pub fn set_loop(&mut self, range: Option<Range<Frames>>) -> Result<(), PlayerError> {
        let range = range.map(|it| self.rates.to_engine(it.start)..self.rates.to_engine(it.end));
        Ok(self.controller.set_loop(range)?)
    }

    /// Frees the objects that the engine no longer uses, and sends messages that found the queue full.
    pub fn pump(&mut self) {
        // Whatever waits is tried again at the next pump.
        let _ = self.controller.pump();
    }

    #[must_use]
    pub fn place(&self) -> Place {
        let position = self.controller.position();
        Place { at: self.rates.to_session(position.at), motion: position.motion }
    }

    /// Every meter reading since the last call, the oldest first; `None` is the master.
    pub fn levels(&mut self, show: &mut dyn FnMut(Option<TrackId>, MeterReading)) {
        self.controller.meters(&mut |reading| {
            let is_master = reading.strip == StripKey::MASTER;
            show((!is_master).then(|| TrackId::new(reading.strip.0)), reading);
        });
    }

    /// How much every processor took away at most, in dB, 0 or more, since the last call; the oldest first.
    pub fn reductions(&mut self, show: &mut dyn FnMut(InsertId, f32)) {
        self.controller.reductions(&mut |key, decibels| show(crate::insert_of(key), decibels));
    }

    /// Watches the sound before and after a processor; `None` watches nothing.
    ///
    /// # Errors
    /// When the audio thread takes no messages.
    pub fn watch(&mut self, insert: Option<InsertId>) -> Result<(), PlayerError> {
        Ok(self.controller.watch(insert.map(crate::insert_key))?)
    }

    /// Every frame before and after the watched processor since the last call.
    pub fn watched(&mut self, show: &mut dyn FnMut([f32; 2], [f32; 2])) {
        self.controller.watched(show);
    }

    /// Sets a processor until the next session replaces it: for a drag that is not yet an edit.
    ///
    /// # Errors
    /// When there is no such processor, or a setting is out of range.
    pub fn preview_insert(
        &mut self,
        id: InsertId,
        placed: &PlacedInsert,
    ) -> Result<(), PlayerError> {
        self.controller.set_insert(crate::insert(id, placed))?;
        Ok(())
    }

    /// Resets the integrated loudness of the mix.
    ///
    /// # Errors
    /// When the audio thread takes no messages.
    pub fn reset_meters(&mut self) -> Result<(), PlayerError> {
        Ok(self.controller.reset_meters()?)
    }

    /// Sources that could not be played since the last call; their clips are silent.
    pub fn faults(&mut self) -> Vec<SourceError> {
        self.controller.faults()
    }

    /// What went wrong since the engine was made.
    #[must_use]
    pub fn trouble(&self) -> Trouble {
        self.controller.trouble()
    }

    /// The rates of the session and of the engine.
    #[must_use]
    pub fn rates(&self) -> Rates {
        self.rates
    }
}

#[cfg(test)]
mod tests;
