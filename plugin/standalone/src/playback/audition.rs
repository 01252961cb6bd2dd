//! A stretch of a source, heard by itself in place of the timeline: a take beside another, or words that no clip
//! plays. The timeline stands meanwhile; afterwards everything is as it was.

use super::{Playback, PlaybackError};
use deskhand_compile::Player;
use deskhand_dsp::{Decibels, Fade, Frames};
use deskhand_editor::{Audition, Live};
use deskhand_engine::{Motion, Side};
use deskhand_session::{Clip, ClipId, Session, SessionId, SourceId, Track, TrackId};

/// Fades at both ends, so that nothing clicks: 5 ms at 48 kHz.
const FADE: Frames = Frames(240);

/// What is heard by itself.
pub(super) struct Alone {
    source: SourceId,
    from: Frames,
    to: Frames,
    /// A session of this stretch alone, at the place where the timeline stands.
    session: Session,
    /// Where the timeline stands.
    began: Frames,
    /// The player was seen moving: it answers a little later than it is asked.
    has_moved: bool,
}

impl Alone {
    /// `None` where the source is not there.
    fn new(
        session: &Session,
        source: SourceId,
        (from, to): (Frames, Frames),
        began: Frames,
    ) -> Option<Self> {
        let known = session.sources.get(&source)?;
        let from = from.clamp(Frames::ZERO, known.frames - Frames(1));
        let to = to.clamp(from + Frames(1), known.frames);
        let mut alone = Session::new(SessionId::new(1), session.rate);
        alone.sources.insert(source, known.clone());
        let track = TrackId::new(1);
        alone.track_order.push(track);
        alone.tracks.insert(track, Track::audio("Alone"));
        let length = to - from;
        let fade = Fade { length: FADE.min(Frames(length.0 / 2)), ..Fade::default() };
        let clip = Clip {
            name: "Alone".into(),
            track,
            source,
            start: from,
            length,
            position: began,
            gain: Decibels::UNITY,
            fade_in: fade,
            fade_out: fade,
            envelope: Vec::new(),
        };
        alone.clips.insert(ClipId::new(1), clip);
        Some(Self { source, from, to, session: alone, began, has_moved: false })
    }

    /// How far it has come.
    fn at(&self, position: Frames) -> Frames {
        (self.from + (position - self.began)).clamp(self.from, self.to)
    }

    /// Where the timeline stands.
    pub(super) fn began(&self) -> Frames {
        self.began
    }

    /// What the player hears.
    pub(super) fn side(&self) -> (&Session, Side) {
        (&self.session, Side::Other { gain: Decibels::UNITY })
    }
}

impl Playback {
    /// Lets a stretch of a source be heard by itself from now on; `None` ends it.
    ///
    /// # Errors
    /// When the player refuses.
    pub fn audition(
        &mut self,
        player: &mut Player,
        session: &Session,
        stretch: Option<(SourceId, Frames, Frames)>,
    ) -> Result<(), PlaybackError> {
        self.end_audition(player)?;
        let Some((source, from, to)) = stretch else { return Ok(()) };
        let began = player.place().at;
        let Some(alone) = Alone::new(session, source, (from, to), began) else { return Ok(()) };
        player.set_loop(None)?;
        player.hear(Some(alone.side()))?;
        self.alone = Some(alone);
        Ok(player.play()?)
    }

    /// Ends it, if there is one: the player stands where the timeline stood, and hears what it heard.
    ///
    /// # Errors
    /// When the player refuses.
    pub(super) fn end_audition(&mut self, player: &mut Player) -> Result<(), PlaybackError> {
        let Some(alone) = self.alone.take() else { return Ok(()) };
        player.stop()?;
        player.hear(None)?;
        player.seek(alone.began)?;
        player.set_loop(self.cycle.clone())?;
        self.sound(player)
    }

    /// Ends it when its stretch is over, or somebody stopped.
    pub(super) fn look_at_audition(&mut self, player: &mut Player) -> Result<(), PlaybackError> {
        let Some(alone) = &mut self.alone else { return Ok(()) };
        let place = player.place();
        let moves = place.motion != Motion::Stopped;
        alone.has_moved |= moves;
        if alone.at(place.at) < alone.to && (moves || !alone.has_moved) {
            return Ok(());
        }
        self.end_audition(player)
    }

    /// Writes what the views show of it.
    pub(super) fn show_audition(&self, live: &mut Live) {
        live.audition = self.alone.as_ref().map(|alone| {
            let Alone { source, from, to, .. } = *alone;
            Audition { source, from, to, at: alone.at(live.position) }
        });
        if let Some(alone) = &self.alone {
            live.position = alone.began;
        }
    }
}
