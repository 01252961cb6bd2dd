//! Phrases of a recording that was cut before: all playing words play in the assembly.

use super::{Line, alone, clips_on, interview, plays, track};
use deskhand_dsp::Frames;
use deskhand_edit::assembly::block::standing;
use deskhand_session::{Clip, ClipId, PhraseId, Playing, SourceId, Track, Word};
use deskhand_toolkit::Draft;
use deskhand_toolkit::testing::{Desk, RATE, SECOND};
use proptest::prelude::*;
use serde_json::{Value, json};

const STORY: [Line; 5] = [
    (0.5, 1.5, "Once upon a time"),
    (1.7, 2.7, "there was a fox."),
    (3.0, 4.0, "It was red."),
    (7.0, 8.0, "Then it ran"),
    (9.5, 10.5, "far away."),
];
/// What fades on both sides of a cut, and so may be heard no more, in frames.
const FADES: i64 = 2 * 480;

/// The story, of whose recording clips play stretches: from, to and where on the timeline, in s.
fn told(clips: &[(f64, f64, f64)]) -> Desk {
    let mut desk = alone(12.0, &STORY);
    let (_, whole) = clips_on(&desk, "Voice").remove(0);
    let clip = |(start, end, position): &(f64, f64, f64)| Clip {
        start: frames(*start),
        length: frames(*end) - frames(*start),
        position: frames(*position),
        ..whole.clone()
    };
    desk.session.clips = (1..).map(ClipId::new).zip(clips.iter().map(clip)).collect();
    desk
}

fn frames(second: f64) -> Frames {
    Frames((second * SECOND as f64).round() as i64)
}

fn cut(desk: &mut Desk, start: f64, end: f64) {
    let params = json!({"targets": "Voice", "start_s": start, "end_s": end});
    desk.settle_once("cmd_ripple_delete", params);
}

fn found(desk: &mut Desk) -> Draft {
    let draft = desk.settle("tool_find_phrases", &json!({"targets": "all"}));
    assert_eq!(blocks(desk), desk.session.assembly.order);
    draft
}

fn blocks(desk: &Desk) -> Vec<PhraseId> {
    standing(&desk.session).iter().map(|placed| placed.block.phrase).collect()
}

/// The words of the edit, phrase by phrase, without cuts.
fn text(desk: &Desk) -> String {
    let playing = Playing::of(&desk.session);
    let order = desk.session.assembly.order.iter();
    let texts = order.map(|id| playing.spoken(&desk.session, *id).unwrap().text);
    texts.collect::<Vec<_>>().join(" ")
}

/// All words, as they are said.
fn words(desk: &Desk) -> Vec<(SourceId, Word)> {
    let segments = desk.session.segments.values();
    let words = segments.flat_map(|one| one.words.iter().map(|word| (one.source, word.clone())));
    let mut words: Vec<_> = words.collect();
    words.sort_by_key(|(_, word)| word.start);
    words
}

/// The playing words; they are exactly those that played `before`.
fn playing(desk: &Desk, before: &Playing) -> Vec<String> {
    let after = Playing::of(&desk.session);
    let mut plays = Vec::new();
    for (source, word) in words(desk) {
        let span = word.start..word.end;
        assert_eq!(before.plays(source, &word), after.plays(source, &word), "{word:?}");
        if before.plays(source, &word) {
            let lost = before.within(source, &span) - after.within(source, &span);
            assert!(lost.0 <= FADES, "{} frames of {word:?}", lost.0);
            plays.push(word.text);
        }
    }
    plays
}

#[test]
fn a_sentence_from_the_middle_of_which_words_were_cut_stays() {
    let mut desk = alone(12.0, &STORY);
    cut(&mut desk, 0.75, 1.25);
    let before = Playing::of(&desk.session);
    let draft = found(&mut desk);
    assert_eq!(text(&desk), "Once time there was a fox. It was red. Then it ran far away.");
    assert_eq!(playing(&desk, &before).join(" "), text(&desk));
    assert!(desk.session.tracks[&track(&desk, "Voice")].mute);
    assert!(draft.warnings.is_empty(), "{:?}", draft.warnings);
}

#[test]
fn a_word_at_each_end_is_left_of_a_sentence_and_both_stay() {
    let mut desk = alone(12.0, &STORY);
    cut(&mut desk, 0.75, 2.45);
    let before = Playing::of(&desk.session);
    let draft = found(&mut desk);
    assert_eq!(text(&desk), "Once fox. It was red. Then it ran far away.");
    assert_eq!(playing(&desk, &before).len(), 10);
    assert!(draft.warnings.is_empty(), "{:?}", draft.warnings);
}

#[test]
fn both_microphones_of_a_sentence_that_was_cut_stay_in_sync() {
    let host: [Line; 1] = [(0.5, 2.5, "One two three four five.")];
    let (mut desk, _) = interview(8.0, &host, &[(4.0, 5.0, "Yes indeed.")]);
    let params = json!({"targets": "Host", "start_s": 0.9, "end_s": 1.7});
    desk.settle_once("cmd_ripple_delete", params);
    let before = Playing::of(&desk.session);
    let draft = found(&mut desk);
    assert_eq!(text(&desk), "One four five. Yes indeed.");
    assert_eq!(playing(&desk, &before).join(" "), text(&desk));
    assert!(draft.warnings.is_empty(), "{:?}", draft.warnings);
    let places = |name: &str| -> Vec<_> {
        let clips = clips_on(&desk, name).into_iter();
        clips.map(|(_, clip)| (clip.start, clip.position, clip.length)).collect()
    };
    assert_eq!(places("Host (assembly)"), places("Guest (assembly)"));
}

#[test]
fn words_that_were_taken_out_and_left_a_gap_leave_the_rest_in_its_place() {
    let mut desk = told(&[(0.0, 0.75, 0.0), (1.25, 12.0, 1.25)]);
    found(&mut desk);
    assert_eq!(text(&desk), "Once time there was a fox. It was red. Then it ran far away.");
    let clips = clips_on(&desk, "Voice (assembly)");
    let (first, second) = (&clips[0].1, &clips[1].1);
    assert_eq!((second.position - first.end()).0, SECOND / 2, "the gap is as long as it was");
}

#[test]
fn parts_of_a_sentence_with_another_between_them_come_together_and_it_is_told() {
    let mut desk = told(&[(0.4, 1.0, 0.0), (2.85, 4.2, 0.6), (1.0, 2.85, 1.95), (6.5, 12.0, 4.5)]);
    let before = Playing::of(&desk.session);
    let draft = found(&mut desk);
    let fox = "Once upon a time there was a fox.";
    assert_eq!(plays(&desk), ["It was red.", fox, "Then it ran", "far away."]);
    assert_eq!(playing(&desk, &before).len(), 16);
    let clips = clips_on(&desk, "Voice (assembly)").into_iter();
    let own: Vec<Clip> = clips.map(|(_, clip)| clip).filter(|clip| clip.name == fox).collect();
    let heard = |second: f64| {
        let at = frames(second);
        let mut over = own.iter().filter(|it| it.start <= at && at < it.start + it.length);
        over.next().map(|clip| clip.position + (at - clip.start)).unwrap()
    };
    let between = heard(1.1) - heard(0.9);
    assert!((frames(0.18)..frames(0.6)).contains(&between), "{between:?}");
    let told = format!("\"{fox}\": said in parts with others between them");
    assert!(draft.warnings.iter().any(|it| it.starts_with(&told)), "{:?}", draft.warnings);
}

#[test]
fn a_sentence_whose_halves_lie_on_tracks_in_no_common_group_plays_whole() {
    for (position, is_apart) in [(1.0, false), (13.0, true)] {
        let mut desk = told(&[(0.0, 1.0, 0.0), (2.85, 12.0, 2.85)]);
        let track = desk.track(Track::audio("Other"));
        let (_, first) = clips_on(&desk, "Voice").remove(0);
        let (start, length) = (frames(1.0), frames(1.85));
        let rest = Clip { track, start, length, position: frames(position), ..first };
        desk.session.clips.insert(ClipId::new(9), rest);
        let before = Playing::of(&desk.session);
        let draft = found(&mut desk);
        let fox = "Once upon a time there was a fox.";
        assert_eq!(plays(&desk), [fox, "It was red.", "Then it ran", "far away."]);
        assert_eq!(playing(&desk, &before).len(), 16);
        let told = format!("\"{fox}\": said in parts with others between them");
        let is_told = draft.warnings.iter().any(|it| it.starts_with(&told));
        assert_eq!((is_told, draft.warnings.len()), (is_apart, usize::from(is_apart)));
    }
}

#[test]
fn words_that_play_twice_are_taken_over_once_and_it_is_told() {
    let mut desk = told(&[(0.0, 12.0, 0.0), (2.9, 4.1, 14.0)]);
    let draft = found(&mut desk);
    let expected = ["Once upon a time there was a fox.", "It was red.", "Then it ran", "far away."];
    assert_eq!(plays(&desk), expected);
    let told = "\"It was red.\" at 0:14.100 on \"Voice\": the same words play elsewhere";
    assert!(draft.warnings.iter().any(|it| it.starts_with(told)), "{:?}", draft.warnings);
}

#[test]
fn words_of_clips_that_are_not_meant_are_told_where_their_track_is_muted() {
    let mut desk = told(&[(0.0, 4.5, 0.0), (6.5, 12.0, 20.0)]);
    let (first, _) = clips_on(&desk, "Voice").remove(0);
    let draft = desk.settle("tool_find_phrases", &json!({"targets": [first]}));
    assert_eq!(plays(&desk), ["Once upon a time there was a fox.", "It was red."]);
    let told = "\"Then it ran far away.\" at 0:20.500 on \"Voice\": in no phrase";
    assert!(draft.warnings.iter().any(|it| it.starts_with(told)), "{:?}", draft.warnings);
}

/// An edit of the recording, at a part of the timeline, in 1, and for this many seconds. For a clip: what
/// goes at both edges, as parts of its length.
#[derive(Clone, Debug)]
enum Hand {
    Close(f64, f64),
    Remove(f64, f64),
    Split(f64),
    Trim(usize, f64, f64),
}

fn hands() -> impl Strategy<Value = Vec<Hand>> {
    let (part, edge) = (0.0..1.0f64, 0.0..0.2f64);
    let hand = prop_oneof![
        (part.clone(), 0.05..1.5f64).prop_map(|(at, length)| Hand::Close(at, length)),
        (part.clone(), 0.05..1.5f64).prop_map(|(at, length)| Hand::Remove(at, length)),
        part.prop_map(Hand::Split),
        (0usize..8, edge.clone(), edge).prop_map(|(n, first, last)| Hand::Trim(n, first, last)),
    ];
    prop::collection::vec(hand, 1..7)
}

/// The call of a hand, where a clip is left.
fn call(desk: &Desk, hand: &Hand) -> Option<(&'static str, Value)> {
    let clips = clips_on(desk, "Voice");
    let seconds = |at: Frames| at.seconds(RATE).0;
    let end = clips.iter().map(|(_, clip)| seconds(clip.end())).reduce(f64::max)?;
    let stretch = |at: f64, length: f64| json!({"targets": "Voice", "start_s": at * end, "end_s": at * end + length});
    Some(match hand {
        Hand::Close(at, length) => ("cmd_ripple_delete", stretch(*at, *length)),
        Hand::Remove(at, length) => ("cmd_remove_clip", stretch(*at, *length)),
        Hand::Split(at) => ("cmd_split_clip", json!({"targets": "Voice", "at_s": at * end})),
        Hand::Trim(number, first, last) => {
            let (id, clip) = &clips[number % clips.len()];
            let length = seconds(clip.length);
            let start = seconds(clip.position) + first * length;
            let end = seconds(clip.end()) - last * length;
            ("cmd_trim_clip", json!({"targets": [id], "start_s": start, "end_s": end}))
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn whatever_was_cut_all_that_plays_of_what_is_said_plays_in_the_assembly(hands in hands()) {
        let mut desk = alone(12.0, &STORY);
        for hand in &hands {
            // What would leave nothing, or lies in a gap, is refused.
            if let Some(draft) = call(&desk, hand).and_then(|(tool, it)| desk.call(tool, it).ok()) {
                desk.apply(&draft);
            }
        }
        let before = Playing::of(&desk.session);
        if words(&desk).iter().any(|(source, word)| before.plays(*source, word)) {
            desk.settle_once("tool_find_phrases", json!({"targets": "all"}));
            let plays = playing(&desk, &before);
            prop_assert_eq!(plays.join(" "), text(&desk));
            assert_eq!(blocks(&desk), desk.session.assembly.order);
        }
    }
}
