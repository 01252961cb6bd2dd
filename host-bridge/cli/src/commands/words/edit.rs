//! `deskhand words show --edit`: the transcript of what an edit plays, at the times when it is heard.

use deskhand_dsp::Frames;
use deskhand_session::text;
use deskhand_session::{Clip, Segment, SegmentId, Session, SourceId};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A phrase as played.
struct Played<'a> {
    id: SegmentId,
    segment: &'a Segment,
    /// Where on the timeline its first word is heard.
    at: Frames,
    /// Which of its words are heard, in their order.
    words: Vec<usize>,
}

impl Played<'_> {
    fn text(&self) -> String {
        let words = self.words.iter().filter_map(|n| self.segment.words.get(*n).cloned());
        Segment { words: words.collect(), ..self.segment.clone() }.text()
    }
}

/// The played parts of `sources` for people, a line each, and for programs, both in the order in which they
/// are heard.
pub(super) fn told(session: &Session, sources: &[SourceId]) -> (Vec<String>, Vec<Value>) {
    let line = |one: &Played<'_>| {
        let who = one.segment.speaker.as_deref().map(|who| format!("{who}: ")).unwrap_or_default();
        format!("{}  {who}{}", text::clock(one.at, session.rate), one.text())
    };
    let json = |one: &Played<'_>| {
        json!({
            "id": one.id, "source": one.segment.source, "at_s": one.at.seconds(session.rate),
            "speaker": one.segment.speaker, "text": one.text(),
        })
    };
    let all = played(session, sources);
    (all.iter().map(line).collect(), all.iter().map(json).collect())
}

/// Whether a part of these sources plays at another time than in its recording.
pub(super) fn is_elsewhere(session: &Session, sources: &[SourceId]) -> bool {
    sounding(session, sources).iter().any(|clip| clip.position != clip.start)
}

/// The clips that are not muted, by their time.
fn sounding<'a>(session: &'a Session, sources: &[SourceId]) -> Vec<&'a Clip> {
    let sounds = |clip: &&Clip| !session.is_clip_muted(clip) && sources.contains(&clip.source);
    let mut clips: Vec<&Clip> = session.clips.values().filter(sounds).collect();
    clips.sort_by_key(|clip| clip.position);
    clips
}

fn played<'a>(session: &'a Session, sources: &[SourceId]) -> Vec<Played<'a>> {
    let transcript = |source: &SourceId| (*source, session.transcript_of(*source));
    let said: BTreeMap<SourceId, _> = sources.iter().map(transcript).collect();
    let mut all: Vec<Played<'a>> = Vec::new();
    for clip in sounding(session, sources) {
        for &(id, segment) in said.get(&clip.source).into_iter().flatten() {
            let words = words_in(clip, segment);
            let Some(first) = words.first().and_then(|first| segment.words.get(*first)) else {
                continue;
            };
            let at = clip.position + (first.start.max(clip.start) - clip.start);
            // A cut inside of a phrase makes no second phrase of it.
            let before = all.iter_mut().rev().find(|one| one.id == id);
            match before.filter(|one| one.words.last() < words.first()) {
                Some(one) => one.words.extend(words),
                None => all.push(Played { id, segment, at, words }),
            }
        }
    }
    all.sort_by_key(|one| (one.at, one.id));
    // A word that two tracks play at once counts once.
    all.dedup_by_key(|one| (one.at, one.id));
    all
}

/// The words of a segment that a clip plays. Bleed does not count.
fn words_in(clip: &Clip, segment: &Segment) -> Vec<usize> {
    let range = clip.start..clip.start + clip.length;
    if segment.is_bleed() || range.end <= segment.start || segment.end() <= range.start {
        return Vec::new();
    }
    let words = segment.words.iter().enumerate();
    words.filter(|(_, word)| range.contains(&word.middle())).map(|(n, _)| n).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_dsp::SampleRate;
    use deskhand_session::{ClipId, SessionId, Track, TrackId, Word};

    const SOURCE: SourceId = SourceId::new(1);

    /// "Hello um there" from 1 s on, a word a second, and "Goodbye" at 5 s.
    fn session(clips: &[(i64, i64, i64)]) -> Session {
        let mut session = Session::new(SessionId::new(1), SampleRate(48_000));
        session.tracks.insert(TrackId::new(1), Track::audio("Talk"));
        for (id, texts, from) in [(1, &["Hello", "um", "there"][..], 1), (2, &["Goodbye"][..], 5)] {
            let at = |second: usize| Frames(48_000 * (second as i64 + from));
            let word = |(n, text): (usize, &&str)| Word {
                text: (*text).into(),
                start: at(n),
                end: at(n) + Frames(40_000),
                confidence: None,
            };
            let words: Vec<Word> = texts.iter().enumerate().map(word).collect();
            let segment = Segment::new(SOURCE, at(0), Frames(48_000 * texts.len() as i64));
            session.segments.insert(SegmentId::new(id), Segment { words, ..segment });
        }
        for ((start, length, position), id) in clips.iter().zip(1..) {
            let clip = json!({
                "name": "Talk", "track": TrackId::new(1), "source": SOURCE, "start": start * 48_000,
                "length": length * 48_000, "position": position * 48_000,
            });
            session.clips.insert(ClipId::new(id), serde_json::from_value(clip).unwrap());
        }
        session
    }

    fn lines(clips: &[(i64, i64, i64)]) -> Vec<String> {
        told(&session(clips), &[SOURCE]).0
    }

    #[test]
    fn each_phrase_has_the_time_at_which_the_edit_plays_it() {
        // The end first, then the beginning.
        let edit = [(5, 2, 0), (0, 5, 2)];
        assert_eq!(lines(&edit), ["0:00.000  Goodbye", "0:03.000  Hello um there"]);
        let (_, json) = told(&session(&edit), &[SOURCE]);
        assert_eq!((&json[0]["at_s"], &json[0]["text"]), (&json!(0.0), &json!("Goodbye")));
        assert!(is_elsewhere(&session(&edit), &[SOURCE]));
        assert!(!is_elsewhere(&session(&[(0, 7, 0)]), &[SOURCE]));
    }

    #[test]
    fn what_was_cut_out_is_not_in_it_and_what_plays_twice_is_there_twice() {
        let cut = [(0, 2, 0), (3, 4, 2)];
        assert_eq!(lines(&cut), ["0:01.000  Hello there", "0:04.000  Goodbye"]);
        let twice = [(5, 2, 0), (5, 2, 2)];
        assert_eq!(lines(&twice), ["0:00.000  Goodbye", "0:02.000  Goodbye"]);
        let mut muted = session(&cut);
        muted.tracks.values_mut().for_each(|track| track.mute = true);
        assert!(told(&muted, &[SOURCE]).0.is_empty());
    }
}
