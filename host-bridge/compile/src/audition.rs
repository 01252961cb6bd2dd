//! A stretch of a source that plays alone: a take next to another, or words that no clip plays.
//!
//! Thread: message, or the window

use crate::Place;
use deskhand_dsp::{Fade, Frames};
use deskhand_engine::Motion;
use deskhand_session::{Clip, ClipId, Session, SessionId, SourceId, Track, TrackId};

/// Fades at both ends, so that nothing clicks: 5 ms at 48 kHz.
const FADE: Frames = Frames(240);

/// Where no timeline goes: 2^40 frames are 265 days at 48 kHz.
const FAR: i64 = 1 << 40;
/// The distance between the places of two stretches: a day. A player still in the last stretch is never in
/// the next one.
const DAY: i64 = 1 << 32;

/// A stretch of a source, and how far it was heard. All in frames at the session's rate.
#[derive(Clone, Debug)]
pub struct Alone {
    source: SourceId,
    from: Frames,
    to: Frames,
    session: Session,
    begins: Frames,
    /// The player was seen moving: it answers a little later than it is asked.
    has_moved: bool,
}

impl Alone {
    /// The frames of `source` in `session` from the first of `stretch` up to the second. `turn` counts the
    /// stretches of one player. `None` if the source is missing.
    #[must_use]
    pub fn new(
        session: &Session,
        source: SourceId,
        stretch: (Frames, Frames),
        turn: u64,
    ) -> Option<Self> {
        let known = session.sources.get(&source)?;
        let from = stretch.0.clamp(Frames::ZERO, known.frames - Frames(1));
        let to = stretch.1.clamp(from + Frames(1), known.frames);
        let mut alone = Session::new(SessionId::new(1), session.rate);
        alone.sources.insert(source, known.clone());
        let track = TrackId::new(1);
        alone.track_order.push(track);
        alone.tracks.insert(track, Track::audio("Alone"));
        let length = to - from;
        let begins = Frames(FAR + (turn % 1024).cast_signed() * DAY);
        let fade = Fade { length: FADE.min(Frames(length.0 / 2)), ..Fade::default() };
        let clip = Clip {
            start: from,
            position: begins,
            fade_in: fade,
            fade_out: fade,
            ..Clip::new("Alone", track, source, length)
        };
        alone.clips.insert(ClipId::new(1), clip);
        Some(Self { source, from, to, session: alone, begins, has_moved: false })
    }

    /// The source, the first frame of the stretch and the frame after its last.
    #[must_use]
    pub fn stretch(&self) -> (SourceId, Frames, Frames) {
        (self.source, self.from, self.to)
    }

    /// A session of nothing else.
    #[must_use]
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Where it begins in that session: a player has to go there.
    #[must_use]
    pub fn begins(&self) -> Frames {
        self.begins
    }

    /// Whether a player that is at `at` is in such a stretch, and on no timeline.
    #[must_use]
    pub fn is_apart(at: Frames) -> bool {
        at.0 >= FAR
    }

    /// The frame of the source that is heard where the player is at `position`.
    #[must_use]
    pub fn at(&self, position: Frames) -> Frames {
        (self.from + (position - self.begins)).clamp(self.from, self.to)
    }

    /// Whether the player, which is at `place`, has come to its end or was stopped.
    pub fn is_over(&mut self, place: Place) -> bool {
        let moves = place.motion != Motion::Stopped;
        self.has_moved |= moves;
        self.at(place.at) >= self.to || (self.has_moved && !moves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_dsp::SampleRate;
    use deskhand_session::Source;

    fn session() -> Session {
        let mut session = Session::new(SessionId::new(1), SampleRate(48_000));
        let source = Source {
            name: "Take".into(),
            format: String::new(),
            ..Source::in_place("take.wav", SampleRate(48_000), 1, Frames(96_000))
        };
        session.sources.insert(SourceId::new(1), source);
        session
    }

    #[test]
    fn a_stretch_is_over_when_its_player_came_to_its_end_and_not_before_it_came_there() {
        let asked = (Frames(48_000), Frames(200_000));
        let alone = |turn| Alone::new(&session(), SourceId::new(1), asked, turn).unwrap();
        let (first, mut second) = (alone(0), alone(1));
        assert_eq!(
            second.stretch(),
            (SourceId::new(1), Frames(48_000), Frames(96_000)),
            "no longer than it is"
        );
        let place = |at: Frames, motion| Place { at, motion };
        let end = first.begins() + Frames(48_000);
        assert!(!second.is_over(place(end, Motion::Playing)), "the player is at the one before");
        let middle = second.begins() + Frames(24_000);
        assert_eq!(second.at(middle), Frames(72_000));
        assert!(!second.is_over(place(middle, Motion::Playing)));
        assert!(second.clone().is_over(place(middle, Motion::Stopped)), "somebody stopped");
        assert!(second.is_over(place(second.begins() + Frames(48_000), Motion::Playing)));
    }

    #[test]
    fn what_is_not_there_is_not_heard() {
        let stretch = (Frames(0), Frames(10));
        assert!(Alone::new(&session(), SourceId::new(2), stretch, 0).is_none());
    }
}
