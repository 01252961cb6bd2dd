//! Where two clips of a track meet or lie over each other, and how far a crossfade there can reach.

use crate::clip::Clip;
use crate::ids::ClipId;
use crate::session::Session;
use deskhand_dsp::{Fade, FadeCurve, Frames};
use std::collections::BTreeMap;

/// The earliest and the latest frame of a crossing.
type Room = (Frames, Frames);

/// Two clips of one track. The second begins inside the first or right after it, and ends later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crossing {
    /// The clip that ends here.
    pub first: ClipId,
    /// The clip that begins here.
    pub second: ClipId,
    /// Where the second begins on the timeline.
    pub from: Frames,
    /// Where the first ends on the timeline: `from` where they only touch.
    pub to: Frames,
}

impl Crossing {
    /// The crossing of two clips; `None` if they do not cross in this order.
    #[must_use]
    pub fn of(session: &Session, first: ClipId, second: ClipId) -> Option<Self> {
        let (a, b) = (session.clips.get(&first)?, session.clips.get(&second)?);
        let crosses = a.track == b.track
            && a.position < b.position
            && b.position <= a.end()
            && a.end() < b.end();
        crosses.then_some(Self { first, second, from: b.position, to: a.end() })
    }

    /// All crossings of clips among `clips`, those over the same time together.
    #[must_use]
    pub fn among(session: &Session, clips: &[ClipId]) -> Vec<Vec<Self>> {
        let mut found: BTreeMap<(Frames, Frames), Vec<Self>> = BTreeMap::new();
        for first in clips {
            for one in clips.iter().filter_map(|second| Self::of(session, *first, *second)) {
                found.entry((one.from, one.to)).or_default().push(one);
            }
        }
        found.into_values().collect()
    }

    /// How long both play.
    #[must_use]
    pub fn length(&self) -> Frames {
        self.to - self.from
    }

    /// Crossings over the same time with another length, all alike. They keep their middle, or grow to one
    /// side if the other has no room. They stay within the sources and the clips' other fades.
    #[must_use]
    pub fn resized(session: &Session, together: &[Self], length: Frames) -> Vec<Self> {
        let Some(now) = together.first() else { return Vec::new() };
        let rooms = together.iter().filter_map(|one| one.room(session));
        let narrower = |a: Room, b: Room| (a.0.max(b.0), a.1.min(b.1));
        let (low, high) = rooms.reduce(narrower).unwrap_or((now.from, now.to));
        let middle = Frames((now.from.0 + now.to.0) / 2);
        let to = (middle + Frames(length.0 - length.0 / 2)).min(high);
        let from = (to - length).max(low);
        let to = (from + length).min(high);
        together.iter().map(|one| Self { from, to, ..*one }).collect()
    }

    /// The earliest frame at which the second can begin, and the last at which the first can end.
    fn room(&self, session: &Session) -> Option<Room> {
        let (first, second) = self.clips(session)?;
        let one = Frames(1);
        let total = session.sources.get(&first.source)?.frames;
        let source_begins = second.position - second.start;
        let low = source_begins.max(first.position + first.fade_in.length.max(one));
        let source_ends = first.position + (total - first.start);
        let high = source_ends.min(second.end() - second.fade_out.length.max(one));
        Some((low.max(Frames::ZERO).min(self.from), high.max(self.to)))
    }

    fn clips<'a>(&self, session: &'a Session) -> Option<(&'a Clip, &'a Clip)> {
        session.clips.get(&self.first).zip(session.clips.get(&self.second))
    }

    /// The first clip as it ends here: with a fade over all of the crossing. A fade that is there keeps its shape.
    #[must_use]
    pub fn ending(&self, first: &Clip, curve: FadeCurve) -> Clip {
        let fade_out = over(first.fade_out, self.length(), curve);
        Clip { length: self.to - first.position, fade_out, ..first.clone() }
    }

    /// The second clip as it begins here: with a fade over all of the crossing. A fade that is there keeps its shape.
    #[must_use]
    pub fn beginning(&self, second: &Clip, curve: FadeCurve) -> Clip {
        let earlier = second.position - self.from;
        Clip {
            start: second.start - earlier,
            position: self.from,
            length: second.length + earlier,
            fade_in: over(second.fade_in, self.length(), curve),
            ..second.clone()
        }
    }

    /// How they fade into each other: a straight line where both play the same audio in step, which equal power
    /// would make louder.
    #[must_use]
    pub fn curve(&self, session: &Session) -> FadeCurve {
        let in_step = self.clips(session).is_some_and(|(first, second)| {
            first.source == second.source
                && first.start - first.position == second.start - second.position
        });
        if in_step { FadeCurve::Linear } else { FadeCurve::EqualPower }
    }
}

fn over(now: Fade, length: Frames, curve: FadeCurve) -> Fade {
    Fade { length, curve: if now.length > Frames::ZERO { now.curve } else { curve } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::{SessionId, SourceId, TrackId};
    use crate::{ContentHash, Media, Source, Track};
    use deskhand_dsp::{Decibels, SampleRate};

    /// Two clips of 1,000 frames side by side, with 100 frames of their sources left at both ends.
    fn session() -> Session {
        let mut session = Session::new(SessionId::new(1), SampleRate(48_000));
        session.tracks.insert(TrackId::new(1), Track::audio("T"));
        session.track_order.push(TrackId::new(1));
        for number in [1, 2] {
            session.sources.insert(SourceId::new(number), source());
            session.clips.insert(ClipId::new(number), clip(number));
        }
        session
    }

    fn source() -> Source {
        Source {
            name: "S".into(),
            hash: ContentHash("S".into()),
            path: "/S.wav".into(),
            size: 0,
            modified_ns: 0,
            format: "WAV".into(),
            rate: SampleRate(48_000),
            channels: 1,
            channel: None,
            frames: Frames(1_200),
            origin: None,
            same_sound: Vec::new(),
            media: Media::InPlace,
        }
    }

    fn clip(number: u64) -> Clip {
        Clip {
            name: "C".into(),
            track: TrackId::new(1),
            source: SourceId::new(number),
            start: Frames(100),
            length: Frames(1_000),
            position: Frames(1_000 * number as i64),
            gain: Decibels::UNITY,
            fade_in: Fade::default(),
            fade_out: Fade::default(),
            envelope: Vec::new(),
            polarity: Default::default(),
            mute: false,
        }
    }

    fn ids() -> [ClipId; 2] {
        [ClipId::new(1), ClipId::new(2)]
    }

    /// Where a crossing of this length is.
    fn resized(session: &Session, length: i64) -> (i64, i64) {
        let [together] = &Crossing::among(session, &ids())[..] else { panic!("one time") };
        let after = Crossing::resized(session, together, Frames(length));
        (after[0].from.0, after[0].to.0)
    }

    #[test]
    fn it_grows_about_its_middle_as_far_as_the_sources_reach() {
        let mut session = session();
        assert_eq!(resized(&session, 80), (1_960, 2_040));
        assert_eq!(resized(&session, 500), (1_900, 2_100));
        session.sources.get_mut(&SourceId::new(1)).unwrap().frames = Frames(1_110);
        assert_eq!(resized(&session, 80), (1_930, 2_010), "the other side gives the rest");
    }

    #[test]
    fn the_other_fades_of_both_clips_keep_their_room() {
        let mut session = session();
        let [first, second] = ids();
        session.clips.get_mut(&first).unwrap().fade_in.length = Frames(960);
        session.clips.get_mut(&second).unwrap().fade_out.length = Frames(970);
        assert_eq!(resized(&session, 500), (1_960, 2_030));
    }

    #[test]
    fn one_that_shrinks_to_nothing_leaves_clips_that_touch() {
        let mut session = session();
        let second = session.clips.get_mut(&ids()[1]).unwrap();
        second.position -= Frames(60);
        assert_eq!(resized(&session, 0), (1_970, 1_970));
        let [together] = &Crossing::among(&session, &ids())[..] else { panic!() };
        let touch = Crossing::resized(&session, together, Frames::ZERO)[0];
        let curve = touch.curve(&session);
        assert_eq!(curve, FadeCurve::EqualPower);
        let [first, second] = ids().map(|id| &session.clips[&id]);
        let (first, second) = (touch.ending(first, curve), touch.beginning(second, curve));
        assert_eq!((first.length, second.position), (Frames(970), Frames(1_970)));
        assert_eq!((second.start, second.length), (Frames(130), Frames(970)));
    }

    #[test]
    fn clips_that_lie_in_each_other_or_apart_do_not_cross() {
        let mut session = session();
        let [first, second] = ids();
        session.clips.get_mut(&second).unwrap().position = Frames(2_001);
        assert_eq!(Crossing::of(&session, first, second), None, "a gap");
        let inner = session.clips.get_mut(&second).unwrap();
        (inner.position, inner.length) = (Frames(1_100), Frames(100));
        assert_eq!(Crossing::of(&session, first, second), None, "inside");
    }

    #[test]
    fn those_over_the_same_time_go_together_as_far_as_all_can() {
        let mut session = session();
        let track = TrackId::new(2);
        session.tracks.insert(track, Track::audio("U"));
        session.track_order.push(track);
        for (id, number) in [(3, 1), (4, 2)] {
            let clip = Clip { track, source: SourceId::new(id), ..clip(number) };
            session.clips.insert(ClipId::new(id), clip);
            let source = Source { frames: Frames(1_130), ..source() };
            session.sources.insert(SourceId::new(id), source);
        }
        let all: Vec<ClipId> = session.clips.keys().copied().collect();
        let [together] = &Crossing::among(&session, &all)[..] else { panic!("one time") };
        let after = Crossing::resized(&session, together, Frames(300));
        let places: Vec<_> = after.iter().map(|one| (one.from.0, one.to.0)).collect();
        assert_eq!(places, [(1_900, 2_030); 2]);
    }
}
