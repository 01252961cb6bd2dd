//! Where the words of a source are on the timeline, and which are heard now.

use deskhand_dsp::Frames;
use deskhand_session::{Playing, Session, SourceId, TrackId, Word};
use std::collections::BTreeMap;

/// A stretch of a source that a clip plays. All in frames at the session rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Span {
    /// First frame in the source, and the frame after the last.
    start: Frames,
    end: Frames,
    /// Where it plays on the timeline.
    position: Frames,
    track: TrackId,
    is_muted: bool,
    /// It is not muted, nor is another track soloed.
    is_audible: bool,
}

/// A stretch of the timeline on one track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Heard {
    pub(crate) track: TrackId,
    pub(crate) from: Frames,
    pub(crate) to: Frames,
}

/// The places where sources play.
#[derive(Debug, Default)]
pub(crate) struct Places {
    by_source: BTreeMap<SourceId, Vec<Span>>,
    playing: Playing,
}

impl Places {
    pub(crate) fn new(session: &Session) -> Self {
        let mut by_source: BTreeMap<SourceId, Vec<Span>> = BTreeMap::new();
        for clip in session.clips.values() {
            let span = Span {
                start: clip.start,
                end: clip.start + clip.length,
                position: clip.position,
                track: clip.track,
                is_muted: session.tracks.get(&clip.track).is_none_or(|track| track.mute),
                is_audible: session.is_audible(clip.track),
            };
            by_source.entry(clip.source).or_default().push(span);
        }
        for spans in by_source.values_mut() {
            // A muted original does not restore words that were cut from the edit.
            if spans.iter().any(|span| !span.is_muted) {
                spans.retain(|span| !span.is_muted);
            }
            spans.sort_by_key(|span| (!span.is_audible, span.position));
        }
        Self { by_source, playing: Playing::of(session) }
    }

    fn spans(&self, source: SourceId) -> &[Span] {
        self.by_source.get(&source).map(Vec::as_slice).unwrap_or_default()
    }

    /// The track on which a source plays first; `None` if no clip plays it.
    pub(crate) fn track_of(&self, source: SourceId) -> Option<TrackId> {
        self.spans(source).first().map(|span| span.track)
    }

    /// Where a frame of a source plays; `None` if no clip plays it.
    pub(crate) fn of(&self, source: SourceId, at: Frames) -> Option<(TrackId, Frames)> {
        let over = |span: &&Span| span.start <= at && at < span.end;
        let span = self.spans(source).iter().find(over)?;
        Some((span.track, span.position + (at - span.start)))
    }

    /// Where the first frame of a stretch that any clip plays is heard.
    pub(crate) fn first_of(&self, source: SourceId, from: Frames, to: Frames) -> Option<Frames> {
        let over = |span: &&Span| span.start < to && from < span.end;
        let span = self.spans(source).iter().find(over)?;
        Some(span.position + (from.max(span.start) - span.start))
    }

    /// Whether a word of a source plays: its larger part must, since the edge of a cut may fade.
    pub(crate) fn plays(&self, source: SourceId, word: &Word) -> bool {
        self.playing.plays(source, word)
    }

    /// How much of a stretch of a source plays.
    pub(crate) fn length(&self, source: SourceId, from: Frames, to: Frames) -> Frames {
        self.playing.within(source, &(from..to))
    }

    /// Where the first playing one of some words plays; `None` if none does.
    pub(crate) fn first_word(&self, source: SourceId, words: &[Word]) -> Option<Frames> {
        let word = words.iter().find(|word| self.plays(source, word))?;
        let at = self.of(source, word.start).map(|(_, at)| at);
        at.or_else(|| self.first_of(source, word.start, word.end))
    }

    /// What plays at a moment of the timeline: each source with its frame.
    pub(crate) fn at(&self, moment: Frames) -> Vec<(SourceId, Frames)> {
        let mut heard = Vec::new();
        for (source, spans) in &self.by_source {
            let over = spans.iter().filter(|span| {
                span.is_audible
                    && span.position <= moment
                    && moment - span.position < span.end - span.start
            });
            heard.extend(over.map(|span| (*source, span.start + (moment - span.position))));
        }
        heard
    }

    /// The stretches of the timeline where a stretch of a source plays, in order. Stretches that meet are
    /// joined.
    pub(crate) fn stretches(&self, source: SourceId, from: Frames, to: Frames) -> Vec<Heard> {
        let over = |span: &&Span| span.start < to && from < span.end;
        let Some(track) = self.spans(source).iter().find(over).map(|span| span.track) else {
            return Vec::new();
        };
        let on_track = self.spans(source).iter().filter(over).filter(|span| span.track == track);
        let mut found: Vec<Heard> = on_track
            .map(|span| {
                let (first, last) = (span.start.max(from), span.end.min(to));
                let begin = span.position + (first - span.start);
                Heard { track, from: begin, to: begin + (last - first) }
            })
            .collect();
        found.sort_by_key(|heard| heard.from);
        found.dedup_by(|later, earlier| {
            let meets = later.from <= earlier.to;
            if meets {
                earlier.to = earlier.to.max(later.to);
            }
            meets
        });
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::session;
    use deskhand_session::ClipId;

    /// The first source: 2 s to 4 s at 10 s, then 6 s to 7 s.
    fn cut() -> Session {
        let mut session = session();
        let mut clip = session.clips[&ClipId::new(1)].clone();
        (clip.start, clip.length, clip.position) =
            (Frames(96_000), Frames(96_000), Frames(480_000));
        let mut second = clip.clone();
        (second.start, second.length, second.position) =
            (Frames(288_000), Frames(48_000), Frames(576_000));
        session.clips.insert(ClipId::new(1), clip);
        session.clips.insert(ClipId::new(9), second);
        session
    }

    const SOURCE: SourceId = SourceId::new(1);

    fn word(start: i64, end: i64) -> Word {
        Word { text: "um".into(), start: Frames(start), end: Frames(end), confidence: None }
    }

    #[test]
    fn a_frame_is_where_its_clip_plays_it_and_back() {
        let places = Places::new(&cut());
        let (_, at) = places.of(SOURCE, Frames(100_000)).unwrap();
        assert_eq!(at, Frames(484_000));
        assert!(places.at(at).contains(&(SOURCE, Frames(100_000))));
        assert_eq!(places.of(SOURCE, Frames(0)), None, "it was cut away");
    }

    #[test]
    fn the_first_word_that_plays_is_where_it_is_heard() {
        let places = Places::new(&cut());
        // From 4 s to 6 s nothing plays; 10 ms of the first two words fade into it and out of it.
        let words = [word(191_520, 216_000), word(264_000, 288_480), word(300_000, 312_000)];
        assert!(!places.plays(SOURCE, &words[0]) && !places.plays(SOURCE, &words[1]));
        assert_eq!(places.first_word(SOURCE, &words), Some(Frames(588_000)));
        assert_eq!(places.first_word(SOURCE, &words[..2]), None);
        // Its first quarter was cut off.
        let late = word(280_000, 312_000);
        assert_eq!(places.first_word(SOURCE, &[late]), Some(Frames(576_000)));
    }

    #[test]
    fn stretches_that_meet_on_the_timeline_are_one() {
        let places = Places::new(&cut());
        let found = places.stretches(SOURCE, Frames(144_000), Frames(300_000));
        let [one] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((one.from, one.to), (Frames(528_000), Frames(588_000)));
        let mut session = cut();
        session.clips.get_mut(&ClipId::new(9)).unwrap().position = Frames(0);
        let found = Places::new(&session).stretches(SOURCE, Frames(144_000), Frames(300_000));
        let both: Vec<_> = found.iter().map(|it| (it.from.0, it.to.0)).collect();
        assert_eq!(both, [(0, 12_000), (528_000, 576_000)]);
    }

    #[test]
    fn what_is_muted_is_not_heard_and_what_is_heard_comes_first() {
        let mut session = cut();
        let mut copy = session.clips[&ClipId::new(1)].clone();
        copy.track = deskhand_session::TrackId::new(2);
        copy.position = Frames(0);
        session.clips.insert(ClipId::new(10), copy);
        session.tracks.get_mut(&deskhand_session::TrackId::new(2)).unwrap().mute = true;
        let places = Places::new(&session);
        let (track, _) = places.of(SOURCE, Frames(100_000)).unwrap();
        assert_eq!(track, deskhand_session::TrackId::new(1));
        assert_eq!(places.at(Frames(4_000)), [], "the copy is muted, and track 2's own clip too");
    }

    #[test]
    fn what_a_muted_original_alone_plays_was_cut_out() {
        let mut session = cut();
        let mut whole = session.clips[&ClipId::new(1)].clone();
        (whole.start, whole.length, whole.position) = (Frames(0), Frames(480_000), Frames(0));
        whole.track = deskhand_session::TrackId::new(2);
        session.clips.insert(ClipId::new(10), whole);
        assert!(Places::new(&session).plays(SOURCE, &word(0, 96_000)));
        session.tracks.get_mut(&deskhand_session::TrackId::new(2)).unwrap().mute = true;
        let places = Places::new(&session);
        assert!(!places.plays(SOURCE, &word(0, 96_000)));
        assert_eq!(places.of(SOURCE, Frames(0)), None);
    }

    #[test]
    fn another_track_that_is_soloed_cuts_nothing_out() {
        let mut session = cut();
        session.tracks.get_mut(&deskhand_session::TrackId::new(2)).unwrap().solo = true;
        let places = Places::new(&session);
        let said = word(100_000, 110_000);
        assert!(places.plays(SOURCE, &said));
        assert_eq!(places.first_word(SOURCE, &[said]), Some(Frames(484_000)));
    }
}
