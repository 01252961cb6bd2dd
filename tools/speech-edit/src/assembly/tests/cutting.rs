//! Where phrases are cut when the times of their words are off, as those that a network wrote are.

use super::{Line, clips_on, interview, plays};
use deskhand_dsp::Frames;
use deskhand_session::{Segment, SegmentId, Track, Word};
use deskhand_toolkit::testing::{Desk, SECOND, noise};
use serde_json::json;
use std::ops::Range;

/// How long a word sounds, and the gap after it, in s.
const WORD: f64 = 0.24;
const GAP: f64 = 0.04;
/// Words of a sentence.
const WORDS: usize = 4;
const SENTENCES: usize = 12;

/// Where the times of words end that are said last: where they do, or where the next is said to begin.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Last {
    True,
    UpToNext,
}

/// Sentences of words that sound, over a quiet room; where each sounds, in s.
fn sentences(silence: f64) -> (Vec<f32>, Vec<Range<f64>>) {
    let length = WORDS as f64 * (WORD + GAP) - GAP;
    let start = |n: usize| 0.5 + n as f64 * (length + silence);
    let spoken: Vec<_> = (0..SENTENCES).map(|n| start(n)..start(n) + length).collect();
    let mut audio = noise(-62.0, start(SENTENCES) + 1.0);
    let voice = noise(-24.0, WORD);
    for word in
        spoken.iter().flat_map(|one| (0..WORDS).map(|n| one.start + n as f64 * (WORD + GAP)))
    {
        let at = (word * SECOND as f64) as usize;
        let ramp = |n: usize| (n.min(voice.len() - n) as f32 / 1_500.0).min(1.0);
        for (n, sample) in voice.iter().enumerate() {
            audio[at + n] += sample * ramp(n);
        }
    }
    (audio, spoken)
}

/// The sentences with a transcript whose first words begin so late, in s.
fn late(silence: f64, late: f64, last: Last) -> (Desk, Vec<Range<f64>>) {
    let (audio, spoken) = sentences(silence);
    let mut desk = Desk::new(crate::testing::tools());
    let track = desk.track(Track::audio("Voice"));
    let clip = desk.clip(track, "Talk", 0, audio);
    let source = desk.session.clips[&clip].source;
    let frames = |seconds: f64| Frames((seconds * SECOND as f64) as i64);
    for (at, one) in spoken.iter().enumerate() {
        let word = |n: usize| {
            let start = one.start + n as f64 * (WORD + GAP);
            let begins = if n == 0 { start + late.min(WORD - 0.02) } else { start };
            let next =
                spoken.get(at + 1).map_or(one.end, |next| next.start + late.min(WORD - 0.02));
            let is_last = n + 1 == WORDS;
            let end = if is_last && last == Last::UpToNext { next } else { start + WORD };
            let text = if is_last { "word." } else { "word" };
            Word { text: text.into(), start: frames(begins), end: frames(end), confidence: None }
        };
        let words: Vec<Word> = (0..WORDS).map(word).collect();
        let (start, end) = (words[0].start, words[WORDS - 1].end);
        let segment = Segment { words, ..Segment::new(source, start, end - start) };
        desk.session.segments.insert(SegmentId::new(at as u64 + 1), segment);
    }
    (desk, spoken)
}

#[test]
fn no_cut_lies_in_a_word_whose_time_is_late() {
    for silence in [0.15, 0.2, 0.3] {
        for by in [0.0, 0.1, 0.18, 0.26] {
            for last in [Last::True, Last::UpToNext] {
                let (mut desk, spoken) = late(silence, by, last);
                desk.settle("tool_find_phrases", &json!({"targets": "all"}));
                let clips = clips_on(&desk, "Voice (assembly)");
                assert_eq!(clips.len(), SENTENCES);
                for (_, clip) in &clips {
                    for cut in [clip.start, clip.start + clip.length] {
                        let cut = cut.0 as f64 / SECOND as f64;
                        let inside = spoken.iter().find(|one| one.start < cut && cut < one.end);
                        assert_eq!(inside, None, "{cut} with {silence} s, {by} s late, {last:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn where_two_speak_at_once_the_first_is_heard_to_its_end() {
    let host: [Line; 2] = [(0.5, 2.5, "Well, goodbye then."), (6.0, 7.0, "Yes.")];
    let guest: [Line; 1] = [(2.0, 4.5, "Thank you very much.")];
    let (mut desk, _) = interview(8.0, &host, &guest);
    let draft = desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    assert_eq!(plays(&desk), ["Well, goodbye then.", "Thank you very much.", "Yes."]);
    let first = &clips_on(&desk, "Host (assembly)")[0].1;
    let end = (first.start + first.length).0 as f64 / SECOND as f64;
    assert!((2.43..=2.57).contains(&end), "{end}");
    let told = "\"Well, goodbye then.\" and \"Thank you very much.\" are said over each other";
    assert!(draft.warnings.iter().any(|warning| warning.starts_with(told)), "{:?}", draft.warnings);
}
