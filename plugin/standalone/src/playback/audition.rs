//! A stretch of a source that plays alone in place of the timeline. The timeline pauses; afterwards
//! everything is as it was.

use super::{Playback, PlaybackError};
use deskhand_compile::{Alone, Player};
use deskhand_dsp::{Decibels, Frames};
use deskhand_editor::{Audition, Live};
use deskhand_engine::Side;
use deskhand_session::{Session, SourceId};

/// The stretch that plays alone, and the timeline's position meanwhile.
pub(super) struct Aside {
    alone: Alone,
    stands: Frames,
}

impl Aside {
    /// What the player hears.
    pub(super) fn side(&self) -> (&Session, Side) {
        (self.alone.session(), Side::Other { gain: Decibels::UNITY })
    }
}

impl Playback {
    /// Plays a stretch of a source alone from now on; `None` ends it.
    ///
    /// # Errors
    /// When the player refuses.
    pub fn audition(
        &mut self,
        player: &mut Player,
        session: &Session,
        stretch: Option<(SourceId, Frames, Frames)>,
    ) -> Result<(), PlaybackError> {
        let stands = self.stands(player.place().at);
        self.end_audition(player)?;
        let Some((source, from, to)) = stretch else { return Ok(()) };
        self.auditions += 1;
        let Some(alone) = Alone::new(session, source, (from, to), self.auditions) else {
            return Ok(());
        };
        let aside = Aside { alone, stands };
        player.stop()?;
        player.set_loop(None)?;
        player.hear(Some(aside.side()))?;
        player.seek(aside.alone.begins())?;
        self.aside = Some(aside);
        Ok(player.play()?)
    }

    /// Ends it, if there is one: the player returns to the timeline's position, and hears what it heard.
    ///
    /// # Errors
    /// When the player refuses.
    pub(super) fn end_audition(&mut self, player: &mut Player) -> Result<(), PlaybackError> {
        let Some(aside) = self.aside.take() else { return Ok(()) };
        player.stop()?;
        player.hear(None)?;
        player.seek(aside.stands)?;
        player.set_loop(self.cycle.clone())?;
        self.sound(player)
    }

    /// Ends it when its stretch is over, or somebody stopped.
    pub(super) fn look_at_audition(&mut self, player: &mut Player) -> Result<(), PlaybackError> {
        let Some(aside) = &mut self.aside else { return Ok(()) };
        if aside.alone.is_over(player.place()) { self.end_audition(player) } else { Ok(()) }
    }

    /// The timeline's position while the player is at `at`. A player that returns from a stretch is not
    /// there at once.
    pub(super) fn stands(&self, at: Frames) -> Frames {
        match &self.aside {
            Some(aside) => aside.stands,
            None if Alone::is_apart(at) => self.at,
            None => at,
        }
    }

    /// Writes what the views show of it while the player is at `at`.
    pub(super) fn show_audition(&self, at: Frames, live: &mut Live) {
        live.audition = self.aside.as_ref().map(|aside| {
            let (source, from, to) = aside.alone.stretch();
            Audition { source, from, to, at: aside.alone.at(at) }
        });
    }
}
