//! Which parts of the recordings play: the stretches of each source on the timeline, and those that were
//! cut out.

use crate::assembly::Spoken;
use crate::clip::Clip;
use crate::ids::{PhraseId, SourceId, TrackId};
use crate::segment::{Segment, Word};
use crate::session::Session;
use deskhand_dsp::Frames;
use deskhand_dsp::silence::union;
use std::collections::BTreeMap;
use std::ops::Range;

/// The stretches of sources that clips play on tracks that are not muted. The original of an assembly is
/// muted, so it does not play what was cut. Solo makes no difference.
#[derive(Clone, Debug, Default)]
pub struct Playing {
    /// In frames of the source at the session rate, in order; those that meet are one.
    by_source: BTreeMap<SourceId, Vec<Range<Frames>>>,
}

impl Playing {
    /// The playing parts of a session.
    #[must_use]
    pub fn of(session: &Session) -> Self {
        Self::of_clips(session.clips.values().filter(|clip| !session.is_clip_muted(clip)))
    }

    /// The playing parts on some tracks, muted or not.
    #[must_use]
    pub fn on(session: &Session, tracks: &[TrackId]) -> Self {
        Self::of_clips(session.clips.values().filter(|clip| tracks.contains(&clip.track)))
    }

    /// What some clips play, wherever they are.
    #[must_use]
    pub fn of_clips<'a>(clips: impl IntoIterator<Item = &'a Clip>) -> Self {
        let mut by_source: BTreeMap<SourceId, Vec<Range<Frames>>> = BTreeMap::new();
        for clip in clips {
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
        let parts = self.parts(source, stretch);
        parts.fold(Frames::ZERO, |sum, part| sum + (part.end - part.start))
    }

    /// The parts of a stretch of a source that play, in order.
    pub fn parts<'a>(
        &'a self,
        source: SourceId,
        stretch: &'a Range<Frames>,
    ) -> impl Iterator<Item = Range<Frames>> + 'a {
        let all = self.by_source.get(&source).map(Vec::as_slice).unwrap_or_default();
        let first = all.partition_point(|own| own.end <= stretch.start);
        let met = all.iter().skip(first).take_while(move |own| own.start < stretch.end);
        met.map(move |own| own.start.max(stretch.start)..own.end.min(stretch.end))
    }

    /// Whether a word plays: its larger part must, since the edge at a cut fades.
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

    /// The cut words of a segment, in order, with spaces between them; `None` if none was cut.
    #[must_use]
    pub fn cut_from(&self, segment: &Segment) -> Option<String> {
        let words = segment.words.iter().filter(|word| self.is_cut(segment.source, word));
        let words: Vec<&Word> = words.collect();
        (!words.is_empty()).then(|| joined(&words))
    }

    /// The length of a phrase: as long as it plays, without cuts. If it does not play, all of it counts.
    /// `None` if it does not exist.
    #[must_use]
    pub fn length(&self, session: &Session, phrase: PhraseId) -> Option<Frames> {
        let spoken = self.spoken(session, phrase)?;
        let plays = self.within(spoken.source, &(spoken.start..spoken.end));
        let is_heard = plays > Frames::ZERO && session.assembly.order.contains(&phrase);
        Some(if is_heard { plays } else { spoken.end - spoken.start })
    }

    /// What a phrase says as it plays: its words that were not cut, from the start of the first in the
    /// source to the end of the last. If it does not play, or all its words were cut, it is the whole
    /// phrase. `None` if it does not exist.
    #[must_use]
    pub fn spoken(&self, session: &Session, phrase: PhraseId) -> Option<Spoken> {
        let whole = session.spoken(phrase)?;
        let words: Vec<&Word> = words_of(session, phrase).collect();
        let played = words.iter().copied().filter(|word| self.plays(whole.source, word));
        let played: Vec<&Word> = played.collect();
        let (Some(first), Some(last)) = (played.first(), played.last()) else {
            return Some(whole);
        };
        if !session.assembly.order.contains(&phrase) {
            return Some(whole);
        }
        let start = if words.first() == Some(first) { whole.start } else { first.start };
        let end = if words.last() == Some(last) { whole.end } else { last.end };
        let span = start..end;
        let heard = self.parts(whole.source, &span);
        let heard = heard.reduce(|first, last| first.start..last.end).unwrap_or(start..end);
        let text = if played.len() == words.len() { whole.text } else { joined(&played) };
        Some(Spoken { start: heard.start, end: heard.end, text, ..whole })
    }

    /// Whether any word of a phrase plays.
    #[must_use]
    pub fn is_heard(&self, session: &Session, phrase: PhraseId) -> bool {
        let source = session.spoken(phrase).map(|spoken| spoken.source);
        let plays = |source| words_of(session, phrase).any(|word| self.plays(source, word));
        source.is_some_and(plays)
    }

    /// Whether a phrase is in the order and all of its words were cut out.
    #[must_use]
    pub fn is_gone(&self, session: &Session, phrase: PhraseId) -> bool {
        let Some(source) = session.spoken(phrase).map(|spoken| spoken.source) else { return false };
        let mut words = words_of(session, phrase).peekable();
        let is_cut = words.peek().is_some() && words.all(|word| self.is_cut(source, word));
        is_cut && session.assembly.order.contains(&phrase)
    }
}

/// The words of a phrase, in their order.
fn words_of(session: &Session, phrase: PhraseId) -> impl Iterator<Item = &Word> {
    let ids = session.phrases.get(&phrase).map(|phrase| phrase.segments.as_slice());
    let segments = ids.unwrap_or_default().iter().filter_map(move |id| session.segments.get(id));
    segments.flat_map(|segment| &segment.words)
}

fn joined(words: &[&Word]) -> String {
    words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assembly::Phrase;
    use crate::ids::{ClipId, SegmentId, SessionId};
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
            polarity: Default::default(),
            mute: false,
        }
    }

    fn word(text: &str, start: i64, end: i64) -> Word {
        Word { text: text.into(), start: Frames(start), end: Frames(end), confidence: None }
    }

    /// A recording of 10 s, in ms, and its edit with a cut from 1 s to 1.4 s. Both sides of the cut overlap
    /// into it by 10 ms. "So um we" is a phrase of it that plays, from 0.5 s to 2 s.
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

    #[test]
    fn a_phrase_says_what_plays_of_it_from_where_it_is_heard() {
        let mut session = cut();
        let phrase = PhraseId::new(1);
        let said = |session: &Session| {
            let spoken = Playing::of(session).spoken(session, phrase).unwrap();
            let length = Playing::of(session).length(session, phrase).unwrap();
            (spoken.text, spoken.start.0, spoken.end.0, length.0)
        };
        assert_eq!(said(&session), ("So we".to_owned(), 500, 2_000, 1_120));
        // The edit begins right after "um": the fade before it is not part of the phrase.
        session.clips.get_mut(&ClipId::new(2)).unwrap().length = Frames(510);
        assert_eq!(said(&session), ("we".to_owned(), 1_500, 2_000, 500));
        session.clips.get_mut(&ClipId::new(2)).unwrap().length = Frames(1_010);
        session.clips.get_mut(&ClipId::new(3)).unwrap().start = Frames(1_990);
        assert_eq!(said(&session), ("So".to_owned(), 500, 900, 400));
        assert!(!Playing::of(&session).is_gone(&session, phrase));
        session.clips.get_mut(&ClipId::new(2)).unwrap().length = Frames(510);
        assert_eq!(said(&session).0, "So um we", "which it was, where nothing is left of it");
        assert!(Playing::of(&session).is_gone(&session, phrase));
        session.assembly.removed.append(&mut session.assembly.order);
        assert!(!Playing::of(&session).is_gone(&session, phrase), "it does not play");
        assert_eq!(said(&session), ("So um we".to_owned(), 500, 2_000, 1_500));
    }

    #[test]
    fn what_plays_on_some_tracks_plays_there_though_they_are_muted() {
        let session = cut();
        let [original, edit] = [1, 2].map(TrackId::new);
        let um = &session.segments[&SegmentId::new(1)].words[1];
        assert!(Playing::on(&session, &[original]).plays(SOURCE, um));
        assert!(!Playing::on(&session, &[edit]).plays(SOURCE, um));
    }
}
