//! What plays of the recordings: which stretches of each source are heard on the timeline, and which were cut out.

use crate::clip::Clip;
use crate::ids::{PhraseId, SourceId};
use crate::segment::{Segment, Word};
use crate::session::Session;
use deskhand_dsp::Frames;
use deskhand_dsp::silence::union;
use std::collections::BTreeMap;
use std::ops::Range;

/// The stretches of sources that clips play on tracks that are not muted: the original of an assembly, which is, does
/// not play what was cut out of it. What is soloed makes no difference.
#[derive(Clone, Debug, Default)]
pub struct Playing {
    /// In frames of the source at the session rate, in order; those that meet are one.
    by_source: BTreeMap<SourceId, Vec<Range<Frames>>>,
}

impl Playing {
    /// What plays of a session.
    #[must_use]
    pub fn of(session: &Session) -> Self {
        let sounds =
            |clip: &&Clip| session.tracks.get(&clip.track).is_some_and(|track| !track.mute);
        let mut by_source: BTreeMap<SourceId, Vec<Range<Frames>>> = BTreeMap::new();
        for clip in session.clips.values().filter(sounds) {
            by_source.entry(clip.source).or_default().push(clip.start..clip.start + clip.length);
        }
        for stretches in by_source.values_mut() {
            *stretches = union(std::mem::take(stretches));
        }
        Self { by_source }
    }

    /// How much of a stretch of a source plays, each moment of it counted once.
    #[must_use]
    pub fn within(&self, source: SourceId, stretch: &Range<Frames>) -> Frames {
        let all = self.by_source.get(&source).map(Vec::as_slice).unwrap_or_default();
        let first = all.partition_point(|own| own.end <= stretch.start);
        let met = all.iter().skip(first).take_while(|own| own.start < stretch.end);
        let part = |own: &Range<Frames>| own.end.min(stretch.end) - own.start.max(stretch.start);
        met.map(part).fold(Frames::ZERO, |sum, part| sum + part)
    }

    /// Whether a word plays: the larger part of it, since what lies beside a cut fades into it.
    #[must_use]
    pub fn plays(&self, source: SourceId, word: &Word) -> bool {
        let whole = word.start..word.end.max(word.start + Frames(1));
        let length = whole.end - whole.start;
        self.within(source, &whole).0 * 2 > length.0
    }

    /// Whether a word was cut out: it does not play, and something else of its source does.
    #[must_use]
    pub fn is_cut(&self, source: SourceId, word: &Word) -> bool {
        self.by_source.contains_key(&source) && !self.plays(source, word)
    }

    /// The words of a segment that were cut out, in their order, with spaces between them; none where none was.
    #[must_use]
    pub fn cut_from(&self, segment: &Segment) -> Option<String> {
        let words = segment.words.iter().filter(|word| self.is_cut(segment.source, word));
        let words: Vec<&str> = words.map(|word| word.text.as_str()).collect();
        (!words.is_empty()).then(|| words.join(" "))
    }

    /// How long a phrase is: as long as it plays, without what was cut out of it; of one that does not play, all of
    /// it. `None` where it does not exist.
    #[must_use]
    pub fn length(&self, session: &Session, phrase: PhraseId) -> Option<Frames> {
        let spoken = session.spoken(phrase)?;
        let plays = self.within(spoken.source, &(spoken.start..spoken.end));
        let is_heard = plays > Frames::ZERO && session.assembly.order.contains(&phrase);
        Some(if is_heard { plays } else { spoken.end - spoken.start })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assembly::Phrase;
    use crate::ids::{ClipId, SegmentId, SessionId, TrackId};
    use crate::track::Track;
    use deskhand_dsp::{Decibels, Fade, SampleRate};

    const SOURCE: SourceId = SourceId::new(1);

    fn clip(track: TrackId, start: i64, length: i64, position: i64) -> Clip {
        Clip {
            name: "Talk".into(),
            track,
            source: SOURCE,
            start: Frames(start),
            length: Frames(length),
            position: Frames(position),
            gain: Decibels::UNITY,
            fade_in: Fade::default(),
            fade_out: Fade::default(),
            envelope: Vec::new(),
        }
    }

    fn word(text: &str, start: i64, end: i64) -> Word {
        Word { text: text.into(), start: Frames(start), end: Frames(end), confidence: None }
    }

    /// A recording of 10 s, in ms, and the edit of it from which 1 s to 1.4 s was cut: both sides of the cut go on for
    /// 10 ms into it. "So um we" is a phrase of it that plays, from 0.5 s to 2 s.
    fn cut() -> Session {
        let mut session = Session::new(SessionId::new(1), SampleRate(1_000));
        let [original, edit] = [1, 2].map(TrackId::new);
        session.tracks.insert(original, Track { mute: true, ..Track::audio("Talk") });
        session.tracks.insert(edit, Track::audio("Talk (assembly)"));
        let clips = [
            clip(original, 0, 10_000, 0),
            clip(edit, 0, 1_010, 0),
            clip(edit, 1_390, 8_610, 1_000),
        ];
        session.clips = (1..).map(ClipId::new).zip(clips).collect();
        let words = vec![word("So", 500, 900), word("um", 1_000, 1_400), word("we", 1_500, 2_000)];
        let segment = Segment { words, ..Segment::new(SOURCE, Frames(500), Frames(1_500)) };
        session.segments.insert(SegmentId::new(1), segment);
        let phrase = Phrase { segments: vec![SegmentId::new(1)] };
        session.phrases.insert(PhraseId::new(1), phrase);
        session.assembly.order.push(PhraseId::new(1));
        session
    }

    #[test]
    fn a_word_plays_whose_larger_part_does_in_one_clip_or_several() {
        let mut session = cut();
        let words = session.segments[&SegmentId::new(1)].words.clone();
        let plays = |session: &Session| -> Vec<bool> {
            let playing = Playing::of(session);
            words.iter().map(|word| playing.plays(SOURCE, word)).collect()
        };
        assert_eq!(plays(&session), [true, false, true], "20 ms of it fade");
        let segment = session.segments[&SegmentId::new(1)].clone();
        assert_eq!(Playing::of(&session).cut_from(&segment).as_deref(), Some("um"));
        let moment = word("er", 1_200, 1_200);
        assert!(!Playing::of(&session).plays(SOURCE, &moment));
        session.clips.get_mut(&ClipId::new(2)).unwrap().length = Frames(1_150);
        session.clips.get_mut(&ClipId::new(3)).unwrap().start = Frames(1_300);
        assert_eq!(plays(&session), [true, true, true], "150 ms ahead of the cut, 100 behind");
        session.tracks.get_mut(&TrackId::new(1)).unwrap().mute = false;
        assert!(Playing::of(&session).plays(SOURCE, &moment), "the original plays it");
        session.clips.clear();
        assert_eq!(plays(&session), [false, false, false]);
        let cut = Playing::of(&session).cut_from(&segment);
        assert_eq!(cut, None, "what no clip plays was never in the edit");
    }

    #[test]
    fn a_phrase_is_as_long_as_it_plays_and_whole_where_it_does_not() {
        let mut session = cut();
        let length = |session: &Session| Playing::of(session).length(session, PhraseId::new(1));
        assert_eq!(length(&session), Some(Frames(1_500 - 400 + 20)));
        session.assembly.removed.append(&mut session.assembly.order);
        assert_eq!(length(&session), Some(Frames(1_500)));
        assert_eq!(Playing::of(&session).length(&session, PhraseId::new(9)), None);
    }
}
